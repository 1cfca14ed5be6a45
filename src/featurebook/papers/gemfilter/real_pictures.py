"""Figures of the chapter on a real language model."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from featurebook import figures
from featurebook.papers.gemfilter.pictures import heat
from featurebook.verdicts.chance import mean_interval

Array = NDArray[np.float64]
Costs = Mapping[str, Mapping[str, Sequence[float]]]
"""By what was measured and by method or pass, for each length."""


def recall_by_layer(
    recall: Array, control: Array, untrained: Array, marks: Mapping[str, int],
    depths: Sequence[float],
) -> None:  # fmt: skip
    """Recall by layer: above of texts as lines, below by depth of the needle.

    Args:
        recall, control: when the needle is asked for, and something else, (texts, layers, depths).
        untrained: (texts, layers).
        marks: layers by name.
    """
    _, (ax, low) = plt.subplots(
        2, 1, figsize=(figures.NARROW, 5.6), sharex=True, height_ratios=(3, 2)
    )
    layers = range(1, recall.shape[1] + 1)
    curves = {"asked for": recall.mean(2), "something else asked": control.mean(2),
              "untrained": untrained}  # fmt: skip
    for (name, rows), look in zip(curves.items(), figures.styles(*curves).values(), strict=True):
        ax.plot(layers, rows.T, color=look["color"], lw=0.4, alpha=0.5)
        ax.plot(layers, rows.mean(0), label=name, **look | {"markersize": 4})
    for words, r in marks.items():
        ax.axvline(r, color="0.4", ls=":", lw=1)
        ax.annotate(words, (r, 1), xytext=(-3, -2), textcoords="offset points", ha="right",
                    va="top", fontsize=9, rotation=90)  # fmt: skip
    ax.set(ylabel="recall of the needle", ylim=(-0.02, 1.02))
    ax.legend(loc="center left", fontsize=9)
    x = recall.mean(0).T  # (depths, layers)
    found = low.imshow(x, vmin=0, vmax=1, cmap="cividis", aspect="auto",
                       extent=(0.5, len(layers) + 0.5, len(depths) - 0.5, -0.5))  # fmt: skip
    low.set_yticks(range(len(depths)), [f"{d:.0%}" for d in depths])
    low.set(xlabel="layer $r$", ylabel="depth")
    plt.colorbar(found, ax=low, label="recall")


def needle_maps(
    scores: Mapping[str, Array], lengths: Sequence[int], depths: Sequence[float]
) -> None:
    """Mean score by depth (rows) and length, of arrays (texts, lengths, depths), two in a row."""
    rows = -(-len(scores) // 2)
    _, axes = plt.subplots(rows, 2, figsize=(figures.NARROW, 2.3 * rows), sharey=True)
    for ax, (name, x) in zip(np.ravel(axes), scores.items(), strict=False):
        heat(ax, x.mean(0).T, lengths, depths, name)
    for ax in np.ravel(axes)[len(scores) :]:
        ax.axis("off")
    for ax in np.ravel(axes)[::2]:
        ax.set_ylabel("depth")


def scores_of_methods(scores: Mapping[str, Array]) -> None:
    """Mean score at the shortest length with 95 % intervals over the texts; dots are texts."""
    by_text = {name: x[:, 0].mean(-1) for name, x in scores.items()}
    _, ax = plt.subplots(figsize=(figures.NARROW, 0.34 * len(by_text) + 0.9))
    for y, rows in enumerate(by_text.values()):
        _dots(ax, y, rows)
    ax.set_yticks(range(len(by_text)), list(by_text))
    ax.invert_yaxis()
    ax.set(xlabel="score", xlim=(-0.02, 1.02))
    ax.grid(axis="x", color="0.9")


def _dots(ax: Axes, y: int, rows: Array) -> None:
    mean, low, high = mean_interval(rows, within=(0, 1))
    ax.plot(rows, np.full(len(rows), y), "o", color="0.6", ms=4, mfc="none")
    ax.errorbar(mean, y, xerr=[[mean - low], [high - mean]], fmt="D", color="#0173b2", ms=5)


def attention(example: Mapping[str, Any]) -> None:
    """Attention of the last token to all places, by layer; the needle is hatched."""
    layers = example["attention"]
    _, axes = plt.subplots(
        len(layers), 1, figsize=(figures.NARROW, 1.6 * len(layers)), sharex=True, squeeze=False
    )
    needle = example["needle"]
    for ax, (r, row) in zip(axes[:, 0], layers.items(), strict=True):
        ax.axvspan(needle[0] - 0.5, needle[-1] + 0.5, color="0.85", hatch="///", ec="0.5", lw=0)
        ax.semilogy(np.maximum(row, 1e-7), color="#0173b2", lw=0.8)
        ax.set(ylabel="attention", title=f"layer {r}", ylim=(1e-7, 1))
    last = axes[-1, 0]
    last.set_xlabel("place in the prompt")


def selected_by_layer(example: Mapping[str, Any]) -> None:
    """Places that each layer would keep, and those that SnapKV keeps, in one prompt."""
    one, many, needle = example["one"], example["many"], example["needle"]
    _, axes = plt.subplots(2, 1, figsize=(figures.NARROW, 5.4), sharex=True)
    titles = ("GemFilter, filtering with this layer", "SnapKV, any head of this layer")
    for ax, sets, title in zip(axes, (one, many), titles, strict=True):
        ax.axvspan(needle[0] - 0.5, needle[-1] + 0.5, color="0.85", hatch="///", ec="0.5", lw=0)
        for r, places in enumerate(sets, 1):
            at = np.unique(places).astype(float)
            ticks = np.tile([r - 0.3, r + 0.3, np.nan], len(at))  # one line, a third of the bytes
            ax.plot(np.repeat(at, 3), ticks, color="#0173b2", lw=0.6)
        ax.set(title=title, ylabel="layer")
    axes[1].set_xlabel("place in the prompt")


def costs(lengths: Sequence[int], found: Costs, share: float) -> None:
    """Seconds of the passes against n; dotted the filter's share of the layers of the whole."""
    _, ax = plt.subplots(figsize=(figures.NARROW, 3.4))
    whole, passes = found["prompt"]["all KV"], found["passes"]
    curves = {"whole model": whole, "first pass": passes["first"], "second pass": passes["second"]}
    for (words, y), look in zip(curves.items(), figures.styles(*curves).values(), strict=True):
        ax.loglog(lengths, y, label=words, **look)
    ax.loglog(lengths, share * np.array(whole), ":", color="0.3", label=f"{share:.2f} of the whole")
    ax.set(xlabel="tokens $n$", ylabel="seconds")
    _lengths(ax, lengths)


