"""Figures of the chapters of this part, and frames of their sliders."""

from collections.abc import Callable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from featurebook import figures
from featurebook.papers.gemfilter import costs, data
from featurebook.papers.gemfilter.network import Size

KINDS = ("BOS", "Q", "filler", "key", "value")
COLOURS = ("#222222", "#c0392b", "#adadad", "#0173b2", "#de8f05")

METHODS = figures.styles("all KV", "GemFilter", "One-Run", "old places", "SnapKV", "H2O")
"""How each way to keep tokens looks, in every figure of the part."""

Curves = Mapping[str, NDArray[np.float64]]
"""Shares by method, a row per network."""


def kind(tokens: NDArray[np.int64], task: data.Task) -> NDArray[np.int64]:
    """0 to 4 for BOS, Q, filler, key, value."""
    edges = [1, 2, 2 + task.fillers, 2 + task.fillers + task.keys]
    return np.digitize(tokens, edges)


def selected(
    tokens: NDArray[np.int64], task: data.Task, scores: NDArray[np.float64],
    J: Sequence[int], needle: Sequence[int], title: str, limits: tuple[float, float],
) -> Figure:  # fmt: skip
    """Scores of the last row over the prompt; what is kept is marked, the needle hatched."""
    n, kinds = len(tokens), kind(tokens, task)
    fig, (ax, strip) = plt.subplots(
        2, 1, figsize=(figures.WIDTH, 4.6), sharex=True, height_ratios=(5, 3)
    )
    ax.axvspan(needle[0] - 0.5, needle[-1] + 0.5, color="0.8", hatch="///", ec="0.5", lw=0)
    ax.vlines(range(n), limits[0], scores, color=[COLOURS[c] for c in kinds], lw=2)
    ax.plot(J, scores[list(J)], "v", color="black", ms=6, mfc="none", label="kept")
    ax.set(title=title, ylabel="pooled score", ylim=limits)
    ax.legend(loc="upper left")
    for c in range(len(KINDS)):
        at = np.flatnonzero(kinds == c)
        strip.plot(at, np.full(len(at), -c), "s", color=COLOURS[c], ms=3.5)
    strip.set(yticks=[0, -1, -2, -3, -4], ylim=(-4.8, 0.8), xlabel="place in the prompt")
    strip.set_yticklabels(KINDS, fontsize=9)
    return fig


def heat(ax: Axes, share: NDArray[np.float64], lengths: Sequence[int], depths: Sequence[float],
         title: str) -> None:  # fmt: skip
    """A needle heat map with its numbers written in."""
    ax.imshow(share, vmin=0, vmax=1, cmap="cividis", aspect="auto")
    for (i, j), x in np.ndenumerate(share):
        ax.text(j, i, f"{x:.2f}", ha="center", va="center", fontsize=8,
                color="white" if x < 0.6 else "black")  # fmt: skip
    ax.set_xticks(range(len(lengths)), [str(n) for n in lengths])
    ax.set_yticks(range(len(depths)), [f"{d:.0%}" for d in depths])
    ax.set(title=f"{title}: {share.mean():.2f}", xlabel="tokens $n$")


def lines(ax: Axes, x: Sequence[float], curves: Curves) -> None:
    """Means over seeds (rows) with the seeds as thin lines; a method looks as in `METHODS`."""
    looks = figures.styles(*curves) | METHODS
    for name, y in curves.items():
        ax.plot(x, y.T, color=looks[name]["color"], lw=0.5, alpha=0.5)
        ax.plot(x, y.mean(0), label=name, **looks[name])


def by_length(lengths: Sequence[int], shares: Curves, trained_on: int) -> None:
    """Right answers against the length of the prompt; dotted the longest prompt in training."""
    _, ax = plt.subplots()
    lines(ax, lengths, shares)
    ax.axvline(trained_on, color="0.5", ls=":", lw=1)
    ax.set(xlabel="tokens of the prompt $n$", ylabel="share right", ylim=(0, 1.02), xticks=lengths)
    ax.legend(loc="lower left", ncols=2)


def by_budget(budgets: Sequence[int], shares: Curves) -> None:
    """Right answers against the number of tokens kept."""
    _, ax = plt.subplots()
    lines(ax, budgets, shares)
    ax.set(xlabel="tokens kept $k$", ylabel="share right", ylim=(0, 1.02), xticks=budgets)
    ax.legend(loc="lower right", ncols=2)


