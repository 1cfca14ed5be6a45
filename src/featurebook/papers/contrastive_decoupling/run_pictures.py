"""Figures of trained networks and of scans over sizes."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, figures
from featurebook.papers.contrastive_decoupling import photographs
from featurebook.papers.contrastive_decoupling.pictures import WIDTH

COLOUR = figures.colours("mask", "plain", "signal", "noise", "theory", "bias")
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


def erosion(found: pd.DataFrame) -> Figure:
    """What a mask leaves of the noise's push against the bias, by the share on an atom."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH * 0.6, 2.8))
    for (s, line), style in zip(found.groupby("s"), ("--s", "-o"), strict=True):
        ax.plot(line["β"], line.ratio, style, color=COLOUR["noise"], ms=4, label=f"share $s$ = {s}")
    ax.set(xlabel=r"bias $\beta=b/\|w\|$", ylabel="masked / unmasked")
    ax.axhline(0, color="0.6", lw=0.8)
    ax.legend()
    return fig


def schedules(alive: pd.DataFrame, t1: int) -> Figure:
    """Share of the neurons that fire against the step, a line for each bias schedule."""
    fig, ax = plt.subplots(figsize=(0.75 * figures.WIDTH, 3.6))
    for name, style, mark in zip(
        map(str, alive), ("-", "--", ":", "-.", "-"), "o^sDv", strict=True
    ):
        share, label = alive[name], name.replace("C_z", "$C_z$")
        tint = COLOUR["bias" if name.startswith("printed") else "mask"]
        ax.plot(share.index, share, ls=style, marker=mark, ms=5, markevery=2, color=tint)
        falls = share.index[share < 0.5]
        if len(falls):
            short = f" {label.removeprefix('printed, ')}"
            ax.text(falls[0], 0.6, short, color=tint, fontsize="small")
        else:
            height = 1.16 if name.startswith("printed") else 1.05
            ax.text(share.index[-1], height, label, color=tint, fontsize="small", ha="right")
    ax.axvline(t1, ymax=0.8, color="0.5", ls=":", lw=1)
    ax.text(t1, 0.4, "bias  \nbegins  ", color="0.35", fontsize="small", ha="right")
    ax.set(xlabel="step $t$", ylabel="neurons that fire", ylim=(-0.03, 1.25))
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    return fig


def singletons(
    run: core.Run, coherent: NDArray[np.float64], M: Tensor, moments: tuple[int, int]
) -> Figure:
    """Share on the strongest atom (steps, seeds), and the squares of the last weights.

    Args:
        moments: t_1 and t_2.
    """
    size = (0.75 * figures.WIDTH, 6)
    fig, (ax, below) = plt.subplots(2, 1, figsize=size, height_ratios=(1, 1.5))
    ax.plot(run.steps, coherent, color=COLOUR["mask"], marker="o", ms=3)
    for t, word in zip(moments, (" bias rises", " bias stays"), strict=True):
        ax.axvline(t, color="0.6", ls=":", lw=1)
        ax.text(t, 0.03, word, color="0.35", fontsize="small")
    ax.set(xlabel="step $t$", ylim=(0, 1))
    ax.set_ylabel(r"$\max_j\langle w_i,\mathbf{M}_j\rangle^2/\|w_i\|^2$")
    W = run.params["W"][0].cpu()
    squares = (W @ M).square() / W.square().sum(1, keepdim=True)
    shown = below.imshow(
        squares[squares.argmax(1).sort().indices], aspect="auto", vmin=0, vmax=1, rasterized=True
    )
    below.set(xlabel="atom $j$", ylabel="neuron $i$, sorted")
    fig.colorbar(shown, ax=below)
    figures.label_panels([ax, below])
    return fig


def pushes(levels: NDArray[np.float64], found: NDArray[np.float64], p: float, end: float) -> Figure:
    """Pushes on a singleton, (2, seeds, levels), against how much its atom is used.

    Args:
        end: where training ends, in units of ``levels``.
    """
    fig, ax = plt.subplots(figsize=(figures.WIDTH * 0.6, 2.8))
    words = (("-o", r"the part $\Psi$"), ("--s", "all four parts"))
    for lines, (style, label) in zip(found, words, strict=True):
        ax.plot(levels, lines.T / p, style, color=COLOUR["signal"], ms=3, lw=1.2)
        ax.plot([], [], style, color=COLOUR["signal"], ms=3, label=label)
    ax.axhline(0, color="0.6", lw=0.8)
    ax.axvline(end, color=COLOUR["mask"], ls=":", label="end of training")
    ax.set(xscale="log", xlabel=r"$\mathfrak{F}_j/(\tau\log d)$", ylabel="relative push / $p$")
    fig.legend(loc="outside lower center", ncols=2)
    return fig


RUNS = {
    "A": (COLOUR["mask"], "-"),
    "B": (COLOUR["plain"], "-"),
    "C": (COLOUR["plain"], "--"),
    "D": (COLOUR["noise"], "-"),
    "E": (COLOUR["noise"], "--"),
    "F": (COLOUR["mask"], ":"),
    "G": (COLOUR["mask"], "--"),
}
"""Colour and line of the seven runs."""


