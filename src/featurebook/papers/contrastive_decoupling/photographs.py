"""The paper's own network on patches of photographs: whitened patches as the data x."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from featurebook.core import Run, generator
from featurebook.core.batches import Draw
from featurebook.core.spectra import eigh
from featurebook.papers.contrastive_decoupling import encoders, model
from featurebook.papers.contrastive_decoupling.model import random_mask

GREY = torch.tensor([0.3, 0.59, 0.11])
"""Weights of red, green and blue in the luminance."""


def bundled_photographs() -> Tensor:
    """The two photographs that scikit-learn ships, (2, 3, 427, 640), between 0 and 1."""
    from sklearn.datasets import load_sample_images

    pixels = [torch.from_numpy(image.copy()) for image in load_sample_images().images]
    return torch.stack(pixels).permute(0, 3, 1, 2).to(torch.float32) / 255


def grey(images: Tensor) -> Tensor:
    """Luminance (n, 1, h, w) of colour images (n, 3, h, w)."""
    return (GREY[:, None, None] * images).sum(1, keepdim=True)


def random_patches(images: Tensor, size: int, n: int, seed: int) -> Tensor:
    """n patches (n, channels, size, size), the images (k, channels, h, w) in turn, random places.

    Raises:
        ValueError: if an image is smaller than a patch.
    """
    k, _, h, w = images.shape
    if min(h, w) < size:
        raise ValueError(f"patches of {size} pixels do not fit into an image of {h} x {w}")
    g, offset = generator(seed, "patches"), torch.arange(size)
    rows = torch.randint(0, h - size + 1, (n, 1, 1), generator=g) + offset[:, None]
    columns = torch.randint(0, w - size + 1, (n, 1, 1), generator=g) + offset
    return images[torch.arange(n)[:, None, None] % k, :, rows, columns].permute(0, 3, 1, 2)


def contrasted(patches: Tensor, least: float = 0.02) -> Tensor:
    """Patches as rows (n, d_1) less their mean, those of standard deviation above ``least``."""
    flat = patches.flatten(1)
    centred = flat - flat.mean(1, keepdim=True)
    return centred[centred.std(1) > least]


def whitened(patches: Tensor, floor: float = 1e-4, ridge: float = 1e-3) -> Tensor:
    """ZCA: covariance I but for directions of variance below ``floor`` times the largest, removed.

    ``ridge`` times the largest variance is added to every variance before division.
    """
    x = patches.double()
    values, vectors = eigh(x.T @ x / len(x))
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


def chroma_share(W: Tensor) -> Tensor:
    """Share (m,) of the filters W (m, 3 s²) that is colour: what is left beside their grey part."""
    colours = W.view(len(W), 3, -1)
    grey_part = colours.mean(1, keepdim=True).expand_as(colours)
    return 1 - grey_part.square().sum((1, 2)) / colours.square().sum((1, 2))


def excess_kurtosis(W: Tensor, patches: Tensor) -> Tensor:
    """Excess kurtosis (m,) of the responses of the filters W (m, d_1): 0 for Gaussian responses."""
    u = (patches @ W.T).double()
    u = u - u.mean(0)
    return u.pow(4).mean(0) / u.square().mean(0).square() - 3


def sheet(W: Tensor, channels: int) -> Tensor:
    """The first filters of W (m, channels s²) as one image (h, w, channels), each to full scale."""
    side, columns = math.isqrt(W.shape[1] // channels), math.isqrt(min(len(W), 49))
    W = W[: columns**2] / W[: columns**2].abs().amax(1, keepdim=True)
    tiles = W.view(-1, channels, side, side) / 2 + 0.5
    tiles = torch.nn.functional.pad(tiles, (0, 1, 0, 1), value=1.0)
    tiles = tiles.view(columns, columns, channels, side + 1, side + 1)
    return tiles.permute(0, 3, 1, 4, 2).reshape(columns * (side + 1), -1, channels)


def prepared(pixels: Tensor, size: int, n: int, seed: int) -> Tensor:
    """Contrasted, whitened, normalised patches as rows, of images (k, channels, h, w)."""
    return normalised(whitened(contrasted(random_patches(pixels, size, n, seed))))


def see(patches: Tensor, way: str, recipe: model.Recipe, K: int, N: int, **shape: Any) -> Run:
    """Train neurons on patches (n, d_1), "mask" or "plain"; ``shape``: m, seeds, device."""
    source = draw_patches_masked if way == "mask" else draw_patches_plain
    views = model.masked_views if way == "mask" else model.plain_views
    more: dict[str, Any] = {"d1": patches.shape[1], "observe_at": [recipe.steps], "label": way}
    return encoders.train_encoder(source(patches, K, N), views, recipe, **more, **shape)


def kurtoses(weights: Mapping[str, Tensor], patches: Tensor) -> pd.DataFrame:
    """Mean excess kurtosis of the responses of weights (R, m, d_1): rows seeds, columns names."""
    return pd.DataFrame(
        {n: [float(excess_kurtosis(W, patches).mean()) for W in Ws] for n, Ws in weights.items()}
    )
