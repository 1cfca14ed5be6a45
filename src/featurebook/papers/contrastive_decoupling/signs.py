"""The misprinted signs of the gradient, on instances small enough for fractions."""

from collections.abc import Sequence
from fractions import Fraction

import sympy

PAIR = {
    "w": (Fraction(0), Fraction(1)),
    "x+": (Fraction(2), Fraction(0)),
    "x++": (Fraction(0), Fraction(1)),
    "x_n": (Fraction(0), Fraction(2)),
}
"""One neuron with b = 0, one pair and one negative in the plane; τ = 1."""

NEURON, BIAS = (Fraction(1), Fraction(1)), Fraction(1, 2)
"""The neuron whose gradient is taken apart."""


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    """⟨a, b⟩."""
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def soft(u: Fraction, b: Fraction) -> Fraction:
    """S_b(u), the soft threshold."""
    return max(u - b, Fraction(0)) - max(-u - b, Fraction(0))


def slope_of_the_loss() -> sympy.Expr:
    """∂L/∂w_1 of `PAIR`: derivative of log(1 + e^(h(x⁺)(h(x_n) - h(x⁺⁺)))), the others constant."""
    w = sympy.Symbol("w")
    other, negative = (sympy.Rational(dot(PAIR["w"], PAIR[x])) for x in ("x++", "x_n"))
    h = sympy.Rational(PAIR["x+"][0]) * w + sympy.Rational(dot(PAIR["w"], PAIR["x+"]))
    return sympy.diff(sympy.log(1 + sympy.exp(h * (negative - other))), w).subs(w, 0)


def bracket(sign: int) -> Fraction:
    """((1 - ℓ_p) h(x⁺⁺) ± ℓ_s h(x_n)) x⁺_1 of `PAIR`; as h(x⁺) = 0, ℓ_p = ℓ_s = 1/2."""
    other, negative = (dot(PAIR["w"], PAIR[x]) for x in ("x++", "x_n"))
    return (other + sign * negative) / 2 * PAIR["x+"][0]


def pull_in_parts(*, printed: bool) -> tuple[Fraction, Fraction]:
    """Sum of Definition E.4's parts along M = e_1 over 1 - ℓ_p, and minus the gradient's.

    x = ±(1, 1) with equal chance, M z = ±e_1, noise ±e_2, the mask keeps the first coordinate, so
    that x⁺ = ±(2, 0) and x⁺⁺ = ±(0, 2); `NEURON`, negatives 0. ⟨M, 2D ξ⟩ = 0.

    Args:
        printed: with a minus before the second indicators of ψ and φ.
    """
    (alpha, other), b = NEURON, BIAS
    parts = whole = Fraction(0)
    for z in (1, -1):
        x_plus, u = 2 * z, other * 2 * z
        below = -1 if printed else 1
        psi = (alpha * z - b) * (u > b) + below * (alpha * z + b) * (u < -b)
        phi = (u - alpha * z) * (u > b) + below * (u - alpha * z) * (u < -b)
        fires = abs(alpha * x_plus) >= b
        cross = z  # ⟨M, (2D - I) M z⟩
        parts += fires * ((psi + phi) * z + soft(u, b) * cross) / 2
        whole += fires * soft(u, b) * x_plus / 2
    return parts, whole
