"""Figures of the chapters of this part, and frames of their sliders."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor

from featurebook import figures
from featurebook.papers.nuclear_norm import model, plane, printed, selection
from featurebook.papers.nuclear_norm.layer import stable_rank, stable_rank_printed
from featurebook.papers.nuclear_norm.model import Task
from featurebook.verdicts import mean_interval


def densities(gamma: float) -> Figure:
    """The law of a feature times the label: invariant, environmental, and that out of training."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 2.4))
    for heights, style, name in (
        ((0, 1), "-", "invariant"),
        ((0.5 - gamma, 0.5 + gamma), "--", "environmental, training"),
        ((0.5 + gamma, 0.5 - gamma), ":", "environmental, test"),
    ):
        ax.stairs(heights, [-1, 0, 1], linestyle=style, lw=2, label=name)
    ax.set(xlabel="feature times label", ylabel="density", ylim=(0, 1.5))
    ax.legend(ncols=3, fontsize=8)
    return fig


def both_regularisers(task: Task) -> Figure:
    """Exact weights against λ up to λ_R, with weight decay and with the nuclear norm."""
    border = selection.largest_lambda(task.r)
    grid = np.geomspace(1e-3, 0.99 * border, 12)
    decay = np.array([model.weight_decay(task, x) for x in grid])
    nuclear = np.array([selection.minimise(task, x) for x in grid])
    names = ("weight decay", "nuclear norm")
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3), sharey=True)
    for ax, weights, name in zip(axes, (decay, nuclear), names, strict=True):
        ax.plot(grid, weights[:, 0], "-o", ms=4, label="invariant, α")
        ax.plot(grid, weights[:, 1], "--s", ms=4, label="environmental, β")
        ax.set(xscale="log", xlabel="λ", title=name)
    axes[1].axvline(border, color="black", lw=1)
    axes[0].set_ylabel("weight")
    axes[0].legend()
    return fig


def phase_frame(lam: float, sizes: list[int]) -> Figure:
    """The γ up to which the nuclear norm keeps the invariant features only, against |U|/r."""
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.4))
    looks = figures.styles(*(f"r = {r}" for r in sizes))
    shares = np.geomspace(0.5, 64, 15)
    for r in sizes:
        if lam >= selection.largest_lambda(r):
            continue
        q = np.maximum(1, np.round(shares * r).astype(int))
        edge = [selection.largest_gamma(r, int(n), lam) for n in q]
        ax.plot(q / r, edge, label=f"r = {r}", **looks[f"r = {r}"] | {"marker": ""})
    ax.plot(shares, np.minimum(0.5, 1 / np.sqrt(shares)), color="0.5", lw=1,
            label="|U| = r/γ²")  # fmt: skip
    ax.set(xscale="log", xlabel="|U| / r", ylabel="γ", ylim=(0.1, 0.5), xlim=(0.5, 64),
           title=f"λ = {lam:g}")  # fmt: skip
    ax.text(0.55, 0.12, "below a curve only the\ninvariant features survive", fontsize=9)
    figures.label_lines(ax)
    return fig


def plane_frame(lam: float, p: float = 0.7) -> Figure:
    """ID and OOD samples with the population lines of weight decay and of the nuclear norm."""
    rng = np.random.default_rng(0)
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.5), sharey=True)
    slopes = {
        "weight decay": plane.slope_of_weight_decay(p, lam),
        "nuclear norm": plane.slope_of_nuclear_norm(p, lam),
    }
    for k, (ax, chance, name) in enumerate(zip(axes, (p, 1 - p), ("ID", "OOD"), strict=True)):
        y = rng.choice([-1, 1], 300)
        x1 = rng.random(300) * y
        x2 = rng.random(300) * y * np.where(rng.random(300) < chance, 1, -1)
        for label, colour, mark in ((1, "navy", "o"), (-1, "goldenrod", "^")):
            ax.plot(x1[y == label], x2[y == label], mark, color=colour, ms=3, alpha=0.6)
        told = []
        for (regulariser, c), style in zip(slopes.items(), ("--", "-"), strict=True):
            ax.plot([-c, c], [1, -1], style, color="black", lw=2)
            told.append(f"{regulariser} {plane.line(c, p)[k]:.3f}")
        ax.set(xlim=(-1, 1), ylim=(-1, 1), xlabel="$x_1$")
        ax.set_title(f"{name} accuracy: {told[0]} (dashed)\n{told[1]} (solid)", fontsize=9)
    axes[0].set_ylabel("$x_2$")
    fig.suptitle(f"λ = {lam:g}", fontsize=10)
    return fig


