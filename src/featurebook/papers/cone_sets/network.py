"""The autoencoder (Section 2.2): every kernel writes to the one patch that excites it most."""

import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook.core import Params, takes_replicas
from featurebook.papers.cone_sets import compiled
from featurebook.papers.cone_sets.activation import sigma, sigma_prime


def reconstruct(w: Tensor, images: Tensor, c0: float) -> Tensor:
    """φ(z; w), (N, P, d): each kernel adds itself to the one patch that excites it most (4), (5).

    Args:
        w: kernels (C, d).
        images: (N, P, d).
    """
    excitation = images @ w.T  # (N, P, C)
    largest, winner = excitation.max(dim=1)  # (N, C)
    code = torch.zeros_like(excitation).scatter(
        1, winner.unsqueeze(1), sigma(largest, c0).unsqueeze(1)
    )
    return code @ w


def loss(params: Params, images: Tensor, c0: float) -> Tensor:
    """The reconstruction error R_N (7): squared norm, summed over an image, mean over images."""
    return (reconstruct(params["w"], images, c0) - images).square().sum((1, 2)).mean()


def error(params: Params, images: Tensor, c0: float) -> Tensor:
    """The mean square error per entry, which the tables print; R_N / (P d)."""
    return (reconstruct(params["w"], images, c0) - images).square().mean()


PART_BYTES = 8 << 20
"""What the excitations of a part of a batch fill at most, so that they stay in a cache."""
FEW_KERNELS = 200
"""Up to so many a compiled gradient compares all pairs of kernels; with more, `_part` is faster."""


@takes_replicas
def gradient(params: Params, images: Tensor, c0: float) -> tuple[Params, Tensor]:
    """The gradient of `loss` by Proposition 3.1, and its value, from the winning patches alone.

    Args:
        params: kernels w (C, d), or (R, C, d) of all replicas.
        images: (N, P, d), or (R, N, P, d).
        c0: threshold of σ.

    Returns:
        ``({"w": (C, d)}, scalar)``, or ``({"w": (R, C, d)}, (R,))``.
    """
    w, N = params["w"], images.shape[-3]
    if torch.compiler.is_compiling() and w.shape[-2] <= FEW_KERNELS:
        total, value = compiled.part(w, images, c0)
    elif w.ndim == 2:
        total, value = (x[0] for x in _in_parts(w.unsqueeze(0), images.unsqueeze(0), c0))
    else:
        total, value = _in_parts(w, images.expand(w.shape[0], *images.shape[-3:]), c0)
    return {"w": total * (2 / N)}, value / N


def _in_parts(w: Tensor, images: Tensor, c0: float) -> tuple[Tensor, Tensor]:
    """`_part` of whole batches of some replicas at a time, or of part of the batch of one."""
    R, N, P, _ = images.shape
    count = -(-R * N * P * w.shape[1] * w.element_size() // PART_BYTES)
    if count == 1 or torch.compiler.is_compiling():
        return _part(w, images, c0)
    r, n = (-(-R // count), N) if count <= R else (1, -(-N // -(-count // R)))
    found = []
    for some, theirs in zip(w.split(r), images.split(r), strict=True):
        parts = [_part(some, x, c0) for x in theirs.split(n, dim=1)]
        found.append([torch.stack(x).sum(0) for x in zip(*parts, strict=True)])
    total, value = (torch.cat(x) for x in zip(*found, strict=True))
    return total, value


def _part(w: Tensor, images: Tensor, c0: float) -> tuple[Tensor, Tensor]:
    """N/2 of the gradient (R, C, d), and N of the loss (R,), of images (R, N, P, d).

    With s_j = σ of kernel j's largest excitation and r the reconstruction of the patch z that j
    wins, it is the sum over images of s_j (r - z) + σ' <r - z, w_j> z.
    """
    R, N, P, d = images.shape
    C = w.shape[1]
    patches = images.transpose(1, 2).flatten(1, 2)  # the maximum is fast only as one of long rows
    excitation = (patches @ w.mT).view(R, P, N, C).transpose(1, 2)
    largest = excitation.amax(2)  # (R, N, C)
    winner = _winner(excitation, largest)
    s, at = sigma(largest, c0), winner.unsqueeze(2)
    code = torch.zeros_like(excitation, memory_format=torch.contiguous_format)
    code = code.scatter_(2, at, s.unsqueeze(2)).view(R, N * P, C)
    first = torch.arange(0, R * N * P, P, device=w.device).view(R, N, 1)
    rows = (winner + first).mT.reshape(R * C, N)  # of the patches of all replicas

    def total(table: Tensor, weight: Tensor) -> Tensor:
        weights, long = weight.mT.reshape(R * C, N), table.reshape(-1, table.shape[-1])
        return F.embedding_bag(rows, long, per_sample_weights=weights, mode="sum").view(R, C, -1)

    if 2 * d < C:  # the same products, in the order that takes fewer operations
        reconstruction = code @ w
        products, pushed = reconstruction @ w.mT, total(reconstruction, s)
    else:
        products, pushed = code @ (w @ w.mT), total(code, s) @ w
    overlap = products.view(R, N, P, C).gather(2, at).squeeze(2)  # <r, w_j>
    pull = s + (largest - overlap) * sigma_prime(largest, c0)
    flat = images.flatten(1, 2)
    value = torch.linalg.vector_norm(flat, dim=(1, 2)).square()
    value = value + (s * (overlap - 2 * largest)).sum((1, 2))
    return pushed - total(flat, pull), value


def _winner(x: Tensor, largest: Tensor) -> Tensor:
    """The first place along axis -2 of x (..., P, C) where it is ``largest``, int64 (..., C).

    As `torch.argmax`, which is several times slower.
    """
    P = x.shape[-2]
    mark = torch.arange(P, 0, -1, dtype=x.dtype, device=x.device).unsqueeze(1)
    behind = torch.sub(x, largest.unsqueeze(-2)).sign_()  # 0 where largest, else -1
    mark = torch.add(mark, behind, alpha=P).amax(-2)
    return (P - mark).long().clamp(0, P - 1)  # not-a-number gives some patch


def draw_kernels(C: int, d: int, sigma0: float, g: torch.Generator) -> Params:
    """Kernels at the start, w_j ~ N(0, σ0² I), as ``{"w": (C, d)}``."""
    return {"w": sigma0 * torch.randn(C, d, generator=g)}


def label(w: Tensor) -> tuple[Tensor, Tensor]:
    """The feature along which a kernel (..., d) is largest, and its cosine with it."""
    largest, feature = w.max(dim=-1)
    return feature, largest / w.norm(dim=-1).clamp(min=1e-30)


def covered(w: Tensor, cosine: float = 0.9) -> Tensor:
    """How many features have a kernel within that cosine and of norm above 1/2; (...,) int64."""
    good = (w > cosine * w.norm(dim=-1, keepdim=True)) & (w.norm(dim=-1, keepdim=True) > 0.5)
    return good.any(dim=-2).sum(dim=-1)
