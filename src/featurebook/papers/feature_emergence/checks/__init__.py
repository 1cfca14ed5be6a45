"""The checks of the claims on feature emergence, one or more modules for each chapter."""

from featurebook.papers.feature_emergence.checks import (
    classifier,
    filters,
    fixed_features,
    images,
    photographs,
    queries,
    six_methods,
    step_sizes,
    story,
    students,
    tables,
)
from featurebook.papers.feature_emergence.checks.registry import claims

__all__ = [
    "claims",
    "classifier",
    "filters",
    "fixed_features",
    "images",
    "photographs",
    "queries",
    "six_methods",
    "step_sizes",
    "story",
    "students",
    "tables",
]
