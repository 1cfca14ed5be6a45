"""How long chapters take to execute, and how long until the last one ends."""

import json
from collections.abc import Sequence
from statistics import mean

from featurebook.press.book.places import Chapter
from featurebook.press.run import freshness
from featurebook.press.run.job import Job, State


def expected(job: Job) -> float | None:
    """Seconds that a job took: in its last execution here, else in its record of seeds."""
    here = freshness.seconds_of(job.output)
    return here if here is not None or job.scale != "quick" else _elsewhere(job.chapter)


def of(chapter: Chapter) -> float:
    """Seconds of a chapter at quick: here, else on another machine; infinite if unknown."""
    here = freshness.seconds_of(chapter.executed)
    known = _elsewhere(chapter) if here is None else here
    return float("inf") if known is None else known


def _elsewhere(chapter: Chapter) -> float | None:
    """Seconds on the machine of the seed records: right up to a factor common to all chapters."""
    try:
        known = json.loads(chapter.seeds.read_text(encoding="utf-8")).get("seconds")
    except (OSError, ValueError, AttributeError):  # a guess is no reason to stop
        return None
    return float(known) if isinstance(known, int | float) else None


def longest_first(jobs: Sequence[Job]) -> list[Job]:
    """The longest first, but before them those of unknown cost, by the length of their source."""

    def cost(job: Job) -> tuple[float, int]:
        seconds = expected(job)
        return float("inf") if seconds is None else seconds, job.chapter.notebook.stat().st_size

    return sorted(jobs, key=cost, reverse=True)


def seconds_left(states: Sequence[State], costs: Sequence[float | None], workers: int) -> float:
    """Seconds until all have ended, from the expected costs and the pace so far.

    Args:
        states: of the jobs, in the order in which they begin.
        costs: seconds expected of each; of an unknown one the mean is taken.
        workers: how many run at a time.
    """
    known = [c for c in costs if c is not None]
    usual = mean(known) if known else mean([s.whole for s in states if s.status == "done"] or [0])
    whole = [usual if c is None else c for c in costs]
    done = [(s.whole, c) for s, c in zip(states, whole, strict=True) if s.status == "done"]
    planned = sum(c for _, c in done)
    pace = sum(s for s, _ in done) / planned if planned else 1.0
    left = [
        max(c * pace - s.seconds, 0.0)
        for s, c in zip(states, whole, strict=True)
        if s.status in ("waiting", "running")
    ]
    return max([sum(left) / workers, *left])


def in_words(seconds: float) -> str:
    """``40 s``, ``6 min``: as precisely as anybody can know."""
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{10 * round(seconds / 10):.0f} s"
