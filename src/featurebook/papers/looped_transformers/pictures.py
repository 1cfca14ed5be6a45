"""Figures of the chapters, drawn from the results of their experiments."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from featurebook import figures
from featurebook.papers.looped_transformers import experiments, randmat, theory

Floats = NDArray[np.float64]


def frame(states: Sequence[Floats], theta: Floats, alpha: float, t: int) -> Figure:
    """The table after t loops, what has changed in it since the start, and the answer's path.

    All frames of one prompt have the same axes and colours.

    Args:
        states: Z^(0), ..., Z^(T), each (n + 1, d + 1).
        theta: hidden task θ*, (d,).
    """
    n, d = states[0].shape[0] - 1, len(theta)
    colour = figures.colours("answer", "target")
    fig = plt.figure(figsize=(figures.WIDTH, 3.8))
    grid = fig.add_gridspec(1, 3, width_ratios=[1, 1, 2.6])
    top = max(1e-9, *(float(np.abs(Z[np.isfinite(Z)]).max()) for Z in (states[0], states[-1])))
    tables = {f"after {t} loops": states[t], "change so far": states[t] - states[0]}
    for k, (title, table) in enumerate(tables.items()):
        ax = fig.add_subplot(grid[k])
        image = ax.imshow(table, cmap="vlag", vmin=-top, vmax=top, aspect="auto", rasterized=True)
        ax.axhline(n - 0.5, color="black", lw=1)
        ax.axvline(d - 0.5, color="black", lw=0.8, ls=":")
        ax.set_title(title, fontsize=10)
        ax.set_xticks([(d - 1) / 2, d], ["$x$", "$y$"])
        ax.set_yticks([(n - 1) / 2, n], ["examples", "answer"] if k == 0 else ["", ""])
        ax.tick_params(length=0)
    fig.colorbar(image, ax=fig.axes, label="entry", location="bottom", shrink=0.9, aspect=30)
    ax = fig.add_subplot(grid[2])
    path = np.array([-Z[n, :d] / alpha for Z in states])  # (T + 1, d)
    steps = np.arange(len(path))
    for i in range(d):
        dash = figures.DASHES[i % len(figures.DASHES)]
        ax.plot(steps, path[:, i], linestyle=dash, color=colour["answer"])
    end = len(path) * 1.03
    ax.plot(np.full(d, end), theta, "D", ms=6, color=colour["target"], clip_on=False)
    ax.plot(np.full(d, t), path[t], "o", ms=6, color=colour["answer"])
    ax.axvline(t, color="0.5", lw=0.8)
    ax.annotate(r"$\theta^*$", (end, theta.max()), (4, 6), textcoords="offset points")
    ax.set(xlabel="loop $t$", ylabel=r"answer over $\alpha$, each coordinate", xlim=(-0.5, end))
    return fig


def schedules(
    t: int,
    shares: Floats,
    left: Mapping[str, Floats],
    bounds: Mapping[str, ArrayLike],
    printed: Floats,
    colour: Mapping[str, str],
) -> Figure:
    """What t loops leave of each eigendirection, and the guaranteed error against the loops.

    Args:
        shares: eigenvalues over the largest, (k,).
        left: what each schedule leaves of them, (k,), by name.
        bounds: the error that it guarantees after 1, 2, ... loops, (T,), by the same names.
        printed: the bound as printed, (T,).
        colour: of each name, and of "bound".
    """
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.3))
    axis = np.arange(1, len(printed) + 1)
    for (name, bound), line in zip(bounds.items(), ("-", "--", "-."), strict=True):
        style = {"linestyle": line, "color": colour[name], "label": name}
        axes[0].plot(shares, left[name], **style)
        axes[1].semilogy(axis, bound, markevery=[t - 1], marker="o", **style)
    axes[1].semilogy(axis, printed, ":", color=colour["bound"], label="printed")
    axes[0].set(xlabel=r"eigenvalue $\lambda/L$", ylabel="share left", ylim=(-0.03, 1.03))
    axes[1].set(xlabel="loops $T$", ylabel="guaranteed error")
    axes[1].legend()
    figures.label_panels(axes)
    return fig


def bounds(lam: Floats, tasks: Floats, T: int) -> Figure:
    """Errors of the prediction on one prompt, over random tasks and for the worst one, and bounds.

    Args:
        lam: eigenvalues of XᵀX, (d,), ascending.
        tasks: squared components of random tasks, (k, d).
    """
    colour = figures.colours("answer", "target", "printed", "sharp")
    t, kappa = np.arange(T + 1), lam[-1] / lam[0]
    rest = (1 - lam / lam[-1]) ** t[:, None]  # (T + 1, d)
    low, mid, high = np.quantile(tasks @ rest.T, [0.01, 0.5, 0.99], axis=0)
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.4))
    ax.fill_between(t, low, high, color="0.85", label="98% of tasks")
    ax.semilogy(t, mid, color="0.4", label="median task")
    ax.plot(t[::4], rest[::4, 0], "o", ms=4, color=colour["answer"], label="worst task")
    for values, line, name, label in (
        (theory.sharp_bound(t, kappa), "-", "sharp", r"sharp: $(1-1/\kappa)^t$"),
        (theory.printed_bound(t, kappa), "--", "printed", r"printed: $e^{-t/2\kappa}$"),
    ):
        ax.plot(t, values, line, color=colour[name], label=label)
    ax.set(xlabel="loop $t$", ylabel=r"error over $|\alpha|$", title=rf"$\kappa={kappa:.2f}$")
    ax.legend()
    return fig


def convergence(curves: Mapping[int, tuple[Floats, Floats, Floats]]) -> Figure:
    """Figure 8.1 without rounding: squared errors of single prompts, both means and both bounds.

    Args:
        curves: by n, what `experiments.trial_curves` gives.
    """
    rows = -(-len(curves) // 2)
    fig, axes = plt.subplots(rows, 2, figsize=(figures.WIDTH, 2.6 * rows), sharex=True, sharey=True)
    t, short = np.arange(41), slice(0, 41)
    for ax, (n, (_, exact, kappa)) in zip(axes.flat, curves.items(), strict=False):
        mean_kappa = kappa.mean()
        ax.plot(t, exact[:, short].T, color="0.75", lw=0.6)
        ax.plot(t, exact.mean(0)[short], color="C0", label="mean of ln")
        ax.plot(t, experiments.log_mean(exact)[short], "--", color="C1", label="ln of mean")
        ax.plot(t, -t / mean_kappa, ":", color="C3", label=r"theory: $-t/\bar\kappa$")
        sharp = 2 * t * np.log1p(-1 / mean_kappa)
        ax.plot(t, sharp, "-.", color="C2", label=r"sharp: $2t\ln(1-1/\bar\kappa)$")
        ax.set(title=rf"$n={n}$, $\bar\kappa={mean_kappa:.2f}$", ylim=(-85, 2))
    axes.flat[0].legend(fontsize=8, loc="lower left")
    fig.supxlabel("loop $t$", fontsize=10)
    fig.supylabel("ln of the squared error", fontsize=10)
    return fig


def floor(curves: Mapping[int, tuple[Floats, Floats, Floats]]) -> Figure:
    """The same in float64, where rounding stops the error, with the printed bound."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    colour = figures.colours(*map(str, curves)).values()
    for (n, (computed, _, kappa)), c, style in zip(
        curves.items(), colour, ["-", "--", "-.", ":"] * 2, strict=False
    ):
        t = np.arange(computed.shape[1])
        line = -t / kappa.mean()
        ax.plot(t, experiments.log_mean(computed), style, color=c, lw=1.5, label=f"$n={n}$")
        ax.plot(t, line, color="0.6", lw=0.8)
        ax.annotate(f"{n}", (t[-1], line[-1]), (2, -3), textcoords="offset points", fontsize=8)
    ax.plot([], [], color="0.6", lw=0.8, label="bound, $n$ at its end")
    ax.set(xlabel="loop $t$", ylabel="ln of the squared error")
    ax.legend(loc="lower left")
    return fig


