"""A chapter's checks with other seeds: how often each verdict is the same.

The results are kept in the repository, ``records/PART/seeds/CHAPTER.json``: for each claim the
outcome with each seed, and a checksum of what decides its check.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from featurebook.press.book import door, forms
from featurebook.press.book.files import put_aside, write_json
from featurebook.press.book.places import BookError, Chapter
from featurebook.press.run import experiments, freshness, parameters, provenance

if TYPE_CHECKING:
    from featurebook.verdicts import Verdict

SEED = "seed"
STEP = 1000
"""Distance of seeds, so that chapters that count up from their seed share no random numbers."""
FEW, MANY, CHEAP = 8, 16, 20.0
"""Seeds per chapter, and per chapter that takes less than this many seconds."""


@dataclass(frozen=True)
class Tally:
    """The outcomes of a verdict with other seeds.

    Attributes:
        outcomes: one for each run.
        outdated: whether the code that computes has changed since.
    """

    outcomes: tuple[str, ...]
    outdated: bool

    def words(self, outcome: str) -> str:
        """For example ``same with 8 of 8 other seeds``; the counts of outcomes if they differ."""
        many, counts = len(self.outcomes), Counter(self.outcomes)
        said = f"same with {counts[outcome]} of {many} other seeds"
        if set(counts) != {outcome}:
            each = ", ".join(f"{name} {count}" for name, count in counts.most_common())
            way = "varies over" if len(counts) > 1 else "differs with"
            said = f"{way} {many} other seeds ({each})"
        return said + (" (earlier code)" if self.outdated else "")


def read(chapter: Chapter) -> dict[str, Tally]:
    """The outcomes of a chapter's verdicts with other seeds, by claim; empty without a record.

    Raises:
        BookError: if the record cannot be read.
    """
    return {claim: tally(chapter, claim, of) for claim, of in _record(chapter)["claims"].items()}


def of_claim(chapter: Chapter, claim: str) -> Tally | None:
    """The outcomes of one verdict with other seeds, if they are recorded.

    Raises:
        BookError: if the record cannot be read.
    """
    of = _record(chapter)["claims"].get(claim)
    return tally(chapter, claim, of) if of else None


def tally(chapter: Chapter, claim: str, of: Mapping[str, Any]) -> Tally:
    """The outcomes that a record of seeds or of machines has of a claim."""
    outdated = of["code"] != experiments.digest(chapter.part, claim)
    return Tally(tuple(of["outcomes"].values()), outdated)


def valid(chapter: Chapter, claims: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The outcomes of such a record that are of today's code, by claim, and seed or setting."""
    return {c: of["outcomes"] for c, of in claims.items() if not tally(chapter, c, of).outdated}


def _record(chapter: Chapter) -> dict[str, Any]:
    if not chapter.seeds.is_file():
        return {"claims": {}}
    remedy = f"featurebook seeds {chapter.address} computes it again"
    return dict(door.read_json(chapter.seeds, forms.Seeds, remedy))


def mend(chapter: Chapter) -> str:
    """Put an unreadable record aside; returns a line that says so, or an empty one."""
    try:
        _record(chapter)
    except BookError as error:
        return f"{error}; the damaged one is now {put_aside(chapter.seeds, 'damaged').name}"
    return ""


def settled(chapter: Chapter, verdict: "Verdict") -> "Verdict":
    """A chapter's verdict; mixed if the record of other seeds disagrees.

    Raises:
        BookError: if the record cannot be read.
    """
    return _settled(verdict, of_claim(chapter, verdict.claim))


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
    there = valid(chapter, _record(chapter)["claims"])
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
    chapter = plan.chapter
    outcomes = valid(chapter, _record(chapter)["claims"])
    for claim, outcome in found.items():
        outcomes.setdefault(claim, {})[str(plan.seed)] = outcome
    card = provenance.card([plan.seed]).facts
    seconds = freshness.seconds_of(chapter.executed)
    record = {
        "chapter": chapter.address,
        **({} if seconds is None else {"seconds": seconds}),
        "started": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
        **{name: card[name] for name in ("commit", "device", "versions")},
        "claims": {
            claim: {
                "code": experiments.digest(chapter.part, claim),
                "outcomes": dict(sorted(of.items(), key=lambda item: int(item[0]))),
            }
            for claim, of in sorted(outcomes.items())
        },
    }
    write_json(chapter.seeds, record)


def differing(chapter: Chapter) -> dict[str, Tally]:
    """The claims whose verdict differs between seeds."""
    return {c: tally for c, tally in read(chapter).items() if len(set(tally.outcomes)) > 1}
