"""Which recorded runs are missing, what each costs, and in which order to spend a budget."""

import math
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from featurebook.press.book.places import BookError, Chapter
from featurebook.press.run import experiments, freshness, parameters, records, seeded
from featurebook.press.run.results import Result

UNITS = {"s": 1, "min": 60, "h": 3600}


@dataclass(frozen=True)
class Planned:
    """A missing run.

    Attributes:
        seconds: its cost according to an earlier run; None if there was none.
        quick: seconds of the chapter at the quick scale; infinite if it was never executed.
        factor: how many times as long recorded runs took as the quick ones, in the median.
        seeds: how many further seeds are missing, if the first is recorded.
    """

    chapter: Chapter
    seconds: float | None
    quick: float
    factor: float = math.nan
    seeds: int = 0

    @property
    def order(self) -> tuple[bool, float, str]:
        """Runs of known cost first, each group by increasing cost."""
        return self.seconds is None, self.cost, self.chapter.address

    @property
    def cost(self) -> float:
        """Measured seconds, else an estimate; infinite if there is none."""
        if self.seconds is not None:
            return self.seconds
        return self.quick if math.isnan(self.factor) else self.quick * self.factor

    @property
    def words(self) -> str:
        """The cost in words."""
        what = f"{self.seeds} further seeds, " if self.seeds else ""
        if self.seconds is not None:
            return f"{what}{self.seconds:,.0f} s, as measured earlier"
        if math.isinf(self.quick):
            return "never recorded, cost unknown"
        said = f"never recorded; quick takes {self.quick:.0f} s"
        if math.isnan(self.factor):
            return said
        return f"{said}, recorded runs {self.factor:.2g} times that: about {self.cost:,.0f} s"


def seconds_of(budget: str) -> float:
    """A span of time such as ``90s``, ``8min`` or ``2h``, in seconds.

    Raises:
        BookError: if it is none.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(s|min|h)", budget.strip())
    if not match or not float(match[1]):
        raise BookError(f"--budget {budget!r} is not a span of time, such as 90s, 8min or 2h")
    return float(match[1]) * UNITS[match[2]]


def plan(
    chapters: Sequence[Chapter],
    scale: str,
    settings: Sequence[str] = (),
    often: Sequence[str] = (),
    many: int = 1,
) -> list[Planned]:
    """The runs of a scale that are not recorded by the present code, the cheapest first.

    Args:
        settings: ``NAME=VALUE``, for the chapters whose part has the parameter.
        often: ids of the claims to judge with ``many`` seeds in all.
    """
    lacking, factor = [], _factor(chapters, scale)
    for chapter in chapters:
        values = parameters.final_values(chapter, scale, (), _of(chapter, settings))
        if values == parameters.final_values(chapter):
            continue  # nothing that the page does not compute itself
        there = [r for r in records.read(chapter) if r["scale"] == scale]
        same = [r for r in there if r["parameters"] == values]
        if same and experiments.is_current(chapter.part, same[0]):
            if seeds := _seeds(chapter, same[0], often, many):
                lacking.append(Planned(chapter, _of_seeds(same[0], seeds), math.inf, seeds=seeds))
            continue
        seconds = float(same[0]["seconds"]) if same else None
        lacking.append(Planned(chapter, seconds, _quick(chapter), factor))
    return sorted(lacking, key=lambda planned: planned.order)


def _quick(chapter: Chapter) -> float:
    seconds = freshness.seconds_of(chapter.executed)
    return math.inf if seconds is None else seconds


def _factor(chapters: Sequence[Chapter], scale: str) -> float:
    """How many times as long a recorded run took as the quick one: the median of the parts'."""
    every = {c for chapter in chapters for c in chapter.part.chapters}
    same = [(r, _quick(c)) for c in every for r in records.read(c) if r["scale"] == scale]
    found = [r["seconds"] / quick for r, quick in same if 0 < quick < math.inf]
    return statistics.median(found) if found else math.nan


def _seeds(chapter: Chapter, record: Result, often: Sequence[str], many: int) -> int:
    """How many further seeds a record lacks."""
    claims = experiments.checks_of(chapter.part)
    if claims is None:
        return 0
    return len(seeded.lacking(chapter, claims, record, often, many))


def _of_seeds(record: Result, seeds: int) -> float:
    """Estimated seconds of further seeds: as recorded ones took, at most as the first seed did."""
    took = [s["seconds"] for s in record.get("seeds", {}).values()]
    return seeds * (statistics.median(took) if took else float(record["seconds"]))


def _of(chapter: Chapter, settings: Sequence[str]) -> list[str]:
    known = parameters.of_part(chapter.part)
    return [text for text in settings if text.partition("=")[0] in known]


def run(
    planned: Sequence[Planned],
    scale: str,
    budget: float,
    settings: Sequence[str] = (),
    many: int = 1,
) -> Iterator[tuple[Planned, str]]:
    """Record one run after the other until the budget is spent; a run cut off continues next time.

    Yields:
        Each run and how it ended, with its actual cost.

    Raises:
        BookError: before any run, if each is known to take longer than the budget.
    """
    if planned and all(p.seconds is not None and p.seconds > budget for p in planned):
        least = min(p.seconds for p in planned if p.seconds is not None)
        raise BookError(
            f"the budget of {budget:,.0f} s is too short; the shortest run took {least:,.0f} s"
        )
    end = time.monotonic() + budget
    for p in planned:
        left = end - time.monotonic()
        if left <= 0 or (p.seconds is not None and p.seconds > left):
            yield p, "left for the next call: it would not fit the budget"
            continue
        command = [sys.executable, "-m", "featurebook", "record", p.chapter.address]
        try:
            begun = time.monotonic()
            given = [x for text in _of(p.chapter, settings) for x in ("-p", text)]
            given += ["--seeds", str(many)] if many > 1 else []
            done = subprocess.run([*command, "--scale", scale, *given], timeout=left, check=False)
        except subprocess.TimeoutExpired:
            yield (
                p,
                "out of time; what was finished is kept, and the next call continues from there",
            )
        else:
            took = f"{time.monotonic() - begun:,.0f} s"
            yield p, f"failed after {took}" if done.returncode else f"recorded in {took}"
