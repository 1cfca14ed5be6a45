"""Runs at printed sizes, which decide what the quick run of a page leaves undecided.

Such a run is the record at the scale `SCALE`, judged by today's checks, with the outcomes of
further seeds at that scale; or the page's own run, if it has the printed sizes already.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from featurebook.press.book.files import outputs, read_notebook
from featurebook.press.book.places import Chapter
from featurebook.press.claims import statements
from featurebook.press.run import freshness, parameters, provenance, records, seeded
from featurebook.press.run import seeds as quick_seeds
from featurebook.press.run.results import Result
from featurebook.verdicts import MIME

if TYPE_CHECKING:
    from featurebook.verdicts import Verdict
    from featurebook.verdicts.claims import Claims, Study

SCALE = "paper"
SETTLING = ("holds", "trend", "contrary")
"""Outcomes of a record that decide a claim; a counterexample does not wait for a larger run."""


@dataclass(frozen=True)
class Run:
    """The run of a claim at printed sizes, with all seeds that are known.

    Attributes:
        of: "record", or "page" where the page itself computes at these sizes.
        verdict: the first seed's, by today's check where that is known.
        outcomes: every seed's, the first included: outcome, reason, parts.
        earlier: whether an outcome is of an earlier state of the code.
        seeded: whether the outcome depends on a seed at all.
    """

    of: str
    verdict: Mapping[str, Any]
    outcomes: Sequence[Mapping[str, Any]]
    earlier: bool
    seeded: bool
    started: str
    seconds: float
    device: str
    parameters: Mapping[str, Any]


def run_of(chapter: Chapter, claims: "Claims", claim: str) -> Run | None:
    """The run of a claim at the sizes of `SCALE`, if there is one."""
    record = next((r for r in records.read(chapter) if r["scale"] == SCALE), None)
    if record and claim in record["checks"]:
        return _of_record(chapter, claims, record, claim)
    if _sizes(chapter, claims, claim, SCALE) != _sizes(chapter, claims, claim, "quick"):
        return None
    return _of_page(chapter, claims, claim)


def _sizes(chapter: Chapter, claims: "Claims", claim: str, scale: str) -> str:
    return seeded.sizes(chapter, claims, parameters.final_values(chapter, scale), claim)


def _of_record(chapter: Chapter, claims: "Claims", record: Result, claim: str) -> Run:
    verdict = records.today(chapter, record)[claim]
    first = verdict or next(v for v in record["verdicts"] if v["claim"] == claim)
    wanted = seeded.sizes(chapter, claims, record["parameters"], claim)
    others = list(seeded.of_claim(chapter.part, record, claim, wanted))
    earlier = verdict is None or not all(current for _, current in others)
    seed = quick_seeds.SEED in claims.needs(claim)
    device = record["provenance"]["device"]
    return _run("record", [first, *(o for o, _ in others)], earlier, seed, record, device)


def _of_page(chapter: Chapter, claims: "Claims", claim: str) -> Run | None:
    """The executed chapter's own verdict, with the recorded outcomes of its other seeds."""
    if not chapter.executed.is_file():
        return None
    verdict, about, device = _executed(chapter, chapter.executed.stat().st_mtime_ns)
    if claim not in verdict:
        return None
    tally = quick_seeds.record(chapter).of_claim(claim)
    outcomes = [{"outcome": o, "reason": "", "parts": []} for o in tally.outcomes] if tally else []
    seed = quick_seeds.SEED in claims.needs(claim)
    earlier = bool(tally and tally.outdated)
    return _run("page", [verdict[claim], *outcomes], earlier, seed, about, device)


def _run(
    of: str,
    outcomes: list[Mapping[str, Any]],
    earlier: bool,
    seed: bool,
    about: Mapping[str, Any],
    device: str,
) -> Run:
    when, seconds, values = about["started"], about["seconds"], about["parameters"]
    return Run(of, outcomes[0], outcomes, earlier, seed, when, seconds, device, values)


