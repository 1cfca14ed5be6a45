"""Real images as arrays of patches, kernels as pictures (Figure 5), and frames of sliders."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, figures
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


def heat_maps(times: Sequence[int], grown: Mapping[int, Mapping[str, NDArray[Any]]]) -> Figure:
    """Cosine with the nearest feature, and ten times the norm, of the first run's kernels.

    Args:
        times: steps, the rows.
        grown: for each P cosine and norm, (T, R, C).
    """
    fig, axes = plt.subplots(
        len(grown), 2, sharey=True, figsize=(figures.NARROW, 2.6 * len(grown) + 0.5), squeeze=False
    )
    names = {"cosine": "cosine with the\nnearest feature", "norm": "norm × 10"}
    ticks = [t for t in (0, 10, 100, 1000, 10_000) if t <= times[-1]]
    heights = np.interp(ticks, times, np.arange(len(times))) + 0.5
    for row, (P, x) in zip(axes, grown.items(), strict=True):
        for ax, (name, title) in zip(row, names.items(), strict=True):
            picture = x[name][:, 0] * (10 if name == "norm" else 1)
            edges = np.arange(picture.shape[1] + 1), np.arange(len(times) + 1)
            fig.colorbar(ax.pcolormesh(*edges, picture, rasterized=True), ax=ax)
            ax.set(xlabel="kernel $j$", title=title, ylim=(len(times), 0))
        row[0].set_yticks(heights, ticks)
        row[0].set_ylabel(f"step $t$, $P = {P}$")
    return fig


def framed_digits(digits: Images, seed: int) -> Figure:
    """A one, the same with a patch of noise, and a seven, with two patches framed in each."""
    side = digits.pixels.shape[-1]
    ones, sevens = (digits.pixels[digits.labels == k, 0] for k in (1, 7))
    box = side // 4
    places = [(side // 8, side // 2 - box // 2), (5 * side // 8, side // 2 - box // 2)]
    noisy = ones[0].clone()
    y0, x0 = places[0]
    noise = torch.rand(box, box, generator=core.generator(seed, "noise patch"))
    noisy[y0 : y0 + box, x0 : x0 + box] = noise
    shown = {"normal": ones[0], "non-semantic": noisy, "semantic": sevens[0]}
    fig, axes = plt.subplots(1, 3, figsize=(figures.NARROW, 2.2))
    for ax, (title, picture) in zip(axes, shown.items(), strict=True):
        ax.imshow(picture, cmap="gray_r")
        for y0, x0 in places:
            frame: dict[str, Any] = {"fill": False, "color": "crimson", "lw": 1.5}
            ax.add_patch(Rectangle((x0 - 0.5, y0 - 0.5), box, box, **frame))
        ax.set(title=title, xticks=[], yticks=[])
    fig.supxlabel(digits.source, fontsize="small")
    return fig


def kernels_over_epochs(
    kernels: Mapping[str, Tensor], epochs: Sequence[int],
    shapes: Mapping[str, tuple[int, int, int]], sources: Mapping[str, Images],
) -> Figure:  # fmt: skip
    """The kernels (epochs, R, 24, pixels) of the first run at each epoch, a row for each source."""
    fig, axes = plt.subplots(
        len(kernels), 3, figsize=(figures.NARROW, 1.6 * len(kernels)), squeeze=False
    )
    for row, (name, w) in zip(axes, kernels.items(), strict=True):
        for ax, epoch, some in zip(row, epochs, w[:, 0], strict=True):
            ax.imshow(mosaic(some, shapes[name]).squeeze(-1), cmap="gray")
            ax.set(xticks=[], yticks=[])
            ax.set_title(f"{name}, epoch {epoch}", fontsize="small")
    fig.supxlabel("; ".join(x.source for x in sources.values()), fontsize="small")
    return fig


def three_kinds(images: Mapping[str, Tensor], n_normal: int) -> Figure:
    """One image of each kind, (P, d): rows are patches, columns components along features."""
    kinds = ("normal", "semantic", "non-semantic")
    fig, axes = plt.subplots(1, 3, sharey=True, figsize=(figures.NARROW, 2.7))
    for ax, kind in zip(axes, kinds, strict=True):
        shown = ax.imshow(images[kind], cmap="vlag", vmin=-1, vmax=1, rasterized=True)
        ax.axvline(n_normal - 0.5, color="crimson", lw=1)
        ax.set(title=kind, xlabel="feature $k$")
    axes[0].set_ylabel("patch $i$")
    label = r"$\langle \mathbf{x}_i, \mathbf{v}_k\rangle$"
    fig.colorbar(shown, ax=axes, label=label, location="bottom", shrink=0.6, aspect=30)
    return fig


def sharpening(cone: cones.Cone, walk: Tensor, steps: Sequence[int] = (1, 5, 20)) -> Figure:
    """A cone in three dimensions at some steps, and two kernels in it; lengths are over t.

    Args:
        cone: with σ0 = 1 for its unit of length.
        walk: kernels at t = 1, 2, ..., over σ0; (T, 2, 3).
    """
    colour = figures.colours("NE", "normal", "auxiliary", "cone")
    fig, axes = plt.subplots(1, 3, figsize=(figures.NARROW, 2.5), subplot_kw={"projection": "3d"})
    angle, level = np.meshgrid(np.linspace(0, 2 * np.pi, 60), np.linspace(0, 1, 2))
    for ax, t in zip(axes, steps, strict=True):
        height, radius = cone.c1 * cone.f_h, float(cone.f_r(t))
        top = 1.25 * height
        around, across = radius * np.cos(angle), radius * np.sin(angle)
        skin: dict[str, Any] = {"alpha": 0.3, "linewidth": 0, "antialiased": True}
        side = (level * around, level * across, top * level)
        ax.plot_surface(*side, rasterized=True, color=colour["cone"], **skin)
        ax.plot(around[0], across[0], top, color=colour["cone"], lw=1)
        for kernel, tone, ls in zip(walk[t - 1] / t, ("NE", "normal"), ("-", "--"), strict=True):
            ax.plot(*np.stack([np.zeros(3), kernel]).T, ls, color=colour[tone], lw=2)
            ax.plot(*kernel[:, None], "o", color=colour[tone], ms=5)
        ax.set(title=f"$t = {t}$", xlim=(-1, 1), ylim=(-1, 1), zlim=(0, 2.0))
        ax.set(xticks=[], yticks=[], zticks=[0, 1, 2])
        ax.set_xlabel("$v_1$", labelpad=-12)
        ax.set_ylabel("$v_2$", labelpad=-12)
        ax.set_zlabel("$v_3$" if t == steps[-1] else "", labelpad=0)
        ax.set_box_aspect((1, 1, 1.3))
        ax.view_init(14, -60)
    return fig
