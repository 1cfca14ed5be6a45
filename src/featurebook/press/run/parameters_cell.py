"""The parameters cell of a notebook: the single source of names, types, ranges and meanings."""

import ast
import io
import math
import os
import re
import tokenize
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from featurebook.press.book.files import read_head
from featurebook.press.book.places import BookError

TYPES: dict[str, type] = {"int": int, "float": float, "str": str, "bool": bool}


PLACE = "folder"
"""The parameter that names a folder, relative to the command's folder, not the kernel's."""
RANGE = re.compile(r"^(?P<help>.*?)\s*(?:\[(?P<range>[^\[\]]*)\]|\{(?P<choices>[^{}]*)\})\s*$")


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Attributes:
        type: int, float, str, bool, or list[...] of one of them (or of a list).
        help: what it means, from the comment.
        low, high: closed range of a number (of every number of a list).
        choices: what a string may be; empty if anything.
    """

    name: str
    type: str
    default: Any
    help: str
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The range in words, empty if there is none."""
        if self.choices:
            return ", ".join(self.choices)
        if math.isinf(self.low) and math.isinf(self.high):
            return ""
        if math.isinf(self.high):
            return f"≥ {_number(self.low)}"
        return f"{_number(self.low)} to {_number(self.high)}"


def _number(x: float) -> str:
    short = f"{x:g}"
    return short if float(short) == x else f"{x:,.0f}"


def read(notebook: Path) -> dict[str, Parameter]:
    """The parameters of a notebook, in order.

    Raises:
        BookError: if the notebook has no parameters cell or one of its lines cannot be read.
    """
    try:
        cells = read_head(notebook).cells
    except (OSError, ValueError) as error:
        raise BookError(f"{notebook.name} cannot be read: {error}") from None
    for cell in cells:
        if "parameters" in cell.metadata.get("tags", []):
            return dict(parse(cell.source, notebook.name))
    raise BookError(f"{notebook.name} has no cell tagged 'parameters'")


@lru_cache(maxsize=512)
def parse(source: str, name: str) -> dict[str, Parameter]:
    """The parameters that a cell declares.

    Args:
        name: of the notebook, for messages.

    Raises:
        BookError: if one of its lines cannot be read.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise BookError(f"{name}: parameters cell, line {error.lineno}: {error.msg}") from None
    comments = {
        token.start[0]: token.string.lstrip("# ").rstrip()
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    found: dict[str, Parameter] = {}
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
            raise BookError(
                f"{name}: parameters cell, line {node.lineno}: only typed assignments, "
                "such as 'd: int = 24  # dimension [1, 100]'"
            )
        if node.value is None:
            raise BookError(f"{name}: parameter {node.target.id} has no default")
        lines = (node.value.end_lineno, node.end_lineno)  # they differ where brackets wrap a value
        comment = next((comments[line] for line in lines if line in comments), "")
        try:
            default = ast.literal_eval(node.value)
        except ValueError:
            raise BookError(
                f"{name}: parameter {node.target.id}: the default must be written out, "
                f"not computed ({ast.unparse(node.value)})"
            ) from None
        parameter = _with_range(node.target.id, ast.unparse(node.annotation), default, comment)
        check(parameter, parameter.default)
        found[parameter.name] = parameter
    return found


def _with_range(name: str, kind: str, default: Any, comment: str) -> Parameter:
    match = RANGE.match(comment)
    if match is None:
        return Parameter(name, kind, default, comment)
    if match["choices"] is not None:
        choices = tuple(c.strip() for c in match["choices"].split(","))
        return Parameter(name, kind, default, match["help"], choices=choices)
    ends = match["range"].split(",")
    try:
        low, high = (float(end) for end in ends)
    except ValueError:  # brackets that are no range
        return Parameter(name, kind, default, comment)
    return Parameter(name, kind, default, match["help"], low, high)


def check(parameter: Parameter, value: Any) -> Any:
    """The value as the notebook will get it.

    Raises:
        BookError: for a wrong type, or a value out of range.
    """
    found = _coerce(parameter, parameter.type, value)
    if parameter.name == PLACE and found:
        return os.path.abspath(os.path.expanduser(found))
    return found


def _coerce(p: Parameter, kind: str, value: Any) -> Any:
    """``value`` as ``kind``; a whole number is allowed for a float, and 1e6 for a whole number."""
    wrong = BookError(f"{p.name} = {value!r}: must be {p.type}" + _in_words(p))
    if kind.startswith("list"):
        if not isinstance(value, list | tuple):
            raise wrong
        if not value and p.default != []:
            raise BookError(f"{p.name} = {value!r}: must have at least one value" + _in_words(p))
        inner = kind[5:-1] or "float"
        return [_coerce(p, inner, v) for v in value]
    expected = TYPES.get(kind)
    if expected is None:
        raise BookError(f"{p.name}: type {kind!r} is not one of {', '.join(TYPES)}, list[...]")
    if expected is float:
        try:
            value = float(value) if not isinstance(value, bool) else None
        except (TypeError, ValueError):
            raise wrong from None
    if expected is int and isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
        raise wrong
    if isinstance(value, int | float) and not p.low <= value <= p.high:
        raise BookError(f"{p.name} = {value!r}: out of range{_in_words(p)}")
    if p.choices and str(value) not in p.choices:
        raise BookError(f"{p.name} = {value!r}: not allowed{_in_words(p)}")
    return value


def _in_words(p: Parameter) -> str:
    return f"; allowed: {p.allowed}" if p.allowed else ""


def as_property(p: Parameter) -> dict[str, Any]:
    """A parameter in a JSON Schema."""
    return {**_of_type(p, p.type), "description": p.help, "default": p.default}


def _of_type(p: Parameter, kind: str) -> dict[str, Any]:
    if kind.startswith("list"):
        least = {} if p.default == [] else {"minItems": 1}
        return {"type": "array", "items": _of_type(p, kind[5:-1] or "float"), **least}
    names = {"int": "integer", "float": "number", "str": "string", "bool": "boolean"}
    limits: dict[str, Any] = {"enum": list(p.choices)} if p.choices else {}
    if kind in ("int", "float"):
        ends = (("minimum", p.low), ("maximum", p.high))
        number = int if kind == "int" else float
        limits |= {word: number(end) for word, end in ends if math.isfinite(end)}
    return {"type": names[kind], **limits}