@cache
def _executed(chapter: Chapter, changed: int) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The verdicts of an executed chapter, what is known of its execution, and the device."""
    notebook = read_notebook(chapter.executed)
    cards = outputs(notebook, provenance.MIME)
    device = cards[-1].get("device", "") if cards else ""
    found = {v["claim"]: v for v in outputs(notebook, MIME)}
    return found, dict(notebook.metadata[freshness.METADATA]), device


# What they settle


def settled(chapter: Chapter, study: "Study", verdict: "Verdict") -> "Verdict":
    """A page's verdict, or the record's if the page's own run leaves the claim undecided.

    That is: the page runs at the book's parameters, its verdict is open or varies with the seed,
    and the record is of today's code and at the printed sizes, which differ from the page's. Where
    the quick verdict varies, `quick_seeds.FEW` seeds of the record must have the same outcome. A
    seed that refutes a statement is a counterexample at any size: then a larger run decides only
    whether a printed figure or table comes out.
    """
    varying = (verdict.outcome, verdict.reason) == ("mixed", "seeds differ")
    undecided = verdict.outcome == "open" and verdict.reason != "not judged"
    if not (undecided or varying) or not _at_home(chapter, study):
        return verdict
    if varying and _is_contradicted(chapter, verdict.claim):
        return verdict
    run = run_of(chapter, study.claims, verdict.claim)
    if run is None or run.earlier or not _is_larger(chapter, study, verdict.claim, run):
        return verdict
    outcomes = {o["outcome"] for o in run.outcomes}
    too_few = varying and len(run.outcomes) < quick_seeds.FEW
    if too_few or len(outcomes) > 1 or not outcomes <= set(SETTLING):
        return verdict
    many = len(run.outcomes)
    rate = f", with {many} of {many} seeds" if many > 1 else ""
    said = f"{verdict.outcome} {records.DECIDED}{rate}: {run.verdict['measured']}"
    return replace(_verdict(run.verdict), measured=said, source=verdict.source)


def is_settled(verdict: Mapping[str, Any]) -> bool:
    """Whether a record decided a verdict of a page."""
    return records.DECIDED in verdict["measured"]


def rated(chapters: Iterable[Chapter]) -> list[str]:
    """The claims that a record judges with further seeds: experiments, and what varies at quick."""
    chapters = list(chapters)
    stated = [c for part in dict.fromkeys(c.part for c in chapters) if part.claims.is_file()
              for c in statements.read(part.claims).claims]  # fmt: skip
    varying = {name for c in chapters for name in quick_seeds.record(c).differing()}
    return [c.id for c in stated if c.is_experiment or c.id in varying]


def _at_home(chapter: Chapter, study: "Study") -> bool:
    """Whether a study has the parameters at which the book is built."""
    usual = parameters.final_values(chapter)
    return all(study.values.get(name) == value for name, value in usual.items())


def _is_contradicted(chapter: Chapter, claim: str) -> bool:
    """Whether a seed of the quick scale refutes a statement that is no printed figure or table."""
    tally = quick_seeds.record(chapter).of_claim(claim)
    stated = statements.read(chapter.part.claims).claims
    exempt = any(c.id == claim and c.is_experiment for c in stated)
    return tally is not None and "refuted" in tally.outcomes and not exempt


def _is_larger(chapter: Chapter, study: "Study", claim: str, run: Run) -> bool:
    """Whether a run is a record at the printed sizes of a claim, and the page has others."""
    page, printed = (_sizes(chapter, study.claims, claim, scale) for scale in ("quick", SCALE))
    own = seeded.sizes(chapter, study.claims, run.parameters, claim)
    return run.of == "record" and page != printed == own


def _verdict(of: Mapping[str, Any]) -> "Verdict":
    """A verdict from its data."""
    from featurebook.verdicts import Verdict  # late: it needs SciPy

    known = {field.name for field in fields(Verdict)}
    kept = {name: value for name, value in of.items() if name in known}
    return Verdict(**kept | {"parts": [_verdict(part) for part in of.get("parts", ())]})
