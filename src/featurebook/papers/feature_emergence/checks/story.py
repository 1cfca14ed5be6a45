"""The checks of the story: what halfspaces and low degrees reach, and the mixture of the proof."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import torch

from featurebook.papers.feature_emergence import data, hardness
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.verdicts import Verdict, proved, rationals
from featurebook.verdicts.comparisons import everywhere, exactly, identity

SMALL_P = [Fraction(1, n) for n in (20, 10, 5, 4, 3)]
"""Probabilities p_o at which the printed mixture is looked at."""
REPAIRED = [(0.5, 0.5), (0.2, 0.2), (0.1, 0.8), (0.05, 0.5)]
"""p_o and α of the repaired mixture."""


@claims.experiment
def best_halfspaces() -> dict[int, float]:
    """The best accuracy of a halfspace of the relevant patterns, for k = 3 and 5."""
    return {k: hardness.best_halfspace(data.parity_mixture(20, k, 0.5)) for k in (3, 5)}


@claims.check("ceilings")
def halfspaces_and_low_degrees(best_halfspaces: dict[int, float]) -> Iterator[Verdict]:
    """Least hinge losses of low degrees against α, and the best halfspace against the threshold."""
    floors = [
        (hardness.least_hinge(data.independent_mixture(20, k, 0.5, alpha), degree), alpha)
        for k in (3, 5, 7)
        for alpha in (0.1, 0.3, 0.5)
        for degree in (1, k - 1)
    ]
    stairs = hardness.threshold_accuracies(data.parity_mixture(20, 5, 0.5))
    least = np.transpose(floors)
    yield proved(identity(*least, tolerance=1e-9, what="least hinge loss against α"))
    yield exactly(
        rationals([best_halfspaces[5], stairs.max()]),
        "==",
        Fraction(27, 32),
        what="best halfspace, best threshold",
    )


@claims.check("mixture-membership")
def printed_mixture() -> Iterator[Verdict]:
    """The covariance of two background patterns in fractions: their probability is 1/2 in one part
    and p_o/(2 - 2 p_o) in the other."""
    covariance = []
    for p in SMALL_P:
        parts = ((p, Fraction(1, 2)), (1 - p, p / (2 - 2 * p)))  # weight, background probability
        mean = sum(weight * q for weight, q in parts)
        covariance.append(sum(weight * q**2 for weight, q in parts) - mean**2)
    yield exactly(
        covariance,
        "==",
        0,
        what="covariance of two background patterns, p_o = 1/20, 1/10, 1/5, 1/4, 1/3",
        instance={"p_o": SMALL_P},
    )


@claims.check("mixture-corrected", proof="proved on the page")
def repaired_mixture() -> Iterator[Verdict]:
    """(A0) to (A2) over all 2^12 points, for four mixtures."""
    gaps = []
    for p, alpha in REPAIRED:
        x, y, prob = data.enumerate_all(data.independent_mixture(12, 5, p, alpha))
        bits = (x > 0).double()
        relevant = (prob * y) @ bits[:, :5] - (prob @ y) * (prob @ bits[:, :5])
        second = bits.T @ (prob[:, None] * bits) - torch.outer(prob @ bits, prob @ bits)
        outside = second[5:] - torch.diag_embed(second.diagonal())[5:]
        gaps += [abs(prob @ y), *(relevant - (1 - alpha) / 2).abs(), outside.abs().max()]
    what = "E y = 0, γ = (1-α)/2, no covariance outside A"
    yield everywhere(np.array(gaps) < 1e-12, what=what)
