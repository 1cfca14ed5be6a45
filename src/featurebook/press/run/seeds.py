"""The same chapter with other seeds: how often each of its verdicts comes out the same.

What came out is kept in the repository, ``records/PART/seeds/CHAPTER.json``, with the checksum of
the code that computed it.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from featurebook.press.book.files import outputs, read_notebook, write_atomically
from featurebook.press.book.places import BookError, Chapter, find_chapter, find_root
from featurebook.press.run import freshness, parameters, provenance
from featurebook.press.run.job import Job
from featurebook.verdicts import MIME, Verdict, undecided

SEED = "seed"
STEP = 1000
"""Between two seeds, so that chapters which count on from their seed share no random number."""
ALONE = "with this seed"
"""Where a verdict that other seeds unsettle keeps its own outcome, in its `Verdict.instance`."""
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

    def words(self, outcome: str) -> str:
        """Such as ``same with 8 of 8 other seeds``, or how often each outcome where they differ."""
        many, counts = len(self.outcomes), Counter(self.outcomes)
        said = f"same with {counts[outcome]} of {many} other seeds"
        if set(counts) != {outcome}:
            each = ", ".join(f"{name} {count}" for name, count in counts.most_common())
            way = "varies over" if len(counts) > 1 else "differs with"
            said = f"{way} {many} other seeds ({each})"
        return said + (" (earlier code)" if self.outdated else "")


def read(chapter: Chapter) -> dict[str, Tally]:
    """How the verdicts of a chapter came out with other seeds, by claim; empty without a record.

    Raises:
        BookError: if the record cannot be read.
    """
    record = _record(chapter)
    outdated = record["computation"] != freshness.computation(chapter)
    return {name: Tally(tuple(o), outdated) for name, o in record["outcomes"].items()}


def _record(chapter: Chapter) -> dict[str, Any]:
    if not chapter.seeds.is_file():
        return {"computation": "", "seeds": [], "outcomes": {}}
    try:
        record = json.loads(chapter.seeds.read_text(encoding="utf-8"))
        record["computation"], record["seeds"][0], record["outcomes"].items()
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise BookError(
            f"{chapter.seeds} is no record of seeds: featurebook seeds makes it anew"
        ) from None
    return dict(record)


def _valid(chapter: Chapter) -> dict[str, Any]:
    """The record, without seeds if it is not of the present code, or cannot be read."""
    try:
        record = _record(chapter)
    except BookError:
        return {"computation": "", "seeds": [], "outcomes": {}}
    present = record["computation"] == freshness.computation(chapter)
    return record if present else record | {"seeds": [], "outcomes": {}}


def settled(chapter: str, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts of a chapter, mixed where the record of other seeds does not agree.

    Args:
        chapter: its address, ``PART/CHAPTER``.

    Raises:
        BookError: if there is no such chapter, or its record cannot be read.
    """
    place = find_chapter(find_root(), chapter)
    outcomes = _record(place)["outcomes"]
    if all(set(outcomes.get(v.claim, ())) <= {v.outcome} for v in verdicts):
        return list(verdicts)  # without half a second's checksum of all code
    tallies = read(place)
    return [_settled(v, tallies.get(v.claim)) for v in verdicts]


def _settled(verdict: Verdict, tally: Tally | None) -> Verdict:
    if tally is None or set(tally.outcomes) == {verdict.outcome}:
        return verdict
    if verdict.outcome in ("two readings", "our text"):
        return verdict  # no seed decides how a sentence is read
    if tally.outdated and len(set(tally.outcomes)) == 1:
        return verdict  # the check is another now; its seeds agreed with each other
    detail = f"{verdict.outcome} here; {tally.words(verdict.outcome)}"
    mixed = undecided(verdict, "seeds differ", detail)
    return replace(mixed, instance={**verdict.instance, ALONE: verdict.outcome})


def plan(chapter: Chapter, count: int | None = None) -> list[Job]:
    """The runs that the record of a chapter lacks; all of them if it is not of the present code.

    The seeds are 1000, 2000, ..., as many as `FEW` and `MANY` say where no ``count`` is given.
    """
    values = parameters.final_values(chapter)
    if SEED not in values:
        return []
    seconds = freshness.seconds_of(chapter.executed) if chapter.executed.is_file() else None
    usual = MANY if seconds is not None and seconds < CHEAP else FEW
    there = _valid(chapter)["seeds"]
    seeds = [s for k in range(count or usual) if (s := STEP * (k + 1)) not in there]
    return [Job(chapter, values | {SEED: s}, "quick", chapter.built(f"seed-{s}")) for s in seeds]


def keep(chapter: Chapter, jobs: Sequence[Job]) -> dict[str, list[str]]:
    """Add executed runs to the record of their chapter; one of other code is left behind.

    Returns:
        The outcomes of the claims that did not always come out the same.
    """
    notebooks = [read_notebook(job.output) for job in jobs]
    before = _valid(chapter)
    outcomes: dict[str, list[str]] = {name: list(o) for name, o in before["outcomes"].items()}
    for notebook in notebooks:
        for verdict in outputs(notebook, MIME):
            own = verdict.get("instance", {}).get(ALONE, verdict["outcome"])
            outcomes.setdefault(verdict["claim"], []).append(own)
    card: Mapping[str, Any] = next(iter(outputs(notebooks[-1], provenance.MIME)), {})
    about = notebooks[-1].metadata[freshness.METADATA]
    record = {
        "chapter": chapter.address,
        "computation": freshness.computation(chapter),
        "started": about["started"],
        "commit": card.get("commit", "unknown"),
        "device": card.get("device", "unknown"),
        "versions": card.get("versions", {}),
        "seeds": [*before["seeds"], *(job.values[SEED] for job in jobs)],
        "outcomes": outcomes,
    }
    target = chapter.seeds
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    return {name: found for name, found in outcomes.items() if len(set(found)) > 1}
