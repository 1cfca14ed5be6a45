"""How much two pictures in a notebook's outputs differ, as a share of their size."""

import base64
import io
import math
import re
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
IDS = re.compile(r'\bid="[^"]*"|#[a-z][0-9a-f]{10}\b')
"""Ids, and references to what matplotlib names by a hash of its content."""
WORDS = re.compile(r"#[\w.-]+")
"""Colours, and references to glyphs."""
LETTERS = str.maketrans("0123456789", "ghijklmnop")
RASTER = re.compile(r"data:image/png;base64,\s*([A-Za-z0-9+/=\s]+)")
WIDTH = re.compile(r'viewBox="0 0 ([\d.]+)')


def of_svg(before: str, now: str) -> float:
    """The largest shift of a coordinate, relative to the width of the picture.

    Pictures inside it are compared by `of_png`. Infinite if their marks or words differ.
    """
    if before == now:
        return 0.0
    (marks, rasters), (other_marks, other_rasters) = map(_taken_apart, (before, now))
    if NUMBER.sub("", marks) != NUMBER.sub("", other_marks) or len(rasters) != len(other_rasters):
        return math.inf
    numbers, others = (
        np.array([float(x) for x in NUMBER.findall(text)]) for text in (marks, other_marks)
    )
    width = WIDTH.search(before)
    moved = float(np.abs(numbers - others).max(initial=0)) / (float(width[1]) if width else 1.0)
    pairs = zip(rasters, other_rasters, strict=True)
    return max([moved, *(of_png(a, b) for a, b in pairs)])


def of_png(before: str, now: str) -> float:
    """The mean difference of all pixels and colours, from 0 to 1; infinite if the sizes differ.

    Args:
        before, now: PNG files in base64.
    """
    a, b = _pixels(before), _pixels(now)
    return float(np.abs(a - b).mean()) / 255 if a.shape == b.shape else math.inf


OF: Mapping[str, Callable[[str, str], float]] = {"image/svg+xml": of_svg, "image/png": of_png}
"""The comparison of two outputs, by their mime type."""


def _taken_apart(svg: str) -> tuple[str, list[str]]:
    """The marks of an SVG without names and comments, and the pictures inside it."""
    rasters = RASTER.findall(svg)
    drawn = RASTER.sub("", svg.partition("</metadata>")[2] or svg)
    marks = IDS.sub("", re.sub(r"<!--.*?-->", "", drawn, flags=re.S))
    spelt = WORDS.sub(lambda word: word[0].translate(LETTERS), marks)
    return " ".join(spelt.split()), rasters


def _pixels(png: str) -> NDArray[np.float64]:
    with Image.open(io.BytesIO(base64.b64decode(png))) as image:
        return np.asarray(image.convert("RGBA"), dtype=float)
