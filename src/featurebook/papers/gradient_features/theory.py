"""What the theorems of Chapter 3 prescribe and bound, and corrections. Hidden constants are 1."""

from dataclasses import dataclass
from math import comb

import numpy as np
from flint import arb
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import erfc, ndtr

from featurebook.papers.gradient_features.maps import phi

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Family:
    """A family of gradient feature induced networks and the data's constants.

    Attributes:
        r: neurons of the teacher.
        B_a1, B_a2, B_b: bounds of its second layer (largest, Euclidean norm) and biases.
        B_x1: bound of E‖x‖.
        B_G: least norm of a gradient.
        p: probability of a gradient feature.
        gamma: opening of its cone.
    """

    r: int
    B_a1: float
    B_a2: float
    B_b: float
    B_x1: float
    B_G: float
    p: float
    gamma: float = 0.0


def width(f: Family, epsilon: float) -> float:
    """The first, dominating term of m in (3.10): (r B_a1 B_x1 √(B_b/B_G))⁴/(p ε⁴)."""
    return (f.r * f.B_a1 * f.B_x1 * np.sqrt(f.B_b / f.B_G)) ** 4 / (f.p * epsilon**4)


def bias(f: Family) -> float:
    """b̃ of Theorem B.23 with √(r B_a1): B_G^{1/4} B_a2 B_b^{3/4}/√(r B_a1)."""
    return f.B_G**0.25 * f.B_a2 * f.B_b**0.75 / np.sqrt(f.r * f.B_a1)


def steps(f: Family, m: float, epsilon: float, b: float | None = None) -> float:
    """T of (3.11)."""
    b = bias(f) if b is None else b
    mp = (m * f.p) ** 0.25
    first = np.sqrt(f.r) * f.B_a2 * f.B_b * f.B_x1 / mp + m * b
    return first * (np.sqrt(np.log(m)) / np.sqrt(f.B_b * f.B_G) + 1 / (f.B_x1 * mp)) / epsilon


def least_bias_scale(f: Family, m: float) -> float:
    """B_ε of Theorem B.23: B_x1 (mp)^{-1/4} √(B_b/B_G); Lemma B.6 needs it below B_b."""
    return float(f.B_x1 / (m * f.p) ** 0.25 * np.sqrt(f.B_b / f.B_G))


def prescription(
    f: Family, m: float, epsilon: float, *, sigma_w: float, d: int, slope: float = 1.0
) -> dict[str, float]:
    """b̃, η, T, η^(1) and σ_a of Theorem B.23, with |ℓ'(0)| = ``slope``."""
    b, mp = bias(f), (m * f.p) ** 0.25
    first = np.sqrt(f.r) * f.B_a2 * f.B_b * f.B_x1 / mp + m * b
    second = np.sqrt(np.log(m)) * f.B_x1 * mp / np.sqrt(f.B_b * f.B_G) + 1
    eta = epsilon / (first * second)
    eta1 = min(eta, eta * b) / (slope * (f.B_x1 * sigma_w * np.sqrt(d) + b))
    sigma_a = b * mp / (slope * eta1 * f.B_x1 * np.sqrt(f.B_G * f.B_b))
    return {"b": b, "eta": eta, "T": 1 / (eta * f.B_x1 * mp), "eta1": eta1, "sigma_a": sigma_a}


def good_network_bound(f: Family, m: ArrayLike, B_eps: ArrayLike) -> Array:
    """Lemma B.6: r B_a1 (B_x1² B_b/(√(mp) B_G B_ε) + B_x1 √(2γ) + B_ε), above the teacher."""
    m, B_eps = np.asarray(m, dtype=float), np.asarray(B_eps)
    first = f.B_x1**2 * f.B_b / (np.sqrt(m * f.p) * f.B_G * B_eps)
    return f.r * f.B_a1 * (first + f.B_x1 * np.sqrt(2 * f.gamma) + B_eps)


def too_few_nice(m: ArrayLike, p: ArrayLike) -> Array:
    """P(Bin(m, p/2) < mp/4), exact: Lemma 3.13's event for one feature."""
    m, p = np.asarray(m), np.asarray(p)
    return stats.binom(m, p / 2).cdf(np.ceil(m * p / 4) - 1)


def too_few_bound(m: ArrayLike, p: ArrayLike) -> Array:
    """e^{-mp/16}: Chernoff with its constant, in place of e^{-Θ(mp)}."""
    return np.exp(-np.asarray(m) * np.asarray(p) / 16)


def nearly_right(m: float, eps_a: float, c: float) -> float:
    """P(some of m neurons is in Λ fails) for p = r = 1: (1 - P(|c g - 1| <= ε_a))^m, g ~ N(0, 1).

    A gradient of the right sign, c|g| within ε_a of 1; c is σ_a's hidden constant.
    """
    inside = ndtr((1 + eps_a) / c) - ndtr((1 - eps_a) / c)
    return float(np.exp(m * np.log1p(-inside)))


