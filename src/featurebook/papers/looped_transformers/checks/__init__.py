"""The checks of the claims on looped transformers, by chapter and topic."""

from featurebook.papers.looped_transformers.checks import (
    conditioning,
    experiments,
    learned,
    rates,
    story,
    theorem,
    variations,
)
from featurebook.papers.looped_transformers.checks.registry import claims

__all__ = [
    "claims",
    "conditioning",
    "experiments",
    "learned",
    "rates",
    "story",
    "theorem",
    "variations",
]
