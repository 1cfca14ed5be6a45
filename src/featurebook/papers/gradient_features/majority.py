"""Uniform parities: G is a Fourier coefficient of the majority (Appendix B.5.5 and B.5.6)."""

from fractions import Fraction
from itertools import product
from math import comb, exp, lgamma, log

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def xi(k: int, d: int) -> Fraction:
    """ξ_k: Fourier coefficient of the majority of d bits on a set of k; d and k odd (B.547)."""
    if d % 2 == 0 or k % 2 == 0:
        raise ValueError(f"d = {d}, k = {k}: both must be odd")
    half = (d - 1) // 2
    sign = (-1) ** ((k - 1) // 2)
    return Fraction(sign * comb(half, (k - 1) // 2) * comb(d - 1, half),
                    comb(d - 1, k - 1) * 2 ** (d - 1))  # fmt: skip


def xi_printed(k: int, d: int) -> Fraction:
    """As (B.480) reads in our scan: (d - 1)/2 over itself, that is 1, as the first binomial."""
    half = (d - 1) // 2
    sign = (-1) ** ((k - 1) // 2)
    return Fraction(sign * comb(d - 1, half), comb(d - 1, k - 1) * 2 ** (d - 1))


def gradient(W: NDArray[np.int64], k: int, *, printed: bool = False) -> NDArray[np.object_]:
    """G(w, b) for rows w in {±1}^d, |b| < 1, y the product of the first k (even) bits; (N, d).

    ½ ξ_{k-1} Π_{l in A, l ≠ j} w_l inside of A, ½ ξ_{k+1} w_j Π_{l in A} w_l outside; in fractions.

    Args:
        printed: as (B.548) and (B.549): without the factor ½, and ξ_{k-1} everywhere.
    """
    d = W.shape[1]
    factor = Fraction(1) if printed else Fraction(1, 2)
    all_of_A = W[:, :k].prod(1)
    G = np.empty(W.shape, dtype=object)
    for j in range(d):
        size = xi(k - 1, d) if j < k or printed else xi(k + 1, d)
        G[:, j] = [factor * size * int(s) * int(w) for s, w in zip(all_of_A, W[:, j], strict=True)]
    return G


def enumerated(W: NDArray[np.int64], b: Fraction, k: int) -> NDArray[np.object_]:
    """The same by summing over all 2^d inputs, in fractions."""
    d = W.shape[1]
    X = 1 - 2 * ((np.arange(2**d)[:, None] >> np.arange(d)) & 1)
    y = X[:, :k].prod(1)
    active = (X @ W.T) * b.denominator > b.numerator  # (2^d, N)
    total = (active.T * y) @ X
    return np.array([[Fraction(int(t), 2**d) for t in row] for row in total], dtype=object)


def counted(w: NDArray[np.int64], k: int) -> list[Fraction]:
    """G(w, 0) of one neuron by counting the inputs with a given number of flipped signs, (d,).

    With z_l = w_l x_l, y x_j is a product of signs of w times q of the z_l, q = k - 1 or k + 1.
    """
    d = len(w)

    def mean(q: int) -> Fraction:
        """E[z_1 ... z_q 1(z_1 + ... + z_d > 0)]."""
        flips = [(i, n) for i in range(q + 1) for n in range(d - q + 1) if 2 * (i + n) < d]
        return Fraction(sum((-1) ** i * comb(q, i) * comb(d - q, n) for i, n in flips), 2**d)

    inside, outside, sign = mean(k - 1), mean(k + 1), int(w[:k].prod())
    return [(inside if j < k else outside) * sign * int(w[j]) for j in range(d)]


def fall(k: int, d: int) -> Fraction:
    """|ξ_{k+1}/ξ_{k-1}| = (k - 1)/(d - k); k even, d odd."""
    return Fraction(k - 1, d - k)


def cosine(k: int, d: int) -> float:
    """Cosine of G and D for a neuron whose first k signs are equal, exact."""
    return float((1 + (k - 1) ** 2 / (k * (d - k))) ** -0.5)


def norm(k: int, d: int) -> float:
    """‖G‖ = ½ √(k ξ_{k-1}² + (d - k) ξ_{k+1}²)."""
    return 0.5 * float(k * xi(k - 1, d) ** 2 + (d - k) * xi(k + 1, d) ** 2) ** 0.5


def log_comb(n: int, k: int) -> float:
    """log of n over k."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def log_xi(k: int, d: int) -> float:
    """log |ξ_k|, for large d."""
    half = (d - 1) // 2
    return (
        log_comb(half, (k - 1) // 2) + log_comb(d - 1, half) - log_comb(d - 1, k - 1)
        - (d - 1) * log(2)
    )  # fmt: skip


def samples_ratio(k: int, d: int, power: float) -> float:
    """k² d/ξ_{k-1}², what Lemma B.54 asks for, over k^power d C(d, k - 1); k even, d odd."""
    return exp((2 - power) * log(k) - 2 * log_xi(k - 1, d) - log_comb(d, k - 1))


def coefficient(k: int, d: int) -> Fraction:
    """E[sign(x_1 + ... + x_d) x_1 ... x_k] by summing over all inputs."""
    total = sum((1 if sum(x) > 0 else -1) * int(np.prod(x[:k])) for x in product([1, -1], repeat=d))
    return Fraction(total, 2**d)


def expected_output(w: NDArray[np.int64], b: Fraction, k: int) -> Fraction:
    """E[y σ(⟨w, x⟩ - b)] for one neuron, by summing over all inputs."""
    X = np.array(list(product([1, -1], repeat=len(w))))
    values = [max(Fraction(int(z)) - b, Fraction(0)) for z in X @ w]
    return sum((int(s) * v for s, v in zip(X[:, :k].prod(1), values, strict=True)), Fraction(0)) / (
        2 ** len(w)
    )
