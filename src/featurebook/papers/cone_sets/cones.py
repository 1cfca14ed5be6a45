"""Cone sets (Definition 3.1): who is in them, what is asked of them, how kernels grow."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from featurebook.papers.cone_sets.data import PatchData

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cone:
    """Height t σ0 c1 f_h and radius t σ0 f_r(t) of the cone sets at iteration t >= 1.

    The radius function is f_r(t) = radius · f_h · (t + 1)^(-sharpening).
    """

    d: int
    f_h: float
    c1: float = 0.5
    sigma0: float = 1e-3
    radius: float = 1.0
    sharpening: float = 0.5

    def f_r(self, t: ArrayLike) -> Floats:
        """f_r(d, t)."""
        return self.radius * self.f_h * (np.asarray(t, float) + 1) ** -self.sharpening

    def members(self, w: Tensor, t: int) -> Tensor:
        """Which kernels w (..., C, d) are in which feature's cone at t; bool (..., C, d)."""
        high = w >= t * self.sigma0 * self.c1 * self.f_h
        wide = w > t * self.sigma0 * float(self.f_r(t))
        return high & (wide.sum(-1, keepdim=True) - wide.int() == 0)


def plant(cone: Cone, C: int, fraction: float, g: torch.Generator) -> Tensor:
    """Kernels (C, d), float64, with one in every cone at t = 1, at a fraction of σ0 f_h.

    Kernel k < d is fraction σ0 f_h v_k with small negative other components, so that no cone's
    radius is in its way and ‖w‖ <= σ0 f_h; the rest lie in no cone.
    """
    if cone.d > C:
        raise ValueError(f"C = {C} kernels cannot occupy d = {cone.d} cones: C >= d is needed")
    scale = cone.sigma0 * cone.f_h
    w = -1e-3 * scale * torch.rand(C, cone.d, generator=g, dtype=torch.float64)
    w[: cone.d].fill_diagonal_(fraction * scale)
    return w


def constraints(
    cone: Cone, data: PatchData, N: int, C: int, c0: float, t: ArrayLike
) -> pd.DataFrame:
    """The constraints (D.1) to (D.6) and f_r <= c1 f_h, evaluated as printed at iterations t.

    One row per iteration, one boolean column per constraint; (D.3), (D.6) must hold for every β_k.
    """
    t = np.atleast_1d(np.asarray(t, float))
    root, f_h, f_r = math.sqrt(2 * data.eps), cone.f_h, cone.f_r(t)
    scale = cone.sigma0 * f_h
    height, _ = growth_bounds(cone, data, N, C, t, float(data.beta.min()))
    _, radius = growth_bounds(cone, data, N, C, t, float(data.beta.max()))
    return pd.DataFrame(
        {
            "t": t.astype(int),
            "f_r <= c1 f_h": f_r <= cone.c1 * f_h,
            "(D.1)": (cone.c1 - 2 * root) * f_h > f_r,
            "(D.2)": np.full(t.shape, cone.c1 - root > c0),
            "(D.3)": height >= (t + 1) * cone.c1 * scale,
            "(D.6)": radius <= (t + 1) * cone.sigma0 * cone.f_r(t + 1),
        }
    )


def growth_bounds(
    cone: Cone, data: PatchData, N: int, C: int, t: ArrayLike, beta: ArrayLike
) -> tuple[Floats, Floats]:
    """(E.48) and (E.60): bounds of <w^{t+1}, v_k> from below, <w^{t+1}, v_k'> from above.

    ``t`` and ``beta`` broadcast; β is that of k in the first and of k' in the second.
    """
    t, beta = np.asarray(t, float), np.asarray(beta, float)
    root, f_h, extra = math.sqrt(2 * data.eps), cone.f_h, C - data.d
    size = t * cone.sigma0 * f_h
    c1_tilde, eps_hat = cone.c1 - root, 1 + root
    bracket = 2 * c1_tilde * eps_hat - (1 + root) * (c1_tilde + eps_hat) * size**2 * extra
    grown = cone.c1 * cone.sigma0 * f_h * (t + 2 / cone.c1 * 0.2 * N * beta * bracket)
    inner = f_h * (6 * data.eps + root + root * size * extra)
    outer = cone.f_r(t) * (size * extra + root)
    return grown, 0.4 * N * beta * cone.sigma0 * (inner + outer)


def growth(a: float, beta: ArrayLike, T: int) -> Floats:
    """Theorem 1': the factor ∏_{s<T} (1 + 4 a β/s) by which a small kernel grows, (..., T).

    Entry T' - 1 is the factor from t = 1 to t = T' for step sizes η_s = a/s.
    """
    s = np.arange(1, T)
    steps = 1 + 4 * a * np.asarray(beta, float)[..., None] / s
    start = np.ones((*steps.shape[:-1], 1))
    return np.concatenate([start, np.cumprod(steps, axis=-1)], axis=-1)


def exit_time(a: float, beta: float, u: float, c1: float, T: int) -> int | None:
    """First t at which a kernel that starts at u σ0 f_h and grows by `growth` is below its cone."""
    below = u * growth(a, beta, T) < c1 * np.arange(1, T + 1)
    return int(np.argmax(below)) + 1 if below.any() else None
