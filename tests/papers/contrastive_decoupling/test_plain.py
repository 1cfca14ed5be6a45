"""Without augmentation, and tails of Lemma B.4 (3): enumeration, quadrature, Monte Carlo."""

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from scipy import integrate, stats

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import exact, model, plain, theory

DOUBLE = torch.float64


@pytest.mark.parametrize("power", [0, 1])
def test_sparse_tail_against_enumeration(power):
    """d = 4, three signs, all 3⁴ codes and 2³ masks."""
    n, q, C_z = 2, 3, 0.5
    x = math.log(2**n)
    p, expected = C_z * math.log(x) / 2**n, 0.0
    for z in itertools.product((-1, 0, 1), repeat=2**n):
        chance = math.prod(p / 2 if v else 1 - p for v in z)
        for signs in itertools.product((-1, 1), repeat=q):
            expected += (
                chance / 2**q * ((sum(signs) / math.sqrt(q) * sum(z)) ** 2 > x ** (2 * power))
            )
    assert float(exact.sparse_tail(n, q, power, C_z)) == pytest.approx(expected, rel=1e-9)


def golden_sparse_tail():
    for power in (0, 1):
        test_sparse_tail_against_enumeration(power)
    test_sparse_tail_is_that_of_the_atoms()


def test_sparse_tail_is_that_of_the_atoms():
    """The example itself, at d = 8: orthonormal flat atoms, and B S by Monte Carlo."""
    n, q = 3, 8
    d, g = 2**n, generator(6, "t")
    H = torch.tensor([[1.0]])
    for _ in range(n):
        H = torch.cat([torch.cat([H, H], 1), torch.cat([H, -H], 1)])
    M = torch.kron(H, torch.ones(d, 1)) / d
    torch.testing.assert_close(M.T @ M, torch.eye(d))
    w = torch.zeros(d * d)
    w[:q] = 1
    p, draws = math.log(math.log(d)) / d, 40_000
    signs = model.random_mask(g, draws, d * d)
    z = (torch.rand(draws, d, generator=g) < p) * model.random_mask(g, draws, d)
    u = ((signs * w) @ M * z).sum(1) * d / math.sqrt(q)
    found = float((u.square() > math.log(d) ** 2).double().mean())
    expected = float(exact.sparse_tail(n, q, 1, 1.0))
    assert found == pytest.approx(expected, abs=5 * math.sqrt(expected / draws))


def test_sparse_tail_rate_bounds_the_exact_rate():
    for C_z in (0.5, 1.0):
        x = math.log(64)
        k = int(x ** (4 / 3)) + 1
        q = int(x**4 / k**2) + 1
        p = C_z * math.log(x) / 64
        least = 2 ** (2 - q) * (64 - k) ** k * (p / 2) ** k / math.factorial(k) * (1 - p) ** 64
        (rate,) = exact.sparse_tail_rates([6], C_z)
        assert float(rate) == pytest.approx(-math.log(least) / x**2, rel=1e-9)
        assert float(exact.sparse_tail(6, q, 2, C_z)) > least


def test_sparse_tail_bound():
    x, C_z = math.log(128), 2.0
    bernstein = x**6 / 2 / (C_z * math.log(x) * x**2 + x**4 / 3)
    expected = 256 * math.exp(-(x**2) / 2) + 2 * math.exp(-bernstein)
    assert float(exact.sparse_tail_bound(7, C_z)) == pytest.approx(expected, rel=1e-9)


def test_ends_of_stage_one():
    before, overview = exact.ends_of_stage_one(100, 10)
    c1 = Fraction(20198, 10000)
    assert before == 1 + 2 * Fraction(10001, 10000) / c1
    assert overview == 1 + Fraction(202, 100) / c1
    assert before < 2 < overview


def test_log_large_fraction():
    for root, share in ((1.5, 0.5), (3.0, 0.9)):
        expected = math.log(2 * stats.norm.sf(math.sqrt(root) / math.sqrt(share)))
        found = theory.log_large_fraction(root, share)
        assert float(found) == pytest.approx(expected, rel=1e-9)


