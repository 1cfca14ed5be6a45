"""The checks of the claims on GemFilter, a module for each chapter."""

from featurebook.papers.gemfilter.checks import needles, tables
from featurebook.papers.gemfilter.checks.registry import claims

__all__ = ["claims", "needles", "tables"]
