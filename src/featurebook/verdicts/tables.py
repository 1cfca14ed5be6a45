"""Numbers that a paper prints, against ours."""

import math

import numpy as np
import pandas as pd

from featurebook.verdicts.checks import nothing
from featurebook.verdicts.verdict import Verdict
from featurebook.verdicts.words import percent, said, shown

COLUMNS = ["label", "paper", "ours", "low", "high"]


def reproduction(cells: pd.DataFrame, *, what: str = "") -> Verdict:
    """Numbers of a paper against ours.

    Holds if every printed number lies in our interval, open otherwise: where a paper does
    not state its hyper-parameters, another number does not refute it. Says how many agree, how wide
    our intervals are, and how far ours are off. An interval without ends, as of a single run,
    agrees with nothing.

    Args:
        cells: columns label, paper, ours, low, high; one row per number. `compare.beside` makes it.
    """
    if missing := [c for c in COLUMNS if c not in cells]:
        raise ValueError(f"cells lacks the columns {missing}; it needs {COLUMNS}")
    table = cells[COLUMNS].copy()
    if table.empty:
        return nothing(what, {"agreeing": 0})
    table["agrees"] = agree(table)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(table.ours - table.paper) / np.abs(table.paper)
        width = float(((table.high - table.low) / 2 / np.abs(table.ours)).median())
    off = off.where(table.ours != table.paper, 0.0)
    agreeing, total = int(table.agrees.sum()), len(table)
    endless = int((np.isinf(table.low) & np.isinf(table.high)).sum())
    median, largest = float(off.median()), float(off.max(skipna=False))
    furthest = "" if math.isnan(largest) else f", largest {_share(largest)}"
    return Verdict(
        "",
        "holds" if agreeing == total else "open",
        said(
            f"{agreeing} of {total} printed numbers lie in our interval ("
            + (f"median width ±{_share(width)}" if math.isfinite(width) else "most are too wide")
            + f"); median difference {_share(median)}{furthest}",
            what,
        ),
        {"agreeing": agreeing, "median_difference": median, "largest_difference": largest,
         "median_width": width},
        total,
        [{str(k): v for k, v in row.items()} for row in table.to_dict("records")],
        title=what,
        reason="" if agreeing == total else "too few" if agreeing + endless == total else (
            "unlike print"
        ),
    )  # fmt: skip


def agree(cells: pd.DataFrame) -> pd.Series:
    """Whether each printed number lies in our interval; one without ends contains nothing."""
    inside = (cells.low <= cells.paper) & (cells.paper <= cells.high)
    return inside & ~(np.isinf(cells.low) & np.isinf(cells.high))


def _share(x: float) -> str:
    return shown(x) if not math.isfinite(x) or x > 10 else percent(float(f"{x:.2g}"))
