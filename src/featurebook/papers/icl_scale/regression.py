"""Linear self-attention on linear regression, where the size of a model is the rank of U.

Everything is written in the eigenbasis of the token covariance unless a matrix is asked for:
`lam` are the eigenvalues λ_1 >= ... >= λ_d of Λ, `v` the diagonal of V*, `w` = s + ξ the task.
Thesis, Sections 5.3 and 5.4, Appendix D.2.
"""

from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from featurebook.core.spectra import eigh, svd

Array = NDArray[np.float64]
Number = TypeVar("Number", float, Fraction)

SPECTRA = ("1/i", "2**-i", "flat", "step")


def spectrum(kind: str, d: int) -> Array:
    """Eigenvalues λ_1 >= ... >= λ_d, the largest one 1 (``2**-i`` begins with 1 too).

    Raises:
        ValueError: for a kind that is not one of `SPECTRA`.
    """
    i = np.arange(1, d + 1, dtype=float)
    shapes = {"1/i": 1 / i, "2**-i": 2 ** (1 - i), "flat": i**0, "step": np.where(i <= 2, 1, 0.1)}
    if kind not in shapes:
        raise ValueError(f"spectrum {kind!r}: must be one of {', '.join(SPECTRA)}")
    return shapes[kind]


def rotation(d: int, rng: np.random.Generator) -> Array:
    """A uniformly random orthogonal matrix Q, (d, d)."""
    q, r = np.linalg.qr(rng.normal(size=(d, d)))
    return q * np.sign(np.diag(r))


def gamma(lam: ArrayLike, N: int) -> Array:
    """λ' = (1 + 1/N) λ + tr(Λ)/N, the eigenvalues of Γ (Lemma 5.1)."""
    x = np.asarray(lam, dtype=float)
    return (1 + 1 / N) * x + x.sum() / N


def loss(U: Array, u: float, lam: Array, N: int) -> float:
    """ℓ̃(U, u) = tr(½ u² Γ Λ U Λ Uᵀ - u Λ² Uᵀ) for Λ = diag(lam) (Lemma 5.1)."""
    quadratic = u**2 / 2 * ((gamma(lam, N) * lam)[:, None] * U * lam * U).sum()
    return float(quadratic - u * (lam**2 * np.diag(U)).sum())


def constant(lam: Array) -> float:
    """C = ½ tr Λ: the loss is ℓ̃ + C. The thesis does not print it."""
    return float(lam.sum()) / 2


def least_loss(lam: Array, N: int, r: int | None = None) -> float:
    """min ℓ̃ over matrices of rank at most r (all of them by default): -½ Σ_{i<=r} λ_i²/λ'_i."""
    return float(-(lam**2 / gamma(lam, N))[:r].sum()) / 2


def excess(U: Array, u: float, lam: Array, N: int) -> float:
    """ℓ̃ - min ℓ̃ as ½ ‖Γ^½ (u Λ^½ U Λ^½ - Λ Γ⁻¹)‖² (Lemma D.1, (D.4))."""
    root, g = np.sqrt(lam), gamma(lam, N)
    inside = u * root[:, None] * U * root - np.diag(lam / g)
    return float((g[:, None] * inside**2).sum()) / 2


def optimum(lam: Array, N: int, r: int) -> Array:
    """v*: N / ((N+1) λ_i + tr D) for i <= r, else 0 (Theorem 5.4.1)."""
    v = N / ((N + 1) * lam + lam.sum())
    return np.where(np.arange(len(lam)) < r, v, 0.0)


def by_truncation(Lam: Array, N: int, r: int) -> Array:
    """The optimal U for u = 1 by a singular value decomposition, for any positive definite Λ."""
    d = len(Lam)
    values, Q = eigh(Lam)
    G = (1 + 1 / N) * Lam + np.trace(Lam) / N * np.eye(d)
    half = (Q * np.sqrt(values)) @ Q.T
    g_values, g_Q = eigh(G)
    left = (g_Q * np.sqrt(g_values)) @ g_Q.T @ half
    a, s, b = svd(left @ np.linalg.inv(G) @ half)
    best = (a[:, :r] * s[:r]) @ b[:r]
    return np.linalg.inv(left) @ best @ np.linalg.inv(half)


