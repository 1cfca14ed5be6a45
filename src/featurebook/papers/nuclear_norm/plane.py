"""The task in the plane of Section 6.3.1, and what ties its two distributions together.

A classifier errs on a share a of the points whose x_2 agrees with the label and on a share b of
those where it disagrees. In distribution the two kinds have probability p and 1 - p, out of
distribution 1 - p and p.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from featurebook.papers.nuclear_norm import model, selection
from featurebook.papers.nuclear_norm.layer import nuclear_norm
from featurebook.papers.nuclear_norm.model import Task


def errors(a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    """(err_ID, err_OOD)."""
    return p * a + (1 - p) * b, (1 - p) * a + p * b


def least_id_error(ood_accuracy: Fraction, p: Fraction) -> Fraction:
    """What any classifier with this OOD accuracy errs on in distribution, p >= 1/2."""
    return (1 - p) / p * (1 - ood_accuracy)


def coupling(gamma: float, q: int) -> float:
    """Largest err_OOD / err_ID of any classifier with q environmental features."""
    return float(((0.5 + gamma) / (0.5 - gamma)) ** q)


def disagreement(c: ArrayLike) -> NDArray[np.float64]:
    """Share b of the disagreeing points on which sign(x_1 + c x_2), c >= 0, errs; a is 0."""
    c = np.asarray(c, dtype=float)
    return np.where(c <= 1, c / 2, 1 - 1 / (2 * np.maximum(c, 1)))


def line(c: ArrayLike, p: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(ID accuracy, OOD accuracy) of sign(x_1 + c x_2); c < 0 errs where signs agree."""
    c = np.asarray(c, dtype=float)
    agree, differ = (np.where(side, disagreement(np.abs(c)), 0) for side in (c < 0, c >= 0))
    inside, outside = errors(agree, differ, np.asarray(p))
    return 1 - inside, 1 - outside


def slope_of_weight_decay(p: float, lam: float) -> float:
    """c = w_2 / w_1 of the population optimum with weight decay."""
    alpha, beta = model.weight_decay(Task(1, 1, p - 0.5), lam)
    return beta / alpha


def slope_of_nuclear_norm(p: float, lam: float) -> float:
    """c of the population optimum of ERM-NU with a diagonal extractor, head ones; nan if w = 0."""
    alpha, beta = selection.minimise(Task(1, 1, p - 0.5), lam)
    return beta / alpha if alpha > 1e-9 else float("nan")


def sample(n: int, p: float, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """x (n, 2) in distribution and y (n,)."""
    y = torch.where(torch.rand(n, generator=generator) < 0.5, 1.0, -1.0)
    agree = torch.where(torch.rand(n, generator=generator) < p, 1.0, -1.0)
    size = torch.rand(n, 2, generator=generator)
    return torch.stack([size[:, 0] * y, size[:, 1] * y * agree], 1), y


def training_accuracy(c: NDArray[np.float64], p: float, n: int, seeds: list[int]) -> Any:
    """Of sign(x_1 + c x_2) on the points that `descend` draws, one per seed."""
    found = []
    for slope, seed in zip(c, seeds, strict=True):
        x, y = sample(n, p, torch.Generator().manual_seed(seed))
        found.append(float(((x[:, 0] + slope * x[:, 1]) * y > 0).double().mean()))
    return np.array(found)


def descend(
    p: float,
    lam: float,
    *,
    n: int,
    steps: int,
    seeds: list[int],
    rate: float = 0.1,
    frozen_head: bool = False,
) -> NDArray[np.float64]:
    """c of Φ(x) = A x with a head v after gradient descent on n points, one per seed.

    Both A (2, 2) and v are trained, from N(0, 1/4) entries; λ multiplies ‖X Aᵀ‖_* / √n. With a
    frozen head v = (1, 1) stays, and A is diagonal, as in Section 6.4.
    """
    made = [torch.Generator().manual_seed(s) for s in seeds]
    data = [sample(n, p, g) for g in made]
    x, y = (torch.stack(t) for t in zip(*data, strict=True))
    a = torch.stack([torch.randn(2, 2, generator=g) / 2 for g in made])
    v = torch.stack([torch.randn(2, generator=g) / 2 for g in made])
    mask = torch.eye(2) if frozen_head else torch.ones(2, 2)
    if frozen_head:
        a, v = torch.eye(2).repeat(len(seeds), 1, 1) / 2, torch.ones_like(v)
    leaves = [a.requires_grad_()] if frozen_head else [a.requires_grad_(), v.requires_grad_()]
    for _ in range(steps):
        features = x @ (a * mask).mT
        margin = (features @ v[..., None])[..., 0] * y
        objective = torch.nn.functional.softplus(-margin).mean(-1)
        if lam:
            objective = objective + lam * nuclear_norm(features, method="gram", per_root_batch=True)
        slopes = torch.autograd.grad(objective.sum(), leaves)
        with torch.no_grad():
            for leaf, slope in zip(leaves, slopes, strict=True):
                leaf -= rate * slope
    with torch.no_grad():
        u = ((a * mask).mT @ v[..., None])[..., 0]
    return (u[:, 1] / u[:, 0]).double().numpy()
