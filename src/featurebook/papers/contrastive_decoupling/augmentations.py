"""Images and their random views: coloured digits, crops, colour distortions."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling.photographs import GREY

Augment = Callable[[torch.Generator, Tensor], Tensor]
"""Images (B, C, h, w) to one random view of each."""


def coloured(digits: Tensor, seed: int, size: int = 16) -> Tensor:
    """Digits (n, 1, h, w) as strokes of one random colour on another with a random gradient.

    Returns (n, 3, size, size) between 0 and 1. The two colours differ in luminance by at least 0.5
    with random sign, so that neither colour nor polarity says anything of the digit.
    """
    g, n = generator(seed, "colours"), len(digits)
    ink = F.interpolate(digits, (size, size), mode="bilinear", antialias=True)
    background, stroke = (torch.rand(n, 3, generator=g) for _ in range(2))
    gap = ((stroke - background) @ GREY)[:, None]
    wanted = torch.where(gap < 0, -1.0, 1.0) * gap.abs().clamp_min(0.5)
    stroke = stroke + wanted - gap
    slopes = 1.2 * torch.rand(n, 3, 2, generator=g) - 0.6
    axis = torch.linspace(-0.5, 0.5, size)
    tilt = slopes[..., :1, None] * axis[:, None] + slopes[..., 1:, None] * axis
    scene = background[..., None, None] + tilt
    image = scene + ink * (stroke[..., None, None] - scene)
    return (image + 0.03 * torch.randn(image.shape, generator=g)).clamp(0, 1)


def random_crop(g: torch.Generator, x: Tensor, least_area: float = 0.35) -> Tensor:
    """Crop a random square of relative area U[least_area, 1] at a random place; resize."""
    n = len(x)
    scale = (least_area + (1 - least_area) * torch.rand(n, generator=g)).sqrt()
    shift = (2 * torch.rand(n, 2, generator=g) - 1) * (1 - scale[:, None])
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = scale
    theta[:, :, 2] = shift
    grid = F.affine_grid(theta, list(x.shape), align_corners=False)
    return F.grid_sample(x, grid, padding_mode="reflection", align_corners=False)


def colour_distortion(g: torch.Generator, x: Tensor) -> Tensor:
    """Random mixing of the channels, gain, shift, inversion (1 in 2), greyscale (3 in 10)."""
    n = len(x)
    mix = torch.eye(3) + 0.8 * (torch.rand(n, 3, 3, generator=g) - 0.5)
    gain = 0.6 + 0.8 * torch.rand(n, 1, 1, generator=g)
    sign = torch.where(torch.rand(n, 1, 1, generator=g) < 0.5, -1.0, 1.0)
    grey = torch.rand(n, generator=g) < 0.3
    mix = torch.where(grey[:, None, None], GREY.expand(n, 3, 3), mix)
    shift = 0.25 * (2 * torch.rand(n, 3, 1, 1, generator=g) - 1)
    y = torch.einsum("nij,njhw->nihw", sign * gain * mix, x - 0.5)
    return (y + shift + 0.5).clamp(0, 1)


def jitter(g: torch.Generator, x: Tensor) -> Tensor:
    """The usual colour distortion of natural images, as the paper names it: jitter, greyscale.

    Brightness, contrast and saturation times U[0.6, 1.4], a turn of the hue by at most a tenth of
    the circle, grey with probability 0.2. Unlike `colour_distortion` it keeps the polarity.
    """
    n = len(x)
    brightness, contrast, saturation = 0.6 + 0.8 * torch.rand(3, n, 1, 1, generator=g)
    turn = 0.4 * math.pi * (torch.rand(n, 1, 1, generator=g) - 0.5)
    saturation = saturation * (torch.rand(n, 1, 1, generator=g) >= 0.2)
    axis = torch.full((3, 3), 1 / 3)  # onto the grey axis; the hue turns about it
    across = torch.tensor([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / math.sqrt(3)
    turned = axis + turn.cos() * (torch.eye(3) - axis) + turn.sin() * across
    grey = GREY.expand(3, 3) @ turned
    mix = brightness * (grey + saturation * (turned - grey))
    y = torch.einsum("nij,njhw->nihw", mix, x)
    mean = torch.einsum("j,njhw->n", GREY, y)[:, None, None, None] / (x.shape[2] * x.shape[3])
    return (mean + contrast[..., None] * (y - mean)).clamp(0, 1)


def same(g: torch.Generator, x: Tensor) -> Tensor:
    """No augmentation."""
    return x


def crop_and_colour(g: torch.Generator, x: Tensor) -> Tensor:
    """`random_crop`, then `colour_distortion`."""
    return colour_distortion(g, random_crop(g, x))


def crop_and_jitter(g: torch.Generator, x: Tensor) -> Tensor:
    """`random_crop`, then `jitter`."""
    return jitter(g, random_crop(g, x))


def flip_crop_and_jitter(g: torch.Generator, x: Tensor) -> Tensor:
    """For natural images: a horizontal flip (1 in 2) before `crop_and_jitter`."""
    flip = torch.rand(len(x), generator=g) < 0.5
    return crop_and_jitter(g, torch.where(flip[:, None, None, None], x.flip(-1), x))


def mean_colour(images: Tensor) -> Tensor:
    """Mean luminance, red - green and blue - yellow of images (n, 3, h, w): (n, 3)."""
    red, green, blue = images.mean((2, 3)).T
    luminance = GREY[0] * red + GREY[1] * green + GREY[2] * blue
    return torch.stack([luminance, red - green, blue - (red + green) / 2], 1)


def saturation(images: Tensor) -> Tensor:
    """Mean over the pixels of (largest - smallest channel), (n,), of images (n, 3, h, w)."""
    return (images.amax(1) - images.amin(1)).mean((1, 2))
