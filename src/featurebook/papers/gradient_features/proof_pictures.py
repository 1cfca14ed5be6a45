"""Why enough neurons are nice, and how they imitate a teacher, in pictures."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.stats import binom

from featurebook import figures

Array = NDArray[np.float64]


def imitators(target: float, thresholds: Array, within: float, z: Array) -> tuple[Array, Array]:
    """ReLUs with a threshold near the target's, (n, len(z)), and the largest error of their mean.

    Args:
        target: threshold of the teacher's neuron.
        thresholds: those of neurons in the teacher's direction.
        within: B_ε, the most by which a threshold may differ.
        z: where to look, along the direction.
    """
    near = thresholds[np.abs(thresholds - target) <= within]
    lines = np.maximum(z[None] - near[:, None], 0)
    error = np.abs(lines.mean(0) - np.maximum(z - target, 0))
    return lines, error


def proof(p: float, seed: int) -> Figure:
    """How many of m neurons are nice, and the mean of nice neurons against the teacher."""
    fig, (first, second) = plt.subplots(2, 1, figsize=(figures.NARROW, 5.4))
    m = np.unique(np.geomspace(40, 4000, 60).astype(int))
    low, high = (binom.ppf(q, m, p / 2) for q in (0.001, 0.999))
    first.fill_between(m, low, high, color="C0", alpha=0.3, label="nice neurons, 99.8 %")
    first.plot(m, m * p / 2, color="C0", label="$mp/2$, their mean")
    first.plot(m, m * p / 4, "--", color="black", label="$mp/4$")
    first.set(xlabel="neurons $m$", ylabel="nice neurons", xscale="log", yscale="log")
    first.legend()
    z = np.linspace(-1, 3, 200)
    lengths = np.abs(np.random.default_rng(seed).standard_normal(60)) + 0.1
    lines, _ = imitators(1.0, 0.8 / lengths, 0.4, z)
    second.plot(z, lines.T, color="#bbbbbb", lw=0.8)
    second.plot(z, lines.mean(0), color="C0", label="mean of the nice neurons")
    second.plot(z, np.maximum(z - 1, 0), "--", color="black", label="teacher's neuron")
    second.set(xlabel="input along the feature", ylabel="output")
    second.legend()
    return fig
