"""Pictures that the part's sliders draw."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from featurebook.papers.gradient_features import maps

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
        (np.ones(len(hit), dtype=bool), {"facecolor": "0.7", "edgecolor": "0.4"}),
        (hit, {"facecolor": "#117a52", "edgecolor": "#117a52"}),
    ):
        share = np.histogram(angle[part], edges)[0] / len(hit)
        ax.bar((edges[1:] + edges[:-1]) / 2, share, 2 * np.pi / BINS, lw=0.5, **look)  # type: ignore[arg-type]
    ax.set_ylim(0, reach)
    ax.set_yticks([])
    ax.set_xticks(np.arange(4) * np.pi / 2, ["$D_1$", "$D_3$", "$-D_1$", "$-D_3$"])
    ax.set_title(title)
    return fig


def shares(G: NDArray[np.float64], D: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where gradients (N, d) lie between r features (r, d): points of a polygon, (N, 2).

    Feature j stands at the corner of angle 2πj/r of a unit polygon; a gradient is the mean of the
    corners with weights ⟨G, D_j⟩²/‖G‖². A gradient along one feature lies at its corner; what
    points out of the span of the features draws it to the centre.
    """
    angle = 2 * np.pi * np.arange(len(D)) / len(D)
    corners = np.stack([np.sin(angle), np.cos(angle)], 1)
    size = np.linalg.norm(G, axis=1, keepdims=True)
    return np.square(G @ D.T / np.where(size > 0, size, np.inf)) @ corners


def wheels(
    gradients: Sequence[NDArray[np.float64]], features: Sequence[NDArray[np.float64]], gamma: float
) -> Figure:
    """Panels of the `shares` of gradients (N, d), one for each set of features (r, d).

    Those in a cone of opening γ and of norm at least √d/(2r) are drawn as discs.
    """
    fig, axes = plt.subplots(1, len(features), figsize=(7.2, 2.9), layout="constrained")
    for ax, G, D in zip(np.atleast_1d(axes), gradients, features, strict=True):
        r, d = D.shape
        angle, at = 2 * np.pi * np.arange(r + 1) / r, shares(G, D)
        hit = maps.in_cone(G, D, gamma, 0.5 * d**0.5 / r).any(1)
        ax.plot(np.sin(angle), np.cos(angle), color="0.6", lw=0.8)
        for chosen, look in (
            (~hit, {"marker": "x", "color": "0.45", "s": 9, "lw": 0.6}),
            (hit, {"marker": "o", "color": "#117a52", "s": 14, "lw": 0}),
        ):
            ax.scatter(*at[chosen].T, rasterized=True, **look)
        ax.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal", xticks=[], yticks=[])
        ax.set_title(f"$r={r}$: {hit.mean():.1%} in a cone")
        ax.spines[:].set_visible(False)
    return fig