def empty_bound(mp: float) -> float:
    """e^{-0.48 √(mp)}, which P(Λ_j is empty) does not exceed; 2φ(1) = 0.484 leads (Lemma B.6)."""
    return float(np.exp(-0.48 * np.sqrt(mp)))


# Mixtures of Gaussians


def shortfall(s: ArrayLike) -> Array:
    """f(s) = E(g - s)_+ = φ(s) - s Q(s) for g ~ N(0, 1)."""
    s = np.asarray(s, dtype=float)
    return phi(s) - s * 0.5 * erfc(s / np.sqrt(2))


def teacher_loss(s: float, reach: float = 4.0) -> float:
    """Hinge loss of g* of Lemma 3.17 for orthogonal means of norm ``reach``·s, r = 2, σ = 1.

    One-dimensional: the own neuron gives (reach·s + g - 2s)_+/s; the other cluster's, which would
    change it by f(2s)/s, is left out, so that this is a lower bound; by 400 Gauss nodes.
    """
    x, w = np.polynomial.legendre.leggauss(400)
    low, high = -reach * s - 10, (3 - reach) * s  # below: nothing left; above: no loss
    g = low + (high - low) * (x + 1) / 2
    own = np.maximum(reach * s + g - 2 * s, 0) / s
    return float((w * phi(g) * np.maximum(1 - own, 0)).sum() * (high - low) / 2)


def teacher_loss_printed(d: ArrayLike, tau: float) -> Array:
    """3/d^τ + 4/(d^{0.9τ-1} √(τ log d)), Lemma 3.17."""
    d = np.asarray(d, dtype=float)
    return 3 / d**tau + 4 / (d ** (0.9 * tau - 1) * np.sqrt(tau * np.log(d)))


def teacher_loss_corrected(d: ArrayLike, tau: float, r: int = 2) -> Array:
    """r f(s)/s with s = √(τ log d), at most r d^{-τ/2}/(√(2π) (τ log d)^{3/2})."""
    s = np.sqrt(tau * np.log(np.asarray(d, dtype=float)))
    return r * shortfall(s) / s


def teacher_loss_simple(d: ArrayLike, tau: float, r: int = 2) -> Array:
    """r d^{-τ/2}/(√(2π) (τ log d)^{3/2})."""
    d = np.asarray(d, dtype=float)
    return r * d ** (-tau / 2) / (np.sqrt(2 * np.pi) * (tau * np.log(d)) ** 1.5)


def error_mixture(d: float, tau: float, r: int) -> float:
    """√2 r/d^{0.4τ-0.8}, Theorem 3.18."""
    return float(np.sqrt(2) * r / d ** (0.4 * tau - 0.8))


def middle_term_mixture(d: float, tau: float, r: int) -> float:
    """r B_a1 B_x1 √(2γ) of Theorem B.35 at B_μ2 = σ_{B+} = 1, as the framework gives it."""
    s = np.sqrt(tau * np.log(d))
    return float(np.sqrt(2) * r * 2 * np.sqrt(d) / s * d ** (-(0.9 * tau - 1.5) / 2))


# Parities


def teacher_parity(u: ArrayLike, k: int, sign: int = 1) -> Array:
    """g* of Lemma 3.21 for one block as a function of u = ⟨D, x⟩; ``sign`` -1 for even k."""
    a, b = teacher_neurons(k)
    return sign * (a * np.maximum(np.asarray(u)[..., None] - b, 0)).sum(-1)


def teacher_neurons(k: int) -> tuple[Array, Array]:
    """Second layer and biases of its 3(k + 1) neurons per block: (3(k + 1),) each."""
    i = np.arange(k + 1)
    sign = np.sqrt(k) * (-1.0) ** (i + 1)
    a = np.stack([sign, -2 * sign, sign], axis=1).ravel()
    b = np.stack([2 * i - k - 1, 2 * i - k, 2 * i - k + 1], axis=1).ravel() / np.sqrt(k)
    return a, b


def error_parity(d: float, tau: float, r: int, k: int) -> float:
    """6√2 r (k + 1) √k/d^{(τ-3)/2}, for 3 r √k/d^{(τ-3)/2} in Theorem 3.22."""
    return float(6 * np.sqrt(2) * (k + 1) * r * np.sqrt(k) / d ** ((tau - 3) / 2))


def fixed_features_floor(d: int, k: int, N: float, B: float) -> float:
    """½ - (B/2) √(N/C(d, k)): Proposition 3.23, sharper than printed."""
    return 0.5 - B / 2 * np.sqrt(N / comb(d, k))


