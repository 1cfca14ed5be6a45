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
``and`` and ``or``, signs, ``not``, truth values, and calls with an opposite, such as ``min``;
not numbers that name an axis.

Breaks that no test notices, since they change no number or show what is not tested, are listed in
``survivors.json`` beside the tests, which ``python tests/mutants.py PART`` writes. `assert_noticed`
tries `SAMPLE` others of each function, the same in each run.
"""

import ast
import copy
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from mutation import _code, _defaults, _forget, _notices, _plain, _tree, _unbroken

SAMPLE = 8
"""Breaks of a function that one run of the tests tries."""
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


@dataclass(frozen=True)
class Covered:
    """A function of a paper's package, and the tests that should notice its breaks."""

    function: Any
    tests: tuple[Callable[[], Any], ...]

    def __init__(self, function: Any, *tests: Callable[[], Any]) -> None:
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "tests", tests)

    def __str__(self) -> str:
        f = _plain(self.function)
        return f"{f.__module__.rpartition('.')[2]}.{f.__qualname__}"


def assert_noticed(covered: Covered) -> None:
    """Fail with a list of unlisted breaks that no test notices, or if a test fails without one."""
    for test in covered.tests:
        assert _unbroken(test) is not False, f"{covered}: {test} fails without any break"
    part = _plain(covered.function).__module__.split(".")[2]
    listed = json.loads(_listed(part).read_text("utf-8")).get(str(covered), [])
    names = {name for name, _ in breaks(covered.function)} - set(listed)
    found = survivors(covered, sorted(names, key=_order)[:SAMPLE])
    assert not found, f"{covered}: no test notices\n" + "\n".join(found)


def _listed(part: str) -> Path:
    return Path(__file__).parent / "papers" / part / "survivors.json"


def survivors(covered: Covered, names: Sequence[str]) -> list[str]:
    """Which of these breaks no test notices."""
    function = _plain(covered.function)
    before = {test: _unbroken(test) for test in covered.tests}
    kept = function.__code__, function.__defaults__, function.__kwdefaults__
    found = []
    for name, tree in breaks(covered.function):
        if name not in names:
            continue
        try:
            function.__code__ = _code(tree, function)
            function.__defaults__, function.__kwdefaults__ = _defaults(tree, function)
            _forget(covered.function)
            if not any(_notices(test, outcome) for test, outcome in before.items()):
                found.append(name)
        finally:
            function.__code__, function.__defaults__, function.__kwdefaults__ = kept
            _forget(covered.function)
    return found


def breaks(function: Any) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every break of a function: its name, such as ``a + b → a - b``, and the broken function."""
    tree, seen = _tree(_plain(function)), Counter[str]()
    places = [*tree.body, *tree.args.defaults, *filter(None, tree.args.kw_defaults)]
    skipped = {id(n) for place in places for n in _silent(place)}
    nodes = [n for place in places for n in ast.walk(place) if id(n) not in skipped]
    for node in nodes:
        for change in _changes(node):
            before = ast.unparse(node)
            kept = copy.copy(node.__dict__)
            change(node)
            name = f"{before} → {ast.unparse(node)}"
            broken = copy.deepcopy(tree)
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
    elif isinstance(node, ast.IfExp):
        yield lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test))


def _swap(node: Any) -> None:
    name = CALLS[_called(node.func)]
    at = ast.Name(name, ast.Load())
    if isinstance(node.func, ast.Attribute):
        at = ast.Attribute(node.func.value, name, ast.Load())  # type: ignore[assignment]
    node.func = at


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
    """List the breaks of a part's functions that no test notices; takes minutes."""
    covered = import_module(f"papers.{part}.test_breaks").COVERED
    every = {str(c): [name for name, _ in breaks(c.function)] for c in covered}
    found = {str(c): survivors(c, every[str(c)]) for c in covered}
    listed = {name: sorted(of) for name, of in found.items() if of}
    text = json.dumps(listed, indent=1, ensure_ascii=False, sort_keys=True)
    _listed(part).write_text(text + "\n", encoding="utf-8")
    print(f"{part}: {sum(map(len, found.values()))} of {sum(map(len, every.values()))} unnoticed")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(name)
