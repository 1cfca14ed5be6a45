"""The checks themselves, broken one place at a time: each break is noticed."""

import math
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import stats

import test_verdicts
import test_verdicts_attacks
import test_verdicts_attacks_twice
import test_verdicts_data
import test_verdicts_exact
import test_verdicts_printing
import test_verdicts_twice
from featurebook import verdicts as v
from featurebook.verdicts import (
    attacks,
    certificates,
    chance,
    checks,
    combining,
    printing,
    tables,
    tightest,
)
from mutants import Covered, assert_noticed, list_of, row_by_row


def outcomes_of_identities():
    assert v.identity(1 + 0.9e-6, 1.0, tolerance=1e-6).outcome == "holds"
    assert v.identity(1 + 1.1e-6, 1.0, tolerance=1e-6).outcome == "refuted"
    assert v.identity([200.1, 1.0], [200.0, 1.0], tolerance=1e-3).outcome == "holds"
    assert v.identity([200.1, 1.0], [200.0, 1.0], tolerance=1e-4).outcome == "refuted"
    assert v.identity(1e-250, 2e-250, tolerance=0.1).outcome == "refuted"


def outcomes_of_inequalities():
    assert v.inequality(1 + 0.9e-6, 1.0, slack=1e-6).outcome == "holds"
    assert v.inequality(1 + 1.1e-6, 1.0, slack=1e-6).outcome == "refuted"
    assert v.inequality(1.0, 1.0).outcome == "holds"
    assert v.inequality([1, math.nan], [1, 1]).outcome == "refuted"
    assert v.inequality([1, 1], [2, 2], informative=[0, 1]).outcome == "holds"
    assert v.inequality([1, 1], [2, 2], informative=[0, 0]).outcome == "vacuous"
    assert v.inequality([1.0, 9.0], [10.0, 10.0]).margin == pytest.approx(0.1)
    assert v.inequality([9.0, 3.0], [10.0, 2.0]).margin == pytest.approx(-1 / 3)
    assert v.inequality(0.5, 1.0, slack=0.25).margin == pytest.approx(0.75)


def outcomes_of_properties():
    assert v.everywhere([1, 1], what="w").outcome == "holds"
    assert v.everywhere([1, 0, 1], what="w").numbers == {"true": 2, "share": 2 / 3}
    assert v.everywhere([1, 0, 1], what="w").outcome == "refuted"


def outcomes_of_probabilities():
    low, high = v.clopper_pearson(90, 100)
    assert (low, high) == pytest.approx(
        (stats.beta.ppf(0.005, 90, 11), stats.beta.ppf(0.995, 91, 10))
    )
    for bound, outcome in ((low, "holds"), (high + 1e-9, "refuted"), (high, "open")):
        assert v.probability(90, 100, at_least=bound).outcome == outcome
    for bound, outcome in ((high, "holds"), (low - 1e-9, "refuted"), (low, "open")):
        assert v.probability(90, 100, at_most=bound).outcome == outcome
    assert v.probability(90, 100, at_most=1.0).outcome == "vacuous"
    assert v.probability(90, 100, at_least=0.0).outcome == "vacuous"
    assert v.probability(90, 100, at_least=1e-9).outcome == "holds"


def outcomes_of_trends():
    x = np.array([0.9, 1.0, 1.1])
    half = 4.302653 * 0.1 / 3**0.5
    found = v.trend(x, expected=(0.5, 2), rival=0, what="w")
    assert (found.outcome, found.numbers["high"]) == ("trend", pytest.approx(1 + half))
    for rival in (1 - 1.01 * half, 1 + 1.01 * half):
        assert v.trend(x, expected=(0.5, 2), rival=rival, what="w").outcome == "trend"
    for rival in (1 - 0.99 * half, 1 + 0.99 * half):
        assert v.trend(x, expected=(0.5, 2), rival=rival, what="w").reason == "not seen"
    assert v.trend(x, expected=(1.01, 2), rival=0, what="w").reason == "straddles"
    assert v.trend(x, expected=(0, 0.99), rival=0, what="w").reason == "straddles"
    assert v.trend(x, expected=(1.5, 2), rival=0, what="w").reason == "not seen"
    assert v.trend(x, expected=(1, 1), what="w").outcome == "trend"
    assert v.trend(1 + 2.1 * (x - 1), expected=(1, 1), what="w").reason == "not seen"
    wide = 2.1 * (x - 1)
    for rest in (0.2, -0.2):
        assert v.trend(wide + rest, expected=(0, 0), what="w").reason == "not seen"
    assert v.trend(x - 0.8, expected=(0.2, 0.2), what="w").reason == "not seen"
    assert v.trend(x, expected=(1 - 1.01 * half, 2), what="w").outcome == "trend"
    assert v.trend(x, expected=(1 - 0.99 * half, 2), what="w").reason == "straddles"
    assert v.trend(x, expected=(0, 1 + 0.99 * half), what="w").reason == "straddles"
    assert v.trend(x[:2], expected=(-9, 9), rival=99, what="w").outcome == "trend"
    assert v.trend(x[:1], expected=(-9, 9), rival=99, what="w").reason == "too few"
    assert v.exponents([1, 2, 4], [3 * np.array([1, 2, 4.0]) ** 2]) == pytest.approx([2])
    _, low, high = v.mean_interval(x, next_value=True)
    assert (low, high) == pytest.approx((1 - 2 * half, 1 + 2 * half))


