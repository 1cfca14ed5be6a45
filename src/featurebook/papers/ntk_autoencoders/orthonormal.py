"""Weak training on orthonormal samples, at any width.

For X = I a neuron's coordinate i sees sample i alone, and how it moves depends only on its signs
a_r and on whether it is still on. So the whole training is decided by a few numbers for each
sample i and sign pattern a: how many neurons are on, the sum of their weights, and which of them
lie so near the hyperplane that they may switch off. The theorems' own widths, millions to
billions of neurons, cost what 2^d neurons cost.

Counts and the near neurons are drawn from their exact laws. The sum of the other weights is drawn
from the normal law of the same mean and variance; by Berry and Esseen's inequality its distribution
is off by at most 2 / √N for N neurons, 10^-3 at a million.
"""

from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from featurebook.core.spectra import eigvalsh

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Wide:
    """One network of m neurons, as what decides its weak training on X = I.

    Attributes:
        signs: the patterns a of outgoing weights, (2^d, d).
        on: how many neurons of each pattern are on for each sample, (d, 2^d).
        total: the sum of their weights along the sample, (d, 2^d).
        near: those weights that are below ``reach``, increasing, a list for each sample of lists.
        reach: how near to its hyperplane a neuron may switch off.
        m: neurons in all.
    """

    signs: Array
    on: NDArray[np.int64]
    total: Array
    near: list[list[Array]]
    reach: float
    m: int

    @property
    def scale(self) -> float:
        """√(md)."""
        return sqrt(self.m * self.signs.shape[1])


def wide(d: int, m: int, reach: float, seed: int) -> Wide:
    """Draw a network of width m for n = d orthonormal samples.

    Args:
        reach: no neuron will move further; see `Wide`.
    """
    rng = np.random.default_rng([seed, d])
    signs = np.array(list(product((-1.0, 1.0), repeat=d)))
    kinds = rng.multinomial(m, np.full(len(signs), 1 / len(signs)))
    on = rng.binomial(kinds, 0.5, size=(d, len(signs)))
    inside = float(stats.norm.cdf(reach) - 0.5)  # P(0 <= z < reach)
    few = rng.binomial(on, 2 * inside)
    density, rest = float(stats.norm.pdf(reach)), 0.5 - inside
    mean = density / rest  # of a normal number, given that it exceeds reach
    deviation = sqrt(1 + reach * mean - mean**2)
    far = on - few
    total = far * mean + np.sqrt(far) * deviation * rng.standard_normal(on.shape)
    near: list[list[Array]] = []
    for row in few:
        drawn = [np.sort(stats.norm.ppf(0.5 + inside * rng.random(k))) for k in row]
        near.append(drawn)
    total += np.array([[weights.sum() for weights in row] for row in near])
    return Wide(signs, on, total, near, reach, m)


@dataclass
class Walk:
    """Where a training stands.

    Attributes:
        moved: how far the neurons of each pattern have moved along each sample, (d, 2^d).
        lost: how many of them have switched off, and the sum of their weights, (d, 2^d) each.
    """

    moved: Array
    lost: NDArray[np.int64]
    lost_total: Array


def start(net: Wide) -> Walk:
    zero = np.zeros(net.on.shape)
    return Walk(zero, np.zeros(net.on.shape, dtype=np.int64), zero.copy())


def residual(net: Wide, walk: Walk) -> Array:
    """E = X - U with a row for each sample, (n, d)."""
    active = net.on - walk.lost
    pre = net.total - walk.lost_total + active * walk.moved  # Σ w·x over the neurons that are on
    return np.eye(len(net.on)) - pre @ net.signs / net.scale


def kernels(net: Wide, walk: Walk) -> Array:
    """The blocks (1/m) Σ a aᵀ of G for each sample, (n, d, d); the others vanish."""
    active = (net.on - walk.lost).astype(float)
    return np.einsum("ik,kp,kq->ipq", active, net.signs, net.signs) / net.m


def moved_farthest(walk: Walk) -> float:
    """The largest ‖w_r(k) - w_r(0)‖, over neurons that are on for all samples."""
    return float(np.sqrt(np.square(walk.moved).sum(0)).max())


def switch_off(net: Wide, walk: Walk) -> Walk:
    """Drop the neurons whose pre-activation has become negative; they never come back.

    Raises:
        ValueError: if a neuron has moved further than the network's reach.
    """
    if -walk.moved.min() > net.reach:
        raise ValueError(f"a neuron has moved {-walk.moved.min():.3g}, beyond {net.reach:.3g}")
    lost, lost_total = walk.lost.copy(), walk.lost_total.copy()
    for i, row in enumerate(net.near):
        for k, weights in enumerate(row):
            gone = int(np.searchsorted(weights, -walk.moved[i, k]))
            if gone > lost[i, k]:
                lost[i, k], lost_total[i, k] = gone, weights[:gone].sum()
    return Walk(walk.moved, lost, lost_total)


