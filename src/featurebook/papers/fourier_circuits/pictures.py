"""Figures of the chapters, drawn from the results of their experiments."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from torch import Tensor

from featurebook import figures
from featurebook.papers.fourier_circuits import ascent, circuits, network, single, theory


def flaws(k: int, p: int) -> Figure:
    """Efficiency of a neuron against the size of each flaw: formulas, and sums over all inputs."""
    labels = {
        "phase": "phase error, in quarter turns",
        "scale": "one vector 1 to 2 times as long",
        "split": "up to half of the power elsewhere",
    }
    colour = figures.colours(*labels)
    size = np.linspace(0, 1, 200)
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.2))
    for (flaw, label), style, marker in zip(labels.items(), ["-", "--", "-."], "os^", strict=True):
        curve = theory.flawed_efficiency(flaw, size, k)
        ax.plot(size, curve, style, color=colour[flaw], label=label)
        for t in (0.25, 0.5, 0.75):
            measured = single.measured_efficiency(*single.flawed_neuron(flaw, t, k, p))
            ax.plot(t, measured, marker, color=colour[flaw])
    ax.set(xlabel="size of the flaw", ylabel="efficiency", ylim=(-0.03, 1.05))
    ax.legend(loc="lower left", fontsize=8)
    return fig


def adding(frequencies: int) -> Figure:
    """Logits of 3 + 8 modulo 23 by the construction's neurons of the first frequencies."""
    p, right = 23, 3 + 8
    U, W = circuits.text_network(2, p)
    used = 8 * frequencies  # eight neurons for each
    row = network.logits(U[:used], W[:used])[3 * p + 8]
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 2.8))
    for c, bar in enumerate(ax.bar(range(p), row / row[right])):
        bar.set_hatch("//" if c == right else "")
    ax.set(xlabel="label $c$", ylabel="logit / right logit", ylim=(-1.1, 1.1))
    return fig


def maximum(
    pairs: Sequence[tuple[int, int]],
    built: Sequence[float],
    climbed: Mapping[tuple[int, ...], Tensor],
) -> Figure:
    """Margins over γ* of the construction, of random networks, and after ascent.

    Args:
        built: the construction's, one for each pair (k, p).
        climbed: those that ascent reached, by k, p and width m.
    """
    colour = figures.colours("construction", "ascent", "random")
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.3))
    for i, ((k, p), margin) in enumerate(zip(pairs, built, strict=True)):
        ax.plot(i, margin, "o", color=colour["construction"], label="" if i else "construction")
        drawn = ascent.start(k, p, 12, list(range(8)))
        random = network.normalized_margin(drawn["U"], drawn["W"]) / theory.gamma(k, p)
        ax.plot([i] * 8, random, "x", color=colour["random"], ms=4, label="" if i else "random")
    for i, reached in enumerate(climbed.values()):
        at = [len(pairs) + i] * len(reached)
        ax.plot(at, reached, "^", color=colour["ascent"], ms=5, label="" if i else "ascent")
    ax.axhline(1, color="black", lw=0.8)
    ax.set_yscale("symlog", linthresh=1)
    names = [f"{k},{p}" for k, p in pairs] + [f"{k},{p}\nm={m}" for k, p, m in climbed]
    ax.set_xticks(range(len(names)), names, fontsize=8)
    ax.margins(y=0.12)
    ax.set(xlabel="$k, p$", ylabel=r"normalised margin over $\gamma^*$")
    ax.legend(ncols=3, loc="lower left", fontsize=8)
    return fig