def runs(course: pd.DataFrame, names: Sequence[str], floor: float) -> Figure:
    """Six measures along the seven runs; the floor of the loss is dotted."""
    shown = {
        "loss": "loss",
        "share": "share $s$",
        "singletons": "singletons",
        "cosine": r"cosine of $f(x)$, $f(\xi)$",
        "R2": "probe $R^2$",
        "accuracy": "probe accuracy",
    }
    fig, axes = plt.subplots(3, 2, figsize=(0.75 * figures.WIDTH, 7.8), sharex=True)
    axes[0, 0].axhline(floor, color="0.3", ls=(0, (1, 2)), lw=1.2)
    for ax, (q, title) in zip(axes.flat, shown.items(), strict=True):
        for name, group in course.groupby("run"):
            (c, ls), steps = RUNS[str(name)[0]], group.pivot_table(q, "step", "seed")
            figures.band(ax, steps.index, steps, color=c, ls=ls, label=str(name)[0])
        ax.set_title(title, loc="left")
        figures.label_lines(ax)
    plt.setp(axes[-1], xlabel="step $t$")
    lines = [line for line in axes[0, 0].lines if len(line.get_label()) == 1]
    fig.legend(lines, list(names), loc="outside lower center", ncols=2)
    return fig


def stage_one(steps: Sequence[int], norms: Sequence[Tensor], factors: Sequence[float]) -> Figure:
    """Norms on and off the atoms, (steps, seeds, neurons), against the factors of theory."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH * 0.7, 3))
    ts = np.array(steps)
    looks = (("signal", "on the atoms", "o"), ("noise", "off the atoms", "s"))
    for norm, factor, (concept, name, mark) in zip(norms, factors, looks, strict=True):
        total = norm.square().sum(-1).sqrt()
        ax.plot(ts, total / total[0], mark, color=COLOUR[concept], ms=4)
        ax.plot(ts, factor**ts, color=COLOUR[concept], label=name)
    ax.set(yscale="log", xlabel="step $t$", ylabel="norm / start")
    ax.minorticks_off()
    ax.set_yticks([0.5, 1, 2], ["0.5", "1", "2"])
    figures.label_lines(ax)
    return fig


def scan(by_d: pd.DataFrame) -> Figure:
    """Probes, errors, firing and losses of trained networks against d."""
    fig, axes = plt.subplots(3, 1, figsize=(0.75 * figures.WIDTH, 5.8), sharex=True)
    mean = by_d.groupby("d").mean()
    for ax, q, concept, label, mark in (
        (axes[0], "R2", "mask", "probe $R^2$", "o"),
        (axes[1], "relative error", "noise", "relative error", "o"),
        (axes[1], "firing / p", "signal", "firing rate / $p$", "s"),
        (axes[2], "loss", "mask", "loss", "o"),
    ):
        ax.plot(by_d.d, by_d[q], mark, color=COLOUR[concept], ms=4)
        ax.plot(mean.index, mean[q], color=COLOUR[concept], marker=mark, ms=4, label=label)
    for ax, q in ((axes[0], "linear bound"), (axes[2], "floor")):
        ax.plot(mean.index, mean[q], color=COLOUR["theory"], ls="--", label=q)
    for ax in axes:
        ax.set_xscale("log", base=2)
        ax.set(ylim=(0, None))
        figures.label_lines(ax)
    axes[-1].set_xticks(mean.index, [str(v) for v in mean.index])
    axes[-1].set_xlabel("$d$")
    figures.label_panels(axes)
    return fig


def plain(
    steps: NDArray[np.int64], straight: NDArray[np.bool_],
    shares: Mapping[str, NDArray[np.float64]], predicted: Mapping[str, float],
    by_d1: pd.DataFrame,
) -> Figure:  # fmt: skip
    """Without a mask: shares on the atoms (steps, seeds) by decay, and features against d_1.

    Args:
        straight: steps at the first of which the predicted lines are anchored.
        predicted: growth of the log share per step.
    """
    fig, (ax, below) = plt.subplots(2, 1, figsize=(0.75 * figures.WIDTH, 5.4))
    looks = (("noise", "o", "d^{-1.25}"), ("mask", "s", "d^{-1.5}"), ("plain", "^", "0"))
    for (name, share), (concept, mark, power) in zip(shares.items(), looks, strict=True):
        ax.plot(steps, share, mark, color=COLOUR[concept], ms=3)
        anchor = share.mean(1)[straight][0]
        line = anchor * np.exp(predicted[name] * (steps - steps[straight][0]))
        label = f"$λ = {power}$"
        ax.plot(steps, line, color=COLOUR[concept], marker=mark, ms=3, label=label)
    ax.set(yscale="log", xlabel="step $t$", ylabel="share $s$", ylim=(1e-4, 1))
    mean = by_d1.groupby(["when", "d_1"])[["1 - cosine", "R2", "accuracy"]].mean()
    now, then = mean.loc["trained"], mean.loc["untrained"]
    for label, values, concept, mark in (
        ("$1-$cosine", now["1 - cosine"], "noise", "o-"),
        ("untrained", then["1 - cosine"], "noise", "x:"),
        ("$R^2$", now["R2"].clip(lower=1e-3), "mask", "s-"),
        ("accuracy - 1/2", (now["accuracy"] - 0.5).clip(lower=1e-3), "bias", "^-"),
    ):
        below.plot(now.index, values, mark, color=COLOUR[concept], ms=4, label=label)
    below.set(xscale="log", yscale="log", xlabel="$d_1$")
    below.minorticks_off()
    below.set_xticks(now.index, [str(v) for v in now.index])
    below.set_yticks([0.03, 0.1, 0.3], ["0.03", "0.1", "0.3"])
    for panel in (ax, below):
        figures.label_lines(panel)
    figures.label_panels([ax, below])
    return fig
