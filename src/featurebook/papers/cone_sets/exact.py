"""Counterexamples without rounding: gradient descent in fractions, probabilities in balls.

Balls are python-flint's `arb`: intervals that are certain to contain the true value.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb

Vector = Sequence[Fraction]


def descend(
    w: Sequence[Vector], images: Sequence[Sequence[Vector]], step: Fraction, c0: Fraction
) -> list[list[Fraction]]:
    """One step of gradient descent on `network.loss`, by Proposition 3.1, kernel by kernel.

    Args:
        w: C kernels.
        images: N images of P patches; of patches that excite a kernel equally the first wins.
        step: η_t.
    """
    gain = [[Fraction(0)] * len(kernel) for kernel in w]
    for image in images:
        seen = [[_dot(kernel, x) for x in image] for kernel in w]
        best = [max(u) for u in seen]
        place = [u.index(m) for u, m in zip(seen, best, strict=True)]
        code = [_sigma(u, c0) for u in best]
        rest = [list(x) for x in image]  # the residual Δ of each patch
        for kernel, p, s in zip(w, place, code, strict=True):
            rest[p] = [r - s * v for r, v in zip(rest[p], kernel, strict=True)]
        for j, kernel in enumerate(w):
            left, x = rest[place[j]], image[place[j]]
            pull = _dot(left, kernel) * _slope(best[j], c0)
            gain[j] = [g + code[j] * r + pull * v for g, r, v in zip(gain[j], left, x, strict=True)]
    return [
        [v + 2 * step * g / len(images) for v, g in zip(kernel, gains, strict=True)]
        for kernel, gains in zip(w, gain, strict=True)
    ]


def _dot(x: Vector, y: Vector) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))


def _sigma(u: Fraction, c0: Fraction) -> Fraction:
    return u if u > c0 else max(u, Fraction(0)) ** 2 / (2 * c0)


def _slope(u: Fraction, c0: Fraction) -> Fraction:
    return min(max(u / c0, Fraction(0)), Fraction(1))


def unit(d: int, k: int, size: Fraction | int = 1) -> list[Fraction]:
    """The feature v_k of R^d (k from 0), times ``size``."""
    return [Fraction(size) if i == k else Fraction(0) for i in range(d)]


def squared_norm(x: Vector) -> Fraction:
    """‖x‖²."""
    return _dot(x, x)


def ball(x: Fraction | int) -> arb:
    """A rational number as a ball."""
    x = Fraction(x)
    return arb(x.numerator) / arb(x.denominator)


def normal_tail(x: arb) -> arb:
    """Pr[g > x] for g ~ N(0, 1)."""
    return (x / arb(2).sqrt()).erfc() / 2


def density(x: arb, rate: arb) -> arb:
    """e^{-rate x²}/√(2π); rate 1/2 is the Gaussian's, 1 that of (E.32)."""
    return (-rate * x * x).exp() / (2 * arb.pi()).sqrt()


def chi_square_tail(d: int, x: arb) -> arb:
    """Pr[χ²_d > x]."""
    return (x / 2).gamma_upper(arb(d) / 2, 1)


def sphere_tail(d: int, x: arb) -> arb:
    """Pr[X_1 > x], X uniform on the unit sphere of R^d."""
    return (1 - x * x).beta_lower(arb(d - 1) / 2, arb(1) / 2, 1) / 2


def some_kernel_fires(d: int, x: arb) -> arb:
    """Less than Pr[max_k X_k > x], by Bonferroni; two components above x need X_1² + X_2² > 2x²."""
    pair = (1 - 2 * x * x) ** (arb(d - 2) / 2)
    return d * sphere_tail(d, x) - d * (d - 1) / arb(2) * pair


def filtering_failure(theta: arb) -> arb:
    """2θ e^{-1/(2θ²)}."""
    return 2 * theta * (-1 / (2 * theta * theta)).exp()


def cone_probability(d: int, height: arb, f_r: arb) -> arb:
    """The probability that a random kernel lies in one given cone at t = 1."""
    return normal_tail(height) * (1 - normal_tail(f_r)) ** (d - 1)


def binomial_at_most(k: int, n: int, p: arb) -> arb:
    """Pr[B <= k] for B ~ Binomial(n, p)."""
    return sum((_choose(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1)), arb(0))


def all_chosen(d: int, C: int) -> Fraction:
    """The probability that C independent uniform choices hit all of d features: exact.

    By inclusion and exclusion; d!/d^d for C = d.
    """
    terms = ((-1) ** i * math.comb(d, i) * Fraction(d - i, d) ** C for i in range(d + 1))
    return sum(terms, Fraction(0))


def _choose(n: int, k: int) -> arb:
    found = 1
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return arb(found)
