"""Results of runs: one JSON file per run and one Parquet table per folder."""

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featurebook.press.book import door, forms
from featurebook.press.book.files import EXECUTE, outputs, read_notebook, write_atomically
from featurebook.press.book.places import BookError
from featurebook.press.run import freshness, provenance
from featurebook.verdicts import MIME

if TYPE_CHECKING:
    import pandas as pd

TABLE = "results.parquet"
Result = dict[str, Any]


def name_of(values: Mapping[str, Any]) -> str:
    """A short name for a run that depends only on its values."""
    text = json.dumps(dict(values), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def of_notebook(path: Path) -> Result:
    """What an executed notebook found: parameters, verdicts, where and how it ran.

    Raises:
        BookError: if it cannot be read, or was not executed by ``featurebook``.
    """
    notebook = read_notebook(path)
    about = notebook.metadata.get(freshness.METADATA)
    if about is None:
        raise BookError(f"{path}: was not executed by featurebook run, so its values are unknown")
    door.check(about, forms.Executed, path, EXECUTE)
    cards = outputs(notebook, provenance.MIME)
    card = dict(cards[-1]) if cards else {}
    card = {"device": provenance.device_name("cpu"), "commit": provenance.commit()} | card
    return {
        "status": "done",
        **{k: about[k] for k in ("chapter", "scale", "parameters", "started", "seconds", "key")},
        "provenance": card,
        "verdicts": [dict(v) for v in outputs(notebook, MIME)],
    }


def read_folder(folder: Path) -> dict[str, Result]:
    """The results in a sweep's folder by name of run; a damaged file counts as missing."""
    found = {}
    for path in sorted((folder / "runs").glob("*.json")):
        try:
            found[path.stem] = door.read_json(path, forms.Run, "featurebook sweep makes it again")
        except BookError:
            continue
    return found


def table(results: Mapping[str, Result]) -> "pd.DataFrame":
    """One row for each run: parameters, verdicts with their numbers, time, device, status."""
    import pandas as pd

    rows = []
    for name, r in results.items():
        card = r.get("provenance", {})
        row = {"run": name} | {k: r[k] for k in ("chapter", "scale", "status")}
        row |= {"error": r.get("error", "")} | {k: r.get(k) for k in ("seconds", "started")}
        row |= {k: card.get(k) for k in ("device", "commit")} | {"code": r["key"]["code"]}
        row |= {k: json.dumps(v) if isinstance(v, list) else v for k, v in r["parameters"].items()}
        for verdict in r.get("verdicts", []):
            claim = verdict["claim"]
            row[f"{claim}.outcome"] = verdict["outcome"]
            row[f"{claim}.samples"] = verdict["samples"]
            row |= {f"{claim}.{k}": float(v) for k, v in verdict["numbers"].items()}
        rows.append(row)
    return pd.DataFrame(rows)


def write_table(folder: Path) -> Path:
    """Collect the results in a sweep's folder into its Parquet file."""
    content = io.BytesIO()
    table(read_folder(folder)).to_parquet(content, index=False)
    write_atomically(folder / TABLE, content.getvalue())
    return folder / TABLE
