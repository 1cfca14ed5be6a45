"""Images of patches (Section 2.1, Algorithm 1): normal ones and both kinds of anomalies."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class PatchData:
    """Images of P patches, each one of d orthonormal features plus noise (Assumption 2.1).

    Attributes:
        d: dimension of a patch, and number of features.
        P: patches of an image, all with different features.
        eps: noise level ε >= 0; the noise ρ of a patch is N(0, ε²/d I), so that ‖ρ‖ ≈ ε.
        n_normal: number of normal features |V_nor|, which every image has.

    Raises:
        ValueError: if no such images exist.
    """

    d: int
    P: int
    eps: float = 0.01
    n_normal: int = 2

    def __post_init__(self) -> None:
        if not 1 <= self.n_normal <= self.P <= self.d:
            raise ValueError(
                f"n_normal = {self.n_normal}, P = {self.P}, d = {self.d}: an image has P different "
                "features, all normal ones among them, so 1 <= n_normal <= P <= d is needed"
            )
        if self.eps < 0:
            raise ValueError(f"eps = {self.eps}: must be >= 0")

    @property
    def beta(self) -> Tensor:
        """Probabilities β (d,) that an image has each feature; they sum to P."""
        auxiliary = self.d - self.n_normal
        beta = torch.full((self.d,), (self.P - self.n_normal) / max(auxiliary, 1))
        beta[: self.n_normal] = 1.0
        return beta

    def draw_features(self, count: int, g: torch.Generator) -> Tensor:
        """The feature of every patch, int64 (count, P), different within an image."""
        scores = torch.rand(count, self.d - self.n_normal, generator=g)
        auxiliary = scores.argsort(1)[:, : self.P - self.n_normal] + self.n_normal
        normal = torch.arange(self.n_normal).expand(count, -1)
        order = torch.rand(count, self.P, generator=g).argsort(1)
        return torch.cat([normal, auxiliary], dim=1).gather(1, order)

    def noisy(self, features: Tensor, g: torch.Generator) -> Tensor:
        """Patches (..., d) that contain the given features (...)."""
        patches = torch.nn.functional.one_hot(features, self.d).float()
        return patches + torch.randn(patches.shape, generator=g) * (self.eps / math.sqrt(self.d))

    def draw(self, count: int, g: torch.Generator) -> Tensor:
        """Normal images, float32 (count, P, d)."""
        return self.noisy(self.draw_features(count, g), g)

    def semantic(self, count: int, replaced: int, g: torch.Generator) -> Tensor:
        """Images (count, P, d) of which some patches contain another auxiliary feature each.

        The feature is uniform on the auxiliary ones; the paper does not state its law.
        """
        images = self.draw(count, g)
        features = torch.randint(self.n_normal, self.d, (count, replaced), generator=g)
        return _replace(images, self.noisy(features, g), g)

    def non_semantic(self, count: int, replaced: int, g: torch.Generator) -> Tensor:
        """Images (count, P, d) of which some patches are uniform on the unit sphere."""
        images = self.draw(count, g)
        patches = torch.randn(count, replaced, self.d, generator=g)
        return _replace(images, patches / patches.norm(dim=-1, keepdim=True), g)


def _replace(images: Tensor, patches: Tensor, g: torch.Generator) -> Tensor:
    """Put patches (n, r, d) at r random places of each image (n, P, d), as in (15)."""
    n, r, d = patches.shape
    places = torch.rand(n, images.shape[1], generator=g).argsort(1)[:, :r]
    return images.scatter(1, places[:, :, None].expand(-1, -1, d), patches)


def draw_with_replacement(data: PatchData, count: int, g: torch.Generator) -> Tensor:
    """Line 5 of Algorithm 1 read as sampling *with* replacement: features repeat in an image."""
    allowed = data.draw_features(count, g)
    chosen = torch.randint(data.P, (count, data.P), generator=g)
    return data.noisy(allowed.gather(1, chosen), g)


def replaced_patches(P: int, c4: float) -> int:
    """The number of replaced patches NRP = int(c4 P + 2) (Appendix G.2.1)."""
    return int(c4 * P + 2)
