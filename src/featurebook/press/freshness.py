"""When an executed chapter may be kept: what it was computed from, as checksums."""

import ast
import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from featurebook import images
from featurebook.press.layout import Chapter
from featurebook.press.provenance import PACKAGE

METADATA = "featurebook"
Key = dict[str, str]


def key(chapter: Chapter, values: Mapping[str, Any]) -> Key:
    """What decides a chapter's outputs, by part: a change of any part means another execution."""
    code = closure(chapter.notebook)
    return {
        "notebook": _digest(chapter.notebook.read_bytes()),
        "code": _digest(*(p.read_bytes() for p in code)),
        "claims": _digest(chapter.claims.read_bytes() if chapter.claims.exists() else b""),
        "parameters": _digest(json.dumps(dict(values), sort_keys=True).encode()),
        "data": _digest(
            json.dumps(images.fingerprint() if PACKAGE / "images.py" in code else {}).encode()
        ),
        "versions": f"torch {version('torch')}, numpy {version('numpy')}",
    }


def stale_because(executed: Path, wanted: Key) -> str:
    """Why an executed notebook cannot be kept, in a few words; empty if it can."""
    if not executed.is_file():
        return "never executed"
    try:
        notebook = nbformat.read(executed, as_version=4)
    except (OSError, ValueError):
        return "unreadable"
    had = notebook.metadata.get(METADATA, {}).get("key", {})
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
