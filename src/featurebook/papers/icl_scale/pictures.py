"""Figures of the chapters that train nothing, drawn from the results of their experiments."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import cycle
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from featurebook import figures
from featurebook.papers.icl_scale import noise
from featurebook.papers.icl_scale.certified import Network
from featurebook.papers.icl_scale.regression import Array, gap, optimum


def prompt(table: Array, rank: int) -> Figure:
    """A prompt (d + 1, M + 1), tokens above labels, and its first directions and labels alone."""
    d = len(table) - 1
    seen = table.copy()
    seen[rank:d] = np.nan
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3), sharey=True)
    names = [*(f"$x_{{{i}}}$" for i in range(1, d + 1)), "$y$"]
    titles = ("the prompt", f"seen at rank {rank}")
    for ax, part, title in zip(axes, (table, seen), titles, strict=True):
        sns.heatmap(
            part, ax=ax, cmap="vlag", center=0, vmin=-2.5, vmax=2.5, cbar=False, yticklabels=names
        )
        ax.axhline(d, color="black", lw=1.5)
        ax.set(title=title, xlabel="example", xticks=[])
    axes[0].tick_params(axis="y", rotation=0)
    return fig


def risk_terms(missed: Array, risks: Mapping[float, Array]) -> Figure:
    """Signal missed, noise let in, and their sum against the rank.

    Args:
        missed: by rank, (d + 1,).
        risks: the sums, by the noise level σ.
    """
    fig, axes = plt.subplots(1, len(risks), figsize=(figures.WIDTH, 3), sharey=True)
    every = np.arange(len(missed))
    for ax, (sigma, total) in zip(axes, risks.items(), strict=True):
        ax.plot(every, missed, "--", marker="s", ms=3, label="signal missed")
        ax.plot(every, total - missed, ":", marker="^", ms=3, label="noise let in")
        ax.plot(every, total, "-", marker="o", ms=4, color="black", label="risk")
        best = int(np.argmin(total))
        ax.annotate(
            f"best: {best}",
            (best, total[best]),
            xytext=(0, 14),
            textcoords="offset points",
            ha="center",
            fontsize=9,
        )
        ax.set(title=f"σ = {sigma:g}", xlabel="rank $r$")
    axes[0].set_ylabel("risk, mean over tasks")
    axes[0].legend()
    return fig


def by_rank(lam: Array, N: int, M: int, sigma: float, p: float, mode: str = "exact") -> Array:
    """Risk of the optimal models of rank 0..d, averaged over tasks: (d + 1,)."""
    models = [optimum(lam, N, r) for r in range(len(lam) + 1)]
    return np.array([noise.mean_flip_risk(lam, v, M, sigma, p, mode) for v in models])


def flip_frame(
    lam: Array, N: int, M: int, p: float, mode: str = "exact", faint: Sequence[float] = (0, 0.5, 1)
) -> Figure:
    """Risk against rank at the flip rate p, its least marked; some other rates in grey."""
    ranks = np.arange(len(lam) + 1)
    others = {rate: by_rank(lam, N, M, 0.0, rate, mode) for rate in faint}
    risks = by_rank(lam, N, M, 0.0, p, mode)
    fig, ax = plt.subplots()
    for rate, curve in others.items():
        ax.plot(ranks, curve, "--", color="0.7", lw=1)
        ax.annotate(f"p = {rate:g}", (ranks[-1], curve[-1]), (6, 0), textcoords="offset points",
                    fontsize=8, va="center", color="0.4")  # fmt: skip
    ax.plot(ranks, risks, "-", marker="o", ms=4, color="C0")
    best = int(np.argmin(risks))
    ax.plot(best, risks[best], "*", ms=15, color="C1", zorder=5)
    ax.set(xlabel="rank $r$", ylabel="risk, mean over tasks", xlim=(-0.3, ranks[-1] + 0.9))
    ax.set(ylim=(0, 1.05 * max(curve.max() for curve in others.values())))
    ax.set_title(f"{p:.0%} flipped: best rank {best}, risk {risks[best]:.2f}")
    return fig


def panel_frame(lam: Array, N: int, M: int, sigmas: Sequence[float], top: float) -> Figure:
    """The two parts of the risk and their sum against the rank, a panel for each noise level.

    Args:
        top: upper end of the vertical axis, the same for all frames.
    """
    ranks = np.arange(len(lam) + 1)
    missed = by_rank(lam, N, 10**12, 0.0, 0.0)
    fig, axes = plt.subplots(1, len(sigmas), figsize=(figures.WIDTH, 3), sharey=True, squeeze=False)
    for ax, sigma in zip(axes[0], sigmas, strict=True):
        total = by_rank(lam, N, M, sigma, 0.0)
        best = int(np.argmin(total))
        ax.plot(ranks, missed, "--", marker="s", ms=3, label="signal missed")
        ax.plot(ranks, total - missed, ":", marker="^", ms=3, label="noise let in")
        ax.plot(ranks, total, "-", marker="o", ms=3, color="black", label="risk")
        ax.plot(best, total[best], "*", ms=13, color="C1", zorder=5, label="best rank")
        ax.set(xlabel="rank $r$", ylim=(0, top))
        ax.set_title(f"σ = {sigma:g}\nbest: {best}", fontsize=10)
    axes[0, 0].set_ylabel("risk, mean over tasks")
    fig.legend(*axes[0, 0].get_legend_handles_labels(), ncols=4, loc="outside lower center")
    return fig


def two_networks(networks: Mapping[str, Network]) -> Figure:
    """Diagonals of the heads of networks with eight features, side by side on one scale."""
    fig, axes = plt.subplots(1, len(networks), figsize=(figures.WIDTH, 3.1), sharex=True)
    for ax, (title, net) in zip(axes, networks.items(), strict=True):
        diagonals = [[float(rows[p][p]) for p in range(net.d)] for _, rows in net.heads]
        names = [f"{a:+d}" for a, _ in net.heads]
        sns.heatmap(
            pd.DataFrame(diagonals, index=names, columns=range(1, net.d + 1)), ax=ax, cmap="vlag",
            center=0, vmin=-1.5, vmax=1.5, annot=True, fmt=".2g", cbar=False,
            annot_kws={"size": 7},
        )  # fmt: skip
        ax.set(title=f"{title}: cost {net.cost}", xlabel="feature $p$", ylabel="head, with its $a$")
        ax.tick_params(axis="y", rotation=0)
    return fig


def error_growth(digits: Sequence[int], root: Array) -> Figure:
    """Root mean squares of ε, (runs, ν), with lines through the first ones."""
    levels = np.array(digits)
    fig, ax = plt.subplots()
    ax.plot(levels, root.T, "o", ms=3, color="0.45")
    start, judged = root[:, 0].mean(), figures.JUDGED
    ax.plot(
        levels, start * levels, "-", color=judged["corrected"],
        label=r"$\propto\nu$, corrected",
    )  # fmt: skip
    ax.plot(
        levels, start * np.sqrt(levels), "--", color=judged["printed"],
        label=r"$\propto\sqrt{\nu}$, printed",
    )  # fmt: skip
    ax.set(xlabel=r"digits $\nu$ of $g_1^*$, $d=2^{\nu+1}$", ylabel=r"rms of $\epsilon$")
    ax.legend()
    return fig


def heads_and_distances(a: Array, b: Array) -> Figure:
    """Diagonals of the first half of the heads of g_2*, and Hamming distances of all codes."""
    half, d = len(a) // 2, b.shape[1]
    features = range(1, d + 1)
    fig, (left, right) = plt.subplots(
        1, 2, figsize=(figures.WIDTH, 3.2), width_ratios=[1.1, 1]
    )  # fmt: skip
    names = [f"{i + 1}: $a={int(w):+d}$" for i, w in enumerate(a[:half])]
    sns.heatmap(
        pd.DataFrame(b[:half], index=names, columns=features), ax=left, cmap="vlag", center=0,
        annot=d <= 8, fmt=".2g", cbar=False,
    )  # fmt: skip
    left.set(xlabel="feature $p$", title=r"heads of $g_2^*$, $\mathbf{B}_{pp}$")
    distance = [[(i ^ j).bit_count() for j in range(d)] for i in range(d)]
    sns.heatmap(
        pd.DataFrame(distance, index=features, columns=features), ax=right, cmap="YlGnBu",
        annot=d <= 8, cbar=False,
    )  # fmt: skip
    right.set(xlabel="$j$", ylabel="$i$", title="margin of the task $(i,j)$")
    for ax in (left, right):
        ax.tick_params(axis="y", rotation=0)
    return fig


def best_ranks(
    found: Mapping[int, Array], lengths: Sequence[int], sigmas: Sequence[float], d: int
) -> Figure:
    """Best rank for every length and noise level, a table for each pretraining length N."""
    fig, axes = plt.subplots(1, len(found), figsize=(figures.WIDTH, 2.9), sharey=True)
    for ax, (n, best) in zip(axes, found.items(), strict=True):
        sns.heatmap(
            pd.DataFrame(best, index=list(lengths), columns=list(sigmas)),
            annot=True, fmt="d", cmap="YlGnBu", vmin=0, vmax=d, ax=ax, cbar=False, square=False,
        )  # fmt: skip
        ax.set(title=f"N = {n}", xlabel=r"noise $\sigma$")
        ax.tick_params(axis="y", rotation=0)
    axes[0].set_ylabel("prompt length $M$")
    return fig


def flips(
    lam: Array, ranks: Sequence[int], settings: Sequence[tuple[int, int]], mode: str
) -> Figure:
    """Risk against the share of flipped labels for each rank: one panel for each (N, M)."""
    fig, axes = plt.subplots(1, len(settings), figsize=(figures.WIDTH, 3), sharey=True)
    shares = np.linspace(0, 1, 17)
    second = sorted(ranks)[min(1, len(ranks) - 2)]
    for ax, (n, m) in zip(axes, settings, strict=True):
        risk = partial(noise.mean_flip_risk, lam, M=m, sigma=0.0, mode=mode)
        curves = {r: [risk(optimum(lam, n, r), p=p) for p in shares] for r in ranks}
        draw_ranks(ax, shares, curves)
        at = noise.crossing(lam, n, m, 0.0, second, max(ranks), mode)
        ax.axvline(at, color="0.5", lw=0.8, ls=":")
        ax.set(title=f"N = {n}, M = {m}\ncross at {at:.2f}", xlabel="share flipped $p$")
    axes[0].set_ylabel("risk, mean over tasks")
    fig.legend(*axes[0].get_legend_handles_labels(), ncols=4, loc="outside lower center")
    return fig


def accuracy(shares: Array, curves: Mapping[int, Array]) -> Figure:
    """Accuracy of the sign against the share of flipped labels, by rank."""
    fig, ax = plt.subplots()
    draw_ranks(ax, shares, curves)
    ax.axhline(0.5, color="0.6", lw=0.8)
    ax.set(xlabel="share of flipped labels $p$", ylabel="accuracy of the sign", ylim=(0, 1))
    ax.legend()
    return fig


def draw_ranks(ax: Axes, x: Array, curves: Mapping[int, Any]) -> None:
    """One line per rank, distinguished by colour, style and mark."""
    shades = sns.color_palette("viridis_r", len(curves) + 1)[1:]
    styles = zip(shades, cycle(("-", "--", "-.", ":")), "osD^vPX*", strict=False)
    for (r, y), (shade, line, mark) in zip(curves.items(), styles, strict=False):
        ax.plot(x, y, line, marker=mark, color=shade, ms=4, label=f"$r={r}$")


def risk_by_noise(
    lam: Array, N: int, M: int, sigmas: Sequence[float], simulated: Sequence[float]
) -> Figure:
    """Mean risk against rank for each noise level, and simulated values for the middle one."""
    fig, ax = plt.subplots()
    for sigma, style, mark in zip(sigmas, ("-", "--", ":"), "osD", strict=True):
        curve = by_rank(lam, N, M, sigma, 0.0)
        ax.plot(range(len(curve)), curve, style, marker=mark, ms=4, label=f"σ = {sigma:g}")
    label = f"simulated, σ = {sigmas[1]:g}"
    ax.plot(range(len(simulated)), simulated, **figures.PAPER | {"label": label})
    ax.set(xlabel="rank $r$ of the model", ylabel=r"risk $\mathcal{L}$, mean over tasks")
    ax.legend()
    return fig


def implications(lam: Array, N: int, M: int, sigma: float, s: Array) -> Figure:
    """Approximate over exact gap from rank 2 against the pretraining length; N is marked."""
    fig, ax = plt.subplots()
    d, sizes = len(lam), np.geomspace(5, 1e5, 60).astype(int)
    r = min(2, d - 1)
    for r2, style in zip(sorted({r + 1, (r + d + 1) // 2, d}), ("-", "--", ":"), strict=False):
        implied = (r2 - r) / M * ((s**2 * lam).sum() + sigma**2)
        ratio = [implied / gap(s, lam, int(n), M, sigma, r, r2) for n in sizes]
        ax.loglog(sizes, ratio, style, label=f"rank {r2} against {r}")
    ax.axhline(1, color="0.6", lw=0.8)
    ax.axvline(N, color="0.6", lw=0.8, ls=":")
    ax.set(xlabel="examples in pretraining $N$", ylabel="approximate / exact gap")
    ax.legend()
    return fig


def parity_accuracy(shares: Array, found: Mapping[int, Array]) -> Figure:
    """Accuracies of g_1* and g_2*, (2, shares), against the share of flipped labels, by length."""
    fig, axes = plt.subplots(
        1, len(found), figsize=(figures.WIDTH, 2.8), sharey=True, squeeze=False
    )
    style = figures.styles("$g_1^*$", "$g_2^*$")
    for ax, (M, both) in zip(axes[0], found.items(), strict=True):
        for curve, (name, look) in zip(both, style.items(), strict=True):
            ax.plot(shares, curve, label=name, **look)
        ax.axhline(0.5, color="0.6", lw=0.8)
        ax.set(title=f"M = {M}", xlabel="share flipped")
    axes[0, 0].set_ylabel("accuracy")
    axes[0, -1].legend()
    return fig
