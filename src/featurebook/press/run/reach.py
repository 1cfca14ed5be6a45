"""The definitions that a function of the package reaches.

A change of anything else, even in the same file, does not affect its results; nor does a
change of how an object is displayed. Names are followed through imports, attributes of modules and
annotations. If one cannot be followed, its whole file counts: in doubt a result is out of date.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from featurebook.on_demand import under_type_checking

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
Binding = tuple[str, str]
"""The dotted module that a name comes from, and its name there; empty for the module itself."""

EFFECTS = "<effects>"
"""In a `Place`: the code besides definitions that a file runs when imported."""
SHOWING = re.compile(r"_repr_\w+_")
"""Methods by which Jupyter displays an object: they compute no numbers."""
REGISTRY = "claims"
"""The registry of checks and experiments, which itself computes no numbers."""


class Place(NamedTuple):
    """A definition: its file, and its name there; without a name, the whole file."""

    file: Path
    name: str


@dataclass
class _File:
    source: str
    defined: dict[str, Definition] = field(default_factory=dict)
    imported: dict[str, Binding] = field(default_factory=dict)
    effects: list[ast.stmt] = field(default_factory=list)
    """What is run at import besides definitions."""


def reached(
    start: Iterable[Place], package: Path, asks: Callable[[Place], Iterable[Place]]
) -> Iterator[tuple[Path, str]]:
    """Everything that definitions reach, including themselves: file and source of each.

    Args:
        package: the folder of the package; code outside it does not count.
        asks: what a definition needs besides the names in it; see `arguments`.
    """
    waiting, seen = list(start), set[Place]()
    while waiting:
        place = waiting.pop()
        if place not in seen:
            seen.add(place)
            source, onward = _made_of(place, place.file.stat().st_mtime_ns, package)
            yield place.file, source
            waiting += [*onward, *asks(place)]


def named_by(source: str, package: Path) -> set[Place]:
    """The places named by Python code outside the package, such as a cell."""
    tree, outside = ast.parse(source), _File(source)
    return set(_named(tree, package / "__init__.py", outside, package))


def arguments(place: Place) -> set[str]:
    """The names of a function's arguments, and of those of its inner functions."""
    of = _read(place.file, place.file.stat().st_mtime_ns)
    node = of.defined.get(place.name)
    return {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)} if node else set()


@lru_cache(maxsize=16384)
def _made_of(place: Place, changed: int, package: Path) -> tuple[str, tuple[Place, ...]]:
    """The source of a place, and the places that it names."""
    of = _read(place.file, changed)
    if not place.name:
        nodes: list[ast.stmt] = [*of.defined.values(), *of.effects]
        source = of.source
    elif place.name == EFFECTS:
        nodes = of.effects
        source = "\n".join(ast.get_source_segment(of.source, node) or "" for node in nodes)
    else:
        nodes = [of.defined[place.name]]
        source = _lines(of.source, of.defined[place.name])
    onward = {p for node in nodes for p in _named(node, place.file, of, package)} - {place}
    if place.name not in ("", EFFECTS) and of.effects:
        onward.add(Place(place.file, EFFECTS))
    if ".csv" in source:
        source += "".join(f.read_text("utf-8") for f in sorted(place.file.parent.glob("*.csv")))
    return source, tuple(sorted(onward))


def _named(node: ast.AST, file: Path, of: _File, package: Path) -> Iterator[Place]:
    """The places of the package that a statement names."""
    local, shows = dict(of.imported), {id(x) for m in _showing(node) for x in ast.walk(m)}
    every = [x for x in ast.walk(node) if id(x) not in shows]
    for inside in every:
        if isinstance(inside, ast.Import | ast.ImportFrom):
            local |= dict(_bindings(inside, file, package))
    inner = {id(a.value) for a in every if isinstance(a, ast.Attribute)}
    for inside in every:
        if isinstance(inside, ast.Name | ast.Attribute) and id(inside) not in inner:
            chain = _chain(inside)
            if chain and REGISTRY not in chain[:2]:
                yield from _follow(chain, file, of, local, package)


