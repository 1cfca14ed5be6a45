"""Figures of the chapters that show numbers: errors and gaps, bounds beside exact probabilities."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor

from featurebook import figures
from featurebook.figures import JUDGED
from featurebook.papers.cone_sets import theory
from featurebook.papers.cone_sets.cones import Cone
from featurebook.papers.cone_sets.data import PatchData
from featurebook.verdicts import mean_interval

ERRORS = figures.colours("NE", "SE", "NSE")
"""Colours of the three errors."""
FEATURES = figures.colours("NE", "normal", "auxiliary", "cone")
"""Colours of normal and auxiliary features, and of cones."""


def _intervals(cells: pd.DataFrame) -> list[Any]:
    """Lengths of the error bars of ours, below and above; an error is at least 0."""
    return [cells.ours - cells.low.clip(0), cells.high - cells.ours]


def _by_table(paper: pd.DataFrame) -> list[pd.DataFrame]:
    """The rows of Tables 1 to 8."""
    return [paper[paper.table == k] for k in range(1, 9)]


def rows_against_paper(cells: pd.DataFrame) -> Figure:
    """Printed errors and ours with their tolerance, row by row.

    Args:
        cells: of `checks.tables.compared_cells`.
    """
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.8))
    rows = cells[cells.kind == "NE"]
    names = [f"T{r.table}\n{r.d}\n{r.P}\n{r.C}" for r in rows.itertuples()]
    for offset, kind, marker in ((-0.22, "NE", "o"), (0, "SE", "s"), (0.22, "NSE", "^")):
        part = cells[cells.kind == kind]
        x = np.arange(len(part)) + offset
        look: dict[str, Any] = {"fmt": marker, "ms": 4, "capsize": 2, "color": ERRORS[kind]}
        ax.errorbar(x, part.ours, _intervals(part), label=kind, **look)
        ax.plot(x, part.paper, label="paper" if kind == "NSE" else None, **figures.PAPER)
    ax.set(ylabel="mean square error per entry", ylim=0)
    ax.set_xticks(range(len(names)), names, fontsize="small" if len(names) < 12 else 4)
    ax.set_xlabel("table, $d$, $P$, $C$")
    fig.legend(loc="outside upper center", ncols=4)
    return fig


def all_tables(paper: pd.DataFrame, cells: pd.DataFrame) -> Figure:
    """The curves of Tables 1 to 8 with their ±, and ours with their tolerance where we ran.

    Args:
        paper: of `printed.tables`.
        cells: of `checks.tables.compared_cells`.
    """
    fig, axes = plt.subplots(4, 2, figsize=(figures.NARROW, 7.6), sharex=True, sharey=True)
    looks = {"NE": (-0.8, "o", "-"), "SE": (0.0, "s", "--"), "NSE": (0.8, "^", "-.")}
    for ax, (table, rows) in zip(axes.flat, enumerate(_by_table(paper), 1), strict=True):
        for kind, (offset, marker, ls) in looks.items():
            low, high = (rows[kind] + s * rows[f"{kind}_std"] for s in (-1, 1))
            ax.fill_between(rows.P, low, high, color=ERRORS[kind], alpha=0.25, lw=0)
            ax.plot(rows.P, rows[kind], ls, color=ERRORS[kind], lw=1, label=kind)
            part = cells[(cells.kind == kind) & (cells.table == table)]
            look: dict[str, Any] = {"fmt": marker, "ms": 3, "lw": 1, "color": ERRORS[kind]}
            ax.errorbar(part.P + offset, part.ours, _intervals(part), **look)
        ratio = rows.iloc[0].d / rows.iloc[0].P
        kernels = "0.8 $P$" if table <= 3 else "1.2 $d$"
        title = f"T{table}: ε = {rows.eps.iloc[0]:g}\n$d$ = {ratio:g} $P$, $C$ = {kernels}"
        ax.set_title(title, fontsize="small")
    axes[0, 0].set(ylim=0)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    fig.supxlabel("patches $P$", fontsize="medium")
    fig.supylabel("mean square error per entry", fontsize="medium")
    return fig


def norm_at_the_start(d: int) -> Figure:
    """Pr[‖w‖ > σ0 f_h] against f_h/√d: exact, as bounded in our text, and as corrected."""
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3))
    ratio = np.linspace(1, 2**0.5, 200)
    f_h = d**0.5 * ratio
    curves = {
        "exact": theory.norm_tail(d, f_h),
        "printed": theory.p0_printed(d, f_h),
        "corrected": np.minimum(theory.p0_corrected(d, f_h), 1),
    }
    figures.bound(ax, ratio, curves)
    ax.set(xlabel=r"$f_h/\sqrt{d}$", ylabel="probability", yscale="log", ylim=(1e-9, 2))
    figures.label_lines(ax)
    return fig


def kernels_in_a_cone(
    law: Mapping[str, NDArray[np.float64]], bounds: Mapping[str, float]
) -> Figure:
    """The law of the number of kernels in a cone, drawn and exact, and what bounds allow.

    Args:
        law: ``drawn`` and ``exact`` probabilities of 0, 1, 2, ...
        bounds: C p_2 + λ as ``printed`` and as ``corrected``.
    """
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3))
    values = np.arange(len(law["exact"]))
    ax.bar(values, law["drawn"], color=figures.colours("cone")["cone"], alpha=0.5)
    ax.plot(values, law["exact"], "o", color=JUDGED["exact"], ms=4, label="exact")
    for name, ls in {"printed": "--", "corrected": ":"}.items():
        ax.axvline(bounds[name], ls=ls, color=JUDGED[name], label=rf"$Cp_2+2$, {name}")
    ax.set(xlabel=r"kernels in the cone, $|\tilde{\mathcal{S}}^1(k)|$", ylabel="probability")
    ax.legend()
    return fig


def theorem_3(dims: NDArray[np.int64]) -> Figure:
    """The level of Theorem 3 at its best θ, and the failures promised and exact, by dimension."""
    theta = theory.best_theta(dims)
    level = theory.filtering_level(dims, theta)
    every = [theory.some_kernel_fires(int(n), float(x)) for n, x in zip(dims, level, strict=True)]
    fig, (above, below) = plt.subplots(
        2, 1, sharex=True, figsize=(figures.NARROW, 4.8), height_ratios=[2, 3]
    )
    above.plot(dims, level, color=JUDGED["exact"])
    above.axhline(1, color="gray", lw=0.8, ls=":")
    above.set(ylabel="level", ylim=(0, 1.3))
    above.set_title(r"(a) level $\max\{2\theta, 1/(\theta\sqrt{d-1})\}$", loc="left")
    promised, one = theory.filtering_failure(theta), theory.sphere_tail(dims, level)
    below.semilogy(dims, promised, color=JUDGED["printed"], ls="--", label="promised")
    below.semilogy(dims, one, color=JUDGED["exact"], label="one kernel")
    every_look: dict[str, Any] = {"color": JUDGED["exact"], "ls": ":", "lw": 2.5}
    below.semilogy(dims, every, label="$d$ kernels\nat once", **every_look)
    below.set(xlabel="$d$", ylabel="probability")
    below.set_title("(b) a random patch is not filtered", loc="left")
    figures.label_lines(below)
    return fig


def along_training(errors: pd.DataFrame, shares: Mapping[str, Tensor], d: int) -> Figure:
    """The three errors along the training, and how far kernels have turned to features.

    Args:
        errors: columns NE, SE, NSE, indexed by step (0 first) and seed.
        shares: at the same steps, (T, R), by name.
    """
    fig, axes = plt.subplots(2, 1, sharex=True, figsize=(figures.NARROW, 5.2))
    for kind, marker, ls in (("NE", "o", "-"), ("SE", "s", "--"), ("NSE", "^", "-.")):
        error = errors.pivot_table(index="step", columns="seed", values=kind).iloc[1:]
        look: dict[str, Any] = {"marker": marker, "markevery": 3, "ls": ls}
        figures.band(axes[0], error.index, error, label=kind, color=ERRORS[kind], **look)
    level: dict[str, Any] = {"textcoords": "offset points", "fontsize": "small"}
    axes[0].axhline(1 / d, color="gray", ls=":")
    axes[0].annotate("predicting 0", (1, 1 / d), (2, 3), **level)
    axes[0].set(xscale="log", ylabel="error per entry", ylim=(0, 1.2 / d))
    figures.label_lines(axes[0])
    steps = errors.index.unique("step")[1:]
    for (name, x), ls in zip(shares.items(), ("-", "--"), strict=True):
        figures.band(axes[1], steps, x[1:], label=name, color=JUDGED["exact"], ls=ls)
    axes[1].set(xlabel="step $t$", ylim=(0, 1.05))
    figures.label_lines(axes[1])
    figures.label_panels(axes)
    return fig


def gaps_by_replaced(gaps: pd.DataFrame, data: PatchData) -> Figure:
    """Gaps of the errors against the number of replaced patches, and a perfect dictionary's.

    Args:
        gaps: columns SE and NSE in units of a patch, indexed by ``replaced`` and seed.
    """
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.2))
    numbers = sorted(gaps.index.unique("replaced"))
    reach, perfect = np.array([0, numbers[-1]]), theory.perfect_dictionary_gaps(data)
    for kind, value, marker in zip(("SE", "NSE"), perfect, "s^", strict=True):
        spans = [mean_interval(x) for _, x in gaps.groupby("replaced")[kind]]
        mean, low, high = np.array(spans).T
        look: dict[str, Any] = {"fmt": marker, "capsize": 3, "color": ERRORS[kind]}
        ax.errorbar(numbers, mean, [mean - low, high - mean], label=kind, **look)
        line: dict[str, Any] = {"color": ERRORS[kind], "lw": 1.2, "ls": ":"}
        ax.plot(reach, reach * value * data.P * data.d, label=f"{kind}, perfect", **line)
    ax.set(xlabel="replaced patches", ylabel="error above NE, in patches", xlim=0, ylim=0)
    figures.label_lines(ax)
    ax.legend(*[x[2:] for x in ax.get_legend_handles_labels()], loc="upper left")
    return fig


def leaving(own: Tensor, inside: Tensor, cone: Cone) -> Figure:
    """Planted kernels' own components over σ0, and the share of them in their cones.

    Args:
        own, inside: (T, R, features), the first two features normal.
    """
    fig, axes = plt.subplots(2, 1, sharex=True, figsize=(figures.NARROW, 4.8), height_ratios=[3, 2])
    t = np.arange(1, len(own) + 1)
    for kind, part, ls in (("normal", slice(0, 2), "-"), ("auxiliary", slice(2, None), "-.")):
        tone, lines = FEATURES[kind], own[:, :, part].flatten(1)
        figures.band(axes[0], t, lines, label=kind, centre="median", color=tone, ls=ls)
        share = inside[:, :, part].float().mean((1, 2))
        axes[1].step(t, share, where="post", color=tone, ls=ls)
        look: dict[str, Any] = {"textcoords": "offset points", "fontsize": "small", "color": tone}
        axes[1].annotate(kind, (int((share > 0.5).sum()), 0.75), (8, 0), **look)
    axes[0].loglog(t, t * cone.c1 * cone.f_h, "--", color=FEATURES["cone"], label="height")
    axes[0].set(ylabel=r"$\langle w_k^t, v_k\rangle/\sigma_0$")
    axes[1].set(xlabel="$t$", ylabel="share in the cone")
    figures.label_lines(axes[0])
    figures.label_panels(axes)
    return fig


def exponents(law: Mapping[str, NDArray[np.float64]]) -> Figure:
    """Fitted exponents against those by the ``shares``, (rates, R, features), two normal."""
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.6))
    kinds = {"normal": (slice(0, 2), "o"), "auxiliary": (slice(2, None), "+")}
    for kind, (some, marker) in kinds.items():
        x, y = law["shares"][..., some].ravel(), law["fitted"][..., some].ravel()
        look: dict[str, Any] = {"color": FEATURES[kind], "alpha": 0.7, "rasterized": True}
        ax.plot(x, y, marker, mfc="none", label=kind, **look)
    ax.axline((0, 0), slope=1, color="gray", lw=0.8)
    ax.axhline(1, color=FEATURES["cone"], ls="--")
    ax.text(0.02, 1.02, "the cone's height", fontsize="small", va="bottom")
    ax.set(xlabel=r"$4a\hat\beta_k$", ylabel="fitted exponent")
    ax.legend(loc="lower right", markerscale=1.2)
    return fig
