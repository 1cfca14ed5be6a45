"""Figures of maps: where first gradients point, and how likely features are."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from featurebook import figures
from featurebook.papers.gradient_features import majority, maps

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


def parity_maps(
    cosines: Mapping[str, NDArray[np.float64]], blocks: Mapping[str, int], levels: Sequence[float]
) -> Figure:
    """Shares of neurons by the largest cosine of their gradient to a feature, by bias.

    Args:
        cosines: (seeds, levels, neurons) by parity; blocks: its number of blocks r.
    """
    fig, axes = plt.subplots(
        len(levels), 1, figsize=(figures.NARROW, 4.2), sharex=True, sharey=True
    )
    look = figures.colours(*cosines)
    for j, ax in enumerate(axes):
        for (name, values), hatch in zip(cosines.items(), ("", "////"), strict=True):
            found = values[:, j].ravel()
            ax.hist(found, np.linspace(0.4, 1.01, 41), weights=np.full(len(found), 1 / len(found)),
                    color=look[name], hatch=hatch, alpha=0.7, label=name)  # fmt: skip
            ax.axvline(blocks[name] ** -0.5, ls=":", color="black")
        ax.set_title(f"bias {levels[j]:g}", loc="left")
        ax.set(yscale="log", ylim=(1e-3, 1.5))
    axes[1].set_ylabel("share of the neurons")
    axes[-1].set_xlabel("largest cosine with a feature")
    axes[-1].legend(loc="upper left")
    return fig


def samples(sizes: Sequence[int] = (2, 4, 6, 8)) -> Figure:
    """Samples d/ξ_{k-1}² at which a uniform parity shows itself, against d, for sizes k."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    wide = np.array([2 * int(x) + 1 for x in np.geomspace(20, 500, 12)])
    look = figures.styles(*(f"k = {k}" for k in sizes))
    for k in sizes:
        need = [d * np.exp(-2 * majority.log_xi(k - 1, int(d))) for d in wide]
        ax.plot(wide, need, label=f"k = {k}", **look[f"k = {k}"] | {"ms": 3})
    ax.axhline(1e12, ls=":", color="0.5")
    ax.set(xscale="log", yscale="log", xlabel="$d$", ylabel=r"$d/\xi_{k-1}^2$")
    figures.label_lines(ax)
    return fig


def probabilities(table: pd.DataFrame, names: Mapping[int, str]) -> Figure:
    """Probability of a feature, and median largest cosine, against the bias.

    Args:
        table: columns r, seed, c_b, p, cosine; names: of each r.
    """
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.2))
    look = figures.styles(*names.values())
    for r, name in names.items():
        for ax, what in zip(axes, ("p", "cosine"), strict=True):
            values = table[table.r == r].pivot_table(index="c_b", columns="seed", values=what)
            figures.band(ax, values.index, values.to_numpy(), label=name, **look[name] | {"ms": 4})
    axes[0].set(yscale="symlog", xlabel="bias $c_b$", ylabel="$p$ per feature", ylim=(0, 0.3))
    axes[0].set_yscale("symlog", linthresh=1e-3)
    axes[1].set(xlabel="bias $c_b$", ylabel="median largest cosine")
    axes[1].legend()
    return fig


def arms(
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    G: NDArray[np.float64],
    D: NDArray[np.float64],
) -> Figure:
    """Directions of weights after step one and after training, over those of other gradients.

    Args:
        before, after: weights (N, d); G: gradients (M, d) of other neurons; D: the plane, (2, d).
    """
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.6))
    grey = G @ D.T / np.linalg.norm(G, axis=1, keepdims=True)
    sizes = [np.linalg.norm(w, axis=1) for w in (before, after)]
    cosine = (before * after).sum(1) / sizes[0] / sizes[1]
    titles = ("after step one", f"trained; median cosine {np.median(cosine):.2f}")
    for ax, w, size, title in zip(axes, (before, after), sizes, titles, strict=True):
        ax.plot(*np.concatenate([grey, -grey]).T, "o", ms=2, color="0.85")
        ax.plot(*(w @ D.T / size[:, None]).T, "o", ms=3, color="black")
        ax.set(aspect="equal", title=title, xlabel="along $D_1$")
    axes[0].set_ylabel("along $D_3$")
    return fig


def thresholds(theta: NDArray[np.float64]) -> Figure:
    """A histogram of effective thresholds in units of the norm of a mean, (N,)."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 2.5))
    ax.hist(np.log10(theta), bins=20, color="0.6")
    ax.axvline(np.log10(0.5), ls=":", color="black")
    ax.set(xlabel=r"$\log_{10}\theta/\|\mu\|$", ylabel="neurons")
    return fig


def decay(table: pd.DataFrame) -> Figure:
    """The probability p of an XOR feature against the dimension, the index, and two laws."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.2))
    d, colour = table.index.to_numpy(), figures.JUDGED
    root = table.p.iloc[0] * (d / d[0]) ** -0.25
    ax.plot(d, table.p, "o", color=colour["exact"], label="$p$, quadrature")
    ax.plot(d, table.fitted, "--", color=colour["printed"], label="printed: polylogarithmic")
    ax.plot(d, root, ":", color=colour["corrected"], label=r"$\propto d^{-1/4}$")
    ax.set(xscale="log", yscale="log", xlabel="$d$", ylabel="$p$")
    ax.legend()
    return fig


def bounds(
    x: ArrayLike, curves: Mapping[str, Any], xlabel: str, ylabel: str, **line: Any
) -> Figure:
    """A quantity, "exact", with its printed and its corrected bound, on logarithmic axes."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    figures.bound(ax, x, curves, **line)
    ax.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=ylabel)
    ax.legend()
    return fig