def risk(w: ArrayLike, lam: Array, v: Array, M: int, sigma: float) -> float:
    """ℒ of Theorem 5.4.2, term by term as printed; ``w`` = s + ξ, and v_i = 0 where ξ lives."""
    w = np.asarray(w, dtype=float)
    covered = v != 0
    s, xi = np.where(covered, w, 0.0), np.where(covered, 0.0, w)
    energy = (w**2 * lam).sum() + sigma**2
    spread = (s**2 * v**2 * lam**3).sum() + energy * (v**2 * lam**2).sum()
    return float(spread / M + (xi**2 * lam).sum() + (s**2 * lam * (lam * v - 1) ** 2).sum())


def risk_implied(w: ArrayLike, lam: Array, r: int, M: int, sigma: float) -> float:
    """The approximation printed below Theorem 5.4.2: ‖ξ‖² + ((r+1)‖s‖² + r‖ξ‖² + rσ²)/M."""
    energy = np.asarray(w, dtype=float) ** 2 * lam
    s, xi = energy[:r].sum(), energy[r:].sum()
    return float(xi + ((r + 1) * s + r * xi + r * sigma**2) / M)


def gap(s: ArrayLike, lam: Array, N: int, M: int, sigma: float, r: int, r2: int) -> float:
    """ℒ(f_2) - ℒ(f_1) of Theorem 5.4.3 for ranks r <= r2; ``s`` vanishes beyond r."""
    energy = (np.asarray(s, dtype=float) ** 2 * lam).sum() + sigma**2
    shares = (N * lam / ((N + 1) * lam + lam.sum())) ** 2
    return float(energy / M * shares[r:r2].sum())


def attention(E: Array, W_pv: Array, W_kq: Array, rho: float) -> Array:
    """f_LSA(E) = E + W^PV E (Eᵀ W^KQ E)/ρ, the whole matrix of (5.1); E is (d+1, N+1)."""
    return E + W_pv @ E @ (E.T @ W_kq @ E) / rho


def prompt(x: Array, y: Array, x_q: Array) -> Array:
    """E with the columns (x_i; y_i) and (x_q; 0); x is (N, d)."""
    return np.block([[x.T, x_q[:, None]], [y[None, :], np.zeros((1, 1))]])


def blocks(U: Array, u: float) -> tuple[Array, Array]:
    """W^PV = diag(0, u) and W^KQ = diag(U, 0), the matrices of (5.3)."""
    d = len(U)
    W_pv, W_kq = np.zeros((d + 1, d + 1)), np.zeros((d + 1, d + 1))
    W_pv[d, d], W_kq[:d, :d] = u, U
    return W_pv, W_kq


def second_moment(w: Array, Lam: Array, sigma: float) -> Array:
    """E[y² x xᵀ] = (σ² + ‖w‖²_Λ) Λ + 2 Λ w wᵀ Λ (Lemma D.2 with w wᵀ)."""
    return (sigma**2 + w @ Lam @ w) * Lam + 2 * np.outer(Lam @ w, Lam @ w)


def free_blocks_loss(N: Number, g: Number, t: Number) -> Number:
    """The loss when the blocks w_21 are free too, for d = 2, Λ = I and rank(U) = 1.

    U = α e_1 e_1ᵀ, w_21^PV = β e_2, w_21^KQ = δ e_2 with u α = β δ = g and α β = g t: the part of
    the prediction that is odd in the task is then g bᵀ x_q, of rank 2. Exact for fractions, N too.
    """
    even = t**2 * (N + 3) / N**2 + 8 * (N + 2) / (N * t**2) + 4 / N
    return g**2 * (N + 3) / N - 2 * g + 1 + g**2 * even / 2


def least_free_blocks_loss(N: int) -> float:
    """Its minimum over g and t, 1 - 1/κ; the closed form (5.3) has 1 - N/(2 (N + 3))."""
    kappa = 1 + 5 / N + np.sqrt(8 * (1 + 2 / N) * (1 / N + 3 / N**2))
    return float(1 - 1 / kappa)
