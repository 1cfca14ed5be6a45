"""The checks of the claims on gradient features, by chapter and topic."""

from featurebook.papers.gradient_features.checks import (
    clusters,
    fixed_features,
    mixtures,
    movement,
    parities,
    simplicity,
    story,
    tails,
    teachers,
    uniform,
    xor,
)
from featurebook.papers.gradient_features.checks.registry import claims

__all__ = [
    "claims",
    "clusters",
    "fixed_features",
    "mixtures",
    "movement",
    "parities",
    "simplicity",
    "story",
    "tails",
    "teachers",
    "uniform",
    "xor",
]