def penalties(gains: pd.DataFrame) -> Figure:
    """Gain of each penalty (seeds by penalties): mean with 95% interval, and each seed."""
    mean, low, high = np.array([mean_interval(gains[name]) for name in gains]).T
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    place = np.arange(len(mean))
    ax.errorbar(place, mean, [mean - low, high - mean], fmt="o", color="black", capsize=4)
    for x, name in zip(place, gains, strict=True):
        ax.plot(np.full(len(gains), x + 0.15), gains[name], "_", color="0.5", ms=8)
    ax.axhline(0, color="black", lw=0.8)
    ax.set_xticks(place, [str(name).replace(" ", "\n") for name in gains], fontsize=8)
    ax.set_ylabel("gain in OOD accuracy")
    return fig


def stable_ranks(m: Tensor) -> Figure:
    """Rank and both stable ranks of a matrix (B, d) times a factor."""
    factors = np.geomspace(0.01, 10, 7)
    curves = {
        "rank": [float(min(m.shape)) for _ in factors],
        "corrected": [float(stable_rank(f * m)) for f in factors],
        "printed": [float(stable_rank_printed(f * m)) for f in factors],
    }
    fig, ax = plt.subplots(figsize=(figures.NARROW, 2.8))
    looks = figures.styles(*curves)
    for name, curve in curves.items():
        ax.plot(factors, curve, label=name, **looks[name])
    ax.set(
        xscale="log", yscale="log", xlabel="factor of the features", ylabel="rank or stable rank"
    )
    figures.label_lines(ax)
    return fig


def gains(table: pd.DataFrame) -> Figure:
    """Figure 6.4: columns base, data, gain and se, in the order of `printed.DATA_SETS`."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.2))
    looks = figures.styles("ERM", "Mixup", "SWAD")
    for k, base in enumerate(looks):
        part = table[table.base.eq(base)]
        at = np.arange(len(part)) + (k - 1) * 0.22
        look = looks[base] | {"linestyle": "none"}
        ax.errorbar(at, part.gain, 2 * part.se, label=base, capsize=3, ms=5, **look)
    ax.axhline(0, color="black", lw=0.8)
    ax.set_xticks(range(5), list(printed.DATA_SETS))
    ax.set(ylabel="gain in percent")
    ax.legend(ncols=3, loc="upper left")
    return fig


def sweep(
    spectra: Mapping[float, NDArray[np.float64]], curves: Mapping[str, NDArray[np.float64]]
) -> Figure:
    """Singular values by λ; stable ranks and OOD accuracy (seeds, λ) against λ."""
    fig, axes = plt.subplots(1, 3, figsize=(figures.WIDTH, 2.9))
    looks, lams = figures.styles("printed", "corrected"), list(spectra)
    for lam, style in ((lams[0], "-"), (lams[-1], "--")):
        s = spectra[lam]
        axes[0].plot(np.arange(1, len(s) + 1), s, style, label=f"λ = {lam:g}")
    axes[0].set(yscale="log", xlabel="index", title="singular values")
    place = np.arange(len(lams))
    for name, column in (("printed", "printed_rank"), ("corrected", "stable_rank")):
        ratio = curves[column] / curves[column][:, :1]
        axes[1].plot(place, ratio.mean(0), label=name, **looks[name])
    axes[1].set(title="stable rank, ratio", xlabel="λ")
    axes[2].plot(place, curves["ood"].T, color="0.6", lw=0.8)
    axes[2].plot(place, curves["ood"].mean(0), "o-", color="black")
    axes[2].set(title="OOD accuracy", xlabel="λ")
    for ax in axes[1:]:
        ax.set_xticks(place, [f"{x:g}" for x in lams], rotation=45, fontsize=8)
    axes[0].legend(fontsize=8)
    axes[1].legend(fontsize=8)
    return fig


def gap(shares: Sequence[float], curves: Mapping[int, Sequence[float]]) -> Figure:
    """OOD accuracy against |U| in units of r/γ², by r, with the printed bound e^(-r/10)."""
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.4))
    looks = figures.styles(*(f"r = {n}" for n in curves))
    for n, accuracy in curves.items():
        look = looks[f"r = {n}"]
        ax.plot(shares, accuracy, label=f"r = {n}", ms=4, **look)
        ax.plot([1, 1.35], [np.exp(-n / 10)] * 2, color=look["color"], lw=2)
    ax.axhline(0.5, color="black", lw=0.7)
    ax.annotate("guessing", (0, 0.5), (2, 4), textcoords="offset points", fontsize=9)
    least = np.exp(-max(curves) / 10)
    ax.annotate("printed: $e^{-r/10}$", (1.35, least), (0, -4), textcoords="offset points",
                fontsize=9, ha="right", va="top")  # fmt: skip
    ax.set(yscale="log", xlabel="|U| in units of r/γ²", ylabel="OOD accuracy", ylim=(1e-20, 30))
    ax.legend(loc="lower left")
    return fig
