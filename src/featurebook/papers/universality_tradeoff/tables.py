"""Representations of finite features as tables, and their contrastive loss (Section 7.2.1).

A table h has the shape (R, U, k): one vector for each value of the invariant feature z_R and of the
spurious feature z_U. The joint law of the two is a matrix J of shape (R, U).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook.core.ensemble import generator

Loss = Callable[[Tensor], Tensor]


def logistic(t: Tensor) -> Tensor:
    """ℓ(t) = log(1 + e^-t), the usual contrastive loss."""
    return torch.nn.functional.softplus(-t)


def exponential(t: Tensor) -> Tensor:
    """ℓ(t) = e^-t."""
    return torch.exp(-t)


def hinge(t: Any) -> Any:
    """ℓ(t) = max(0, 1 - t): convex, decreasing and bounded below, but not strictly decreasing.

    Takes tensors and exact numbers.
    """
    return (1 - t).clamp(min=0) if isinstance(t, Tensor) else max(type(t)(0), 1 - t)


def linear(t: Tensor) -> Tensor:
    """ℓ(t) = -t, the loss of Theorem 7.1."""
    return -t


LOSSES: dict[str, Loss] = {
    "logistic": logistic,
    "exponential": exponential,
    "hinge": hinge,
    "linear": linear,
}


def fresh(joint: Tensor, given: bool) -> Tensor:
    """Law of z_U^+ given z_R, shape (R, U): the conditional of J, or its marginal as (7.3) prints.

    Args:
        given: whether the second copy is drawn given z_R; zero where z_R has probability 0.
    """
    if given:
        return (joint / joint.sum(1, keepdim=True)).nan_to_num()
    return joint.sum(0, keepdim=True).expand_as(joint)


def contrastive(h: Tensor, joint: Tensor, loss: Loss = logistic, given: bool = True) -> Tensor:
    """E ℓ(φ(x)ᵀ[φ(x⁺) - φ(x⁻)]) of (7.1), summed over all values, for tables h (..., R, U, k)."""
    plus = fresh(joint, given)
    positive = torch.einsum("...ruk,...rvk->...ruv", h, h)  # φ(x)ᵀφ(x⁺)
    negative = torch.einsum("...ruk,...qwk->...ruqw", h, h)  # φ(x)ᵀφ(x⁻)
    t = positive[..., None, None] - negative[..., :, :, None, :, :]
    weight = torch.einsum("ru,rv,qw->ruvqw", joint, plus, joint)
    return (weight * loss(t)).sum((-5, -4, -3, -2, -1))


def pca(h: Tensor, joint: Tensor) -> Tensor:
    """-E‖φ_{z_R} - φ_0‖², the right side of (7.5)."""
    p = joint.sum(1)
    smoothed = torch.einsum("ru,...ruk->...rk", fresh(joint, given=True), h)
    centre = torch.einsum("r,...rk->...k", p, smoothed)
    return -torch.einsum("r,...rk->...", p, (smoothed - centre[..., None, :]) ** 2)


def exact_contrastive(h: Any, joint: Any, plus: Any, loss: Callable[[Any], Any]) -> Any:
    """The same as `contrastive` in exact numbers, or balls: nested lists, plain sums."""
    total: Any = 0
    cells = [(r, u) for r in range(len(joint)) for u in range(len(joint[0])) if joint[r][u]]

    def dot(a: Any, b: Any) -> Any:
        return sum(x * y for x, y in zip(a, b, strict=True))

    for r, u in cells:
        for v in range(len(joint[0])):
            for q, w in cells:
                weight = joint[r][u] * plus[r][v] * joint[q][w]
                if weight:
                    t = dot(h[r][u], h[r][v]) - dot(h[r][u], h[q][w])
                    total += weight * loss(t)
    return total


def exact_pca(h: Any, joint: Any) -> Any:
    """The same as `pca` in exact numbers."""
    k = range(len(h[0][0]))
    p = [sum(row) for row in joint]
    smoothed = [
        [sum(row[u] * h[r][u][i] for u in range(len(row))) / p[r] for i in k]
        for r, row in enumerate(joint)
    ]
    centre = [sum(p[r] * smoothed[r][i] for r in range(len(p))) for i in k]
    return -sum(p[r] * sum((smoothed[r][i] - centre[i]) ** 2 for i in k) for r in range(len(p)))


def on_sphere(raw: Tensor, radius: float) -> Tensor:
    """Vectors (..., k) scaled to the norm B_r of assumption (A2)."""
    return radius * raw / raw.norm(dim=-1, keepdim=True).clamp(min=1e-12)


def least(
    joint: Tensor,
    radius: float,
    k: int,
    *,
    tied: Sequence[int] | None = None,
    loss: Loss = logistic,
    given: bool = True,
    restarts: int = 32,
    steps: int = 300,
    seed: int = 0,
) -> tuple[float, Tensor]:
    """The best table on the sphere of radius B_r found by Adam from many starts.

    Args:
        tied: for each of the R * U cells the number of the free vector that it uses; by default
            each has its own. ``[0, 0, 1, 1]`` is a table of two rows that ignores z_U.

    Returns:
        The lowest loss and its table (R, U, k).
    """
    cells = joint.numel()
    index = torch.arange(cells) if tied is None else torch.as_tensor(tied)
    g = generator(seed, "tables")
    raw = torch.randn(restarts, int(index.max()) + 1, k, generator=g, dtype=torch.float64)
    raw.requires_grad_()
    optimizer = torch.optim.Adam([raw], lr=0.1)

    def table() -> Tensor:
        return on_sphere(raw, radius)[:, index].reshape(restarts, *joint.shape, k)

    for step in range(steps):
        optimizer.param_groups[0]["lr"] = 0.1 * 1e-3 ** (step / steps)
        optimizer.zero_grad()
        contrastive(table(), joint, loss, given).sum().backward()
        optimizer.step()
    with torch.no_grad():
        values = contrastive(table(), joint, loss, given)
        best = int(values.argmin())
        return float(values[best]), table()[best].clone()


def selections(h: Tensor, joint: Tensor, loss: Loss = logistic) -> Tensor:
    """The loss of each table that keeps one value of z_U for each z_R: tables (U^R,).

    Such a table ignores z_U and lies on the sphere if h does.
    """
    R, U = joint.shape
    choice = torch.cartesian_prod(*[torch.arange(U)] * R).reshape(-1, R)
    kept = h[torch.arange(R), choice]  # (U^R, R, k)
    return contrastive(kept[:, :, None, :].expand(-1, R, U, -1), joint, loss)


def balanced_partitions(p: Sequence[Any]) -> list[tuple[int, ...]]:
    """For k = 1: the sets of values with the sign +1 in an optimal table φ = ±B_r.

    The loss is ℓ(0) - (ℓ(0) - ℓ(2B_r²)) Pr[signs differ], so the best split is the most even one.
    """
    n = len(p)
    subsets = [tuple(i for i in range(n) if code >> i & 1) for code in range(2**n) if not code & 1]
    mass = [sum(p[i] for i in some) for some in subsets]
    gain = [m * (1 - m) for m in mass]
    return [some for some, x in zip(subsets, gain, strict=True) if x == max(gain)]


def even_cuts(p: Sequence[Any], parts: int) -> list[tuple[int, ...]]:
    """All ways to cut values of exact masses p into ``parts`` sets of equal mass.

    A cut numbers the set of each value, in the order in which sets appear.
    """
    share = sum(p) / parts
    found: list[tuple[int, ...]] = []

    def extend(cut: tuple[int, ...], room: tuple[Any, ...]) -> None:
        if len(cut) == len(p):
            found.append(cut)  # the masses add up, so no room is left
            return
        for k in range(min(len(set(cut)) + 1, parts)):
            if p[len(cut)] <= room[k]:
                left = room[k] - p[len(cut)]
                extend((*cut, k), (*room[:k], left, *room[k + 1 :]))

    extend((), (share,) * parts)
    return found


def hinge_instance(half_angle: Any) -> Any:
    """A table of norm 3 that encodes z_U and is optimal for the hinge: rational points.

    Args:
        half_angle: tan(ε/2); angles are ±ε for z_R = 0 and π ± ε for z_R = 1.
    """
    c = 3 * (1 - half_angle**2) / (1 + half_angle**2)
    s = 6 * half_angle / (1 + half_angle**2)
    return [[[c, s], [c, -s]], [[-c, -s], [-c, s]]]


def xor_points() -> NDArray[np.float64]:
    """h(z) of the example in F.1.1 for z = (-1,-1), (-1,1), (1,-1), (1,1): (4, 2)."""
    return np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])


def probe_errors(points: Any, labels: Any, affine: bool, directions: int = 720) -> NDArray[Any]:
    """0-1 errors of all linear probes on points of the plane; a tie counts one half.

    The directions are spread evenly, offset from the axes of symmetry; an affine probe has 41
    offsets in [-2, 2] as well.
    """
    angle = 2 * np.pi * (np.arange(directions) + 0.25) / directions
    scores = np.stack([np.cos(angle), np.sin(angle)], 1) @ np.asarray(points).T
    offsets = np.linspace(-2, 2, 41) if affine else np.zeros(1)
    signs = np.sign(scores[:, None, :] + offsets[:, None])
    return (1 - signs * np.asarray(labels)).mean(-1) / 2


def simplex_errors() -> list[Fraction]:
    """For all 16 labellings of a regular simplex in three dimensions, the 0-1 error of the probe
    that has the first three vertices right; a tie counts one half. Exact.
    """
    points = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]  # their sum is 0
    errors = []
    for labels in product((-1, 1), repeat=4):
        probe = sympy.Matrix(points[:3]).solve(sympy.Matrix(labels[:3]))
        scores = [sum(a * b for a, b in zip(x, probe, strict=True)) * y
                  for x, y in zip(points, labels, strict=True)]  # fmt: skip
        wrong = sum((Fraction(1) if v < 0 else Fraction(1, 2) if v == 0 else Fraction(0))
                    for v in scores)  # fmt: skip
        errors.append(Fraction(wrong) / 4)
    return errors