def outcomes_of_attacks():
    def tried(constant, steps=60, **more):
        start = torch.tensor([[1.0, 0.2], [-0.3, 2.0]]).double()
        return v.attack(
            lambda x: (x[0] * x[1], constant * x @ x), start, steps=steps, **more
        )  # fmt: skip

    assert tried(0.5).outcome == "holds"
    assert tried(0.5).numbers["ratio"] > 0.9999
    assert tried(0.4999).outcome == "refuted"
    assert tried(0.4999, steps=0).outcome == "holds"
    assert tried(0.5).samples == 122
    found = v.search(lambda x: (x[0], 1 + x[0] ** 2 / 3), [(0, 5)], evaluations=200)
    assert found.numbers["ratio"] == pytest.approx(3**0.5 / 2, abs=1e-3)


def at_instances():
    fixed = torch.ones(1).double()

    def pair(a, b, says=True, **more):
        of = lambda x: (0 * x + a, 0 * x + b, torch.tensor(says))  # noqa: E731
        return v.attack(of, fixed, steps=0, **more).outcome

    assert pair(1 + 1e-9, 1.0) == "holds"
    assert pair(1 + 1e-7, 1.0) == "refuted"
    assert pair(1e3 + 1e-6, 1e3) == "holds"
    assert pair(1e-13, 0.0) == "holds"
    assert pair(2e-12, 0.0) == "refuted"
    assert pair(2e-13, 1e-13, floor=1e-15) == "refuted"
    assert pair(math.nan, 1.0) == pair(1.0, math.nan) == pair(math.inf, 1.0) == "refuted"
    assert pair(1.0, -math.inf) == "refuted"
    assert pair(math.inf, math.inf) == pair(1.0, math.inf) == pair(-math.inf, 1.0) == "holds"
    assert pair(1.0, 2.0, False) == "vacuous"
    assert pair(2.0, 1.0, False) == "refuted"


def outcomes_of_exact_checks():
    true = {"==": [2], "!=": [1, 3], "<=": [1, 2], "<": [1], ">=": [2, 3], ">": [3]}
    for relation, these in true.items():
        for left in (1, 2, 3):
            outcome = "holds" if left in these else "refuted"
            assert v.exactly(left, relation, 2).outcome == outcome
    assert v.exactly([3, 1], "<=", 2).numbers["fails"] == 1
    assert v.exactly([3, 1], "<=", 2).outcome == "refuted"


def outcomes_of_combinations():
    holds, false = v.everywhere([1], what="w"), v.everywhere([0], what="w")
    empty = v.inequality(1, 2, informative=False)
    assert v.combine([holds, false]).outcome == "refuted"
    assert v.combine([empty, holds]).outcome == "holds"
    assert v.combine([empty]).outcome == "vacuous"
    tight, loose = v.inequality(9, 10), v.inequality(1, 10)
    assert v.combine([loose, tight, holds]).margin == tight.margin
    assert v.only_on(holds, "digits", "MNIST").outcome == "open"
    assert v.only_on(holds, "MNIST", "MNIST").outcome == "holds"


def outcomes_of_tables():
    def compared(paper, low=0.9, high=1.3):
        row = {"label": "d", "paper": paper, "ours": 1.1, "low": low, "high": high}
        return v.reproduction(pd.DataFrame([row]))

    assert [compared(p).outcome for p in (0.9, 1.3)] == ["holds"] * 2
    assert [compared(p).reason for p in (0.89, 1.31)] == ["unlike print"] * 2
    assert compared(1.0, -math.inf, math.inf).reason == "too few"
    assert compared(1.0, -math.inf).outcome == compared(1.0, high=math.inf).outcome == "holds"
    assert compared(1.0).numbers["largest_difference"] == pytest.approx(0.1)
    assert compared(1.0).numbers["median_width"] == pytest.approx(0.2 / 1.1)


