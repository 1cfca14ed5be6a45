"""Grades of printed figures and tables: derived from runs at printed sizes and their seeds."""

from dataclasses import replace

import pytest

from featurebook.press.book.places import Chapter, Part
from featurebook.press.claims import grades
from featurebook.press.claims.grades import Run, _decided
from featurebook.press.claims.statements import Claim
from featurebook.verdicts.claims import Claims
from featurebook.verdicts.comparisons import inequality

HOLDS = {"outcome": "holds", "reason": "", "detail": "", "measured": "as printed", "parts": [],
         "cells": []}  # fmt: skip
FAILS = HOLDS | {"outcome": "open", "reason": "not seen", "measured": "not as printed"}
UNKNOWN = HOLDS | {"outcome": "open", "reason": "too few", "measured": "unknown"}
OTHER = HOLDS | {"outcome": "open", "reason": "not judged", "detail": "MNIST"}


def run(*outcomes, **changes):
    first = outcomes[0]
    made = Run("record", first, outcomes, False, True, "2026-01-02", 60.0, "CPU", {})
    return replace(made, **changes)


def parts(**outcomes):
    brief = {
        True: {"outcome": "holds", "reason": ""},
        False: {"outcome": "open", "reason": "not seen"},
    }
    return [{"title": title, **brief[true]} for title, true in outcomes.items()]


@pytest.mark.parametrize(
    ("outcomes", "word"),
    [
        ([HOLDS], "reproduced"),
        ([HOLDS] * 9 + [FAILS], "reproduced"),
        ([HOLDS] * 8 + [FAILS] * 2, "in part"),
        ([HOLDS] * 2 + [FAILS] * 8, "in part"),
        ([HOLDS] + [FAILS] * 9, "not reproduced"),
        ([FAILS], "not reproduced"),
        ([UNKNOWN] * 3, "open"),
        ([OTHER] * 3, "open"),
        ([HOLDS | {"outcome": "open", "reason": "true where run"}], "reproduced"),
        ([HOLDS | {"outcome": "trend"}] * 4, "reproduced"),
        ([FAILS | {"outcome": "refuted", "reason": ""}] * 4, "not reproduced"),
    ],
)
def test_the_share_of_seeds_decides(outcomes, word):
    assert _decided(run(*outcomes), "")[0] == word


def test_a_smaller_run_can_reproduce_and_decides_nothing_else():
    word, why = _decided(run(HOLDS), "5,000 images for 50,000")
    assert (word, why) == ("reproduced smaller", "with 5,000 images for 50,000; as printed")
    word, why = _decided(run(FAILS), "half the width")
    assert word == "open"
    assert "which is too small to decide it" in why


def test_what_print_does_not_state_is_no_failure_of_print():
    assert _decided(run(HOLDS), "", "the step size")[0] == "reproduced"
    word, why = _decided(run(FAILS), "", "the step size")
    assert word == "open"
    assert "the paper does not state the step size" in why


def test_parts_that_come_out_and_parts_that_do_not_are_named():
    found = [FAILS | {"parts": parts(order=True, gap=False, numbers=k < 2)} for k in range(4)]
    word, why = _decided(run(*found), "")
    assert word == "in part"
    assert why == "seen: order; with some seeds: numbers; not seen: gap"
    none = [FAILS | {"parts": parts(order=False, gap=False)}] * 4
    assert _decided(run(*none), "")[0] == "not reproduced"


def test_a_part_that_no_seed_decides_is_named_apart():
    unknown = {"title": "wide", "outcome": "open", "reason": "straddles"}
    word, why = _decided(run(FAILS | {"parts": [*parts(order=True), unknown]}), "")
    assert (word, why) == ("in part", "seen: order; undecided: wide")


def test_a_part_is_the_same_whatever_number_its_title_has():
    found = [FAILS | {"parts": parts(**{f"mean {k}": True, "gap": False})} for k in range(5)]
    assert _decided(run(*found), "") == ("in part", "seen: mean 0; not seen: gap")


def test_some_numbers_of_a_table_are_a_part():
    cells = [{"agrees": True}, {"agrees": False}]
    odd = FAILS | {"reason": "unlike print", "cells": cells}
    assert _decided(run(odd), "")[0] == "in part"
    assert _decided(run(odd | {"cells": cells[1:]}), "")[0] == "not reproduced"


def claim(**more):
    made = Claim("toy-figure-1", "Figure 1", "figure", "It falls.", "holds")
    return replace(made, **more)


@pytest.fixture
def chapter(book, monkeypatch):
    claims = Claims("toy")

    @claims.check("figure-1")
    def figure_1(d):
        yield inequality(d, 100, what="d")

    @claims.check("figure-2")
    def figure_2(confidence):
        yield inequality(0, 1, what="two printed numbers")

    monkeypatch.setattr(grades.experiments, "checks_of", lambda part: claims)
    return Chapter(Part(book, "toy"), "story")


def test_what_is_not_run_is_open_and_says_what_it_needs(chapter):
    needy = grades.of_claim(chapter, claim(needs="weights (16 GB)"))
    assert (needy.word, needy.why) == ("open", "needs weights (16 GB)")
    assert needy.command == "featurebook record toy/story"
    arithmetic = grades.of_claim(chapter, claim(id="toy-figure-2"))
    assert arithmetic.why == "its check only reads printed numbers"
    assert grades.of_claim(chapter, claim(id="toy-figure-3")).why == "nothing is run for it"
    assert grades.of_claim(chapter, claim()).why == "not run at printed sizes yet"


def test_a_grade_says_its_rate_and_whether_the_code_has_changed(chapter, monkeypatch):
    def said(found):
        monkeypatch.setattr(grades, "run_of", lambda *_: found)
        return grades.of_claim(chapter, claim()).said

    assert said(run(HOLDS)) == "reproduced, 1 seed"
    assert said(run(*[HOLDS] * 15, FAILS)) == "reproduced, 15 of 16 seeds"
    assert said(run(HOLDS, earlier=True)) == "reproduced, 1 seed, with earlier code"
    assert said(run(HOLDS, seeded=False)) == "reproduced, independent of the seed"


def test_only_printed_figures_and_tables_that_report_experiments_are_graded():
    assert claim().is_experiment
    assert claim(kind="table").is_experiment
    assert not claim(kind="theorem").is_experiment
    assert not claim(ours=True).is_experiment
    assert not claim(no_experiment="a drawing").is_experiment


def test_each_grade_has_a_meaning_and_a_mark_of_its_own():
    for of in (grades.MEANING, grades.MARKS):
        assert list(of) == list(grades.WORDS)
        assert len(set(of.values())) == len(grades.WORDS)
    found = [grades.Grade(claim(), None, word, "") for word in ("open", "open", "in part")]
    assert list(grades.in_words(found)) == ["◐ 1 in part", "◌ 2 open"]
