"""Condition numbers of random prompts against brute force."""

from math import exp, sqrt

import numpy as np
import pytest

from featurebook.papers.looped_transformers import data, printed, randmat


def test_wishart_has_the_moments_of_a_gram_matrix() -> None:
    """E W = nI; E W_12² = n; E W_11² = n(n + 2)."""
    W = randmat.wishart(np.random.default_rng(0), 40000, 6, 3)
    np.testing.assert_allclose(W.mean(0), 6 * np.eye(3), atol=0.1)
    assert (W[:, 0, 1] ** 2).mean() == pytest.approx(6, rel=0.05)
    assert (W[:, 2, 2] ** 2).mean() == pytest.approx(48, rel=0.05)
    with pytest.raises(ValueError, match="needs n >= d"):
        randmat.wishart(np.random.default_rng(0), 1, 2, 3)


def test_kappas_have_the_law_of_drawn_prompts() -> None:
    rng = np.random.default_rng(1)
    X = rng.standard_normal((20000, 16, 4))
    lam = np.linalg.eigvalsh(X.swapaxes(1, 2) @ X)
    drawn = np.quantile(lam[:, -1] / lam[:, 0], [0.1, 0.5, 0.9])
    ours = np.quantile(randmat.kappas(rng, 20000, 16, 4), [0.1, 0.5, 0.9])
    np.testing.assert_allclose(ours, drawn, rtol=0.03)


def test_huge_n_costs_nothing() -> None:
    kappa = randmat.kappas(np.random.default_rng(2), 100, 10**18, 4)
    assert (kappa < 1 + 1e-7).all()


def test_edges_and_limit_by_hand() -> None:
    assert randmat.edges(16, 4) == (pytest.approx(4.0), pytest.approx(36.0))
    assert randmat.limit(0.5) == pytest.approx(9.0)


def test_spectrum_of_a_large_prompt_ends_at_the_edges() -> None:
    lam = randmat.eigenvalues(np.random.default_rng(3), 3, 1200, 300)
    low, high = randmat.edges(1200, 300)
    np.testing.assert_allclose(lam[:, 0], low, rtol=0.1)
    np.testing.assert_allclose(lam[:, -1], high, rtol=0.1)


def test_kappa_bound_by_hand() -> None:
    """n = 100, d = 4, δ = 2e⁻²: t = 2, so ε' = 0.4."""
    assert randmat.kappa_bound(100, 4, 2 * exp(-2)) == pytest.approx((1.4 / 0.6) ** 2)
    assert randmat.kappa_bound(21, 4, 0.05) == float("inf")  # ε' = 1.03


def test_means_of_ten() -> None:
    np.testing.assert_allclose(randmat.means_of_ten(np.arange(25), 10), [4.5, 14.5])


def test_joint_distance_of_normal_averages() -> None:
    rng = np.random.default_rng(4)
    draws = [rng.standard_normal(200000) for _ in range(2)]
    z, distance, p = randmat.joint_distance([0.1 * sqrt(10), -0.15 * sqrt(10)], draws)
    np.testing.assert_allclose(z, [1.0, -1.5], atol=0.05)
    assert distance == pytest.approx((z**2).sum())
    assert p == pytest.approx(exp(-1.625), abs=0.02)  # χ² with two degrees of freedom


def test_curves_against_powers() -> None:
    rng = np.random.default_rng(5)
    X, theta = data.gaussian(rng, 3, 9, 3)
    logs, kappa = randmat.curves(X, theta, 4)
    for k in range(3):
        gram = X[k].T @ X[k]
        lam = np.linalg.eigvalsh(gram)
        step = np.eye(3) - gram / lam[-1]
        for t in range(5):
            left = np.linalg.matrix_power(step, t) @ theta[k]
            assert logs[k, t] == pytest.approx(np.log(left @ left), abs=1e-9)
        assert kappa[k] == pytest.approx(lam[-1] / lam[0])


def test_curves_have_no_floor() -> None:
    lam, weight = np.array([[1.0, 2.0]]), np.array([[0.5, 0.5]])
    logs = randmat.spectral_curves(lam, weight, 2000)
    assert logs[0, 2000] == pytest.approx(np.log(0.5) + 4000 * np.log(0.5))


def test_printed_numbers() -> None:
    """Section 8.6: the average κ values are {4.57, 3.13, 2.07, 1.62} for n = {16, 32, 64, 128}."""
    assert printed.KAPPA == {16: 4.57, 32: 3.13, 64: 2.07, 128: 1.62}
    assert printed.LOOPS == 200
