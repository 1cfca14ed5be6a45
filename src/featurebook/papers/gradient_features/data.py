"""The data of Chapter 3: mixtures of Gaussians, parities, linearly separable data."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mixture:
    """A mixture of Gaussians N(μ_j, σ_j² I) with a label each (Assumption 3.15).

    Attributes:
        means: μ_j, (r, d).
        labels: y_(j) = ±1, (r,).
        sigma: standard deviations σ_j, (r,).
        weights: p_j, (r,); they sum to 1.
    """

    means: Array
    labels: Array
    sigma: Array
    weights: Array

    @property
    def directions(self) -> Array:
        """D_j = μ_j/‖μ_j‖, (r, d)."""
        return self.means / np.linalg.norm(self.means, axis=1, keepdims=True)

    def draw(self, g: torch.Generator, *shape: int) -> tuple[Tensor, Tensor]:
        """Fresh samples X (*shape, d) and labels y (*shape), float32."""
        count = int(np.prod(shape))
        which = torch.multinomial(torch.tensor(self.weights), count, replacement=True, generator=g)
        mu, sigma, y = (
            torch.tensor(v, dtype=torch.float32)[which]
            for v in (self.means, self.sigma, self.labels)
        )
        X = mu + sigma[:, None] * torch.randn(mu.shape, generator=g)
        return X.view(*shape, -1), y.view(*shape)


def orthogonal(d: int, r: int, norm: float, sigma: float = 1.0) -> Mixture:
    """r clusters at norm·e_j with alternating labels and equal masses; r <= d."""
    labels = np.where(np.arange(r) % 2 == 0, 1.0, -1.0)
    return Mixture(norm * np.eye(r, d), labels, np.full(r, sigma), np.full(r, 1 / r))


def xor(d: int, sigma: float = 1.0, norm: float | None = None) -> Mixture:
    """Four clusters ±μ_1 (label 1), ±μ_3 (label -1), of norm √d by default (Assumption B.36)."""
    size = np.sqrt(d) if norm is None else norm
    e = np.eye(2, d)
    means = size * np.stack([e[0], -e[0], e[1], -e[1]])
    return Mixture(means, np.array([1.0, 1, -1, -1]), np.full(4, sigma), np.full(4, 0.25))


def easy_and_hard(d: int, share: float, norm: float, sigma: float = 1.0) -> Mixture:
    """Two clusters that a linear function tells apart, of joint mass ``share``, and an XOR."""
    e = np.eye(3, d)
    means = norm * np.stack([e[0], -e[0], e[1], -e[1], e[2], -e[2]])
    weights = np.array([share / 2] * 2 + [(1 - share) / 4] * 4)
    return Mixture(means, np.array([1.0, -1, 1, 1, -1, -1]), np.full(6, sigma), weights)


@dataclass(frozen=True)
class Parity:
    """Biased parities (Section 3.4.2) with the dictionary M = I.

    Attributes:
        d: dimension.
        k: size of a block A_j, odd.
        r: number of blocks, odd.
        p_A: mass of each of the structured parts X_{j,+} and X_{j,-}, at most 1/(2r).
        p_o: probability of +1, and of -1, of a coordinate outside of A.
    """

    d: int
    k: int
    r: int = 1
    p_A: float = 0.25  # noqa: N815
    p_o: float = 0.5

    @property
    def directions(self) -> Array:
        """D_j = k^{-1/2} Σ_{l in A_j} e_l, (r, d)."""
        D = np.zeros((self.r, self.d))
        for j in range(self.r):
            D[j, j * self.k : (j + 1) * self.k] = self.k**-0.5
        return D

    def label(self, X: Tensor) -> Tensor:
        """y = sign Σ_j Π_{l in A_j} x_l for x in the support, X (..., d); the sign of 0 is 0."""
        blocks = X[..., : self.r * self.k].unflatten(-1, (self.r, self.k))
        return torch.sign(blocks.prod(-1).sum(-1))

    def draw(self, g: torch.Generator, *shape: int) -> tuple[Tensor, Tensor]:
        """Fresh samples X (*shape, d) and labels y (*shape), float32."""
        n, k, r = int(np.prod(shape)), self.k, self.r
        X = torch.empty(n, self.d)
        X[:, : r * k] = torch.randint(0, 2, (n, r * k), generator=g) * 2.0 - 1
        u = torch.rand(n, self.d - r * k, generator=g)
        X[:, r * k :] = (u < self.p_o).float() - (u > 1 - self.p_o).float()
        part = torch.floor(torch.rand(n, generator=g) / self.p_A).long()
        for j in range(2 * r):
            rows = (part == j).nonzero()[:, 0]
            X[rows, : r * k] = 0.0
            X[rows[:, None], torch.arange(j // 2 * k, (j // 2 + 1) * k)] = 1.0 - 2.0 * (j % 2)
        return X.view(*shape, self.d), self.label(X).view(*shape)

    def support(self) -> tuple[Array, Array, Array]:
        """Every point (N, d), its label (N,), its probability (N,); for small d."""
        inside = [np.zeros(self.r * self.k) for _ in range(2 * self.r)]
        for j in range(2 * self.r):
            inside[j][j // 2 * self.k : (j // 2 + 1) * self.k] = 1 - 2 * (j % 2)
        masses = [self.p_A] * (2 * self.r)
        uniform = 1 - 2 * self.r * self.p_A
        if uniform > 0:
            cube = [np.array(s) for s in product([1.0, -1.0], repeat=self.r * self.k)]
            inside += cube
            masses += [uniform / len(cube)] * len(cube)
        chance = {1.0: self.p_o, -1.0: self.p_o, 0.0: 1 - 2 * self.p_o}
        values = [v for v, c in chance.items() if c > 0]
        rest = [np.array(s) for s in product(values, repeat=self.d - self.r * self.k)]
        of_rest = [np.prod([chance[v] for v in s]) for s in rest]
        X = np.array([np.concatenate([a, s]) for a in inside for s in rest])
        masses_of = np.array([p * c for p in masses for c in of_rest])
        return X, self.label(torch.tensor(X)).numpy(), masses_of


def linear_support(d: int, rho: float, side: float) -> tuple[Array, Array]:
    """All equally likely points of linear data: x = y ρ e_1 ± side·e_j, j = 2..d, (4(d - 1), d).

    Signal and margin are both ρ, every norm is √(ρ² + side²), and E[y x] = ρ e_1.
    """
    e = np.eye(d)
    points = [(y * rho * e[0] + s * side * e[j], y)
              for y in (1.0, -1.0) for s in (1, -1) for j in range(1, d)]  # fmt: skip
    return np.array([x for x, _ in points]), np.array([y for _, y in points])


def one_sided_noise(g: torch.Generator, n: int, d: int) -> tuple[Tensor, Tensor]:
    """Linear data whose noise depends on the label: standard deviation 3 if y = 1, else 0.3."""
    y = torch.randint(0, 2, (n,), generator=g) * 2.0 - 1
    X = torch.randn(n, d, generator=g) * torch.where(y > 0, 3.0, 0.3)[:, None]
    X[:, 0] = y * (0.5 + torch.randn(n, generator=g).abs())
    return X, y
