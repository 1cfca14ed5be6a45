"""The regression half against exact quadrature, hand-made numbers and the whole matrices."""

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose

from featurebook.papers.icl_scale import facts, quadrature
from featurebook.papers.icl_scale import regression as reg

PLANE = np.array([2.3, 0.7])


def test_loss_against_exact_mean() -> None:
    assert_allclose(facts.loss_ratios(np.random.default_rng(0)), 1, rtol=1e-12)


def test_risk_against_exact_mean() -> None:
    for N in (3, 20):
        assert_allclose(facts.risk_ratios(np.random.default_rng(1), N), 1, rtol=1e-12)


def test_gap_against_exact_mean() -> None:
    exact, formula = facts.gap_pairs(np.random.default_rng(2), 7)
    assert_allclose(exact, formula, atol=1e-12)


def test_quadrature_against_moments_of_a_gaussian() -> None:
    nodes, weights = quadrature.gaussians(2)
    assert_allclose(weights @ nodes**4, [3, 3])
    assert_allclose(weights @ (nodes[:, 0] ** 2 * nodes[:, 1] ** 2), 1)
    nodes, weights = quadrature.gaussians(1, points=4)
    assert_allclose(weights @ nodes[:, 0] ** 6, 15)


def test_matrix_entry_against_formula() -> None:
    rng = np.random.default_rng(3)
    for sides in (
        facts.predictions(3, 5, 10, rng),
        facts.reduced_predictions(3, 5, 10, rng),
    ):
        assert_allclose(*sides, rtol=1e-9)


def test_prediction_by_hand() -> None:
    E = reg.prompt(np.array([[2.0]]), np.array([3.0]), np.array([5.0]))
    assert reg.attention(E, *reg.blocks(np.array([[0.5]]), 2.0), 1)[1, 1] == 2 * 6 * 0.5 * 5


def test_excess_is_the_difference_to_the_least_loss() -> None:
    left, right = facts.excess_pairs(4, 9, np.random.default_rng(4))
    assert_allclose(left, right, rtol=1e-11)


def test_excess_is_tried_on_singular_spectra(monkeypatch: pytest.MonkeyPatch) -> None:
    spectra, loss = [], reg.loss
    monkeypatch.setattr(
        reg, "loss", lambda U, u, lam, N: (spectra.append(lam.copy()), loss(U, u, lam, N))[1]
    )
    facts.excess_pairs(4, 9, np.random.default_rng(4))
    assert [int((lam == 0).sum()) for lam in spectra] == [2, 0, 0] * 3


def test_two_terms_of_the_risk() -> None:
    lam, w = np.array([2.3, 0.7]), np.array([1.1, -0.6])
    left_over, bracket = facts.two_terms(lam, w, 0.5, 10**9)
    energy = w**2 * lam
    assert_allclose(left_over, [energy.sum(), energy[1], 0], atol=1e-8)
    covered = np.array([0, energy[0], energy.sum()])
    assert_allclose(bracket, covered + np.arange(3) * (energy.sum() + 0.25), rtol=1e-7, atol=1e-8)


def test_optimum_is_the_truncated_svd() -> None:
    rng = np.random.default_rng(5)
    lam, Q = facts.random_spectrum(4, rng), reg.rotation(4, rng)
    for r in range(5):
        expected = Q * reg.optimum(lam, 9, r) @ Q.T
        assert_allclose(reg.by_truncation(Q * lam @ Q.T, 9, r), expected, atol=1e-10)


def test_optimum_by_hand() -> None:
    assert_allclose(reg.optimum(np.array([2.0, 1.0]), 3, 1), [3 / 11, 0])


def test_search_finds_the_least_loss_and_never_less() -> None:
    lam = reg.spectrum("1/i", 4)
    values, found = facts.search_ranks(lam, 20, 2, 4, np.random.default_rng(6))
    assert_allclose(values.min(), reg.least_loss(lam, 20, 2), rtol=1e-9)
    assert (values >= reg.least_loss(lam, 20, 2) - 1e-12).all()
    assert np.linalg.matrix_rank(found[0], tol=1e-8) == 2


