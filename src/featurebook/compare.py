"""Compare published bounds and numbers with computed ones."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from featurebook.verdicts import mean_interval
from featurebook.verdicts.checks import array
from featurebook.verdicts.tables import agree


def bounds(
    x: ArrayLike, exact: ArrayLike, claimed: Mapping[str, ArrayLike], *, trivial: ArrayLike = 1.0
) -> pd.DataFrame:
    """A quantity beside its claimed upper bounds, row by row.

    Args:
        x: the variable of the rows: a dimension, a width, a radius; all arguments broadcast.
        exact: the quantity itself, computed or measured.
        claimed: upper bounds by name: printed, corrected.
        trivial: what is known without them (1 for a probability); a bound bites if it is smaller.

    Returns:
        columns x, exact, and for each name the bound, ``NAME true`` and ``NAME bites``.
    """
    first, truth, known = np.broadcast_arrays(array(x), array(exact), array(trivial))
    columns: dict[str, Any] = {"x": first.ravel(), "exact": truth.ravel()}
    for name, values in claimed.items():
        bound = np.broadcast_to(array(values), first.shape)
        columns |= {name: bound.ravel(), f"{name} true": (truth <= bound).ravel()}
        columns[f"{name} bites"] = (bound < known).ravel()
    return pd.DataFrame(columns)


def bites(x: ArrayLike, informative: ArrayLike, name: str = "x") -> str:
    """Where a bound is informative, in words: "for d ≥ 8,192", "nowhere up to d = 512".

    Args:
        x: where it was evaluated.
        informative: whether it is informative there.
    """
    at, says = np.broadcast_arrays(array(x), array(informative))
    order = np.argsort(at, axis=None, kind="stable")
    at, says = at.ravel()[order], says.ravel()[order].astype(bool)
    if at.size == 0 or not says.any():
        return f"nowhere up to {name} = {at[-1]:,g}" if at.size else "nowhere"
    if says.all():
        return f"everywhere from {name} = {at[0]:,g} to {at[-1]:,g}"
    first, last = at[says][0], at[says][-1]
    if says[at >= first].all():
        return f"for {name} ≥ {first:,g}"
    if says[at <= last].all():
        return f"for {name} ≤ {last:,g}"
    return f"at {says.sum()} of {says.size} values of {name}, {first:,g} to {last:,g}"


def beside(
    paper: Mapping[Any, float],
    ours: Mapping[Any, ArrayLike],
    *,
    confidence: float = 0.95,
    next_value: bool = True,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> pd.DataFrame:
    """Printed numbers beside ours, for `verdicts.reproduction`: label, paper, ours, low, high.

    Args:
        paper: the printed numbers by label.
        ours: our values by the same labels, one per seed.
        next_value: the interval is for one more run, if a printed number is a single run; False
            for a mean over many.
        within: what the numbers can be, such as (0, 1).

    Raises:
        KeyError: for a printed number for which we have no values.
    """
    if lacking := [label for label in paper if label not in ours]:
        raise KeyError(f"no values of ours for {lacking}")
    rows = [
        (label, float(number), *mean_interval(
            ours[label], confidence, next_value=next_value, within=within
        ))
        for label, number in paper.items()
    ]  # fmt: skip
    cells = pd.DataFrame(rows, columns=["label", "paper", "ours", "low", "high"])
    return cells.assign(agrees=agree(cells))


def means(
    frame: pd.DataFrame,
    by: str | Sequence[str],
    values: str,
    *,
    confidence: float = 0.95,
    next_value: bool = False,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> pd.DataFrame:
    """Mean and interval of a column in each group, one row per group: mean, low, high, runs."""
    names = [by] if isinstance(by, str) else list(by)
    groups = frame.groupby(names[0] if len(names) == 1 else names, sort=False)[values]
    rows = {
        key: (*mean_interval(
            group.to_numpy(), confidence, next_value=next_value, within=within
        ), len(group))
        for key, group in groups
    }  # fmt: skip
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["mean", "low", "high", "runs"])
    if len(names) > 1:
        table.index = pd.MultiIndex.from_tuples(table.index)
    table.index.names = names
    return table


def readable(cells: pd.DataFrame, digits: int = 3) -> pd.DataFrame:
    """The table of `beside` for a page: rounded, the interval in one column, ✓ or ✗."""
    number = f"{{:.{digits}g}}".format
    return pd.DataFrame(
        {
            "": cells.label.astype(str),
            "paper": cells.paper.map(number),
            "ours": cells.ours.map(number),
            "interval": [
                f"[{number(a)}, {number(b)}]" for a, b in zip(cells.low, cells.high, strict=True)
            ],
            "agrees": agree(cells).map({True: "✓", False: "✗"}),
        }
    ).set_index("")