def conditioning(quantiles: Mapping[str, Floats], cells: pd.DataFrame, d: int) -> Figure:
    """Condition numbers against n: quantiles, printed averages and ours, the limit, the bound.

    Args:
        quantiles: "low", "middle" and "high" at "n".
        cells: columns label ("n = 16"), paper, ours, low, high.
    """
    n, low, middle, high = (quantiles[name] for name in ("n", "low", "middle", "high"))
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.6))
    ax.fill_between(n, low, high, color="0.88", label="95% of prompts")
    ax.loglog(n, middle, color="0.4", label="median prompt")
    ax.loglog(n, randmat.limit(np.sqrt(d / n)), "--", color="C0", label="Marchenko-Pastur limit")
    bound = [randmat.kappa_bound(int(k), d, 0.05) for k in n]
    ax.loglog(n, bound, ":", color="C3", label="bound, probability 95%")
    at = [int(label.removeprefix("n = ")) for label in cells.label]
    spread = [cells.ours - cells.low, cells.high - cells.ours]
    ax.errorbar(at, cells.ours, spread, fmt="none", ecolor="black", capsize=4, label="mean of ten")
    ax.plot(at, cells.paper, label="paper", **figures.PAPER)
    ax.set(xlabel="examples $n$", ylabel=r"$\kappa$", ylim=(1, 200))
    ax.legend()
    return fig


