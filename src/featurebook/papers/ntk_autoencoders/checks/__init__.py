"""The checks of the claims on the kernels of autoencoders, a module or more for each chapter."""

from featurebook.papers.ntk_autoencoders.checks import (
    decoders,
    gradients,
    joint_descent,
    joint_flow,
    joint_squared,
    joint_theorems,
    perturbation,
    regimes,
    setting,
    spectra,
    starts,
    story,
    tied,
    weak,
    weak_descent,
    weak_theorems,
    width,
)
from featurebook.papers.ntk_autoencoders.checks.registry import claims

__all__ = [
    "claims",
    "decoders",
    "gradients",
    "joint_descent",
    "joint_flow",
    "joint_squared",
    "joint_theorems",
    "perturbation",
    "regimes",
    "setting",
    "spectra",
    "starts",
    "story",
    "tied",
    "weak",
    "weak_descent",
    "weak_theorems",
    "width",
]
