"""Figures of the chapters, drawn from the results of their experiments."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

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


def multi_index(found: Mapping[str, Any]) -> Figure:
    """The first gradients in the plane of the relevant inputs, and test errors of both networks.

    Args:
        found: "G" (m, d), "inside" (m,), and errors "trained" and "random", (S,).
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(figures.WIDTH, 3), width_ratios=[1.2, 1])
    left.plot(found["G"][:, 0], found["G"][:, 1], "o", ms=3, color=figures.JUDGED["exact"])
    left.set(
        aspect="equal",
        xlabel="along $u_1$",
        ylabel="along $u_2$",
        title=f"inside the span: {np.median(found['inside']):.0%}",
    )
    for i, values in enumerate((found["trained"], found["random"])):
        right.plot(np.full(len(values), i), values, "os"[i], ms=5, alpha=0.7)
    right.set(yscale="log", xticks=[0, 1], xlim=(-0.5, 1.5), ylabel="test error")
    right.set_xticklabels(["one step", "random"])
    return fig


def fixed(losses: Mapping[str, Mapping[str, Any]], errors: Sequence[Any]) -> Figure:
    """Losses of fixed features on the parity, and errors on the XOR, one dot for each seed.

    Args:
        losses: of "all" and "uniform" inputs, (S,), by kind of features.
        errors: random features at high and at low signal, the network at low signal, (S,) each.
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(figures.WIDTH, 3))
    for i, seen in enumerate(losses.values()):
        for j, part in enumerate(("all", "uniform")):
            at = np.full(len(seen[part]), 2 * i + j)
            left.plot(at, seen[part], "os"[j], ms=5, alpha=0.6)
    left.axhline(0.5, ls=":", color="0.5")
    left.set(xticks=range(4), ylim=(0, 1.2), ylabel="hinge loss", title="biased parity")
    names = ["random\nall", "random\nuniform", "NTK\nall", "NTK\nuniform"]
    left.set_xticklabels(names, fontsize=8)
    for i, values in enumerate(errors):
        right.plot(np.full(len(values), i), values, "os^"[i], ms=5, alpha=0.6)
    right.set(xticks=range(3), ylabel="test error", title="XOR", xlim=(-0.5, 2.5))
    right.set_xticklabels(["random\nhigh signal", "random\nlow", "network\nlow"], fontsize=8)
    return fig


def simplicity(paths: Mapping[str, Mapping[str, Any]], steps: Sequence[int]) -> Figure:
    """Test losses of both groups of clusters against steps, a panel for each share of the mass.

    Args:
        paths: losses (observations, S) by share and group.
    """
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3), sharey=True)
    look = figures.styles("linear", "XOR")
    for ax, (name, seen) in zip(axes, paths.items(), strict=True):
        for group, style in look.items():
            line = style | {"marker": ""}
            figures.band(ax, steps, seen[group], label=group, centre="median", **line)
        ax.set(title=f"{name} of the mass is linear", xlabel="step")
    axes[0].set_ylabel("test loss")
    axes[0].legend()
    return fig


def parity_maps(
    cosines: Mapping[str, NDArray[np.float64]], blocks: Mapping[str, int], levels: Sequence[float]
) -> Figure:
    """Histograms of the largest cosine of a gradient to a feature, a panel for each bias.

    Args:
        cosines: (seeds, levels, neurons) by parity; blocks: its number of blocks r.
    """
    fig, axes = plt.subplots(2, 3, figsize=(figures.WIDTH, 3.4), sharex=True)
    for row, (name, values) in zip(axes, cosines.items(), strict=True):
        for j, ax in enumerate(row):
            ax.hist(values[:, j].ravel(), bins=np.linspace(0.4, 1, 41), color="0.5")
            ax.axvline(blocks[name] ** -0.5, ls=":", color="black")
            ax.set(title=f"{name}, bias {levels[j]:g}", yticks=[])
    for ax in axes[1]:
        ax.set_xlabel("largest cosine")
    return fig


def parity_training(
    steps: Sequence[int], losses: Mapping[str, NDArray[np.float64]], last: int
) -> Figure:
    """The least test loss so far against steps, for each start.

    Args:
        losses: (observations, S), by start; last: the step at which the axis ends.
    """
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    look = figures.styles(*losses)
    for name, curve in losses.items():
        so_far = np.minimum.accumulate(curve, axis=0)
        figures.band(ax, steps, so_far, label=name, centre="median", **look[name] | {"ms": 4})
    ax.axhline(0.5, ls=":", color="0.5")
    ax.set(xlabel="step", ylabel="least test loss so far", xlim=(0, last), ylim=(0, 1.1))
    ax.legend()
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
