"""The checks of the claims on universality and label efficiency, a module for each chapter."""

from featurebook.papers.universality_tradeoff.checks import (
    averaging,
    images,
    networks,
    predicting,
    repair,
    thresholds,
)
from featurebook.papers.universality_tradeoff.checks.registry import claims

__all__ = ["averaging", "claims", "images", "networks", "predicting", "repair", "thresholds"]
