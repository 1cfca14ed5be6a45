"""Simulated risks of probes: against the number of tasks, against bounds, and after a repair."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook.papers.universality_tradeoff import linear, probes

Array = NDArray[np.float64]


def twice_rademacher(T: float, s: int, q: int, v1: float, m: int) -> float:
    """2 R_m = (2B/√m) E‖A g‖, g standard Gaussian; A has 1 on S and 1/√T on P_t, v_2 = 1 - v_1.

    R_m = (B/m) E‖Σ ε_i A z_i‖ (L9700), and Σ ε_i z_i is √m g in law.
    """
    ball = linear.radius(v1, 1 - v1, 1, 1 / T)
    return float(2 * ball * linear.mean_norm([1, 1 / T], [s, q]) / np.sqrt(m))


def worst_sides(x: Array, reps: int, seed: int) -> tuple[float, float]:
    """Mean risk E|ŷ - y| of the worst minimiser, and 2 R_m.

    Args:
        x: T, s, q, v_1, and the place of m between 1 and r - 1, from 0 to 1.
        reps: simulated probes; at every x the same random numbers.
    """
    T, s, q, v1 = float(x[0]), int(x[1]), int(x[2]), float(x[3])
    m = 1 + round(float(x[4]) * (s + q - 2))
    bad = probes.worst_interpolators(T, s, q, v1, m, reps, np.random.default_rng([seed, 9]))
    return float(bad.mean()), twice_rademacher(T, s, q, v1, m)


def regularised(
    T: float, gamma: float, s: int, q: int, v1: float, m: int, tau: float, reps: int, runs: int,
    seed: int,
) -> Array:  # fmt: skip
    """Mean risk on the target before and after the step of Proposition F.9: (runs, 2).

    Before and after share tasks, samples and noise. P_t has q columns, hence γ/√q where the
    proposition, for q = s, has γ/√s; S stays at its cap.
    """
    betas = (1 / T, linear.after_regularisation(T, gamma, q))
    return np.array([
        [
            probes.target_risks(
                1 / beta, s, q, v1, m, tau, reps, np.random.default_rng([seed, 10, k])
            ).mean()
            for beta in betas
        ]
        for k in range(runs)
    ])  # fmt: skip


def worst_against_bounds(
    tasks: Sequence[int], s: int, q: int, labels: Sequence[int], reps: int,
    rng: np.random.Generator,
) -> dict[str, Array]:  # fmt: skip
    """For v_1 = v_2 and every T and m: the mean risk of the worst minimiser, and two bounds on it.

    Returns:
        "worst", "twice R_m" and "printed" (Lemma F.5 without the O term, δ = 0.05), each (T * m,).
    """
    rows = []
    for T in tasks:
        for m in labels:
            bad = probes.worst_interpolators(T, s, q, 0.5, m, reps, rng).mean()
            norm = linear.mean_norm([1, 1 / T], [s, q])
            sharp = 2 * linear.radius(0.5, 0.5, 1, 1 / T) * norm / np.sqrt(m)
            leading = 4 * np.sqrt(linear.leading_squared(T, s, q, 0.5, 0.5) / m)
            rows.append((bad, sharp, leading + linear.deviation_term(m, 0.05)))
    return dict(zip(("worst", "twice R_m", "printed"), np.array(rows).T, strict=True))


def simulated(
    tasks: Sequence[int], s: int, q: int, shares: Sequence[float], m: int, tau: float,
    reps: int, runs: int, seed: int,
) -> Array:  # fmt: skip
    """Mean risks on the target and over all tasks: (v_1, T, runs, 2)."""
    out = np.empty((len(shares), len(tasks), runs, 2))
    risks: tuple[Callable[..., Any], ...] = (probes.target_risks, probes.average_risks)
    for i, v1 in enumerate(shares):
        for j, T in enumerate(tasks):
            for k in range(runs):
                for n, risk in enumerate(risks):
                    sizes = (T,) if n == 0 else (T, max(tasks))
                    rng = np.random.default_rng([seed, 4, i, j, k, n])
                    out[i, j, k, n] = risk(*sizes, s, q, v1, m, tau, reps, rng).mean()
    return out


def gap_at(
    labels: Sequence[int], most: int, s: int, q: int, tau: float, reps: int, runs: int, seed: int
) -> Array:
    """Risk on the target with the most tasks, less that with one, v_1 = v_2: (runs, labels)."""
    gap = np.empty((runs, len(labels)))
    for k in range(runs):
        for j, m in enumerate(labels):
            some = max(reps // 4, 10) if m > 100 else reps
            risk = [
                probes.target_risks(
                    T, s, q, 0.5, m, tau, some, np.random.default_rng([seed, 6, k, j, T])
                ).mean()
                for T in (most, 1)
            ]
            gap[k, j] = risk[0] - risk[1]
    return gap
