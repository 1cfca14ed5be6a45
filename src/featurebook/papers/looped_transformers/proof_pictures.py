"""A loop of attention is a step of gradient descent, in pictures."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from featurebook import figures
from featurebook.papers.looped_transformers import attention, data, theory

Array = NDArray[np.float64]


def looped(X: Array, theta: Array, alpha: float, eta: float, loops: int) -> Array:
    """The answers of the construction over α, after each loop, (loops + 1, d)."""
    n, d = X.shape
    Z = attention.prompt(X, X @ theta, alpha)
    Q, P, M = np.eye(d + 1), np.diag([1.0] * d + [0.0]), attention.mask(n)
    found = [-Z[n, :d] / alpha]
    for _ in range(loops):
        Z = Z - eta * attention.linear_attention(Z, Q, P, M)
        found.append(-Z[n, :d] / alpha)
    return np.array(found)


def descended(X: Array, theta: Array, eta: float, loops: int) -> Array:
    """The iterates of gradient descent from zero, (loops + 1, d)."""
    return np.array(list(attention.descend(X, X @ theta, loops * [eta])))


def two_ways(ax: Axes, X: Array, theta: Array, loops: int) -> None:
    """Level lines of the loss, the path of gradient descent, and the answers of the loops."""
    eta = 0.4 / theory.spectrum(X)[0][-1]
    x, y = np.meshgrid(np.linspace(-0.2, 1.2, 80), np.linspace(-0.2, 0.8, 80))
    rest = np.stack([x, y], -1) - theta
    ax.contour(x, y, np.sqrt(((rest @ X.T) ** 2).sum(-1)), 9, colors="#bbbbbb", linewidths=0.8)
    ax.plot(*descended(X, theta, eta, loops).T, "-", color="C0", label="gradient descent")
    answers = looped(X, theta, 1.5, eta, loops)
    ax.plot(*answers.T, "o", ms=7, mfc="none", color="C1", label="answer of the loops over α")
    ax.plot(*theta, "D", color="black", ms=6, label=r"task $\theta^*$")
    ax.set(xlabel=r"$\theta_1$", ylabel=r"$\theta_2$", aspect="equal")
    ax.legend(loc="lower right", fontsize="small")


def directions(ax: Axes, eigenvalues: Sequence[float], loops: int) -> None:
    """What is left of the error along each eigenvector, against the loops, and the bound.

    The largest eigenvalue is last; its direction is done after one loop, so it has no line.
    """
    lam, t = np.array(eigenvalues), np.arange(loops + 1)
    kappa = lam.max() / lam.min()
    for value, style in zip(lam[:-1], figures.DASHES, strict=False):
        left = np.array([theory.left_over([value], k * [1 / lam.max()])[0] for k in t])
        ax.semilogy(t, left, linestyle=style, label=rf"$\lambda={value:g}$")
    ax.semilogy(t, theory.printed_bound(t, kappa), color="black", lw=1, label="printed bound")
    ax.set(xlabel="loops $T$", ylabel="share left", ylim=(1e-6, 1.5))
    ax.legend(fontsize="small", ncols=2)


def proof(seed: int) -> Figure:
    """Loops and descent on two parameters, and the contraction of each direction."""
    fig, (first, second) = plt.subplots(2, 1, figsize=(figures.NARROW, 6.4))
    X = data.with_spectrum(data.generator(seed, "proof"), 6, [1.0, 6.0])
    two_ways(first, X, np.array([0.8, 0.6]), 25)
    directions(second, [1.0, 2.0, 4.0, 6.0], 60)
    return fig
