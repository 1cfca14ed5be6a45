"""Claims are checked by name, without a notebook."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from featurebook.cli import app
from featurebook.press.book.places import BookError
from featurebook.press.claims import asking
from featurebook.verdicts.claims import Claims
from featurebook.verdicts.comparisons import exactly, inequality
from stating import state


@pytest.fixture
def computed():
    return []


@pytest.fixture
def toy(book, monkeypatch, computed):
    """The toy book with two claims that are checked and one that is not."""
    claims = Claims("toy")

    @claims.experiment
    def twice(d):
        computed.append(d)
        return 2 * d

    @claims.check("sum")
    def sum_(twice, d):
        yield exactly(twice, "==", 2 * d, what="twice d")

    @claims.check("bound")
    def bound(twice, eps):
        yield inequality(twice, 48 + eps, what="bound")

    state(
        book,
        {"id": "toy-sum", "number": "Theorem 1", "kind": "theorem", "expected": "holds",
         "text": "A $x_1$ sum."},
        {"id": "toy-bound", "kind": "lemma", "expected": "holds", "text": "B.", "title": "Bounds"},
        {"id": "toy-stated", "kind": "remark", "expected": None, "text": "C."},
    )  # fmt: skip
    monkeypatch.setattr(asking, "checks_of", lambda part: claims)
    return book


def test_a_name_is_a_claim_a_chapter_or_a_part(toy):
    def ids(*names):
        return [q.claim.id for q in asking.find(toy, names)]

    assert ids("toy-bound") == ["toy-bound"]
    assert ids("toy") == ids("toy/story") == ["toy-sum", "toy-bound"]
    assert ids("toy-sum", "toy") == ["toy-sum", "toy-bound"]


def test_an_unknown_name_gets_the_nearest_ids(toy):
    with pytest.raises(BookError, match=r"no claim, chapter or part 'toy-sun'; .* toy-sum"):
        asking.find(toy, ["toy-sun"])
    with pytest.raises(BookError, match="no claim, chapter or part 'bound'"):
        asking.find(toy, ["bound"])


def test_checks_that_share_an_experiment_compute_it_once(toy, computed):
    answers = list(asking.answer(asking.find(toy, ["toy"]), "quick", []))
    assert [a.verdict.outcome for a in answers] == ["holds", "holds"]
    assert all(a.as_expected for a in answers)
    assert computed == [24]


def test_what_a_record_decides_need_not_come_out_here(toy, monkeypatch):
    def decided(chapter, study, verdict):
        left = verdict.outcome in ("open", "mixed")
        return replace(verdict, outcome="holds") if left else verdict

    monkeypatch.setattr(asking.printed_sizes, "settled", decided)
    (plain,) = asking.answer(asking.find(toy, ["toy-bound"]), "quick", [])
    assert (plain.recorded, plain.as_expected) == ("", True)
    left = replace(plain, verdict=replace(plain.verdict, outcome="open"), recorded="holds")
    assert left.as_expected
    assert "in the recorded run (scale paper): holds" in str(left)
    assert left.as_dict()["in the recorded run"] == "holds"
    assert not replace(left, others=Counter(refuted=1)).as_expected  # a counterexample
    assert replace(left, others=Counter(open=1)).as_expected


def test_parameters_come_from_scale_and_settings(toy, computed):
    (bound,) = asking.answer(asking.find(toy, ["toy-bound"]), "quick", ["d=25"])
    assert bound.verdict.outcome == "refuted"
    assert not bound.as_expected
    list(asking.answer(asking.find(toy, ["toy-sum"]), "tiny", []))
    assert computed == [25, 2]


def test_wrong_parameters_are_refused_before_anything_runs(toy, computed):
    questions = asking.find(toy, ["toy-sum"])
    with pytest.raises(BookError, match="out of range"):
        list(asking.answer(questions, "quick", ["d=1000"]))
    with pytest.raises(BookError, match="unknown parameter"):
        list(asking.answer(questions, "quick", ["dd=3"]))
    assert computed == []


def test_a_claim_without_a_check_says_so(toy):
    with pytest.raises(BookError, match="toy-stated is stated in toy/story and has no check"):
        list(asking.answer(asking.find(toy, ["toy-stated"]), "quick", []))


def test_a_part_whose_checks_are_cells_says_what_runs_them(toy, monkeypatch):
    monkeypatch.setattr(asking, "checks_of", lambda part: None)
    with pytest.raises(BookError, match="cells of its chapters: featurebook run toy/story"):
        asking.find(toy, ["toy"])


def test_the_command_prints_statement_verdict_and_place(toy):
    result = CliRunner().invoke(app, ["check", "toy-sum"])
    assert result.exit_code == 0
    assert "✓ holds  [toy-sum]" in result.output
    assert "Theorem 1: A x₁ sum." in result.output
    assert "toy/story" in result.output


def test_the_command_fails_where_the_book_says_otherwise(toy):
    state(toy, {"id": "toy-sum", "kind": "lemma", "expected": "trend", "text": "A."})
    result = CliRunner().invoke(app, ["check", "toy-sum"])
    assert result.exit_code != 0
    assert "toy-sum" in result.stderr


def test_verdicts_as_json(toy):
    result = CliRunner().invoke(app, ["check", "toy", "--json"])
    first, second = json.loads(result.output)
    assert (first["claim"], first["outcome"], first["expected"]) == ("toy-sum", "holds", "holds")
    assert second["number"] == "Bounds"
    assert first["source"].startswith("    @claims.check")


def test_the_part_of_the_book_that_has_checks_is_found():
    from featurebook.press.book.places import Part, find_root

    root = find_root()
    assert asking.checks_of(Part(root, "fourier_circuits")) is not None
    assert asking.checks_of(Part(root, "nobody")) is None


def test_the_impact_of_a_claim_is_what_rests_on_it_and_what_its_experiments_judge(toy):
    usual = {"kind": "lemma", "expected": None, "text": "T."}
    state(
        toy,
        {"id": "toy-sum", **usual},
        {"id": "toy-bound", **usual, "rests_on": ["toy-sum"]},
        {"id": "toy-last", **usual, "rests_on": ["toy-bound"]},
    )
    impact = asking.impact(toy, "toy-sum")
    assert impact.falling == {"toy-bound": 1, "toy-last": 2}
    assert impact.shared == {"twice": ["toy-bound"]}
    assert "toy-last" in CliRunner().invoke(app, ["show", "toy-sum"]).output


def test_a_part_has_no_impact(toy):
    with pytest.raises(BookError, match="'toy' is not the id of a claim"):
        asking.impact(toy, "toy")
