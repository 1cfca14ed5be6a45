"""Figures of the part that a reader moves through, and those of several panels."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from featurebook import figures
from featurebook.papers.nuclear_norm import plane, selection


def phase_frame(lam: float, sizes: list[int]) -> Figure:
    """The γ up to which the nuclear norm keeps the invariant features only, against |U|/r."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.6))
    looks = figures.styles(*(f"r = {r}" for r in sizes))
    shares = np.geomspace(0.5, 64, 15)
    for r in sizes:
        if lam >= selection.largest_lambda(r):
            continue
        q = np.maximum(1, np.round(shares * r).astype(int))
        edge = [selection.largest_gamma(r, int(n), lam) for n in q]
        ax.plot(q / r, edge, label=f"r = {r}", ms=4, **looks[f"r = {r}"])
    ax.plot(shares, np.minimum(0.5, 1 / np.sqrt(shares)), color="0.5", lw=1,
            label="|U| = r/γ²")  # fmt: skip
    ax.axhline(0.5, color="black", lw=1)
    ax.set(xscale="log", xlabel="|U| / r", ylabel="γ", ylim=(0.1, 0.52), xlim=(0.45, 70),
           title=f"λ = {lam:g}")  # fmt: skip
    ax.text(0.5, 0.12, "below a curve: only invariant features survive", fontsize=9)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 0.1), fontsize=8)
    return fig


def plane_frame(lam: float, p: float = 0.7) -> Figure:
    """ID and OOD samples with the population lines of weight decay and of the nuclear norm."""
    rng = np.random.default_rng(0)
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.5), sharey=True)
    slopes = {
        "weight decay": plane.slope_of_weight_decay(p, lam),
        "nuclear norm": plane.slope_of_nuclear_norm(p, lam),
    }
    for k, (ax, chance, name) in enumerate(zip(axes, (p, 1 - p), ("ID", "OOD"), strict=True)):
        y = rng.choice([-1, 1], 300)
        x1 = rng.random(300) * y
        x2 = rng.random(300) * y * np.where(rng.random(300) < chance, 1, -1)
        for label, colour, mark in ((1, "navy", "o"), (-1, "goldenrod", "^")):
            ax.plot(x1[y == label], x2[y == label], mark, color=colour, ms=3, alpha=0.6)
        told = []
        for (regulariser, c), style in zip(slopes.items(), ("--", "-"), strict=True):
            ax.plot([-c, c], [1, -1], style, color="black", lw=2)
            told.append(f"{regulariser} {plane.line(c, p)[k]:.3f}")
        ax.set(xlim=(-1, 1), ylim=(-1, 1), xlabel="$x_1$")
        ax.set_title(f"{name} accuracy: {told[0]} (dashed)\n{told[1]} (solid)", fontsize=9)
    axes[0].set_ylabel("$x_2$")
    fig.suptitle(f"λ = {lam:g}", fontsize=10)
    return fig
