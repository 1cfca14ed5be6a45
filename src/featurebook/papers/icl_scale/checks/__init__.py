"""The checks of the claims on in-context learning, a module for each topic."""

from featurebook.papers.icl_scale.checks import (
    accuracy,
    attention,
    covering,
    heads,
    kinds_of_noise,
    language_models,
    noise,
    optimality,
    optimum,
    parity,
    published,
    real_model,
    regression,
    risk,
    short_prompts,
    two_ranks,
)
from featurebook.papers.icl_scale.checks.registry import claims

__all__ = [
    "accuracy",
    "attention",
    "claims",
    "covering",
    "heads",
    "kinds_of_noise",
    "language_models",
    "noise",
    "optimality",
    "optimum",
    "parity",
    "published",
    "real_model",
    "regression",
    "risk",
    "short_prompts",
    "two_ranks",
]
