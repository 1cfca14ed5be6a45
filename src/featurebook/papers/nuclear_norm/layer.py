"""The nuclear norm of a batch of features as a layer, and two notions of stable rank."""

from typing import Any, Literal

import torch
from torch import Tensor, nn

from featurebook.core.spectra import eigh, svd, svdvals

Method = Literal["svd", "gram"]


class _NuclearNorm(torch.autograd.Function):
    """Σ σ_i of (..., B, d), with the subgradient U_r V_rᵀ of least norm as its gradient."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, method: str) -> Tensor:
        value, direction = (_by_svd if method == "svd" else _by_gram)(z)
        ctx.save_for_backward(direction)
        return value

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        (direction,) = ctx.saved_tensors
        return grads[0][..., None, None] * direction, None


def _by_svd(z: Tensor) -> tuple[Tensor, Tensor]:
    u, s, vh = svd(z, full_matrices=False)
    keep = s > s.amax(-1, keepdim=True) * max(z.shape[-2:]) * torch.finfo(z.dtype).eps
    return s.sum(-1), (u * keep[..., None, :]) @ vh


def _by_gram(z: Tensor) -> tuple[Tensor, Tensor]:
    """Through the eigenvalues of the smaller of Z Zᵀ and Zᵀ Z; loses half of the digits."""
    wide = z.shape[-2] <= z.shape[-1]
    x = z if wide else z.mT
    values, vectors = eigh(x @ x.mT)
    keep = values > values.amax(-1, keepdim=True) * max(z.shape[-2:]) * torch.finfo(z.dtype).eps
    roots = torch.where(keep, values, torch.ones_like(values)).sqrt()
    inner = (vectors * (keep / roots)[..., None, :]) @ vectors.mT
    direction = inner @ x
    return (roots * keep).sum(-1), direction if wide else direction.mT


def nuclear_norm(z: Tensor, *, method: Method = "svd", per_root_batch: bool = False) -> Tensor:
    """‖Z‖_* of features Z (..., B, d), as in (6.3): not centred, not divided by B.

    Where Z has not full rank the norm has many subgradients; this takes the least one, which is
    zero on the null spaces, so that Z = 0 stays where it is. `torch.linalg.svdvals` takes another.

    Args:
        method: ``"svd"``, or ``"gram"``, which is faster for B far from d and half as precise.
        per_root_batch: divide by √B, which for B well above the rank does not depend on B.
    """
    if method not in ("svd", "gram"):
        raise ValueError(f"method = {method!r}: must be 'svd' or 'gram'")
    value: Tensor = _NuclearNorm.apply(z, method)
    return value / z.shape[-2] ** 0.5 if per_root_batch else value


class NuclearNorm(nn.Module):
    """``loss + NuclearNorm(λ)(features)`` turns ERM into ERM-NU."""

    def __init__(self, lam: float, method: Method = "svd", *, per_root_batch: bool = False) -> None:
        super().__init__()
        self.lam, self.method, self.per_root_batch = lam, method, per_root_batch

    def forward(self, features: Tensor) -> Tensor:
        """λ‖Z‖_* (...,) of features (..., B, d)."""
        return self.lam * nuclear_norm(
            features, method=self.method, per_root_batch=self.per_root_batch
        )


def stable_rank(m: Tensor) -> Tensor:
    """‖M‖_F² / ‖M‖_2²: between 1 and the rank, the same for M and 10 M."""
    s = svdvals(m)
    return s.square().sum(-1) / s[..., 0].square()


def stable_rank_printed(m: Tensor) -> Tensor:
    """‖M‖_F² / ‖M‖_2, as Section 6.3.3 prints it."""
    s = svdvals(m)
    return s.square().sum(-1) / s[..., 0]


def cheapest_extractor(second_moment: Tensor, u: Tensor, head: Tensor) -> tuple[Tensor, Tensor]:
    """min ‖X Aᵀ‖_* over Aᵀ v = u, √(uᵀ C u) / ‖v‖, and the A = v uᵀ / ‖v‖² that attains it.

    Args:
        second_moment: C = Xᵀ X (d, d).
        u: the whole linear map (d,).
        head: v (k,), not zero.
    """
    value = (u @ second_moment @ u).sqrt() / head.norm()
    return value, torch.outer(head, u) / head.square().sum()
