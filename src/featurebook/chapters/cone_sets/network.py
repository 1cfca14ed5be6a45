"""The autoencoder (Section 2.2): every kernel writes to the one patch that excites it most."""

import torch
from torch import Tensor

from featurebook.chapters.cone_sets import compiled
from featurebook.chapters.cone_sets.activation import sigma, sigma_prime
from featurebook.chapters.cone_sets.compiled import one_table, weighted_rows
from featurebook.core import Params, takes_replicas


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


PART_BYTES = 3 << 20
"""What a part of a batch fills: a few MiB, so that it stays in a core's own cache."""


@takes_replicas
def gradient(params: Params, images: Tensor, c0: float) -> tuple[Params, Tensor]:
    """The gradient of `loss` by Proposition 3.1, and its value, from the winning patches alone.

    Only the encoder product sees all patches. With s_j = σ of kernel j's largest excitation and
    [j ~ k] = 1 if kernels j and k win the same patch, the reconstruction of j's patch is
    Σ_k [j ~ k] s_k w_k, so every other product has the size of the kernels, not of the image.

    Args:
        params: kernels w (C, d), or (R, C, d) of all replicas.
        images: (N, P, d), or (R, N, P, d).
        c0: threshold of σ.

    Returns:
        ``({"w": (C, d)}, scalar)``, or ``({"w": (R, C, d)}, (R,))``.
    """
    w, N = params["w"], images.shape[-3]
    if torch.compiler.is_compiling():
        total, value = compiled.part(w, images, c0)
        return {"w": total * (2 / N)}, value / N
    r, n = _part_size(w.shape[0] if w.ndim == 3 else 1, N, images.shape[-2], w)
    found = []
    for k, some in enumerate(w.split(r) if w.ndim == 3 else [w]):
        theirs = images[k * r : (k + 1) * r] if images.ndim == 4 else images
        parts = [_part(some, x, c0) for x in theirs.split(n, dim=-3)]
        found.append((sum(g for g, _ in parts), sum(v for _, v in parts)))
    total, value = (torch.cat(x) if w.ndim == 3 else x[0] for x in zip(*found, strict=True))
    return {"w": total * (2 / N)}, value / N


def _part_size(R: int, N: int, P: int, w: Tensor) -> tuple[int, int]:
    """Replicas and images that fill `PART_BYTES`: whole batches of some, or part of one's."""
    C = w.shape[-2]
    parts = -(-R * N * C * (P + C) * w.element_size() // PART_BYTES)
    return (-(-R // parts), N) if parts <= R else (1, -(-N // -(-parts // R)))


def _part(w: Tensor, images: Tensor, c0: float) -> tuple[Tensor, Tensor]:
    """N/2 of the gradient (..., C, d), and N of the loss (...)."""
    N, P, _ = images.shape[-3:]
    patches = images.transpose(-3, -2)  # the maximum is fast only as one of long rows
    excitation = (patches.flatten(-3, -2) @ w.mT).unflatten(-2, patches.shape[-3:-1])
    excitation = excitation.transpose(-3, -2)  # (..., N, P, C)
    largest = excitation.amax(-2)  # (..., N, C)
    winner = _winner(excitation, largest)
    row = winner + torch.arange(0, N * P, P, device=w.device).unsqueeze(1)
    s = sigma(largest, c0)
    code = s.new_zeros(*s.shape[:-1], P, s.shape[-1])
    code = code.scatter(-2, winner.unsqueeze(-2), s.unsqueeze(-2)).flatten(-3, -2)
    long, number = one_table(code, row)
    shared = long.index_select(0, number.flatten()).view(*s.shape, -1)  # [j ~ k] s_k
    overlap = (shared * (w @ w.mT).unsqueeze(-3)).sum(-1)  # <reconstruction, w_j>, (..., N, C)
    pull = s + (largest - overlap) * sigma_prime(largest, c0)
    towards = weighted_rows(images.flatten(-3, -2), row, pull)
    value = images.square().sum((-2, -1)) + (s * (overlap - 2 * largest)).sum(-1)
    return weighted_rows(code, row, s) @ w - towards, value.sum(-1)


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
