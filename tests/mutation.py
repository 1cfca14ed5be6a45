"""Break a formula on purpose and see whether a check notices.

A table of mutations, one per row, is a test of the tests: ``Mutation(function, constant, factor,
check)`` multiplies one literal of the function's source, runs the check, and puts the function
back. The function is changed in place, so that everything that imported it computes with the
broken one. A check notices if it raises anything, returns false, or returns a `Verdict` with
another outcome than before.

    MUTATIONS = [
        Mutation(theory.tail, 8, 7 / 8, check=test_theory.test_tail_against_scipy),
        Mutation(theory.radius, "2 * d", "sqrt(d)", check=test_theory.test_radius),
        Mutation(module=theory, name="LEMMA_35", becomes=1.1, check=test_theory.test_lemma_35),
    ]

    @pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
    def test_no_mutation_survives(mutation):
        assert_noticed(mutation)
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from featurebook.verdicts import Verdict


@dataclass(frozen=True)
class Mutation:
    """One constant of one formula, and how it is broken.

    Attributes:
        function: whose source is changed (a property, a static or cached method as well), or for
            a module's constant its value; that is then named by ``module`` and ``name``.
        constant: a number that stands in the source, as often as ``occurrence`` says; or a piece
            of source text.
        becomes: the factor that multiplies the number, or the text that replaces the text.
        check: what should notice.
        occurrence: which of several equal numbers or texts, from 0.
        module, name: where a module's constant is.
    """

    function: Any = None
    constant: float | str = 1.0
    becomes: float | str = 1.1
    check: Callable[[], Any] = lambda: True
    occurrence: int = 0
    module: ModuleType | None = None
    name: str = ""

    def __str__(self) -> str:
        if self.module is not None:
            return f"{self.module.__name__.rpartition('.')[2]}.{self.name} times {self.becomes:g}"
        f = _plain(self.function)
        where = f"{f.__module__.rpartition('.')[2]}.{f.__qualname__}"
        number = f" ({self.occurrence + 1})" if self.occurrence else ""
        verb = "times" if not isinstance(self.becomes, str) else "to"
        return f"{where}: {self.constant}{number} {verb} {self.becomes}"


def assert_noticed(mutation: Mutation) -> None:
    """Fail, with the broken line, if the check does not notice; or if it fails unbroken."""
    before = _unbroken(mutation.check)
    assert before is not False, f"{mutation}: the check fails without any mutation"
    with broken(mutation) as line:
        noticed = _notices(mutation.check, before)
    assert noticed, (
        f"SURVIVED: {mutation}\n  now reads: {line}\n  and {_name(mutation.check)} passes"
    )


def survivors(
    function: Any, check: Callable[[], Any], *, factor: float = 1.1, skip: tuple[float, ...] = ()
) -> list[str]:
    """Which numbers of a function can be broken one at a time without the check noticing.

    Args:
        factor: multiplies each number; 0 becomes ``factor`` - 1.
        skip: numbers that mean nothing here, such as those that only name an axis.
    """
    before, seen, found = _run(check), {}, []
    for constant in _numbers(_tree(_plain(function))):
        occurrence = seen[constant.value] = seen.get(constant.value, -1) + 1
        if constant.value in skip:
            continue
        mutation = Mutation(function, constant.value, factor, check, occurrence)
        with broken(mutation) as line:
            if not _notices(check, before):
                found.append(f"{mutation}: {line}")
    return found


def numbers(function: Any) -> list[Any]:
    """The values of the numbers in a function, which `survivors` breaks one at a time."""
    return [constant.value for constant in _numbers(_tree(_plain(function)))]


@contextmanager
def broken(mutation: Mutation) -> Iterator[str]:
    """The function computes with the broken constant; gives the line that was changed."""
    if mutation.module is not None:
        before = getattr(mutation.module, mutation.name)
        assert not isinstance(mutation.becomes, str), "a module's constant takes a factor"
        setattr(mutation.module, mutation.name, before * mutation.becomes)
        try:
            yield f"{mutation.name} = {before * mutation.becomes}"
        finally:
            setattr(mutation.module, mutation.name, before)
        return
    function = _plain(mutation.function)
    tree, line = _mutated(function, mutation)
    kept = function.__code__, function.__defaults__, function.__kwdefaults__
    function.__code__ = _code(tree, function)
    function.__defaults__, function.__kwdefaults__ = _defaults(tree, function)
    _forget(mutation.function)
    try:
        yield line
    finally:
        function.__code__, function.__defaults__, function.__kwdefaults__ = kept
        _forget(mutation.function)


def _plain(function: Any) -> FunctionType:
    """The Python function inside a property, a static, class or cached method, a decorator."""
    if isinstance(function, property):
        function = function.fget
    function = getattr(function, "func", function)  # cached_property, partial
    function = inspect.unwrap(getattr(function, "__func__", function))
    if not isinstance(function, FunctionType):
        raise TypeError(f"{function!r} is no Python function; for a constant give module and name")
    return function


def _tree(function: FunctionType) -> ast.FunctionDef:
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise TypeError(f"{function.__qualname__} is no def: give the function that contains it")
    node.decorator_list = []
    return node


def _numbers(tree: ast.FunctionDef) -> list[ast.Constant]:
    """The numbers in a function, in the order of its text; defaults too, annotations not."""
    places = [*tree.body, *tree.args.defaults, *filter(None, tree.args.kw_defaults)]
    found = [
        node
        for place in places
        for node in ast.walk(place)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float | complex)
        and not isinstance(node.value, bool)
    ]
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))


def _mutated(function: FunctionType, mutation: Mutation) -> tuple[ast.FunctionDef, str]:
    tree, constant = _tree(function), mutation.constant
    if isinstance(constant, str):
        text = ast.unparse(tree)
        pieces = text.split(constant)
        if not 0 <= mutation.occurrence < len(pieces) - 1:
            raise ValueError(f"{mutation}: no such text; the function reads\n{text}")
        k = mutation.occurrence + 1
        head = constant.join(pieces[:k]) + str(mutation.becomes)
        text = head + constant.join(pieces[k:])
        changed = ast.parse(text).body[0]
        assert isinstance(changed, ast.FunctionDef)
        return changed, text.splitlines()[head.count("\n")].strip()
    equal = [n for n in _numbers(tree) if n.value == constant]
    if not 0 <= mutation.occurrence < len(equal):
        has = ", ".join(str(n.value) for n in _numbers(tree))
        raise ValueError(f"{mutation}: {len(equal)} such numbers; the function has {has or 'none'}")
    node = equal[mutation.occurrence]
    assert not isinstance(mutation.becomes, str), "a number takes a factor"
    number: Any = node.value
    value = number * mutation.becomes if number else mutation.becomes - 1
    whole = isinstance(number, int) and value == int(value.real)
    node.value = int(value.real) if whole else value
    lines = [s for s in ast.walk(tree) if isinstance(s, ast.stmt) and not hasattr(s, "body")]
    of = [s for s in lines if any(n is node for n in ast.walk(s))]
    return tree, ast.unparse(of[0]) if of else ast.unparse(tree).splitlines()[0]


def _code(tree: ast.FunctionDef, function: FunctionType) -> CodeType:
    """The compiled body, with the same variables of enclosing functions."""
    inside: ast.stmt = tree
    if function.__code__.co_freevars:
        names = [ast.arg(name) for name in function.__code__.co_freevars]
        empty = ast.arguments(
            posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[]
        )
        inside = ast.FunctionDef("outside", empty, [tree], [])
    module = ast.fix_missing_locations(ast.Module([inside], []))
    code = compile(module, function.__code__.co_filename, "exec")
    for name in ["outside", tree.name] if inside is not tree else [tree.name]:
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)
    return code


def _defaults(
    tree: ast.FunctionDef, function: FunctionType
) -> tuple[tuple[Any, ...] | None, dict[str, Any] | None]:
    def value(node: ast.expr) -> Any:
        expression = ast.fix_missing_locations(ast.Expression(node))
        return eval(compile(expression, "<default>", "eval"), function.__globals__)

    positional = tuple(value(n) for n in tree.args.defaults) or None
    pairs = zip(tree.args.kwonlyargs, tree.args.kw_defaults, strict=True)
    return positional, {a.arg: value(n) for a, n in pairs if n is not None} or None


def _forget(function: Any) -> None:
    while function is not None:
        if hasattr(function, "cache_clear"):
            function.cache_clear()
        function = getattr(function, "__wrapped__", None)


@lru_cache(None)
def _unbroken(check: Callable[[], Any]) -> Any:
    """What a check says of the formulas as they are; once, however many it is to notice."""
    return _run(check)


def _run(check: Callable[[], Any]) -> Any:
    found = check()
    return found.outcome if isinstance(found, Verdict) else found is None or bool(found)


def _notices(check: Callable[[], Any], before: Any) -> bool:
    try:
        return _run(check) != before
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return True


def _name(check: Callable[[], Any]) -> str:
    return getattr(check, "__name__", repr(check))
