"""Break every place of a formula, one at a time, and see which breaks its tests do not notice.

A table names functions and the tests that cover them; nothing in it quotes their source, so that
no rewriting of a function breaks a row:

    COVERED = [
        Covered(theory.tail, test_theory.test_tail_against_scipy),
        Covered(theory.radius, test_theory.test_radius, test_theory.test_edges),
    ]

    @pytest.mark.parametrize("covered", COVERED, ids=str)
    def test_breaks_are_noticed(covered):
        assert_noticed(covered)

Broken are: numbers (an integer plus 1, another times 1.1), arithmetic operators, comparisons,
``and`` and ``or``, signs, ``not``, truth values, calls with an opposite, such as ``min``, and calls
that can be left out, such as ``conj``; not numbers that name an axis.

Breaks that no test notices, since they change no number or show what is not tested, are listed in
``survivors.json`` beside the tests, which ``python tests/mutants.py PART`` writes; so are those
with which the tests run for more than `PATIENCE`. A reason that was written there stays; each of
the verdicts has one. `assert_noticed` tries `SAMPLE` others of each function, the same in each run.
"""

import ast
import copy
import hashlib
import inspect
import json
import signal
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from mutation import computing_with, notices, plain, tree, unbroken

SAMPLE = 8
"""Breaks of a function that one run of the tests tries."""
LIST = "survivors.json"
PATIENCE = 2.0
"""Seconds of computing after which a list of survivors gives up on a break."""
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
              ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
              ast.MatMult: ast.Add}  # fmt: skip
COMPARISON = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
              ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}  # fmt: skip
OPPOSITE = [
    ("min", "max"), ("amin", "amax"), ("argmin", "argmax"), ("minimum", "maximum"),
    ("sin", "cos"), ("floor", "ceil"), ("any", "all"), ("sum", "mean"), ("log", "exp"),
    ("zeros", "ones"),
]  # fmt: skip
OVER_AXES = {
    "sum", "mean", "prod", "std", "var", "amin", "amax", "min", "max", "argmin", "argmax", "any",
    "all", "sort", "argsort", "cumsum", "cumprod", "softmax", "log_softmax", "logsumexp", "norm",
    "cat", "stack", "concatenate", "flatten", "unflatten", "squeeze", "unsqueeze", "transpose",
    "movedim", "flip", "gather", "take_along_dim", "repeat_interleave", "diff", "median", "size",
}  # fmt: skip
"""Calls whose integers name axes."""
CALLS = dict(OPPOSITE) | {b: a for a, b in OPPOSITE}
LEFT_OUT = {"conj"}


@dataclass(frozen=True)
class Covered:
    """A function of a paper's package, and the tests that should notice its breaks."""

    function: Any
    tests: tuple[Callable[[], Any], ...]

    def __init__(self, function: Any, *tests: Callable[[], Any]) -> None:
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "tests", tests)

    def __str__(self) -> str:
        f = plain(self.function)
        return f"{f.__module__.rpartition('.')[2]}.{f.__qualname__}"


class Constant(NamedTuple):
    """A number that a module names, a factor that breaks it, and the test that should notice."""

    module: ModuleType
    name: str
    factor: float
    test: Callable[[], Any]

    def __str__(self) -> str:
        return f"{self.module.__name__.rpartition('.')[2]}.{self.name} times {self.factor:g}"


def row_by_row(test: Callable[..., Any]) -> Callable[[], Any] | None:
    """A test that needs no fixture, with all rows of its table one after another; None else."""
    marks = [m for m in getattr(test, "pytestmark", []) if m.name == "parametrize"]
    needed = list(inspect.signature(test).parameters)
    if not marks:
        return None if needed else test
    names, rows = marks[0].args
    several = not isinstance(names, str)
    if len(marks) > 1 or set(needed) != set(names if several else [names]):
        return None

    def every_row() -> None:
        for row in rows:
            test(**dict(zip(names, row, strict=True) if several else [(names, row)]))

    every_row.__qualname__ = test.__qualname__
    return every_row


def assert_noticed(covered: Covered) -> None:
    """Fail with a list of unlisted breaks that no test notices, or if a test fails without one."""
    listed = list_of(covered)
    names = {name for name, _ in breaks(covered.function)} - set(listed)
    found = survivors(covered, sorted(names, key=_order)[:SAMPLE])
    assert not found, f"{covered}: no test notices\n" + "\n".join(found)


def assert_constant_noticed(constant: Constant) -> None:
    """Fail if the test passes with another value of a module's constant, or fails with its own."""
    module, name, factor, test = constant
    test()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, factor * getattr(module, name))
        assert notices(test, True), f"no test notices {name} times {factor}"


def list_of(covered: Covered) -> dict[str, str]:
    """The breaks of a function that are known to survive, each with the reason, if one is given."""
    found = json.loads(_listed(covered).read_text("utf-8")).get(str(covered), {})
    return found if isinstance(found, dict) else dict.fromkeys(found, "")


def _listed(covered: Covered) -> Path:
    """The list of survivors of a part, or of the verdicts."""
    _, room, part, *_ = plain(covered.function).__module__.split(".")
    here = Path(__file__).parent
    return here / "papers" / part / LIST if room == "papers" else here / f"{room}_{LIST}"


