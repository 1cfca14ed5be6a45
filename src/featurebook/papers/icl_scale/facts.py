"""Both sides of the regression half's identities on many instances, and a search."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import minimize

from featurebook.papers.icl_scale import noise, quadrature
from featurebook.papers.icl_scale import regression as reg
from featurebook.papers.icl_scale.regression import Array

PLANE = ((2.3, 0.7), (1.0, 1.0), (1.7, 0.0), (300.0, 0.003))
"""Spectra in two dimensions: generic with λ_1 != 1, equal, singular, far apart."""


def predictions(d: int, N: int, count: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """The entry (d+1, N+1) of the whole matrix (5.1), and formula (5.2), for random blocks."""
    whole, formula = [], []
    for k in range(count):
        E = reg.prompt(rng.normal(size=(N, d)), rng.normal(size=N), rng.normal(size=d))
        W_pv, W_kq = rng.normal(size=(2, d + 1, d + 1)) * 10.0 ** (k % 5 - 2)
        whole.append(reg.attention(E, W_pv, W_kq, N)[d, N])
        formula.append(W_pv[d] @ (E @ E.T / N) @ W_kq[:, :d] @ E[:d, N])
    return np.array(whole), np.array(formula)


def reduced_predictions(
    d: int, N: int, count: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """The same entry for the matrices of (5.3), and u bᵀ U x_q."""
    whole, formula = [], []
    for _ in range(count):
        x, y, x_q = rng.normal(size=(N, d)), rng.normal(size=N), rng.normal(size=d)
        U, u = rng.normal(size=(d, d)), float(rng.normal())
        whole.append(reg.attention(reg.prompt(x, y, x_q), *reg.blocks(U, u), N)[d, N])
        formula.append(u * (y @ x / N) @ U @ x_q)
    return np.array(whole), np.array(formula)


def plane_cases() -> Iterator[tuple[Array, int, int]]:
    """Spectrum, number of examples and rank for d = 2: all of `PLANE`, 1 to 3 and 0 to 2."""
    for lam in PLANE:
        for examples in (1, 2, 3):
            for r in (0, 1, 2):
                yield np.array(lam), examples, r


def loss_ratios(rng: np.random.Generator) -> Array:
    """Exact mean loss over ℓ̃ + C for random U and u (Lemma 5.1); should be 1."""
    ratios = []
    for lam, N, _ in plane_cases():
        U, u = rng.normal(size=(2, 2)) / lam.max(), float(rng.normal())
        exact = quadrature.risk(u * U, lam, N) / 2
        ratios.append(exact / (reg.loss(U, u, lam, N) + reg.constant(lam)))
    return np.array(ratios)


def risk_ratios(rng: np.random.Generator, N: int) -> Array:
    """Exact evaluation risk over the formula of Theorem 5.4.2; should be 1."""
    ratios = []
    for lam, M, r in plane_cases():
        v, w = reg.optimum(lam, N, r), rng.normal(size=2)
        sigma = 0.0 if M == 3 else float(rng.uniform(0.1, 2))
        exact = quadrature.risk(np.diag(v), lam, M, w=w, sigma=sigma)
        ratios.append(exact / reg.risk(w, lam, v, M, sigma))
    return np.array(ratios)


def gap_pairs(rng: np.random.Generator, N: int) -> tuple[Array, Array]:
    """Exact risk of rank 2 minus rank r, and Theorem 5.4.3, over the risk of rank r."""
    exact, formula = [], []
    for lam, M, r in plane_cases():
        s = np.where(np.arange(2) < r, rng.normal(size=2), 0.0)
        sigma = 0.0 if M == 3 else float(rng.uniform(0.1, 2))
        small, large = (
            quadrature.risk(np.diag(reg.optimum(lam, N, k)), lam, M, w=s, sigma=sigma)
            for k in (r, 2)
        )
        scale = max(small, large) or 1.0
        exact.append((large - small) / scale)
        formula.append(reg.gap(s, lam, N, M, sigma, r, 2) / scale)
    return np.array(exact), np.array(formula)


def flip_ratios(rng: np.random.Generator, N: int, mode: str) -> Array:
    """Exact risk with flipped labels over `noise.flip_risk`; should be 1. M = 2, d = 2."""
    ratios = []
    for lam in map(np.array, PLANE):
        for r in (0, 1, 2):
            v, w, sigma = reg.optimum(lam, N, r), rng.normal(size=2), float(rng.uniform(0.1, 2))
            for p in (0.0, 0.5, 1.0) if mode == "exact" else (0.1, 0.37, 0.8):
                if mode == "exact":
                    signs = np.where(np.arange(2) < round(2 * p), -1.0, 1.0)
                    exact = quadrature.risk(np.diag(v), lam, 2, w=w, sigma=sigma, signs=signs)
                else:
                    exact = quadrature.flipped_risk(np.diag(v), lam, 2, w, sigma, p)
                ratios.append(exact / noise.flip_risk(w, lam, v, 2, sigma, p, mode))
    return np.array(ratios)


def noise_slopes(rng: np.random.Generator, N: int) -> tuple[Array, Array]:
    """∂ risk/∂σ² from two exact risks, and `noise.sensitivity`, both over the second risk."""
    slopes, formula = [], []
    for lam, M, r in plane_cases():
        if M < 3:  # with noise, three examples would need 3^9 nodes more
            v, w = reg.optimum(lam, N, r), rng.normal(size=2)
            low, high = (quadrature.risk(np.diag(v), lam, M, w=w, sigma=s) for s in (1.0, 3.0))
            slopes.append((high - low) / 8 / high)
            formula.append(noise.sensitivity(lam, v, M) / high)
    return np.array(slopes), np.array(formula)


def mean_risk_ratios(N: int) -> Array:
    """Exact risk averaged over tasks, over `noise.mean_flip_risk` without noise; should be 1."""
    ratios = []
    for lam, M, r in plane_cases():
        v = reg.optimum(lam, N, r)
        exact = quadrature.risk(np.diag(v), lam, M)
        ratios.append(exact / noise.mean_flip_risk(lam, v, M, 0.0, 0.0))
    return np.array(ratios)


def integrated_accuracy(u: Array, w: Array, lam: Array) -> float:
    """P(sign <u, x> = sign <w, x>) for x ~ N(0, Λ), from the bivariate density."""
    rho = (u * lam) @ w / np.sqrt((u**2 @ lam) * (w**2 @ lam))
    return 2 * float(stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([0, 0]))


def rule_agrees(d: int, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Whether the rank that `noise.helps` asks for is the best one, for random settings."""
    agrees = []
    for _ in range(count):
        lam, sigma = random_spectrum(d, rng), float(rng.exponential(2))
        N, M = (int(2 ** rng.uniform(0, top)) for top in (14, 8))
        wanted = noise.helps(lam, N, M, sigma)
        prefix = bool((np.diff(wanted.astype(int)) <= 0).all())
        agrees.append(prefix and int(wanted.sum()) == noise.best_rank(lam, N, M, sigma))
    return np.array(agrees)


