"""Bounds at sizes beyond floats, and refutations without rounding: balls, rationals.

What is claimed to fall with d is evaluated in ball arithmetic at d = 10^k (`python-flint`).
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb, arb_poly


def _log_size(k: int) -> arb:
    """log d for d = 10^k."""
    return arb(10).log() * k


def decay_price(powers: Sequence[int], C_z: float, C_sigma: float, degree: int = 1) -> list[arb]:
    """τ min(1, λ / (σ² + p)) at d = 10^k, λ = 1/d, τ = (log d)^degree: below the loss."""
    found = []
    for k in powers:
        x = _log_size(k)
        share = 1 / (arb(C_sigma) * x.sqrt() + arb(C_z) * x.log())
        found.append(x**degree * share.min(arb(1)))
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


def ends_of_stage_one(g: int, c: int) -> tuple[Fraction, Fraction]:
    """Ratios of squared norms that end stage I, at γ = g/10⁴ and c_0 = c/10³.

    Before Theorem C.1 (2 (1 + γ c_0) + c_1) / c_1, in Section A.2 the same with c_0 for γ c_0.
    """
    gamma, c0 = Fraction(g, 10_000), Fraction(c, 1000)
    c1 = 2 + 2 * (1 - gamma) * c0
    return (2 * (1 + gamma * c0) + c1) / c1, (2 * (1 + c0) + c1) / c1


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


def dominant_loss(totals: Sequence[int], d: int, C_sigma: float) -> list[arb]:
    """Below L_NA / τ where one of the orthogonal dense neurons has 99% of Σ‖w‖², b = 0.

    σ² S (0.99 (1/π - 1/4) - 0.01): with one negative and g, g' the two features of the neuron
    L >= E(g(g' - g))⁺ less the others' E‖f(x)‖² (Jensen).
    """
    x = arb(d).log()
    rate = arb(99) / 100 * (1 / arb.pi() - arb(1) / 4) - arb(1) / 100
    return [arb(C_sigma) * x.sqrt() / d * total * rate for total in totals]


def dense_claim(totals: Sequence[int], d: int) -> list[arb]:
    """log² d · d / S, as Lemma F.2 has it."""
    return [arb(d).log() ** 2 * d / total for total in totals]


# --- Lemma B.4 (3): atoms that share a coordinate's sign ------------------------------------------


def sparse_tail(n: int, q: int, power: int, C_z: float) -> arb:
    """Pr(⟨w, (I - 2D) M z⟩² > ‖w‖² max ‖M_j‖_∞² (log d)^(2 power)) at d = 2ⁿ, exactly.

    For M = H_d ⊗ 1_d / d and w = e_1 ⊗ (q ones, zeros) the pre-activation over ‖w‖ ‖M_j‖_∞ is B S:
    B is a sum of q signs over √q, S that of d independent z_j.
    """
    d, x = 2**n, _log_size_2(n)
    p = arb(C_z) * x.log() / d
    sums = arb_poly([p / 2, 1 - p, p / 2]) ** d  # Pr(S = s) stands at s + d
    found = arb(0)
    for k in range(q + 1):
        reaches = (s for s in range(1, d + 1) if (q - 2 * k) ** 2 * s * s > q * x ** (2 * power))
        least = next(reaches, d + 1)
        found += 2 * math.comb(q, k) * sum((sums[d + s] for s in range(least, d + 1)), arb(0))
    return found / 2**q


def sparse_tail_rates(powers: Sequence[int], C_z: float) -> list[arb]:
    """At d = 2ⁿ an upper bound on -log Pr / log² d, Pr as in `sparse_tail` with power 2.

    With k = ⌊log^(4/3) d⌋ + 1 and q k² > log⁴ d the event has all q signs equal, and k of the z_j
    not 0, all of one sign after H's: Pr >= 2^(2-q) C(d, k) (p/2)^k (1 - p)^(d-k).
    """
    found = []
    for n in powers:
        d, x = arb(2) ** n, _log_size_2(n)
        p = arb(C_z) * x.log() / d
        k = int(float(x) ** (4 / 3)) + 1
        q = int(float(x) ** 4 / k**2) + 1
        if not arb(q) * k * k > x**4:
            raise ArithmeticError(f"q = {q} signs are not certain to suffice at d = 2^{n}")
        chosen = k * ((d - k) * p / 2).log() - arb(k + 1).lgamma() + d * (-p).log1p()
        found.append(((q - 2) * arb(2).log() - chosen) / x**2)
    return found


def sparse_tail_bound(n: int, C_z: float) -> arb:
    """2 d e^(-log² d / 2) + 2 e^(-(3/2) log² d / (1 + 3 C_z log log d / log² d)) at d = 2ⁿ."""
    x = _log_size_2(n)
    square = x * x
    bernstein = (-square * 3 / 2 / (1 + 3 * arb(C_z) * x.log() / square)).exp()
    return 2 ** (n + 1) * (-square / 2).exp() + 2 * bernstein


def _log_size_2(n: int) -> arb:
    """log d for d = 2ⁿ."""
    return arb(2).log() * n


# --- Lemma A.3 ------------------------------------------------------------------------------------


def sketched_push(alpha: Fraction, b: Fraction, d: int, C_sigma: float) -> tuple[arb, arb]:
    """The push on an atom over p as d_1 → ∞, and the sketch's main term α Pr(|⟨w, x⟩| >= b).

    The views are independent given z_j = 1, both N(α, 2σ²) along w, and ⟨w, x⟩ is N(α, σ²).
    """
    mean, bias = (arb(v.numerator) / v.denominator for v in (alpha, b))
    sigma = (arb(C_sigma) * arb(d).log().sqrt() / d).sqrt()
    spread = arb(2).sqrt() * sigma
    up, down = (bias - mean) / spread, (bias + mean) / spread
    push = spread * (_shortfall(up) - _shortfall(down)) * (_tail(up) + _tail(down))
    return push, mean * (_tail((bias - mean) / sigma) + _tail((bias + mean) / sigma))


def _tail(t: arb) -> arb:
    """Q(t) of a standard normal."""
    return (t / arb(2).sqrt()).erfc() / 2


def _shortfall(t: arb) -> arb:
    """E(g - t)⁺ = φ(t) - t Q(t)."""
    return (-t * t / 2).exp() / (2 * arb.pi()).sqrt() - t * _tail(t)
