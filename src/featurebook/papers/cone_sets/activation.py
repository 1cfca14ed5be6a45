"""The smoothed ReLU (2) and its derivative."""

import torch
from torch import Tensor


def sigma(u: Tensor, c0: float) -> Tensor:
    """The smoothed ReLU (2): 0, then u²/(2 c0), then u from c0 on (where it jumps by c0/2)."""
    return torch.where(u > c0, u, u.clamp(min=0) ** 2 * (0.5 / c0))


def sigma_prime(u: Tensor, c0: float) -> Tensor:
    """Its derivative away from the jump: 0, u/c0, 1."""
    return (u / c0).clamp(0, 1)
