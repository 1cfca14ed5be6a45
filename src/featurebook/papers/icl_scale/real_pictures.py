"""Figures of language models: the published curves, and what a real model does."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from featurebook import figures
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts.chance import mean_interval

PARTS = ("first token", "relevant", "irrelevant")


def published(table: pd.DataFrame) -> Figure:
    """Accuracies of one figure of the thesis: a panel for each data set, and their average.

    Args:
        table: percent, rows (billions, dataset), columns of flip rates in percent.
    """
    names = table.index.unique("dataset")
    by_data = {name: pd.DataFrame(table.xs(name, level="dataset")) for name in names}
    panels = by_data | {"average": table.groupby("billions").mean()}
    fig, axes = plt.subplots(3, 2, figsize=(figures.NARROW, 6.6), sharex=True, sharey=True)
    for ax, (name, part) in zip(axes.flat, panels.items(), strict=True):
        _sizes(ax, part)
        ax.set(title=name, ylim=(0, 100))
    for ax in axes[-1]:
        ax.set(xlabel="flipped labels, %", xticks=list(table.columns))
    for ax in axes[:, 0]:
        ax.set_ylabel("accuracy, %")
    fig.legend(*axes[0, 0].get_legend_handles_labels(), ncols=4, loc="outside lower center")
    return fig


def _sizes(ax: Axes, part: pd.DataFrame) -> None:
    """One line for each size, and one for guessing."""
    for (name, look), (_, row) in zip(
        figures.styles(*(f"{b} B" for b in part.index)).items(), part.iterrows(), strict=True
    ):
        ax.plot(list(part.columns), row, label=name, ms=4, **look)
    ax.axhline(50, color="0.6", lw=0.8)


def flips(table: pd.DataFrame, rates: Sequence[float], found: Array, name: str) -> Figure:
    """Accuracies of a real model, (contexts, rates), beside published ones by size."""
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.8))
    _sizes(ax, table)
    middle, low, high = 100 * np.array([mean_interval(x, within=(0, 1)) for x in found.T]).T
    error = np.abs([middle - low, high - middle])
    ax.errorbar(
        100 * np.array(rates), middle, error, color="black", marker="D", ms=6, lw=2, capsize=3,
        label=name, zorder=5,
    )  # fmt: skip
    ax.set(xlabel="flipped labels, %", ylabel="accuracy, %", ylim=(0, 102))
    ax.set_xticks(list(table.columns))
    ax.legend(loc="lower left")
    return fig


def attention(rows: Array) -> Figure:
    """Norms of last rows, (orders, prompts, labels, parts): a panel for each order."""
    fig, axes = plt.subplots(1, 2, figsize=(figures.NARROW, 3.3), sharey=True)
    marks = {"right label": ("o", "none"), "wrong label": ("x", None)}
    for ax, norms, first in zip(axes, rows, ("relevant", "irrelevant"), strict=True):
        for k, (label, (mark, face)) in enumerate(marks.items()):
            place = np.arange(3) + (k - 0.5) * 0.3
            for j, (x, colour) in enumerate(zip(place, figures.colours(*PARTS).values(),
                                                strict=True)):  # fmt: skip
                y = norms[:, k, j]
                ax.plot(np.full(len(y), x), y, mark, mfc=face, color=colour, ms=4)
            ax.plot([], [], mark, mfc=face, color="0.3", label=label)
        ax.set(title=f"{first} first", xticks=range(3), ylim=(0, None))
        ax.set_xticklabels([p.replace(" ", "\n") for p in PARTS])
    axes[0].set_ylabel("norm of the last row")
    fig.legend(*axes[0].get_legend_handles_labels(), ncols=2, loc="outside lower center")
    return fig


def ranks(directions: Array, most: int, whole: Array, cut: Mapping[int, Array]) -> Figure:
    """Directions of each head by layer, (layers, heads), and accuracies of cut models.

    Args:
        most: the largest rank that a head can have.
        whole: accuracies of the model as it is at the least and largest flip rate, (contexts, 2).
        cut: the same for models cut to a rank.
    """
    fig, (above, below) = plt.subplots(2, 1, figsize=(figures.NARROW, 5.4))
    layers = np.arange(1, len(directions) + 1)
    above.plot(layers, directions, "o", ms=3, color="0.55")
    above.plot(layers, directions.mean(1), "-", color="black", label="mean over heads")
    above.axhline(most, color="0.5", lw=0.8, ls="--", label="most possible")
    above.set(xlabel="layer", ylabel="directions with\n90 % of the energy", ylim=(0, 1.08 * most))
    above.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    every = {**cut, most: whole}
    order = sorted(every)
    looks = figures.styles("no flips", "all flipped")
    for k, (name, look) in enumerate(looks.items()):
        below.plot(order, [100 * every[r][:, k].mean() for r in order], label=name, **look)
    below.axhline(50, color="0.6", lw=0.8)
    below.set(xlabel="rank of each head", ylabel="accuracy, %", ylim=(0, 102), xticks=order)
    below.legend(loc="lower right")
    return fig
