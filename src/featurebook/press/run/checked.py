"""Which functions of a part's checks a chapter uses: only they outdate it and its records."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from featurebook.press.run.reach import Place

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@dataclass
class Used:
    """The parts of a package of checks that cells use.

    Attributes:
        folder: the package's.
        definitions: the source of each function, class and constant, in the order of finding.
        imports: import statements, one name each, that these need from outside of the package.
    """

    folder: Path
    definitions: list[str] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Module:
    source: str
    defined: dict[str, Definition]
    imported: dict[str, tuple[str, str]]
    """The statement that binds a name, and the name of the module that it comes from."""


def used(cells: Sequence[str], package: Path) -> Used | None:
    """The parts of ``featurebook.papers.PART.checks`` that a chapter's code cells use.

    They use the checks that ``show.judge`` names, the experiments ``study["name"]``, and what they
    name as ``checks.module.name``.

    Args:
        cells: their Python.
        package: the folder of the package ``featurebook``.

    Returns:
        None if they import no checks, or name one by an expression that must be evaluated.
    """
    part = next((p for cell in cells for p in _parts(ast.parse(cell))), None)
    names = named(cells)
    if part is None or None in names:
        return None
    return behind([name for name in names if name], package / "papers" / part / "checks")


def named(cells: Sequence[str]) -> list[str | None]:
    """Names in code cells: checks, experiments, ``module.name``; None if one is computed."""
    return [name for cell in cells for name in _named(cell)]


def behind(names: Sequence[str], folder: Path) -> Used:
    """What checks, experiments and definitions use, as `used` returns it.

    Args:
        names: claims' ids without the part's name, names of experiments, ``module.name``.
        folder: of the package of checks.
    """
    files = tuple((p, p.stat().st_mtime_ns) for p in sorted(folder.glob("*.py")))
    return _behind(tuple(names), folder, files)


@lru_cache(maxsize=512)
def _behind(names: tuple[str, ...], folder: Path, files: tuple[tuple[Path, int], ...]) -> Used:
    modules = {path.stem: _module(path, changed) for path, changed in files}
    known = _registered_in(files)
    found, seen = Used(folder), set[tuple[str, str]]()
    waiting = [place for name in names for place in _places(name, modules, known)]
    while waiting:
        place = waiting.pop()
        if place not in seen:
            seen.add(place)
            waiting += _follow(*place, modules, known, found)
    found.imports.sort()
    return found


def registered(folder: Path) -> dict[str, list[Place]]:
    """Where the checks and experiments of a folder are, by claim without its part and by name.

    Names of the form ``module.name`` are found as such.
    """
    return _registered_in(tuple((p, p.stat().st_mtime_ns) for p in sorted(folder.glob("*.py"))))


@lru_cache(maxsize=64)
def _registered_in(modules: tuple[tuple[Path, int], ...]) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    for path, changed in modules:
        for defined, node in _module(path, changed).defined.items():
            found.setdefault(f"{path.stem}.{defined}", []).append(Place(path, defined))
            for name in _registered(node) if isinstance(node, ast.FunctionDef) else ():
                found.setdefault(name, []).append(Place(path, defined))
    return found


def decorated(place: Place) -> str:
    """The decorators of a definition, as Python."""
    node = _module(place.file, place.file.stat().st_mtime_ns).defined[place.name]
    return "\n".join(map(ast.unparse, getattr(node, "decorator_list", [])))


def _parts(tree: ast.Module) -> Iterator[str]:
    """The part whose checks a cell imports."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and any(a.name == "checks" for a in node.names):
            yield (node.module or "").rpartition(".")[2]


@lru_cache(maxsize=4096)
def _named(cell: str) -> tuple[str | None, ...]:
    """Ids of checks, names of experiments, ``module.name``; None for what is computed."""
    found: list[str | None] = []
    for node in ast.walk(ast.parse(cell)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "show.judge":
            found += [_constant(x) for x in node.args[1:]]
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "study":
            found.append(_constant(node.slice))
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value).startswith("checks."):
            found.append(f"{ast.unparse(node.value).partition('.')[2]}.{node.attr}")
    return tuple(found)


def _constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _places(
    name: str, modules: dict[str, _Module], known: dict[str, list[Place]]
) -> list[tuple[str, str]]:
    """Where a check, an experiment or a definition is: its module and its name there."""
    module, _, inside = name.partition(".")
    if inside and module in modules:
        return [(module, inside)]
    return [(place.file.stem, place.name) for place in known.get(name, [])]


def _registered(node: ast.FunctionDef) -> Iterator[str]:
    """The experiment's name or the claim's id under which a function registers."""
    for decorator in node.decorator_list:
        text = ast.unparse(decorator)
        if text == "claims.experiment":
            yield node.name
        elif text.startswith("claims.check(") and isinstance(decorator, ast.Call):
            yield str(_constant(decorator.args[0]))


def _follow(
    module: str,
    name: str,
    modules: dict[str, _Module],
    known: dict[str, list[Place]],
    found: Used,
) -> list[tuple[str, str]]:
    """Add a definition, and return the places of what it uses."""
    of = modules[module]
    node = of.defined.get(name)
    if node is None:
        return _imported(of, name, modules, found)
    found.definitions.append(_source(of.source, node))
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - {name}
    places = [(module, n) for n in names if n in of.defined or n in of.imported]
    asked = {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)}
    return places + [place for a in asked for place in _places(a, modules, known)]


def _imported(
    of: _Module, name: str, modules: dict[str, _Module], found: Used
) -> list[tuple[str, str]]:
    statement, origin = of.imported.get(name, ("", ""))
    stem = origin.rpartition(".")[2]
    if ".checks" in origin and stem in modules:
        return [(stem, name)]
    if statement and statement not in found.imports:
        found.imports.append(statement)
    return []


def _source(source: str, node: Definition) -> str:
    """The lines of a definition, its decorators among them."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)])
    return "\n".join(source.splitlines()[first - 1 : node.end_lineno])


@lru_cache(maxsize=256)
def _module(path: Path, changed: int) -> _Module:
    source = path.read_text(encoding="utf-8")
    defined: dict[str, Definition] = {}
    imported: dict[str, tuple[str, str]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            defined |= {n.id: node for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            origin = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                one = (
                    ast.ImportFrom(node.module, [alias], node.level)
                    if isinstance(node, ast.ImportFrom)
                    else ast.Import([alias])
                )
                imported[alias.asname or alias.name.partition(".")[0]] = (ast.unparse(one), origin)
    return _Module(source, defined, imported)
