"""Fixed features that know neither the dictionary nor the relevant patterns, and yet suffice where
a second background pattern is rare."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

Array = NDArray[np.float64]


def printed_bound(p: Fraction, count: int, squared: int, k: int) -> Fraction:
    """The bound p(1 - sqrt(2N) B / 2^k) of Theorem 2, rounded down a little: a fraction.

    Args:
        count: number of features, N.
        squared: B^2.
    """
    return p * (1 - Fraction(math.isqrt(2 * count * squared) + 1, 2**k))


def mean_root(D: int, k: int, p: float) -> float:
    """Mean of binom(k + S, k)^(-1/2), where S is binomial: D - k draws with probability 2p."""
    s = np.arange(D - k + 1)
    log_binomial = special.gammaln(k + s + 1) - special.gammaln(k + 1) - special.gammaln(s + 1)
    return float(stats.binom.pmf(s, D - k, 2 * p) @ np.exp(-log_binomial / 2))


def size(D: int, k: int) -> tuple[int, int]:
    """Number of the few features at d = D, and what the square of the weights' norm is at most."""
    return k + 2 + k * D, k + 2 + 2 * k * (k + 1) * (D - k)


def features(x: Array, k: int) -> Array:
    """The indicators of |x|^2 = 0, ..., k + 1, and those of 1, ..., k times x / |x|.

    Args:
        x: inputs (n, d) whose squared norms are whole numbers, up to rounding.
    """
    square = (x**2).sum(1)
    is_m = (abs(square[:, None] - np.arange(k + 2)) < 1e-6).astype(float)
    scaled = is_m[:, 1:-1, None] * x[:, None, :] / np.sqrt(np.arange(1, k + 1))[:, None]
    return np.hstack([is_m, scaled.reshape(len(x), -1)])


def weights(M: Array, outside: NDArray[np.bool_], label: Array) -> Array:
    """Weights of the features for one set of relevant patterns.

    Args:
        M: orthonormal dictionary (d, D).
        outside: which patterns are background (D,).
        label: label of 0, ..., k relevant patterns.
    """
    f = np.append(label, label[-1])
    steps = np.sqrt(np.arange(1, len(label))) * (f[:-2] - f[1:-1])
    return np.concatenate([f, np.outer(steps, M @ outside).ravel()])


def trial(
    rng: np.random.Generator, D: int, k: int, n: int = 200
) -> tuple[Array, Array, Array, float]:
    """One dictionary, set of relevant patterns and labelling at random, and n inputs.

    Returns:
        the answers of the few features, the labels, the number of background patterns present,
        and the square of the weights' norm.
    """
    M = np.linalg.qr(rng.standard_normal((D, D)))[0]
    outside = np.ones(D, dtype=bool)
    outside[rng.permutation(D)[:k]] = False
    label = np.append(-1.0, rng.choice([-1.0, 1.0], k))
    w = weights(M, outside, label)
    relevant, others = rng.integers(0, k + 1, n), rng.integers(0, 5, n)
    patterns = np.zeros((n, D))
    for row, r, s in zip(patterns, relevant, others, strict=True):
        row[rng.permutation(np.flatnonzero(~outside))[:r]] = 1
        row[rng.permutation(np.flatnonzero(outside))[:s]] = 1
    answers = features(patterns @ M.T, k) @ w
    return answers, label[relevant], others.astype(float), float(w @ w)
