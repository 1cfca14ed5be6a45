"""Closed forms against Monte Carlo and enumeration."""

import math

import numpy as np
import pytest
import torch
from scipy import stats

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import model, theory


def test_moment_over_all_masks_is_covariance_without_diagonal():
    Sigma = theory.covariance(model.hadamard_dictionary(2, 8), 0.2, 0.6)
    masks = theory.all_masks(8)
    moment = theory.mean_moment(Sigma, 2 * masks, 2 - 2 * masks, torch.full((256,), 1 / 256))
    torch.testing.assert_close(moment, theory.decoupled(Sigma))
    with pytest.raises(ValueError, match="n = 17"):
        theory.all_masks(17)


def test_masked_noise_push_against_monte_carlo(setting):
    g, n, bias = generator(4, "t"), 40_000, 0.35
    w = torch.randn(64, generator=g, dtype=torch.float64)
    v = torch.randn(64, generator=g, dtype=torch.float64)
    w = w / w.norm()
    keep = model.random_bits(g, 1, 64).double().expand(n, 64)
    Mz = (model.sample_codes(g, 1, 8, 0.5) @ setting.M.T).double().expand(n, 64)
    noise = setting.sigma * torch.randn(n, 64, generator=g, dtype=torch.float64)
    u, u_other = (2 * k * (Mz + noise) @ w for k in (keep, 1 - keep))
    drawn = model.soft_threshold(u_other, bias) * (u.abs() >= bias) * (2 * keep * noise @ v)
    exact = theory.masked_noise_push(w, v, bias, Mz[:1], keep[:1], setting.sigma)[0]
    assert abs(drawn.mean() - exact) < 5 * drawn.std() / math.sqrt(n)


def test_plain_noise_push_against_monte_carlo(setting):
    g, n, bias = generator(5, "t"), 40_000, 0.5
    w = torch.randn(64, generator=g, dtype=torch.float64) / 8
    x, z, noise = (a.double() for a in model.sample(g, setting, n))
    drawn = model.soft_threshold(x @ w, bias) * (noise @ w)
    exact = theory.plain_noise_push(w, w, bias, z @ setting.M.double().T, setting.sigma).mean()
    assert abs(drawn.mean() - exact) < 5 * drawn.std() / math.sqrt(n)


def test_loss_floor_against_monte_carlo():
    d, p, n_negatives, n = 6, 0.2, 20, 4000
    g = generator(7, "t")
    z = model.sample_codes(g, n, d, p)
    negatives = model.sample_codes(g, n * n_negatives, d, p).view(n, n_negatives, d)
    alike = ((negatives == z[:, None]) | (z[:, None] == 0)).all(2).sum(1)
    drawn = torch.log1p(alike.double())
    assert abs(drawn.mean() - theory.loss_floor(d, p, n_negatives)) < 5 * drawn.std() / math.sqrt(n)


def test_empty_code_loss_is_part_of_the_floor():
    d = 64
    part = float(theory.empty_code_loss(math.log(d), 1.0)[()])
    p = model.code_probability(d)
    assert part == pytest.approx((1 - p) ** d * math.log(1 + d**2))
    assert part < theory.loss_floor(d, p, d**2)


def test_bound_for_any_weights_is_below_its_binomial_form_and_tends_to_one():
    for d in (20, 100):
        counts = np.arange(d**2 + 1)
        mean = stats.binom.pmf(counts, d**2, 0.5) @ np.log1p(counts)
        bound = float(theory.any_weights_bound(math.log(d), 1.0)[()])
        exact = 0.5 * (1 - model.code_probability(d)) ** d * mean
        assert exact * 0.99 < bound < exact
    assert float(theory.any_weights_bound(1e8, 1.0)[()]) == pytest.approx(1, abs=1e-6)
    assert float(theory.any_weights_bound(1e8, 2.0)[()]) < 1e-6


@pytest.mark.parametrize(("scale", "bias"), [(0.1, 0.0), (0.6, 0.0), (0.6, 0.4), (3.0, 1.0)])
def test_masked_loss_without_atoms_is_above_the_bound_for_any_weights(setting, scale, bias):
    g, n, n_negatives = generator(34, "t"), 4000, 40
    W = scale * torch.randn(6, 64, generator=g)
    x, x_n = (model.sample_noise(g, setting, k) for k in (n, n_negatives))
    signs, b = model.random_mask(g, n, 64), torch.full((6,), bias)
    f, f_other, f_n = (model.features(W, b, y) for y in (x * (1 + signs), x * (1 - signs), x_n))
    loss = float(model.contrastive_loss(f, f_other, f_n, tau=1.0))
    assert loss > 0.5 * math.log((n_negatives + 1) / 2)


def test_no_atom_is_the_probability_of_an_empty_code():
    p = model.code_probability(64, 2.0)
    assert float(theory.no_atom(math.log(64), 2.0)[()]) == pytest.approx((1 - p) ** 64)
    assert float(theory.no_atom(400.0, 2.0)[()]) == pytest.approx(400.0**-2)


def test_log_lucky_exact_and_gaussian_branches_meet():
    below, above = theory.log_lucky([math.log(0.999e6), math.log(1.001e6)], c=2.02)
    assert below == pytest.approx(above, abs=0.01)


def test_printed_constants_leave_no_share():
    needs, allows = theory.share_window(0.01, 0.01)
    assert needs == pytest.approx(0.990395, abs=1e-6)
    assert allows == pytest.approx(0.990048, abs=1e-6)


def test_bites_says_from_where():
    log_d = np.array([1.0, 5.0, 10.0, 100.0])
    assert theory.bites(log_d, log_d > 0, what="w").outcome == "holds"
    assert theory.bites(log_d, log_d > 50, what="w").outcome == "vacuous"
    assert theory.bites(log_d, log_d < 50, what="w").outcome == "open"


def test_above_asks_for_the_whole_interval():
    assert theory.above([1.0, 1.1, 0.9], what="w").outcome == "trend"
    assert theory.above([1.0, -1.0, 0.5], what="w").outcome == "open"


@pytest.mark.parametrize(("least", "law"), [(0.0, "no difference (0)"), (0.5, "at most 0.5")])
def test_an_ordering_names_the_law_that_it_excludes(least: float, law: str) -> None:
    found = theory.above([1.0, 1.1, 0.9], what="w", least=least)
    assert (found.outcome, found.numbers["rival"]) == ("trend", least)
    assert f"excludes {law}" in found.measured
    near = theory.above([least + 1.0, least - 0.5, least + 0.5], what="w", least=least)
    assert near.outcome == "open"
    assert f"indistinguishable from {law}" in near.measured
    touching = theory.above([least, least, least], what="w", least=least)
    assert touching.outcome == "open"
