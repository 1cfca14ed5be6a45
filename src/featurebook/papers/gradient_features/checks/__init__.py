"""The checks of the claims on gradient features, by chapter and topic."""

from featurebook.papers.gradient_features.checks import (
    fixed_features,
    movement,
    parities,
    simplicity,
    story,
    tails,
    teachers,
    uniform,
)
from featurebook.papers.gradient_features.checks.registry import claims

__all__ = [
    "claims",
    "fixed_features",
    "movement",
    "parities",
    "simplicity",
    "story",
    "tails",
    "teachers",
    "uniform",
]
