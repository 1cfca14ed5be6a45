"""Figures of the chapters that show numbers: errors and gaps, bounds beside exact probabilities."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from featurebook import figures

ERRORS = figures.colours("NE", "SE", "NSE")
"""Colours of the three errors."""


def _intervals(cells: pd.DataFrame) -> list[Any]:
    """Lengths of the error bars of ours, below and above; an error is at least 0."""
    return [cells.ours - cells.low.clip(0), cells.high - cells.ours]


def rows_against_paper(cells: pd.DataFrame) -> Figure:
    """Printed errors and the interval of one more run of ours, row by row.

    Args:
        cells: of `experiments.compare`.
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
    """The curves of Tables 1 to 8 with their ±, and our intervals where we ran.

    Args:
        paper: of `printed.tables`.
        cells: of `experiments.compare`.
    """
    fig, axes = plt.subplots(4, 2, figsize=(figures.NARROW, 7.6), sharex=True, sharey=True)
    looks = {"NE": (-0.8, "o", "-"), "SE": (0.0, "s", "--"), "NSE": (0.8, "^", "-.")}
    for ax, (table, rows) in zip(axes.flat, paper.groupby("table"), strict=True):
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
