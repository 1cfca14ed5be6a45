"""The checks of the claims on universality and label efficiency."""

from featurebook.papers.universality_tradeoff.checks import (
    averaging,
    bounds,
    gains,
    images,
    more_tasks,
    networks,
    predicting,
    regularised,
    repair,
    tables,
    thresholds,
    weights,
)
from featurebook.papers.universality_tradeoff.checks.registry import claims

__all__ = [
    "averaging",
    "bounds",
    "claims",
    "gains",
    "images",
    "more_tasks",
    "networks",
    "predicting",
    "regularised",
    "repair",
    "tables",
    "thresholds",
    "weights",
]
