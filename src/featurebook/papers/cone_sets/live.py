"""What the story computes while a reader moves kernels, features and the shape of a cone."""

from typing import Any

import numpy as np

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.cone_sets import theory


def occupied(C: int, d: int, height: float, share: float) -> dict[str, Any]:
    """How often some kernel starts in a given cone, against C, and how many do on average.

    Args:
        height: c_1 f_h; the radius f_r is ``share`` of it.
    """
    f_r = share * height
    p = float(theory.cone_probability(d, height, f_r))
    kernels = np.exp(np.linspace(0, np.log(1e6), 121))
    heights = np.linspace(0.1, 4, 118)
    printed = theory.cone_bounds_printed(C, heights, share * heights)[1]
    corrected = theory.cone_bounds_corrected(d, heights, share * heights)[1]

    def some(count: Any) -> Any:
        return -np.expm1(count * np.log1p(-p))

    return {
        "C": kernels,
        "some": some(kernels),
        "height": heights,
        "mean": C * theory.cone_probability(d, heights, share * heights),
        "printed": C * printed,
        "corrected": C * corrected,
        "chosen": C,
        "chance": float(some(C)),
        "p": p,
        "enough": float(np.log(0.05) / np.log1p(-p)),
    }


OCCUPIED = Live(
    occupied,
    handles=(
        Handle("C", "kernels, C", 1, 1_000_000, 24, whole=True, log=True),
        Handle("d", "features, d", 2, 200, 20, whole=True),
        Handle("height", "height of the cone, c₁fₕ", 0.1, 4, 0.4472),
        Handle("share", "radius over height, fᵣ/(c₁fₕ)", 0.05, 2, 1.4142),
    ),
    panels=(
        Panel(
            Axis("kernels, C", 1, 1e6, log=True),
            Axis("probability at the start", 0, 1),
            (
                Layer("C", "some", "a given cone is occupied"),
                Layer("chosen", "chance", "your C", "points"),
            ),
            drag="C",
        ),
        Panel(
            Axis("height of the cone, c₁fₕ", 0, 4),
            Axis("kernels in a cone", 1e-6, 1e4, log=True),
            (
                Layer("height", "mean", "exact mean"),
                Layer("height", "printed", "upper bound C p₂, as printed"),
                Layer("height", "corrected", "upper bound, corrected"),
            ),
            drag="height",
        ),
    ),
    facts=(
        Fact("p", "chance of a kernel"),
        Fact("chance", "a given cone is occupied"),
        Fact("enough", "kernels for 95 %"),
    ),
)
