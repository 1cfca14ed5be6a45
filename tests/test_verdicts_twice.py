"""All that a check says, by hand: numbers, margins, the ends of ranges, sentences.

`test_verdicts` asks for outcomes.
"""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import sympy
import torch
from flint import arb

from featurebook import verdicts as v
from featurebook.verdicts import printing
from featurebook.verdicts.checks import room

INF, NAN = math.inf, math.nan


# without chance


@pytest.mark.parametrize(
    ("a", "b", "slack", "expected"),
    [
        (0.5, 1.0, 0.0, 0.5), (3.0, 2.0, 0.0, -1 / 3), (-1.0, 1.0, 0.0, 2.0), (0.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, 0.1, 1.0), (1.0, 1.0, 0.25, 0.25), (1.0, INF, 0.0, 1.0), (INF, 1.0, 0.0, -1.0),
        (-INF, 1.0, 0.0, 1.0), (INF, INF, 0.0, 0.0), (-INF, -INF, 0.0, 0.0), (NAN, 1.0, 0.0, -INF),
        (1.0, NAN, 0.0, -INF), (INF, NAN, 0.0, -INF),
    ],
)  # fmt: skip
def test_room_by_hand(a, b, slack, expected):
    assert room(a, b, slack) == pytest.approx(expected)
    if not slack:
        assert room(a, b) == pytest.approx(expected)


def test_numbers_of_identities_and_inequalities():
    assert v.identity(1.5, 1.0, tolerance=0.5).outcome == "holds"
    assert v.identity(0.25, 0.0, tolerance=0.5).numbers["largest_difference"] == 0.25
    for right, gap in ((1.05e-300, 1.0), (1e-300, 1e-300)):
        found = v.identity(0.0, right, tolerance=0.5).numbers["largest_difference"]
        assert found == pytest.approx(gap, abs=0)
    two = v.inequality([1, 2, 3], [4, 4, 4], informative=[1, 0, 1])
    assert two.numbers["informative_places"] == 2
    # both have the room 1/2 of slack; that without a margin is shown
    tie = v.inequality([1.0625, 1.0], [1.125, 1.0], slack=0.5)
    assert (tie.numbers["smaller_at_worst"], tie.margin) == (1.0, 0.5)
    assert v.everywhere([], what="w").numbers == {"true": 0}


def test_sentences_and_numbers_of_exact_relations():
    F = Fraction
    less = v.exactly([F(1, 3), F(1, 4)], "<=", F(1, 2))
    assert (less.numbers["smaller_at_worst"], less.numbers["larger_at_worst"]) == (1 / 3, 1 / 2)
    assert (less.reason, less.margin) == ("", pytest.approx(1 / 3))
    equal = v.exactly(3, "==", 5)
    assert equal.numbers == {"fails": 1, "undecided": 0, "difference": 2}
    assert equal.margin is v.exactly(3, "!=", 5).margin is None
    assert v.exactly(3, ">", 2).margin == pytest.approx(1 / 3)
    assert v.exactly(sympy.Symbol("a"), ">", 0).reason == "undecided"
    # sides of up to ninety characters are shown whole
    whole = v.exactly(10**43 - 1, "<", 10**43).measured
    assert whole.startswith("9" * 43 + " < 1" + "0" * 43 + ", exactly")
    assert "9" * 20 not in v.exactly(10**44 - 2, "<", 10**44 - 1).measured
    assert "00000" not in v.exactly(10**43, "<", 10**43 + 1).measured


# chance


@pytest.mark.parametrize("count", [(-1, 5), (6, 5), (0, 0), (-1, 0)])
def test_impossible_counts_are_refused(count):
    with pytest.raises(ValueError, match="successes in"):
        v.clopper_pearson(*count)


def test_counts_at_the_ends_of_their_range():
    assert v.clopper_pearson(0, 1) == pytest.approx((0, 0.995))
    assert v.clopper_pearson(1, 1) == pytest.approx((0.005, 1))


X = np.array([0.9, 1.0, 1.1])
HALF = 4.302653 * 0.1 / 3**0.5


def test_intervals_stay_within_their_range():
    assert v.mean_interval(X, within=(0.9, 1.1)) == (pytest.approx(1), 0.9, 1.1)
    assert v.mean_interval(X, within=(0, 2)) == pytest.approx((1, 1 - HALF, 1 + HALF))
    assert v.mean_interval([2.5], within=(0, 3)) == (2.5, 0, 3)


