"""The checks of the claims on gradient features, by chapter and topic."""

from featurebook.papers.gradient_features.checks import movement, story, tails
from featurebook.papers.gradient_features.checks.registry import claims

__all__ = ["claims", "movement", "story", "tails"]
