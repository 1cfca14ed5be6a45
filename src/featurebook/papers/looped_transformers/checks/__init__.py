"""The checks of the claims on looped transformers, by chapter and topic."""

from featurebook.papers.looped_transformers.checks import story
from featurebook.papers.looped_transformers.checks.registry import claims

__all__ = ["claims", "story"]
