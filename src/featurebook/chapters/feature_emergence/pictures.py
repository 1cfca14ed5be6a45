"""Drawings that several figures of the chapter share."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import torch
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from torch import Tensor

from featurebook import figures
from featurebook.chapters.feature_emergence import network
from featurebook.chapters.feature_emergence.data import Distribution
from featurebook.chapters.feature_emergence.hardness import staircase, threshold_accuracies
from featurebook.chapters.feature_emergence.scaling import (
    cosine_dissimilarity,
    multidimensional_scaling,
)
from featurebook.core import generator

Colours = Mapping[str, tuple[float, float, float]]
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
    ax.errorbar(x, mean, bars, marker="o", **line)


def learning_curves(ax: Axes, curves: pd.DataFrame, colours: Colours) -> None:
    """Test accuracy of every method against step; dashed without structure."""
    for name, part in curves[curves.step > 0].groupby("method", sort=False):
        base = str(name).removesuffix(" w/o structure")
        style = "-" if base == name else "--"
        band(ax, part, "test accuracy", color=colours[base], ls=style, label=name)
    ax.set_xlabel("step $t$")


def student_curves(ax: Axes, mixed: pd.DataFrame, alone: pd.DataFrame, colours: Colours) -> None:
    """Students of a mixture on its parts, and of images alone, against step (logarithmic)."""
    kinds = (("images", "Network"), ("Gaussians", "RF"), ("mixture", "NTK"))
    for column, key in kinds:
        band(ax, mixed[mixed.step > 0], column, color=colours[key], label=column)
    by_itself = alone[alone.step > 0]
    band(ax, by_itself, "images", color=colours["exact"], ls="--", label="images alone")
    ax.set(xscale="log", xlabel="step")


def collapse(
    axes: Sequence[Axes], weights: Mapping[str, Tensor], direction: Tensor, count: int = 100
) -> None:
    """Three panels of the neurons of the first replica, by multidimensional scaling of 1 - cos.

    Stars are plus and minus ``direction``; a dot has the colour of its star after two steps. Dots
    are jittered a little, so that those that coincide can be seen.
    """
    shake = torch.randn(count, 2, generator=generator(0, "jitter")).numpy()
    last = network.cosines(weights["two"][0].cpu(), direction)[:count]
    for ax, (stage, W) in zip(axes, weights.items(), strict=True):
        points = torch.cat([W[0, :count].cpu(), direction[None], -direction[None]])
        place = multidimensional_scaling(cosine_dissimilarity(points)).numpy()
        place[:-2] += 0.04 * np.abs(place).max() * shake[: len(place) - 2]
        dots(ax, place[:-2], ["red" if c > 0 else "orange" for c in last], 2.5)
        stars: dict[str, Any] = {"marker": "*", "s": 260, "facecolors": "none", "linewidths": 1.6}
        ax.scatter(*place[-2:].T, edgecolors=["darkred", "chocolate"], zorder=6, **stars)
        ax.set_title(STAGES[stage])
        map_axes(ax)


def dots(ax: Axes, place: np.ndarray, colours: Sequence[str], size: float) -> None:
    """Round dots at ``place`` (N, 2), each of its colour, ``size`` points wide.

    All of one colour are one path of tiny strokes with round ends: in SVG a tenth of a scatter.
    """
    tiny = 1e-3 * np.ptp(place, axis=0).max()
    for colour in dict.fromkeys(colours):
        some = place[np.array(colours) == colour]
        ends = np.stack([some, some + np.array([tiny, 0.0])], axis=1).reshape(-1, 2)
        path = Path(ends, np.tile([Path.MOVETO, Path.LINETO], len(some)))
        path.should_simplify = False
        stroke: dict[str, Any] = {"capstyle": "round", "facecolor": "none", "alpha": 0.7}
        ax.add_patch(PathPatch(path, edgecolor=colour, linewidth=size, **stroke))
        # Not drawn, but the numbers of a figure are read from markers.
        ax.scatter(*some.T, label=colour).set_visible(False)


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
    """Printed numbers (diamonds) and ours with intervals, one a row."""
    cells = cells.reset_index(drop=True)
    bars = np.abs(np.stack([cells.ours - cells.low, cells.high - cells.ours]))
    bars = np.where(np.isfinite(bars), bars, 0)
    ax.errorbar(cells.ours, cells.index, xerr=bars, fmt="o", color=colour)
    ax.plot(cells.paper, cells.index, **figures.PAPER)
    ax.set(yticks=cells.index, yticklabels=cells.label)


def per_cent(ax: Axes) -> None:
    """A horizontal axis without what is no accuracy: intervals may reach past 0 or 100."""
    low, high = ax.get_xlim()
    ax.set_xlim(max(low, 0), min(high, 103))


def table_cells(axes: Sequence[Axes], cells: pd.DataFrame, colour: Any) -> None:
    """Printed numbers (diamonds) and ours with intervals: accuracies left, cosines right."""
    for ax, cosine in zip(axes, (False, True), strict=True):
        table_numbers(ax, cells[cells.label.str.endswith("cos") == cosine], colour)
        ax.set_xlabel("cosine" if cosine else "accuracy (%)")
        if not cosine:
            per_cent(ax)
        ax.invert_yaxis()
