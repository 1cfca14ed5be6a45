"""The checks of the claims on feature decoupling."""

from featurebook.papers.contrastive_decoupling.checks import common, firing, images
from featurebook.papers.contrastive_decoupling.checks.registry import claims

__all__ = ["claims", "common", "firing", "images"]
