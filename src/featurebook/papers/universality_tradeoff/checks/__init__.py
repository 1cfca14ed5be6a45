"""The checks of the claims on universality and label efficiency."""

from featurebook.papers.universality_tradeoff.checks import (
    averaging,
    gains,
    images,
    networks,
    predicting,
    repair,
    tables,
    thresholds,
)
from featurebook.papers.universality_tradeoff.checks.registry import claims

__all__ = [
    "averaging",
    "claims",
    "gains",
    "images",
    "networks",
    "predicting",
    "repair",
    "tables",
    "thresholds",
]