def test_dominant_loss_is_a_lower_bound():
    mean = (
        2
        * integrate.dblquad(
            lambda h, g: g * (h - g) * stats.norm.pdf(h) * stats.norm.pdf(g), 0, 9, lambda g: g, 12
        )[0]
    )
    sigma2 = 2 * math.sqrt(math.log(32)) / 32
    (found,) = exact.dominant_loss([1000], 32, 2.0)
    assert float(found) == pytest.approx(1000 * sigma2 * (0.99 * mean - 0.01), rel=1e-6)
    (claimed,) = exact.dense_claim([1000], 32)
    assert float(claimed) == pytest.approx(math.log(32) ** 2 * 32 / 1000, rel=1e-9)


def test_dense_losses(setting):
    """Against weights written out; the bounds of both kinds of norms are kept."""
    g = generator(7, "t")
    M_perp = torch.linalg.qr(setting.M.double(), mode="complete")[0][:, setting.M.shape[1] :]
    columns = M_perp.T[:16].float()
    x, x_n = (model.sample(g, setting, n)[0] for n in (2000, 32))
    for dominant, largest in ((None, 1 / 16), (0.9, 0.9)):
        W = columns * math.sqrt((1 - largest) / 15 * 50)
        W[0] = columns[0] * math.sqrt(largest * 50)
        f, f_n = x @ W.T, x_n @ W.T
        expected = float(model.contrastive_loss(f, f, f_n, tau=1.0))
        (found,) = plain.dense_losses(columns, 50.0, x, x_n, dominant)
        assert found == pytest.approx(expected, rel=1e-4)
    sigma2, totals = setting.sigma**2, np.array([5.0, 20.0])
    losses = np.array(plain.dense_losses(columns, totals, x, x_n))
    assert (losses < plain.dense_bound(totals, 16, sigma2, 32)).all()


def test_bounds_without_augmentation():
    expected = math.log(1 + 32 * math.exp(-0.1 * 20 / 4)) + math.exp(-1) * math.log(33)
    assert float(plain.dense_bound(20.0, 16, 0.1, 32)) == pytest.approx(expected, rel=1e-9)
    Y = (0.1 + 0.03) * plain.least_norm(0.1, 0.03, 100)
    assert math.log(1 + 100 * math.exp(-Y)) == pytest.approx(1, rel=1e-9)  # at a loss of τ


def test_noise_pull_against_monte_carlo():
    """Of a neuron with an atom: the firing that counts is that of ⟨w, x⟩, not of ⟨w, ξ⟩."""
    p, b, sigma = 0.3, 0.6, 0.25
    g, w = generator(8, "t"), torch.tensor([1, math.sqrt(3)], dtype=DOUBLE)
    z = (torch.rand(400_000, generator=g) < p) * model.random_mask(g, 400_000)
    noise = sigma * torch.randn(400_000, 2, generator=g, dtype=DOUBLE)
    h = model.soft_threshold(z + noise @ w, b)
    for v in (w, torch.tensor([1.0, 0.0], dtype=DOUBLE)):
        drawn, formula = h * (noise @ v), plain.noise_pull_formula(w, v, p, b, sigma)
        assert abs(drawn.mean() - formula) < 5 * drawn.std() / math.sqrt(400_000)
        assert float(w @ v) / 4 * plain.noise_pull(1.0, 0.5, p, b) == pytest.approx(
            formula, rel=1e-8
        )
    assert formula * 4 == pytest.approx(0.09944, abs=1e-5)
    assert abs(formula * 4 - 0.25 * 2 * stats.norm.sf(b / 0.5)) > 0.04


def test_balances_put_the_two_steps_beside_each_other() -> None:
    world, N = model.SparseCoding(model.hadamard_dictionary(8, 64, 1), 0.1, 0.3), 50
    W = torch.randn(3, 2, 4, 64, generator=generator(0, "balances"))
    run = SimpleNamespace(observed={"W": W}, steps=[0, 5, 9])
    table = plain.balances({"a": run}, world, N, seed=2)  # type: ignore[dict-item]
    assert table.step.tolist() == [0, 5, 9]
    assert set(table["λ"]) == {"a"}
    size = (world.sigma**2 + world.p) * W[:, 0].double().square().sum((1, 2))
    assert np.allclose(table["|W|"], size, rtol=1e-5)
    assert np.allclose(table.least, np.log(1 + N * np.exp(-size.numpy())))
    y = 1 - np.exp(-table.loss)
    assert np.allclose(table.most, y * (math.log(N) - np.log(y / (1 - y))))
    assert (table.growth <= table.most + 1e-6).all()
