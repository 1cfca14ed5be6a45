"""Which directions a model of rank r keeps, and what each further one lets in, in pictures."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from featurebook import figures
from featurebook.papers.icl_scale import regression as reg

Array = NDArray[np.float64]


def gains(lam: Array, N: int) -> Array:
    """What covering a direction takes off the pretraining loss, ½ λ_i²/λ'_i, (d,)."""
    return np.asarray(0.5 * lam**2 / reg.gamma(lam, N))


def noise_let_in(lam: Array, N: int) -> Array:
    """What a covered direction adds to the risk, over (‖s‖²_D + σ²)/M: (λ_i v_i*)², (d,)."""
    return np.asarray((lam * reg.optimum(lam, N, len(lam))) ** 2)


def proof(lam: Array, N: int, r: int) -> Figure:
    """Both against the direction; the first r directions, those of the small model, are dark."""
    fig, axes = plt.subplots(2, 1, figsize=(figures.NARROW, 4.8), sharex=True)
    i = np.arange(1, len(lam) + 1)
    for ax, values, label in zip(
        axes,
        (gains(lam, N), noise_let_in(lam, N)),
        ("signal gained", "noise let in"),
        strict=True,
    ):
        ax.bar(i[:r], values[:r], color="C0", label=f"small model, rank {r}")
        ax.bar(i[r:], values[r:], color="C1", hatch="//", label="only the large one")
        ax.set(ylabel=label)
    axes[0].legend()
    axes[1].set(xlabel="direction $i$, strongest first", xticks=i)
    return fig
