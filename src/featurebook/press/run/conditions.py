"""Conditions between parameters: a chapter's cell of ``require(...)`` lines.

They are read from the notebook and checked before a kernel starts; when the notebook runs, the
same lines check the values that papermill or a reader has set.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any

from featurebook.press.book.files import read_source
from featurebook.press.book.places import BookError, chapters, find_root
from featurebook.press.run.parameters_cell import check as check_value
from featurebook.press.run.parameters_cell import parse

TAG = "conditions"
FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (abs, all, any, int, len, max, min, range, round, set, sorted, sum)
}
VALUES = (ast.expr_context, ast.Constant, ast.Name, ast.List, ast.Tuple, ast.Set, ast.Subscript)
SIGNS = (ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator, ast.Compare, ast.cmpop)
LOGIC = (ast.BoolOp, ast.boolop, ast.IfExp, ast.Call, ast.GeneratorExp, ast.comprehension)
UNDERSTOOD = (*VALUES, *SIGNS, *LOGIC)
"""What a condition may contain: it can only compute."""


@dataclass(frozen=True)
class Condition:
    """What must be true of the parameters, as an expression and in words."""

    expression: ast.expr
    words: str

    @property
    def names(self) -> list[str]:
        """The names in the expression, in order."""
        found = (n.id for n in ast.walk(self.expression) if isinstance(n, ast.Name))
        return list(dict.fromkeys(found))


def require(condition: bool, words: str) -> None:
    """Refuse parameters that do not fit together, in a notebook's cell tagged "conditions".

    Args:
        condition: an expression in the parameters, numbers, comparisons, and `FUNCTIONS`.
        words: what must be true, and why.

    Raises:
        BookError: with ``words``, if the condition is false.
    """
    if not condition:
        raise BookError(words)


def read(notebook: Path) -> list[Condition]:
    """The conditions of a notebook, in order.

    Raises:
        BookError: for a line that is neither an import nor ``require(CONDITION, WORDS)``.
    """
    cells = read_source(notebook).cells
    sources = [c.source for c in cells if TAG in c.metadata.get("tags", [])]
    found = []
    for node in ast.parse("\n".join(sources)).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if (condition := _condition(node)) is None:
            raise BookError(
                f"{notebook.name}: {ast.unparse(node)}: a conditions cell holds lines like "
                "require(P <= d, 'P <= d: patches have different features')"
            )
        found.append(condition)
    return found


def _condition(node: ast.stmt) -> Condition | None:
    match node:
        case ast.Expr(
            ast.Call(
                func=ast.Name("require") | ast.Attribute(attr="require"),
                args=[expression, ast.Constant(str(words))],
            )
        ):
            return Condition(expression, words)
    return None


def check(notebook: Path, values: Mapping[str, Any]) -> None:
    """Check a notebook's conditions for its parameters' values.

    Raises:
        BookError: with one line per violated condition: its values and its words.
    """
    broken = []
    for condition in read(notebook):
        if not _value(condition.expression, values):
            named = [name for name in condition.names if name in values]
            about = ", ".join(f"{name} = {values[name]!r}" for name in named)
            broken.append(f"{about}: must have {condition.words}")
    if broken:
        raise BookError("\n".join(broken))


def _value(expression: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of an expression, which may contain only what `require` allows."""
    for node in ast.walk(expression):
        called = node.func if isinstance(node, ast.Call) else None
        odd = called is not None and not (isinstance(called, ast.Name) and called.id in FUNCTIONS)
        if odd or not isinstance(node, UNDERSTOOD):
            raise _not_understood(node)
    code = compile(ast.Expression(expression), "<a condition>", "eval")
    try:
        return eval(code, {"__builtins__": FUNCTIONS, **names})
    except NameError:
        raise _not_understood(expression) from None
    except (ArithmeticError, TypeError, ValueError) as error:
        raise BookError(f"{ast.unparse(expression)}: {error}") from None


def _not_understood(node: ast.AST) -> BookError:
    return BookError(
        f"{ast.unparse(node)}: a condition may hold parameters, numbers, comparisons, "
        f"and {', '.join(FUNCTIONS)}"
    )


def refuse_misspelt(cells: Sequence[str]) -> None:
    """Refuse injected values with unknown names, or out of range.

    A file of values, such as a scale's, serves every chapter of its part.

    Args:
        cells: the code that a notebook has run so far.

    Raises:
        BookError: naming them, each with the nearest parameter or what is allowed.
    """
    for parameters, injected in pairwise(cells):
        if injected.startswith("# Parameters\n"):  # papermill's first line
            known = _assigned(parameters)
            other = [n for n in _assigned(injected) if n not in known]
            for name in [n for n in other if n not in _names_of_part(known)]:
                near = get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise BookError(f"unknown parameter {name!r}{hint} Known: {', '.join(known)}")
            declared = parse(parameters, "the notebook")
            for name, value in _literals(injected):
                if name in declared:
                    check_value(declared[name], value)


def _literals(source: str) -> Iterator[tuple[str, Any]]:
    """The names to which a source assigns literal values, and these values."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            with suppress(ValueError):  # such as float("nan")
                yield node.targets[0].id, ast.literal_eval(node.value)


def _names_of_part(own: Sequence[str]) -> set[str]:
    """The parameters of the part that has a chapter with exactly these; empty without one."""
    from featurebook.press.run import parameters  # which imports this module

    try:
        siblings = [c for c in chapters(find_root()) if list(parameters.read(c.notebook)) == own]
        return {name for c in siblings for name in parameters.of_part(c.part)}
    except BookError:
        return set()


def _assigned(source: str) -> list[str]:
    nodes = ast.parse(source).body
    targets = [
        n.target if isinstance(n, ast.AnnAssign) else n.targets[0]
        for n in nodes
        if isinstance(n, ast.AnnAssign | ast.Assign)
    ]
    return [t.id for t in targets if isinstance(t, ast.Name)]
