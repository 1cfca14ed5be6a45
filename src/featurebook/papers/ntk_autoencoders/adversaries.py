"""Moves of the encoder that change a kernel as much as they can (Lemmas 4.2 and 5.2)."""

import torch
from torch import Tensor

from featurebook.core import Params
from featurebook.core.spectra import svd
from featurebook.papers.ntk_autoencoders import kernels


def nearest_crossing(W: Tensor, X: Tensor, R: float) -> Tensor:
    """An adversary for Lemma 4.2: each neuron within R of a sample's hyperplane crosses it."""
    z = W.T @ X  # (m, n)
    nearest = z.abs().argmin(dim=1)
    distance = z.gather(1, nearest[:, None])[:, 0]
    can = distance.abs() < R
    shift = -(distance + torch.sign(distance) * 1e-12) * can
    return W + X[:, nearest] * shift


def switch_on(W: Tensor, X: Tensor, R: float) -> Tensor:
    """Another adversary: every neuron that can is switched on at the first sample."""
    z = W.T @ X[:, 0]
    shift = torch.where((z < 0) & (z > -R), -z, torch.zeros_like(z))
    return W + torch.outer(X[:, 0], shift)


def change_of_encoder_kernel(params: Params, X: Tensor, W: Tensor) -> float:
    """‖G(W̃) - G(W)‖ for moved encoder weights W̃ (d, m)."""
    moved = kernels.encoder_kernel({"W": W, "A": params["A"]}, X)
    return float(kernels.spectral_norm(moved - kernels.encoder_kernel(params, X)))


def random_move(W: Tensor, R: float, generator: torch.Generator) -> Tensor:
    """Every neuron moved by R in a random direction."""
    noise = torch.randn(W.shape, generator=generator, dtype=W.dtype)
    return W + R * noise / noise.norm(dim=0)


def adversarial_moves(
    W: Tensor, X: Tensor, R: float, generator: torch.Generator
) -> dict[str, Tensor]:
    """Three ways to move every neuron by at most R, by name."""
    return {
        "random": random_move(W, R, generator),
        "nearest hyperplane": nearest_crossing(W, X, R),
        "all on at sample 1": switch_on(W, X, R),
    }


def decoder_adversary(W: Tensor, X: Tensor, R: float) -> Tensor:
    """Weights at ‖W̃ - W‖_F = R that push H along the top direction of Φ."""
    z = X.T @ W
    left, _, _ = svd(torch.relu(z), full_matrices=False)
    u = left[:, 0] * torch.sign(left[:, 0].sum())  # (n,)
    q = torch.relu(z).T @ u  # (m,)
    direction = X @ (u[:, None] * (z >= 0)) * q
    return W + R * direction / direction.norm()
