"""Without augmentation: losses of dense weights, pulls under a bias (Section F)."""

import math
from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import integrate, stats
from torch import Tensor

from featurebook.core import Run, generator
from featurebook.papers.contrastive_decoupling import model, theory

Array = NDArray[np.float64]


def dense_losses(
    columns: Tensor, totals: ArrayLike, x: Tensor, x_n: Tensor, dominant: float | None = None
) -> list[float]:
    """L_NA / τ of weights along orthonormal columns, at given Σ‖w‖² / τ and b = 0.

    Args:
        columns: (m, d_1), orthonormal rows.
        x, x_n: (n, d_1) positives, (N, d_1) negatives.
        dominant: share of Σ‖w‖² that the first neuron has; equal norms by default.
    """
    m = len(columns)
    shares = columns.new_full((m,), 1 / m)
    if dominant is not None:
        shares[0], shares[1:] = dominant, (1 - dominant) / (m - 1)
    f, f_n = (a @ columns.T * shares.sqrt() for a in (x, x_n))
    sizes = [math.sqrt(t) for t in np.atleast_1d(totals)]
    return [float(model.contrastive_loss(f * t, f * t, f_n * t, tau=1.0)) for t in sizes]


def dense_bound(totals: ArrayLike, m: int, sigma2: float, N: int) -> Array:
    """log(1 + N e^(-σ²S/4)) + e^(-m/16) log(1 + N): above the loss for equal norms, S <= m/σ²."""
    y = sigma2 * np.asarray(totals, dtype=float) / 4
    return np.log1p(N * np.exp(-y)) + math.exp(-m / 16) * math.log1p(N)


def balances(runs: Mapping[str, Run], world: model.SparseCoding, N: int, seed: int) -> pd.DataFrame:
    """Both sides of steps 1 and 2 of the price of weight decay, on all weights of runs with τ = 1.

    Returns:
        One row per run (λ) and step: (σ² + p) ‖W‖² as |W|, what `theory.balance` finds of the first
        network on 1000 positives, the most that step 1 and the least that step 2 allows.
    """
    rows = []
    for name, run in runs.items():
        for k, step in enumerate(run.steps):
            W, g = run.observed["W"][k, 0].cpu(), generator(seed, "balance")
            x, x_n = (model.sample(g, world, n)[0] for n in (1000, N))
            size = (world.sigma**2 + world.p) * float(W.square().sum())
            found = theory.balance(x @ W.T, x_n @ W.T)
            rows.append({"λ": name, "step": step, "|W|": size} | found)
    table = pd.DataFrame(rows)
    table["most"] = theory.psi(1 - np.exp(-table.loss), N)
    table["least"] = np.log1p(N * np.exp(-table["|W|"]))
    return table


def least_norm(sigma2: float, p: float, N: int) -> float:
    """log(N / (e - 1)) / (σ² + p): Σ‖w‖² / τ of weights whose loss is at most τ is not below."""
    return math.log(N / (math.e - 1)) / (sigma2 + p)


def noise_pull(alpha: float, s: float, p: float, b: float) -> float:
    """E[S_b(αz + g) g] of g ~ N(0, s²) and z = ±1 with probability p/2 each, else 0; quadrature."""
    total = 0.0
    for z, weight in ((-1, p / 2), (0, 1 - p), (1, p / 2)):
        edges = sorted((sign * b - alpha * z) / s for sign in (-1, 1))

        def integrand(t: float, a: float = alpha * z) -> float:
            u = a + s * t
            return math.copysign(max(abs(u) - b, 0), u) * s * t * float(stats.norm.pdf(t))

        limits = [-12, *edges, 12]
        parts = pairwise(limits)
        total += weight * sum(integrate.quad(integrand, *ab, epsabs=1e-13)[0] for ab in parts)
    return total


def noise_pull_formula(w: Tensor, v: Tensor, p: float, b: float, sigma: float) -> float:
    """σ²⟨w, v⟩ Pr(|⟨w, x⟩| >= b) for one atom along the first coordinate."""
    Mz = w.new_zeros((3, len(w)))
    Mz[:, 0] = w.new_tensor([-1.0, 0.0, 1.0])
    weights = w.new_tensor([p / 2, 1 - p, p / 2])
    return float(weights @ theory.plain_noise_push(w, v, b, Mz, sigma))
