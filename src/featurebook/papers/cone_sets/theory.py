"""Probabilities of starts and of random patches, exact and as bounded; closed forms of the book."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import integrate, stats

from featurebook.papers.cone_sets.data import PatchData

Floats = NDArray[np.float64]


def norm_tail(d: ArrayLike, f_h: ArrayLike) -> Floats:
    """The exact Pr[‖w_j⁰‖ > σ0 f_h], a χ² tail (Lemma 3.1)."""
    return stats.chi2.sf(np.square(f_h), d)


def p0_printed(d: ArrayLike, f_h: ArrayLike) -> Floats:
    """p_0 as printed in (E.16)."""
    d = np.asarray(d, float)
    return 2 * np.exp(-((np.asarray(f_h, float) - d) ** 2) / (8 * d))


def p0_corrected(d: ArrayLike, f_h: ArrayLike) -> Floats:
    """p_0 from (E.20), with f_h squared; valid for √d < f_h < √(2d)."""
    d = np.asarray(d, float)
    return 2 * np.exp(-((np.square(f_h) - d) ** 2) / (8 * d))


def cone_probability(d: ArrayLike, height: ArrayLike, f_r: ArrayLike) -> Floats:
    """The exact probability that a random kernel lies in one given cone at t = 1.

    Args:
        height: c1 f_h.
        f_r: the radius function at t = 1, at most ``height``.
    """
    return stats.norm.sf(height) * stats.norm.cdf(f_r) ** (np.asarray(d) - 1)


def cone_bounds_printed(C: ArrayLike, height: ArrayLike, f_r: ArrayLike) -> tuple[Floats, Floats]:
    """p_1 and p_2 as printed in (E.28), (E.29)."""
    return _cone_bounds(np.asarray(C) - 1, 1.0, height, f_r, clip=False)


def cone_bounds_corrected(d: ArrayLike, height: ArrayLike, f_r: ArrayLike) -> tuple[Floats, Floats]:
    """p_1 and p_2 with the Gaussian's e^{-x²/2}, d - 1 other features, and p_1 clipped at 0."""
    return _cone_bounds(np.asarray(d) - 1, 0.5, height, f_r, clip=True)


def _cone_bounds(
    others: Any, rate: float, height: ArrayLike, f_r: ArrayLike, clip: bool
) -> tuple[Floats, Floats]:
    low_h, high_h = gaussian_tail_bounds(height, rate)
    low_r, high_r = gaussian_tail_bounds(f_r, rate)
    inside = np.clip(1 - high_r, 0, None) if clip else 1 - high_r
    return low_h * inside**others, high_h * (1 - low_r) ** others


def gaussian_tail_bounds(x: ArrayLike, rate: float) -> tuple[Floats, Floats]:
    """Bounds x/(x²+1) φ and φ/x of Pr[g > x] with φ = e^{-rate x²}/√(2π).

    ``rate`` is 1 as printed in (E.32); 1/2 is right.
    """
    x = np.asarray(x, float)
    density = np.exp(-rate * x**2) / math.sqrt(2 * math.pi)
    return x / (x**2 + 1) * density, density / x


def upper_tail(C: ArrayLike, p2: ArrayLike, lam: ArrayLike) -> Floats:
    """Theorem 2 and (F.4): exp(-3λ²/(6 C p_2 + 2λ))."""
    lam, mean = np.asarray(lam, float), np.multiply(C, p2)
    return np.exp(-3 * lam**2 / (6 * mean + 2 * lam))


def lower_tail(C: ArrayLike, p2: ArrayLike, lam: ArrayLike) -> Floats:
    """Theorem 2 and (F.3): exp(-λ²/(2 C p_2))."""
    return np.exp(-(np.asarray(lam, float) ** 2) / (2 * np.multiply(C, p2)))


