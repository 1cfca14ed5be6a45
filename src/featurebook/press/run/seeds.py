"""A chapter's checks with other seeds: how often each verdict is the same.

The record is ``records/PART/seeds/CHAPTER.json``, see `featurebook.press.run.tallies`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from featurebook.press.book import forms
from featurebook.press.book.files import put_aside
from featurebook.press.book.places import BookError, Chapter
from featurebook.press.run import experiments, freshness, parameters
from featurebook.press.run.tallies import Record, Tally

if TYPE_CHECKING:
    from featurebook.verdicts import Verdict

SEED = "seed"
STEP = 1000
"""Distance of seeds, so that chapters that count up from their seed share no random numbers."""
FEW, MANY, CHEAP = 8, 16, 20.0
"""Seeds per chapter, and per chapter that takes less than this many seconds."""


def record(chapter: Chapter) -> Record:
    """The outcomes of a chapter's verdicts with other seeds."""
    remedy = f"featurebook seeds {chapter.address} computes it again"
    return Record(chapter, chapter.seeds, forms.Seeds, remedy, int)


def mend(chapter: Chapter) -> str:
    """Put an unreadable record aside; returns a line that says so, or an empty one."""
    try:
        record(chapter).claims()
    except BookError as error:
        return f"{error}; the damaged one is now {put_aside(chapter.seeds, 'damaged').name}"
    return ""


def settled(chapter: Chapter, verdict: "Verdict") -> "Verdict":
    """A chapter's verdict; mixed if the record of other seeds disagrees.

    Raises:
        BookError: if the record cannot be read.
    """
    return _settled(verdict, record(chapter).of_claim(verdict.claim))


def _settled(verdict: "Verdict", tally: Tally | None) -> "Verdict":
    if tally is None or set(tally.outcomes) == {verdict.outcome}:
        return verdict
    if verdict.outcome in ("two readings", "our text"):
        return verdict  # no seed decides how a sentence is read
    if verdict.reason == "not judged":
        return verdict  # the seeds were tried on what is lacking here
    if tally.outdated and len(set(tally.outcomes)) == 1:
        return verdict  # the check is another now; its seeds agreed with each other
    if verdict.certificate and set(tally.outcomes) <= {verdict.outcome, "open"}:
        return verdict  # a proof is not unsettled by a seed that decides nothing
    detail = f"{verdict.outcome} here; {tally.words(verdict.outcome)}"
    from featurebook.verdicts import undecided  # it needs SciPy

    return undecided(verdict, "seeds differ", detail)


@dataclass(frozen=True)
class Plan:
    """Checks of a chapter to call with one seed."""

    chapter: Chapter
    seed: int
    claims: tuple[str, ...]


def plan(chapter: Chapter, count: int | None = None) -> list[Plan]:
    """The outcomes that a chapter's record lacks, of today's checks that need a seed.

    The seeds are 1000, 2000, ..., as many as `FEW` and `MANY` say where no ``count`` is given.
    """
    claims = experiments.checks_of(chapter.part)
    if claims is None or SEED not in parameters.read(chapter.notebook):
        return []
    seconds = freshness.seconds_of(chapter.executed)
    many = count or (MANY if seconds is not None and seconds < CHEAP else FEW)
    judged, _ = experiments.named(chapter, claims)
    there = record(chapter).valid()
    plans = []
    for seed in (STEP * (k + 1) for k in range(many)):
        lacking = [
            c for c in judged if SEED in claims.needs(c) and str(seed) not in there.get(c, {})
        ]
        if lacking:
            plans.append(Plan(chapter, seed, tuple(lacking)))
    return plans


def run(plan: Plan) -> dict[str, str]:
    """Call the checks of a plan, and return the outcomes by claim.

    Raises:
        RuntimeError: naming the claim and the seed, if a check fails.
    """
    claims = experiments.checks_of(plan.chapter.part)
    assert claims is not None
    values = parameters.final_values(plan.chapter) | {SEED: plan.seed}
    study = claims.at(**experiments.values_of(plan.chapter, values))
    found = {}
    for claim in plan.claims:
        try:
            found[claim] = str(study.check(claim).outcome)
        except Exception as error:
            raise RuntimeError(
                f"{claim} with seed {plan.seed}: {type(error).__name__}: {error}"
            ) from error
    return found


def keep(plan: Plan, found: Mapping[str, str]) -> None:
    """Add outcomes to the record of their chapter, dropping those of other code."""
    seconds = freshness.seconds_of(plan.chapter.executed)
    known = {} if seconds is None else {"seconds": seconds}
    started = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    record(plan.chapter).add(str(plan.seed), found, **known, started=started)
