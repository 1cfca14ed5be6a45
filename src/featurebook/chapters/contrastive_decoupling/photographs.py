"""The paper's own network on patches of photographs: whitened patches as the data x."""

import torch
from torch import Tensor

from featurebook.chapters.contrastive_decoupling.model import random_mask
from featurebook.core import generator
from featurebook.core.batches import Draw

GREY = torch.tensor([0.3, 0.59, 0.11])


def bundled_photographs() -> list[Tensor]:
    """The two photographs that scikit-learn ships, each (3, 427, 640), between 0 and 1."""
    from sklearn.datasets import load_sample_images

    return [
        torch.from_numpy(image.copy()).permute(2, 0, 1).to(torch.float32) / 255
        for image in load_sample_images().images
    ]


def grey(image: Tensor) -> Tensor:
    """Luminance (1, h, w) of a colour image (3, h, w)."""
    return (GREY[:, None, None] * image).sum(0, keepdim=True)


def random_patches(images: list[Tensor], size: int, n: int, seed: int) -> Tensor:
    """n patches (n, channels * size * size), the same number from each image, at random places.

    Raises:
        ValueError: if an image is smaller than a patch.
    """
    g, found = generator(seed, "patches"), []
    for image in images:
        c, h, w = image.shape
        if min(h, w) < size:
            raise ValueError(f"patches of {size} pixels do not fit into an image of {h} x {w}")
        k = n // len(images)
        top = torch.randint(0, h - size + 1, (k,), generator=g)
        left = torch.randint(0, w - size + 1, (k,), generator=g)
        offset = torch.arange(size)
        rows, columns = top[:, None, None] + offset[:, None], left[:, None, None] + offset
        found.append(image[:, rows, columns].transpose(0, 1).reshape(k, c * size * size))
    return torch.cat(found)


def contrasted(patches: Tensor, least: float = 0.02) -> Tensor:
    """Patches without their mean, those with standard deviation above ``least`` only."""
    centred = patches - patches.mean(1, keepdim=True)
    return centred[centred.std(1) > least]


def whitened(patches: Tensor, floor: float = 1e-4, ridge: float = 1e-3) -> Tensor:
    """ZCA: covariance I but for directions of variance below ``floor`` times the largest, removed.

    ``ridge`` times the largest variance is added to every variance before division.
    """
    x = patches.double()
    values, vectors = torch.linalg.eigh(x.T @ x / len(x))
    kept = values > floor * values[-1]
    scale = torch.where(kept, (values.clamp_min(0) + ridge * values[-1]).rsqrt(), 0.0)
    return (x @ vectors * scale @ vectors.T).to(patches.dtype)


def normalised(patches: Tensor, half: float = 0.5) -> Tensor:
    """Unit root mean square over all, then each patch divided by (its own + ``half``)."""
    x = patches / patches.square().mean().sqrt()
    return x / (x.square().mean(1, keepdim=True).sqrt() + half)


def draw_patches_masked(patches: Tensor, K: int, N: int) -> Draw:
    """Batches as `model.draw_masked` gives them, from patches (n, d_1) with replacement."""

    def draw(g: torch.Generator, count: int) -> tuple[tuple[Tensor, Tensor], Tensor]:
        x = patches[torch.randint(0, len(patches), (count, K), generator=g)]
        negatives = patches[torch.randint(0, len(patches), (count, N), generator=g)]
        return (x, random_mask(g, *x.shape)), negatives

    return draw


def draw_patches_plain(patches: Tensor, K: int, N: int) -> Draw:
    """Batches as `model.draw_plain` gives them, from patches (n, d_1) with replacement."""

    def draw(g: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
        return (
            patches[torch.randint(0, len(patches), (count, K), generator=g)],
            patches[torch.randint(0, len(patches), (count, N), generator=g)],
        )

    return draw


def excess_kurtosis(W: Tensor, patches: Tensor) -> Tensor:
    """Excess kurtosis (m,) of the responses of the filters W (m, d_1): 0 for Gaussian responses."""
    u = (patches @ W.T).double()
    u = u - u.mean(0)
    return u.pow(4).mean(0) / u.square().mean(0).square() - 3
