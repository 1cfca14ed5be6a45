"""The checks of learning without input structure: statistical queries and the gradient's size."""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import torch

from featurebook.papers.feature_emergence import hardness, network
from featurebook.papers.feature_emergence.checks.fixed_features import SUBSETS
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality

Subset = tuple[int, ...]


def products(z: torch.Tensor, subsets: list[Subset]) -> torch.Tensor:
    """Parities of the subsets at points z (n, D), (subsets, n)."""
    return torch.stack([z[:, list(A)].prod(1) for A in subsets])


@claims.check("sq-dimension", proof="proved on the page")
def parities_are_uncorrelated() -> Iterator[Verdict]:
    """Inner products of all parities of three of ten patterns, in whole numbers."""
    parities = products(hardness.cube(10), list(itertools.combinations(range(10), 3)))
    gram = (parities @ parities.T).long().numpy().astype(object)
    yield exactly(
        gram,
        "==",
        1024 * np.eye(120, dtype=int).astype(object),
        what="inner products of all 120 parities",
    )


@claims.experiment
def sparse_parities() -> dict[str, torch.Tensor]:
    """The class of the proof at D = 6, k = 3, on all inputs: as ``printed``, with the sum over A
    (``over A``), and the ``parities``; (20, 64)."""
    z = hardness.cube(6)
    subsets: list[Subset] = list(itertools.combinations(range(6), 3))
    zeros = (z < 0).long()
    return {
        "printed": torch.stack([zeros.sum(1) % 2 for _ in subsets]),
        "over A": torch.stack([zeros[:, list(A)].sum(1) % 2 for A in subsets]),
        "parities": products(z, subsets),
    }


@claims.check("sq-class", undecided=("our text", "the index set may be lost"))
def printed_class(sparse_parities: dict[str, torch.Tensor]) -> Iterator[Verdict]:
    """How many concepts differ."""
    found = sparse_parities["printed"]
    yield exactly(
        len(found.unique(dim=0)),
        "==",
        len(found),
        what="distinct concepts",
        instance={"D": 6, "k": 3, "inputs": "all 64"},
    )


@claims.check("sq-class-corrected", proof="proved on the page")
def class_over_subsets(sparse_parities: dict[str, torch.Tensor]) -> Iterator[Verdict]:
    """The concepts against parities, and their correlations."""
    signs = 1.0 - 2.0 * sparse_parities["over A"].double()
    count, points = signs.shape
    yield identity(signs, sparse_parities["parities"], tolerance=1e-15)
    yield identity(signs @ signs.T / points, torch.eye(count), tolerance=1e-12, what="correlations")


def queries_needed(D: int, k: int) -> float:
    """Half the cube root of binom(D, k)."""
    return 0.5 * math.comb(D, k) ** (1 / 3)


def query_bounds() -> pd.DataFrame:
    """The bound of Theorem 4 at three sizes."""
    rows = [(D, k, queries_needed(D, k)) for D, k in ((100, 5), (200, 10), (500, 20))]
    return pd.DataFrame(rows, columns=["D", "k", "½ (D choose k)^⅓"]).set_index(["D", "k"])


@claims.check("theorem-4")
def no_structure_no_learning(T: int, m: int, D: int) -> Iterator[Verdict]:
    """The bound at D = 100, k = 5 against the partial derivatives that a run asks for."""
    asked, bound = T * 2 * m * (D + 2), queries_needed(100, 5)
    what = "the bound against the derivatives that one run uses"
    yield inequality(bound, asked, informative=bound > asked, what=what)


@claims.experiment
def gradient_powers(random_features: dict[str, Any], cube_size: int) -> dict[str, np.ndarray]:
    """Mean square of the gradient's signal over all A (``mean``), and its ``bound``, for four
    neurons and subsets of three and five patterns, (4, 2)."""
    z, degrees = hardness.cube(cube_size), hardness.degree(cube_size)
    mean, bound = [], []
    for w in random_features["probes"]:
        push = z * network.active(z @ w + 0.1, 0.0)[:, None]
        power = hardness.walsh_hadamard(push).square().sum(1)
        mean.append([float(power[degrees == k].mean()) for k in SUBSETS])
        size = float(push.square().sum(1).mean())
        bound.append([size / math.comb(cube_size, k) for k in SUBSETS])
    return {"mean": np.array(mean), "bound": np.array(bound)}


@claims.check("gradient-variance", proof="proved on the page")
def gradient_hardly_depends_on_the_label(
    gradient_powers: dict[str, np.ndarray],
) -> Iterator[Verdict]:
    """The mean over all subsets against the bound."""
    mean, bound = gradient_powers.values()
    yield inequality(mean, bound, what="mean over all A against the bound")
