"""The checks of the claims on universality and label efficiency, a module for each chapter."""

from featurebook.papers.universality_tradeoff.checks import images, networks, repair
from featurebook.papers.universality_tradeoff.checks.registry import claims

__all__ = ["claims", "images", "networks", "repair"]
