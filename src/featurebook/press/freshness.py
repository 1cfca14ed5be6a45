"""When an executed chapter may be kept: what it was computed from, as checksums."""

import ast
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jupytext

from featurebook import images
from featurebook.press.files import read_notebook
from featurebook.press.layout import BookError, Chapter, chapters
from featurebook.press.provenance import PACKAGE

METADATA = "featurebook"
Key = dict[str, str]


def key(chapter: Chapter, values: Mapping[str, Any]) -> Key:
    """What decides a chapter's outputs, by part: a change of any part means another execution."""
    return {**sources(chapter), "parameters": of_values(values)}


def of_values(values: Mapping[str, Any]) -> str:
    """The part of the key that the parameters decide."""
    return _digest(json.dumps(dict(values), sort_keys=True).encode())


def sources(chapter: Chapter) -> Key:
    """The parts of the key that are the same whatever the parameters."""
    code = closure(chapter.notebook)
    return {
        "notebook": _digest(chapter.notebook.read_bytes()),
        "code": _digest(*(p.read_bytes() for p in code)),
        "claims": _digest(chapter.claims.read_bytes() if chapter.claims.exists() else b""),
        "data": _digest(
            json.dumps(images.fingerprint() if PACKAGE / "images.py" in code else {}).encode()
        ),
        "chapters": _digest(*(p.read_bytes() for p in _others(chapter, code))),
        "records": _digest(*(p.read_bytes() for p in _records(chapter, code))),
        "versions": f"torch {version('torch')}, numpy {version('numpy')}",
    }


def reads_chapters(chapter: Chapter) -> bool:
    """Whether a chapter is made from the executed others, as the ledger is."""
    return PACKAGE / "press" / "ledger.py" in closure(chapter.notebook)


def _others(chapter: Chapter, code: Sequence[Path]) -> list[Path]:
    """The executed chapters and claims that the ledger reads."""
    if PACKAGE / "press" / "ledger.py" not in code:
        return []
    others = [c for c in chapters(chapter.root) if c != chapter]
    return [f for c in others for f in (c.claims, c.executed) if f.is_file()]


def _records(chapter: Chapter, code: Sequence[Path]) -> list[Path]:
    """The recorded runs that the page shows beside its own; the ledger, those of all chapters."""
    if PACKAGE / "press" / "records.py" not in code:
        return []
    of = "*" if PACKAGE / "press" / "ledger.py" in code else chapter.stem
    return sorted((chapter.root / "records").glob(f"{of}.*.json"))


def same_numbers(a: Mapping[str, str], b: Mapping[str, str]) -> bool:
    """Whether two keys differ in nothing that could change a number of the notebook."""
    return all(a.get(part) == b.get(part) for part in (*a, *b) if part not in ("claims", "records"))


def computation(chapter: Chapter) -> str:
    """A checksum of what decides a chapter's numbers: its code cells, core and mathematics.

    The notebook's text does not count, nor what shows numbers and makes none: press and figures.
    """
    shows = {PACKAGE / "press", PACKAGE / "figures.py"}
    code = [p for p in closure(chapter.notebook) if shows.isdisjoint({p, *p.parents})]
    cells = "\0".join(_code_cells(chapter.notebook))
    return _digest(cells.encode(), *(p.read_bytes() for p in code))


def stale_because(executed: Path, wanted: Key) -> str:
    """Why an executed notebook cannot be kept, in a few words; empty if it can."""
    if not executed.is_file():
        return "never executed"
    try:
        had = read_notebook(executed).metadata.get(METADATA, {}).get("key", {})
    except BookError:
        return "unreadable"
    changed = [part for part in wanted if had.get(part) != wanted[part]]
    return f"changed: {', '.join(changed)}" if changed else ""


def closure(notebook: Path) -> list[Path]:
    """The package's files that a notebook imports, directly or not, in a fixed order.

    With a module ``a.py`` go its tables, ``a_*.csv``.
    """
    found: set[Path] = set()
    waiting = [(source, PACKAGE) for source in _code_cells(notebook)]
    while waiting:
        for path in _imports(*waiting.pop()) - found:
            found |= {path, *path.parent.glob(f"{path.stem}_*.csv")}
            waiting.append((path.read_text(encoding="utf-8"), path.parent))
    return sorted(found)


def _code_cells(notebook: Path) -> list[str]:
    """The Python of each code cell, without the lines meant for IPython or the shell."""
    return [
        "\n".join(line for line in cell.source.splitlines() if not line.startswith(("%", "!")))
        for cell in jupytext.read(notebook).cells
        if cell.cell_type == "code"
    ]


def _imports(source: str, folder: Path) -> set[Path]:
    """The package's files that a source lying in ``folder`` imports itself."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # said when the notebook runs
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = [folder, *folder.parents][node.level - 1] if node.level else None
            start = (PACKAGE.name, *above.relative_to(PACKAGE).parts) if above else ()
            base = ".".join((*start, *([node.module] if node.module else [])))
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    files: set[Path] = set()
    for name in names:
        parts = name.split(".")
        if parts[0] != PACKAGE.name:
            continue
        for depth in range(1, len(parts) + 1):  # importing a.b runs a/__init__.py too
            module = PACKAGE.joinpath(*parts[1:depth])
            files |= {p for p in (module / "__init__.py", module.with_suffix(".py")) if p.is_file()}
    return files


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:16]
