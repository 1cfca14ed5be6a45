"""What is decided without rounding: fractions, formulas, balls."""

import json
from fractions import Fraction

import numpy as np
import pytest
import sympy
import torch
from flint import arb, fmpq, fmpz

from featurebook import verdicts
from featurebook.verdicts import exactly

F = Fraction


@pytest.mark.parametrize(
    ("left", "relation", "right", "outcome"),
    [
        (F(1, 3), "<=", F(1, 2), "holds"),
        (F(1, 3), "==", F(2, 6), "holds"),
        (F(1, 3), "!=", F(1, 3), "refuted"),
        (1, "<", 1, "refuted"),
        (1, ">=", 1, "holds"),
        (fmpq(1, 3), "<", F(1, 2), "holds"),
        (fmpz(2), ">", 3, "refuted"),
        (10**40, "<", 10**40 + 1, "holds"),  # doubles do not tell these apart
        (F(1, 3), "==", F(1, 3) + F(1, 10**30), "refuted"),
        (sympy.sqrt(2) ** 2, "==", 2, "holds"),
        (sympy.sqrt(2) + sympy.sqrt(3), "==", sympy.sqrt(5 + 2 * sympy.sqrt(6)), "holds"),
        (sympy.pi, "<", F(22, 7), "holds"),
        (sympy.pi, ">", F(22, 7), "refuted"),
        (arb(2).sqrt(), "<=", F(3, 2), "holds"),
        (arb(2).sqrt(), ">=", F(3, 2), "refuted"),
        (arb(2).sqrt() ** 2, "==", 2, "open"),
        (arb(2).sqrt() ** 2, "<=", 2, "open"),
        (arb(2).sqrt(), "!=", 1, "holds"),
        (arb(2).sqrt(), "==", 1, "refuted"),
        (arb(2).sqrt(), "==", arb(2).sqrt(), "open"),
        (arb(4).sqrt(), "==", 2, "holds"),
        (arb("nan"), "<=", 2, "open"),
    ],
)
def test_one_relation(left, relation, right, outcome):
    found = exactly(left, relation, right)
    assert found.outcome == outcome
    assert found.reason == ("undecided" if outcome == "open" else "")
    assert bool(found.certificate) == (outcome != "open")
    json.dumps(found.as_dict(), allow_nan=False)


def test_an_identity_in_symbols():
    a, b = sympy.symbols("a b")
    square = exactly((a + b) ** 2, "==", a**2 + 2 * a * b + b**2)
    assert (square.outcome, square.certificate) == ("holds", "proved by computer algebra")
    assert exactly((a + b) ** 2, "==", a**2 + a * b + b**2).outcome == "refuted"
    angle = sympy.symbols("t", real=True)
    assert exactly(sympy.cos(angle) ** 2, "==", 1 - sympy.sin(angle) ** 2).outcome == "holds"
    positive = sympy.symbols("p", positive=True)
    assert exactly(positive, ">", 0).outcome == "holds"
    assert exactly(a, ">", 0).outcome == "open"


def test_many_at_once_and_the_tightest_is_shown():
    found = exactly([F(1, 3), F(3, 7), F(1, 9)], "<=", F(1, 2), what="shares")
    assert found.outcome == "holds"
    assert found.samples == 3
    assert found.measured == "3/7 ≤ 1/2, exactly, in the tightest of 3 cases: shares"
    assert found.margin == pytest.approx(1 / 7)
    assert found.certificate == "proved by exact arithmetic"
    bad = exactly([1, 2, 3], ">=", [1, 3, 2], what="order")
    assert bad.measured == "2 < 3, exactly, in 1 of 3 cases: order"
    assert (bad.numbers["smaller_at_worst"], bad.numbers["larger_at_worst"]) == (3, 2)
    assert bad.margin < 0


def test_a_bound_that_is_attained_names_its_number_once():
    found = exactly([F(1, 3), F(1, 2)], "<=", F(1, 2))
    assert found.measured == "both sides are 1/2, exactly, in the tighter of 2 cases"


def test_beside_zero_the_nearest_number_is_the_tightest():
    assert exactly([280, 3, 50], ">", 0).measured.startswith("3 > 0, exactly, in the tightest")
    assert exactly([-5, -3, 50], ">", 0).measured.startswith("−5 ≤ 0, exactly, in the worse")
    assert exactly(0, "<", [280, 3, 50]).measured.startswith("0 < 3, exactly, in the tightest")


def test_large_whole_numbers_are_rounded_where_that_tells_them_apart():
    assert exactly(4 * 10**10, "<=", 655_360_000_000).measured.startswith("4·10¹⁰ ≤ 6.5536·10¹¹")
    close = exactly(7_049_707_520, "<", 7_049_707_521)
    assert close.measured.startswith("7,049,707,520 < 7,049,707,521")


def test_what_fails_everywhere_fails_in_each_case():
    both = exactly([3, 2], "<=", 1)
    assert both.measured == "3 > 1, exactly, in the worse of 2 cases, both of which fail"
    some = exactly([3, 2, 1], "==", 1)
    assert some.measured.endswith(", exactly; false in 2 of 3 cases")
    nothing = exactly([0, 0, 0], "!=", 0)
    assert nothing.measured == "both sides are equal, exactly, in each of 3 cases"


def test_a_failure_outweighs_what_is_open():
    found = exactly([arb(2).sqrt() ** 2, arb(3)], "<=", 2)
    assert (found.outcome, found.numbers["undecided"]) == ("refuted", 1)


def test_the_instance_is_kept():
    found = exactly(2, ">", 1, instance={"w": [F(1, 3), 2], "gain": sympy.sqrt(2)})
    assert found.as_dict()["instance"] == {"w": ["1/3", 2], "gain": "sqrt(2)"}


@pytest.mark.parametrize("rounded", [0.5, np.float64(0.1), [1, 0.5], sympy.Float(0.5)])
def test_floats_are_refused(rounded):
    with pytest.raises(TypeError, match=r"not exact|was rounded"):
        exactly(rounded, "<=", 1)


def test_an_unknown_relation_is_refused():
    with pytest.raises(ValueError, match="no relation"):
        exactly(1, "=", 1)  # type: ignore[arg-type]


def test_nothing_is_open():
    assert exactly([], "<=", 1).reason == "nothing tried"


def test_matrices_of_fractions_multiply():
    W = verdicts.rationals(torch.tensor([[0.5, 0.25], [1.0, -0.125]]))
    assert W.shape == (2, 2)
    assert (W @ W)[0, 0] == F(1, 2)
    assert exactly(W @ W, "==", np.array([[F(1, 2), F(3, 32)], [F(3, 8), F(17, 64)]])).outcome == (
        "holds"
    )
    assert verdicts.rationals(0.1)[()] != F(1, 10)
    assert verdicts.rationals(0.1, 100)[()] == F(1, 10)
    assert verdicts.rationals(["0.1"])[0] == F(1, 10)


def test_balls_contain_what_they_stand_for():
    x = verdicts.balls([0.5, 3.0])
    assert exactly(x[1].exp(), "<", F(2009, 100)).outcome == "holds"
    assert verdicts.balls([F(1, 3)])[0].contains(fmpq(1, 3))
