"""Figures of the chapters, drawn from the results of their experiments."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from featurebook import figures
from featurebook.papers.fourier_circuits import single, theory


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
