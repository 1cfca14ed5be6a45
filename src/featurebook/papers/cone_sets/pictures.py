"""Real images as arrays of patches, kernels as pictures (Figure 5), and frames of sliders."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from featurebook import figures
from featurebook.figures import JUDGED
from featurebook.images import Images
from featurebook.papers.cone_sets import cones, theory


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


def filtering(d: int, rho: float) -> Figure:
    """What Theorem 3 says of a kernel that has cosine ``rho`` = 1 - θ with its feature.

    The exact tail of its response to a random unit patch, over its norm; the level of the theorem
    with the failure that it allows; and the response to the feature itself.
    """
    level = float(theory.filtering_level(d, 1 - rho))
    says = "says nothing" if level >= 1 else "is not enough" if level >= rho else "suffices"
    digit, power = f"{float(theory.sphere_tail(d, rho)):.0e}".split("e")
    beats = rf"${digit}\cdot10^{{{int(power)}}}$"
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.6))
    x = np.linspace(0, 0.99, 100)
    ax.semilogy(x, theory.sphere_tail(d, x), color=JUDGED["exact"])
    ax.axvline(rho, color="C2")
    ax.axvline(min(level, 1.22), color=JUDGED["printed"], ls="--")
    allowed = float(theory.filtering_failure(1 - rho))
    ax.plot([min(level, 1.22)], [allowed], **figures.PAPER)
    for place, name, tone, side in (
        (rho, f"feature {rho:g}", "C2", "left" if level < rho else "right"),
        (level, f"level {level:.2f}", JUDGED["printed"], "left" if rho <= level < 1.1 else "right"),
    ):
        look: dict[str, Any] = {"ha": side, "color": tone, "fontsize": "small"}
        ax.text(min(place, 1.22), 1.02, f" {name} ", transform=ax.get_xaxis_transform(), **look)
    ax.text(0.02, 3e-2, "a random patch\nexceeds it", fontsize="small", va="top")
    ax.set(xlim=(0, 1.3), ylim=(1e-12, 1), xlabel="response over the kernel's norm")
    ax.set_ylabel("probability")
    ax.set_title(f"the theorem {says}; exactly {beats} beat the feature\n", fontsize="small")
    return fig


def leaving(cone: cones.Cone, own: Tensor, a: float, normal: int) -> Figure:
    """Planted kernels over their cone's height along the training, with step sizes a/t.

    Args:
        own: ⟨w_k, v_k⟩ of kernels planted in the cones, (T, R, d).
        normal: how many of the features, the first, are normal.
    """
    t = np.arange(1, len(own) + 1)
    height = t * cone.sigma0 * cone.c1 * cone.f_h
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.4))
    ax.axhspan(0.01, 1, color="0.93", zorder=0)
    ax.text(1.1, 0.025, "below the cone", fontsize="small")
    when = []
    parts = {"normal": (own[..., :normal], "C1", "-"), "auxiliary": (own[..., normal:], "C2", "-.")}
    for kind, (some, colour, ls) in parts.items():
        ratio = some.flatten(1).numpy() / height[:, None]
        out = (ratio < 1).any(0)
        first = (ratio < 1).argmax(0)[out] + 1
        span = " to ".join(str(x) for x in sorted({first.min(), first.max()})) if out.any() else ""
        when.append(f"{kind} at {span}" if out.all() else f"{kind} not all")
        figures.band(ax, t, ratio, label=kind, centre="median", color=colour, ls=ls)
    ax.set(
        xscale="log",
        yscale="log",
        xlabel="step $t$",
        ylabel="component / height of the cone",
        ylim=(0.02, 4),
    )
    ax.set_title(f"a = {a:g}: first below, " + ", ".join(when), fontsize="small")
    figures.label_lines(ax)
    return fig