def step(net: Wide, walk: Walk, eta: float) -> Walk:
    """One update of gradient descent with step size η."""
    push = eta / net.scale * residual(net, walk) @ net.signs.T
    return switch_off(net, Walk(walk.moved + push, walk.lost, walk.lost_total))


def terms(net: Wide, walk: Walk, after: Walk, eta: float) -> dict[str, float]:
    """The terms of (4.11) over ‖X - U(k)‖²_F, named as in `steps.change_terms`.

    ``R`` is the larger of the movements before and after, ``most_flips`` max_i |S_i⊥|/m, ``least``
    λ_min(G(k)), ``size`` the error.
    """
    d, E = net.signs.shape[1], residual(net, walk)
    size, G = float(np.square(E).sum()), kernels(net, walk)
    flips = (after.lost - walk.lost).astype(float)
    weights = after.lost_total - walk.lost_total + flips * walk.moved  # what they gave before
    v2 = -weights @ net.signs / net.scale
    K_flipped = np.einsum("ik,kp,kq->ipq", flips, net.signs, net.signs) / net.m
    change = E - residual(net, after)
    return {
        "kernel": -2 * eta / d * float(np.einsum("ip,ipq,iq->", E, G, E)) / size,
        "flipped": 2 * eta / d * float(np.einsum("ip,ipq,iq->", E, K_flipped, E)) / size,
        "v2": -2 * float((E * v2).sum()) / size,
        "squared": float(np.square(change).sum()) / size,
        "total": float(np.square(E - change).sum()) / size - 1,
        "most_flips": float(flips.sum(1).max()) / net.m,
        "R": max(moved_farthest(walk), moved_farthest(after)),
        "least": float(eigvalsh(G)[:, 0].min()),
        "size": size,
    }


def descend(net: Wide, eta: float, steps: int) -> dict[str, Array]:
    """Gradient descent: `terms` of every step, (steps,) each."""
    walk, rows = start(net), []
    for _ in range(steps):
        after = step(net, walk, eta)
        rows.append(terms(net, walk, after, eta))
        walk = after
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def flow(net: Wide, times: list[float], pace: float = 0.1) -> dict[str, Array]:
    """Gradient flow by Runge and Kutta's method of order 4: `observe` at each of ``times``.

    Args:
        pace: largest step of the integrator.
    """
    walk, seen = start(net), []
    for k, t in enumerate(times):
        span = t - times[k - 1] if k else 0.0
        count = int(np.ceil(span / pace))
        for _ in range(count):
            walk = _runge_kutta(net, walk, span / count)
        seen.append(observe(net, walk))
    return {name: np.array([row[name] for row in seen]) for name in seen[0]}


def observe(net: Wide, walk: Walk) -> dict[str, float]:
    """``error``, ``least`` λ_min(G) and ``max_r``, as in `kernels.watch`."""
    return {
        "error": float(np.square(residual(net, walk)).sum()),
        "least": float(eigvalsh(kernels(net, walk))[:, 0].min()),
        "max_r": moved_farthest(walk),
    }


def _runge_kutta(net: Wide, walk: Walk, h: float) -> Walk:
    def velocity(moved: Array) -> Array:
        return residual(net, Walk(moved, walk.lost, walk.lost_total)) @ net.signs.T / net.scale

    first = velocity(walk.moved)
    second = velocity(walk.moved + h / 2 * first)
    third = velocity(walk.moved + h / 2 * second)
    fourth = velocity(walk.moved + h * third)
    moved = walk.moved + h / 6 * (first + 2 * second + 2 * third + fourth)
    return switch_off(net, Walk(moved, walk.lost, walk.lost_total))


def from_weights(W: Array, A: Array, reach: float) -> Wide:
    """The numbers of a network whose weights W and A (d, m) are given."""
    d, m = W.shape
    signs = np.array(list(product((-1.0, 1.0), repeat=d)))
    mine = [(a[:, None] == A).all(0) for a in signs]
    chosen = [[np.sort(W[i, which][W[i, which] >= 0]) for which in mine] for i in range(d)]
    return Wide(
        signs=signs,
        on=np.array([[len(z) for z in row] for row in chosen]),
        total=np.array([[z.sum() for z in row] for row in chosen]),
        near=[[z[z < reach] for z in row] for row in chosen],
        reach=reach,
        m=m,
    )
