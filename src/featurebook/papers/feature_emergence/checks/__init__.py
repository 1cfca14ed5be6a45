"""The checks of the claims on feature emergence, one or more modules for each chapter."""

from featurebook.papers.feature_emergence.checks import (
    filters,
    images,
    photographs,
    six_methods,
    step_sizes,
    students,
    tables,
)
from featurebook.papers.feature_emergence.checks.registry import claims

__all__ = [
    "claims",
    "filters",
    "images",
    "photographs",
    "six_methods",
    "step_sizes",
    "students",
    "tables",
]
