"""Certificates in ball arithmetic: where the exact optimum of ERM-ℓ2 must lie.

The objective is λ-strongly convex, so that ‖w - w*‖ <= ‖∇‖ / λ for every w; the gradient is an
integral that `acb.integral` encloses.
"""

from fractions import Fraction

import flint
from flint import acb, arb


def ball(x: Fraction | int | float) -> arb:
    """A number as a ball of radius 0, or what rounding makes of it."""
    x = Fraction(x)
    return arb(x.numerator) / arb(x.denominator)


def _mgf(s: acb, p: arb) -> tuple[acb, acb]:
    """Moment generating function at s of: U[0, 1] with probability p, else U[-1, 0]; derivative."""
    up, down = s.exp(), (-s).exp()
    g, h = (up - 1) / s, (1 - down) / s
    first = (up - g) / s, (down - h) / s
    return p * g + (1 - p) * h, p * first[0] + (1 - p) * first[1]


def pulls(
    weights: tuple[Fraction, Fraction], counts: tuple[int, int], gamma: Fraction, reach: int = 14
) -> tuple[arb, arb]:
    """E[z_k / (1 + e^Y)] for an invariant and an environmental coordinate, enclosed.

    On Re s = 1/2, |π / sin πs| = π / cosh(πu) <= 2π e^(-πu), and |E z e^(-sY)| <= E e^(-Y/2); so
    the part of the integral beyond ``reach`` is at most 2 e^(-π reach) E e^(-Y/2) / π.
    """
    chances = (arb(1), ball(Fraction(1, 2) + gamma))
    v = [ball(w) for w in weights]

    def integrand(k: int, u: acb) -> acb:
        s = acb(0.5) + acb(0, 1) * u
        parts = [_mgf(-s * w, p) for w, p in zip(v, chances, strict=True)]
        whole = parts[0][0] ** counts[0] * parts[1][0] ** counts[1]
        return acb.pi() / (acb.pi() * s).sin() * whole * parts[k][1] / parts[k][0]

    half = [_mgf(acb(-0.5) * w, p)[0] for w, p in zip(v, chances, strict=True)]
    size = (half[0] ** counts[0] * half[1] ** counts[1]).real
    tail = 2 * (-arb.pi() * reach).exp() * size / arb.pi()
    found = []
    for k in range(2):
        inner = acb.integral(
            lambda u, _: integrand(k, u),  # noqa: B023
            acb(-reach), acb(reach), rel_tol=arb(2) ** -45, abs_tol=arb(2) ** -45,
        )  # fmt: skip
        found.append(inner.real / (2 * arb.pi()) + arb(0, tail.upper()))
    return found[0], found[1]


def distance(
    weights: tuple[Fraction, Fraction], counts: tuple[int, int], gamma: Fraction, lam: Fraction
) -> arb:
    """‖w - w*‖ is at most this, for w constant on the groups."""
    total = arb(0)
    for n, w, pull in zip(counts, weights, pulls(weights, counts, gamma), strict=True):
        total += n * (ball(lam) * ball(w) - pull).abs_upper() ** 2  # a square is not negative
    return total.sqrt() / ball(lam)


def logistic_of_uniform(t: int) -> arb:
    """E ln(1 + e^(-tz)) for z uniform on [0, 1]: (π²/12 + Li_2(-e^(-t))) / t."""
    x = arb(t)
    dilogarithm = acb(-(-x).exp()).polylog(2).real
    return (arb.pi() ** 2 / 12 + dilogarithm) / x


def border_ratio(r: int, q: int, gamma: Fraction) -> arb:
    """ρ, the limit at λ_R of pull over price of an environmental feature: below 1 a λ selects."""
    spread = ball(Fraction(1, 3) - gamma**2)
    rest = (spread + ball(q * gamma**2 / (1 + 3 * r))).sqrt()
    invariant = (r - 1) / arb(12).sqrt() + ball(Fraction(1, 12) + Fraction(r, 4)).sqrt()
    top = ball(Fraction(r, 4)) / invariant
    return ball(q * gamma / 2) / (top * ((q - 1) * spread.sqrt() + rest))


def precise(bits: int = 128) -> None:
    """Set the working precision of the balls."""
    flint.ctx.prec = bits
