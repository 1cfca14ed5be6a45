"""What the nuclear norm itself selects in the linear model, with the head frozen at ones.

In the population ‖Φ(X)‖_* / √B tends to tr √(D_w C D_w). The problem is convex and symmetric within
the groups, so its solution is (α, ..., α, β, ..., β).
"""

from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize

from featurebook.core.spectra import eigh, eigvalsh
from featurebook.papers.nuclear_norm import model
from featurebook.papers.nuclear_norm.model import Array, Task

INVARIANT = np.array([0.5])


def _constants(task: Task) -> tuple[float, float, float, float]:
    """s_u, A = E‖invariant direction‖², B likewise, √κ: what the penalty is made of."""
    spread = np.sqrt(1 / 3 - task.gamma**2)
    a, b = 1 / 12 + task.r / 4, spread**2 + task.q * task.gamma**2
    kappa = a * b - task.gamma**2 * task.r * task.q / 4
    return float(spread), a, float(b), float(np.sqrt(kappa))


def penalty(task: Task, alpha: float, beta: float) -> float:
    """tr √(D_w C D_w) for w = (α, ..., β, ...), α, β >= 0."""
    spread, a, b, root = _constants(task)
    return float(
        (task.r - 1) * alpha / np.sqrt(12) + (task.q - 1) * beta * spread
        + np.sqrt(a * alpha**2 + b * beta**2 + 2 * alpha * beta * root)
    )  # fmt: skip


def penalty_slopes(task: Task, alpha: float, beta: float) -> Array:
    """Derivatives of `penalty` by α and β; (α, β) is not (0, 0)."""
    spread, a, b, root = _constants(task)
    size = np.sqrt(a * alpha**2 + b * beta**2 + 2 * alpha * beta * root)
    return np.array([
        (task.r - 1) / np.sqrt(12) + (a * alpha + root * beta) / size,
        (task.q - 1) * spread + (b * beta + root * alpha) / size,
    ])  # fmt: skip


def largest_lambda(r: int) -> float:
    """λ_R: from here on the invariant features are dropped as well."""
    return float(r / 4 / ((r - 1) / np.sqrt(12) + np.sqrt(1 / 12 + r / 4)))


@cache
def invariant_weight(r: int, lam: float) -> float:
    """α of the best solution with β = 0; 0 from λ_R on."""
    if lam >= largest_lambda(r):
        return 0.0
    price = lam * ((r - 1) / np.sqrt(12) + np.sqrt(1 / 12 + r / 4)) / r

    def excess(x: float) -> float:
        return float(model.pulls([np.exp(x)], INVARIANT, np.array([r]))[0]) - price

    return float(np.exp(brentq(excess, np.log(1e-12), np.log(1e3), xtol=1e-14)))


@cache
def invariant_wrong(r: int, lam: float) -> float:
    """E[1 / (1 + e^Y)] of that solution, ē."""
    return model.wrong([invariant_weight(r, lam)], INVARIANT, np.array([r]))


def ratio(task: Task, lam: float) -> float:
    """Pull on an environmental feature over its price at β = 0: β* = 0 if and only if <= 1."""
    pull = task.q * task.gamma * invariant_wrong(task.r, lam)
    spread = np.sqrt(1 / 3 - task.gamma**2)
    rest = np.sqrt(spread**2 + task.q * task.gamma**2 / (1 + 3 * task.r))
    return float(pull / (lam * ((task.q - 1) * spread + rest)))


def smallest_lambda(task: Task, least: float = 1e-5) -> float:
    """λ_c, below which environmental features survive; NaN if they do up to λ_R, 0 if < least."""
    top = largest_lambda(task.r) * (1 - 1e-9)
    if ratio(task, top) > 1:
        return float("nan")
    if ratio(task, least) <= 1:
        return 0.0
    return float(np.exp(brentq(
        lambda x: ratio(task, float(np.exp(x))) - 1, np.log(least), np.log(top), xtol=1e-12
    )))  # fmt: skip


def largest_gamma(r: int, q: int, lam: float) -> float:
    """The γ up to which only invariant features survive."""

    def excess(gamma: float) -> float:
        return ratio(Task(r, q, gamma), lam) - 1

    if excess(0.5 - 1e-9) <= 0:
        return 0.5
    return float(brentq(excess, 1e-6, 0.5 - 1e-9, xtol=1e-10))


def minimise(task: Task, lam: float) -> tuple[float, float]:
    """(α, β) of the population ERM-NU, by a search in the quadrant α, β >= 0."""

    def value(x: Array) -> tuple[float, Array]:
        x = np.maximum(x, 1e-12)
        found = model.loss(x, task.gammas, task.counts) + lam * penalty(task, *x)
        slope = -task.counts * model.pulls(x, task.gammas, task.counts)
        return found, slope + lam * penalty_slopes(task, *x)

    best = minimize(
        value, [0.05, 0.02], jac=True, method="L-BFGS-B", bounds=[(0, None)] * 2,
        options={"ftol": 1e-16, "gtol": 1e-11, "maxiter": 2000},
    )  # fmt: skip
    return float(best.x[0]), float(best.x[1])


def minimise_free(task: Task, lam: float, start: Array) -> Array:
    """All d weights free: L-BFGS on the loss with tr √(D C D + ε²), ε falling to 1e-6."""
    gammas = np.repeat(task.gammas, [task.r, task.q])
    ones, moments = np.ones(task.r + task.q), task.second_moment

    def value(w: Array, eps: float) -> tuple[float, Array]:
        values, vectors = eigh(w[:, None] * moments * w)
        roots = np.sqrt(np.maximum(values, 0) + eps**2)
        inner = (vectors / roots) @ vectors.T
        slope = -model.pulls(w, gammas, ones) + lam * ((moments * inner) @ w)
        return model.loss(w, gammas, ones) + lam * float(roots.sum()), slope

    w = start
    for eps in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
        w = minimize(
            value, w, args=(eps,), jac=True, method="L-BFGS-B",
            options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 500, "maxcor": 30},
        ).x  # fmt: skip
    return np.asarray(w)


def train_in_batches(
    task: Task,
    lam: float,
    *,
    steps: int,
    batch: int,
    seeds: NDArray[np.int64] | list[int],
    rate: float = 0.02,
) -> Array:
    """Weights (seeds, d) after Adam on fresh batches with the batch's own nuclear norm / √B."""
    d, runs = task.r + task.q, len(seeds)
    generators = [torch.Generator().manual_seed(int(s)) for s in seeds]
    chance = torch.full((d,), 0.5 + task.gamma)
    chance[: task.r] = 1.0
    w = torch.full((runs, d), 0.05, requires_grad=True)
    optimiser = torch.optim.Adam([w], lr=rate)
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = rate * (1 + np.cos(np.pi * step / steps)) / 2
        z = torch.stack([_draw(batch, chance, g) for g in generators])
        features = z * w[:, None, :]
        gram = features.mT @ features / batch
        gram = gram + 1e-9 * torch.eye(d)
        nuclear = eigvalsh(gram).clamp_min(1e-12).sqrt().sum(-1)
        objective = torch.nn.functional.softplus(-features.sum(-1)).mean(-1) + lam * nuclear
        optimiser.zero_grad()
        objective.sum().backward()
        optimiser.step()
    return w.detach().double().numpy()


def _draw(batch: int, chance: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """z (batch, d)."""
    size = torch.rand(batch, len(chance), generator=generator)
    up = torch.rand(batch, len(chance), generator=generator) < chance
    return torch.where(up, size, -size)
