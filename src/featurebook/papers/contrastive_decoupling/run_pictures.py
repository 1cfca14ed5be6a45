"""Figures of trained networks and of scans over sizes."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from torch import Tensor

from featurebook import figures

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
