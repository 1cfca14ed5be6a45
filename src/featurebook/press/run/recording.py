"""Which recorded runs a book lacks, what each costs, and in which order a budget is best spent."""

import math
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from featurebook.press.book.places import BookError, Chapter
from featurebook.press.run import freshness, parameters, records

UNITS = {"s": 1, "min": 60, "h": 3600}


@dataclass(frozen=True)
class Planned:
    """A run that is lacking.

    Attributes:
        seconds: what the same run took when it was last recorded; None if it never was.
        quick: seconds of the chapter at the quick scale; infinite if it was never executed.
    """

    chapter: Chapter
    seconds: float | None
    quick: float

    @property
    def order(self) -> tuple[bool, float, str]:
        """Runs of known cost first, then the cheapest."""
        cost = self.quick if self.seconds is None else self.seconds
        return self.seconds is None, cost, self.chapter.address

    @property
    def words(self) -> str:
        """The cost, as a person says it."""
        if self.seconds is not None:
            return f"{self.seconds:,.0f} s when last recorded"
        return "never recorded" + (
            f"; quick takes {self.quick:.0f} s" if self.quick < math.inf else ""
        )


def seconds_of(budget: str) -> float:
    """A span of time such as ``90s``, ``8min`` or ``2h``, in seconds.

    Raises:
        BookError: if it is none.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(s|min|h)", budget.strip())
    if not match or not float(match[1]):
        raise BookError(f"--budget {budget!r} is no span of time: such as 90s, 8min or 2h")
    return float(match[1]) * UNITS[match[2]]


def plan(chapters: Sequence[Chapter], scale: str, settings: Sequence[str] = ()) -> list[Planned]:
    """The runs of a scale that are not recorded by the present code, the cheapest first.

    Args:
        settings: ``NAME=VALUE``, for the chapters whose part has the parameter.
    """
    lacking = []
    for chapter in chapters:
        values = parameters.final_values(chapter, scale, (), _of(chapter, settings))
        if values == parameters.final_values(chapter):
            continue  # nothing that the page does not compute itself
        there = [r for r in records.read(chapter) if r["scale"] == scale]
        same = [r for r in there if r["parameters"] == values]
        if same and not records.outdated(same[0], chapter):
            continue
        quick = freshness.seconds_of(chapter.executed) if chapter.executed.is_file() else None
        seconds = float(same[0]["seconds"]) if same else None
        lacking.append(Planned(chapter, seconds, math.inf if quick is None else quick))
    return sorted(lacking, key=lambda planned: planned.order)


def _of(chapter: Chapter, settings: Sequence[str]) -> list[str]:
    known = parameters.of_part(chapter.part)
    return [text for text in settings if text.partition("=")[0] in known]


def run(
    planned: Sequence[Planned], scale: str, budget: float, settings: Sequence[str] = ()
) -> Iterator[tuple[Planned, str]]:
    """Record one run after the other until the budget is spent; one that it ends goes on next time.

    Yields:
        Each run and how it ended.

    Raises:
        BookError: before any run, if each is known to take longer than the budget.
    """
    if planned and all(p.seconds is not None and p.seconds > budget for p in planned):
        least = min(p.seconds for p in planned if p.seconds is not None)
        raise BookError(f"the budget of {budget:,.0f} s is too short; a run took {least:,.0f} s")
    end = time.monotonic() + budget
    for p in planned:
        left = end - time.monotonic()
        if left <= 0 or (p.seconds is not None and p.seconds > left):
            yield p, "left for another time"
            continue
        command = [sys.executable, "-m", "featurebook", "record", p.chapter.address]
        try:
            given = [x for text in _of(p.chapter, settings) for x in ("-p", text)]
            done = subprocess.run([*command, "--scale", scale, *given], timeout=left, check=False)
        except subprocess.TimeoutExpired:
            yield p, "the budget ended; what was finished is kept, and it goes on from there"
        else:
            yield p, "failed" if done.returncode else "recorded"
