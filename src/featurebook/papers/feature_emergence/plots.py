"""Figures of the chapters, from the results of experiments."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from matplotlib.figure import Figure
from torch import Tensor

from featurebook import figures
from featurebook.core import generator
from featurebook.papers.feature_emergence import pictures, practice, printed, scaling
from featurebook.papers.feature_emergence.data import Distribution, draw
from featurebook.papers.feature_emergence.tables import Results, Setting
from featurebook.verdicts import shown

COLOURS = figures.colours(
    "Network", "NTK", "RF", "One Step", "Two Step", "first", "One Step rescaled", "second", "third",
    "exact",
)  # fmt: skip
"""The colours of methods and of exact values, in the chapters on methods, tables and students."""
PANELS = {2: "{} (7)", 4: "{} (11)", 5: "{} (13)"}
"""Settings with the number of the paper's figure, by table."""
Key = tuple[int, str]
"""Table and setting."""
Pair = tuple[Results, Results]
"""Runs with structure and without."""


def students_of_digits(
    mixed: Mapping[int, pd.DataFrame], alone: Mapping[int, pd.DataFrame]
) -> Figure:
    """Agreement with the teacher against step, a panel for each width of student.

    Args:
        mixed: students of digits and Gaussians in equal parts, by width.
        alone: students of digits with their own labels.
    """
    fig, axes = plt.subplots(1, 2, figsize=(figures.NARROW, 3.4), sharey=True)
    for ax, width in zip(axes, mixed, strict=True):
        frame = mixed[width].assign(mixture=lambda f: (f["images"] + f["Gaussians"]) / 2)
        pictures.student_curves(ax, frame, alone[width], COLOURS)
        ax.set_title(f"FC({width})")
    axes[0].set_ylabel("agreement with the teacher")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return fig


def losses_by_size(losses: Mapping[str, Tensor], sizes: list[int]) -> Figure:
    """Test loss (sizes, R) against the number of hidden units, four panels."""
    fig, axes = plt.subplots(2, 2, figsize=(figures.NARROW, 4.6))
    for ax, (name, value) in zip(axes.flat, losses.items(), strict=True):
        pictures.spread(ax, sizes, value.numpy(), color=COLOURS["exact"])
        pictures.marked(ax, sizes)
        ax.set_title(name, fontsize="small")
    fig.supxlabel("hidden units $m$", fontsize="medium")
    fig.supylabel("test loss", fontsize="medium")
    return fig


def students_of_photographs(mixed: pd.DataFrame, alone: pd.DataFrame) -> Figure:
    """Agreement with the teacher against step, on the parts of the mixture."""
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.2))
    pictures.student_curves(ax, mixed, alone, COLOURS)
    ax.set_ylabel("agreement with the teacher")
    figures.label_lines(ax)
    return fig


def neurons_and_centres(
    weights: Mapping[int, Tensor], settings: Mapping[int, tuple[int, int, float]],
    epochs: Mapping[int, list[int]],
) -> Figure:  # fmt: skip
    """Maps of 150 neurons and of the Gaussians' centres, a row for each experiment.

    Args:
        weights: (epochs, m, d) by experiment.
        settings: d, k and noise of each.
        epochs: of the columns.
    """
    fig, axes = plt.subplots(3, 3, figsize=(figures.NARROW, 5.8))
    for row, (number, (d, k, _)) in zip(axes, settings.items(), strict=True):
        points, label = practice.centres(k, d)
        for ax, epoch, W in zip(row, epochs[number], weights[number], strict=True):
            both = torch.cat([W[:150], points])
            place = scaling.multidimensional_scaling(scaling.cosine_dissimilarity(both))
            pictures.dots(ax, place[:150].numpy(), "tab:blue", 2.5)
            for sign, shade, marker in ((1, "red", "*"), (-1, "orange", "X")):
                some = place[150:][label * sign > 0].T
                ax.scatter(*some, marker=marker, s=60, c=shade, edgecolor="black", linewidth=0.4)
            ax.set_title(f"exp. {number}, epoch {epoch}", fontsize="small")
            pictures.map_axes(ax)
    return fig


