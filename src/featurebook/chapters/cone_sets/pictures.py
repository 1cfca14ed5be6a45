"""Real images as arrays of patches, and kernels as pictures (Figure 5)."""

import torch
from torch import Tensor

from featurebook.images import Images


def digit_patches(source: Images, count: int, g: torch.Generator) -> Tensor:
    """Images of ten patches, a unit digit of each class in random order; (count, 10, pixels)."""
    by_class = [source.pixels[source.labels == k].flatten(1) for k in range(10)]
    rows = torch.stack([x[torch.randint(len(x), (count,), generator=g)] for x in by_class], 1)
    order = torch.rand(count, 10, generator=g).argsort(1)
    rows = rows.gather(1, order[:, :, None].expand_as(rows))
    return rows / rows.norm(dim=2, keepdim=True)


def colour_patches(source: Images, count: int, g: torch.Generator) -> Tensor:
    """The sixteen 8x8x3 blocks of a picture, less their mean, at unit norm; (count, 16, 192)."""
    chosen = source.pixels[torch.randperm(len(source), generator=g)[:count]]
    blocks = chosen.unfold(2, 8, 8).unfold(3, 8, 8).permute(0, 2, 3, 1, 4, 5).reshape(-1, 16, 192)
    blocks = blocks - blocks.mean(2, keepdim=True)
    return blocks / blocks.norm(dim=2, keepdim=True).clamp(min=1e-3)


def mosaic(w: Tensor, shape: tuple[int, int, int]) -> Tensor:
    """24 kernels (24, channels · height · width) as one picture, 4 rows by 6, with a margin.

    Each is scaled to its own range.
    """
    channels, height, width = shape
    x = w.reshape(24, channels, height, width)
    low, high = x.amin((1, 2, 3), keepdim=True), x.amax((1, 2, 3), keepdim=True)
    x = torch.nn.functional.pad((x - low) / (high - low), (1, 1, 1, 1), value=1.0)
    x = x.reshape(4, 6, channels, height + 2, width + 2)
    return x.permute(0, 3, 1, 4, 2).reshape(4 * (height + 2), 6 * (width + 2), channels)


def roughness(w: Tensor, shape: tuple[int, int, int]) -> Tensor:
    """Squared differences of neighbouring pixels over twice the squared norm, mean of both axes.

    Near 1 for noise, near 0 for a smooth picture, whatever the kernel's size.

    Args:
        w: kernels (..., channels · height · width).

    Returns:
        (...).
    """
    x = w.unflatten(-1, shape)
    x = x - x.mean((-3, -2, -1), keepdim=True)
    energy = x.square().mean((-3, -2, -1))
    across, down = (x.diff(dim=k).square().mean((-3, -2, -1)) for k in (-1, -2))
    return (across + down) / (4 * energy)
