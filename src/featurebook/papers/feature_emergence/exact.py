"""What can be computed without sampling: the good network, and the first two gradients.

A neuron's pre-activation Z = <phi, q> + b + xi is a sum of independent terms once phi_A is fixed,
so its characteristic function is a product, and Pr[Z in (0, 1)] one integral.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import optimize
from torch import Tensor

from featurebook.core import Params
from featurebook.papers.feature_emergence.data import Distribution

Array = NDArray[np.float64]
Number = float | Array
NODES = 1200
REACH = 9.0


def tent(z: Array, s: Number, slope: Number, half_width: Number) -> Array:
    """delta_{s,a,b} of Lemma 7 as printed: three ReLUs, kinks at s - b, s, s + b."""
    relu = lambda u: np.maximum(u, 0.0)  # noqa: E731
    return slope * (relu(z - s + half_width) - 2 * relu(z - s) + relu(z - s - half_width))


@dataclass(frozen=True)
class SumNetwork:
    """A network whose weights are all ``weight`` times sum_{j in A} M_j.

    Attributes:
        weight: common factor in front of sum_{j in A} M_j.
        b, a: biases and second layer, (n,).
    """

    weight: float
    b: Array
    a: Array

    def before_activation(self, total: Array) -> Array:
        """<w, x> + b for total = sum_{j in A} phi_j, shape (..., n)."""
        return self.weight * total[..., None] + self.b

    def __call__(self, total: Array) -> Array:
        """g(x) for total = sum_{j in A} phi_j (normalised), any shape."""
        return np.clip(self.before_activation(total), 0.0, 1.0) @ self.a


Tents = tuple[tuple[float, float], ...]
"""Shifts of tents with their slopes."""

LEMMA_5: Tents = ((0.0, 2.0), (0.25, 4.0))
LEMMA_35: Tents = ((0.0, 4.0), (0.25, 8.0))
FLATTER: Tents = ((0.0, 4.0), (0.125, 4.0), (-0.125, 4.0))
"""Ours for Lemma 35: as it claims, second-layer weights of at most 64k."""


def good_network(
    k: int, positive: frozenset[int], mu: float, sigma: float, *, tents: Tents = LEMMA_5,
    scale: float = 4.0,
) -> SumNetwork:  # fmt: skip
    """The network of Lemma 5, or with `LEMMA_35` and scale 8 that of the proof of Lemma 35.

    A tent of half width 1/2 for every count p = 0, ..., k, around p - mu plus a shift: the first of
    ``tents`` that keeps the kinks at least 1/8 away from 0. Then weights and biases are divided by
    ``scale`` k, and the second layer multiplied by it.

    Args:
        mu: the expected number of relevant patterns.
        sigma: sigma~.
        tents: shifts, each with the slope to take with it.
    """
    placements = []
    for shift, a in tents:
        centres = np.arange(k + 1) - mu + shift
        kinks = np.stack([centres - 0.5, centres, centres + 0.5], axis=1)
        signs = np.where([p in positive for p in range(k + 1)], 1.0, -1.0)
        heights = signs[:, None] * a * np.array([1.0, -2.0, 1.0])
        placements.append((kinks.ravel(), heights.ravel()))
    kinks, heights = next(p for p in placements if np.abs(p[0]).min() >= 0.125 - 1e-12)
    return SumNetwork(sigma / (scale * k), -kinks / (scale * k), heights * scale * k)


@dataclass(frozen=True)
class Components:
    """Population values for N neurons: the gradient is -a_i (sum_j M_j T_j) in w_i, -a_i T_b in
    b_i and -T_a in a_i, with I[y g <= 1] = 1.

    Attributes:
        T: (N, D).
        T_b, T_a: (N,).
        beta: Pr[<phi_-A, q_-A> + b + xi in (0, 1)], (N,).
        slope: derivative of T_b in b, (N,).
    """

    T: Tensor
    T_b: Tensor
    T_a: Tensor
    beta: Tensor
    slope: Tensor


def gradient_components(
    dist: Distribution, q: Tensor, b: Tensor, noise: Tensor | float,
    weights: tuple[float, float] = (1.0, 1.0),
) -> Components:  # fmt: skip
    """T_j, T_b, T_a and beta of Lemmas 15-17 and 20-22 by Fourier inversion, float64.

    Pr[Z in (0, 1)] = 1/pi int_0^inf Im[(1 - e^{-it}) E e^{itZ}] dt / t, the 2^k states of phi_A
    enumerated, by the midpoint rule up to `REACH` standard deviations of the Gaussian part.

    Args:
        q: <w, M_l>, (N, D).
        b: (N,).
        noise: standard deviation of the neurons' noise, one for all or (N,).
        weights: alpha_{-1} and alpha_{+1} of the class-weighted loss (Lemmas 40-42 and 45-47).

    Raises:
        ValueError: if neither noise nor background would make the integral converge.
    """
    spreads = torch.as_tensor(noise, dtype=torch.float64).expand(len(b)).tolist()
    parts = [_of_neuron(dist, *of_one, weights) for of_one in zip(q, b, spreads, strict=True)]
    return Components(*(torch.stack(list(values)) for values in zip(*parts, strict=True)))


def _of_neuron(
    dist: Distribution, q: Tensor, b: Tensor, sigma_xi: float, weights: tuple[float, float]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    k, sigma = dist.k, dist.sigma
    bits, laws = dist.states()
    phi_A = (bits - dist.mean[:k]) / sigma  # (S, k)
    y = dist.labels[bits.sum(1).long()]
    y = y * torch.where(y > 0, weights[1], weights[0])
    spread = math.sqrt(sigma_xi**2 + dist.sigma_phi_squared * float(q[k:].square().sum()))
    if spread == 0:
        raise ValueError("without noise and without background weights there is no density")
    width = REACH / spread / NODES
    t = (torch.arange(NODES, dtype=torch.float64) + 0.5) * width
    it = 1j * t
    shifted = _turned(t[:, None] * (phi_A @ q[:k] + b))  # (t, S)
    noise = torch.exp(-((sigma_xi * t) ** 2) / 2)
    window = (1 - _turned(-t)) / t * (width / math.pi)
    # int over u in (0, 1) of 1[Z > u] has window (1 - e^{-it}) / (it) / t; the constant E[y] / 2
    # that inversion leaves at infinity is added below.
    ramp = window / it
    low, high = -dist.p_background / sigma, (1 - dist.p_background) / sigma
    angle = t[:, None] * (q[k:] * (high - low))  # a pattern's presence over its absence
    cos, sin = angle.cos(), angle.sin()  # (t, D - k)
    backgrounds = {p: _factors(p, cos, sin) for p in {part.background for part in dist.components}}
    none = noise * _turned(t * (low * float(q[k:].sum())))  # all patterns absent
    at_b = _turned(t * b)
    T = torch.zeros(dist.D, dtype=torch.float64)
    T_b = T_a = beta = slope = torch.zeros((), dtype=torch.float64)
    for part, law in zip(dist.components, laws, strict=True):
        p_b = part.background
        factors, real, imag = backgrounds[p_b]
        product = factors * none
        signed = shifted @ (law * y).to(shifted.dtype)  # (t,)
        whole = window * product * signed
        inner = shifted @ (law * y)[:, None].mul(phi_A).to(shifted.dtype)  # (t, k)
        relevant = ((window * product) @ inner).imag
        # phi_j is high, less high - low where absent, which has the share (1 - p_b) / factor
        absent = whole.imag @ real + whole.real @ imag
        background = high * whole.sum().imag + (low - high) * (1 - p_b) * absent
        T = T + part.weight * torch.cat([relevant, background])
        T_b = T_b + part.weight * whole.imag.sum()
        slope = slope + part.weight * (it * whole).imag.sum()
        mean = float((law * y).sum())
        T_a = T_a + part.weight * ((ramp * product * signed).imag.sum() + mean / 2)
        beta = beta + part.weight * (window * at_b * product).imag.sum()
    return T, T_b, T_a, beta, slope


def _factors(p_b: float, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Of 1 - p_b + p_b e^{i angle}: the product (t,) over patterns, and 1 / it, real and imaginary.

    Args:
        p_b: probability of a pattern.
        cos, sin: of the angles (t, D - k).
    """
    real, imag = (1 - p_b) + p_b * cos, p_b * sin
    size = real.square().addcmul_(imag, imag)  # torch's own complex reciprocal is slow
    return torch.complex(real, imag).prod(1), real / size, -imag / size


