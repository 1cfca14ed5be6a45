"""Statements of the linear model as they are attacked: a smaller and a larger side."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from featurebook.papers.nuclear_norm import model
from featurebook.papers.nuclear_norm.model import Task

Sides = tuple[Any, Any]


def admissible(x: ArrayLike) -> tuple[Task, float]:
    """A point of Proposition 6.3 from the unit cube: r, γ, d and λ in the printed ranges.

    37 <= r <= 400, γ between 3/√r and 1/2, |U| from the least one up to three times that, λ from
    √r e^(-√r/5) up to a hundred times that.
    """
    a, b, c, e = np.asarray(x, dtype=float)
    r = round(37 * (400 / 37) ** a)
    low = 3 / np.sqrt(r)
    gamma = float(low + (0.5 - low) * (0.001 + 0.998 * b))
    q = int(np.floor(r / gamma**2 * 3**c)) + 1
    return Task(r, q, gamma), float(model.decay_scale(r) * 100**e)


def any_task(x: ArrayLike) -> tuple[Task, float]:
    """Any task with 1 <= r <= 60, 1 <= |U| <= 200, any γ, and λ between 1e-6 and 10."""
    a, b, c, e = np.asarray(x, dtype=float)
    gamma = 0.02 + 0.475 * b
    return Task(round(60**a), round(200**c), float(gamma)), float(10 ** (-6 + 7 * e))


def ood_exponent(point: tuple[Task, float]) -> Sides:
    """r/10 and a lower bound of -ln(OOD accuracy) of ERM-ℓ2 (Chernoff's)."""
    task, lam = point
    return task.r / 10, -model.chernoff(model.weight_decay(task, lam), task.ood, task.counts)


def weights(point: tuple[Task, float]) -> Sides:
    """Lemma 6.1 (3): 0 < β, β < α, α < 1/√r, α/β < 3/(4γ)."""
    task, lam = point
    alpha, beta = model.weight_decay(task, lam)
    return (
        np.array([0.0, beta, alpha, 4 * task.gamma * alpha]),
        np.array([beta, alpha, task.r**-0.5, 3 * beta]),
    )


def order(point: tuple[Task, float]) -> Sides:
    """0 < β, β < α and 1/(2γ) <= α/β, for any λ."""
    task, lam = point
    alpha, beta = model.weight_decay(task, lam)
    return np.array([0.0, beta, beta]), np.array([beta, alpha, 2 * task.gamma * alpha])


def tail_environmental(n: int, gamma: float) -> Sides:
    """nγ²/2 and -ln P[Σ z_j <= 0] for n environmental coordinates."""
    found = model.log_positive([-1.0], np.array([gamma]), np.array([n]))
    return n * gamma**2 / 2, -found


def tail_invariant(n: int) -> Sides:
    """n/8 and -ln P[Σ z_j <= n/4] for n invariant coordinates."""
    found = model.log_positive([-1.0], np.array([0.5]), np.array([n]), above=-n / 4)
    return n / 8, -found


def tails(point: NDArray[np.float64]) -> Sides:
    """Both halves of Lemma E.4 at (n, γ)."""
    n = round(point[0])
    first, second = tail_environmental(n, float(point[1])), tail_invariant(n)
    return np.array([first[0], second[0]]), np.array([first[1], second[1]])


def describe(point: tuple[Task, float]) -> str:
    task, lam = point
    return f"r = {task.r}, |U| = {task.q}, γ = {task.gamma:.3g}, λ = {lam:.3g}"


def best_supports(
    task: Task, budget: int, radius: float, seed: int = 0
) -> dict[tuple[int, int], float]:
    """Least loss with ‖w‖ <= ρ for each support, by how many of its features are (invariant, not).

    Of supports with equal counts the loss is the same; it is found by projected Newton steps on the
    multiplier: the minimiser with weight decay μ whose norm is ρ.
    """
    found = {}
    for a in range(min(budget, task.r) + 1):
        b = budget - a
        if b > task.q:
            continue
        keep = [n > 0 for n in (a, b)]
        counts, gammas = np.array([a, b], float)[keep], task.gammas[keep]
        v = np.full(len(counts), 0.05)

        def excess(x: float, counts: Any = counts, gammas: Any = gammas) -> float:
            nonlocal v  # the last solution is the next start
            v, _ = model.minimise(10**x, gammas, counts, v)
            return float(np.log((counts * v**2).sum() / radius**2))

        brentq(excess, -6.0, 4.0, xtol=1e-11)
        found[a, b] = model.loss(v, gammas, counts)
    return found
