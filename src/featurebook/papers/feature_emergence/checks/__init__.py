"""The checks of the claims on feature emergence, one or more modules for each chapter."""

from featurebook.papers.feature_emergence.checks import (
    classifier,
    emergence,
    filters,
    fixed_features,
    images,
    initial,
    photographs,
    queries,
    second_step,
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
    "emergence",
    "filters",
    "fixed_features",
    "images",
    "initial",
    "photographs",
    "queries",
    "second_step",
    "six_methods",
    "step_sizes",
    "story",
    "students",
    "tables",
]
