"""The one-hidden-layer network with activation t ↦ tᵏ on modular addition (4.2), and its margins.

A network of m neurons has embeddings U (..., m, k, p) and output vectors W (..., m, p); leading
axes are replicas. Data are all pᵏ inputs in row-major order, N = pᵏ.
"""

import torch
from torch import Tensor


def points(k: int, p: int) -> Tensor:
    """All inputs a in {0, ..., p - 1}ᵏ, (pᵏ, k), the last entry fastest."""
    return torch.cartesian_prod(*[torch.arange(p)] * k).reshape(-1, k)


def digits(number: Tensor, k: int, p: int) -> Tensor:
    """The inputs at these places (...) in the row-major order of `points`, (..., k)."""
    return number[..., None] // p ** torch.arange(k - 1, -1, -1) % p


def labels(k: int, p: int) -> Tensor:
    """(a₁ + ... + a_k) mod p of every input, (pᵏ,)."""
    return points(k, p).sum(1) % p


def preactivations(U: Tensor, a: Tensor | None = None) -> Tensor:
    """u₁(a₁) + ... + u_k(a_k) of each neuron, (..., m, N), at all inputs or at a (..., N, k)."""
    k, p = U.shape[-2:]
    if a is None:
        h = U[..., 0, :]
        for j in range(1, k):
            h = (h[..., None] + U[..., j, None, :]).flatten(-2)
        return h
    return U.flatten(-2) @ one_hot(a, p).to(U.dtype).mT


def one_hot(a: Tensor, p: int) -> Tensor:
    """The inputs a (..., N, k) as x₁, ..., x_k side by side, (..., N, k p); works under vmap."""
    return (a[..., None] == torch.arange(p, device=a.device)).flatten(-2)


def logits(U: Tensor, W: Tensor, a: Tensor | None = None) -> Tensor:
    """f(θ, a), (..., N, p): the sum over neurons of (u₁(a₁) + ... + u_k(a_k))ᵏ w."""
    return (preactivations(U, a) ** U.shape[-2]).mT @ W


def margins(F: Tensor, y: Tensor) -> Tensor:
    """g: the right logit less the largest wrong one, (..., N). Definition 4.2."""
    right = F.gather(-1, y[..., None].expand(*F.shape[:-1], 1))[..., 0]
    rest = F.scatter(-1, y[..., None].expand(*F.shape[:-1], 1), -torch.inf)
    return right - rest.amax(-1)


def mean_margins(F: Tensor, y: Tensor) -> Tensor:
    """g' with uniform weights: the right logit less the mean of the wrong ones, (..., N)."""
    right = F.gather(-1, y[..., None].expand(*F.shape[:-1], 1))[..., 0]
    return right - (F.sum(-1) - right) / (F.shape[-1] - 1)


def norms(U: Tensor, W: Tensor) -> Tensor:
    """‖θ_i‖₂ of every neuron, (..., m)."""
    return (U.square().sum((-1, -2)) + W.square().sum(-1)).sqrt()


def norm(U: Tensor, W: Tensor) -> Tensor:
    """‖θ‖_{2,k+1}, (...)."""
    nu = U.shape[-2] + 1
    return (norms(U, W) ** nu).sum(-1) ** (1 / nu)


def normalized_margin(U: Tensor, W: Tensor) -> Tensor:
    """h(θ/‖θ‖_{2,k+1}) = h(θ)/‖θ‖^{k+1} on all inputs, (...). Definitions 4.3 and 4.4.

    One first number at a time, so that it needs the memory of p^{k-1} inputs.
    """
    k, p = U.shape[-2:]
    rest, sums = preactivations(U[..., 1:, :]), labels(k - 1, p).to(U.device)
    smallest = torch.stack(
        [
            margins(((rest + U[..., 0, first, None]) ** k).mT @ W, (sums + first) % p).amin(-1)
            for first in range(p)
        ]
    ).amin(0)
    return smallest / (norms(U, W) ** (k + 1)).sum(-1)


def accuracy(U: Tensor, W: Tensor, a: Tensor | None = None) -> Tensor:
    """Share of inputs whose right logit is the largest, (...)."""
    k, p = U.shape[-2:]
    y = labels(k, p).to(U.device) if a is None else a.sum(-1) % p
    return (margins(logits(U, W, a), y) > 0).to(U.dtype).mean(-1)
