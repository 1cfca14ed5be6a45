"""Steps, bounds, and the error in closed form.

L and μ are the largest and the smallest eigenvalue of XᵀX, κ = L/μ. Errors are relative: of the
prediction over |α|, of the parameters over ‖θ^(0) - θ*‖.
"""

from collections.abc import Sequence
from math import exp, expm1, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from featurebook.core.spectra import svd

Floats = NDArray[np.float64]


# The prompt


def spectrum(X: ArrayLike) -> tuple[Floats, Floats]:
    """Eigenvalues (..., d), ascending, and eigenvectors (..., d, d) as columns, of XᵀX."""
    X = np.asarray(X, dtype=float)
    singular, right = svd(X, full_matrices=True)[1:]
    n, d = X.shape[-2:]
    pad = [(0, 0)] * (singular.ndim - 1) + [(0, max(0, d - n))]
    lam = np.pad(singular**2, pad)
    return lam[..., ::-1].copy(), right.swapaxes(-1, -2)[..., ::-1].copy()


def condition_number(X: ArrayLike) -> Floats:
    """κ of Definition 8.12: of XᵀX, the square of the condition number of X; maybe infinite."""
    lam = spectrum(X)[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(lam[..., -1] / lam[..., 0])


# The error, exactly


def left_over(eigenvalues: ArrayLike, etas: Sequence[Any]) -> Floats:
    """Π_t (1 - η^(t) λ): what T loops leave of each eigendirection. Shape of the eigenvalues."""
    lam = np.asarray(eigenvalues, dtype=float)
    rest = np.ones_like(lam)
    for eta in etas:
        rest = rest * (1 - np.asarray(eta)[..., None] * lam)
    return rest


def prediction_error(eigenvalues: ArrayLike, weights: ArrayLike, etas: Sequence[Any]) -> Floats:
    """(⟨TF, θ*⟩ - α)/α from q^(0) = 0: minus the mean of `left_over` with weights ⟨v_i, θ*⟩²."""
    return -(np.asarray(weights) * left_over(eigenvalues, etas)).sum(-1)


def parameter_error(eigenvalues: ArrayLike, weights: ArrayLike, etas: Sequence[Any]) -> Floats:
    """‖θ^(T) - θ*‖² from θ^(0) = 0: the mean of the squares of `left_over`, the same weights."""
    return (np.asarray(weights) * left_over(eigenvalues, etas) ** 2).sum(-1)


# Bounds on the error


def printed_bound(T: Any, kappa: Any) -> Any:
    """exp(-T/2κ), Theorem 8.16; its square is Theorem 8.25's."""
    return np.exp(-np.asarray(T) / (2 * np.asarray(kappa, dtype=float)))


def sharp_bound(T: Any, kappa: Any) -> Any:
    """(1 - 1/κ)^T: the largest error that T steps 1/L can leave; attained where θ* = v_min."""
    return (1 - 1 / np.asarray(kappa, dtype=float)) ** T


def best_step_bound(T: Any, kappa: Any) -> Any:
    """((κ - 1)/(κ + 1))^T, with the step 2/(L + μ): no constant step guarantees less."""
    kappa = np.asarray(kappa, dtype=float)
    return ((kappa - 1) / (kappa + 1)) ** T


def chebyshev_bound(T: int, kappa: float) -> float:
    """1/C_T((κ + 1)/(κ - 1)), C_T Chebyshev's polynomial: no schedule guarantees less; κ > 1."""
    grow = ((sqrt(kappa) + 1) / (sqrt(kappa) - 1)) ** T
    return 2 / (grow + 1 / grow)


def chebyshev_steps(T: int, mu: float, L: float, *, stable: bool = True) -> Floats:
    """The T residual weights whose loop attains `chebyshev_bound`: one over Chebyshev's roots.

    Args:
        stable: mix large and small steps so that neither states nor rounding errors grow much
            (Lebedev and Finogenov), where T is a power of 2; the exact result is the same.
    """
    k = np.arange(T)
    if stable and T & (T - 1) == 0:
        k = np.array(_alternating(T)) - 1
    roots = (L + mu) / 2 + (L - mu) / 2 * np.cos(np.pi * (2 * k + 1) / (2 * T))
    return 1 / roots


def _alternating(T: int) -> list[int]:
    """1..T, such that sums of neighbours are equal at every scale; T a power of 2."""
    order = [1]
    while len(order) < T:
        size = 2 * len(order) + 1
        order = [x for k in order for x in (k, size - k)]
    return order


def allowed_steps(kappa: float) -> tuple[float, float]:
    """The constant steps, times L, with which Theorem 8.16 holds for every θ* and every T.

    It does iff |1 - ηλ| <= exp(-1/2κ) at both ends of the spectrum.
    """
    return -kappa * expm1(-1 / (2 * kappa)), 1 + exp(-1 / (2 * kappa))


# Steps that do not look at the prompt


def isotropic_step(n: int, d: int) -> float:
    """1/(n (1 + √(d/n))²): one over the upper Marchenko-Pastur edge, for unit covariance."""
    return 1 / (n * (1 + sqrt(d / n)) ** 2)


def one_step_optimum(n: int, d: int) -> tuple[float, float]:
    """The best prompt-independent first step, and E‖θ^(1) - θ*‖², for Gaussian X: exact.

    E(1 - ηλ)² = 1 - 2ηn + η²n(n + d + 1), averaged over the spectrum of a Wishart matrix.
    """
    return 1 / (n + d + 1), (d + 1) / (n + d + 1)


def mean_square_left(n: int, eta: Any, T: int) -> Any:
    """E (1 - ηλ)^2T for λ ~ χ²_n, that is d = 1, in the arithmetic of ``eta`` (a fraction: exact).

    Σ_k C(2T, k) (-η)^k n (n + 2) ... (n + 2k - 2).
    """
    term = total = eta * 0 + 1
    for k in range(2 * T):
        term = term * (-eta) * (n + 2 * k) * (2 * T - k) / (k + 1)
        total = total + term
    return total


# What others ask for, and noise


def quoted_bound(T: Any, d: int, n: Any) -> Any:
    """8 T d² 2^2T / √n, the bound of Theorem 8.17."""
    return 8 * np.asarray(T, dtype=float) * d**2 * 4.0 ** np.asarray(T) / np.sqrt(n)


def quoted_examples(T: int, d: int) -> int:
    """The n from which Theorem 8.17 applies: 64 T² d⁴ 2^4T."""
    return 64 * T**2 * d**4 * 16**T


def noise_limit(sigma: float, n: int, d: int) -> float:
    """Root mean square of the error that label noise leaves after many loops: σ/√(n - d - 1).

    For Gaussian X: E (XᵀX)⁻¹ = I/(n - d - 1).
    """
    return sigma / sqrt(n - d - 1)
