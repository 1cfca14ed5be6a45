"""The checks of the story: the limits of both kernels, and training in the plane."""

from collections.abc import Iterator
from math import sqrt

import torch
from flint import arb
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import data, kernels, network
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, inequality

LOOKS = [0, 1, 2, 5, 10, 20, 50, 100, 500]
"""Steps at which the network in the plane is drawn."""


@claims.experiment
def plane_samples(first: int) -> Tensor:
    """Six points on the circle (2, 6)."""
    return data.sphere(6, 2, seed=first + 3)


@claims.experiment
def plane_training(plane_samples: Tensor, first: int) -> dict[int, core.Params]:
    """Joint training of 64 neurons on them: the network after each of `LOOKS` steps."""
    start = core.replicate(lambda g: network.initial(g, 2, 64), [first + 1], "picture")
    eta = kernels.stable_step("joint", start, plane_samples)
    run = network.descend(
        "joint", start, plane_samples, eta=eta, steps=LOOKS[-1], seeds=[1], observe=dict,
        observe_at=LOOKS,
    )  # fmt: skip
    return {k: {name: p[t, 0] for name, p in run.observed.items()} for t, k in enumerate(LOOKS)}


@claims.experiment
def limit_samples(first: int) -> Tensor:
    """Six samples in four dimensions (4, 6)."""
    return data.sphere(6, 4, seed=first + 2)


@claims.experiment
def limit_estimates(limit_samples: Tensor, gaussian_vectors: Tensor) -> dict[str, Tensor]:
    """Both limits from Gaussian vectors, with five standard errors of each, (6, 6).

    "ρ", the cosines; "G" and "H"; "slack of G" and "slack of H".
    """
    count = gaussian_vectors.shape[1]
    five = 5 / sqrt(count)
    z, rho = limit_samples.T @ gaussian_vectors, kernels.cosines(limit_samples)
    on, Phi = (z >= 0).double(), torch.relu(z)
    both, H = on @ on.T / count, Phi @ Phi.T / count
    return {
        "ρ": rho,
        "G": rho * both,
        "H": H,
        "slack of G": five * rho.abs() * (both * (1 - both)).sqrt(),
        "slack of H": five * (Phi**2 @ (Phi**2).T / count - H**2).sqrt(),
    }


@claims.check("G-limit")
def limit_of_G(limit_estimates: dict[str, Tensor], limit_samples: Tensor) -> Iterator[Verdict]:
    """The estimate against g."""
    gap = (limit_estimates["G"] - kernels.G_limit(limit_samples)).abs()
    yield inequality(gap, limit_estimates["slack of G"], what="estimate of G∞ and g, difference")


@claims.check("H-limit")
def equal_limits() -> Iterator[Verdict]:
    """The entries for orthogonal samples."""
    entry = 1 / (2 * arb.pi())  # of H∞: E[φ(w·x)] E[φ(w·y)]; that of G∞ is 0
    yield exactly(
        entry, "==", 0, what="the entries of H∞ and G∞ for orthogonal samples",
        instance={"x": [1, 0], "y": [0, 1], "H∞": "1/2π", "G∞": 0},
    )  # fmt: skip


@claims.check("H-limit-corrected")
def limit_of_H(limit_estimates: dict[str, Tensor], limit_samples: Tensor) -> Iterator[Verdict]:
    """The estimate against h."""
    gap = (limit_estimates["H"] - kernels.H_limit(limit_samples)).abs()
    yield inequality(gap, limit_estimates["slack of H"], what="estimate of H∞ and h, difference")
