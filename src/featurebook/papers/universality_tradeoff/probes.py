"""The risk of linear probes in the linear model, simulated: m labels, noise τ, a ball (7.8)."""

import numpy as np
from numpy.typing import NDArray

from featurebook.core.spectra import svd

Array = NDArray[np.float64]


def unit_blocks(reps: int, size: int, mass: float, rng: np.random.Generator) -> Array:
    """Random vectors (reps, size) with the squared norm ``mass``."""
    u = rng.normal(size=(reps, size))
    return u * np.sqrt(mass / (u**2).sum(1, keepdims=True))


def in_ball(X: Array, y: Array, radius: Array) -> Array:
    """Least squares over ‖u‖ ≤ radius, the smallest minimiser; X (n, m, k), y (n, m), out (n, k).

    Ridge regression whose strength is found by bisection, so that the norm is the radius.
    """
    left, sigma, right = svd(X, full_matrices=False)
    c = np.einsum("nmk,nm->nk", left, y)
    small = sigma <= 1e-10 * sigma[:, :1]
    safe = np.where(small, 1.0, sigma)
    free = np.where(small, 0.0, c / safe)
    low, high = np.full(len(X), -46.0), np.full(len(X), 23.0)  # log of the ridge
    for _ in range(60):
        middle = (low + high) / 2
        shrunk = np.where(small, 0.0, sigma * c / (sigma**2 + np.exp(middle)[:, None]))
        longer = (shrunk**2).sum(1) > radius**2
        low, high = np.where(longer, middle, low), np.where(longer, high, middle)
    shrunk = np.where(small, 0.0, sigma * c / (sigma**2 + np.exp(high)[:, None]))
    inside = ((free**2).sum(1) <= radius**2 * (1 + 1e-9))[:, None]
    return np.einsum("nk,nkj->nj", np.where(inside, free, shrunk), right)


def target_risks(
    T: float, s: int, q: int, v1: float, m: int, tau: float, reps: int, rng: np.random.Generator
) -> Array:
    """Risks E(ŷ - uᵀz)² on the target task, pre-trained on T tasks with it: (reps,).

    ‖u_t*‖ = 1, v_2 = 1 - v_1; the features are z_S and z_P / √T.
    """
    u = np.hstack([unit_blocks(reps, s, v1, rng), unit_blocks(reps, q, 1 - v1, rng)])
    scale = np.r_[np.ones(s), np.full(q, 1 / np.sqrt(T))]
    z = rng.normal(size=(reps, m, s + q))
    y = np.einsum("nmk,nk->nm", z, u) + tau * rng.normal(size=(reps, m))
    radius = np.full(reps, np.sqrt(v1 + T * (1 - v1)))
    return ((scale * in_ball(z * scale, y, radius) - u) ** 2).sum(1)


def outside_risks(
    s: int, q: int, v1: float, m: int, tau: float, reps: int, rng: np.random.Generator
) -> Array:
    """Risks on a task that pre-training has not seen: only z_S is there, v_2 is lost: (reps,)."""
    u = unit_blocks(reps, s, v1, rng)
    z = rng.normal(size=(reps, m, s))
    missed = np.sqrt(1 - v1 + tau**2) * rng.normal(size=(reps, m))
    y = np.einsum("nmk,nk->nm", z, u) + missed
    found = in_ball(z, y, np.full(reps, np.sqrt(v1)))
    return ((found - u) ** 2).sum(1) + 1 - v1


def average_risks(
    T: int, tasks: int, s: int, q: int, v1: float, m: int, tau: float, reps: int,
    rng: np.random.Generator,
) -> Array:  # fmt: skip
    """Mean risk over ``tasks`` tasks of which T were in the mixture: (reps,)."""
    seen = target_risks(T, s, q, v1, m, tau, reps, rng)
    if tasks <= T:
        return seen
    return (T * seen + (tasks - T) * outside_risks(s, q, v1, m, tau, reps, rng)) / tasks


def worst_interpolators(
    T: float, s: int, q: int, v1: float, m: int, reps: int, rng: np.random.Generator
) -> Array:
    """E|ŷ - y| of the worst noiseless empirical minimiser in the ball, m < r: (reps,).

    From the smallest interpolator one walks along the null space to the border of the ball, in the
    direction that adds the most risk.
    """
    u = np.hstack([unit_blocks(reps, s, v1, rng), unit_blocks(reps, q, 1 - v1, rng)])
    scale = np.r_[np.ones(s), np.full(q, 1 / np.sqrt(T))]
    z = rng.normal(size=(reps, m, s + q)) * scale
    true = u / scale
    _, _, right = svd(z, full_matrices=True)
    null = right[:, m:]  # (reps, r - m, r)
    part = np.einsum("njk,nk->nj", null, true)  # of the true predictor in the null space
    room = np.sqrt(np.maximum(v1 + T * (1 - v1) - (true**2).sum(1) + (part**2).sum(1), 0))
    direction = -part / np.maximum(np.linalg.norm(part, axis=1, keepdims=True), 1e-12)
    metric = np.einsum("njk,k,nik->nji", null, scale**2, null)
    for _ in range(60):  # maximise (c - part)ᵀ metric (c - part) over ‖c‖ = room
        c = room[:, None] * direction
        ahead = np.einsum("nji,ni->nj", metric, c - part)
        direction = ahead / np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-12)
    off = room[:, None] * direction - part
    return np.sqrt(2 / np.pi * np.einsum("nj,nji,ni->n", off, metric, off))


def one_shared(T: float, q: int, m: int, reps: int, rng: np.random.Generator) -> Array:
    """s = 1, v_1 = 1, m <= q: E|ŷ - y| of every noiseless minimiser in the ball is at most this.

    The true predictor e_1 has the radius of the ball as its norm. If p is its part in the null
    space of the data, a minimiser is off by a vector of norm at most 2‖p‖; and in law
    ‖p‖² = 1 / (1 + T χ²_m / χ²_{q-m+1}), since the private features are Gaussian.
    """
    return 2 * np.sqrt(2 / np.pi * lost_part(T, q, m, reps, rng))


def lost_part(T: float, q: int, m: int, reps: int, rng: np.random.Generator) -> Array:
    """‖p‖² of `one_shared`."""
    return 1 / (1 + T * rng.chisquare(m, reps) / rng.chisquare(q - m + 1, reps))
