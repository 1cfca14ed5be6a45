"""Formulas against brute force, other formulas, and numbers worked out by hand."""

from fractions import Fraction
from math import comb, exp, isclose, sqrt

import numpy as np
import pytest
from numpy.polynomial import chebyshev

from featurebook.papers.looped_transformers import data, theory
from featurebook.papers.looped_transformers.attention import LoopedTransformer, prompt


def test_spectrum_of_wide_and_tall_matrices() -> None:
    rng = np.random.default_rng(0)
    for n, d in ((5, 3), (2, 4), (3, 3)):
        X = rng.standard_normal((n, d))
        lam, v = theory.spectrum(X)
        np.testing.assert_allclose(v * lam @ v.T, X.T @ X, atol=1e-12)
        assert (np.diff(lam) >= 0).all()
        np.testing.assert_allclose(lam, np.linalg.eigvalsh(X.T @ X), atol=1e-12)


def test_condition_number_is_that_of_the_gram_matrix() -> None:
    X = np.diag([1.0, 3.0])
    assert theory.condition_number(X) == pytest.approx(9.0)
    assert np.isinf(theory.condition_number(np.array([[1.0, 0.0]])))


def test_errors_against_the_loop_itself() -> None:
    rng = np.random.default_rng(1)
    X, theta = data.gaussian(rng, 4, 6, 3)
    y = np.einsum("kij,kj->ki", X, theta)
    lam, v = theory.spectrum(X)
    c2 = np.einsum("kij,ki->kj", v, theta) ** 2
    etas = [rng.uniform(0, 1.8, 4) / lam[:, -1] for _ in range(3)]
    found = LoopedTransformer.gradient_descent(6, 3)(prompt(X, y, 1.0), etas)
    signed = theory.prediction_error(lam, c2, etas)
    np.testing.assert_allclose((found * theta).sum(1) - 1, signed, atol=1e-12)
    squared = theory.parameter_error(lam, c2, etas)
    np.testing.assert_allclose(((found - theta) ** 2).sum(1), squared, atol=1e-12)


def test_errors_by_hand() -> None:
    """λ = (1, 4), weights (3/4, 1/4), steps 1/4 and 1/8: factors 21/32 and 0."""
    lam, weights, etas = np.array([1.0, 4.0]), np.array([0.75, 0.25]), [0.25, 0.125]
    np.testing.assert_allclose(theory.left_over(lam, etas), [21 / 32, 0.0])
    assert theory.prediction_error(lam, weights, etas) == pytest.approx(-63 / 128)
    assert theory.parameter_error(lam, weights, etas) == pytest.approx(0.75 * (21 / 32) ** 2)


def test_bounds_by_hand() -> None:
    assert theory.printed_bound(6, 3.0) == pytest.approx(exp(-1))
    assert theory.sharp_bound(2, 4.0) == pytest.approx(9 / 16)
    assert theory.best_step_bound(2, 3.0) == pytest.approx(1 / 4)


def test_best_step_bound_is_the_largest_factor_of_the_best_step() -> None:
    for kappa in (1.5, 4.0, 30.0):
        lam = np.linspace(1, kappa, 500)
        worst = np.abs(theory.left_over(lam, [2 / (1 + kappa)] * 3)).max()
        assert worst == pytest.approx(float(theory.best_step_bound(3, kappa)))


@pytest.mark.parametrize("T", [1, 2, 3, 4, 7, 8])
def test_chebyshev_against_the_polynomial(T: int) -> None:
    kappa = 12.0
    value = chebyshev.Chebyshev.basis(T)((kappa + 1) / (kappa - 1))
    assert theory.chebyshev_bound(T, kappa) == pytest.approx(1 / value)
    lam = np.linspace(2.0, 2.0 * kappa, 4001)
    steps = list(theory.chebyshev_steps(T, 2.0, 2.0 * kappa))
    at = chebyshev.Chebyshev.basis(T)((2 * lam - 2.0 * (kappa + 1)) / (2.0 * (kappa - 1)))
    np.testing.assert_allclose(theory.left_over(lam, steps), (-1) ** T * at / value, atol=1e-10)


