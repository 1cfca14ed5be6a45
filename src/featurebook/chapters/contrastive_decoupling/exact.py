"""Bounds at sizes beyond floats, and refutations without rounding: balls, rationals.

What is claimed to fall with d is evaluated in ball arithmetic at d = 10^k (`python-flint`).
"""

from collections.abc import Sequence
from fractions import Fraction

from flint import arb


def _log_size(k: int) -> arb:
    """log d for d = 10^k."""
    return arb(10).log() * k


def decay_price(powers: Sequence[int], C_z: float, C_sigma: float) -> list[arb]:
    """τ min(1, λ / (σ² + p)) at d = 10^k, λ = 1/d, τ = log d: a lower bound on the loss."""
    found = []
    for k in powers:
        x = _log_size(k)
        share = 1 / (arb(C_sigma) * x.sqrt() + arb(C_z) * x.log())
        found.append(x * share.min(arb(1)))
    return found


def no_atom(k: int, C_z: float) -> arb:
    """Pr(z = 0) = (1 - p)^d at d = 10^k."""
    d = arb(10) ** k
    return (d * (-arb(C_z) * _log_size(k).log() / d).log1p()).exp()


def any_weights_loss(powers: Sequence[int], C_z: float) -> list[arb]:
    """½ Pr(z = 0) log((1 + d²) / 2) at d = 10^k: below the masked loss / τ for N = d²."""
    return [no_atom(k, C_z) / 2 * ((1 + (arb(10) ** k) ** 2) / 2).log() for k in powers]


def accuracy_of_the_better(powers: Sequence[int], C_z: float) -> list[arb]:
    """½ Pr(z ≠ 0) at d = 10^k: what the better of a probe and its negative has at least."""
    return [(1 - no_atom(k, C_z)) / 2 for k in powers]


def share_bounds(gammas: Sequence[int], c0s: Sequence[int]) -> tuple[list, list]:
    """Shares that Theorem C.1 (b) needs at least and (c) at most, at γ = g/10⁴ and c_0 = c/10³."""
    needs, allows = [], []
    for g in gammas:
        for c in c0s:
            gamma, c0 = Fraction(g, 10_000), Fraction(c, 1000)
            x, c1 = gamma * c0, 2 + 2 * (1 - gamma) * c0
            needs.append(2 * (1 + x) ** 2 / c1)
            allows.append(2 * (1 - x) ** 2 / (c1 - x))
    return needs, allows


def biased_pull(thresholds: Sequence[Fraction]) -> tuple[list[arb], list[arb]]:
    """E[S_b(u) u] and E[u² 1(|u| >= b)] of a standard normal u, at each b (Lemma F.1, b > 0).

    By parts the first is 2 Q(b), the second 2 (Q(b) + b φ(b)).
    """
    left, printed = [], []
    for b in thresholds:
        t = arb(b.numerator) / b.denominator
        tail = (t / arb(2).sqrt()).erfc() / 2
        density = (-t * t / 2).exp() / (2 * arb.pi()).sqrt()
        left.append(2 * tail)
        printed.append(2 * (tail + t * density))
    return left, printed
