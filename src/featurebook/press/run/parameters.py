"""Parameters of a chapter: its parameters cell is the single source of names, types and ranges."""

import ast
import io
import math
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from featurebook.press.book import door
from featurebook.press.book.console import listed
from featurebook.press.book.files import read_head
from featurebook.press.book.places import SCALES, BookError, Chapter, Part
from featurebook.press.run import conditions


class _Yaml(door.Yaml):
    """YAML with the numbers and truth values of version 1.2: 1:30, 010 and yes are words."""


_Yaml.yaml_implicit_resolvers = {
    first: [(tag, at) for tag, at in known if tag.rpartition(":")[2] in ("null", "merge")]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_DIGITS = r"(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?"
for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?(0|[1-9][0-9]*)", "-+0123456789"),
    ("float", rf"[-+]?{_DIGITS}|[-+]?\.inf|\.nan", "-+.0123456789"),
):
    _Yaml.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), list(_first)
    )

TYPES: dict[str, type] = {"int": int, "float": float, "str": str, "bool": bool}
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
            return dict(_parse(cell.source, notebook.name))
    raise BookError(f"{notebook.name} has no cell tagged 'parameters'")


@lru_cache(maxsize=512)
def _parse(source: str, name: str) -> dict[str, Parameter]:
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
        _check(parameter, parameter.default)
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


