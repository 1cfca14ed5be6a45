"""How a budget is shared by tasks, and what the probe pays for it, in pictures."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from scipy.stats import chi2

from featurebook import figures

Array = NDArray[np.float64]
NODES = (np.arange(400) + 0.5) / 400
"""Probabilities whose quantiles stand for a law."""


def mean_loss(alpha: float, beta: float, s: int, q: int) -> float:
    """E log(1 + e^-X) for X = α Z + β Z₁, Z and Z₁ chi-squared with s and q degrees."""
    shared, private = chi2.ppf(NODES, s), chi2.ppf(NODES, q)
    return float(np.logaddexp(0, -(alpha * shared[:, None] + beta * private)).mean())


def along_the_budget(alpha: ArrayLike, s: int, q: int, T: int) -> Array:
    """The loss of one of T tasks where α s + β T q = s + q."""
    return np.array([mean_loss(a, (s + q - a * s) / (T * q), s, q) for a in np.atleast_1d(alpha)])


def factor(T: ArrayLike, v1: float, s: int, q: int) -> Array:
    """(v₁ + T v₂)(s + q/T), v₂ = 1 - v₁: the squared length of the probe times that of the data."""
    T = np.asarray(T, dtype=float)
    return np.asarray((v1 + T * (1 - v1)) * (s + q / T))


def proof(s: int, q: int) -> Figure:
    """Loss along the budget for some T; the probe's factor against T for three labels."""
    fig, (first, second) = plt.subplots(2, 1, figsize=(figures.NARROW, 5.4))
    alpha = np.linspace(0, 1, 21)
    for T, style in zip((2, 4, 8), figures.DASHES, strict=False):
        loss = along_the_budget(alpha, s, q, T)
        first.semilogy(alpha, loss, linestyle=style, label=f"$T={T}$")
    first.set(xlabel=r"weight $\alpha$ of shared features", ylabel="contrastive loss")
    first.legend()
    tasks = np.linspace(1, 16, 100)
    for v1, style in zip((0.1, 0.5, 0.9), figures.DASHES, strict=False):
        found = factor(tasks, v1, s, q)
        second.semilogy(tasks, found / found[0], linestyle=style, label=f"$v_1={v1:g}$")
    second.axhline(1, color="black", lw=0.6)
    second.set(xlabel="tasks $T$", ylabel="factor, over $T=1$")
    second.legend()
    return fig
