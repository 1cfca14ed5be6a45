"""Risks of probes beyond the figures of `pictures`: a bound, and a repair."""

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
