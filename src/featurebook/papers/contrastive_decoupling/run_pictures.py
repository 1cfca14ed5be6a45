"""Figures of trained networks and of scans over sizes."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor

from featurebook import figures
from featurebook.papers.contrastive_decoupling import photographs
from featurebook.papers.contrastive_decoupling.pictures import WIDTH

COLOUR = figures.colours("mask", "plain", "signal", "noise", "theory")
"""Of the part's concepts."""


def batches(excess: Tensor, sizes: Sequence[int]) -> Figure:
    """Excess noise-to-signal odds (seeds, sizes) against the batch, and the slope -1."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH * 0.7, 3))
    ax.plot(sizes, excess.T, "o", color=COLOUR["noise"], ms=4)
    middle = excess.mean(0)
    ax.plot(sizes, middle, color=COLOUR["noise"], label="excess odds")
    guide = float(middle[0]) * sizes[0] / np.array(sizes)
    ax.plot(sizes, guide, "--", color="0.4", label="slope -1")
    ax.set(xscale="log", yscale="log", xlabel="batch $K$", ylabel="excess of $(1-s)/s$")
    ax.set_xticks(sizes, [str(k) for k in sizes])
    ax.set_yticks([0.05, 0.1, 0.2, 0.5, 1], ["0.05", "0.1", "0.2", "0.5", "1"])
    ax.minorticks_off()
    figures.label_lines(ax)
    return fig


def example(
    x: NDArray[np.float64], seen: NDArray[np.float64], active: NDArray[np.bool_],
    sign: NDArray[np.float64],
) -> Figure:  # fmt: skip
    """An example (d_1,) as a square, along the atoms (d,), and its two views."""
    side = 2 ** (int(math.log2(len(x))) // 2)
    views = [np.where(s * sign > 0, x, np.nan).reshape(-1, side) for s in (1, -1)]
    fig, axes = plt.subplots(2, 2, figsize=(WIDTH, 4.7))
    cmap = plt.get_cmap("vlag").with_extremes(bad="0.6")
    for ax, picture in zip(axes.flat[[0, 2, 3]], [x.reshape(-1, side), *views], strict=True):
        ax.imshow(picture, cmap=cmap, vmin=-0.8, vmax=0.8, rasterized=True)
        ax.set(xticks=[], yticks=[])
    axes[0, 1].stem(seen, linefmt="0.7", markerfmt=" ", basefmt=" ")
    axes[0, 1].plot(np.flatnonzero(active), seen[active], "o", color=COLOUR["signal"])
    axes[0, 1].set(xlabel="atom $j$", ylabel=r"$\langle x,\mathbf{M}_j\rangle$")
    titles = ["(a) example $x$", "(b) along the atoms", "(c) $x^+/2$", "(d) $x^{++}/2$"]
    for ax, title in zip(axes.flat, titles, strict=True):
        ax.set_title(title, loc="left")
    return fig


def filters(weights: Mapping[str, Tensor], kurtoses: pd.DataFrame) -> Figure:
    """The neurons of the first network of four panels as images, (seeds, m, size²)."""
    fig, axes = plt.subplots(2, 2, figsize=(WIDTH, 4.7))
    for ax, (name, W) in zip(axes.flat, weights.items(), strict=False):
        ax.imshow(photographs.sheet(W[0], 1), cmap="gray", vmin=0, vmax=1, rasterized=True)
        ax.set(title=f"{name}\nkurtosis {kurtoses[name].mean():.1f}", xticks=[], yticks=[])
    return fig


def colour_filters(
    weights: Mapping[str, Mapping[str, Tensor]], kurtoses: Mapping[str, pd.DataFrame],
    names: Sequence[str],
) -> Figure:  # fmt: skip
    """The same in colour for two panels of each source, sorted by their share of colour."""
    shown = [(source, name) for source in weights for name in names]
    size = (WIDTH, min(3.1, WIDTH / len(shown) + 0.7))
    fig, axes = plt.subplots(1, len(shown), figsize=size)
    for ax, (source, name) in zip(axes.flat, shown, strict=True):
        W = weights[source][name][0]
        first = W[: math.isqrt(min(len(W), 49)) ** 2]
        in_order = first[photographs.chroma_share(first).argsort()]
        ax.imshow(photographs.sheet(in_order, 3), rasterized=True)
        title = f"{source}\n{name}\nkurtosis {kurtoses[source][name].mean():.1f}"
        ax.set(title=title, xticks=[], yticks=[])
    return fig
