"""The checks of the claims on cone sets, one or two modules for each chapter."""

from featurebook.papers.cone_sets.checks import (
    absorption,
    filtering,
    kernels,
    occupancy,
    reconstruction,
    story,
    tables,
    training,
)
from featurebook.papers.cone_sets.checks.registry import claims

__all__ = [
    "absorption",
    "claims",
    "filtering",
    "kernels",
    "occupancy",
    "reconstruction",
    "story",
    "tables",
    "training",
]
