"""The same chapter with other seeds: how often each of its verdicts comes out the same.

What came out is kept in the repository, ``records/PART/seeds/CHAPTER.json``, with the checksum of
the code that computed it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from featurebook.press.book.files import outputs, read_notebook, write_atomically
from featurebook.press.book.places import BookError, Chapter
from featurebook.press.run import freshness, parameters, provenance
from featurebook.press.run.job import Job
from featurebook.verdicts import MIME

SEED = "seed"
STEP = 1000
"""Between two seeds, so that chapters which count on from their seed share no random number."""
FEW, MANY, CHEAP = 8, 16, 20.0
"""Runs of a chapter, and of one that takes less than so many seconds."""


@dataclass(frozen=True)
class Tally:
    """How a verdict came out with other seeds.

    Attributes:
        outcomes: one for each run.
        outdated: whether the code that computes has changed since.
    """

    outcomes: tuple[str, ...]
    outdated: bool

    def same_as(self, outcome: str) -> int:
        """How many runs gave that outcome."""
        return self.outcomes.count(outcome)

    def words(self, outcome: str) -> str:
        """Such as ``same with 8 of 8 other seeds``."""
        said = f"same with {self.same_as(outcome)} of {len(self.outcomes)} other seeds"
        return said + (" (before the code was changed)" if self.outdated else "")


def path(chapter: Chapter) -> Path:
    """Where the record of a chapter is kept."""
    return chapter.root / "records" / chapter.part.name / "seeds" / f"{chapter.name}.json"


def read(chapter: Chapter) -> dict[str, Tally]:
    """How the verdicts of a chapter came out with other seeds, by claim; empty without a record.

    Raises:
        BookError: if the record cannot be read.
    """
    file = path(chapter)
    if not file.is_file():
        return {}
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        outdated = record["computation"] != freshness.computation(chapter)
        return {name: Tally(tuple(o), outdated) for name, o in record["outcomes"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BookError(f"{file} is no record of seeds: featurebook seeds makes it anew") from None


def plan(chapter: Chapter, count: int | None = None) -> list[Job]:
    """The runs that the record of a chapter lacks: none if it has one, by the present code.

    The seeds are 1000, 2000, ..., as many as `FEW` and `MANY` say where no ``count`` is given.
    """
    values = parameters.final_values(chapter)
    if SEED not in values:
        return []
    if (known := read(chapter)) and not any(tally.outdated for tally in known.values()):
        return []
    seconds = freshness.seconds_of(chapter.executed) if chapter.executed.is_file() else None
    usual = MANY if seconds is not None and seconds < CHEAP else FEW
    seeds = [STEP * (k + 1) for k in range(count or usual)]
    return [Job(chapter, values | {SEED: s}, "quick", chapter.built(f"seed-{s}")) for s in seeds]


def keep(chapter: Chapter, jobs: Sequence[Job]) -> dict[str, list[str]]:
    """Make executed runs the record of their chapter.

    Returns:
        The outcomes of the claims that did not always come out the same.
    """
    notebooks = [read_notebook(job.output) for job in jobs]
    outcomes: dict[str, list[str]] = {}
    for notebook in notebooks:
        for verdict in outputs(notebook, MIME):
            outcomes.setdefault(verdict["claim"], []).append(verdict["outcome"])
    card: Mapping[str, Any] = next(iter(outputs(notebooks[-1], provenance.MIME)), {})
    about = notebooks[-1].metadata[freshness.METADATA]
    record = {
        "chapter": chapter.address,
        "computation": freshness.computation(chapter),
        "started": about["started"],
        "commit": card.get("commit", "unknown"),
        "device": card.get("device", "unknown"),
        "versions": card.get("versions", {}),
        "seeds": [job.values[SEED] for job in jobs],
        "outcomes": outcomes,
    }
    target = path(chapter)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    return {name: found for name, found in outcomes.items() if len(set(found)) > 1}
