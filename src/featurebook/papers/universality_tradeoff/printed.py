"""Tables 7.1, 7.2 and F.2 to F.11 of the thesis, each printed number once, and texts on them.

Table F.1 is the first two rows of F.4. ``bold`` is known for Tables 7.1, F.5 and F.6 only.
"""

from importlib.resources import files

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

MIXTURES = ["CINIC-10", "+SVHN", "+GTSRB", "+ImageNet32"]
SHARES = ["1%", "5%", "10%", "20%", "100%"]
CLASSES = {"CINIC-10": 10, "SVHN": 10, "GTSRB": 43, "ImageNet32": 1000}
"""Classes of the sets of Figure 7.1, the weights of its average."""

ROW_CLASSES = {"ImageNet": 1000, "ImageNet22k": 21_841}
"""Classes of the rows of Tables F.1 and F.4 (Appendix F.3.1)."""

IMAGES = {"CINIC-10": 90_000, "SVHN": 73_257, "GTSRB": 107_500, "ImageNet32": 500_000}
"""Training images of the same sets (Appendix F.3.1; the subset of ImageNet32: Section 7.3.1)."""

EPOCHS = 800
"""Of each pre-training (Appendix F.3.2)."""

TEXT_CIFAR = (88.5, 76.4)
"""CIFAR-10 accuracy before and after, in the text on Figure 7.1."""

TEXT_AVERAGE = (18.3, 20.1)
"""The average accuracy before and after, in the same sentence."""

FALLING_PANELS = ("a", "b", "d", "e", "f", "h")
"""Panels of Figure F.2 in which Appendix F.3.2 says that the average falls at the end."""

FIRST_RISING_PANELS = ("g", "h")
"""Panels in which it says that the target rises in the beginning."""

EVALUATIONS = 6
"""Evaluations behind each ±: two pre-trainings, three probes each."""


def tables() -> pd.DataFrame:
    """All cells: table, row, method, aug, column, value, std (``NaN`` where none), bold."""
    with (files(__package__) / "printed_tables.csv").open() as file:
        return pd.read_csv(file)


def table(name: str) -> pd.DataFrame:
    """The cells of one table."""
    cells = tables()
    return cells[cells.table.eq(name)]


def as_printed(name: str) -> pd.DataFrame:
    """A table with its ±, rows and methods by columns in the printed order: "88.41 ± 0.01"."""
    cells = table(name).dropna(axis=1, how="all")
    plus = cells["std"].map(lambda x: "" if pd.isna(x) else f" ± {x:.2f}") if "std" in cells else ""
    said = cells.value.map("{:.2f}".format) + plus
    keys = [key for key in ("row", "method", "aug") if key in cells]
    grid = said.groupby([*(cells[k] for k in keys), cells["column"]], sort=False).first().unstack()  # noqa: PD010
    return grid.fillna("")[list(cells["column"].unique())]


def wide(name: str, method: str, aug: float | None = None) -> pd.DataFrame:
    """Values of one method, rows by columns in the printed order."""
    cells = table(name)
    cells = cells[cells.method.eq(method)]
    if aug is not None:
        cells = cells[cells.aug.eq(aug)]
    grid = cells.pivot_table(index="row", columns="column", values="value")
    return grid.loc[cells.row.unique(), cells.column.unique()]


def lost(before: pd.Series, after: pd.Series) -> pd.DataFrame:
    """What accuracies in per cent lose, in three units, one row per pair: (n,), (n,).

    Columns points, per cent (of the accuracy before), errors times (the ratio of the errors).
    """
    points = before - after
    errors = (100 - after) / (100 - before)
    columns = {"points": points, "per cent": 100 * points / before, "errors times": errors}
    return pd.DataFrame(columns)


def gains(name: str, confidence: float = 0.95) -> pd.DataFrame:
    """Ours minus fine-tuning at the same number of augmentations, with a Welch interval.

    Columns row, aug, column, gain, low, high. The printed ± is a standard deviation.
    """
    cells = table(name)
    keys = ["row", "aug", "column"]
    ours = cells[cells.method.eq("Ours")]
    pairs = ours.merge(cells[cells.method.eq("FT")], on=keys, suffixes=("", "_ft"))
    if pairs.empty:  # no augmentation counts are printed
        pairs = ours.merge(cells[cells.method.eq("FT")], on=["row", "column"], suffixes=("", "_ft"))
    half = _welch(pairs["std"].to_numpy(), pairs["std_ft"].to_numpy(), confidence)
    found = pairs[keys].copy()
    found["gain"] = (pairs.value - pairs.value_ft).round(2)
    found["low"], found["high"] = found.gain - half, found.gain + half
    return found


def _welch(
    a: NDArray[np.float64], b: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    """Half width of Welch's interval of a difference of means of `EVALUATIONS` each."""
    u, v = a**2 / EVALUATIONS, b**2 / EVALUATIONS
    degrees = (EVALUATIONS - 1) * (u + v) ** 2 / (u**2 + v**2)
    return np.asarray(stats.t.ppf((1 + confidence) / 2, degrees) * np.sqrt(u + v))


def weighted_average(accuracies: NDArray[np.float64], classes: NDArray[np.float64]) -> float:
    """The average of Appendix F.3.2: accuracies weighted by numbers of classes."""
    return float(np.average(accuracies, weights=classes))


def behind_average(average: float, half: float = 0.05) -> tuple[float, float]:
    """Least and largest accuracy of ImageNet32 behind an average over the sets of `CLASSES`.

    Args:
        average: in per cent, rounded, so that the true one is at most ``half`` away.
    """
    total, own = sum(CLASSES.values()), CLASSES["ImageNet32"]
    others = total - own
    return ((average - half) * total - 100 * others) / own, (average + half) * total / own


def gain_of_others(half: float = 0.05) -> tuple[float, float]:
    """Least and largest gain of the three other sets, on their weighted average, if ImageNet32's
    accuracy had not changed between the two averages of `TEXT_AVERAGE`."""
    total, rise = sum(CLASSES.values()), TEXT_AVERAGE[1] - TEXT_AVERAGE[0]
    others = total - CLASSES["ImageNet32"]
    return (rise - 2 * half) * total / others, (rise + 2 * half) * total / others
