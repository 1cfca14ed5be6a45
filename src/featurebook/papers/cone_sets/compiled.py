"""The gradient of Proposition 3.1 as a compiler makes it fast; `network` has it readable.

With s_j = σ of kernel j's largest excitation and [j ~ k] = 1 if kernels j and k win the same patch,
else 0, the reconstruction of the patch that j wins is Σ_k [j ~ k] s_k w_k. A compiler fuses the
comparison of all pairs with what uses it and never stores the pairs, so it needs neither a code for
each patch nor its products; and it reads memory in order, so patches need not come first.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook.papers.cone_sets.activation import sigma, sigma_prime


def part(w: Tensor, images: Tensor, c0: float) -> tuple[Tensor, Tensor]:
    """N/2 of the gradient (..., C, d), and N of the loss (...)."""
    N, P, _ = images.shape[-3:]
    excitation = (images.flatten(-3, -2) @ w.mT).unflatten(
        -2, images.shape[-3:-1]
    )  # (..., N, P, C)
    largest = _amax(excitation)  # (..., N, C)
    place = torch.arange(P, 0, -1, dtype=w.dtype, device=w.device).unsqueeze(1)
    mark = _amax(torch.where(excitation == largest.unsqueeze(-2), place, 0))
    s = _stored(sigma(largest, c0))
    winner = (P - mark).long().clamp(0, P - 1)  # not-a-number gives some patch
    row = winner + torch.arange(0, N * P, P, device=w.device).unsqueeze(1)
    overlap, together = _pairs(mark, s, w @ w.mT)
    pull = s + (largest - overlap) * sigma_prime(largest, c0)
    towards = weighted_rows(images.flatten(-3, -2), row, pull)
    value = images.square().sum((-2, -1)) + (s * (overlap - 2 * largest)).sum(-1)
    return together @ w - towards, value.sum(-1)


def _amax(x: Tensor) -> Tensor:
    """The maximum along axis -2, four places at a time: none need wait for the one before."""
    for _ in range(2):
        half = -(-x.shape[-2] // 2)
        x = torch.maximum(x[..., :half, :], x[..., -half:, :])
    return x.amax(-2)


def _stored(x: Tensor) -> Tensor:
    """A dense tensor that a compiler is to write down, not to compute anew for every reader."""
    return x.as_strided(x.shape, x.stride()) if torch.compiler.is_compiling() else x


def _pairs(mark: Tensor, s: Tensor, gram: Tensor) -> tuple[Tensor, Tensor]:
    """Σ_k [j ~ k] s_k <w_k, w_j>, (..., N, C), and Σ s_j [j ~ k] s_k over images, (..., C, C).

    Args:
        mark: different for different patches, (..., N, C), of the same dtype as ``s`` alike.
        gram: <w_j, w_k>, (..., C, C).
    """
    shared = torch.where(mark.unsqueeze(-1) == mark.unsqueeze(-2), s.unsqueeze(-1), 0)
    overlap = (shared * gram.unsqueeze(-3)).sum(-2)
    N = s.shape[-2]
    some = max(n for n in range(1, min(N, 256) + 1) if N % n == 0)  # images: what a cache holds
    return overlap, (shared * s.unsqueeze(-2)).unflatten(-3, (-1, some)).sum(-3).sum(-3)


def weighted_rows(table: Tensor, row: Tensor, weight: Tensor) -> Tensor:
    """The sum over N of weights (..., N, C) times rows of tables (..., M, k): (..., C, k).

    ``row`` (..., N, C) numbers the rows in each table.
    """
    ensemble, (size, k) = table.shape[:-2], table.shape[-2:]
    start = torch.arange(ensemble.numel(), device=row.device).view(*ensemble, 1, 1) * size
    long, row = table.reshape(-1, k), row + start
    bags, weights = (_stored(x.mT.contiguous()).view(-1, x.shape[-2]) for x in (row, weight))
    total = F.embedding_bag(bags, long, per_sample_weights=weights, mode="sum")
    return total.view(*row.shape[:-2], row.shape[-1], -1)
