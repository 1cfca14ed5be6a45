"""The checks of the claims on gradient features, by chapter and topic."""

from featurebook.papers.gradient_features.checks import (
    building,
    clusters,
    fixed_features,
    framework,
    literal,
    mixtures,
    movement,
    parities,
    simplicity,
    story,
    tails,
    teachers,
    tickets,
    uniform,
    xor,
)
from featurebook.papers.gradient_features.checks.registry import claims

__all__ = [
    "building",
    "claims",
    "clusters",
    "fixed_features",
    "framework",
    "literal",
    "mixtures",
    "movement",
    "parities",
    "simplicity",
    "story",
    "tails",
    "teachers",
    "tickets",
    "uniform",
    "xor",
]