def two_sides(
    runs: Mapping[str, tuple[tuple[Tensor, Tensor], Mapping[int, int]]],
) -> Figure:
    """Maps of neurons along a training, dots where the second layer is positive.

    Args:
        runs: by name of the pictures: first and second layer, (T, m, d) and (T, m), and the step
            of each index that is drawn.
    """
    fig, axes = plt.subplots(2, 4, figsize=(figures.NARROW, 3.2))
    for row, (name, ((W, a), moments)) in zip(axes, runs.items(), strict=True):
        for ax, (i, t) in zip(row, moments.items(), strict=True):
            place = scaling.multidimensional_scaling(scaling.cosine_dissimilarity(W[i]))
            pictures.signs(ax, place.numpy(), a[i].numpy() > 0, 3.5)
            ax.set_title(f"step {t}", fontsize="small")
            pictures.map_axes(ax)
        row[0].set_ylabel(name)
    return fig


def other_settings(settings: Mapping[Key, Setting], curves: Mapping[Key, pd.DataFrame]) -> Figure:
    """Test accuracy against step in each setting of Tables 2, 4 and 5, with exact levels."""
    fig, axes = plt.subplots(3, 2, figsize=(figures.NARROW, 6.6), sharey=True)
    for ax, (key, found) in zip(axes.flat, curves.items(), strict=False):
        pictures.learning_curves(ax, found, COLOURS)
        pictures.stairs(ax, settings[key].structured)
        ax.set(title=PANELS[key[0]].format(key[1]), ylim=(0.16, 1.02))
        ax.set_xlabel("" if ax in axes.flat[:3] else ax.get_xlabel())
    axes.flat[-1].set_axis_off()
    axes.flat[-1].legend(*axes.flat[0].get_legend_handles_labels(), loc="center")
    for ax in axes[:, 0]:
        ax.set_ylabel("test accuracy")
    return fig


def other_tables(settings: Mapping[Key, Setting], cells: Mapping[int, pd.DataFrame]) -> Figure:
    """Printed test accuracies of Tables 2, 4 and 5, and ours with tolerance, by setting.

    Args:
        cells: by table; labels of Tables 4 and 5 begin with the setting.
    """
    fig, axes = plt.subplots(3, 2, figsize=(figures.NARROW, 6.2), sharey=True)
    for ax, ((table, name), setting) in zip(axes.flat, settings.items(), strict=False):
        short, found = name.removeprefix("negative share "), cells[table]
        start = "" if table == 2 else f"{short}: "
        part = found[found.label.str.startswith(start) & found.label.str.endswith(", test")]
        part = part.assign(label=part.label.str.removeprefix(start).str.removesuffix(", test"))
        pictures.table_numbers(ax, part, COLOURS["exact"])
        pictures.stairs_per_cent(ax, setting.structured)
        ax.set_title(f"Table {table}: {short}", fontsize="small")
        pictures.per_cent(ax)
        ax.set_xlabel("test (%)")
    axes.flat[-1].set_axis_off()
    axes.flat[0].invert_yaxis()
    return fig


def collapses(places: Mapping[Key, scaling.Places]) -> Figure:
    """Maps of the neurons over the first two steps, a row for each setting."""
    fig, axes = plt.subplots(len(places), 3, figsize=(figures.NARROW, 1.75 * len(places)))
    for row, (key, found) in zip(axes, places.items(), strict=True):
        pictures.collapse(row, found)
        for ax in row if row[0] is not axes[0, 0] else ():
            ax.set_title("")
        row[0].set_ylabel(PANELS[key[0]].format(key[1]), fontsize="small")
    return fig


def methods(curves: pd.DataFrame, setting: Setting) -> Figure:
    """Test accuracy of network and fixed features against step, with Table 1 and exact levels.

    Args:
        curves: of methods with structure and without.
    """
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.6))
    pictures.learning_curves(ax, curves[curves.method.str.contains("Network|NTK|RF")], COLOURS)
    pictures.stairs(ax, setting.structured)
    paper = printed.printed(1, "parity").loc["test"] / 100
    for name in ("Network", "NTK", "RF", "Network w/o structure"):
        ax.plot([setting.steps], [paper[name]], **figures.PAPER)
    ax.set_ylabel("test accuracy")
    for line in ax.lines:
        line.set_label(str(line.get_label()).replace(" w/o structure", ", without"))
    figures.label_lines(ax)
    return fig


