"""The checks of the claims on in-context learning, a module for each topic."""

from featurebook.papers.icl_scale.checks import (
    accuracy,
    attention,
    kinds_of_noise,
    language_models,
    noise,
    optimum,
    regression,
    risk,
    two_ranks,
)
from featurebook.papers.icl_scale.checks.registry import claims

__all__ = [
    "accuracy",
    "attention",
    "claims",
    "kinds_of_noise",
    "language_models",
    "noise",
    "optimum",
    "regression",
    "risk",
    "two_ranks",
]