def test_free_blocks_against_exact_mean() -> None:
    a, b, c = 0.7, -1.3, 0.4
    for N in (1, 2):
        exact = quadrature.full_risk(*facts.free_blocks(a, b, c, b * c / a), np.ones(2), N) / 2
        assert exact == pytest.approx(reg.free_blocks_loss(N, b * c, a / c))


def test_least_free_blocks_loss_is_the_minimum() -> None:
    g, t = np.meshgrid(np.linspace(0.3, 0.8, 400), np.linspace(2, 6, 400))
    grid = reg.free_blocks_loss(20, g, t)  # type: ignore[arg-type]
    assert np.min(grid) == pytest.approx(reg.least_free_blocks_loss(20), rel=1e-5)
    assert reg.least_free_blocks_loss(1000) == pytest.approx(0.0865, abs=1e-4)


def test_loss_of_all_blocks_is_at_least_that_of_the_odd_part() -> None:
    for W_pv, W_kq, lam, N in facts.blocks_cases(np.random.default_rng(7)):
        odd = reg.loss(facts.odd_part(W_pv, W_kq), 1.0, lam, N) + reg.constant(lam)
        assert quadrature.full_risk(W_pv, W_kq, lam, N) / 2 > odd


def test_second_moment_against_exact_mean() -> None:
    nodes, weights = quadrature.gaussians(3)
    x, w = nodes[:, :2] * np.sqrt(PLANE), np.array([1.1, -0.6])
    y = x @ w + 0.8 * nodes[:, 2]
    exact = np.einsum("p,p,pa,pb->ab", weights, y**2, x, x)
    assert_allclose(reg.second_moment(w, np.diag(PLANE), 0.8), exact, rtol=1e-12)


def test_implied_risk_is_the_limit() -> None:
    w = np.array([1.0, -0.7, 0.3])
    lam = np.array([2.3, 1.1, 0.4])
    exact = reg.risk(w, lam, reg.optimum(lam, 10**9, 2), 16, 0.5)
    assert reg.risk_implied(w, lam, 2, 16, 0.5) == pytest.approx(exact, rel=1e-6)


def test_spectra_are_sorted_and_unknown_ones_refused() -> None:
    for kind in reg.SPECTRA:
        lam = reg.spectrum(kind, 5)
        assert lam[0] == 1
        assert (np.diff(lam) <= 0).all()
    assert_allclose(reg.spectrum("2**-i", 3), [1, 0.5, 0.25])
    assert_allclose(reg.spectrum("1/i", 3), [1, 1 / 2, 1 / 3])
    assert_allclose(reg.spectrum("step", 3), [1, 1, 0.1])
    with pytest.raises(ValueError, match="must be one of"):
        reg.spectrum("3", 2)


def test_paired_errors_average_to_the_risk() -> None:
    lam, w = np.array([1.0, 0.3]), np.array([0.4, -1.0])
    v = [reg.optimum(lam, 9, r) for r in (1, 2)]
    errors = facts.squared_errors(w, lam, v, 4, 0.7, 40000, np.random.default_rng(8))
    expected = [reg.risk(w, lam, x, 4, 0.7) for x in v]
    assert_allclose(errors.mean(1), expected, rtol=0.05)


def test_exact_mean_of_powers() -> None:
    z, u = sympy.symbols("z u")
    assert quadrature.exact_mean(3 * z**4 * u**2 + z**3 + 7 * u - sympy.Rational(1, 3), [z, u]) == (
        9 - sympy.Rational(1, 3)
    )
    assert quadrature.exact_mean(z**6, [z]) == 15


def test_exact_risks_against_quadrature() -> None:
    half, fifth = sympy.Rational(1, 2), sympy.Rational(1, 5)
    exact = quadrature.exact_risk([half, fifth], [3, half], 2, [half, -1], fifth)
    numeric = quadrature.risk(
        np.diag([0.5, 0.2]), np.array([3, 0.5]), 2, w=np.array([0.5, -1]), sigma=0.2
    )
    assert_allclose(float(exact), numeric, rtol=1e-12)
    W_pv, W_kq = [[0, 0], [half, -2]], [[1, 3], [fifth, 2]]
    whole = quadrature.exact_full_risk(W_pv, W_kq, [half])
    floats = (np.array(W, dtype=float) for W in (W_pv, W_kq))
    assert_allclose(float(whole), quadrature.full_risk(*floats, np.array([0.5]), 1), rtol=1e-12)
