"""The checks of the bound on the rank: Lemma 6.2, the penalty on the rank, full rank."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from flint import arb

from featurebook.core import spectra
from featurebook.papers.nuclear_norm import certified, model
from featurebook.papers.nuclear_norm.checks import statements
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.papers.nuclear_norm.model import Task
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity

RADIUS = 2.0
"""The bound ρ on the norm."""
PRICES = [Fraction(k, 10) for k in range(1, 15)]
"""λ of the penalty on the rank; ln 2 lies between two of them."""

Supports = dict[int, dict[tuple[int, int], float]]
"""Least loss by the budget and by the numbers of invariant and environmental features."""


@claims.experiment
def doubled_losses() -> list[arb]:
    """The loss of one invariant feature of weight 1, 2, 4, ..., 128, enclosed."""
    certified.precise()
    return [certified.logistic_of_uniform(2**k) for k in range(8)]


@claims.experiment
def supports(gamma: float, budgets: list[int]) -> Supports:
    """The least loss of bounded norm on every support of three features of each kind."""
    return {b: statements.best_supports(Task(3, 3, gamma), b, RADIUS) for b in budgets}


@claims.experiment
def invariant_alone(supports: Supports) -> list[bool]:
    """Whether the best support of each budget has no environmental feature."""
    return [min(losses, key=lambda k: losses[k])[1] == 0 for losses in supports.values()]


@claims.experiment
def chosen_ranks() -> list[int]:
    """The rank below 4 of least penalised infimum at each of `PRICES`."""
    certified.precise()
    ln2 = arb(2).log()
    infimum = [[certified.ball(k * p) + (ln2 if k == 0 else 0) for k in range(4)] for p in PRICES]
    return [int(np.argmin([float(x.mid()) for x in row])) for row in infimum]


@claims.check(
    "lemma-6-2",
    undecided=("two readings", "an optimum that is attained: false; one at infinity: true"),
)
def optimum_of_bounded_rank(doubled_losses: list[arb]) -> Iterator[Verdict]:
    """A supposed optimum against its double; how the losses tend to their infimum 0."""
    what = "loss of one invariant feature at t, and at 2t, t = 1, 2, 4, ..."
    yield exactly(doubled_losses[:-1], "<=", doubled_losses[1:], what=what)
    falling = [Fraction(5, 6 * 2**k) for k in range(len(doubled_losses))]
    yield exactly(doubled_losses, "<=", falling, what="loss at t against 5/(6t)")


@claims.check("no-optimum", proof="proved on the page")
def doubling_helps(doubled_losses: list[arb]) -> Iterator[Verdict]:
    """The loss of one invariant feature, of weights 1, 2, 4, ... in turn."""
    what = "loss of one invariant feature at 2t, and at t, t = 1, 2, 4, ..."
    yield exactly(doubled_losses[1:], "<", doubled_losses[:-1], what=what)


@claims.check("lemma-6-2-corrected", proof="proved on the page")
def optimum_of_bounded_norm(supports: Supports, invariant_alone: list[bool]) -> Iterator[Verdict]:
    """The best support of each budget, and its loss with equal weights."""
    yield everywhere(invariant_alone, what="best support has no environmental feature")
    equal = [
        losses[b, 0] - model.loss([RADIUS / np.sqrt(b)], np.array([0.5]), np.array([b]))
        for b, losses in supports.items()
    ]
    yield identity(1 + np.array(equal), 1.0, tolerance=1e-9, what="least loss")


@claims.check(
    "equivalent",
    undecided=("two readings", "for sequences at B_rank = 1: true; for every B_rank: false"),
)
def penalised_or_bounded(chosen_ranks: list[int]) -> Iterator[Verdict]:
    """Whether some price chooses rank 2."""
    yield exactly(2, "==", chosen_ranks, what="rank 2, and ranks that are chosen")


@claims.check("equivalent-corrected", proof="proved on the page")
def penalised_rank(chosen_ranks: list[int]) -> Iterator[Verdict]:
    """Rank 1 below ln 2, and 0 above."""
    expected = [int(p < Fraction(693, 1000)) for p in PRICES]
    yield exactly(
        chosen_ranks, "==", expected, what="rank that the penalty chooses, 14 values of λ"
    )


@claims.check("full-rank", proof="proved on the page")
def rank_of_a_batch(gamma: float, seed: int) -> Iterator[Verdict]:
    """The rank of eight points of six features, some of weight 0."""
    rng = np.random.default_rng([seed, 3])
    ranks = []
    for zero in range(4):
        weight = np.where(np.arange(6) < zero, 0.0, rng.normal(size=6))
        z = rng.random((8, 6)) * np.where(rng.random((8, 6)) < 0.5 + gamma, 1, -1)
        ranks.append(spectra.rank(z * weight) == np.count_nonzero(weight))
    yield everywhere(ranks, what="rank = nonzero weights")