def collapse(found: scaling.Places, cosines: Mapping[str, np.ndarray]) -> Figure:
    """Maps of the neurons over the first two steps, and histograms of |cos| with the direction."""
    fig, axes = plt.subplots(2, 3, figsize=(figures.NARROW, 3.6), height_ratios=[3, 2])
    pictures.collapse(axes[0], found)
    for ax, values in zip(axes[1], cosines.values(), strict=True):
        bins = np.linspace(0, 1, 26)
        ax.hist(values.ravel(), bins=bins, histtype="stepfilled", color=COLOURS["exact"])
        ax.set(yscale="log", xlim=(0, 1), xticks=[0, 0.5, 1])
    axes[1, 1].set_xlabel(r"$|\cos(w_i,\sum_A M_j)|$")
    axes[1, 0].set_ylabel("neurons")
    return fig


def table_1(cells: pd.DataFrame, setting: Setting) -> Figure:
    """Printed numbers, ours with tolerance: accuracies above, with exact levels, cosines below."""
    fig, axes = plt.subplots(2, 1, figsize=(figures.NARROW, 5.4), height_ratios=[3, 2])
    pictures.table_cells(axes, cells, COLOURS["exact"])
    pictures.stairs_per_cent(axes[0], setting.structured)
    return fig


def gains(
    scores: Mapping[str, Mapping[float, Tensor]], tried: Sequence[int], setting: Setting, p_o: float
) -> Figure:
    """Test hinge loss and accuracy at the end against the gain, a line for each step size.

    Args:
        scores: loss and accuracy, (gains, R), by step size.
    """
    fig, axes = plt.subplots(1, 2, figsize=(figures.NARROW, 2.9))
    for ax, (name, by_rate) in zip(axes, scores.items(), strict=True):
        for (rate, value), shade, look in zip(
            by_rate.items(), ("NTK", "Network"), ("s--", "o-"), strict=True
        ):
            line = {"marker": look[0], "ls": look[1:], "color": COLOURS[shade]}
            pictures.spread(ax, tried, value.numpy(), label=rf"$\eta={rate}$", **line)
        ax.set(xscale="log", xlabel=r"gain $\kappa$", ylabel=name)
        ax.axvline(setting.structured.k**2, color="grey", ls=":", lw=1)
    axes[0].axhline(p_o, color="grey", ls=":", lw=1)
    pictures.stairs(axes[1], setting.structured)
    axes[0].set_ylim(-0.05, 1.2)
    axes[0].legend()
    return fig


def rounding(dimensions: list[int], cosines: Mapping[float, np.ndarray]) -> Figure:
    """Largest cosine after step 1 in float32 against the dimension, by step size, and print.

    Args:
        cosines: (dimensions, R) by step size.
    """
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.4))
    shades = ("NTK", "RF", "One Step", "exact")
    for (step, value), shade, marker in zip(cosines.items(), shades, "os^v", strict=True):
        look = {"color": COLOURS[shade], "marker": marker, "label": f"step {shown(step, 1)}"}
        pictures.spread(ax, dimensions, value, **look)
    ax.plot([100, 500, 2000], [0.967, 0.848, 0.560], **figures.PAPER)
    pictures.marked(ax, dimensions)
    ax.set(xlabel="$d$", ylabel="largest One-Step cosine")
    figures.label_lines(ax)
    return fig


def forty_inputs(dists: Mapping[str, Distribution], seed: int) -> Figure:
    """Forty inputs of each distribution in the dictionary's coordinates, sorted by label."""
    fig, axes = plt.subplots(1, 2, sharey=True, figsize=(figures.NARROW, 2.8))
    for ax, (name, dist) in zip(axes, dists.items(), strict=True):
        x, y = draw(generator(seed, "picture"), dist, 40)
        order = y.argsort(descending=True, stable=True)
        ax.imshow(x[order][:, :40] > 0, cmap="Greys", aspect="auto", rasterized=True)
        ax.axvline(dist.k - 0.5, color="crimson")
        ax.axhline(float((y > 0).sum()) - 0.5, color="crimson", lw=0.8, ls=":")
        ax.set(title=name, xlabel="pattern $j$ (first 40)")
    axes[0].set_ylabel("input, $y=+1$ above")
    return fig
