"""The checks of learning without input structure: statistical queries and the gradient's size."""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import hardness, network
from featurebook.papers.feature_emergence.checks.fixed_features import SUBSETS
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality

Subset = tuple[int, ...]
CHANGES = (42, 46, 51, 55, 61, 66, 67, 80)
"""Numbers of present patterns at which a hypothesis that learns without queries changes sign."""


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


def labels_of(k: int) -> list[Subset]:
    """The P ⊆ [k] with balanced classes (A0), for uniform patterns."""
    every = (P for n in range(k + 1) for P in itertools.combinations(range(1, k + 1), n))
    return [P for P in every if 2 * sum(math.comb(k, s) for s in P) == 2**k]


def correlations(D: int, k: int, P: Subset) -> list[Fraction]:
    """E[y 1(t patterns are present)] for uniform patterns, by t = 0, ..., D."""
    rest = D - k

    def of(t: int) -> int:
        signs = ((1 if s in P else -1, s) for s in range(k + 1) if 0 <= t - s <= rest)
        return sum(y * math.comb(k, s) * math.comb(rest, t - s) for y, s in signs)

    return [Fraction(of(t), 2**D) for t in range(D + 1)]


def error_of(D: int, k: int, P: Subset, changes: Sequence[int]) -> Fraction:
    """The error of -1 that changes its sign at these numbers of patterns that are present."""
    signs = [-((-1) ** sum(t >= c for c in changes)) for t in range(D + 1)]
    held = sum(s * x for s, x in zip(signs, correlations(D, k, P), strict=True))
    return (1 - held) / 2


@claims.check("theorem-32")
def quoted_bound() -> Iterator[Verdict]:
    """The error of the majority of 1001 fair bits for each of them, and ½ - n⁻³."""
    n = 1001
    error = error_of(n, 1, (1,), [(n + 1) // 2])
    yield exactly(
        error, ">=", Fraction(1, 2) - Fraction(1, n**3), what="error without queries, and ½ - n⁻³",
        instance={"class": "one of 1001 fair bits", "hypothesis": "their majority", "queries": 0,
                  "needed": queries_needed(n, 1)},
    )  # fmt: skip


@claims.check(
    "theorem-4",
    undecided=("two readings", "if 0 may be in P: true; with P ⊆ {1, ..., k}: false"),
)
def no_structure_no_learning() -> Iterator[Verdict]:
    """The error of one function of ‖x̃‖² for every A and P at D = 100, k = 5."""
    found = [error_of(100, 5, P, CHANGES) for P in labels_of(5)]
    allowed = Fraction(1, 2) - Fraction(1, math.comb(100, 5) ** 3)
    yield exactly(
        found, ">=", [allowed] * len(found), what="error without queries, and ½ - (D choose k)⁻³",
        instance={"D": 100, "k": 5, "P": labels_of(5), "sign changes at": CHANGES, "queries": 0,
                  "needed": queries_needed(100, 5)},
    )  # fmt: skip


@claims.check("theorem-32-corrected", proof="proved on the page")
def few_concepts_differ(seed: int) -> Iterator[Verdict]:
    """j times the j-th largest squared correlation with all parities of three of ten bits: of one
    parity, of the sign of their sum, and of random functions."""
    concepts = products(hardness.cube(10), list(itertools.combinations(range(10), 3))).double()
    points = concepts.shape[1]
    noise = torch.rand(20, points, generator=generator(seed, "queries")).double() * 2 - 1
    functions = torch.cat([concepts[:1], concepts.sum(0).sign()[None], noise, noise.sign()])
    squares = (functions @ concepts.T / points).square().sort(1, descending=True).values
    places = torch.arange(1, squares.shape[1] + 1)
    yield inequality((places * squares).flatten(), 1.0, slack=1e-12, what="j times a square")


@claims.check("theorem-4-corrected", proof="proved on the page")
def most_without_queries() -> Iterator[Verdict]:
    """4 (D choose k) θ² ≤ 1 for the best function of ‖x̃‖², for parities."""
    sizes = [(D, k) for k in (1, 2, 3, 5) for D in (k, 10, 30, 100)]
    best = [sum(map(abs, correlations(D, k, tuple(range(1, k + 1, 2))))) / 2 for D, k in sizes]
    left = [4 * math.comb(D, k) * x**2 for (D, k), x in zip(sizes, best, strict=True)]
    yield exactly(left, "<=", [Fraction(1)] * len(left), what="4 (D choose k) θ²")


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
