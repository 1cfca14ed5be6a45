"""The checks of the claims on feature decoupling."""

from featurebook.papers.contrastive_decoupling.checks import (
    chance,
    common,
    firing,
    images,
    masks,
    story,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims

__all__ = ["chance", "claims", "common", "firing", "images", "masks", "story"]
