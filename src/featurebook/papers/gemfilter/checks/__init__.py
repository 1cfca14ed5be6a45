"""The checks of the claims on GemFilter."""

from featurebook.papers.gemfilter.checks import (
    algorithm,
    generation,
    memories,
    model,
    needles,
    networks,
    peaks,
    promises,
    real_claims,
    real_looks,
    real_runs,
    stages,
    tables,
    times,
)
from featurebook.papers.gemfilter.checks.registry import claims

__all__ = [
    "algorithm",
    "claims",
    "generation",
    "memories",
    "model",
    "needles",
    "networks",
    "peaks",
    "promises",
    "real_claims",
    "real_looks",
    "real_runs",
    "stages",
    "tables",
    "times",
]
