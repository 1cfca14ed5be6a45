"""The checks of the claims on Fourier circuits, a module for each chapter."""

from featurebook.papers.fourier_circuits.checks import (
    construction,
    figures,
    grokking,
    margins,
    neuron,
    penalties,
    story,
    theorem,
    training,
    transformers,
    width,
)
from featurebook.papers.fourier_circuits.checks.registry import claims

__all__ = [
    "claims",
    "construction",
    "figures",
    "grokking",
    "margins",
    "neuron",
    "penalties",
    "story",
    "theorem",
    "training",
    "transformers",
    "width",
]