def random_spectrum(d: int, rng: np.random.Generator) -> Array:
    """Sorted log-normal eigenvalues."""
    return np.sort(np.exp(rng.normal(size=d)))[::-1]


def excess_pairs(d: int, count: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """ℓ̃ - min ℓ̃ by Lemma 5.1 and by (D.4), over min ℓ̃, for random U; every third Λ singular."""
    left, right = [], []
    for k in range(count):
        lam, N = random_spectrum(d, rng), int(rng.integers(1, 100))
        if k % 3 == 0:
            lam[d // 2 :] = 0
        U, u = rng.normal(size=(d, d)), float(rng.normal())
        least = reg.least_loss(lam, N)
        left.append((reg.loss(U, u, lam, N) - least) / abs(least))
        right.append(reg.excess(U, u, lam, N) / abs(least))
    return np.array(left), np.array(right)


def search_ranks(
    lam: Array, N: int, r: int, starts: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Least ℓ̃ that L-BFGS finds over uU = A Bᵀ with A, B of r columns, λ_d > 0: values, matrices.

    Starts are random, of all scales; the last one begins at the worst choice of directions, the
    bottom r of the closed form.
    """
    d = len(lam)
    g = reg.gamma(lam, N) * lam
    left, right = 1 / np.sqrt(g)[:, None], 1 / np.sqrt(lam)[:, None]  # well-conditioned coordinates

    def matrix(flat: Array) -> tuple[Array, Array, Array]:
        A, B = flat.reshape(2, d, r)
        return left * A, right * B, left * A @ (right * B).T

    def objective(flat: Array) -> tuple[float, Array]:
        A, B, W = matrix(flat)
        slope = g[:, None] * W * lam - np.diag(lam**2)
        value = (g[:, None] * W * lam * W).sum() / 2 - (lam**2 * np.diag(W)).sum()
        return float(value), np.concatenate([left * (slope @ B), right * (slope.T @ A)]).ravel()

    values, found = [], []
    for k in range(starts):
        start = rng.normal(size=(2, d, r)) * 10.0 ** rng.uniform(-2, 0.5)
        if k == starts - 1:
            bottom = np.eye(d)[:, d - r :] * np.sqrt(lam / np.sqrt(reg.gamma(lam, N)))[d - r :]
            start = np.stack([bottom, bottom]) + 1e-3 * rng.normal(size=(2, d, r))
        best = minimize(
            objective, start.ravel(), jac=True, method="L-BFGS-B",
            options={"maxiter": 2000, "ftol": 1e-15, "gtol": 1e-11, "maxcor": 20},
        )  # fmt: skip
        values.append(best.fun)
        found.append(matrix(best.x)[2])
    return np.array(values), np.array(found)


def squared_errors(
    w: Array,
    lam: Array,
    vs: list[Array],
    M: int,
    sigma: float,
    draws: int,
    rng: np.random.Generator,
) -> Array:
    """Risk given the context, exact over the query, of several models on the same prompts.

    (len(vs), draws): paired Monte Carlo over contexts of M examples with label noise σ.
    """
    x = rng.normal(size=(draws, M, len(lam))) * np.sqrt(lam)
    y = x @ w + sigma * rng.normal(size=(draws, M))
    b = np.einsum("nm,nmd->nd", y, x) / M
    return np.array([((b * v - w) ** 2 @ lam) for v in vs])


def blocks_cases(
    rng: np.random.Generator, scale: float = 0.3
) -> Iterator[tuple[Array, Array, Array, int]]:
    """Random W^PV, W^KQ with all blocks, a spectrum and N, in two dimensions."""
    for lam in PLANE[:3]:
        for N in (1, 2):
            W_pv, W_kq = rng.normal(size=(2, 3, 3)) * scale
            yield W_pv, W_kq, np.array(lam), N


def odd_part(W_pv: Array, W_kq: Array) -> Array:
    """u U + w_21^PV (w_21^KQ)ᵀ: what acts on b in the part of ŷ that is odd in the task."""
    d = len(W_pv) - 1
    return W_pv[d, d] * W_kq[:d, :d] + np.outer(W_pv[d, :d], W_kq[d, :d])


def free_blocks(alpha: float, beta: float, delta: float, u: float) -> tuple[Array, Array]:
    """The matrices of `regression.free_blocks_loss`: U = α e_1 e_1ᵀ, blocks β e_2 and δ e_2."""
    W_pv, W_kq = reg.blocks(np.diag([alpha, 0.0]), u)
    W_pv[2, 1], W_kq[2, 1] = beta, delta
    return W_pv, W_kq


def two_terms(lam: Array, w: Array, sigma: float, N: int) -> tuple[Array, Array]:
    """Exact risks of the optimal models of rank 0, 1, 2 at M = 1 and 2, as x + y/M: x and y."""
    models = [np.diag(reg.optimum(lam, N, r)) for r in range(3)]
    one, two = (
        np.array([quadrature.risk(v, lam, M, w=w, sigma=sigma) for v in models]) for M in (1, 2)
    )
    return 2 * two - one, 2 * (one - two)