def memory(lengths: Sequence[int], found: Costs) -> None:
    """Peak of allocated megabytes against n by method; dotted the keys and values counted."""
    _, ax = plt.subplots(figsize=(figures.NARROW, 3.8))
    for (name, y), look in zip(found["peak"].items(), figures.styles(*found["peak"]).values(),
                               strict=True):  # fmt: skip
        counted = np.array(found["counted"][name])
        ax.loglog(lengths, np.array(y) / 1e6, label=name, **look | {"linestyle": "-"})
        ax.loglog(lengths, counted / 1e6, **look | {"linestyle": ":", "mfc": "none"})
    ax.set(xlabel="tokens $n$", ylabel="MB")
    _lengths(ax, lengths)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncol=len(found["peak"]), fontsize=9)


def _lengths(ax: Axes, lengths: Sequence[int]) -> None:
    ax.set_xticks(lengths, [str(n) for n in lengths])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.legend(fontsize=9)


def cost_table(lengths: Sequence[int], found: Costs) -> pd.DataFrame:
    """Seconds of prompt and answer, and megabytes at the peak and as counted, by length."""
    parts = {"prompt, s": ("prompt", 1.0), "answer, s": ("generation", 1.0),
             "peak, MB": ("peak", 1e6), "counted, MB": ("counted", 1e6)}  # fmt: skip
    frames = {words: pd.DataFrame(found[key], index=list(lengths)).rename_axis("n") / unit
              for words, (key, unit) in parts.items()}  # fmt: skip
    return pd.concat(frames, axis=1).round(2)


def shares_right(found: Mapping[str, Mapping[str, Array]]) -> pd.DataFrame:
    """Share of exact answers by method and task, with 95 % bootstrap intervals over texts."""
    return pd.DataFrame(
        {task: {name: _with_interval(rows) for name, rows in of.items()}
         for task, of in found.items()}
    )  # fmt: skip


def _with_interval(rows: Array, draws: int = 10_000) -> str:
    """The mean over texts, and its 95 % bootstrap interval."""
    again = np.random.default_rng(0).choice(rows, (draws, len(rows))).mean(1)
    low, high = np.quantile(again, (0.025, 0.975))
    return f"{rows.mean():.2f} [{low:.2f}, {high:.2f}]"


def shown_tokens(example: Mapping[str, Any]) -> str:
    """The kept tokens as text; where tokens between two of them are left out, a bar."""
    kept, words = example["kept"].tolist(), []
    for before, at in zip([-1, *kept], kept, strict=False):
        words += [" | "] * (at > before + 1 and before >= 0) + [example["tokens"][at]]
    return "".join(words).replace("\n", " ")
