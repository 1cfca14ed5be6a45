"""Figures of the chapters on theorems, from the results of experiments: bounds beside the truth."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from torch import Tensor

from featurebook import figures
from featurebook.papers.feature_emergence import data, exact, pictures

LIMITS = figures.colours("Network", "NTK", "RF", "first", "second")
"""The colours of the chapter on the main theorem and on fixed features."""
STEPS = figures.colours("first", "second", "third", "exact")
"""Those of the chapter on the first two steps."""


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


def good_network(k: int) -> Figure:
    """The perfect network for the parity of k patterns as a function of the count, and labels."""
    star = exact.good_network(k, data.odd(k), k / 2, 5.0)
    fine = np.linspace(-0.5, k + 0.5, 601)
    fig, ax = plt.subplots(figsize=(figures.NARROW, 2.8))
    ax.plot(fine, star((fine - k / 2) / 5.0), color=STEPS["exact"])
    ax.plot(range(k + 1), [1.0 if s % 2 else -1.0 for s in range(k + 1)], "o", color="black")
    ax.set(xlabel="count $s$", ylabel="$g^*$")
    return fig


def first_gradient(found: Mapping[str, np.ndarray], sizes: Sequence[int], signal: float) -> Figure:
    """Deviations of the first gradient (seeds, sizes) against D, with the bound and γ."""
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.8))
    lines = {
        "relevant": ("first", "o", r"relevant, $j\in A$"),
        "background": ("second", "s", r"background, $j\notin A$"),
        "bias": ("third", "^", "bias"),
    }
    for name, (key, marker, label) in lines.items():
        look = {"color": STEPS[key], "marker": marker, "label": label}
        pictures.spread(ax, sizes, found[name].T, **look)
    ax.plot(sizes, found["epsilon_e"][0], color="black", ls="--", label=r"bound $\epsilon_e$")
    level = np.full(len(sizes), signal)
    ax.plot(sizes, level, color="grey", ls=":", label=r"signal $\gamma$")
    ax.set(yscale="log", xlabel="$D$", ylabel="deviation")
    pictures.marked(ax, sizes)
    figures.label_lines(ax)
    return fig


def second_gradient(
    found: Mapping[str, Sequence[Mapping[str, Sequence[float]]]], etas: np.ndarray
) -> Figure:
    """Largest background component over the relevant one after both steps, against η⁽¹⁾.

    Args:
        found: by distribution, for each seed "step 1" and "ratio", (etas,).
    """
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.4))
    for (name, runs), key, marker in zip(found.items(), ("first", "second"), "os", strict=True):
        for column, step, ls in (("step 1", 1, ":"), ("ratio", 2, "-")):
            value = np.stack([run[column] for run in runs], axis=1)
            look: dict[str, Any] = {"color": STEPS[key], "marker": marker, "ls": ls}
            label = f"{name}, step {step}"
            figures.band(ax, etas, value, label=label, centre="median", **look)
    ax.loglog()
    ax.set(xlabel=r"$\eta^{(1)}$", ylabel=r"$\max_{j\notin A}|T_j|/T_A$")
    figures.label_lines(ax)
    return fig
