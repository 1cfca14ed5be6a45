"""Parameter grids: the runs of a sweep."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from featurebook.press.book.console import listed
from featurebook.press.book.places import BookError, Chapter, Part
from featurebook.press.run import conditions, parameters

MOST = 100_000
"""Maximum number of values in FIRST..LAST, and of runs in a sweep."""
SPAN = re.compile(r"^(-?\d+)\.\.(-?\d+)$")
Axes = dict[str, list[Any]]


def read_axes(part: Part, settings: Sequence[str]) -> Axes:
    """The values of each ``NAME=VALUES``: ``d=24,48``, ``seed=0..9`` (ends included), ``x=1``.

    A value of a list parameter is a list: ``sizes=[20,40],[80]`` are two values.

    Raises:
        BookError: as `parameters.validate` does, and for a parameter given twice or without values.
    """
    known = parameters.of_part(part)
    axes: Axes = {}
    for text in settings:
        name, values = _read_axis(text)
        if name in axes:
            raise BookError(f"-p {text!r}: {name} is given twice; write {name}=A,B")
        axes[name] = [parameters.validate(known, {name: v})[name] for v in values]
    return axes


def _read_axis(text: str) -> tuple[str, list[Any]]:
    name, _, listed = text.partition("=")
    name, given = parameters.parse_setting(f"{name}=[{listed}]" if "=" in text else text)
    values: list[Any] = []
    for item in given:
        span = SPAN.match(item) if isinstance(item, str) else None
        first, last = (int(span[1]), int(span[2])) if span else (0, 0)
        if last - first >= MOST:
            raise BookError(f"-p {text!r}: more than {MOST:,} values of one parameter")
        values += range(first, last + 1) if span else [item]
    if not values:
        raise BookError(f"-p {text!r}: no values; write NAME=A,B or NAME=FIRST..LAST")
    return name, values


def every_combination(axes: Axes) -> list[dict[str, Any]]:
    """The product of all axes, the last one running fastest.

    Raises:
        BookError: if it has more than `MOST` points.
    """
    many = math.prod(map(len, axes.values()))
    if many > MOST:
        said = " x ".join(f"{len(values):,}" for values in axes.values())
        raise BookError(f"{said} values are {many:,} runs; a sweep has at most {MOST:,}")
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def side_by_side(axes: Axes) -> list[dict[str, Any]]:
    """The first values of all axes, then the second, ...; a single value is repeated.

    Raises:
        BookError: if axes of several values differ in length.
    """
    lengths = {name: len(values) for name, values in axes.items() if len(values) > 1}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise BookError(f"--zip needs equally many values (or one) for each parameter: {said}")
    rows = max(lengths.values(), default=1)
    return [{n: v[k if len(v) > 1 else 0] for n, v in axes.items()} for k in range(rows)]


def of_chapter(
    chapter: Chapter, scale: str, files: Sequence[Path], points: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """All parameters of a chapter's runs; none if it has none of the parameters that vary.

    Raises:
        BookError: as `parameters.final_values` does, and if a run breaks the chapter's conditions.
    """
    own = parameters.read(chapter.notebook)
    mine = [{k: v for k, v in point.items() if k in own} for point in points]
    if not any(mine):
        return []
    found = runs(parameters.final_values(chapter, scale, files), mine)
    for values in found:
        conditions.check(chapter.notebook, values)
    return found


def runs(base: Mapping[str, Any], points: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """All parameters of every run, each set of values once."""
    every = ({**base, **point} for point in points)
    return list({json.dumps(values, sort_keys=True): values for values in every}.values())


def in_words(values: Sequence[Mapping[str, Any]]) -> str:
    """How many runs, what they vary, and what is the same in all of them."""
    same = {k: v for k, v in values[0].items() if all(v == other[k] for other in values)}
    varied = ", ".join(n for n in values[0] if n not in same) or "nothing"
    return f"{len(values)} runs, varying {varied}" + (f"; {listed(same)}" if same else "")
