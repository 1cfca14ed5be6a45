"""Contrastive training of W in the linear model by `core.train`: projected descent, lazy form.

The core's optimizers know no constraint. So they move a V that has none, and the loss is taken at
its projection W = P(V), with the gradient at W. V is then the start less all gradients so far, and
W the admissible matrix next to it (dual averaging: Nesterov, 2009; Xiao, 2010).

Everything is in z: with x = Mz and an orthonormal M, descent moves WM in z as it moves W in x, P
does not see M, and a Gaussian start has one law in both. So M is left out.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn import functional as F

from featurebook.core import Params, replicate, train
from featurebook.core.spectra import eigh

Project = Callable[[Tensor], Tensor]
Raw = tuple[Tensor, Tensor, Tensor]
"""What pairs are made of: where in the mixture, features of the task, and z_U with z_U⁺."""


def onto_norms(W: Tensor, budget: float) -> Tensor:
    """Euclidean projection of W (..., k, d), k ≤ d, onto ‖W‖ ≤ 1, ‖W‖_F² ≤ budget.

    Singular values become min(σ/c, 1) with the least c ≥ 1 that meets the budget. For falling σ
    Σ min(σ²/c², 1) is the least of j + Σ_{i>j} σ_i²/c² over j, hence c² = min_j Σ_{i>j} σ_i² /
    (budget - j) over j < budget, or 1 if that is less.
    """
    sigma, left = _singular(W)
    tails = (sigma**2).flip(-1).cumsum(-1).flip(-1)  # Σ_{i>j} σ_i², j from 0 on
    room = budget - torch.arange(sigma.shape[-1], dtype=W.dtype)
    least = torch.where(room > 0, tails / room, torch.inf).amin(-1, keepdim=True)
    return _scaled(W, left, torch.maximum(least.clamp(min=1).sqrt(), sigma))


def onto_neighbourhood(W: Tensor, start: Tensor, gamma: float) -> Tensor:
    """Projection of W (..., k, d), k ≤ d, onto ‖W - W*‖_F ≤ γ, ‖W‖ ≤ 1; ``start`` is W* (k, d).

    If λ ≥ 0 is the multiplier of the ball, it minimises ‖X - W‖² + λ‖X - W*‖² over ‖X‖ ≤ 1. So X is
    a mean of W and W* with its singular values clipped at 1, and the share 1/(1 + λ) of W is the
    largest that the ball allows; found by bisection.
    """

    def mean(share: Tensor) -> Tensor:
        X = start + share * (W - start)
        sigma, left = _singular(X)
        return _scaled(X, left, sigma.clamp(min=1))

    low = torch.zeros_like(W[..., :1, :1])
    high = torch.ones_like(low)
    for _ in range(30):
        middle = (low + high) / 2
        inside = (mean(middle) - start).square().sum((-2, -1), keepdim=True) <= gamma**2
        low, high = torch.where(inside, middle, low), torch.where(inside, high, middle)
    return mean(low)


def _singular(W: Tensor) -> tuple[Tensor, Tensor]:
    """Singular values (..., k), the largest first, and left singular vectors (..., k, k)."""
    squares, left = eigh(W @ W.mT)
    return squares.clamp(min=0).sqrt().flip(-1), left.flip(-1)


def _scaled(W: Tensor, left: Tensor, divisors: Tensor) -> Tensor:
    """W with each singular value divided by its divisor (..., k)."""
    return (left / divisors[..., None, :]) @ (left.mT @ W)


def draw(s: int, q: int, spurious: int, size: int, g: torch.Generator, count: int) -> Raw:
    """Raw material of ``count`` batches: (count, size), (.., s + q), (count, 2, size, spurious)."""
    place = torch.rand(count, size, generator=g, dtype=torch.float64)
    own = torch.randn(count, size, s + q, generator=g, dtype=torch.float64)
    return place, own, torch.randn(count, 2, size, spurious, generator=g, dtype=torch.float64)


def pairs(raw: Raw, tasks: Tensor, s: int, most: int) -> tuple[Tensor, Tensor]:
    """z and z⁺ of (7.6), (7.7) for an even mixture: two (size, s + q most + spurious).

    Args:
        raw: one batch of `draw`.
        tasks: T, no axes; private features of the others up to ``most`` are 0.
    """
    place, own, (z_U, z_U_plus) = raw
    mine = (place * tasks).floor()[:, None] == torch.arange(most)
    private = (mine[:, :, None] * own[:, None, s:]).flatten(1)
    z_R = torch.cat([own[:, :s], private], 1)
    return torch.cat([z_R, z_U], 1), torch.cat([z_R, z_U_plus], 1)


def loss(p: Params, raw: Raw, s: int, most: int, project: Project) -> Tensor:
    """E log(1 + e^{-(Wz)ᵀ(Wz⁺)}) at W = P(V), as E φ(x⁻) = 0; its gradient in V is that in W.

    ``p`` has V (k, d) and T, "tasks", which has no gradient.
    """
    V = p["V"]
    W = V + (project(V) - V).detach()
    z, plus = pairs(raw, p["tasks"], s, most)
    return F.softplus(-((z @ W.mT) * (plus @ W.mT)).sum(1)).mean()


def _descend(
    p: Params, raw: Callable[[torch.Generator, int], Raw], s: int, most: int, project: Project,
    steps: int, seeds: Sequence[int], rate: float,
) -> Tensor:  # fmt: skip
    run = train(
        partial(loss, s=s, most=most, project=project),
        p,
        raw,
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.SGD, lr=rate),
    )
    return project(run.params["V"])


def pretrain(
    tasks: Sequence[int], s: int, q: int, *, seeds: Sequence[int], spurious: int = 4,
    size: int = 256, steps: int = 300, rate: float = 3.0,
) -> Tensor:  # fmt: skip
    """Train W on an even mixture of T tasks, for each T in ``tasks`` and each seed, in z.

    All have the shape of the largest T; the private features that a smaller mixture lacks are 0.
    Mixtures of one seed share their start and what their pairs are made of.

    Returns:
        (tasks, seeds, k, k + spurious), k = s + q max(tasks).
    """
    most = max(tasks)
    k = s + q * most

    def begin(g: torch.Generator) -> Tensor:
        return 0.03 * torch.randn(k, k + spurious, generator=g, dtype=torch.float64)

    V = replicate(begin, seeds, "W").repeat(len(tasks), 1, 1)
    T = torch.tensor(tasks, dtype=torch.float64).repeat_interleave(len(seeds))
    raw = partial(draw, s, q, spurious, size)
    project = partial(onto_norms, budget=s + q)
    found = _descend(
        {"V": V, "tasks": T}, raw, s, most, project, steps, [*seeds] * len(tasks), rate
    )
    return found.unflatten(0, (len(tasks), len(seeds)))


def regularise(
    start: Tensor, s: int, q: int, gamma: float, *, seeds: Sequence[int], steps: int,
    rate: float = 1.0,
) -> Tensor:  # fmt: skip
    """(F.104), (F.105): contrastive steps on the target task near W*, without spurious features.

    Args:
        start: W* (k', k), k' ≤ k.

    Returns:
        (seeds, k', k).
    """
    V = start.expand(len(seeds), *start.shape)
    most = (start.shape[1] - s) // q
    project = partial(onto_neighbourhood, start=start, gamma=gamma)
    one = torch.ones(len(seeds), dtype=torch.float64)
    raw = partial(draw, s, q, 0, 256)
    return _descend({"V": V, "tasks": one}, raw, s, most, project, steps, seeds, rate)


def block_means(W: Tensor, s: int, q: int, T: int) -> Tensor:
    """Mean squared weight on S, P_1, ..., P_T, that is α, α_1, ..., α_T: (..., 1 + T)."""
    squared = (W**2).sum(-2)
    ends = [0, s, *(s + q * (t + 1) for t in range(T))]
    return torch.stack([squared[..., a:b].mean(-1) for a, b in pairwise(ends)], -1)


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
