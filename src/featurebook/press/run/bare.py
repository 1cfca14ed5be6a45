"""Python source without what computes nothing: comments, words, display and messages."""

import ast
import io
import tokenize
from collections.abc import Iterable, Sequence
from functools import lru_cache

PACKAGE = "featurebook"
PRESS = f"{PACKAGE}.press"


@lru_cache(maxsize=8192)
def calls_in(source: str) -> tuple[tuple[str, ast.Call], ...]:
    nodes = (node for node in ast.walk(tree(source)) if isinstance(node, ast.Call))
    return tuple((ast.unparse(call.func), call) for call in nodes)


def called(source: str) -> frozenset[str]:
    """The names of the functions that a source calls."""
    return frozenset(name for name, _ in calls_in(source))


@lru_cache(maxsize=8192)
def bare(source: str) -> str:
    """Python source without what computes nothing.

    Comments, docstrings, blank lines and imports of the press are removed; the rest is unchanged,
    so that the result is the same in every version of Python.
    """
    tree, lines = parsed(source), source.splitlines()
    if tree is None:
        return source
    for row, column in _comments(source):
        lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and _computes_nothing(node):
            for row in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[row - 1] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _comments(source: str) -> Iterable[tuple[int, int]]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.start for token in tokens if token.type == tokenize.COMMENT]


def _computes_nothing(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").startswith(PRESS)
    return isinstance(node, ast.Import) and all(a.name.startswith(PRESS) for a in node.names)


@lru_cache(maxsize=64)
def wordless(source: str) -> str:
    """Python source without what only makes sentences."""
    nodes = ast.walk(tree(source))
    return _without(source, [n for n in nodes if isinstance(n, ast.stmt | ast.expr) and _says(n)])


@lru_cache(maxsize=8192)
def untitled(source: str) -> str:
    """Python source without the words that calls pass as ``what``, unless they call something."""
    given = [
        n.value for n in ast.walk(tree(source)) if isinstance(n, ast.keyword) and n.arg == "what"
    ]
    words = [w for w in given if isinstance(w, ast.Constant | ast.JoinedStr)]
    return _without(source, [w for w in words if not called(ast.unparse(w))])


def _without(source: str, nodes: Sequence[ast.stmt | ast.expr]) -> str:
    """Python source without these nodes; an ellipsis replaces an expression."""
    lines = source.encode().splitlines()
    before = (len(lines) + 1, 0)
    for node in sorted(nodes, key=lambda n: (n.end_lineno, n.end_col_offset), reverse=True):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if (last, node.end_col_offset) < before:  # not inside of one that is gone already
            rest = lines[last][node.end_col_offset :]
            stands = b"..." if isinstance(node, ast.expr) else b""
            lines[first : last + 1] = [lines[first][: node.col_offset] + stands + rest]
            before = (first, node.col_offset)
    return b"\n".join(lines).decode()


def _says(node: ast.stmt | ast.expr) -> bool:
    """Whether it is a function that returns ``str``, a call of ``said`` or an import of words."""
    if isinstance(node, ast.FunctionDef):
        return isinstance(node.returns, ast.Name) and node.returns.id == "str"
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "said"
    return isinstance(node, ast.ImportFrom) and node.module == f"{PACKAGE}.verdicts.words"


def tree(source: str) -> ast.Module:
    return parsed(source) or ast.Module([], [])


@lru_cache(maxsize=8192)
def parsed(source: str) -> ast.Module | None:
    """Its syntax tree; None if it is not valid Python, which running the notebook will report."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return None
