"""The checks of the claims on feature decoupling."""

from featurebook.papers.contrastive_decoupling.checks import (
    biases,
    chance,
    common,
    firing,
    images,
    masks,
    pushes,
    seven_runs,
    stage_one,
    story,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims

__all__ = [
    "biases",
    "chance",
    "claims",
    "common",
    "firing",
    "images",
    "masks",
    "pushes",
    "seven_runs",
    "stage_one",
    "story",
]
