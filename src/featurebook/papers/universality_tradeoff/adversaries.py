"""The sides of the inequalities that searches attack: losses of full W, tails, and W near W*."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize
from torch import Tensor

from featurebook.core.ensemble import generator
from featurebook.core.spectra import spectral_norm
from featurebook.papers.universality_tradeoff import linear

Array = NDArray[np.float64]


class TwoTasks:
    """One shared and one private feature for each of two tasks: losses of full W by a product rule.

    The rule is symmetric under sign flips and exchange of its two axes, which is all that the
    proofs of Lemma F.3 and Claim F.4 use. Spurious columns do not enter: by Jensen they only add.

    Args:
        weights: of the tasks.
        shared, private: standard deviations σ_S, and σ_R of each task.
    """

    budget = 2.0  # r

    def __init__(
        self, weights: Sequence[float], shared: float, private: Sequence[float], nodes: int = 14
    ) -> None:
        x, w = np.polynomial.hermite_e.hermegauss(nodes)
        self.mass = torch.tensor(np.outer(w, w).ravel() / w.sum() ** 2)
        self.z = torch.tensor(np.stack([g.ravel() for g in np.meshgrid(x, x)], 1))
        self.weights = torch.tensor(weights, dtype=torch.float64)
        self.scales = torch.tensor([[shared, p] for p in private], dtype=torch.float64)

    def loss(self, W: Tensor) -> Tensor:
        """Of any W (k, 3 or more): a column for S, for P_1 and for P_2."""
        seen = [W[:, [0, t + 1]] * self.scales[t] for t in (0, 1)]
        t = torch.stack([((self.z @ A.T) ** 2).sum(1) for A in seen])
        return self.weights @ (torch.nn.functional.softplus(-t) @ self.mass)

    def feasible(self, W: Tensor) -> Tensor:
        """W scaled to ‖W‖ ≤ 1 and ‖W‖_F² ≤ r; what meets both stays."""
        W = W / spectral_norm(W).clamp(min=1)
        return W * (self.budget**0.5 / W.norm().clamp(min=1e-12)).clamp(max=1)

    def programme(self) -> float:
        """The least loss of diagonal W, which Lemma F.3 says is the least of all."""

        def value(a: Array) -> float:
            squares = torch.tensor([a[0], a[1], min(self.budget - a.sum(), 1.0)])
            return float(self.loss(torch.diag(squares.clamp(min=0)).sqrt()))

        found = minimize(
            value, [0.6, 0.6], bounds=[(0, 1)] * 2, method="SLSQP", options={"ftol": 1e-15},
            constraints={"type": "ineq", "fun": lambda a: self.budget - a.sum()},
        )  # fmt: skip
        return float(found.fun)

    def split(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Loss of a block with equal weights, and with weights x[0], x[1]; x[2] is the rest."""
        even = (x[0] + x[1]) / 2
        t = torch.stack([(self.z**2).sum(1) * even, (self.z**2) @ x[:2]])
        loss = torch.nn.functional.softplus(-t - x[2]) @ self.mass
        return loss[0], loss[1]


def slope_sides(x: Array) -> tuple[float, float]:
    """Both terms of the slope in α of Y1; x = α, s, q, T, and the place of the loss in `PULLS`."""
    pull = list(linear.PULLS.values())[int(x[4])]
    return linear.slope_in_alpha(x[0], int(x[1]), int(x[2]), x[3], pull, nodes=12)


def dominance_sides(x: Array) -> tuple[float, float]:
    """Pr[αZ + (2-α)/T Z_1 > c] at α = x[0] and at 1, for s = q = x[1], T = x[2] ≥ 2, c = x[3] s."""
    n, T = int(x[1]), x[2]
    at = [linear.survival(x[3] * n, a, (2 - a) / T, n, n, nodes=48) for a in (x[0], 1.0)]
    return at[0], at[1]


class NearSuperposed:
    """W near the superposed optimum of T tasks, s = q, in r = 2s outputs and perhaps more.

    Args:
        T, s: as in `linear.superposed`.
        gamma: largest ‖W - W*‖_F.
        spare: outputs beyond r, which W* leaves at zero.
    """

    def __init__(self, T: int, s: int, gamma: float, spare: int = 0) -> None:
        A = linear.superposed(s, s, T)
        self.start = torch.tensor(np.vstack([A, np.zeros((spare, A.shape[1]))]))
        self.s, self.gamma = s, gamma
        self.most = torch.tensor(linear.after_from_superposed(T, gamma, s), dtype=torch.float64)

    def feasible(self, raw: Tensor) -> Tensor:
        """A W with ‖W‖ ≤ 1 and ‖W - W*‖_F ≤ γ; what meets both stays."""
        W = raw / spectral_norm(raw).clamp(min=1)
        step = W - self.start
        return self.start + step * (self.gamma / step.norm().clamp(min=1e-12)).clamp(max=1)

    def sides(self, W: Tensor) -> tuple[Tensor, Tensor]:
        """β of W, its mean squared weight on P_1, and what one is said to reach."""
        return W[:, self.s : 2 * self.s].square().sum() / self.s, self.most

    def starts(self, seed: int, count: int = 24) -> Tensor:
        """Private rows turned towards P_1 by several angles, neighbours of W*, and random W."""
        own, s = self.start.clone(), self.s
        own[s : 2 * s] = 0
        own[s : 2 * s, s : 2 * s] = torch.eye(s, dtype=own.dtype)
        turned = torch.stack([(1 - t) * self.start + t * own for t in torch.linspace(0, 1, count)])
        noise = torch.randn(count, *own.shape, generator=generator(seed, "W"), dtype=own.dtype)
        unit = turned / turned.norm(dim=2, keepdim=True).clamp(min=1e-12)
        return torch.cat([unit, self.start + 0.3 * noise, noise])
