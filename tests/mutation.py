"""Swap the code of a function for another's, and see whether a check notices.

The function is changed in place, so that everything that imported it computes with the other code.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from featurebook.verdicts import Verdict


@contextmanager
def computing_with(other: ast.FunctionDef, function: Any) -> Iterator[None]:
    """The function (a property, a static or cached method as well) computes as ``other`` says."""
    inside = plain(function)
    kept = inside.__code__, inside.__defaults__, inside.__kwdefaults__
    inside.__code__ = _code(other, inside)
    inside.__defaults__, inside.__kwdefaults__ = _defaults(other, inside)
    _forget(function)
    try:
        yield
    finally:
        inside.__code__, inside.__defaults__, inside.__kwdefaults__ = kept
        _forget(function)


def plain(function: Any) -> FunctionType:
    """The Python function inside a property, a static, class or cached method, a decorator."""
    if isinstance(function, property):
        function = function.fget
    function = getattr(function, "func", function)  # cached_property, partial
    function = inspect.unwrap(getattr(function, "__func__", function))
    if not isinstance(function, FunctionType):
        raise TypeError(f"{function!r} is no Python function")
    return function


def tree(function: FunctionType) -> ast.FunctionDef:
    """The source of a function without its decorators, for `computing_with` to run changed."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise TypeError(f"{function.__qualname__} is no def: give the function that contains it")
    node.decorator_list = []
    return node


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
def unbroken(check: Callable[[], Any]) -> Any:
    """What a check says of the formulas as they are; once, however many it is to notice."""
    return _run(check)


def _run(check: Callable[[], Any]) -> Any:
    found = check()
    return found.outcome if isinstance(found, Verdict) else found is None or bool(found)


def notices(check: Callable[[], Any], before: Any) -> bool:
    """Whether a check fails, or gives another verdict than ``before``."""
    try:
        return _run(check) != before
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return True
