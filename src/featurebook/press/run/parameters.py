"""The values of a chapter's parameters: its defaults, a scale, files, individual settings."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from featurebook.press.book import door
from featurebook.press.book.console import listed
from featurebook.press.book.places import SCALES, BookError, Chapter, Part
from featurebook.press.run import conditions
from featurebook.press.run.parameters_cell import Parameter, as_property, check, read


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
            checked[name] = check(parameters[name], value)
        except BookError as error:
            problems.append(str(error))
    if problems:
        raise BookError("\n".join(problems))
    return checked


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
    """The values for one chapter, from values for its whole part, validated.

    Raises:
        BookError: as `validate` does; a name is unknown if no chapter of the part has it.
    """
    own = read(chapter.notebook)
    checked = validate(of_part(chapter.part) | own, values)
    return {name: value for name, value in checked.items() if name in own}


def refuse_unused(chosen: Sequence[Chapter], settings: Sequence[str]) -> None:
    """Refuse a ``-p`` that none of the chapters has, but others in their part do.

    Raises:
        BookError: naming it, and the chapters that have it.
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
        BookError: naming a parameter whose meaning, default or range differs between chapters.
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
    """Every parameter's value: defaults, then the scale, then files, then individual settings.

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
    """The origins of values, in words, with the validated values; a later layer wins.

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
    """Every parameter's value, and the origin of those that are not the notebook's defaults."""
    found = layers(chapter, scale, files, settings)
    yield f"{chapter.address}: {listed({k: v for _, values in found for k, v in values.items()})}"
    for where, names in origins(found).items():
        yield f"  from {where}: {', '.join(names)}"


def origins(found: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, list[str]]:
    """The parameters that each of the `layers` finally decides, except the notebook's defaults."""
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
        "properties": {p.name: as_property(p) for p in found.values()},
        "additionalProperties": False,
        "scales": {scale: final_values(chapter, scale) for scale in SCALES},
    }
