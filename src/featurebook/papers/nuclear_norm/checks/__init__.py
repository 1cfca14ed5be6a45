"""The checks of the claims on the nuclear norm, a module or more for each chapter."""

from featurebook.papers.nuclear_norm.checks import method, regularisers, stable_rank
from featurebook.papers.nuclear_norm.checks.registry import claims

__all__ = ["claims", "method", "regularisers", "stable_rank"]
