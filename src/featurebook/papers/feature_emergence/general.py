"""The general setting of Appendix F: incoherent dictionary, noise in the inputs, unequal classes.

The noise <w, zeta>/sigma~ of a pre-activation is Gaussian like the neuron's own, so the exact
gradients of the simple setting serve here too, with q = M^T w and a larger noise.
"""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from featurebook.core.spectra import eigh
from featurebook.papers.feature_emergence.data import Distribution, draw, with_negative_share
from featurebook.papers.feature_emergence.exact import Components, gradient_components


@dataclass(frozen=True)
class General:
    """x = (M (patterns - mean) + zeta) / sigma~, zeta ~ N(0, sigma_zeta^2 I); the paper prints
    sigma_zeta in place of the last sigma~.

    Attributes:
        dist: law of the patterns and the label.
        M: dictionary, unit columns, float64 (d, D).
        sigma_zeta: noise of an input's coordinate.
    """

    dist: Distribution
    M: Tensor
    sigma_zeta: float

    @property
    def sigma(self) -> float:
        """sigma~, the root of sum_j Var + d sigma_zeta^2."""
        return math.sqrt(self.dist.sigma**2 + len(self.M) * self.sigma_zeta**2)

    @property
    def gamma(self) -> float:
        """(gamma_{+1} + gamma_{-1}) / 2, gamma_v = E[y pattern_i | y = v]."""
        return with_negative_share(self.dist, 0.5).gamma

    @property
    def p_min(self) -> float:
        """The smaller class's probability."""
        return (1 - abs(self.dist.mean_label)) / 2

    @property
    def variance(self) -> float:
        """Variance of a normalised background pattern, p_o (1 - p_o) / sigma~^2."""
        return self.dist.p_background * (1 - self.dist.p_background) / self.sigma**2

    @property
    def coherence(self) -> float:
        """max_{i != j} |<M_i, M_j>|, which is called mu / sqrt(d)."""
        return float((self.M.T @ self.M).fill_diagonal_(0).abs().max())

    @property
    def sigma_a(self) -> float:
        """sigma~^2 / (gamma k^2), the spread of the initial second layer."""
        return self.sigma**2 / (self.gamma * self.dist.k**2)

    def eta_one(self, m: int) -> float:
        """eta^(1) of Theorem 34, gamma^2 p_min sigma~ / (k m^3)."""
        return self.gamma**2 * self.p_min * self.sigma / (self.dist.k * m**3)

    def epsilon_e(self, sigma_w: float, sigma_xi: float, delta: float) -> float:
        """epsilon_e of Lemma 40 with hidden constants 1 (and sigma_zeta where it prints
        sigma_xi in a numerator)."""
        D, d = self.dist.D, len(self.M)
        largest = sigma_w * math.sqrt(2 * math.log(D / delta))
        spread = D / self.sigma + math.sqrt(d) * self.sigma_zeta
        return spread * largest / (self.sigma * sigma_xi)


def incoherent_dictionary(g: torch.Generator, d: int, D: int) -> Tensor:
    """D random unit columns in R^d, float64 (d, D); any two nearly orthogonal for large d."""
    return torch.nn.functional.normalize(torch.randn(d, D, generator=g, dtype=torch.float64), dim=0)


def nearly_orthogonal(g: torch.Generator, d: int, D: int) -> Tensor:
    """D unit columns in R^d, float64 (d, D), with random inner products up to 1/(16 D), as Lemmas
    36 to 48 ask for; they span the first D coordinates.

    Raises:
        ValueError: if d < D.
    """
    if d < D:
        raise ValueError(f"d = {d}, D = {D}: needs d >= D")
    rho = (2 * torch.rand(D, D, generator=g, dtype=torch.float64) - 1).triu(1) / (16 * D)
    value, axes = eigh(torch.eye(D, dtype=torch.float64) + rho + rho.T)
    root = (axes * value.sqrt()) @ axes.T
    return torch.nn.functional.pad(root, (0, 0, 0, d - D))


def draw_general(g: torch.Generator, setting: General, n: int) -> tuple[Tensor, Tensor]:
    """x (n, d) and labels (n,), float32."""
    phi, y = draw(g, setting.dist, n)
    noise = setting.sigma_zeta * torch.randn(n, len(setting.M), generator=g)
    return (setting.dist.sigma * phi @ setting.M.float().T + noise) / setting.sigma, y


def components(
    setting: General, W: Tensor, b: Tensor, sigma_xi: float
) -> tuple[Components, Tensor]:
    """T_j, T_b, T_a and beta of Lemmas 40-42 and 45-47, and nu (N, d), of the weighted loss with
    y g <= 1: the gradient in w_i is -a_i (sum_j M_j T_j + nu_i).

    By Stein's identity nu = (sigma_zeta / sigma~)^2 w dT_b/db.

    Args:
        W: (N, d), float64.
        b: (N,).
    """
    scale, share = setting.dist.sigma / setting.sigma, setting.sigma_zeta / setting.sigma
    noise = (sigma_xi**2 + share**2 * W.square().sum(1)).sqrt()
    found = gradient_components(
        setting.dist, scale * W @ setting.M, b, noise, setting.dist.class_weights
    )
    return replace(found, T=scale * found.T), share**2 * found.slope[:, None] * W


def push(setting: General, sigma_xi: float, W: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The population `exact.Push` in R^d."""
    found, nu = components(setting, W, b, sigma_xi)
    return found.T @ setting.M.T + nu, found.T_b, found.T_a
