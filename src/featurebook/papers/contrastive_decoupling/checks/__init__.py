"""The checks of the claims on feature decoupling."""

from featurebook.papers.contrastive_decoupling.checks import (
    biases,
    chance,
    common,
    firing,
    images,
    masks,
    noise,
    pushes,
    scan,
    seven_runs,
    stage_one,
    story,
    with_mask,
    without_mask,
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
    "noise",
    "pushes",
    "scan",
    "seven_runs",
    "stage_one",
    "story",
    "with_mask",
    "without_mask",
]
