"""What the checks compute by themselves, against numbers by hand."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import checks, data, hardness


def test_a_large_step_forgets_the_old_weights_and_a_tiny_one_leaves_rounding() -> None:
    slope = (torch.arange(20) < 3).double().expand(8, -1)  # along the relevant patterns
    large, tiny = (
        checks.six_methods.rounded_cosine(slope, step, 3, generator(0, "round"), 100)
        for step in (1.0, 1e-12)
    )
    assert large > 0.999
    assert tiny < 0.5


def test_moderate_neurons() -> None:
    q = torch.tensor([[9.0, 1.0, 1.0], [0.0, 0.1, 0.1], [0.0, 2.0, 2.0]])
    assert checks.initial.moderate(q, 1).tolist() == [True, False, False]


def test_queries_of_theorem_4() -> None:
    assert checks.queries.queries_needed(100, 5) == pytest.approx(211.1, abs=0.1)
    assert (3 * math.comb(100, 5)) ** (1 / 3) == pytest.approx(609.0, abs=0.1)


def test_errors_of_functions_of_the_number_of_patterns() -> None:
    queries = checks.queries
    labels = queries.labels_of(5)
    assert labels == [(1, 2, 5), (1, 3, 5), (2, 4, 5), (3, 4, 5)]
    most = max(queries.error_of(100, 5, P, queries.CHANGES) for P in labels)
    assert float(Fraction(1, 2) - most) == pytest.approx(1.16660e-5, rel=1e-5)
    assert float(queries.error_of(1001, 1, (1,), [501])) == pytest.approx(0.4873874909, abs=1e-10)
    bits = torch.tensor(list(itertools.product([0, 1], repeat=6)))
    relevant, t = bits[:, :3].sum(1), bits.sum(1)
    wrong = torch.isin(relevant, torch.tensor([1, 3])) != (t >= 3)
    assert queries.error_of(6, 3, (1, 3), [3]) == Fraction(int(wrong.sum()), 64)
    assert checks.queries.query_bounds().iloc[:, 0].is_monotonic_increasing


def test_gradient_powers_are_those_of_each_subset() -> None:
    study = checks.claims.at(cube_size=6, seed=0)
    powers = study["gradient_powers"]
    z, w = hardness.cube(6), study["random_features"]["probes"][0]
    before = z @ w + 0.1
    push = z * ((before > 0) & (before < 1)).double()[:, None]
    signals = [
        float(((z[:, list(A)].prod(1)[:, None] * push).mean(0) ** 2).sum())
        for A in itertools.combinations(range(6), 3)
    ]
    assert powers["mean"][0, 0] == pytest.approx(np.mean(signals))
    assert (powers["mean"] <= powers["bound"]).all()


def test_probability_of_failure_in_the_table_of_sizes() -> None:
    table = checks.classifier.sizes_by_k()
    assert table.loc[5, "least D"] == 80
    assert table.loc[5, "c = 1"] == pytest.approx(1 - math.exp(-5))
    assert pytest.approx(0.0473, abs=1e-4) == checks.classifier.CHERNOFF


def test_settings_keep_the_proportions_of_the_paper() -> None:
    base = {"D": 100, "k": 5, "m": 300, "n": 50_000, "n_test": 2000, "T": 600, "batch": 500}
    rates = {"gain": 25.0, "eta": 1.0, "eta_rf": 1.0, "eta_ntk": 0.001}
    found = checks.claims.at(**base, **rates)["other_settings"]
    sizes = {name: (x.n, x.m) for (_, name), x in found.items()}
    assert sizes["n=25000"] == (25_000, 300)
    assert sizes["n=10000"] == (10_000, 50)
    interval = found[2, "interval"]
    assert (interval.structured.k, interval.m, interval.steps) == (30, 100, 200)
    for share in (0.8, 0.9):
        dist = found[4, f"negative share {share}"].structured
        assert dist.mean_label == pytest.approx(1 - 2 * share)


def test_students_who_have_not_learned_decide_nothing() -> None:
    found = checks.photographs.everywhere([True], what="x")
    few, many = ({"alone": pd.Series([0.4, 0.9])}, {"alone": pd.Series([0.6, 0.9])})
    assert checks.photographs.unless_learned(found, few).outcome == "open"
    assert checks.photographs.unless_learned(found, many).outcome == "holds"


def test_the_printed_form_of_the_inputs_is_wrong_and_the_corrected_one_right() -> None:
    study = checks.claims.at(seed=3)
    assert study.check("normalisation").outcome == "refuted"
    assert study.check("normalisation-corrected").outcome == "holds"
    assert data.parity_mixture(12, 5).gamma == 0.25