def quoted(left: Sequence[float]) -> Figure:
    """The chapter's bound, the sharp one and the quoted one against loops, for d = 4.

    Args:
        left: what a fixed step 1/n leaves after 1, 2, ... loops, n = 10⁶.
    """
    T = np.arange(1, 21)
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.5))
    printed = theory.printed_bound(T, 3.0)
    ax.semilogy(T, printed, "-", color="C0", label=r"$e^{-T/2\kappa}$, $\kappa=3$")
    ax.semilogy(T, theory.sharp_bound(T, 3.0), "-.", color="C2", label=r"sharp, $\kappa=3$")
    for power in (6, 10, 14):
        at = theory.quoted_bound(T, 4, 10**power)
        ax.semilogy(T, at, "--", color="C3", lw=1, label="quoted" if power == 6 else None)
        ax.semilogy(T[at <= 1], at[at <= 1], "--", color="C3", lw=3)
        name = rf"$n=10^{{{power}}}$"
        ax.annotate(name, (20, at[-1]), (4, -3), textcoords="offset points", fontsize=8)
    name = r"error of the step $1/n$, $n=10^6$"
    ax.semilogy(T[: len(left)], left, "o", color="black", ms=4, label=name)
    ax.set(xlabel="loops $T$", ylabel="bound on the error", ylim=(1e-24, 1e14), xlim=(0.5, 22))
    ax.set_xticks([1, 5, 10, 15, 20])
    fig.legend(loc="outside upper center", ncols=2)
    return fig


def masks(errors: Mapping[str, Floats]) -> Figure:
    """Median and middle half of the errors of the estimate against loops, for each mask.

    Args:
        errors: (T + 1, prompts), maybe infinite, by mask.
    """
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.3))
    for k, ((kind, error), line) in enumerate(
        zip(errors.items(), ("-", "--", "-.", ":"), strict=True)
    ):
        finite = np.where(np.isfinite(error), error, 1e9)
        low, middle, high = np.nanquantile(finite, [0.25, 0.5, 0.75], axis=1)
        ax.semilogy(middle, line, color=f"C{k}", label=kind)
        ax.fill_between(range(len(middle)), low, high, color=f"C{k}", alpha=0.15, lw=0)
    ax.set(xlabel="loop $t$", ylabel=r"$\|q/\alpha-\theta^*\|$", ylim=(1e-6, 1e3))
    ax.legend()
    return fig


def softmax(errors: Mapping[str, Floats]) -> Figure:
    """Median errors of the estimate against loops: linear, softmax, and softmax with mirrors.

    Args:
        errors: (T + 1, prompts), by name, in this order.
    """
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.3))
    for k, (name, error) in enumerate(errors.items()):
        line, marker = ("-", "--", ":", ":")[k], "os"[k % 2] if k > 1 else None
        style = {"marker": marker, "markevery": 5, "ms": 4, "color": f"C{k}"}
        ax.semilogy(np.median(error, axis=1), line, label=name, **style)
    ax.set(xlabel="loop $t$", ylabel=r"$\|q/\alpha-\theta^*\|$", ylim=(1e-6, 1e2))
    ax.legend(fontsize=8)
    return fig


def learned(left: Mapping[int, Floats], reference: Floats) -> Figure:
    """Mean and median squared errors of trained transformers against loops, a panel for each.

    Args:
        left: (seeds, mean and median, loops + 1), by the loops of the training.
        reference: errors of the construction with the step 1/L, (loops + 1, prompts).
    """
    fig, axes = plt.subplots(1, len(left), figsize=(figures.WIDTH, 3.7), sharey=True, squeeze=False)
    for ax, (T, errors) in zip(axes[0], left.items(), strict=True):
        for k, (line, name) in enumerate((("-", "mean"), ("--", "median"))):
            values = errors[:, k]
            ax.semilogy(values.mean(0), line, color="C0", label=f"trained, {name}")
            loops = range(values.shape[1])
            ax.fill_between(loops, values.min(0), values.max(0), color="C0", alpha=0.2, lw=0)
        ax.plot(reference.mean(1), "-", color="0.6", label="1/L, mean")
        ax.plot(np.median(reference, axis=1), "--", color="0.6", label="1/L, median")
        ax.axvline(T, color="black", lw=0.8, ls=":")
        ax.set(title=f"trained with {T}", xlabel="loop $t$", ylim=(1e-4, 1e4))
    axes[0, 0].set_ylabel(r"$\|q/\alpha-\theta^*\|^2$")
    names = axes[0, 0].get_legend_handles_labels()
    fig.legend(*names, loc="outside lower center", ncols=4, fontsize=9)
    return fig


def rounding(table: pd.DataFrame, loops: int) -> Figure:
    """Rounding errors of the answer and their bounds, a row for each prompt.

    Args:
        table: of `experiments.rounding_table`.
    """
    colour = figures.colours("float64", "float32")
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 4.6))
    names = list(table.case.unique())
    for dtype, marker in (("float64", "o"), ("float32", "s")):
        part = table[(table.dtype == dtype) & (table.loop > 0)]
        rows = [names.index(c) for c in part.case]
        c, bound = colour[dtype], part.loop / part.loop_of_bound
        ax.plot(part.loop, rows, marker, ms=5, color=c, label=f"{dtype}: error")
        ax.plot(bound, rows, "|", ms=9, mew=2, color=c, label="bound")
    ax.set_yticks(range(len(names)), names, fontsize=8)
    ax.invert_yaxis()
    ax.set(xscale="log", xlabel=f"relative error of the answer after {loops} loops")
    ax.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return fig
