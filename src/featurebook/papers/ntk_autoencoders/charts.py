"""Figures of the chapters on widths and on kernels."""

from collections.abc import Mapping, Sequence
from math import pi

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor

from featurebook import figures
from featurebook.papers.ntk_autoencoders import bounds, data, kernels
from featurebook.papers.ntk_autoencoders.curves import ticks
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.papers.ntk_autoencoders.pictures import TINTS, WIDTH

MARKS = {"weak": "o-", "decoder": "s-.", "joint": "D-"}
BOUNDS = {
    "weak": "weak, This work, multiple",
    "joint": "joint, This work, multiple",
    "repaired": "joint, Repaired, multiple",
}
"""Rows of Table 1 that are drawn."""


def searched_and_certified(
    needed: pd.DataFrame, certified: Mapping[str, NDArray[np.float64]], sizes: Sequence[int]
) -> Figure:
    """Smallest widths of a search against n, and certified ones (seeds, sizes) against n = d."""
    figure, axes = plt.subplots(2, 1, figsize=(WIDTH, 6.2))
    for name, part in needed.groupby("regime"):
        regime = str(name)
        look = {"color": TINTS[regime], "ms": 4}
        axes[0].loglog(part.n, part.width, MARKS[regime][0], alpha=0.6, **look)
        axes[0].loglog(part.groupby("n").width.median(), MARKS[regime], label=regime, **look)
    axes[0].set(xlabel="samples $n$", ylabel="smallest width $m^*$")
    boxes = [kernels.geometry(data.orthonormal(k, k)) for k in sizes]
    for regime, row in (("weak", bounds.TABLE_1[2]), ("joint", bounds.TABLE_1[8])):
        found, look, mark = certified[regime], {"color": TINTS[regime], "ms": 4}, MARKS[regime]
        axes[1].loglog(sizes, found.T, mark[0], alpha=0.6, **look)
        text = f"{regime}, certified"
        axes[1].loglog(sizes, np.median(found, 0), mark, label=text, **look)
        printed, text = [bounds.width(row, g, 1.0) for g in boxes], f"{regime}, printed"
        axes[1].loglog(sizes, printed, mark[0] + "--", mfc="none", label=text, **look)
    axes[1].set(xlabel="$n = d$, orthonormal", ylabel="width")
    for ax, values in zip(axes, (needed.n.unique().tolist(), sizes), strict=True):
        ticks(ax, values)
        figures.label_lines(ax)
    figures.label_panels(axes)
    return figure


def widths_on_data(asked: pd.DataFrame, needed: pd.DataFrame) -> Figure:
    """Widths of Table 1 (data sets by rows of the table), and a band of those needed in runs."""
    figure, ax = plt.subplots(figsize=(WIDTH, 6.6))
    y = np.arange(len(asked))[::-1]
    labels = {"weak": "weak", "joint": "joint, printed", "repaired": "joint, repaired order"}
    for (short, long), marker in zip(BOUNDS.items(), "osD", strict=True):
        tint = TINTS.get(short, TINTS["corrected"])
        ax.semilogx(asked[long], y, marker, color=tint, ms=6, label=labels[short])
    rival = asked["joint, Zou, Gu 2019, multiple"]
    ax.semilogx(rival, y, "x", color="0.5", ms=6, label="Zou, Gu 2019")
    finite = needed.width[np.isfinite(needed.width)]
    ax.axvspan(finite.min(), finite.max(), color="0.85", label="needed in our runs")
    ax.set_yticks(y, asked.index)
    ax.set_xlabel("width $m$")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def eigenvalue_ratios(spectra: Mapping[tuple[int, int], Tensor]) -> Figure:
    """λ_H/λ_0 of random data sets, by (n, d), with the printed, the needed and the limit levels."""
    order = sorted(spectra, key=lambda s: (s[0] / s[1], s[0]))
    figure, ax = plt.subplots(figsize=(WIDTH, 3.8))
    ratios = [(spectra[s][1] / spectra[s][0]).numpy() for s in order]
    ax.boxplot(ratios, whis=(5, 95), showfliers=False)
    for level, style, tint, text in (
        (1, "-", TINTS["printed"], "printed: 1"),
        (0.75, "--", TINTS["printed"], "needed: 3/4"),
        (1 - 1 / pi, ":", "0.4", r"$1 - 1/\pi$"),
        (1 - 2 / pi, ":", "0.4", r"$1 - 2/\pi$"),
    ):
        ax.axhline(level, color=tint, ls=style, lw=1)
        ax.text(len(order) + 0.55, level, text, fontsize="small", color=tint, va="center")
    ax.set_xticks(range(1, len(order) + 1), [f"{a},\n{b}" for a, b in order])
    ax.set(xlabel="$n, d$", ylabel=r"$\lambda_H / \lambda_0$", ylim=(0, 1.4))
    ax.set_xlim(0.5, len(order) + 0.5)
    return figure


def concentration(
    distances: Mapping[str, NDArray[np.float64]], widths: Sequence[int], form: Geometry,
    delta: float,
) -> Figure:  # fmt: skip
    """Distances (seeds, widths) of both kernels from their limits, and what is proved of G."""
    figure, ax = plt.subplots(figsize=(WIDTH, 3.6))
    for (name, values), look in zip(distances.items(), ("o-", "s-."), strict=True):
        ax.loglog(widths, values.T, look[0], color=TINTS[name], ms=3)
        text = rf"$\|{name}(0) - {name}^\infty\|$"
        ax.loglog(widths, values.mean(0), look, color=TINTS[name], label=text)
    bernstein = [bounds.bernstein_radius(form, m, delta) for m in widths]
    ax.loglog(widths, bernstein, color=TINTS["printed"], ls="--", label="Bernstein")
    level = [form.lambda_0 / 4] * len(widths)
    ax.loglog(widths, level, color="0.4", ls=":", label=r"$\lambda_0/4$")
    ticks(ax, widths)
    ax.set(xlabel="width $m$", ylabel="spectral norm")
    figures.label_lines(ax)
    return figure


def two_limits(estimates: Mapping[str, Tensor]) -> Figure:
    """The limits g and h against the cosine, their gap, and Monte Carlo estimates of both."""
    grid = torch.linspace(-1, 1, 201, dtype=torch.double)
    g, h = kernels.g(grid), kernels.h(grid)
    figure, ax = plt.subplots(figsize=(WIDTH, 3.6))
    for values, tint, style in ((g, TINTS["G"], "-"), (h, TINTS["H"], "-."), (h - g, "0.4", "--")):
        ax.plot(grid, values, color=tint, ls=style)
    for name, marker in (("G", "o"), ("H", "s")):
        rho, values = estimates["ρ"].flatten(), estimates[name].flatten()
        ax.plot(rho, values, marker, color=TINTS[name], ms=5, alpha=0.7)
    ax.text(0.08, -0.06, r"$g(\rho)$, encoder", color=TINTS["G"])
    ax.text(0.3, 0.33, r"$h(\rho)$, decoder", color=TINTS["H"], ha="right")
    ax.text(-0.95, 0.18, r"$h - g = \sqrt{1-\rho^2}/2\pi$", color="0.3")
    ax.set(xlabel=r"cosine $\rho$", ylabel="limit of the kernel", xlim=(-1, 1.02))
    return figure
