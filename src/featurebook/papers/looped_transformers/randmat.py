"""Condition numbers of Gaussian prompts: draws, limits, and bounds that hold at every size."""

from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

from featurebook.core.spectra import eigvalsh
from featurebook.papers.looped_transformers.theory import spectrum

Floats = NDArray[np.float64]


def wishart(rng: np.random.Generator, draws: int, n: int, d: int) -> Floats:
    """XᵀX of ``draws`` Gaussian prompts, (draws, d, d), by Bartlett's decomposition; n >= d.

    The cost does not depend on n, which may be 10¹⁸.
    """
    if n < d:
        raise ValueError(f"n = {n}, d = {d}: Bartlett's decomposition needs n >= d")
    A = np.tril(rng.standard_normal((draws, d, d)), -1)
    diagonal = np.sqrt(rng.chisquare(n - np.arange(d), (draws, d)))
    A[:, np.arange(d), np.arange(d)] = diagonal
    return np.asarray(A @ A.swapaxes(-1, -2), dtype=np.float64)


def eigenvalues(rng: np.random.Generator, draws: int, n: int, d: int) -> Floats:
    """Ascending eigenvalues of `wishart` matrices, (draws, d)."""
    return np.asarray(eigvalsh(wishart(rng, draws, n, d)), dtype=np.float64)


def kappas(rng: np.random.Generator, draws: int, n: int, d: int) -> Floats:
    """Condition numbers of ``draws`` Gaussian prompts."""
    lam = eigenvalues(rng, draws, n, d)
    return lam[:, -1] / lam[:, 0]


def edges(n: Any, d: Any) -> tuple[Any, Any]:
    """The Marchenko-Pastur edges n (1 ∓ √(d/n))²: where the spectrum of XᵀX ends for large n, d."""
    ratio = np.sqrt(np.asarray(d, dtype=float) / n)
    return n * (1 - ratio) ** 2, n * (1 + ratio) ** 2


def limit(ratio: Any) -> Any:
    """κ at the Marchenko-Pastur edges, ((1 + ε)/(1 - ε))², for ε = √(d/n)."""
    return ((1 + np.asarray(ratio)) / (1 - np.asarray(ratio))) ** 2


def kappa_bound(n: int, d: int, delta: float) -> float:
    """κ is below this with probability 1 - δ, at every size (Davidson and Szarek 2001).

    The singular values of X lie in √n ± (√d + t) except with probability 2 exp(-t²/2).
    """
    reach = (sqrt(d) + sqrt(2 * log(2 / delta))) / sqrt(n)
    return float(limit(reach)) if reach < 1 else float("inf")


def means_of_ten(values: ArrayLike, trials: int = 10) -> Floats:
    """Means of consecutive groups of ``trials`` values, as a figure of so many trials prints."""
    x = np.asarray(values, dtype=np.float64)
    whole = len(x) // trials
    return x[: whole * trials].reshape(whole, trials).mean(1)


def joint_distance(
    printed: ArrayLike, draws: list[Floats], trials: int = 10
) -> tuple[Floats, float, float]:
    """How far printed averages are from what so many trials give.

    Args:
        printed: one average per size.
        draws: single values by size.

    Returns:
        the z-scores, the sum of their squares, and the share of simulated sets of averages that
        are at least as far (the p-value, which needs no normal law).
    """
    groups = np.stack([means_of_ten(x, trials) for x in draws])  # (sizes, sets)
    mean, spread = groups.mean(1), groups.std(1, ddof=1)
    z = (np.asarray(printed) - mean) / spread
    simulated = (((groups - mean[:, None]) / spread[:, None]) ** 2).sum(0)
    distance = float((z**2).sum())
    return z, distance, float((simulated >= distance).mean())


def curves(X: ArrayLike, theta: ArrayLike, T: int) -> tuple[Floats, Floats]:
    """ln‖θ^(t) - θ*‖² for t = 0..T with steps 1/L, in closed form, (draws, T + 1), and κ (draws,).

    Without rounding floor: computed from the spectrum, in logarithms.
    """
    lam, v = spectrum(X)
    weight = np.einsum("kij,ki->kj", v, np.asarray(theta)) ** 2  # (draws, d)
    return spectral_curves(lam, weight, T), lam[:, -1] / lam[:, 0]


def spectral_curves(lam: Floats, weight: Floats, T: int) -> Floats:
    """`curves` from eigenvalues and squared components, each (draws, d)."""
    t = np.arange(T + 1)[None, :, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        shrink = np.log1p(-lam / lam[:, -1:])[:, None]  # minus infinity at the top
        each = np.log(weight)[:, None] + 2 * np.where(t > 0, t * shrink, 0.0)
    return np.asarray(logsumexp(each, axis=-1))
