"""Figures of the chapters, drawn from the results of their experiments."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from featurebook import figures
from featurebook.papers.looped_transformers import theory

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
