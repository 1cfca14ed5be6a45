"""The checks of the claims on in-context learning, a module for each topic."""

from featurebook.papers.icl_scale.checks import attention, language_models
from featurebook.papers.icl_scale.checks.registry import claims

__all__ = ["attention", "claims", "language_models"]