def plain_tests(*modules: ModuleType) -> list[Callable[[], object]]:
    """The tests that need no fixture, those of several rows row after row."""
    return [
        found
        for module in modules
        for name, test in vars(module).items()
        if name.startswith("test_") and not hasattr(test, "hypothesis")
        if (found := row_by_row(test)) is not None
    ]


PLAIN = plain_tests(test_verdicts, test_verdicts_data)
TWICE = plain_tests(test_verdicts_twice)
ATTACKS = [
    *plain_tests(test_verdicts_attacks_twice),
    test_verdicts_attacks.test_negative_sides_are_compared,
    test_verdicts_attacks.test_several_inequalities_at_once_the_tightest_counts,
    test_verdicts_attacks.test_infinity_bounds_everything,
    test_verdicts_attacks.test_rounding_is_no_refutation,
    test_verdicts_attacks.test_numbers_below_the_floor_do_not_hide_a_failure,
    test_verdicts_attacks.test_failures_of_tiny_numbers_are_counted_where_the_floor_forgives_them,
    test_verdicts_attacks.test_nothing_is_below_minus_infinity,
    test_verdicts_attacks.test_what_was_attacked_is_said_before_a_long_instance,
    test_verdicts_attacks.test_functions_of_all_starts_at_once,
]
EXACT = plain_tests(test_verdicts_exact)
PRINT = [*TWICE, *plain_tests(test_verdicts_printing)]
SEARCHES = [t for t in ATTACKS + plain_tests(test_verdicts_attacks) if "search" in t.__qualname__]
COVERED = [
    Covered(tables.agree, outcomes_of_tables),
    Covered(tables.reproduction, outcomes_of_tables, *TWICE, *PLAIN),
    Covered(checks.identity, outcomes_of_identities, *TWICE, *PLAIN),
    Covered(checks.inequality, outcomes_of_inequalities, *TWICE, *PLAIN),
    Covered(checks.room, outcomes_of_inequalities, *TWICE, *PLAIN),
    Covered(checks.everywhere, outcomes_of_properties, *TWICE, *PLAIN),
    Covered(chance.clopper_pearson, outcomes_of_probabilities, *TWICE, *PLAIN),
    Covered(chance.probability, outcomes_of_probabilities, *TWICE, *PLAIN),
    Covered(chance.mean_interval, outcomes_of_trends, *TWICE, *PLAIN),
    Covered(chance.trend, outcomes_of_trends, *TWICE, *PLAIN),
    Covered(chance._reason, outcomes_of_trends, *TWICE, *PLAIN),
    Covered(chance._rivals, outcomes_of_trends, *TWICE, *PLAIN),
    Covered(chance.exponents, outcomes_of_trends),
    Covered(attacks.attack, outcomes_of_attacks, *ATTACKS),
    Covered(attacks._Adam.update, outcomes_of_attacks, *ATTACKS),
    Covered(tightest.height, *ATTACKS),
    Covered(tightest.Tightest.see, at_instances, outcomes_of_attacks, *ATTACKS),
    Covered(tightest.Tightest.verdict, at_instances, *ATTACKS),
    Covered(certificates.exactly, outcomes_of_exact_checks, *TWICE, *EXACT),
    Covered(combining._rank, outcomes_of_combinations, *TWICE, *PLAIN),
    Covered(combining.only_on, outcomes_of_combinations),
    Covered(combining.combine, *TWICE, *PLAIN),
    Covered(combining.contrary, *TWICE, *PLAIN),
    Covered(combining._opposite, *TWICE, *PLAIN),
    Covered(combining._attacks, *TWICE, *PLAIN),
    Covered(combining._certificate, *TWICE, *PLAIN),
    Covered(certificates._decided, *TWICE, *EXACT),
    Covered(certificates._by_algebra, *TWICE, *EXACT),
    Covered(certificates._margin, *TWICE, *EXACT),
    Covered(attacks._size, *ATTACKS),
    Covered(attacks.search, outcomes_of_attacks, *SEARCHES),
    Covered(printing._numbers, *PRINT),
    Covered(printing._cell, *PRINT),
    Covered(printing._unit, *PRINT),
    Covered(printing._message, *PRINT),
    Covered(printing.against_print, *PRINT),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_check_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)


def test_each_survivor_of_the_checks_has_its_reason():
    assert all(all(list_of(covered).values()) for covered in COVERED)


@pytest.mark.parametrize("relation", ["==", "!=", "<=", "<", ">=", ">"])
def test_a_relation_that_is_wrong_is_noticed(relation, monkeypatch):
    outcomes_of_exact_checks()
    for other in ("==", "!=", "<=", "<", ">=", ">"):
        if other != relation:
            with monkeypatch.context() as patch:
                patch.setitem(certificates._COMPARE, relation, certificates._COMPARE[other])
                with pytest.raises(AssertionError):
                    outcomes_of_exact_checks()
