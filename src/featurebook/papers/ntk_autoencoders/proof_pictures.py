"""Why wide networks converge: the error, the movement, and the neurons that flip, in pictures."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from scipy.special import erf

from featurebook import core, figures
from featurebook.papers.ntk_autoencoders import data, kernels, network

Array = NDArray[np.float64]


def weakly_trained(n: int, d: int, m: int, times: Array, seed: int) -> tuple[Array, Array, float]:
    """Weak training by Euler steps of the gaps in ``times``, from a random network.

    Returns:
        the squared error over its start and the farthest any neuron has moved, at each time, and
        the smallest eigenvalue of G along the way.
    """
    X = data.sphere(n, d, seed)
    params = network.initial(core.generator(seed, "proof", m), d, m)
    start, errors, moved, least = params["W"], [], [], float("inf")
    for step in np.diff(times, append=times[-1]):
        errors.append(network.squared_error(params, X).item())
        moved.append((params["W"] - start).norm(dim=0).max().item())
        least = min(least, kernels.smallest(kernels.encoder_kernel(params, X)).item())
        gradient, _ = network.weak_gradient(params, X)
        params = {"W": params["W"] - step * gradient["W"], "A": params["A"]}
    return np.array(errors) / errors[0], np.array(moved), least


def flips(R: ArrayLike) -> Array:
    """P(|w·x| <= R) for Gaussian w and a unit vector x: who may flip when moved by R."""
    return np.asarray(erf(np.asarray(R, dtype=float) / np.sqrt(2)))


def proof(seed: int) -> Figure:
    """Error and its bound; movement against width; neurons that may flip against movement."""
    fig, (first, second) = plt.subplots(2, 1, figsize=(figures.NARROW, 5.4))
    n, d, times = 3, 4, np.linspace(0, 60, 241)
    widths = (100, 400, 1600)
    moved = []
    for m, style in zip(widths, figures.DASHES, strict=False):
        error, distance, least = weakly_trained(n, d, m, times, seed)
        moved.append(distance[-1])
        first.semilogy(times, error, linestyle=style, label=f"$m={m}$")
    first.semilogy(
        times, np.exp(-2 * least * times / d), color="black", lw=1, label=f"bound at $m={m}$"
    )
    first.set(xlabel="time $t$", ylabel="squared error, over start", ylim=(1e-6, 1.5))
    first.legend()
    R = np.geomspace(0.01, 2, 60)
    second.loglog(R, flips(R), label=r"share within $R$ of $w\cdot x=0$")
    second.loglog(R, np.sqrt(2 / np.pi) * R, "--", label=r"bound $R\sqrt{2/\pi}$")
    for m, r, marker in zip(widths, moved, figures.MARKERS, strict=False):
        second.plot(r, flips(r), marker, color="black", ms=6, label=f"$R$ at $m={m}$")
    second.set(xlabel="movement $R$", ylabel="neurons that may flip")
    second.legend(fontsize="small")
    return fig
