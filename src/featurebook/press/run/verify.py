"""Is an executed notebook reproduced? Its numbers against those of another execution."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import nbformat

from featurebook.press.book.files import outputs, read_notebook
from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import freshness, parameters
from featurebook.press.run.job import Job
from featurebook.press.run.results import Result, of_notebook
from featurebook.verdicts import MIME

NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
VOLATILE = "nbval-ignore-output"
RESIDUAL = re.compile(r"largest_difference$")  # itself a relative difference of two sides


@dataclass(frozen=True)
class Comparison:
    """One number or word of a notebook, before and now.

    Attributes:
        difference: relative to the larger of the two (of rounding errors: absolute); 0 where equal,
            infinite where one is missing or they are no numbers.
    """

    what: str
    before: str
    now: str
    difference: float


def again(notebook: Path, root: Path) -> tuple[Job, Result]:
    """The execution that repeats an executed notebook, and what the notebook says of itself.

    Raises:
        BookError: if it was not made by ``featurebook run``, or the book no longer has its chapter
            or parameters.
    """
    before = of_notebook(notebook)
    chapter = find_chapter(root, before["chapter"])
    known = parameters.read(chapter.notebook)
    values = parameters.validate(known, before["parameters"])
    if lacking := [name for name in known if name not in values]:
        raise BookError(f"{notebook}: ran before the chapter had {', '.join(lacking)}")
    target = root / "_build" / "verify" / f"{notebook.stem}.ipynb"
    return Job(chapter, values, before["scale"], target), before


def changed_since(before: Result, job: Job) -> list[str]:
    """What the notebook was computed from that is no longer the same, in words."""
    now = freshness.key(job.chapter, job.values)
    return [part for part in now if before["key"].get(part) != now[part]]


def compare(before: Path, now: Path) -> list[Comparison]:
    """Every outcome, every number of every verdict, and all that the cells print."""
    a, b = found(before), found(now)
    return [
        Comparison(name, a.get(name, "missing"), b.get(name, "missing"), _difference(name, a, b))
        for name in {**a, **b}
    ]


def found(notebook: Path) -> dict[str, str]:
    """The outcomes and numbers in a notebook's outputs, by name, written out in full."""
    texts: dict[str, str] = {}
    for verdict in outputs(read_notebook(notebook), MIME):
        claim = verdict["claim"]
        texts[f"{claim} outcome"] = verdict["outcome"]
        texts[f"{claim} samples"] = repr(verdict["samples"])
        texts |= {f"{claim} {name}": repr(v) for name, v in verdict["numbers"].items()}
        for cell in verdict["cells"]:
            texts[f"{claim} {cell['label']}"] = repr(cell["ours"])
    for index, cell in enumerate(nbformat.read(notebook, as_version=4).cells):
        if cell.cell_type == "code" and VOLATILE not in cell.metadata.get("tags", []):
            printed = [t for o in cell.outputs if (t := _plain(o))]
            texts |= {f"cell {index + 1}, output {k + 1}": t for k, t in enumerate(printed)}
    return texts


def _plain(output: Mapping[str, object]) -> str:
    """What an output shows as text; a verdict's sentence apart, its numbers are there in full."""
    data = output.get("data", {})
    if not isinstance(data, Mapping):
        return ""
    text = output.get("text", data.get("text/plain", ""))
    return "" if MIME in data else re.sub(r"0x[0-9a-f]+", "ADDRESS", str(text))


def _difference(name: str, a: Mapping[str, str], b: Mapping[str, str]) -> float:
    if name not in a or name not in b:
        return math.inf
    if a[name] == b[name]:
        return 0.0
    before, now = NUMBER.findall(a[name]), NUMBER.findall(b[name])
    if (
        len(before) != len(now)
        or NUMBER.sub("", a[name]).split() != NUMBER.sub("", b[name]).split()
    ):
        return math.inf
    distance = _absolute if RESIDUAL.search(name) else _relative
    return max(
        distance(float(x.replace(",", "")), float(y.replace(",", "")))
        for x, y in zip(before, now, strict=True)
    )


def _absolute(x: float, y: float) -> float:
    return abs(x - y)


def _relative(x: float, y: float) -> float:
    return 0.0 if x == y else abs(x - y) / max(abs(x), abs(y))
