"""Figures of the chapters on theorems, from the results of experiments: bounds beside the truth."""

import math
from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from torch import Tensor

from featurebook import figures

LIMITS = figures.colours("Network", "NTK", "RF", "first", "second")
"""The colours of the chapter on the main theorem and on fixed features."""


def subset_norms(norms: Mapping[int, Tensor], count: int, D: int) -> Figure:
    """Histograms of |Ψ̂(A)| over all A, by k = |A|, with Parseval's bound and the printed one.

    Args:
        count: number of features, N.
    """
    fig, axes = plt.subplots(2, 1, sharex=True, figsize=(figures.NARROW, 4))
    for ax, (k, x), key in zip(axes, norms.items(), ("first", "second"), strict=True):
        bins = np.geomspace(1e-4, 10, 80)
        ax.hist(x, bins=bins, histtype="stepfilled", color=LIMITS[key], alpha=0.6)
        parseval, printed = math.sqrt(count / math.comb(D, k)), math.sqrt(2 * count) / 2**k
        ends = ((parseval, "Parseval ", "-", "right"), (printed, " printed", "--", "left"))
        for place, name, ls, side in ends:
            ax.axvline(place, color="black", ls=ls)
            top = ax.get_xaxis_transform()
            ax.text(place, 0.97, name, transform=top, ha=side, va="top", fontsize="small")
        ax.set(xscale="log", ylabel="subsets")
        ax.set_title(f"$k={k}$", loc="left")
    axes[1].set_xlabel(r"$\|\hat\Psi(A)\|$")
    return fig


def floor(found: pd.DataFrame) -> Figure:
    """Hinge losses of network and random features, and the sharper bound, against α.

    Args:
        found: of `tables.floor`.
    """
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.4))
    for name, marker, label in (("RF", "s", "random features"), ("Network", "o", "network")):
        ax.plot(found["α"], found[name], marker, color=LIMITS[name], label=label)
    look: dict[str, Any] = {"color": "black", "label": "sharper bound at the trained norm"}
    ax.plot(found["α"], found["sharper bound"], "_", markersize=16, **look)
    ax.plot([0, 1], [0, 1], color="grey", ls=":", label=r"floor $\alpha$")
    ax.set(xlabel=r"share of uniform parity, $\alpha$", ylabel="hinge loss")
    ax.legend(loc="upper left")
    return fig
