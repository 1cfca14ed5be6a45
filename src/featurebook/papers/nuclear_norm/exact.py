"""Printed numbers as the fractions that they are."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from featurebook.papers.nuclear_norm import printed
from featurebook.verdicts import rationals


def tenths(values: ArrayLike) -> NDArray[Any]:
    """Numbers that are printed with one decimal; any shape."""
    return rationals(np.asarray(values, dtype=float), 10)


def variances(errors: ArrayLike) -> NDArray[Any]:
    """Squares of the standard errors of `printed.gains`, whose denominators divide 100 n², n <= 6.

    Args:
        errors: of a difference of two printed numbers, or of two means over n domains.
    """
    return rationals(np.asarray(errors, dtype=float) ** 2, 3600)


def off_the_mean(name: str) -> dict[str, Fraction]:
    """How far each printed average of a table is from the mean of its row."""
    values = printed.table(name)
    columns = tenths(values.drop(columns="average"))
    averages = tenths(values.average)
    gaps = [abs(sum(row) / len(row) - mean) for row, mean in zip(columns, averages, strict=True)]
    return {f"{name}: {a}": gap for a, gap in zip(values.index, gaps, strict=True)}
