"""Why a kernel keeps one feature and a random patch finds no kernel, in pictures."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.special import gammaln

from featurebook import figures

Array = NDArray[np.float64]


def race(start: Sequence[float], present: Sequence[float], a: float, steps: int) -> Array:
    """Components of a small kernel along features, largest first, (steps, features).

    A step with η = a/s multiplies a component by 1 + 4 η q, where q is the chance that its feature
    is in an image (independently, with the given chances) and no feature with a larger component
    is, so that pooling selects its patch.
    """
    now = np.array(start, dtype=float)
    beta = np.array(present)
    found = [now]
    for s in range(1, steps):
        order = np.argsort(-now)
        absent = np.cumprod(np.r_[1.0, 1 - beta[order][:-1]])
        chosen = np.empty_like(beta)
        chosen[order] = beta[order] * absent
        now = now * (1 + 4 * a / s * chosen)
        found.append(now)
    return np.array(found)


def density(x: Array, d: int) -> Array:
    """Density of the inner product of two uniform unit vectors in d dimensions, at |x| < 1."""
    scale = np.exp(gammaln(d / 2) - gammaln((d - 1) / 2)) / np.sqrt(np.pi)
    return np.asarray(scale * (1 - x**2) ** ((d - 3) / 2))


def proof() -> Figure:
    """Components of a kernel while it trains; inner products with random patches and its own."""
    fig, (first, second) = plt.subplots(2, 1, figsize=(figures.NARROW, 5.4))
    lines = race([1.0, 0.9, 0.6, 0.3], [0.8] * 4, 0.2, 300)
    for k, (line, style) in enumerate(zip(lines.T, figures.DASHES, strict=False), 1):
        first.loglog(np.arange(1, 301), line, linestyle=style, label=f"feature {k}")
    first.set(xlabel="step $t$", ylabel="component")
    first.legend(fontsize="small")
    x = np.linspace(-0.999, 0.999, 400)
    for d, style in zip((24, 100, 400), figures.DASHES, strict=False):
        second.plot(x, density(x, d), linestyle=style, label=f"random patch, $d={d}$")
    second.axvline(0.9, color="black", lw=2, label="its own patch, at least")
    second.set(xlabel=r"response of a kernel, over its length", ylabel="density", yticks=[0])
    second.legend(fontsize="small", loc="upper left")
    return fig
