"""Why weight decay keeps environmental features and the nuclear norm drops them, in pictures."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from featurebook import figures
from featurebook.papers.nuclear_norm import model, selection

Array = NDArray[np.float64]
STYLES = {"weight decay": ("C0", "-"), "nuclear norm": ("C1", "--")}


def objectives(task: model.Task, lam: float, alpha: float, beta: Array) -> dict[str, Array]:
    """Loss plus penalty against β, α being fixed, less what both are at β = 0."""
    at = [0.0, *beta]
    loss = np.array([model.loss([alpha, b], task.gammas, task.counts) for b in at])
    square = np.array([(task.r * alpha**2 + task.q * b**2) / 2 for b in at])
    nuclear = np.array([selection.penalty(task, alpha, b) for b in at])
    return {
        name: (value - value[0])[1:]
        for name, value in (
            ("weight decay", loss + lam * square),
            ("nuclear norm", loss + lam * nuclear),
        )
    }


def price(task: model.Task) -> float:
    """What the nuclear norm asks for the first bit of β: its slope at β = 0."""
    spread = np.sqrt(1 / 3 - task.gamma**2)
    return float(
        (task.q - 1) * spread + np.sqrt(spread**2 + task.q * task.gamma**2 / (1 + 3 * task.r))
    )


def corner(ax: Axes, task: model.Task, lam: float) -> None:
    """Both objectives against β at the α of the nuclear norm."""
    alpha, beta = selection.invariant_weight(task.r, lam), np.linspace(0, 0.2, 60)[1:]
    for name, values in objectives(task, lam, alpha, beta).items():
        colour, style = STYLES[name]
        ax.plot([0, *beta], [0, *values], linestyle=style, color=colour, label=name)
    ax.axhline(0, color="black", lw=0.6)
    ax.set(xlabel=r"weight $\beta$", ylabel="change of the objective")
    ax.legend()


def outvoted(ax: Axes, r: int, gamma: float, lam: float) -> None:
    """Mean margin of the optimum of weight decay, in and out of distribution, against |U|."""
    counts = np.unique(np.geomspace(1, 4 * r / gamma**2, 25).astype(int))
    best = [model.weight_decay(model.Task(r, int(q), gamma), lam) for q in counts]
    alpha, beta = np.array(best).T
    for sign, name, style in ((1, "in distribution", "-"), (-1, "out of it", "--")):
        margin = alpha * r / 2 + sign * beta * gamma * counts
        ax.semilogx(counts, margin, linestyle=style, label=name)
    ax.axhline(0, color="black", lw=0.6)
    ax.axvline(r / (4 * gamma**2), color="black", ls=":", lw=1)
    ax.set(xlabel="environmental features $|U|$", ylabel="mean margin")
    ax.legend()


def two_halves(task: model.Task, lam: float) -> Figure:
    """The corner of the nuclear norm, and how many weak features outvote the strong ones."""
    fig, (first, second) = plt.subplots(2, 1, figsize=(figures.NARROW, 5.2))
    corner(first, task, lam)
    outvoted(second, task.r, task.gamma, lam)
    return fig
