"""The checks of the claims on the nuclear norm, a module or more for each chapter."""

from featurebook.papers.nuclear_norm.checks import (
    counterparts,
    method,
    plane,
    regularisers,
    stable_rank,
    tables,
)
from featurebook.papers.nuclear_norm.checks.registry import claims

__all__ = [
    "claims",
    "counterparts",
    "method",
    "plane",
    "regularisers",
    "stable_rank",
    "tables",
]
