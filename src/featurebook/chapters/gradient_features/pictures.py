"""Pictures that the story's slider draws."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

BINS = 60


def rose(
    points: NDArray[np.float64], hit: NDArray[np.bool_], title: str, reach: float = 0.06
) -> Figure:
    """A rose of directions in a plane: the share of all points in each of 60 sectors.

    Args:
        points: components along both features, (N, 2).
        hit: which of them lie in a cone, (N,); their share is filled darkly.
        reach: the largest share that is shown.
    """
    angle = np.arctan2(points[:, 1], points[:, 0])
    edges = np.linspace(-np.pi, np.pi, BINS + 1) + np.pi / BINS
    angle = np.where(angle < edges[0], angle + 2 * np.pi, angle)
    fig, ax = plt.subplots(figsize=(4.4, 4.4), subplot_kw={"projection": "polar"})
    for part, look in (
        (np.ones(len(hit), dtype=bool), {"facecolor": "0.85", "edgecolor": "0.5"}),
        (hit, {"facecolor": "#117a52", "edgecolor": "#117a52"}),
    ):
        share = np.histogram(angle[part], edges)[0] / len(hit)
        ax.bar((edges[1:] + edges[:-1]) / 2, share, 2 * np.pi / BINS, lw=0.5, **look)  # type: ignore[arg-type]
    ax.set_ylim(0, reach)
    ax.set_yticks([])
    ax.set_xticks(np.arange(4) * np.pi / 2, ["$D_1$", "$D_3$", "$-D_1$", "$-D_3$"])
    ax.set_title(title)
    return fig
