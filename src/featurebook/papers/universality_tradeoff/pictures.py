"""Figures of the part that take more than a few lines."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from featurebook import figures, verdicts
from featurebook.papers.universality_tradeoff import circle, linear, printed, probes, tables


def saved_by_third(
    p: float, norms: ArrayLike, restarts: int, steps: int, seed: int
) -> NDArray[np.float64]:
    """Least loss without z_3 (the square) minus that with it, for fair z_1, z_2: one per norm."""
    joint = torch.tensor(np.repeat([[(1 - p) / 4], [p / 4]], 4, 0), dtype=torch.float64)
    return np.array([
        circle.polygon(4, B**2)
        - tables.least(joint, B, 2, restarts=restarts, steps=steps, seed=seed)[0]
        for B in np.asarray(norms, dtype=float)
    ])  # fmt: skip


def thresholds(
    norms: NDArray[np.float64], saved: Mapping[float, NDArray[np.float64]], proved: float
) -> Figure:
    """What the third feature saves, one line for each chance of it; shaded up to ``proved``."""
    fig, ax = plt.subplots()
    looks = figures.styles(*map(str, saved)).values()
    for (p, gain), look in zip(saved.items(), looks, strict=True):
        ax.plot(norms, 1e4 * np.maximum(gain, 0), label=f"Pr = {p:g}", ms=4, **look)
    ax.axvspan(norms[0], proved, color="0.92")
    ax.set(xlabel="norm $B_r$", ylabel="loss saved, in $10^{-4}$")
    ax.legend()
    return fig


def xor(points: NDArray[np.float64], labels: Any, b: float) -> Figure:
    """The four points of F.1.1, and the polynomial that proves them optimal."""
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.2))
    angle = np.linspace(0, 2 * np.pi, 200)
    axes[0].plot(np.cos(angle), np.sin(angle), color="0.7", lw=1)
    names = ["(-1,-1)", "(-1,+1)", "(+1,-1)", "(+1,+1)"]
    for point, label, name in zip(points, labels, names, strict=True):
        fill = "black" if label < 0 else "white"
        axes[0].plot(*point, "o", ms=10, mfc=fill, mec="black")
        axes[0].annotate(name, 0.62 * point, ha="center", va="center", fontsize=9)
    axes[0].set(aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1], title="filled: $y=-1$")
    axes[0].set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25))
    x = np.linspace(-1, 1, 201)
    coefficients = circle.certificate(b)
    if coefficients is None:
        raise ValueError(f"b = {b:g}: the square is not proved optimal")
    h = np.polynomial.chebyshev.chebval(x, coefficients)
    axes[1].plot(x, 1e4 * (circle.kernel(x, b) - h))
    axes[1].plot([-1, 0, 1], [0, 0, 0], "o", color="black", ms=5)
    axes[1].set(xlabel="inner product", ylabel="kernel - polynomial, $10^{-4}$")
    return fig


def printed_accuracies() -> Figure:
    """CIFAR-10 accuracy from Table F.5 against the mixture, for three shares of labels."""
    fig, axes = plt.subplots(1, 3, figsize=(figures.WIDTH, 3), sharey=True)
    cells = printed.table("F.5")
    for ax, share in zip(axes, ("1%", "10%", "100%"), strict=True):
        for name, look in figures.styles("LP", "FT", "Ours").items():
            some = cells[cells.method.eq(name) & cells.column.eq(share)]
            ax.errorbar(range(4), some.value, some["std"], label=name, ms=4, **look)
        ax.set(title=f"{share} of labels", xlabel="mixture")
        ax.set_xticks(range(4), ["C", "CS", "CSG", "CSGI"])
    axes[0].set_ylabel("accuracy, %")
    axes[0].legend()
    return fig


def square_frame(
    grids: Sequence[Any], titles: Sequence[str], names: Sequence[Sequence[str]]
) -> Figure:
    """Square matrices of similarities side by side, with their numbers."""
    fig, axes = plt.subplots(1, len(grids), figsize=(figures.WIDTH, 3.4), squeeze=False)
    for ax, grid, title, labels in zip(axes[0], grids, titles, names, strict=True):
        ax.imshow(grid, vmin=0, vmax=1, cmap="cividis")
        for (i, j), value in np.ndenumerate(grid):
            colour = "white" if value < 0.6 else "black"
            ax.text(j, i, f"{value:.2f}", ha="center", va="center", color=colour, fontsize=8)
        ax.set_xticks(range(len(labels)), labels, fontsize=8)
        ax.set_yticks(range(len(labels)), labels, fontsize=8)
        ax.set(title=title)
    return fig


def uneven_frame(sigma_S: float) -> Figure:
    """Weights of two tasks against the share of the first, s = q = 5."""
    share = np.linspace(0.5, 0.99, 8)
    found = np.array([linear.optimum(5, 5, (w, 1 - w), sigma_S) for w in share])
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    names = ("shared α", "first task α₁", "second task α₂")
    for column, (name, look) in zip(found.T, figures.styles(*names).items(), strict=True):
        ax.plot(share, column, label=name, ms=4, **look)
    ax.set(xlabel="share of the first task", ylabel="squared weight", ylim=(-0.05, 1.3))
    ax.set_title(f"standard deviation of shared features {sigma_S:g}")
    ax.legend(loc="upper center", ncols=3)
    return fig


def bars(ax: Axes, x: Sequence[int], risks: Sequence[NDArray[np.float64]], **look: Any) -> None:
    """A line through means of simulated risks, one array (reps,) a place, and 95 % intervals."""
    mean, _, high = np.transpose([verdicts.mean_interval(some) for some in risks])
    ax.plot(x, mean, **look)
    ax.errorbar(x, mean, high - mean, fmt="none", color=look["color"], capsize=3)


def tasks_axis(ax: Axes, tasks: Sequence[int]) -> None:
    """Numbers of tasks on a logarithmic axis."""
    ax.set(xscale="log", xlabel="tasks $T$")
    ax.set_xticks(list(tasks), [str(T) for T in tasks])
    ax.minorticks_off()


def risk_frame(m: int, tasks: Sequence[int], s: int, q: int, reps: int, seed: int) -> Figure:
    """Risk on the target against T for three noise levels, v_1 = v_2, with 95 % intervals."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    levels = (0.0, 0.5, 1.0)
    looks = figures.styles(*(f"noise {tau:g}" for tau in levels))
    few = min(reps, 60) if m > 40 else reps
    for tau, (name, look) in zip(levels, looks.items(), strict=True):
        risks = [
            probes.target_risks(T, s, q, 0.5, m, tau, few, np.random.default_rng([seed, m]))
            for T in tasks
        ]
        bars(ax, tasks, risks, label=name, ms=4, **look)
    tasks_axis(ax, tasks)
    ax.set(ylabel="risk on the target", ylim=(-0.05, 3.4), title=f"{m} labels")
    ax.legend(loc="upper left")
    return fig


