"""Where the work of a long prompt is, and how much of it the filter saves, in pictures."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from featurebook import figures
from featurebook.papers.gemfilter import costs

Array = NDArray[np.float64]
LLAMA = costs.REAL["LLaMA 3.1 8B"]


def work(n: ArrayLike) -> tuple[Array, Array]:
    """Operations of a layer on a prompt of n tokens: with its weights, and of causal attention."""
    n = np.asarray(n, dtype=float)
    width = LLAMA.heads * LLAMA.d
    return costs.layer_ops(LLAMA.P, 0, n, 0), costs.layer_ops(0, width, n, n / 2)


def speed_up(n: ArrayLike, r: int, k: int, second_pass: bool = True) -> Array:
    """Operations of a full pass over those of GemFilter with filter layer r, keeping k tokens."""
    n = np.asarray(n, dtype=float)
    full = sum(work(n))
    keys = 2 * n * LLAMA.D * LLAMA.d * LLAMA.kv_heads
    again = LLAMA.m * sum(work(k)) if second_pass else 0
    return np.asarray(LLAMA.m * full / ((r - 1) * full + keys + again))


def proof(r: int, k: int) -> Figure:
    """Weights and attention of a layer against the prompt, and the speed-up with its limit."""
    fig, (first, second) = plt.subplots(2, 1, figsize=(figures.NARROW, 5.2), sharex=True)
    n = np.geomspace(1e3, 1e7, 100)
    weights, attention = work(n)
    first.loglog(n, weights, label="weights, $2nP$")
    first.loglog(n, attention, "--", label="attention, $2n^2hd$")
    first.set(ylabel="operations of a layer")
    first.legend()
    second.semilogx(n, speed_up(n, r, k), label="both passes")
    second.semilogx(n, speed_up(n, r, k, second_pass=False), "--", label="first pass alone")
    second.axhline(LLAMA.m / (r - 1), color="black", lw=1)
    second.annotate("$m/(r-1)$", (n[0], LLAMA.m / (r - 1)), (0, 3), textcoords="offset points")
    second.set(xlabel="tokens of the prompt $n$", ylabel="times fewer operations", ylim=(0, 3.2))
    second.legend(loc="lower right")
    return fig
