"""Flips, the best rank and the accuracy against exact means and Monte Carlo."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from featurebook.papers.icl_scale import facts, noise, quadrature
from featurebook.papers.icl_scale import regression as reg

PLANE = np.array([2.3, 0.7])


@pytest.mark.parametrize("mode", noise.FLIP_MODES)
def test_flip_risk_against_exact_mean(mode: str) -> None:
    assert_allclose(facts.flip_ratios(np.random.default_rng(0), 20, mode), 1, rtol=1e-12)


def test_mean_risk_against_exact_mean_over_tasks() -> None:
    v = reg.optimum(PLANE, 5, 2)
    exact = quadrature.risk(np.diag(v), PLANE, 2)
    assert noise.mean_flip_risk(PLANE, v, 2, 0.0, 0.0) == pytest.approx(exact, rel=1e-12)


def test_sensitivity_is_the_slope_of_the_exact_risk() -> None:
    v, w = reg.optimum(PLANE, 5, 1), np.array([0.3, 1.0])
    low, high = (quadrature.risk(np.diag(v), PLANE, 2, w=w, sigma=s) for s in (1.0, 2.0))
    assert noise.sensitivity(PLANE, v, 2) == pytest.approx((high - low) / 3, rel=1e-11)


def test_rule_finds_the_best_rank() -> None:
    assert facts.rule_agrees(6, 200, np.random.default_rng(1)).all()


def test_best_ranks_of_the_map() -> None:
    lam = reg.spectrum("1/i", 8)
    found = [noise.best_rank(lam, 1000, 16, s) for s in (0, 0.5, 1, 2, 4)]
    assert found == [5, 5, 4, 2, 0]


def test_crossings() -> None:
    lam = reg.spectrum("1/i", 8)
    settings = ((20, 16, 0.3643), (1000, 16, 0.1745), (1000, 64, 0.4414))
    for N, M, expected in settings:
        found = noise.crossing(lam, N, M, 0.0, 2, 8, "exact")
        assert found == pytest.approx(expected, abs=1e-4)
    assert noise.crossing(lam, 1000, 2, 5.0, 2, 8, "exact") == 0
    assert np.isnan(
        noise.crossing(np.array([1.0, 0.0]), 20, 16, 0.0, 1, 2, "independent") or np.nan
    )


def test_accuracy_against_the_bivariate_normal() -> None:
    lam, v = np.array([1.0, 0.5]), np.array([0.7, 0.9])
    b, w = np.array([0.4, -0.2]), np.array([1.0, 0.3])
    u = b * v
    rho = (u * lam) @ w / np.sqrt((u**2 @ lam) * (w**2 @ lam))
    expected = 2 * stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([0, 0])
    assert noise.sign_accuracy(b, w, lam, v) == pytest.approx(expected, abs=1e-7)
    assert noise.sign_accuracy(0 * b, w, lam, v) == 0.5


def test_contexts_have_the_mean_of_flipped_labels() -> None:
    lam = np.array([1.0, 0.5])
    w, b = noise.contexts(lam, 4, 0.5, 3, 40000, np.random.default_rng(2))
    slope = (b * w).mean(0)
    assert_allclose(slope, -0.5 * lam, atol=0.03)


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="must be one of"):
        noise.curvature(0.3, "some")
