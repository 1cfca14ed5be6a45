"""What the story computes while a reader moves loops, condition number and step size."""

from typing import Any

import numpy as np

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.looped_transformers import theory

MOST = 200
"""Loops that are drawn."""


def loops(kappa: float, reach: float, T: int, d: int) -> dict[str, Any]:
    """The error |⟨TF, θ*⟩/α - 1| after each number of loops, and what is guaranteed.

    The eigenvalues over L are spaced evenly on a logarithmic scale from 1/κ to 1, and θ* has the
    same share 1/d of all eigenvectors; the step is ``reach``/L.
    """
    times = np.arange(MOST + 1)
    eigenvalues = kappa ** -np.linspace(0, 1, d)
    left = 1 - reach * eigenvalues
    error = np.abs((left[None, :] ** times[:, None]).mean(1))
    sharp = theory.sharp_bound(times, kappa)
    return {
        "T": times,
        "error": error,
        "printed": theory.printed_bound(times, kappa),
        "sharp": sharp,
        "best": np.array([theory.chebyshev_bound(int(t), kappa) for t in times]),
        "here": float(error[T]),
        "printed here": float(theory.printed_bound(T, kappa)),
        "sharp here": float(sharp[T]),
        "printed loops": 2 * kappa * np.log(100),
        "sharp loops": np.log(100) / -np.log1p(-1 / kappa),
    }


LOOPS = Live(
    loops,
    handles=(
        Handle("T", "loops, T", 0, MOST, 40, whole=True),
        Handle("kappa", "condition number of XᵀX, κ", 1.5, 1000, 20, log=True),
        Handle("reach", "step size, times L", 0.05, 2.1, 1),
        Handle("d", "dimension, d", 2, 16, 4, whole=True),
    ),
    panels=(
        Panel(
            Axis("loops, T", 0, MOST),
            Axis("error over |α|", 1e-8, 10, log=True),
            (
                Layer("T", "error", "error of the loop"),
                Layer("T", "printed", "Theorem 8.16, exp(−T/2κ)"),
                Layer("T", "sharp", "sharp, (1 − 1/κ)ᵀ"),
                Layer("T", "best", "best schedule of steps (Chebyshev)"),
            ),
            drag="T",
        ),
    ),
    facts=(
        Fact("here", "error after T loops"),
        Fact("printed here", "Theorem 8.16"),
        Fact("sharp here", "sharp bound"),
        Fact("printed loops", "loops for 1 %, by Theorem 8.16"),
        Fact("sharp loops", "by the sharp bound"),
    ),
)