def by_layer(recall: NDArray[np.float64], away: NDArray[np.float64], chance: float) -> None:
    """Recall and distance to the needle (networks, layers); dashed that of random tokens."""
    _, (left, right) = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.2))
    layers = range(1, recall.shape[1] + 1)
    lines(left, list(layers), {"recall": recall})
    lines(right, list(layers), {"distance": away})
    right.axhline(chance, color="0.4", ls="--", lw=1)
    right.annotate("random tokens", (layers[-1], chance), xytext=(0, 4),
                   textcoords="offset points", ha="right", fontsize=9)  # fmt: skip
    left.set(
        xlabel="filter layer $r$", ylabel="recall of the needle", ylim=(0, 1.02), xticks=layers
    )
    right.set(xlabel="filter layer $r$", ylabel="distance in tokens", ylim=(0, None), xticks=layers)


def needle_maps(shares: Curves, lengths: Sequence[int], depths: Sequence[float]) -> None:
    """Heat maps of the means over networks, by method: shares (networks, depths, lengths)."""
    _, axes = plt.subplots(1, len(shares), figsize=(figures.WIDTH, 2.9), sharey=True)
    for ax, (name, share) in zip(axes, shares.items(), strict=True):
        heat(ax, share.mean(0), lengths, depths, name)
    axes[0].set_ylabel("depth of the needle")


def selections(
    prompt: data.Prompts, task: data.Task,
    by_layer: Mapping[int, tuple[NDArray[np.float64], list[int]]],
) -> Callable[[int], Figure]:  # fmt: skip
    """Draws what a layer points at in one prompt: pooled scores (n,) and kept places."""
    scores = np.concatenate([x for x, _ in by_layer.values()])
    limits, places = (scores.min(), 1.1 * scores.max()), prompt.needle[0].tolist()

    def frame(r: int) -> Figure:
        found, J = by_layer[r]
        title = f"layer {r}: {len({*J} & {*places})} of 3 needle tokens among {len(J)} kept"
        return selected(prompt.tokens[0].numpy(), task, found, J, places, title, limits)

    return frame


def operations(counted: pd.DataFrame, size: Size) -> None:
    """Operations of full and filter passes against n, and the ratios of the thesis's models."""
    _, (left, right) = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.4))
    small_passes(left, counted, size)
    speed_ups(right)


def small_passes(ax: Axes, counted: pd.DataFrame, size: Size) -> None:
    """Counts as marks, formulas as lines: the full pass, filter layers 2 and m."""
    fine = np.unique(np.geomspace(16, 4096, 40).astype(int)).tolist()
    curves = {
        "full": [costs.prompt_ops(size, n) for n in fine],
        "r = 2": [costs.filter_ops(size, n, 2) for n in fine],
        "r = m": [costs.filter_ops(size, n, size.layers) for n in fine],
    }
    for (name, y), look in zip(curves.items(), figures.styles(*curves).values(), strict=True):
        label = name.replace("m", str(size.layers))
        ax.loglog(fine, y, label=label, **look | {"marker": ""})
    for name in curves:
        one = counted[counted["pass"] == name]
        ax.loglog(one.n, one.counted, "o", color="black", mfc="none")
    ax.set(xlabel="tokens $n$", ylabel="operations")
    ax.legend()


def speed_ups(ax: Axes) -> None:
    """Full over filter pass of the thesis's models; dotted m / (r - 1), dashed m / r."""
    long = np.geomspace(1e3, 1e6, 30)
    looks = figures.styles(*costs.REAL)
    for name, x in costs.REAL.items():
        layer = costs.layer_ops(x.P, x.heads * x.d, long, long / 2)
        first = (x.r - 1) * layer + 2 * long * x.D * x.d * x.kv_heads
        ax.semilogx(long, x.m * layer / first, label=name, **looks[name] | {"marker": ""})
        ax.axhline(x.m / (x.r - 1), color="0.4", lw=1, ls=":")
        ax.axhline(x.m / x.r, color="0.4", lw=1, ls="--")
    ax.set(xlabel="tokens $n$", ylabel="full pass / filter pass", ylim=(1.5, 3.5))
    ax.legend()


def clock_and_peaks(
    lengths: Sequence[int], seconds: Mapping[str, Sequence[float]],
    held: Mapping[str, Sequence[int]], formula: Mapping[str, Sequence[int]], limit: float,
) -> None:  # fmt: skip
    """Seconds, and bytes held (marks) and by formula (lines); dotted all KV over ``limit``."""
    _, (left, right) = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.6))
    for name, y in seconds.items():
        look = METHODS[name]
        left.loglog(lengths, y, label=name, **look)
        right.loglog(lengths, held[name], **look | {"linestyle": "none"})
        right.loglog(lengths, formula[name], **look | {"marker": ""})
    fastest = np.array(seconds["all KV"]) / limit
    left.loglog(lengths, fastest, ":", color="0.3", label=f"all KV / {limit:g}")
    left.set(xlabel="tokens $n$", ylabel="seconds")
    right.set(xlabel="tokens $n$", ylabel="bytes at the peak")
    for ax in (left, right):
        ax.set_xticks(lengths, [str(n) for n in lengths])
        ax.minorticks_off()
    left.legend(fontsize=8)
