"""Figures of models that are trained: attention, small language models, heads on parity."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from featurebook import figures
from featurebook.papers.icl_scale import gpt
from featurebook.papers.icl_scale.regression import Array


def diagonals(matrices: Mapping[int, Array], optima: Mapping[int, Array]) -> Figure:
    """Diagonals of trained matrices, (runs, d, d) by rank, and of the closed form."""
    fig, axes = plt.subplots(
        1, len(optima), figsize=(figures.WIDTH, 2.6), sharey=True, squeeze=False
    )
    for ax, (r, v) in zip(axes[0], optima.items(), strict=True):
        d = len(v)
        place = np.arange(1, d + 1)
        ax.plot(place, np.diagonal(matrices[r], axis1=1, axis2=2).T, "o", ms=3, color="0.5")
        ax.step(place, v, where="mid", color=figures.JUDGED["exact"], lw=1)
        ax.set(title=f"rank {r}", xlabel="direction $i$", xticks=place[:: max(d // 4, 1)])
    axes[0, 0].set_ylabel(r"$u\,\mathbf{U}_{ii}$")
    return fig


def sensitivity(
    ranks: Sequence[int],
    closed: Sequence[float],
    trained: Mapping[str, Array],
    untrained: Mapping[str, Array],
) -> Figure:
    """Sensitivities against the rank: the closed form, and (ranks, runs) by kind of attention."""
    fig, ax = plt.subplots()
    style = figures.styles(*trained)
    ax.plot(ranks, closed, "-", color=figures.JUDGED["exact"], lw=1, label="closed form")
    for kind, after in trained.items():
        look = style[kind] | {"linestyle": "none"}
        ax.plot(ranks, after.mean(1), label=f"{kind}, trained", **look)
        hollow = look | {"markerfacecolor": "none"}
        ax.plot(ranks, untrained[kind].mean(1), label=f"{kind}, untrained", **hollow)
    ax.set(xlabel="rank $r$", ylabel=r"$\partial\mathcal{L}/\partial\sigma^2$", yscale="log")
    ax.legend()
    return fig


def flipped(shares: Array, ranks: Sequence[int], risks: Mapping[str, Array]) -> Figure:
    """Risks (shares, ranks, runs) against the share of flipped labels, by kind of attention."""
    fig, axes = plt.subplots(1, len(risks), figsize=(figures.WIDTH, 3.2), sharey=True)
    looks = figures.styles(*(f"rank {r}" for r in ranks))
    for ax, (kind, c) in zip(axes, risks.items(), strict=True):
        for k, (name, look) in enumerate(looks.items()):
            ax.plot(shares, c[:, k].mean(1), label=name, **look)
            low, high = c[:, k].min(1), c[:, k].max(1)
            ax.fill_between(shares, low, high, alpha=0.15, color=look["color"])
        ax.set(title=f"{kind} attention", xlabel="share flipped $p$")
    axes[0].set_ylabel("risk")
    axes[0].legend()
    return fig


def rows(norms: Sequence[tuple[int, Array]]) -> Figure:
    """Ranks and norms (2, prompts) of the last row, relevant and irrelevant part, side by side."""
    fig, axes = plt.subplots(1, len(norms), figsize=(figures.WIDTH, 2.9), sharey=True)
    for ax, (r, parts) in zip(axes, norms, strict=True):
        for part, mark, name in zip(parts, "ox", ("relevant", "irrelevant"), strict=True):
            ax.plot(part, mark, ms=3.5, label=name)
        ax.set(title=f"rank {r}", xlabel="prompt")
    axes[0].set_ylabel("norm of the last row")
    fig.legend(*axes[0].get_legend_handles_labels(), ncols=2, loc="outside lower center")
    return fig


def overriding(
    rates: Sequence[float], accuracy: Mapping[gpt.Size, Array], parameters: Mapping[gpt.Size, int]
) -> Figure:
    """Accuracies (runs, rates) on the prior task against the share of flipped labels."""
    looks = figures.styles(*(str(size) for size in accuracy))
    fig, ax = plt.subplots()
    for size, c in accuracy.items():
        look = looks[str(size)]
        ax.plot(rates, c.T, color=look["color"], lw=0.5, alpha=0.5)
        ax.plot(rates, c.mean(0), label=f"{size}, {parameters[size]:,} parameters", **look)
    ax.axhline(0.5, color="0.6", lw=0.8)
    ax.set(xlabel="share of flipped labels", ylabel="accuracy on the prior task", ylim=(0, 1.02))
    ax.legend()
    return fig


def groups(norms: Mapping[gpt.Size, Array]) -> Figure:
    """Norms (runs, prompts, 4) of the last attention row by group: second and last size."""
    fig, axes = plt.subplots(1, 4, figsize=(figures.WIDTH, 2.6), sharey=True)
    looks = figures.styles(*(str(size) for size in norms))
    titles = ("correct\nrelevant", "correct\nirrelevant", "wrong\nrelevant", "wrong\nirrelevant")
    _, middle, *_, last = norms
    for k, (ax, title) in enumerate(zip(axes, titles, strict=True)):
        for size in (middle, last):
            look = looks[str(size)] | {"linestyle": "none", "markersize": 3}
            ax.plot(norms[size][0, :, k], label=str(size), **look)
        ax.set(title=title, xlabel="prompt")
    axes[0].set_ylabel("norm of the last row")
    fig.legend(*axes[0].get_legend_handles_labels(), ncols=2, loc="outside lower center")
    return fig


def heads(runs: pd.DataFrame) -> Figure:
    """Accuracy against the training objective, one mark per network and a panel per length M."""
    lengths, sizes = runs.M.unique(), runs.m.unique()
    fig, axes = plt.subplots(
        1, len(lengths), figsize=(figures.WIDTH, 3), sharex=True, squeeze=False
    )
    looks = figures.styles(*(f"m = {m}" for m in sizes))
    for ax, M in zip(axes[0], lengths, strict=True):
        for m in sizes:
            part = runs[runs.m.eq(m) & runs.M.eq(M)]
            look = looks[f"m = {m}"] | {"linestyle": "none"}
            ax.plot(part.objective, part.accuracy, label=f"m = {m}", **look)
        ax.set(title=f"M = {M}", xlabel="training objective", ylabel="accuracy on important tasks")
    axes[0, 0].legend()
    return fig
