"""Results of slow experiments on this machine, so that several chapters compute each once.

Whoever executes chapters names a file in the environment variable `VARIABLE`; without it nothing
is taken and nothing kept. That process needs neither torch nor pandas, which `saving` imports.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VARIABLE = "FEATUREBOOK_SHELF"
"""Names a JSON file with what a `Shelf` is made of."""
SLOW = 2.0
"""Results that took longer than this many seconds are kept."""
LARGEST_KEPT = 20_000_000
"""Bytes of a result that is kept, at most."""
DAYS = 30
"""After which results of other code, parameters or data go, when a new one is kept."""


@dataclass(frozen=True)
class Shelf:
    """Where results lie.

    Attributes:
        values: the parameters' values for which they hold.
        files: of the experiments, by name.
    """

    values: Mapping[str, Any]
    files: Mapping[str, Path]

    def write(self, path: Path) -> None:
        """Write what `place` reads."""
        files = {name: str(file) for name, file in self.files.items()}
        path.write_text(json.dumps({"values": dict(self.values), "files": files}))


def place(experiment: str, values: Mapping[str, Any]) -> Path | None:
    """The file for the result of an experiment at these values of the parameters it needs.

    None without a shelf, or where its results are of other values.
    """
    try:
        about = json.loads(Path(os.environ[VARIABLE]).read_text(encoding="utf-8"))
    except (KeyError, OSError):  # a command in a cell may outlive who named the file
        return None
    known = about["values"]
    if experiment not in about["files"] or any(known.get(n) != x for n, x in values.items()):
        return None
    return Path(about["files"][experiment])


def take(experiment: str, file: Path) -> Any:
    """The result that lies in a file.

    Raises:
        ValueError, OSError: if there is none, or it is damaged.
    """
    from featurebook.verdicts import saving

    result = saving.load(file)
    with suppress(OSError), _taken(Path(os.environ[VARIABLE])).open("a") as note:
        note.write(f"{experiment}\n")
    return result


def taken(shelf: Path) -> list[str]:
    """The experiments whose results were taken, by the file that names the shelf."""
    with suppress(OSError):
        return list(dict.fromkeys(_taken(shelf).read_text(encoding="utf-8").split()))
    return []


def _taken(shelf: Path) -> Path:
    return shelf.with_name(f"{shelf.name}.taken")


def computed(file: Path, compute: Callable[[], Any]) -> Any:
    """Compute a result, and keep it in a file with the seconds it took if these are many."""
    from featurebook.verdicts import saving

    begun = time.perf_counter()
    result = compute()
    seconds = time.perf_counter() - begun
    if seconds > SLOW:
        with suppress(saving.UnsavableError, OSError):
            note_seconds(file, seconds)
            saving.save(file, result, LARGEST_KEPT)
            _clear(file)
    return result


def _clear(file: Path) -> None:
    """Delete results of the same experiment that are older than `DAYS`."""
    for other in file.parent.glob(f"{file.name.partition('.')[0]}.*"):
        if time.time() - other.stat().st_mtime > DAYS * 86_400:
            other.unlink(missing_ok=True)


def note_seconds(file: Path, seconds: float) -> None:
    """Note beside a result how long its experiment took, without what that needs."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as note:
        note.write(f"{seconds:.3f}")
    os.replace(note.name, file.with_suffix(".seconds"))


def seconds_of(file: Path) -> float:
    """What an experiment took when it was run; 0 if that is not known."""
    with suppress(OSError, ValueError):
        return float(file.with_suffix(".seconds").read_text(encoding="utf-8"))
    return 0.0
