"""The checks of what a sample changes, of Gaussian tails, a recurrence and a complexity."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook import verdicts
from featurebook.papers.gradient_features import lemmas
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, exactly, identity, inequality, search

Array = NDArray[np.float64]

SAMPLES = (9, 27, 81, 243, 729, 2187)
"""Odd numbers of fair signs whose mean is compared."""
RECURRENCES = [
    (Fraction(1), Fraction(0), Fraction(1), Fraction(1)),
    (Fraction(2), Fraction(5), Fraction(1, 3), Fraction(7)),
    (Fraction(-1), Fraction(1, 2), Fraction(2), Fraction(1)),
]
"""h(1), h(2), ρ and β; the first refutes the printed solution."""


@claims.check("lemma-b-18")
def deviation() -> Iterator[Verdict]:
    """The least deviation of the mean of n signs, and 0, the printed bound for w = 0."""
    yield exactly([Fraction(1, n) for n in SAMPLES], "<=", 0, what="deviation, w = 0")


@claims.check("lemma-b-18-corrected", proof="proved on the page")
def deviation_corrected() -> Iterator[Verdict]:
    """The exact binomial tail and the bound of its probability."""
    tails = [lemmas.sign_mean_tail(n, 2**0.5 * n ** (-1 / 3)) for n in SAMPLES]
    limit = 2 * np.exp(-(np.array(SAMPLES) ** (1 / 3)))
    yield inequality(tails, limit, informative=limit < 1, what="exact binomial tail, w = 0")


def hunt(
    logarithms: Callable[[Array], Any], box: list[tuple[float, float]], evaluations: int, seed: int
) -> Verdict:
    """A search for a point where the first of two logarithms exceeds the second."""

    def ratio(x: Array) -> tuple[Array, Array]:
        left, right = logarithms(x)
        return np.exp(np.minimum(left - right, 700)), np.ones_like(left)

    return search(
        ratio,
        box,
        evaluations=evaluations,
        seed=seed,
        vectorised=True,
        floor=0,
        what="ratio of the two sides",
    )


@claims.check("lemma-b-73")
def largest_normal(evaluations: int, seed: int) -> Iterator[Verdict]:
    """Both sides over log n and z."""
    yield hunt(
        lambda x: lemmas.log_gaussian_maximum(np.exp(x[:, 0]), x[:, 1]),
        [(0.7, 20), (1e-3, 200)],
        evaluations,
        seed,
    )


@claims.check("lemma-b-74")
def chi_squared(evaluations: int, seed: int) -> Iterator[Verdict]:
    """Both sides over k and z."""
    yield hunt(
        lambda x: lemmas.log_chi_square(np.round(x[:, 0]), x[:, 1]),
        [(1, 300), (0, 200)],
        evaluations,
        seed,
    )


@claims.check("lemma-b-75")
def mills_ratio(evaluations: int, seed: int) -> Iterator[Verdict]:
    """Both inequalities over z."""
    yield hunt(
        lambda x: [s.T for s in lemmas.log_tail_bounds(x[:, 0])], [(1e-3, 30)], evaluations, seed
    )


@claims.check("lemma-b-76")
def density_and_tail(evaluations: int, seed: int) -> Iterator[Verdict]:
    """Both sides over z."""
    yield hunt(lambda x: lemmas.log_density_bound(x[:, 0]), [(-30, 30)], evaluations, seed)


def solutions(shift: int) -> tuple[list[Fraction], list[Fraction]]:
    """The closed form with the exponent n - shift, and the recurrence, for n up to 8."""
    places = [(case, n) for case in RECURRENCES for n in range(1, 9)]
    closed = [lemmas.recurrence_closed(*case, n, shift) for case, n in places]
    return closed, [lemmas.recurrence(*case, n) for case, n in places]


@claims.check("lemma-b-77")
def recurrence() -> Iterator[Verdict]:
    """The printed solutions and the recurrence."""
    closed, truth = solutions(0)
    yield exactly(closed, "==", truth, what="exponent n")


@claims.check("lemma-b-77-corrected")
def recurrence_corrected() -> Iterator[Verdict]:
    """The shifted solutions and the recurrence."""
    closed, truth = solutions(1)
    yield exactly(closed, "==", truth, what="exponent n - 1")


UNIT = {"X": torch.ones(1, 1), "W": torch.ones(1, 1), "b": -torch.ones(1)}
"""One neuron and one sample, at which the complexity is 2."""


@claims.check("lemma-b-78")
def complexity() -> Iterator[Verdict]:
    """Squares of both sides for one neuron and one sample."""
    yield exactly(2**2, "<=", 1**2 + 1**2, what="squares; x = w = 1, b = -1", instance=UNIT)


@claims.check("lemma-b-78-corrected", proof="proved on the page")
def complexity_corrected(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """An attack over all sign patterns, and the neuron that attains the factor."""
    shapes = {"X": (3, 2), "W": (2, 2), "b": (2,)}
    points = verdicts.starts(shapes, random=search_starts, seed=seed)
    yield attack(lemmas.rademacher_sides, points, steps=search_steps, what="3 samples, 2 neurons")
    left, right = (float(side) for side in lemmas.rademacher_sides(UNIT))
    yield identity(left, right, tolerance=1e-7, what="attained")
