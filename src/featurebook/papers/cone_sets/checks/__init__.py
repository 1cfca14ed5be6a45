"""The checks of the claims on cone sets, a module for each chapter."""

from featurebook.papers.cone_sets.checks import tables
from featurebook.papers.cone_sets.checks.registry import claims

__all__ = ["claims", "tables"]
