"""Contrastive training of W in the linear model: projected stochastic gradient descent.

All replicas (seeds and numbers of tasks) share one shape; a replica with fewer tasks never sees the
private features of the others. `core.train` has no projection, hence the loop here.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import torch
from torch import Tensor

from featurebook.core.ensemble import generator

Project = Callable[[Tensor], Tensor]


def onto_norms(W: Tensor, budget: float) -> Tensor:
    """Euclidean projection of W (n, k, d) onto ‖W‖ ≤ 1, ‖W‖_F² ≤ budget.

    Singular values become clip(σ/(1 + μ), 0, 1) with the least μ ≥ 0 that meets the budget.
    """
    left, sigma, right = torch.linalg.svd(W, full_matrices=False)
    low, high = torch.zeros_like(sigma[:, :1]), torch.full_like(sigma[:, :1], 1e3)
    for _ in range(50):
        mu = (low + high) / 2
        over = ((sigma / (1 + mu)).clamp(max=1) ** 2).sum(1, keepdim=True) > budget
        low, high = torch.where(over, mu, low), torch.where(over, high, mu)
    plain = sigma.clamp(max=1)
    fits = (plain**2).sum(1, keepdim=True) <= budget
    kept = torch.where(fits, plain, (sigma / (1 + high)).clamp(max=1))
    return (left * kept[:, None, :]) @ right


def onto_neighbourhood(W: Tensor, start: Tensor, gamma: float) -> Tensor:
    """Projection onto ‖W - W*‖_F ≤ γ and ‖W‖ ≤ 1, by Dykstra's alternation."""
    p, q = torch.zeros_like(W), torch.zeros_like(W)
    for _ in range(12):
        left, sigma, right = torch.linalg.svd(W + p, full_matrices=False)
        X = (left * sigma.clamp(max=1)[:, None, :]) @ right
        p = W + p - X
        step = X + q - start
        size = step.flatten(1).norm(dim=1)[:, None, None].clamp(min=1e-12)
        W = start + step * (gamma / size).clamp(max=1)
        q = start + step - W
    return W


def batch(
    tasks: Tensor, s: int, q: int, k: int, spurious: int, size: int, g: torch.Generator
) -> tuple[Tensor, Tensor]:
    """z and z⁺ of (7.6), (7.7), replicas with ``tasks`` tasks each: two (n, size, k + spurious)."""
    n = len(tasks)
    task = (torch.rand(n, size, generator=g, dtype=torch.float64) * tasks[:, None]).long()
    owner = (torch.arange(k) - s).div(q, rounding_mode="floor")  # negative: shared
    active = (owner < 0) | (owner == task[..., None])
    z_R = torch.randn(n, size, k, generator=g, dtype=torch.float64) * active
    z_U = torch.randn(2, n, size, spurious, generator=g, dtype=torch.float64)
    return torch.cat([z_R, z_U[0]], -1), torch.cat([z_R, z_U[1]], -1)


def descend(
    W: Tensor,
    draw: Callable[[torch.Generator], tuple[Tensor, Tensor]],
    project: Project,
    steps: int,
    rate: float,
    g: torch.Generator,
) -> Tensor:
    """Projected descent on E log(1 + e^{-(Wx)ᵀ(Wx⁺)}); E φ(x⁻) = 0. The last quarter counts."""
    mean, count = torch.zeros_like(W), 0
    for step in range(steps):
        x, plus = draw(g)
        a, b = x @ W.mT, plus @ W.mT
        pull = torch.sigmoid(-(a * b).sum(-1, keepdim=True)) / x.shape[1]
        uphill = (a * pull).mT @ plus + (b * pull).mT @ x
        W = project(W + rate / (1 + step / 100) * uphill)
        if step >= 3 * steps // 4:
            mean, count = mean + W, count + 1
    return mean / max(count, 1)


def pretrain(
    tasks: Sequence[int],
    s: int,
    q: int,
    *,
    spurious: int = 4,
    size: int = 256,
    steps: int = 300,
    rate: float = 3.0,
    seed: int = 0,
) -> Tensor:
    """Train one W for each entry of ``tasks`` from a random start; (n, k, k + spurious), in z.

    Each replica has a random orthonormal dictionary M; what is returned is W M.
    """
    n, k = len(tasks), s + q * max(tasks)
    g = generator(seed, "pretraining")
    raw = torch.randn(n, k + spurious, k + spurious, generator=g, dtype=torch.float64)
    M = torch.linalg.qr(raw)[0]
    W = 0.3 * torch.randn(n, k, k + spurious, generator=g, dtype=torch.float64)
    counts = torch.tensor(tasks)

    def draw(g: torch.Generator) -> tuple[Tensor, Tensor]:
        z, plus = batch(counts, s, q, k, spurious, size, g)
        return z @ M.mT, plus @ M.mT

    found = descend(W, draw, lambda W: onto_norms(W, s + q), steps, rate, g)
    return found @ M


def regularise(
    start: Tensor, s: int, q: int, gamma: float, *, steps: int, rate: float = 1.0, seed: int = 0
) -> Tensor:
    """(F.104): contrastive steps on the target task alone, near W* (n, k', k); no spurious ones."""
    n, k = len(start), start.shape[-1]
    one = torch.ones(n, dtype=torch.long)
    g = generator(seed, "regularisation")

    def draw(g: torch.Generator) -> tuple[Tensor, Tensor]:
        return batch(one, s, q, k, 0, 256, g)

    def project(W: Tensor) -> Tensor:
        return onto_neighbourhood(W, start, gamma)

    return project(descend(start.clone(), draw, project, steps, rate, g))


def block_means(W: Tensor, s: int, q: int, T: int) -> Tensor:
    """Mean squared weight on S, P_1, ..., P_T, that is α, α_1, ..., α_T: (n, 1 + T)."""
    squared = (W**2).sum(1)
    ends = [0, s, *(s + q * (t + 1) for t in range(T))]
    return torch.stack([squared[:, a:b].mean(1) for a, b in pairwise(ends)], 1)


def off_diagonal(W: Tensor, s: int, q: int, T: int) -> Tensor:
    """Largest |entry| of WᵀW off its diagonal: between two tasks' private features, elsewhere.

    Args:
        W: (n, k', k or more); only its columns on S, P_1, ..., P_T count.

    Returns:
        (n, 2).
    """
    k = s + q * T
    G = (W.mT @ W)[:, :k, :k].abs()
    owner = (torch.arange(k) - s).div(q, rounding_mode="floor").clamp(min=-1)
    private = (owner[:, None] >= 0) & (owner >= 0)
    apart = private & (owner[:, None] != owner)
    rest = ~(apart | torch.eye(k, dtype=torch.bool))
    return torch.stack([(G * some).amax((1, 2)) for some in (apart, rest)], 1)