def test_stable_order_is_a_permutation_that_does_not_amplify_rounding() -> None:
    """Neither the state after some loops nor an error made there may grow much."""
    stable = theory.chebyshev_steps(32, 1.0, 1000.0)
    plain = theory.chebyshev_steps(32, 1.0, 1000.0, stable=False)
    np.testing.assert_allclose(np.sort(stable), np.sort(plain))
    lam = np.linspace(1, 1000, 2000)

    def largest(steps: np.ndarray) -> float:
        ways = (steps, steps[::-1])
        return max(
            np.abs(theory.left_over(lam, list(s[:k]))).max() for s in ways for k in range(1, 33)
        )

    assert 1e6 * largest(stable) < largest(plain)


def test_allowed_steps_are_where_the_factor_meets_the_bound() -> None:
    for kappa in (1.0, 3.0, 50.0):
        low, high = theory.allowed_steps(kappa)
        assert 1 - low / kappa == pytest.approx(exp(-1 / (2 * kappa)))
        assert high - 1 == pytest.approx(exp(-1 / (2 * kappa)))
        assert low < 1 < high
    assert theory.allowed_steps(1e8)[0] == pytest.approx(0.5, abs=1e-6)


def test_isotropic_step_by_hand() -> None:
    assert theory.isotropic_step(16, 4) == pytest.approx(1 / 36)


def test_one_step_optimum_by_brute_force() -> None:
    """E(1 - ηλ)² from exact Wishart moments, E tr W = nd and E tr W² = nd(n + d + 1)."""
    n, d = 7, 3
    etas = np.linspace(0.01, 0.2, 20001)
    mean = 1 - 2 * etas * n + etas**2 * n * (n + d + 1)
    eta, error = theory.one_step_optimum(n, d)
    assert eta == pytest.approx(etas[mean.argmin()], abs=1e-5)
    assert error == pytest.approx(mean.min(), abs=1e-8)
    rng = np.random.default_rng(2)
    X = rng.standard_normal((40000, n, d))
    lam = np.linalg.eigvalsh(X.swapaxes(1, 2) @ X)
    assert ((1 - eta * lam) ** 2).mean() == pytest.approx(error, rel=0.02)


def test_mean_square_left_against_moments() -> None:
    """E λ^k for χ²_n is the product of n + 2i."""
    n, eta, T = 5, Fraction(1, 7), 3
    moments = [Fraction(1)]
    for k in range(2 * T):
        moments.append(moments[-1] * (n + 2 * k))
    expected = sum(comb(2 * T, k) * (-eta) ** k * m for k, m in enumerate(moments))
    assert theory.mean_square_left(n, eta, T) == expected
    assert theory.mean_square_left(n, eta, 0) == 1
    assert theory.mean_square_left(16, Fraction(1, 19), 1) == 1 - Fraction(32, 19) + Fraction(
        16 * 18, 19**2
    )


def test_quoted_bound_is_one_over_2_to_2T_at_the_quoted_examples() -> None:
    for T in (1, 2, 5):
        n = theory.quoted_examples(T, 4)
        assert 8 * T * 16 / sqrt(n) == pytest.approx(2.0 ** (-2 * T))
        assert theory.quoted_bound(T, 4, n) == pytest.approx(1.0)
    assert theory.quoted_examples(1, 4) == 262144
    assert isclose(float(theory.quoted_bound(2, 3, 100)), 8 * 2 * 9 * 16 / 10)


def test_noise_limit_against_least_squares() -> None:
    rng = np.random.default_rng(4)
    X, theta = data.gaussian(rng, 20000, 12, 2)
    noise = 0.3 * rng.standard_normal((20000, 12, 1))
    off = np.linalg.solve(X.swapaxes(1, 2) @ X, X.swapaxes(1, 2) @ noise)[..., 0]
    measured = ((off * theta).sum(1) ** 2).mean() ** 0.5
    assert measured == pytest.approx(theory.noise_limit(0.3, 12, 2), rel=0.03)
    assert theory.noise_limit(0.3, 12, 2) == pytest.approx(0.1)
