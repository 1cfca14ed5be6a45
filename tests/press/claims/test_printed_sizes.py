"""A record at printed sizes decides what the quick run of a page leaves open or mixed."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from featurebook.press.book.places import find_chapter
from featurebook.press.claims import printed_sizes
from featurebook.press.claims.printed_sizes import Run, rated, settled
from featurebook.press.run.seeds import FEW
from featurebook.press.run.tallies import Tally
from featurebook.verdicts import Verdict
from featurebook.verdicts.claims import Claims
from featurebook.verdicts.comparisons import inequality
from stating import state

BOUND = replace(inequality(1, 2, what="bound"), claim="toy-bound", source="checks.py")
HOLDS = replace(BOUND, measured="as printed", parts=[BOUND]).as_dict()
OPEN = HOLDS | {"outcome": "open", "reason": "too few", "parts": []}
REFUTED = HOLDS | {"outcome": "refuted"}


def recorded(*outcomes, **changes):
    made = Run(
        "record", outcomes[0], outcomes, False, True, "2026-01-02", 60.0, "CPU", {"sizes": "paper"}
    )
    return replace(made, **changes)


def quick(outcome="open", reason="too few"):
    return replace(BOUND, outcome=outcome, reason=reason)


@pytest.fixture
def judged(book, monkeypatch):
    """Settle a quick verdict by a run at printed sizes."""
    chapter = find_chapter(book, "toy")
    usual = {"d": 24, "eps": 1.0}
    monkeypatch.setattr(printed_sizes.seeded, "sizes", lambda *x: x[2]["sizes"])
    at_home = SimpleNamespace(values=usual | {"extra": 3}, claims=Claims("toy"))
    monkeypatch.setattr(printed_sizes.parameters, "final_values", lambda *_: usual)

    def judge(verdict, run, printed="paper", seeds=("trend", "open"), **values) -> Verdict:
        tally = Tally(seeds, outdated=False)
        of_seeds = SimpleNamespace(of_claim=lambda _: tally)
        monkeypatch.setattr(printed_sizes.quick_seeds, "record", lambda _: of_seeds)
        monkeypatch.setattr(printed_sizes, "run_of", lambda *_: run)
        monkeypatch.setattr(
            printed_sizes, "_sizes", lambda *x: printed if "paper" in x else "quick"
        )
        return settled(chapter, SimpleNamespace(**vars(at_home) | values), verdict)

    return judge


@pytest.mark.parametrize("outcome", ["holds", "trend", "contrary"])
def test_an_open_verdict_is_that_of_the_record(judged, outcome):
    found = judged(quick(), recorded(HOLDS | {"outcome": outcome}))
    assert found.outcome == outcome
    assert found.measured == "open here; in the recorded run: as printed"
    assert printed_sizes.is_settled(found.as_dict())
    assert not printed_sizes.is_settled(HOLDS)
    assert (found.source, found.claim) == ("checks.py", "toy-bound")
    assert [p.measured for p in found.parts] == [BOUND.measured]


@pytest.mark.parametrize("outcome", ["holds", "trend", "contrary", "refuted", "our text"])
def test_what_the_page_has_decided_stays(judged, outcome):
    decided = quick(outcome, "")
    assert judged(decided, recorded(HOLDS)) is decided


@pytest.mark.parametrize("of", [("open", "not judged"), ("mixed", "machines differ")])
def test_what_was_not_judged_or_varies_with_the_machine_stays(judged, of):
    verdict = quick(*of)
    assert judged(verdict, recorded(*[HOLDS] * FEW)) is verdict


@pytest.mark.parametrize(
    "run",
    [
        None,
        recorded(HOLDS, of="page"),
        recorded(HOLDS, earlier=True),
        recorded(REFUTED),
        recorded(OPEN),
        recorded(HOLDS, OPEN),
        recorded(*[HOLDS] * FEW, REFUTED),
    ],
)
def test_a_record_that_does_not_decide_changes_nothing(judged, run):
    assert judged(quick(), run).outcome == "open"


def test_a_run_at_sizes_that_are_the_pages_or_not_the_printed_ones_does_not_decide(judged):
    same = recorded(HOLDS, parameters={"sizes": "quick"})
    assert judged(quick(), same, printed="quick").outcome == "open"
    own = recorded(HOLDS, parameters={"sizes": "with -p d=9"})
    assert judged(quick(), own).outcome == "open"


def test_other_parameters_are_not_overruled(judged):
    assert judged(quick(), recorded(HOLDS), values={"d": 25, "eps": 1.0}).outcome == "open"


def test_what_varies_between_seeds_needs_eight_seeds_of_the_record(judged):
    mixed = quick("mixed", "seeds differ")
    assert judged(mixed, recorded(*[HOLDS] * (FEW - 1))) is mixed
    assert judged(mixed, recorded(*[HOLDS] * (FEW - 1), OPEN)) is mixed
    found = judged(mixed, recorded(*[HOLDS] * FEW))
    assert found.outcome == "holds"
    assert found.measured == "mixed here; in the recorded run, with 8 of 8 seeds: as printed"


def test_a_seed_that_refutes_a_statement_is_not_overruled(judged, book):
    mixed, run = quick("mixed", "seeds differ"), recorded(*[HOLDS] * FEW)
    assert judged(mixed, run, seeds=("holds", "refuted")) is mixed
    figure = {"id": "toy-bound", "number": "Figure 1", "kind": "figure", "place": "Section 2"}
    state(book, {**figure, "text": "A.", "expected": "holds"})
    assert judged(mixed, run, seeds=("holds", "refuted")).outcome == "holds"


def test_experiments_and_what_varies_are_rated_by_seeds(book, monkeypatch):
    kinds = {"toy-figure-1": "figure", "toy-varies": "lemma", "toy-steady": "lemma"}
    more = {"text": "A.", "expected": None, "place": "Section 2"}
    state(book, *({"id": name, "kind": kind, **more} for name, kind in kinds.items()))
    differing = SimpleNamespace(differing=lambda: {"toy-varies": "2 of 8"})
    monkeypatch.setattr(printed_sizes.quick_seeds, "record", lambda _: differing)
    assert rated([find_chapter(book, "toy")]) == ["toy-figure-1", "toy-varies"]
