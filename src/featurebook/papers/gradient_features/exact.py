"""Refutations without rounding: the instances of counterexamples in rationals and in balls."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from flint import arb

from featurebook.papers.gradient_features.majority import xi
from featurebook.papers.gradient_features.theory import tail_ball


def normal_density(z: arb) -> arb:
    """φ(z)."""
    return (-z * z / 2).exp() / (2 * arb.pi()).sqrt()


# --- The framework --------------------------------------------------------------------------------


def half_of_the_nice(power: int) -> tuple[arb, arb]:
    """Half the mean of |Λ| and 10 √(mp) for m = 10^power, x and the bias as in `one_line(0)`.

    B_x1 = B_G = ‖G‖ = 5/4, B_b = 1, p = Q(1/50), β = B_ε: |Λ| is binomial with mean
    m p (Φ(1 + ε_a) - Φ(1 - ε_a)) = μ, and at least μ/2 except with probability e^(-μ/8).
    """
    mp = arb(10) ** power * tail_ball(arb(1) / 50)
    size = arb(5) / 4
    scale = size / mp.sqrt().sqrt() / size.sqrt()  # B_ε, below B_b/2
    opening = 1 / (mp.sqrt() * scale)  # ε_a, below 1/2
    inside = tail_ball(1 - opening) - tail_ball(1 + opening)
    return mp * inside / 2, 10 * mp.sqrt()


def second_layer(teacher: Sequence[Fraction], members: int, beta: Fraction) -> list[Fraction]:
    """b̃ ã on the neurons of one Λ that teacher neurons of equal biases share: Σ_j a_j β/|Λ|."""
    return [sum((a * beta / members for a in teacher), Fraction(0))] * members


def growth_of_norms(r: int, members: int = 9) -> tuple[Fraction, Fraction]:
    """‖ã‖_∞ and ‖ã‖_2² over the printed orders, for r equal teacher neurons with a = β = 1.

    The printed orders are B_a1 B_b/(b̃ n) and B_a2² B_b²/(b̃² n), n = |Λ|, with B_a2² = r.
    """
    found = second_layer([Fraction(1)] * r, members, Fraction(1))
    squares = sum((a * a for a in found), Fraction(0))
    return max(found) * members, squares * members / r


def steps(r: int, m: int) -> arb:
    """T of (3.11) for r teacher neurons and width m.

    B_a1 = 2/5, B_a2 = √r B_a1, B_b = 5, B_x1 = 20, B_G = 2, p = ε = 1/10.
    """
    a1, B_b, B_x1, B_G = arb(2) / 5, arb(5), arb(20), arb(2)
    a2 = arb(r).sqrt() * a1
    bias = (B_G * B_b**3).sqrt().sqrt() * a2 / (r * a1).sqrt()
    mp = (arb(m) / 10).sqrt().sqrt()
    first = arb(r).sqrt() * a2 * B_b * B_x1 / mp + m * bias
    return first * (arb(m).log().sqrt() / (B_b * B_G).sqrt() + 1 / (B_x1 * mp)) * 10


# --- Mixtures -------------------------------------------------------------------------------------


def middle_terms(d: int, r: int = 3) -> tuple[arb, arb]:
    """r B_a1 B_x1 √(2γ) at τ = 9, B_μ2 = σ_B+ = 1, as (B.338) has it and as the framework does.

    Over B_a1 = 1/s with s = √(9 log d); γ = d^(-6.6), B_x1 = 2 √d.
    """
    log = arb(d).log()
    opening = (arb(2)).sqrt() * (-log * 33 / 10).exp()
    unit = r * opening / (9 * log).sqrt()
    return unit, unit * 2 * arb(d).sqrt()


def third_of_sure(d: int) -> arb:
    """|⟨G, D_3⟩| of a neuron of Lemma B.40's sure set, at σ_B = τ = 1, in units of σ_w = 1.

    ⟨w, D_1⟩ = 6b/(5√d), ⟨w, D_3⟩ = √2, both on the border, and ‖w‖ = √d; b² = d log log d.
    """
    root, bias = arb(d).sqrt(), arb(d).log().log().sqrt()
    along = {1: bias * 6 / 5, 3: arb(2).sqrt()}
    z = [sign * along[j] - bias for j in (1, 3) for sign in (1, -1)]
    phi = [normal_density(x) for x in z]
    rest = (phi[0] + phi[1] - phi[2] - phi[3]) * along[3] / root / 4
    return abs(-root / 4 * (tail_ball(-z[2]) - tail_ball(-z[3])) + rest)


def sure_size(low: arb, high: arb) -> arb:
    """An upper bound on ‖G‖/√d for all d with log d in [low, high], at σ_B = τ = 1.

    Of the neuron with ‖w‖ = √d σ_w, ⟨w, μ_1⟩ = 6b/5 and ⟨w, μ_3⟩ = 0, so that z_3 = z_4: at most
    Φ(z_1)/4 along D_1, with z_1 = √(log log d)/5, 0 along D_3, and 1/√(8πd) along w.
    """
    along = (1 - tail_ball(high.log().sqrt() / 5)) / 4
    return along + (-low / 2).exp() / (8 * arb.pi()).sqrt()


def short_neuron(d: arb) -> arb:
    """e^(-d/16), which P(χ²_d <= d/2) does not exceed (Laurent and Massart)."""
    return (-d / 16).exp()


def xor_upper(power: int) -> arb:
    """An upper bound on p of Lemma B.37 at d = 10^power, σ_B = τ = 1, as the page proves it."""
    d = arb(10) ** power
    log = d.log()
    rest = 1 / (8 * arb.pi()).sqrt()
    gap = (
        2 * (-log / 4).exp()
        + 4 * arb(2).sqrt() * rest * (-log * 3 / 4).exp()
        + 4 * rest * (-log / 2).exp()
    )
    slope = 2 * normal_density((2 * log.log()).sqrt() + 1)
    if not gap < slope:
        return arb(1)
    return (2 / arb.pi()).sqrt() * gap / slope + short_neuron(d)


def xor_claimed(power: int) -> arb:
    """1/(√(log log d) (log d)^(18/25)) at d = 10^power: p of Lemma B.37 without its constant."""
    log = arb(10).log() * power
    return 1 / (log.log().sqrt() * (log.log() * 18 / 25).exp())


# --- Uniform parities -----------------------------------------------------------------------------


def gradient_square(k: int, d: int) -> Fraction:
    """‖G‖² = (k ξ_{k-1}² + (d - k) ξ_{k+1}²)/4."""
    return (k * xi(k - 1, d) ** 2 + (d - k) * xi(k + 1, d) ** 2) / 4


def central(n: int) -> Fraction:
    """c_n = C(2n, n)/4ⁿ."""
    return Fraction(comb(2 * n, n), 4**n)


def squared_coefficient(k: int, d: int) -> Fraction:
    """ξ_j² C(d, j) = (d/j) c_i c_{h-i} c_h for j = k - 1 = 2i + 1, d = 2h + 1."""
    i, h = (k - 2) // 2, (d - 1) // 2
    return Fraction(d, k - 1) * central(i) * central(h - i) * central(h)


def central_ball(n: int) -> arb:
    """c_n for large n."""
    return (arb(2 * n + 1).lgamma() - 2 * arb(n + 1).lgamma() - n * arb(4).log()).exp()


def samples_over_printed(k: int, d: int, power: Fraction) -> arb:
    """k² d/ξ_{k-1}² over k^power d C(d, k - 1): samples needed over those of an order."""
    i, h = (k - 2) // 2, (d - 1) // 2
    spread = arb(d) / (k - 1) * central_ball(i) * central_ball(h - i) * central_ball(h)
    exponent = arb(2) - arb(power.numerator) / power.denominator
    return (arb(k).log() * exponent).exp() / spread