def sphere_tail(d: ArrayLike, x: ArrayLike) -> Floats:
    """The exact Pr[X_1 > x], X uniform on the unit sphere of R^d, 0 <= x <= 1; d >= 2."""
    square = np.clip(np.asarray(x, float), 0, 1) ** 2
    return 0.5 * stats.beta.sf(square, 0.5, (np.asarray(d) - 1) / 2)


def log_sphere_tail(d: ArrayLike, x: ArrayLike) -> Floats:
    """log Pr[X_1 > x]; minus infinity where the probability underflows."""
    with np.errstate(divide="ignore"):
        return np.log(sphere_tail(d, x))


def sphere_pair_tail(d: int, x: float) -> float:
    """The exact Pr[X_1 > x, X_2 > x], X uniform on the unit sphere of R^d, 0 <= x <= 1; d >= 3.

    In polar coordinates of the first two components the radius r has Pr[r > s] = (1-s²)^{(d-2)/2},
    and the angle is uniform.
    """
    if 2 * x**2 >= 1:
        return 0.0

    def beyond(angle: float) -> float:
        return (1 - (x / math.sin(angle)) ** 2) ** ((d - 2) / 2)

    start = math.asin(x)
    return float(integrate.quad(beyond, start, math.pi / 4, limit=200)[0] / math.pi) if x else 0.25


def some_kernel_fires(d: int, x: float) -> float:
    """Pr[max_k X_k > x] over all d components of a random unit vector, or less.

    By inclusion and exclusion of one and two components: exact where three cannot exceed x at
    once, 3 x² >= 1, else a lower bound (Bonferroni).
    """
    return float(d * sphere_tail(d, x) - d * (d - 1) / 2 * sphere_pair_tail(d, x))


def filtering_level(d: ArrayLike, theta: ArrayLike) -> Floats:
    """max{2θ, 1/(θ√(d-1))}, the level of Theorem 3."""
    theta = np.asarray(theta, float)
    return np.maximum(2 * theta, 1 / (theta * np.sqrt(np.asarray(d) - 1)))


def best_theta(d: ArrayLike) -> Floats:
    """The θ at which both parts of the level (19) are equal, and the level is lowest."""
    return (4 * (np.asarray(d) - 1.0)) ** -0.25


def filtering_failure(theta: ArrayLike) -> Floats:
    """2θ exp(-1/(2θ²)), the probability that Theorem 3 gives away."""
    theta = np.asarray(theta, float)
    return 2 * theta * np.exp(-1 / (2 * theta**2))


def perfect_dictionary_gaps(data: PatchData) -> tuple[float, float]:
    """SE - NE and NSE - NE per entry for w_j = v_j, ε → 0, c0 → 0 and one replaced patch.

    A random patch loses all its energy but what the d - P kernels of absent features (and that of
    the replaced patch) catch: each catches its component if positive, 1/(2d) on average. A
    semantic patch costs only if its feature is present elsewhere: then one of the two is lost.
    """
    d, P, n = data.d, data.P, data.n_normal
    entries = P * d
    semantic = (P - n) / (d - n) * (1 - 1 / P)
    non_semantic = 1 - (d - P + 1) / (2 * d)
    return semantic / entries, non_semantic / entries


def single_feature_optimum(data: PatchData, C: int) -> float:
    """Smallest NE per entry with every kernel on one feature of its own, C <= d, ε → 0."""
    n, d, P = data.n_normal, data.d, data.P
    found = min(C, n) + max(C - n, 0) * (P - n) / max(d - n, 1)
    return max(0.0, 1 - found / P) / d


def decayed_norm(beta: float, decay: float, entries: float) -> float:
    """‖w‖ of an isolated kernel at rest under weight decay μ; 0 if decay wins.

    The loss is the squared norm over ``entries`` (1 for (7), P d for the mean per entry), so
    ‖w‖² = 1 - μ entries/(4β).
    """
    return math.sqrt(max(0.0, 1 - decay * entries / (4 * beta)))