def parse_setting(text: str) -> tuple[str, Any]:
    """``NAME=VALUE`` with the value as YAML (safe): numbers, true/false, text, [a, b].

    Raises:
        BookError: if there is no ``=`` or the value is no YAML.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise BookError(f"-p {text!r}: write NAME=VALUE, such as -p d=31")
    try:
        return name.strip(), door.parse_yaml(value, _Yaml)
    except (yaml.YAMLError, RecursionError, ValueError):
        raise BookError(
            f"-p {text!r}: the value cannot be read; quote text as 'NAME=\"...\"'"
        ) from None


def read_file(path: Path) -> dict[str, Any]:
    """A YAML file of names and values.

    Raises:
        BookError: if it is missing or large, no YAML, holds Python objects, or is no mapping, or
            a name stands twice.
    """
    values = door.read_yaml(path, "nothing was loaded", _Yaml)
    if values is None:
        return {}
    if not isinstance(values, dict) or not all(isinstance(k, str) for k in values):
        raise BookError(f"{path}: must hold names and values, such as 'd: 31'")
    return values


def validate(parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as the notebook will get them.

    Raises:
        BookError: with one line for each unknown name (and the nearest known one), wrong type, or
            value out of range.
    """
    problems, checked = [], {}
    for name, value in values.items():
        if name not in parameters:
            near = get_close_matches(name, parameters, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            problems.append(f"unknown parameter {name!r}{hint} Known: {', '.join(parameters)}")
            continue
        try:
            checked[name] = _check(parameters[name], value)
        except BookError as error:
            problems.append(str(error))
    if problems:
        raise BookError("\n".join(problems))
    return checked


def _check(parameter: Parameter, value: Any) -> Any:
    return _coerce(parameter, parameter.type, value)


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


def at_scale(chapter: Chapter, scale: str) -> dict[str, Any]:
    """The values that a scale's file sets, validated.

    Raises:
        BookError: for an unknown scale, or if its file is missing or wrong.
    """
    if scale not in SCALES:
        raise BookError(f"no scale {scale!r}; there are {', '.join(SCALES)}")
    file = chapter.part.scale(scale)
    if file is None:
        return {}
    try:
        return shared(chapter, read_file(file))
    except BookError as error:
        raise BookError(f"{chapter.part.name}/{file.name}: {error}") from None


def shared(chapter: Chapter, values: Mapping[str, Any]) -> dict[str, Any]:
    """Of values that are meant for a whole part, those of one chapter, validated.

    Raises:
        BookError: as `validate` does; a name is unknown if no chapter of the part has it.
    """
    own = read(chapter.notebook)
    checked = validate(of_part(chapter.part) | own, values)
    return {name: value for name, value in checked.items() if name in own}


def refuse_unused(chosen: Sequence[Chapter], settings: Sequence[str]) -> None:
    """Refuse a ``-p`` that none of the chapters has, though others of their part do.

    Raises:
        BookError: naming it, and who has it.
    """
    for name in _settings(settings):
        if any(name in read(c.notebook) for c in chosen):
            continue
        others = [c.address for c in chosen[0].part.chapters if name in read(c.notebook)]
        if others:
            here = ", ".join(c.address for c in chosen)
            raise BookError(f"{here} has no parameter {name!r}; {', '.join(others)} has it")


def of_part(part: Part) -> dict[str, Parameter]:
    """The parameters of all chapters of a part; a name means the same in each.

    Raises:
        BookError: naming a parameter that two chapters have with another meaning, default or range.
    """
    found: dict[str, tuple[Parameter, Chapter]] = {}
    for chapter in part.chapters:
        for name, parameter in read(chapter.notebook).items():
            first, where = found.setdefault(name, (parameter, chapter))
            if parameter != first:
                raise BookError(
                    f"{name} means one thing in {where.address} and another in {chapter.address}: "
                    "type, default, comment and range must be the same throughout a part"
                )
    return {name: parameter for name, (parameter, _) in found.items()}


def final_values(
    chapter: Chapter,
    scale: str = "quick",
    files: Sequence[Path] = (),
    settings: Sequence[str] = (),
) -> dict[str, Any]:
    """Every parameter's value: defaults, then the scale, then files, then single settings.

    Raises:
        BookError: as `validate`, `read_file`, `at_scale` and `conditions.check` do; all of it
            before anything runs.
    """
    merged: dict[str, Any] = {}
    for _, values in layers(chapter, scale, files, settings):
        merged |= values
    conditions.check(chapter.notebook, merged)
    return merged


def layers(
    chapter: Chapter, scale: str, files: Sequence[Path], settings: Sequence[str]
) -> list[tuple[str, dict[str, Any]]]:
    """Where values come from, in words, and the validated values; a later layer wins.

    A file or setting may name any parameter of the chapter's part.
    """
    given = [(str(file), read_file(file)) for file in files]
    given.append(("-p", _settings(settings)))
    shared(chapter, {k: v for _, values in given for k, v in values.items()})
    return [
        ("the notebook", {name: p.default for name, p in read(chapter.notebook).items()}),
        (f"--scale {scale}", at_scale(chapter, scale)),
        *((where, shared(chapter, values)) for where, values in given),
    ]


def _settings(settings: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in settings:
        name, value = parse_setting(text)
        if name in found:
            raise BookError(f"-p {text!r}: {name} is given twice")
        found[name] = value
    return found


def in_words(
    chapter: Chapter, scale: str, files: Sequence[Path], settings: Sequence[str]
) -> Iterator[str]:
    """Every parameter's value, and where those that are not the notebook's defaults come from."""
    found = layers(chapter, scale, files, settings)
    yield f"{chapter.address}: {listed({k: v for _, values in found for k, v in values.items()})}"
    for where, names in origins(found).items():
        yield f"  from {where}: {', '.join(names)}"


def origins(found: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, list[str]]:
    """Which parameters each of the `layers` decides in the end; the notebook's defaults apart."""
    last = {name: where for where, values in found for name in values}
    wheres = [where for where, _ in found[1:]]
    return {w: names for w in wheres if (names := [n for n in last if last[n] == w])}


def schema(chapter: Chapter) -> dict[str, Any]:
    """The parameters as a JSON Schema (draft 2020-12), with the values of each scale."""
    found = read(chapter.notebook)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": chapter.address,
        "type": "object",
        "properties": {p.name: _property(p) for p in found.values()},
        "additionalProperties": False,
        "scales": {scale: final_values(chapter, scale) for scale in SCALES},
    }


def _property(p: Parameter) -> dict[str, Any]:
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
