"""Frames of the part's sliders: training in the plane, two samples that meet, a wider network."""

from collections.abc import Mapping
from math import cos, pi, radians
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from featurebook import figures, verdicts
from featurebook.core import Params
from featurebook.core.spectra import eigvalsh
from featurebook.papers.ntk_autoencoders import data, kernels, network

WIDTH = 0.75 * figures.WIDTH
"""Inches: labels of a figure of this width are read on a phone."""
TINTS = figures.colours("weak", "decoder", "joint", "G", "H", "printed", "corrected", "tied")
LOOKS: dict[str, dict[str, Any]] = {
    "joint": {"color": TINTS["joint"], "linestyle": "-"},
    "G": {"color": TINTS["G"], "linestyle": "-"},
    "H": {"color": TINTS["H"], "linestyle": "-."},
}
"""Colour and line style of the joint regime and of the two kernels, as in all the chapters."""
MARKS = {"G": "o", "H": "s"}


def unit_circle(points: int = 200) -> Tensor:
    """Points around the unit circle, the first one twice: (2, points)."""
    angle = torch.linspace(0, 2 * pi, points, dtype=torch.double)
    return torch.stack([angle.cos(), angle.sin()])


def plane(ax: Axes, net: Params, samples: Tensor) -> None:
    """What one network W, A (2, m) makes of the unit circle, and of the samples (2, n)."""
    circle = unit_circle()
    rays = 0.35 * net["W"] / net["W"].norm(dim=0)
    ax.plot(*torch.stack([0 * rays, rays], 1), color="0.75", lw=0.5)
    ax.plot(*circle, color="0.75", lw=1)
    ax.plot(*network.outputs(net, circle), **LOOKS["joint"])
    ax.plot(*samples, "o", color="black", ms=6, mfc="none")
    ax.plot(*network.outputs(net, samples), "x", color=TINTS["joint"], ms=7, mew=2)
    ax.set(aspect="equal", xlim=(-1.25, 1.25), ylim=(-1.25, 1.25))
    ax.set(xticks=(-1, 0, 1), yticks=(-1, 0, 1), xlabel="$x_1$", ylabel="$x_2$")


def training_frame(path: Mapping[int, Params], samples: Tensor, step: int) -> Figure:
    """The first network of a path, by step, and after ``step`` updates; samples (2, n)."""
    fig, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.1), sharey=True)
    for ax, k in zip(axes, (min(path), step), strict=True):
        plane(ax, path[k], samples)
        error = float(network.squared_error(path[k], samples))
        ax.set_title(f"step {k}: $L$ = {verdicts.shown(error / 2, 2)}")
    axes[1].set_ylabel("")
    return fig


def pair_eigenvalues(degrees: float) -> tuple[float, float]:
    """λ_0 and λ_H of two samples at an angle strictly between 0 and 180 degrees."""
    X = data.pair(cos(radians(degrees)))
    return float(kernels.smallest(kernels.G_limit(X))), float(kernels.smallest(kernels.H_limit(X)))


def pair_frame(degrees: float) -> Figure:
    """Two samples of the plane, the neurons that tell them apart, and λ_0 and λ_H at the angle."""
    fig, (left, ax) = plt.subplots(1, 2, figsize=(WIDTH, 3.1), width_ratios=(1, 1.5))
    X, half = data.pair(cos(radians(degrees))), np.linspace(0, radians(degrees), 50)
    for turn in (pi / 2, -pi / 2):  # w is on for one sample only if it is near a border of its half
        edge = np.vstack([np.cos(half + turn), np.sin(half + turn)])
        left.fill(*np.hstack([[[0], [0]], edge]), color="0.82", lw=0)
    left.plot(*unit_circle(), color="0.6", lw=1)
    for x, text in zip(X.T.tolist(), ("$x_1$", "$x_2$"), strict=True):
        left.annotate("", x, (0, 0), arrowprops={"arrowstyle": "-|>", "color": "black"})
        left.text(1.2 * x[0], 1.2 * x[1], text, ha="center", va="center")
    left.set(aspect="equal", xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), xticks=[], yticks=[])
    left.spines[:].set_visible(False)
    left.set_title(f"grey: {degrees / 180:.0%}\nof the neurons")

    grid = np.linspace(0.5, 179.5, 180)
    curves = np.array([pair_eigenvalues(a) for a in grid]).T
    here = pair_eigenvalues(degrees)
    words = ((r"$\lambda_0$ (encoder)", "G"), (r"$\lambda_H$ (decoder)", "H"))
    for (text, name), curve, value in zip(words, curves, here, strict=True):
        ax.plot(grid, curve, label=text, **LOOKS[name])
        ax.plot(degrees, value, marker=MARKS[name], color=TINTS[name], ms=8)
    ax.axvline(degrees, color="0.6", lw=1, zorder=0)
    ax.legend(loc="upper left")
    ax.set(xlabel="angle of the samples", xticks=range(0, 181, 45), ylim=(0, 0.72), xlim=(0, 180))
    ax.set_xticklabels([f"{a}°" for a in range(0, 181, 45)])
    ax.set_title(f"$\\lambda_0$ = {here[0]:.2g}, $\\lambda_H$ = {here[1]:.2g}")
    return fig


def width_frame(net: Params, X: Tensor) -> Figure:
    """Both kernels of one network W, A (d, m) at the samples X (d, n), beside their limits.

    Left: entries of a pair of samples against its cosine, for G the mean over the diagonal of the
    pair's block. Right: all eigenvalues, each of the limits' ones d times.
    """
    d, m = net["W"].shape
    rho, grid = kernels.cosines(X), torch.linspace(-1, 1, 201, dtype=torch.double)
    on = (X.T @ net["W"] >= 0).double()
    entries = {"G": rho * (on @ on.T) / m, "H": kernels.decoder_kernel(net["W"], X)}
    spectra = {"G": kernels.encoder_kernel(net, X), "H": entries["H"]}
    limits = {"G": (kernels.g, kernels.G_limit(X)), "H": (kernels.h, kernels.H_limit(X))}
    fig, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 3.4))
    pairs = torch.triu_indices(len(rho), len(rho))
    least, top = {}, 0.0
    for name, (curve, limit) in limits.items():
        tint, marker = TINTS[name], MARKS[name]
        left.plot(grid, curve(grid), label=f"${name}$", **LOOKS[name])
        left.plot(rho[*pairs], entries[name][*pairs], marker, color=tint, ms=3)
        values = eigvalsh(spectra[name])
        values = values.repeat_interleave(d if name == "H" else 1)
        limit = eigvalsh(limit).repeat_interleave(d)
        least[name], top = max(float(values[0]), 0), max(top, float(limit[-1]))
        right.plot(limit, label=f"${name}$, limit", **LOOKS[name])
        right.plot(values, marker, color=tint, ms=2.5, markevery=2, label=f"${name}$, here")
    left.set(xlabel=r"cosine $\rho$", ylabel="entry", xlim=(-1.03, 1.03), ylim=(-0.2, 0.75))
    left.text(-0.2, 0.2, "$H$", color=TINTS["H"], ha="right")
    left.text(0.25, -0.08, "$G$", color=TINTS["G"])
    right.set(xlabel="eigenvalue, sorted", xlim=(-1, d * len(rho)), ylim=(-0.05 * top, 1.6 * top))
    left.set_title(f"width {m}")
    right.set_title(rf"$\lambda_{{\min}}$: $G$ {least['G']:.2g}, $H$ {least['H']:.2g}")
    return fig