def test_numbers_of_a_trend():
    found = v.trend(X, expected=(0, 2), rival={"none": -1.0, "twice": 1.5}, what="w")
    numbers = {"mean": 1, "low": 1 - HALF, "high": 1 + HALF, "expected_low": 0, "expected_high": 2,
               "lowest": 0.9, "highest": 1.1, "rival": -1, "rival_2": 1.5}  # fmt: skip
    assert found.numbers == pytest.approx(numbers)
    assert found.margin == pytest.approx(1 - HALF / 0.5)
    assert v.trend([1.0, 1.0], expected=(0, 2), rival=1, what="w").margin == -INF
    pair = v.trend(X[:2], expected=(0, 2), rival=40, what="w")
    assert pair.margin == pytest.approx(1 - 12.706205 * 0.05 / 39.05)
    assert v.trend(X[:1], expected=(0, 2), rival=40, what="w").margin is None


def test_ends_of_a_claimed_range_belong_to_it():
    _, low, high = v.mean_interval(X)
    mean = float(X.mean())
    for rival in (low, high):
        assert v.trend(X, expected=(0, 2), rival=rival, what="w").reason == "not seen"
    for expected in ((-9, low), (high, 9)):
        assert v.trend(X, expected=expected, rival=99, what="w").reason == "straddles"
    assert v.trend(X, expected=(low, high), what="w").outcome == "trend"
    for expected in ((mean, 9), (-9, mean)):
        assert v.trend(X, expected=expected, rival=99, what="w").outcome == "trend"


@pytest.mark.parametrize(
    ("one", "below", "above"), [(1, 0.5, 1.5), (0.5, 0, 1), (0.7, 0.5, 1), (-0.2, -0.5, 0)]
)
def test_one_number_stands_against_the_nearest_multiples_of_a_half(one, below, above):
    numbers = v.trend([1.0, 2.0], expected=(one, one), what="w").numbers
    assert (numbers["rival"], numbers["rival_2"]) == (below, above)


# several parts, and tables


def test_a_part_that_refutes_without_rounding_comes_first():
    rounded, exact = v.inequality(9.0, 1.0, what="r"), v.exactly(3, "<=", 2, what="e")
    assert rounded.margin < exact.margin
    assert [p.title for p in v.combine([rounded, exact]).parts] == ["e", "r"]
    tight, proved = v.inequality(9, 10, what="t"), v.exactly(1, "<=", 2, what="p")
    assert [p.title for p in v.combine([proved, tight]).parts] == ["t", "p"]


def test_numbers_of_tables():
    def compared(paper, ours, low=0.0, high=3.0):
        rows = {"label": "d", "paper": paper, "ours": ours, "low": low, "high": high}
        return v.reproduction(pd.DataFrame(rows, index=range(len(paper)))).numbers

    assert compared([0.0, 2.0, 2.0], [0.0, 1.9, 2.2]) == pytest.approx(
        {"agreeing": 3, "median_difference": 0.05, "largest_difference": 0.1,
         "median_width": 1.5 / 1.9}
    )  # fmt: skip
    assert math.isnan(compared([1.0, 1.0], [1.0, NAN])["largest_difference"])
    empty = pd.DataFrame({c: [] for c in ("label", "paper", "ours", "low", "high")})
    assert v.reproduction(empty).numbers == {"agreeing": 0}


@pytest.mark.parametrize(
    ("runs", "outcome"),
    [  # claimed is [2, 3]; HALF is half of the interval's width
        (X + 1 - 2.001 * HALF, "contrary"), (X + 1 - 1.999 * HALF, "open"),
        (X + 2 + 2.001 * HALF, "contrary"), (X + 2 + 1.999 * HALF, "open"),
        ([1.0, 1.0, 1.0], "contrary"), ([4.0, 4.0, 4.0], "contrary"),
        ([2.0, 2.0, 2.0], "open"), ([3.0, 3.0, 3.0], "open"), ([1.0, 1.0], "open"),
    ],
)  # fmt: skip
def test_contrary_is_half_an_interval_beyond_the_range(runs, outcome):
    failed = v.everywhere([0], what="w")
    assert v.contrary(failed, runs=runs, claimed=(2, 3)).outcome == outcome


@pytest.mark.parametrize("more", [{"runs": [1.0, 1, 1]}, {"claimed": (2, 3)}])
def test_contrary_needs_runs_and_a_range(more):
    with pytest.raises(ValueError, match="both of runs and claimed"):
        v.contrary(v.everywhere([0], what="w"), **more)


