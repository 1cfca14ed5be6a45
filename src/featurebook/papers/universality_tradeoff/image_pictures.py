"""Figures of the counterpart on images."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from featurebook import figures
from featurebook.papers.universality_tradeoff import linear, pictures, printed
from featurebook.papers.universality_tradeoff.images import Data

Accuracies = Mapping[str, NDArray[np.float64]]


def sets(data: Data) -> Figure:
    """Eight training images of each set."""
    fig, axes = plt.subplots(len(data), 8, figsize=(figures.WIDTH, 0.75 * len(data)))
    for row, (name, (x, *_)) in zip(axes, data.items(), strict=True):
        for ax, image in zip(row, x, strict=False):
            ax.imshow(image.mean(0), cmap="gray", vmin=0, vmax=1)
            ax.set(xticks=[], yticks=[])
        row[0].set_ylabel(name, rotation=0, ha="right", va="center")
    return fig


def counterpart(
    curves: Accuracies, mean: Accuracies, mixes: Sequence[str], shares: Sequence[float], target: str
) -> Figure:
    """Accuracy on the target by share of labels, and the mean over the sets, against the mixture.

    Args:
        curves: by mixture (shares or more, seeds).
        mean: by mixture, and for "untrained", (seeds,).
    """
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.2))
    looks = figures.styles(*(f"{x:g} %" for x in shares))
    for k, (name, look) in enumerate(looks.items()):
        curve = np.array([curves[mix][k] for mix in mixes])
        figures.band(axes[0], range(len(mixes)), curve, label=name, **look)
    axes[0].set(title=f"target {target}", ylabel="accuracy", ylim=(0.2, 1))
    axes[0].legend(ncols=3, loc="lower left", fontsize=8)
    line = np.array([mean[mix] for mix in mixes])
    figures.band(axes[1], range(len(mixes)), line, marker="o", color="0.2")
    axes[1].axhline(mean["untrained"].mean(), ls="--", color="0.5")
    axes[1].annotate("untrained", (0, mean["untrained"].mean()), va="bottom", fontsize=9)
    axes[1].set(title="mean of the sets, 100 labels")
    for ax in axes:
        ax.set_xticks(range(len(mixes)), mixes)
        ax.set_xlabel("pre-training mixture")
    return fig


def falling_rows(similar: NDArray[np.float64], mixes: Sequence[str], target: str) -> Figure:
    """CKA in the linear model for 1 to 5 tasks, and the target's row in the counterpart.

    Args:
        similar: (seeds, mixtures, mixtures).
    """
    tasks = range(1, 6)
    model = np.array([[linear.cka_of_mixtures(a, b, 10, 10) for b in tasks] for a in tasks])
    fig = pictures.square_frame([model], ["linear model"], [[f"T = {T}" for T in tasks]])
    fig.set_size_inches(figures.WIDTH, 3.2)
    fig.axes[0].set_position((0.08, 0.14, 0.4, 0.74))
    ax = fig.add_axes((0.6, 0.16, 0.38, 0.7))
    figures.band(ax, range(len(mixes)), similar[:, 0].T, marker="o", color="0.2")
    ax.set_xticks(range(len(mixes)), mixes)
    ax.set(title=f"images: with the network of {target}", ylim=(0.4, 1.02))
    return fig


def repair(
    probed: Accuracies,
    tuned: Mapping[str, Accuracies],
    looks: Sequence[int],
    target: str,
    last: str,
) -> Figure:
    """Table F.9, probes before and after further steps, and fine-tuning.

    Args:
        probed: by what a network was trained on, (seeds,).
        tuned: "test" accuracy of each way to fine-tune, (looks, seeds).
    """
    fig, axes = plt.subplots(1, 3, figsize=(figures.WIDTH, 3.2))
    gains = [printed.wide("F.9", x).to_numpy().ravel() for x in ("CR then LP", "LP")]
    axes[0].bar(range(4), gains[0] - gains[1], color="0.6")
    axes[0].set_xticks(range(4), ["C", "CS", "CSG", "CSGI"])
    axes[0].set(title="printed", ylabel="points gained", xlabel="mixture")
    columns = {
        target: target,
        f"{target}, then {target}": f"{target}\n+{target}",
        last: last,
        f"{last}, then all": f"{last}\n+all",
        f"{last}, then {target}": f"{last}\n+{target}",
    }
    for place, name in enumerate(columns):
        some = probed[name]
        axes[1].plot(np.full(len(some), place), some, "o", ms=4, color="0.2")
        axes[1].plot([place - 0.3, place + 0.3], [some.mean()] * 2, color="0.2")
    axes[1].set_xticks(range(5), list(columns.values()), fontsize=8)
    axes[1].set(title="probes here", ylabel="accuracy")
    styles: dict[str, dict[str, Any]] = figures.styles(*tuned)
    for (name, of), look in zip(tuned.items(), styles.values(), strict=True):
        figures.band(axes[2], looks, of["test"], label=name, **look)
    axes[2].axhline(probed[last].mean(), ls=":", color="0.4")
    axes[2].set(title="fine-tuning here", xlabel="step", ylabel="accuracy")
    axes[2].legend(fontsize=8, loc="lower right")
    return fig