def fixed_features_floor_printed(k: int, N: float, B: float) -> float:
    """½ - √N B/(2^k √2), Proposition 3.23."""
    return 0.5 - np.sqrt(N) * B / (2**k * np.sqrt(2))


# Certified numbers, in ball arithmetic


def tail_ball(z: arb) -> arb:
    """Q(z) = P(g > z) of a normal g."""
    return (z / arb(2).sqrt()).erfc() / 2


def shortfall_ball(s: arb) -> arb:
    """f(s) = φ(s) - s Q(s)."""
    return (-s * s / 2).exp() / (2 * arb.pi()).sqrt() - s * tail_ball(s)


def teacher_loss_ball(d: int, tau: arb | int) -> tuple[arb, arb]:
    """A lower bound of the hinge loss of g* at ‖μ_j‖ = 4s, and what Lemma 3.17 prints above it.

    The own neuron lacks f(s) - f(2s) over s; neurons of the same label far away add less than
    f(6s)/s, those of the other label only raise the loss.
    """
    tau = arb(tau)
    log = arb(d).log()
    s = (tau * log).sqrt()
    loss = (shortfall_ball(s) - shortfall_ball(2 * s) - shortfall_ball(6 * s)) / s
    printed = 3 * (-tau * log).exp() + 4 * (-(tau * 9 / 10 - 1) * log).exp() / s
    return loss, printed


def least_dimension(power: float) -> int:
    """The least d >= 3 with d^power <= e^d: where m <= e^d allows a width of d^power."""
    d = max(3, int(power))
    while power * np.log(d) > d:
        d += 1
    return d


def rewritten_teacher(u: Array, k: int) -> tuple[Array, float, float]:
    """g* of Lemma 3.21 without negative biases: Σ_j of nonlinear parts, and c, c' of the rest.

    A neuron a σ(u + β), β > 0, becomes a σ(-u - β), of feature (-D_j, +1), plus a(u + β); the sum
    of these rests is c Σ_j u_j + r c'.

    Args:
        u: ⟨D_j, x⟩, (n, r).
    """
    a, b = teacher_neurons(k)
    low = b < 0
    kept = (a[~low] * np.maximum(u[..., None] - b[~low], 0)).sum(-1)
    turned = (a[low] * np.maximum(-u[..., None] + b[low], 0)).sum(-1)
    return (kept + turned).sum(-1), float(a[low].sum()), float(-(a[low] * b[low]).sum())


def bernstein_sides(w: Array, p: Array, t: Array) -> tuple[Array, Array]:
    """P(|Σ w_l φ_l| >= t) for φ_l = ±1 with probability p each, else 0, and Bernstein's bound.

    Args:
        w: weights (S, n), all of whose 3^n patterns are summed.
        p, t: (S,).
    """
    n = w.shape[1]
    patterns = np.stack(np.meshgrid(*[[-1, 0, 1]] * n, indexing="ij"), -1).reshape(-1, n)
    nonzero = np.abs(patterns).sum(1)
    chance = p[:, None] ** nonzero * (1 - 2 * p[:, None]) ** (n - nonzero)
    tail = (chance * (np.abs(w @ patterns.T) >= t[:, None])).sum(1)
    V, M = 2 * p * (w**2).sum(1), np.abs(w).max(1)
    return tail, 2 * np.exp(-(t**2) / 2 / (V + M * t / 3))


def hoeffding_sides(w: Array, t: Array) -> tuple[Array, Array]:
    """P(|Σ ±w_l| >= t) over fair signs and 2 e^{-t²/(2‖w‖²)}; w (S, n), t (S,)."""
    n = w.shape[1]
    signs = np.stack(np.meshgrid(*[[-1, 1]] * n, indexing="ij"), -1).reshape(-1, n)
    tail = (np.abs(w @ signs.T) >= t[:, None]).mean(1)
    return tail, 2 * np.exp(-(t**2) / (2 * (w**2).sum(1)))


def character_energy(features: Array, k: int) -> tuple[float, float]:
    """Mean over all sets A of k bits of ‖E[χ_A Ψ]‖², and N/C(d, k), for fair bits.

    Args:
        features: Ψ at all 2^d inputs, (2^d, N), bit l of the row's number giving x_l = ±1.
    """
    d = int(np.log2(len(features)))
    spectrum = features.copy()
    for bit in range(d):  # Walsh transform: row A becomes E[χ_A Ψ]
        pairs = spectrum.reshape(-1, 2, 2**bit, features.shape[1])
        spectrum = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], 1) / 2
        spectrum = spectrum.reshape(features.shape)
    sets = np.array([i.bit_count() == k for i in range(len(features))])
    return float((spectrum[sets] ** 2).sum(1).mean()), features.shape[1] / comb(d, k)
