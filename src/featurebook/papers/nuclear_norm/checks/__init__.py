"""The checks of the claims on the nuclear norm, a module or more for each chapter."""

from featurebook.papers.nuclear_norm.checks import (
    counterparts,
    decay,
    gap,
    method,
    moments,
    plane,
    rank,
    regularisers,
    selection,
    stable_rank,
    tables,
)
from featurebook.papers.nuclear_norm.checks.registry import claims

__all__ = [
    "claims",
    "counterparts",
    "decay",
    "gap",
    "method",
    "moments",
    "plane",
    "rank",
    "regularisers",
    "selection",
    "stable_rank",
    "tables",
]
