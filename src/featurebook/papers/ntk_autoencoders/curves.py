"""Figures of the chapters on training: errors, movements and predictions."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor

from featurebook import figures
from featurebook.papers.ntk_autoencoders import bounds, network, tied
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.papers.ntk_autoencoders.pictures import TINTS, WIDTH

if TYPE_CHECKING:
    from featurebook.papers.ntk_autoencoders.checks.regimes import Runs


def ticks(ax: Axes, values: Sequence[int]) -> None:
    """These ticks and no others along a logarithmic axis."""
    ax.set_xticks(values, [str(x) for x in values])
    ax.xaxis.set_minor_locator(plt.NullLocator())


def training(runs: "Runs", shape: Geometry) -> Figure:
    """Relative error of each regime and width (median and range), and the proved rate."""
    widths = sorted({m for _, m in runs})
    steps = len(runs["weak", widths[0]].seen["error"]) - 1
    figure, axes = plt.subplots(3, 1, sharex=True, sharey=True, figsize=(WIDTH, 6.6))
    for ax, regime in zip(axes, network.GRADIENTS, strict=True):
        for j, (m, marker) in enumerate(zip(widths, figures.MARKERS, strict=False)):
            error = runs[regime, m].seen["error"] / runs[regime, m].seen["error"][0]
            line = {"color": TINTS[regime], "alpha": 0.3 + 0.7 * (j + 1) / len(widths), "ms": 5}
            line |= {"marker": marker, "markevery": (steps // 40 * (j + 1), max(steps // 6, 1))}
            figures.band(ax, range(steps + 1), error, centre="median", label=f"$m$ = {m}", **line)
        eta = runs[regime, widths[-1]].eta
        proved = (1 - eta * shape.lambda_0 / (2 * shape.d)) ** np.arange(steps + 1)
        ax.plot(proved, color=TINTS["printed"], ls="--", lw=1.4)
        text = r"rate of $\lambda_0$" if regime == "decoder" else "proved rate"
        ax.annotate(text, (steps, proved[-1]), (0, 16), textcoords="offset points",
                    color=TINTS["printed"], ha="right", fontsize="small")  # fmt: skip
        ax.set(yscale="log", ylim=(1e-13, 30))
        ax.set_title(regime, loc="left")
    axes[1].set_ylabel(r"$\|X - U(k)\|_F^2 \,/\, \|X - U(0)\|_F^2$")
    axes[-1].set_xlabel("step $k$")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def movements(runs: "Runs", shape: Geometry) -> Figure:
    """How far one neuron and all together have moved at the end, against the width."""
    widths = sorted({m for _, m in runs})
    panels = (
        (("weak", "max_r", "o", "weak"), ("joint", "max_r", "s", "joint")),
        (
            ("weak", "W", "o", "weak, $W$"),
            ("joint", "W", "s", "joint, $W$"),
            ("joint", "A", "v", "joint, $A$"),
        ),
    )
    figure, axes = plt.subplots(2, 1, figsize=(WIDTH, 5.6), sharex=True)
    for ax, shown in zip(axes, panels, strict=True):
        for regime, quantity, marker, text in shown:
            values = np.stack([runs[regime, m].seen[quantity][-1] for m in widths])
            line = {"color": TINTS[regime], "marker": marker, "ls": ":" if quantity == "A" else "-"}
            ax.loglog(widths, values, marker, color=TINTS[regime], ms=3, alpha=0.5)
            ax.loglog(widths, values.mean(1), label=text, **line)
    radius = [float(bounds.weak_radius(shape, m, 1.5 * shape.n, factor=4)) for m in widths]
    axes[0].loglog(widths, radius, color=TINTS["printed"], ls="--", label="Lemma 4.5")
    axes[0].set(ylabel=r"$\max_r\|w_r - w_r(0)\|$", title="one neuron")
    axes[1].set(xlabel="width $m$", ylabel="Frobenius norm", ylim=(1, 100), title="all together")
    for ax in axes:
        ticks(ax, widths)
        figures.label_lines(ax)
    figures.label_panels(axes)
    return figure


def predictions(
    curves: Mapping[str, Mapping[str, Tensor]], etas: Mapping[str, float], shape: Geometry
) -> Figure:
    """Errors in the time of gradient flow, as they are and as the kernel at the start has them."""
    figure, ax = plt.subplots(figsize=(WIDTH, 4))
    for (regime, curve), marker in zip(curves.items(), "osD", strict=True):
        t, look = etas[regime] * np.arange(len(curve["true"])), {"marker": marker, "markevery": 15}
        ax.semilogy(t, curve["true"], color=TINTS[regime], lw=2.5, label=regime, **look)
        text = "predicted" if regime == "joint" else None
        ax.semilogy(t, curve["at the start"], color="black", ls=":", lw=1.4, label=text)
    ts = np.linspace(0, 400, 50)
    proved = float(curves["joint"]["at the start"][0]) * np.exp(-shape.lambda_0 * ts / shape.d)
    text = r"proved, $e^{-\lambda_0 t/d}$"
    ax.semilogy(ts, proved, color=TINTS["printed"], ls="--", label=text)
    ax.set(xlabel=r"time $t = \eta k$", ylabel=r"$\|X - U\|_F^2$", xlim=(0, 400), ylim=(1e-9, 50))
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def digits(errors: Mapping[str, Tensor]) -> Figure:
    """Error per sample (steps + 1, networks) of each regime on real data."""
    figure, ax = plt.subplots(figsize=(WIDTH, 3.4))
    for (regime, error), style in zip(errors.items(), ("--", "-"), strict=True):
        text, k = [regime, None, None], np.arange(1, len(error) + 1)
        ax.loglog(k, error, color=TINTS[regime], lw=1.4, ls=style, label=text)
    ax.set(xlabel="step $k + 1$", ylabel=r"$\|X - U(k)\|_F^2 / n$")
    figures.label_lines(ax)
    return figure


def tied_errors(table: pd.DataFrame, d: int) -> Figure:
    """Errors of tied networks before and after training against the width, and Lemma 6.1."""
    figure, ax = plt.subplots(figsize=(WIDTH, 4))
    looks = {"train before": "o-", "test before": "s--", "train after": "^-", "test after": "D--"}
    for column, look in looks.items():
        when = column.partition(" ")[2]
        tint = TINTS["tied"] if when == "before" else TINTS["joint"]
        text = f"{'samples' if 'train' in column else 'new points'}, {when}"
        ax.loglog(table.m, table[column], look[0], ms=3, alpha=0.5, color=tint)
        ax.loglog(table.groupby("m")[column].mean(), look, ms=6, color=tint, label=text)
    widths = table.m.unique().tolist()
    lemma = [tied.expected_error(d, m) for m in widths]
    ax.loglog(widths, lemma, **figures.PAPER | {"markersize": 9})
    ax.annotate(
        "Lemma 6.1: $(2d+3)/m$", (widths[0], lemma[0]),
        xytext=(10, 8), textcoords="offset points", fontsize="small",
    )  # fmt: skip
    ticks(ax, widths)
    ax.set(xlabel="width $m$", ylabel=r"$\|x - u\|^2$, mean")
    figures.label_lines(ax)
    return figure


def perturbations(
    moved: pd.DataFrame, Q: NDArray[np.float64], ceiling: NDArray[np.float64], delta: float
) -> Figure:
    """Change of G by adversaries (R by moves), the count Q that bounds every move, the lemma."""
    radii = moved.index.tolist()
    figure, ax = plt.subplots(figsize=(WIDTH, 4))
    for (name, marker), style in zip(zip(moved, "os^", strict=True), ("-", "--", ":"), strict=True):
        look = {"marker": marker, "ms": 5, "color": TINTS["G"], "ls": style}
        ax.loglog(moved[name].where(moved[name] > 0), label=name, **look)
    ax.loglog(radii, Q, color="0.3", label="$Q$")
    ax.loglog(radii, ceiling, color=TINTS["printed"], ls=":", label="$2n^2dR$")
    ax.loglog(radii, ceiling / delta, color=TINTS["printed"], ls="--", label=r"$2n^2dR/\delta$")
    ax.set(xlabel="$R$", ylabel=r"$\|G(\tilde w) - G(w)\|$")
    figures.label_lines(ax)
    return figure


def decoder_movement(runs: Mapping[int, NDArray[np.float64]], times: Sequence[float]) -> Figure:
    """The decoder's movement over the radius of Lemma 5.5 against time, by width."""
    figure, ax = plt.subplots(figsize=(WIDTH, 3.4))
    for (m, ratio), style in zip(runs.items(), ("-", "--", "-."), strict=False):
        ax.plot(times, ratio, ls=style, color=TINTS["joint"], label=f"$m$ = {m:,}")
    for level, style, tint, text in (
        (1, "-", TINTS["printed"], ""), (sqrt(5) / 2, ":", "0.35", r"$\sqrt{5}/2$")
    ):  # fmt: skip
        ax.plot([0, times[-1]], [level, level], color=tint, ls=style, lw=1.2)
        ax.text(times[-1] / 2, level + 0.02, text, color=tint, fontsize="small")
    ax.text(times[-1] / 2, 0.93, "Lemma 5.5 allows 1", color=TINTS["printed"], fontsize="small")
    ax.set(xlabel="time $t$", ylabel=r"$\|A(t) - A(0)\|_F \,/\, R_a'$", ylim=(0, 1.25))
    figures.label_lines(ax)
    return figure