def survivors(covered: Covered, names: Collection[str], patience: float | None = None) -> list[str]:
    """Which of these breaks no test notices, or not within some seconds of computing."""
    before = {test: unbroken(test) for test in covered.tests}
    assert False not in before.values(), f"{covered}: a test fails without any break"
    found = []
    for name, broken in breaks(covered.function):
        if name not in names:
            continue
        with computing_with(broken, covered.function), _stopped_after(patience) as stopped:
            noticed = any(notices(test, outcome) for test, outcome in before.items())
        if stopped or not noticed:
            found.append(name)
    return found


@contextmanager
def _stopped_after(seconds: float | None) -> Iterator[list[bool]]:
    """Raise an error in what computes for longer; then the list is no longer empty."""
    stopped: list[bool] = []

    def stop(*_: object) -> None:
        stopped.append(True)
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds or 0)
    try:
        yield stopped
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def breaks(function: Any) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every break of a function: its name, such as ``a + b → a - b``, and the broken function."""
    whole, seen = tree(plain(function)), Counter[str]()
    places = [*whole.body, *whole.args.defaults, *filter(None, whole.args.kw_defaults)]
    skipped = {id(n) for place in places for n in _silent(place)}
    nodes = [n for place in places for n in ast.walk(place) if id(n) not in skipped]
    for node in nodes:
        for change in _changes(node):
            before = ast.unparse(node)
            kind, kept = type(node), copy.copy(node.__dict__)
            change(node)
            name = f"{before} → {ast.unparse(node)}"
            broken = copy.deepcopy(whole)
            node.__class__ = kind
            node.__dict__.clear()
            node.__dict__.update(kept)
            seen[name] += 1
            yield name + (f" ({seen[name]})" if seen[name] > 1 else ""), broken


def _silent(place: ast.AST) -> Iterator[ast.AST]:
    """What computes nothing: annotations, words, and numbers that name an axis."""
    for node in ast.walk(place):
        parts = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.JoinedStr):
            parts.append(node)
        if isinstance(node, ast.keyword) and node.arg in ("dim", "axis", "keepdim", "keepdims"):
            parts.append(node.value)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(".shape"):
            parts.append(node.slice)
        if isinstance(node, ast.Call) and _called(node.func) in OVER_AXES:
            parts += [a for a in node.args if ast.unparse(a).lstrip("-").isdigit()]
        for part in parts:
            if isinstance(part, ast.AST):
                yield from ast.walk(part)


def _changes(node: ast.AST) -> Iterator[Callable[[Any], None]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda n: setattr(n, "value", not n.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex):
        yield lambda n: setattr(n, "value", _other(n.value))
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        if not _is_text(node):
            yield lambda n: setattr(n, "op", ARITHMETIC[type(n.op)]())
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISON:
        yield lambda n: setattr(n, "ops", [COMPARISON[type(n.ops[0])](), *n.ops[1:]])
    elif isinstance(node, ast.BoolOp):
        yield lambda n: setattr(n, "op", ast.Or() if isinstance(n.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield lambda n: setattr(n, "op", ast.UAdd())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield lambda n: setattr(n, "operand", ast.UnaryOp(ast.Not(), n.operand))
    elif isinstance(node, ast.Call) and _called(node.func) in CALLS:
        yield _swap
    elif isinstance(node, ast.Call) and _called(node.func) in LEFT_OUT and not node.keywords:
        yield _leave_out
    elif isinstance(node, ast.IfExp):
        yield lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test))


def _swap(node: Any) -> None:
    name = CALLS[_called(node.func)]
    at = ast.Name(name, ast.Load())
    if isinstance(node.func, ast.Attribute):
        at = ast.Attribute(node.func.value, name, ast.Load())  # type: ignore[assignment]
    node.func = at


def _leave_out(node: Any) -> None:
    argument = node.args[0] if node.args else node.func.value
    node.__class__ = ast.UnaryOp
    node.op, node.operand = ast.UAdd(), argument


def _called(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _is_text(node: ast.BinOp | ast.AugAssign) -> bool:
    return any(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(node))


def _other(number: Any) -> Any:
    if isinstance(number, int):
        return number + 1
    return number * 1.1 if number else 0.1


def _order(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def write(part: str) -> None:
    """List the breaks of a part's functions, or of the verdicts, that no test notices; minutes."""
    home = "test_verdicts_mutations" if part == "verdicts" else f"papers.{part}.test_breaks"
    covered = import_module(home).COVERED
    every = {str(c): [name for name, _ in breaks(c.function)] for c in covered}
    found = {str(c): survivors(c, every[str(c)], PATIENCE) for c in covered}
    listed = {}
    for c in covered:
        if of := found[str(c)]:
            known = {name: list_of(c).get(name, "") for name in sorted(of)}
            listed[str(c)] = known if any(known.values()) else list(known)
    text = json.dumps(listed, indent=1, ensure_ascii=False, sort_keys=True)
    _listed(covered[0]).write_text(text + "\n", encoding="utf-8")
    print(f"{part}: {sum(map(len, found.values()))} of {sum(map(len, every.values()))} unnoticed")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(name)
