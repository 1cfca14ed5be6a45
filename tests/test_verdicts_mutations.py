"""The checks themselves, broken one place at a time: each break is noticed."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import stats

from featurebook import verdicts as v
from featurebook.verdicts import attacks, certificates, chance, checks, combining, tables, tightest
from mutation import Mutation, assert_noticed


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


MUTATIONS = [
    Mutation(tables.agree, "cells.low <= cells.paper", "True", outcomes_of_tables),
    Mutation(tables.agree, "cells.paper <= cells.high", "True", outcomes_of_tables),
    Mutation(tables.agree, "np.isinf(cells.low) & np.isinf(cells.high)", "False",
             outcomes_of_tables),
    Mutation(tables.agree, "np.isinf(cells.low) & ", "", outcomes_of_tables),
    Mutation(tables.reproduction, "/ np.abs(table.paper)", "/ np.abs(table.ours)",
             outcomes_of_tables),
    Mutation(tables.reproduction, "/ 2 /", "/", outcomes_of_tables),
    Mutation(checks.identity, "gap <= tolerance", "gap <= 2 * tolerance", outcomes_of_identities),
    Mutation(checks.identity, "gap <= tolerance", "gap <= tolerance / 2", outcomes_of_identities),
    Mutation(checks.identity, "np.abs(b).max()", "1.0", outcomes_of_identities),
    Mutation(checks.identity, 1e-300, 1e60, outcomes_of_identities),
    Mutation(checks.inequality, "-slack", "-2 * slack", outcomes_of_inequalities),
    Mutation(checks.inequality, "-slack", "slack", outcomes_of_inequalities),
    Mutation(checks.inequality, "~(margin >= -slack)", "margin < -slack", outcomes_of_inequalities),
    Mutation(checks.inequality, "says.any()", "says.all()", outcomes_of_inequalities),
    Mutation(checks.inequality, "says.any()", "True", outcomes_of_inequalities),
    Mutation(checks.inequality, "argmin", "argmax", outcomes_of_inequalities),
    Mutation(checks.room, "b + slack - a", "b - slack - a", outcomes_of_inequalities),
    Mutation(checks.room, "np.maximum(np.abs(a), np.abs(b))", "np.abs(b)",
             outcomes_of_inequalities),
    Mutation(checks.everywhere, "true == ok.size", "true > 0", outcomes_of_properties),
    Mutation(checks.everywhere, "true / ok.size", "1.0", outcomes_of_properties),
    Mutation(chance.clopper_pearson, "(confidence", "(0.95", outcomes_of_probabilities),
    Mutation(chance.clopper_pearson, "'exact'", "'wilson'", outcomes_of_probabilities),
    Mutation(chance.probability, "low >= bound", "high >= bound", outcomes_of_probabilities),
    Mutation(chance.probability, "high < bound", "low < bound", outcomes_of_probabilities),
    Mutation(chance.probability, "high <= bound", "low <= bound", outcomes_of_probabilities),
    Mutation(chance.probability, "low > bound", "high > bound", outcomes_of_probabilities),
    Mutation(chance.probability, "bound <= 0", "bound <= 0.01", outcomes_of_probabilities),
    Mutation(chance.probability, "bound >= 1", "bound >= 1.01", outcomes_of_probabilities),
    Mutation(chance.mean_interval, "ddof=1", "ddof=0", outcomes_of_trends),
    Mutation(chance.mean_interval, "(1 + confidence) / 2", "confidence", outcomes_of_trends),
    Mutation(chance.mean_interval, "1 / x.size", "1 / (x.size - 1)", outcomes_of_trends),
    Mutation(chance.mean_interval, "1.0 if next_value", "0.5 if next_value", outcomes_of_trends),
    Mutation(chance.mean_interval, "x.size - 1", "x.size", outcomes_of_trends),
    Mutation(chance.trend, "r[1] < low", "r[1] < mean", outcomes_of_trends),
    Mutation(chance.trend, "r[1] > high", "r[1] > mean", outcomes_of_trends),
    Mutation(chance.trend, "x.size < 2", "x.size < 3", outcomes_of_trends),
    Mutation(chance.trend, "x.size < 2", "x.size < 1", outcomes_of_trends),
    Mutation(chance._reason, "lower <= mean <= upper", "lower <= mean", outcomes_of_trends),
    Mutation(chance._reason, "lower <= mean <= upper", "mean <= upper", outcomes_of_trends),
    Mutation(chance._reason, "lower <= low", "lower <= mean", outcomes_of_trends),
    Mutation(chance._reason, "high <= upper", "mean <= upper", outcomes_of_trends),
    Mutation(chance._reason, "'not seen' if near", "'' if near", outcomes_of_trends),
    Mutation(chance._rivals, "2 * lower - 1", "2 * lower - 2", outcomes_of_trends),
    Mutation(chance._rivals, "2 * lower + 1", "2 * lower + 2", outcomes_of_trends),
    Mutation(chance.exponents, "(u @ u)", "(u @ v.T)", outcomes_of_trends),
    Mutation(chance.exponents, "u - u.mean()", "u", outcomes_of_trends),
    Mutation(attacks.attack, "steps + 1", "1", outcomes_of_attacks),
    Mutation(attacks._Adam.update, "x += ", "x -= ", outcomes_of_attacks),
    Mutation(attacks._Adam.update, "rate * self.sizes[k] * up", "0 * up", outcomes_of_attacks),
    Mutation(tightest.height, "torch.asinh(b * UNIT)", "0 * b", outcomes_of_attacks),
    Mutation(tightest.Tightest.see, "+ self.floor", "", at_instances),
    Mutation(tightest.Tightest.see, "self.slack * ", "10 * self.slack * ", at_instances),
    Mutation(tightest.Tightest.see, "self.slack * ", "0 * ", at_instances),
    Mutation(tightest.Tightest.see, "~(a <= b)", "a > b", at_instances),
    Mutation(tightest.Tightest.see, "np.isfinite(size) & ", "", at_instances),
    Mutation(tightest.Tightest.see, "over & ~kept", "over", at_instances),
    Mutation(tightest.Tightest.see, "len(a)", "1", outcomes_of_attacks),
    Mutation(tightest.Tightest.verdict, "if self.fails else", "if False else", at_instances),
    Mutation(tightest.Tightest.verdict, "if self.informative", "if True", at_instances),
    Mutation(certificates.exactly, "'refuted' if fails", "'refuted' if fails > 1",
             outcomes_of_exact_checks),
    Mutation(combining._rank, "GRAVITY.index(part.outcome)", "0", outcomes_of_combinations),
    Mutation(combining._rank, "else part.margin", "else -part.margin", outcomes_of_combinations),
    Mutation(combining.only_on, "startswith(named)", "startswith('')", outcomes_of_combinations),
]  # fmt: skip


@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_no_mutation_survives(mutation):
    assert_noticed(mutation)


@pytest.mark.parametrize("relation", ["==", "!=", "<=", "<", ">=", ">"])
def test_a_relation_that_is_wrong_is_noticed(relation, monkeypatch):
    outcomes_of_exact_checks()
    for other in ("==", "!=", "<=", "<", ">=", ">"):
        if other != relation:
            with monkeypatch.context() as patch:
                patch.setitem(certificates._COMPARE, relation, certificates._COMPARE[other])
                with pytest.raises(AssertionError):
                    outcomes_of_exact_checks()