def _chain(node: ast.expr) -> list[str]:
    """The names in ``a.b.c``; empty if it does not begin with a name."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return [node.id, *names] if isinstance(node, ast.Name) else []


def _follow(
    chain: list[str], file: Path, of: _File, local: dict[str, Binding], package: Path
) -> Iterator[Place]:
    first, *more = chain
    if first in of.defined:
        yield Place(file, first)
        return
    if first not in local:
        return  # a variable, or a name of Python
    found = _bound(local[first], package)
    while found and not found.name and more:  # a module: what of it?
        found = _in_module(found.file, more.pop(0), package)
    if found:
        yield found


def _bound(binding: Binding, package: Path) -> Place | None:
    """The place that an imported name refers to; None if it is outside the package."""
    module, name = binding
    file = _file(module, package)
    if file is None:
        return None
    return _in_module(file, name, package) if name else Place(file, "")


def _in_module(file: Path, name: str, package: Path) -> Place:
    """The place that a name in a module refers to; in doubt the whole module."""
    of = _read(file, file.stat().st_mtime_ns)
    if name in of.defined:
        return Place(file, name)
    module, original = of.imported.get(name, ("", ""))
    itself = (_file(module, package), original) == (file, name)  # a package's own module
    if module and not itself and (found := _bound((module, original), package)):
        return found
    if file.name == "__init__.py":
        for inside in (file.parent / f"{name}.py", file.parent / name / "__init__.py"):
            if inside.is_file():
                return Place(inside, "")
    return Place(file, "")


def _file(module: str, package: Path) -> Path | None:
    """The file of a module of the package."""
    first, *more = module.split(".")
    if first != package.name:
        return None
    place = package.joinpath(*more)
    files = (place / "__init__.py", place.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def _bindings(
    node: ast.Import | ast.ImportFrom, file: Path, package: Path
) -> Iterator[tuple[str, Binding]]:
    """The names that an import binds, each with what it refers to."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            whole = alias.name if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or whole, (whole, "")
        return
    module = node.module or ""
    if node.level:
        here = (package.name, *file.parent.relative_to(package).parts)
        module = ".".join([*here[: len(here) - node.level + 1], *([module] if module else [])])
    for alias in node.names:
        yield alias.asname or alias.name, (module, alias.name)


def _lines(source: str, node: Definition) -> str:
    """The source of a definition, with decorators, without methods that only display."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    lines = source.splitlines()[first - 1 : node.end_lineno]
    for method in reversed(_showing(node)):
        assert method.end_lineno is not None
        del lines[method.lineno - first : method.end_lineno - first + 1]
    return "\n".join(lines)


def _showing(node: ast.AST) -> list[ast.FunctionDef]:
    """The methods of a class that only display its objects, in the order of their lines."""
    body = node.body if isinstance(node, ast.ClassDef) else []
    return [m for m in body if isinstance(m, ast.FunctionDef) and SHOWING.fullmatch(m.name)]


@lru_cache(maxsize=1024)
def _read(file: Path, changed: int) -> _File:
    of = _File(file.read_text(encoding="utf-8"))
    package = next((p for p in file.parents if not (p.parent / "__init__.py").is_file()), file)
    for node in ast.parse(of.source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            of.defined[node.name] = node
        elif isinstance(node, ast.Import | ast.ImportFrom):
            of.imported |= dict(_bindings(node, file, package))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and (names := _targets(node)):
            of.defined |= dict.fromkeys(names, node)
        elif file.name == "__init__.py" and under_type_checking(node):  # what it exports
            for line in node.body:  # type: ignore[attr-defined]
                of.imported |= dict(_bindings(line, file, package))
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            of.effects.append(node)
    return of


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    """The names that an assignment defines; none if it only mutates, as ``a[0] = 1``."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    inside = [t for target in targets for t in ast.walk(target)]
    if any(isinstance(t, ast.Subscript | ast.Attribute) for t in inside):
        return []
    return [t.id for t in inside if isinstance(t, ast.Name)]
