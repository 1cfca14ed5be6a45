"""The checks of the example of F.1.1: an optimal representation that no linear probe can read."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook.papers.universality_tradeoff import circle, tables
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality

LABELS = np.array([-1, -1, 1, 1])
"""z_1 at the four points of F.1.1."""


@claims.experiment
def coin_errors() -> NDArray[np.float64]:
    """Errors of linear probes on the four points, for each of 16 labellings: (16, probes)."""
    points = tables.xor_points()
    coins = [np.array(labels) for labels in product((-1, 1), repeat=4)]
    return np.array([tables.probe_errors(points, labels, False) for labels in coins])


@claims.check("xor-optimal", proof="proved on the page")
def four_points_are_optimal(restarts: int, table_steps: int, seed: int) -> Iterator[Verdict]:
    """The loss of the printed points against the best table found, and the certificate."""
    uniform = torch.full((4, 1), 0.25, dtype=torch.float64)
    printed = tables.contrastive(torch.tensor(tables.xor_points())[:, None, :], uniform)
    found = tables.least(uniform, 1.0, 2, restarts=restarts, steps=table_steps, seed=seed)[0]
    yield inequality(float(printed), found, slack=1e-9, what="printed, searched")
    yield everywhere([circle.square_is_optimal(1.0)], what="certificate")


@claims.check("xor-probe", proof="proved on the page")
def no_probe_beats_chance() -> Iterator[Verdict]:
    """The errors of probes without intercept on the XOR."""
    errors = tables.probe_errors(tables.xor_points(), LABELS, False)
    yield inequality(0.5, errors, what="chance against 0-1 errors")


@claims.check("random-labels", proof="proved on the page")
def no_predictor_beats_chance(coin_errors: NDArray[np.float64]) -> Iterator[Verdict]:
    """The mean error of each probe over all labellings."""
    yield identity(coin_errors.mean(0), 0.5, tolerance=1e-12)


@claims.check(
    "random-labels-always",
    undecided=("two readings", "of the random labels: true; of one fixed labelling: false"),
)
def one_labelling_for_all_probes() -> Iterator[Verdict]:
    """The error of a good probe on a regular simplex, at the worst labelling."""
    yield exactly(
        Fraction(1, 2),
        "<=",
        max(tables.simplex_errors()),
        what="chance, and the error of a good probe at the worst of 16 labellings",
        instance={"z_R": "four equally likely values", "k": 3, "φ": "regular simplex"},
    )


@claims.check("random-labels-always-corrected", proof="proved on the page")
def a_labelling_for_each_probe(coin_errors: NDArray[np.float64]) -> Iterator[Verdict]:
    """The worst labelling of each probe."""
    what = "chance, and the worst labelling of each probe"
    yield inequality(0.5, coin_errors.max(0).ravel(), what=what)
