"""Drawings that several figures of the chapter share."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from torch import Tensor

from featurebook import figures
from featurebook.core import generator
from featurebook.papers.feature_emergence import network
from featurebook.papers.feature_emergence.data import Distribution
from featurebook.papers.feature_emergence.hardness import staircase, threshold_accuracies
from featurebook.papers.feature_emergence.scaling import Places

Colours = Mapping[str, tuple[float, float, float]]
METHODS = ("Network", "NTK", "RF", "One Step", "Two Step", "One Step rescaled")
MARKERS = dict(zip(METHODS, figures.MARKERS, strict=False))
STAGES = {"initial": "initialisation", "one": "after step 1", "two": "after step 2"}


def band(ax: Axes, frame: pd.DataFrame, column: str, **line: Any) -> None:
    """Mean over seeds of ``column`` against step, and the range as a band."""
    wide = frame.pivot_table(index="step", columns="seed", values=column)
    (drawn,) = ax.plot(wide.index, wide.mean(axis=1), **line)
    low, high = wide.min(axis=1), wide.max(axis=1)
    ax.fill_between(wide.index, low, high, color=drawn.get_color(), alpha=0.15)


def spread(ax: Axes, x: Sequence[float], values: np.ndarray, **line: Any) -> None:
    """Mean over the last axis of ``values`` (len(x), seeds), with the range as bars."""
    mean = values.mean(1)
    bars = np.abs([mean - values.min(1), values.max(1) - mean])
    (drawn,) = ax.plot(x, mean, **{"marker": "o"} | line)
    ax.errorbar(x, mean, bars, fmt="none", ecolor=drawn.get_color())


def learning_curves(ax: Axes, curves: pd.DataFrame, colours: Colours) -> None:
    """Test accuracy of every method against step; dashed without structure."""
    for name, part in curves[curves.step > 0].groupby("method", sort=False):
        base = str(name).removesuffix(" w/o structure")
        style = "-" if base == name else "--"
        k = METHODS.index(base)
        look = {"marker": MARKERS[base], "ms": 5, "markevery": (0.05 + 0.04 * k, 0.22)}
        band(ax, part, "test accuracy", color=colours[base], ls=style, label=name, **look)
    ax.set_xlabel("step $t$")


def emerging(drawn: Mapping[str, tuple[Tensor, Tensor]], k: int, n: int) -> Figure:
    """The mean of y x over the first n of samples x (N, D), y (N,), a panel for each distribution.

    Bars are patterns, the ``k`` relevant ones first.
    """
    fig, axes = plt.subplots(len(drawn), 1, sharex=True, figsize=(figures.NARROW, 3.8))
    for ax, (name, (x, y)) in zip(np.ravel(axes), drawn.items(), strict=True):
        mean = (y[:n, None] * x[:n]).mean(0)
        towards = float(
            network.cosines(mean.double()[None], network.relevant_direction(len(mean), k))
        )
        edges = np.arange(len(mean) + 1) + 0.5
        ax.stairs(mean[:k], edges[: k + 1], fill=True, fc="C3", hatch="////", ec="black", lw=0.5)
        ax.stairs(mean[k:], edges[k:], fill=True, color="0.45")
        ax.axvline(k + 0.5, color="black", lw=0.8, ls=":")
        ax.axhline(0, color="black", lw=0.6)
        ax.set(ylim=(-0.085, 0.085), ylabel="mean of $yx_j$")
        ax.set_title(
            f"{name}, n = {n}: cosine {round(towards, 2) + 0.0:.2f}", loc="left", fontsize="small"
        )
    np.ravel(axes)[-1].set_xlabel(f"pattern $j$ (the first {k} are relevant)")
    return fig


def comb(g: Tensor, counts: Tensor, y: Tensor, title: str) -> Figure:
    """A network's outputs g (N,) by count s (N,) of relevant patterns, beside the labels y (N,).

    Dots are medians, bars hold the middle 80 % of the inputs of a count; a cross where the median
    has the wrong sign.
    """
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.2))
    low, middle, high, label = np.transpose([
        [*torch.quantile(g[counts == s], torch.tensor([0.1, 0.5, 0.9])).tolist(),
         float(y[counts == s].median())]
        for s in counts.unique()
    ])  # fmt: skip
    s, right = counts.unique().numpy(), middle * label > 0
    ax.plot(s, middle, color="0.6", lw=1)
    ax.vlines(s, low, high, color="C0", lw=5, alpha=0.4)
    for kind, marker, word in ((right, "o", "right sign"), (~right, "X", "wrong sign")):
        ax.plot(s[kind], middle[kind], marker, color="C0", ms=8, label=f"network, {word}")
    ax.plot(s, label, "_", color="black", ms=22, mew=2, label="label")
    ax.axhline(0, color="black", lw=0.6)
    ax.set(ylim=(-5, 5), xlabel="count $s$ of relevant patterns", ylabel="output $g$", title=title)
    fig.legend(loc="outside lower center", ncols=3, handletextpad=0.2, columnspacing=1.2)
    return fig


def student_curves(ax: Axes, mixed: pd.DataFrame, alone: pd.DataFrame, colours: Colours) -> None:
    """Students of a mixture on its parts, and of images alone, against step (logarithmic)."""
    kinds = (("images", "Network", "o"), ("Gaussians", "RF", "^"), ("mixture", "NTK", "s"))
    for column, key, marker in kinds:
        look = {"color": colours[key], "marker": marker, "ms": 5, "markevery": 0.2}
        band(ax, mixed[mixed.step > 0], column, label=column, **look)
    by_itself = alone[alone.step > 0]
    band(ax, by_itself, "images", color=colours["exact"], ls="--", label="images alone")
    ax.set(xscale="log", xlabel="step")


def collapse(axes: Sequence[Axes], found: Places) -> None:
    """Three panels of the neurons over the first two steps.

    Stars are plus and minus the direction, with their signs beside them; a mark has the colour of
    its star after two steps, and is a dot for plus, a cross for minus. Marks are jittered a little,
    so that those that coincide can be seen.
    """
    shake = torch.randn(len(found.plus), 2, generator=generator(0, "jitter")).numpy()
    for ax, (stage, exact) in zip(axes, found.stages.items(), strict=True):
        place = exact.copy()
        place[:-2] += 0.04 * np.abs(place).max() * shake
        signs(ax, place[:-2], found.plus, 2.5)
        stars: dict[str, Any] = {"marker": "*", "s": 200, "facecolors": "none", "linewidths": 1.6}
        ax.scatter(*place[-2:].T, edgecolors=["darkred", "chocolate"], zorder=6, **stars)
        for star, sign in zip(place[-2:], "+−", strict=True):
            ax.annotate(sign, star, (8, 0), textcoords="offset points", va="center")
        ax.set_title(STAGES[stage], fontsize="small")
        map_axes(ax)


def signs(ax: Axes, place: np.ndarray, positive: np.ndarray, size: float) -> None:
    """Marks at ``place`` (N, 2): red dots where ``positive`` (N,), orange crosses elsewhere."""
    dots(ax, place[positive], "red", size, label="plus")
    some, arm = place[~positive], 0.02 * np.ptp(place, axis=0).max()
    ends = [some + arm * np.array(end) for end in ((-1, -1), (1, 1), (-1, 1), (1, -1))]
    _strokes(ax, np.stack(ends, axis=1), "darkorange", 0.5 * size)
    _numbers(ax, some, "minus")


def dots(ax: Axes, place: np.ndarray, colour: str, size: float, label: str = "neurons") -> None:
    """Round dots at ``place`` (N, 2), ``size`` points wide.

    They are tiny strokes with round ends.
    """
    tiny = 1e-3 * np.ptp(place, axis=0).max() if len(place) else 0.0
    _strokes(ax, np.stack([place, place + np.array([tiny, 0.0])], axis=1), colour, size)
    _numbers(ax, place, label)


def _strokes(ax: Axes, ends: np.ndarray, colour: str, width: float) -> None:
    """Strokes between ``ends`` (N, 2 or 4, 2), all one path: in SVG a tenth of a scatter."""
    ends = ends.reshape(-1, 2)
    path = Path(ends, np.tile([Path.MOVETO, Path.LINETO], len(ends) // 2))
    path.should_simplify = False
    stroke: dict[str, Any] = {"capstyle": "round", "facecolor": "none", "alpha": 0.7}
    ax.add_patch(PathPatch(path, edgecolor=colour, linewidth=width, **stroke))


def _numbers(ax: Axes, place: np.ndarray, label: str) -> None:
    """Places that are not drawn, but the numbers of a figure are read from markers."""
    ax.scatter(*place.T, label=label).set_visible(False)


def map_axes(ax: Axes) -> None:
    """A square map without scales, centred at 0, all of it visible."""
    reach = 1.15 * max(abs(v) for v in (*ax.get_xlim(), *ax.get_ylim()))
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), xticks=[], yticks=[], aspect="equal")
    for spine in ax.spines.values():
        spine.set_visible(False)


def marked(ax: Axes, x: Sequence[float]) -> None:
    """A logarithmic horizontal axis with ticks at ``x`` only."""
    ax.set_xscale("log")
    ax.set_xticks(x, [f"{v:g}" for v in x])
    ax.minorticks_off()


def stairs(ax: Axes, dist: Distribution) -> None:
    """Horizontal reference lines of an accuracy: exact, see `reference_levels`."""
    for level, style in reference_levels(dist):
        ax.axhline(level, color="grey", ls=style, lw=0.8, zorder=0)


def stairs_per_cent(ax: Axes, dist: Distribution) -> None:
    """The same lines, upright, on an axis in per cent."""
    for level, style in reference_levels(dist):
        ax.axvline(100 * level, color="grey", ls=style, lw=0.8, zorder=0)


def reference_levels(dist: Distribution) -> list[tuple[float, str]]:
    """Accuracies and line styles: the best threshold of s ("-"), the other stairs (":").

    Where a threshold is always right, as with interval labels, only the majority's share is left.
    """
    majority, best = (1 + abs(dist.mean_label)) / 2, float(threshold_accuracies(dist).max())
    if best > 1 - 1e-9:
        return [(majority, ":")]
    return [(float(v), "-" if abs(v - best) < 1e-9 else ":") for v in staircase(dist)]


def table_numbers(ax: Axes, cells: pd.DataFrame, colour: Any) -> None:
    """Printed numbers (diamonds) and ours with their tolerance, one per row."""
    cells = cells.reset_index(drop=True)
    bars = np.abs(np.stack([cells.ours - cells.low, cells.high - cells.ours]))
    bars = np.where(np.isfinite(bars), bars, 0)
    ax.errorbar(cells.ours, cells.index, xerr=bars, fmt="o", color=colour)
    ax.plot(cells.paper, cells.index, **figures.PAPER)
    ax.set(yticks=cells.index, yticklabels=cells.label)


def per_cent(ax: Axes) -> None:
    """A horizontal axis that ends where accuracies do."""
    low, high = ax.get_xlim()
    ax.set_xlim(max(low, 0), min(high, 103))


def table_cells(axes: Sequence[Axes], cells: pd.DataFrame, colour: Any) -> None:
    """Printed numbers (diamonds) and ours with their tolerance: accuracies left, cosines right."""
    for ax, cosine in zip(axes, (False, True), strict=True):
        table_numbers(ax, cells[cells.label.str.endswith("cos") == cosine], colour)
        ax.set_xlabel("cosine" if cosine else "accuracy (%)")
        if not cosine:
            per_cent(ax)
        ax.invert_yaxis()