def simulated_risks(risk: NDArray[np.float64], tasks: Sequence[int], s: int, q: int) -> Figure:
    """Risk on the target and on average against T, (2, tasks, runs, 2), v_1 = .5 and .9."""
    T = np.array(tasks)
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 2.7), sharex=True)
    looks = figures.styles("target task", "mean of all tasks")
    for ax, some, v1 in zip(axes, risk, (0.5, 0.9), strict=True):
        for k, (name, look) in enumerate(looks.items()):
            figures.band(ax, T, some[:, :, k], label=name, **look)
        factor = linear.leading_squared(T, s, q, v1, 1 - v1) / (s + q)
        ax.plot(T, factor * some[0, :, 0].mean(), ":", color="0.4", label="shape of the bound")
        tasks_axis(ax, tasks)
        ax.set(title=f"$v_1={v1:g}$", ylim=(0, None))
    axes[0].set_ylabel("risk")
    axes[0].legend()
    return fig


def weights(squares: NDArray[np.float64], tasks: Sequence[int], s: int, q: int) -> Figure:
    """Squared weights of the features of trained W, (tasks, runs, features), as a map."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.2))
    runs, features = squares.shape[1:]
    rows = squares.reshape(-1, features)
    scale = PowerNorm(0.5, 0, 1)  # small weights are to be told from none
    picture = ax.imshow(rows, aspect="auto", norm=scale, cmap="cividis")
    ends = [0, s, *(s + q * T for T in tasks), features]
    for edge in ends[1:-1]:
        ax.axvline(edge - 0.5, color="white")
    names = ["S", "$P_1$", *(f"to $P_{{{T}}}$" for T in tasks[1:]), "U"]
    ax.set_xticks([(a + b - 1) / 2 for a, b in pairwise(ends)], names, fontsize=8)
    ax.set_yticks(runs * (np.arange(len(tasks)) + 0.5) - 0.5, [f"T = {T}" for T in tasks])
    fig.colorbar(picture, label="squared weight")
    return fig


def model(T: int, s: int, q: int) -> Figure:
    """Which features T tasks use, and the squared weights after pre-training on all of them."""
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 2.6))
    k = s + T * q
    used = np.zeros((T, k))
    used[:, :s] = 1
    for t in range(T):
        used[t, s + t * q : s + (t + 1) * q] = 1
    axes[0].pcolormesh(used[::-1], cmap="Greys", vmax=1.6, edgecolor="0.8")
    axes[0].set_yticks(np.arange(T) + 0.5, [f"task {t}" for t in range(T, 0, -1)])
    axes[1].bar(np.arange(k) + 0.5, np.r_[np.ones(s), np.full(T * q, 1 / T)], 1, color="0.6")
    axes[1].set(ylabel="squared weight", ylim=(0, 1.1))
    names = ["$S$", *(f"$P_{t + 1}$" for t in range(T))]
    places = [s / 2, *(s + (t + 0.5) * q for t in range(T))]
    for ax in axes:
        ax.set_xticks(places, names)
        ax.set(xlim=(0, k))
    return fig


def who_pays(
    v1: float, tasks: Sequence[int], s: int, q: int, m: int, tau: float, reps: int, seed: int
) -> Figure:
    """Risk on the target and over all tasks against T, for one share v_1 of shared weight."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.2))
    most = max(tasks)
    target, mean = [], []
    for T in tasks:
        rng = np.random.default_rng([seed, 8, T])
        target.append(probes.target_risks(T, s, q, v1, m, tau, reps, rng))
        mean.append(probes.average_risks(T, most, s, q, v1, m, tau, reps, rng))
    looks = figures.styles("target task", "mean of all tasks")
    for (name, look), risks in zip(looks.items(), (target, mean), strict=True):
        bars(ax, tasks, risks, label=name, **look)
    factor = linear.leading_squared(np.array(tasks), s, q, v1, 1 - v1) / (s + q)
    ax.plot(tasks, factor * target[0].mean(), ":", color="0.4", label="shape of the bound")
    best = linear.best_tasks(s, q, v1, 1 - v1)
    if 1 < best < most:
        ax.axvline(best, color="0.7", lw=1)
    tasks_axis(ax, tasks)
    ax.set(ylabel="risk", ylim=(0, 1.6), title=f"$v_1 = {v1:g}$, $v_2 = {1 - v1:.2g}$")
    ax.legend(loc="upper left")
    return fig