def test_attacks_of_parts_are_added():
    def tried(bound):
        start = torch.ones(3).double()
        return v.attack(lambda x: (x, bound * x), start, steps=1, what="w")

    both = v.combine([tried(2.0), tried(4.0), v.everywhere([1], what="w")]).attack
    assert (both["starts"], both["evaluations"], both["ratio"]) == (6, 12, 0.5)
    assert both["parts"] == "2 of 3"
    assert "parts" not in v.combine([tried(2.0), tried(4.0)]).attack


@pytest.mark.parametrize(
    ("left", "relation", "right", "outcome"),
    [
        (arb("inf"), ">", 2, "open"), (2, "<", arb("inf"), "open"),
        (sympy.pi, "==", 3, "refuted"), (sympy.pi, "!=", 3, "holds"), (3, "!=", sympy.pi, "holds"),
        (sympy.pi - sympy.pi, "==", 0, "holds"), (sympy.pi, ">=", sympy.pi, "holds"),
        (sympy.pi, "<", sympy.pi, "refuted"), (sympy.pi, "!=", sympy.pi, "refuted"),
        (sympy.Symbol("a"), "==", sympy.Symbol("b"), "refuted"),
        (sympy.Symbol("p", positive=True), "!=", 0, "holds"),
        (sympy.Symbol("p", negative=True), "<=", 0, "holds"),
        (sympy.Symbol("a"), "<", 0, "open"),
    ],
)  # fmt: skip
def test_relations_of_balls_and_formulas(left, relation, right, outcome):
    assert v.exactly(left, relation, right).outcome == outcome


def test_formulas_without_a_value_have_no_margin():
    positive = sympy.Symbol("p", positive=True)
    assert v.exactly(positive, ">", 0).margin == v.exactly(0, "<", positive).margin == 0
    assert v.exactly(sympy.pi, ">=", 2).margin == pytest.approx((math.pi - 2) / math.pi)


def test_a_printed_number_within_its_tolerance():
    one = printing.against_print({"n": "1.0"}, {"n": [1.25, 1.25]}, spread=0.125)
    assert one.outcome == "holds"  # exactly twice the spread away
    near, far = (
        printing.against_print({"n": "1.0"}, {"n": [1 + off] * 2}).outcome
        for off in (0.05 + 1e-12, 0.05 + 1e-9)
    )
    assert (near, far) == ("holds", "open")
    single = printing.against_print({"n": 1.0, "m": "2"}, {"n": 1.05, "m": 2.3}, spread=0.1)
    assert single.cells[0]["tolerance"] == 0.2
    alone = printing.against_print({"n": "1.0"}, {"n": 1.0})
    assert (alone.reason, math.isnan(alone.cells[0]["tolerance"])) == ("too few", True)


def test_units_and_deviating_cells_of_print():
    paper = {"a": "1.00", "b": 2.5, "c": 3}
    ours = {label: [float(x)] * 2 for label, x in paper.items()}
    found = printing.against_print(paper, ours)
    assert [c["tolerance"] for c in found.cells] == pytest.approx([0.005] * 3)
    words = printing.against_print({"a": "1.00", "b": "25"}, {"a": [1.0] * 2, "b": [25.0] * 2})
    assert [c["tolerance"] for c in words.cells] == pytest.approx([0.005, 0.5])
    for count, detail in ((3, "n2, n1, n0"), (4, "n3, n2, n1, …")):
        numbers = {f"n{k}": "1" for k in range(count)}
        off = printing.against_print(numbers, {f"n{k}": [3.0 + k] * 2 for k in range(count)})
        assert off.detail == detail


def test_messages_of_print_are_seen_or_not():
    found = printing.against_print({"n": "1"}, {"n": [1.0] * 2}, messages={"m": True, "k": False})
    assert [(p.title, p.outcome, p.samples) for p in found.parts[:1]] == [("k", "open", 1)]
    assert (found.numbers["messages"], found.numbers["true_messages"]) == (2, 1)


@pytest.mark.parametrize("runs", [[4.0, 5.0, 6.0], [2.0, 4.0, 6.0, 8.0]])
def test_contrary_at_exactly_half_an_interval(runs):
    _, low, high = v.mean_interval(runs)
    half, failed = (high - low) / 2, v.everywhere([0], what="w")
    assert low - (low - half) == (high + half) - high == half
    for claimed in ((-99, low - half), (high + half, 99)):
        assert v.contrary(failed, runs=runs, claimed=claimed).outcome == "contrary"