def _turned(angle: Tensor) -> Tensor:
    """e^{i angle}, complex128, of real angles; three times faster than `torch.exp`."""
    return torch.complex(angle.cos(), angle.sin())


Push = Callable[[Tensor, Tensor], tuple[Tensor, Tensor, Tensor]]
"""From W and b minus the gradients over a_i in w_i (N, d) and b_i (N,), and that in a_i (N,)."""


def population_push(
    dist: Distribution, sigma_xi: float, W: Tensor, b: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The population `Push` in the dictionary's coordinates."""
    c = gradient_components(dist, W, b, sigma_xi)
    return c.T, c.T_b, c.T_a


def two_exact_steps(push: Push, start: Params, eta: float) -> tuple[Params, Params]:
    """Steps 1 and 2 with the population gradient, where y g^(1) <= 1 (eta small, Lemma 19)."""
    direction, T_b, T_a = push(start["W"], start["b"])
    one = {
        "W": eta * start["a"][:, None] * direction,
        "b": start["b"] + eta * start["a"] * T_b,
        "a": start["a"] + eta * T_a,
    }
    direction, T_b, T_a = push(one["W"], one["b"])
    two = {"W": one["a"][:, None] * direction, "b": one["b"] + one["a"] * T_b, "a": T_a}
    return one, two


def epsilon_e(dist: Distribution, m: int, delta: float) -> float:
    """epsilon_e of Lemma 15 with hidden constant 1."""
    log = math.log(dist.D * m / delta)
    spread = math.sqrt(dist.sigma_phi_squared * dist.sigma**2 * (dist.D - dist.k))
    return (dist.k * math.sqrt(log) + log**1.5) / spread


def ratio(T: Tensor, k: int) -> Tensor:
    """max_{j outside A} |T_j| over the mean |T_j| in A, one per neuron (N,)."""
    return T[:, k:].abs().max(1).values / T[:, :k].mean(1).abs()


def theorem_26_terms(k: int, m: int, T: int) -> tuple[float, float, float]:
    """k^8 / m^{2/3}, k^3 T / m^2, k^2 m^{2/3} / T: the bound of Theorem 26, constants 1."""
    return k**8 / m ** (2 / 3), k**3 * T / m**2, k**2 * m ** (2 / 3) / T


def kolmogorov_distance(dist: Distribution, q: Tensor) -> float:
    """sup_x |Pr[<phi_-A, q_-A> <= x] - Gaussian of the same variance|, by Fourier inversion.

    Args:
        q: one neuron's weights on the background, (D - k,); the background is i.i.d.
    """
    (p,) = {c.background for c in dist.components}
    spread = math.sqrt(dist.sigma_phi_squared * float(q.square().sum()))
    width = 1.3 * REACH / spread / NODES
    t = (torch.arange(NODES, dtype=torch.float64) + 0.5) * width
    low, high = -p / dist.sigma, (1 - p) / dist.sigma
    it = 1j * t
    factors = (1 - p) * torch.exp(it[:, None] * q * low) + p * torch.exp(it[:, None] * q * high)
    gap = factors.prod(1) - torch.exp(-((spread * t) ** 2) / 2)
    x = torch.linspace(-4, 4, 161, dtype=torch.float64) * spread
    # F(x) - G(x) = -1/pi int Im[e^{-itx} (phi_F - phi_G)] dt / t
    kernel = torch.exp(-it[:, None] * x) * (gap / t)[:, None]
    return float((kernel.imag.sum(0) * width / math.pi).abs().max())


def leaving_out(q: Array, p: float, shift: float) -> tuple[float, float]:
    """Lemma 13 without noise, sigma~ = 1: the largest change of Pr[<phi, q> >= b] over b when
    patterns that add ``shift`` are left out, and the printed bound with constant 1.

    Exact, by enumerating the 2^n background states.

    Args:
        q: weights on the background, (n,), n <= 16.
        p: probability of a background pattern.
    """
    n = len(q)
    if n > 16:
        raise ValueError(f"{n} background patterns: enumeration needs at most 16")
    bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    mass = p ** bits.sum(1) * (1 - p) ** (n - bits.sum(1))
    v = (bits - p) @ q
    order = np.argsort(v)
    v = v[order]
    above = np.append(np.cumsum(mass[order][::-1])[::-1], 0.0)  # Pr[value >= v[i]]
    at = np.concatenate([v, v + shift])
    gap = max(
        np.abs(above[np.searchsorted(v, at, side)] - above[np.searchsorted(v, at - shift, side)])
        .max()
        .item()
        for side in ("left", "right")
    )
    deviation, norm = math.sqrt(p * (1 - p)), float(np.linalg.norm(q))
    bound = shift / (deviation * norm) + float((np.abs(q) ** 3).sum()) / (deviation * norm**3)
    return gap, bound


def perfect_classifier(features: Array, y: Array, margin: float = 1.01) -> Array | None:
    """The a of least |a|_inf with y (features a) >= margin on every row, by linear programming;
    None if no a does that.

    Args:
        features: (n, N).
        y: labels +-1, (n,).
    """
    n, N = features.shape
    box, ones = np.eye(N), np.ones((N, 1))
    found = optimize.linprog(
        np.append(np.zeros(N), 1.0),  # the last variable is |a|_inf
        A_ub=np.block([[-y[:, None] * features, np.zeros((n, 1))], [box, -ones], [-box, -ones]]),
        b_ub=np.append(np.full(n, -margin), np.zeros(2 * N)),
        bounds=(None, None),
        method="highs",
    )
    return None if found.x is None else found.x[:N]
