"""What the code cells of a notebook call and import, including indirect imports."""

import ast
from functools import lru_cache
from pathlib import Path

import featurebook
from featurebook.press.book.files import read_source
from featurebook.press.run import checked
from featurebook.press.run.bare import calls_in, parsed, tree

PACKAGE = Path(featurebook.__file__).parent


def closure(notebook: Path) -> list[Path]:
    """The package's files that a notebook imports, directly or not, in a fixed order.

    With a module ``a.py`` go its tables, ``a_*.csv``, and scripts, ``a_*.js``.
    """
    checks = uses_of_checks(notebook)
    sources = [*code_cells(notebook), *(checks.imports if checks else ())]
    return _imported_by([(s, PACKAGE) for s in sources], checks.folder if checks else None)


def _imported_by(waiting: list[tuple[str, Path]], but: Path | None) -> list[Path]:
    """The package's files that sources, each lying in a folder, import, directly or not.

    Args:
        but: a folder of checks, of which only the functions count that are used.
    """
    found: set[Path] = set()
    while waiting:
        for path in _imports(*waiting.pop()) - found:
            if path.parent == but:
                continue
            found |= {path, *path.parent.glob(f"{path.stem}_*.[cj]s*")}
            if path != PACKAGE / "press" / "show.py":  # what lies behind it makes no numbers
                waiting.append((path.read_text(encoding="utf-8"), path.parent))
    return sorted(found)


def uses_of_checks(notebook: Path) -> checked.Used | None:
    """What a notebook uses of its part's checks; None if that is unknown or there are none."""
    cells = [cell for cell in code_cells(notebook) if parsed(cell)]
    return checked.used(cells, PACKAGE)


def code_cells(notebook: Path) -> list[str]:
    """The Python of each code cell, without the lines meant for IPython or the shell."""
    return [
        "\n".join(line for line in cell.source.splitlines() if not line.startswith(("%", "!")))
        for cell in read_source(notebook).cells
        if cell.cell_type == "code"
    ]


def calls(notebook: Path) -> list[tuple[str, ast.Call]]:
    """The calls in a notebook's code cells, each with the name of what is called."""
    return [call for source in code_cells(notebook) for call in calls_in(source)]


@lru_cache(maxsize=2048)
def _imports(source: str, folder: Path) -> frozenset[Path]:
    """The package's files that a source lying in ``folder`` imports itself."""
    found = set()
    for name in _imported(source, (PACKAGE.name, *folder.relative_to(PACKAGE).parts)):
        parts = name.split(".")
        if parts[0] == PACKAGE.name:  # importing a.b runs a/__init__.py too
            found |= {PACKAGE.joinpath(*parts[1:depth]) for depth in range(1, len(parts) + 1)}
    files = (p for module in found for p in (module / "__init__.py", module.with_suffix(".py")))
    return frozenset(p for p in files if p.is_file())


def _imported(source: str, package: tuple[str, ...]) -> frozenset[str]:
    """What a source in that package imports, by the full names."""
    names: set[str] = set()
    for node in ast.walk(tree(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *([node.module] if node.module else [])))
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return frozenset(names)
