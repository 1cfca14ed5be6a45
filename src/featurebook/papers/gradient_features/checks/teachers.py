"""The checks of the teacher of biased parities, of noise, and of the theorem's error."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray

from featurebook.papers.gradient_features import data, theory
from featurebook.papers.gradient_features.checks.parities import (
    DIMENSIONS,
    MILD,
)
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, search

Array = NDArray[np.float64]
Neurons = list[tuple[int, int]]
"""a/√k and √k b of neurons."""

SIZES = (3, 5, 9, 21)
"""Sizes k of blocks for which neurons are counted."""
DIM, SIZE = 10**8, 2947
"""d and k of the neuron that refutes Lemma B.49(1), at C_b² = τ = 8."""
BITS, BLOCKS = 9, 3
"""k and r at which the error of Theorem 3.22 is evaluated."""


@claims.check("lemma-3-21-teacher", proof="proved on the page")
def row_of_tents() -> Iterator[Verdict]:
    """The teacher and the products of bits, on all inputs."""
    X, _, _ = MILD.support()
    found = [theory.teacher_parity(X @ MILD.directions.T, 3).sum(1)]
    products = [X[:, :9].reshape(-1, 3, 3).prod(2).sum(1)]
    for size in (5, 7):
        law = data.Parity(size + 1, size, 1, 0.25, 0.25)
        points, labels, _ = law.support()
        found.append(theory.teacher_parity(points @ law.directions[0], size))
        products.append(labels)
    yield identity(
        np.concatenate(found),
        np.concatenate(products),
        tolerance=1e-11,
        what="g* and products",
    )


def listed(k: int) -> Neurons:
    """The 3(k + 1) neurons of the formula."""
    tent = ((1, -1), (-2, 0), (1, 1))
    return [(s * (-1) ** (i + 1), 2 * i - k + t) for i in range(k + 1) for s, t in tent]


def merged(k: int) -> Neurons:
    """The same with 2k + 4 neurons: two for each central one, and the two ends."""
    halves = [((-1) ** i, 2 * i - k) for i in range(k + 1) for _ in range(2)]
    return [(-1, -k - 1), *halves, ((-1) ** (k + 1), k + 1)]


def value(neurons: Neurons, v: Fraction) -> Fraction:
    """The sum of a σ(v - b), with v = √k u, so √k cancels."""
    return sum((a * max(v - b, Fraction(0)) for a, b in neurons), Fraction(0))


@claims.check("lemma-3-21-norm", proof="proved on the page")
def within_its_bounds() -> Iterator[Verdict]:
    """Norms, numbers and values of the merged neurons, exactly."""
    pairs = [(k, r) for k in SIZES for r in (1, 3)]
    squares = [r * k * sum(a * a for a, _ in merged(k)) for k, r in pairs]
    yield exactly(
        squares,
        "<=",
        [4 * k * (k + 1) * r for k, r in pairs],
        what="squared norms, k = 3, 5, 9, 21, r = 1, 3",
    )
    yield exactly(
        [r * len(merged(k)) for k, r in pairs],
        "<=",
        [3 * (k + 1) * r for k, r in pairs],
        what="numbers of neurons",
    )
    places = [(k, Fraction(v, 2)) for k in SIZES for v in range(-2 * k - 6, 2 * k + 7)]
    yield exactly(
        [value(merged(k), v) for k, v in places],
        "==",
        [value(listed(k), v) for k, v in places],
        what="merged and listed, at and between all kinks",
    )
    yield exactly([abs(a) for k in SIZES for a, _ in merged(k)], "<=", 2, what="|a|/√k")
    largest = [max(abs(b) for _, b in merged(k)) - k for k in SIZES]
    yield exactly(largest, "<=", 1, what="largest √k |b|, less k")


@claims.check("lemma-3-21-norm-corrected")
def as_listed() -> Iterator[Verdict]:
    """Squared norms of the listed neurons."""
    sizes = (3, 5, 7, 9)
    squares = [round(float((theory.teacher_neurons(k)[0] ** 2).sum())) for k in sizes]
    yield exactly(squares, "==", [6 * k * (k + 1) for k in sizes], what="squares, r = 1")


@claims.check("lemma-b-49-1")
def noise() -> Iterator[Verdict]:
    """Twice the probability of one bit, and the size of half the bias, for one sure neuron."""
    yield exactly(
        Fraction(2 * SIZE, DIM - SIZE), "<=", Fraction(1000, DIM**8), what="2 p_o, 1000 d^-8"
    )
    half_bias = ((8 * 8 * SIZE) * arb(DIM).log()).sqrt() / 2
    yield exactly(half_bias**2, "<=", DIM - SIZE, what="(b/2)² and ‖w‖², over σ_w²")


def hunt(
    sides: Callable[[Array], tuple[Array, Array]],
    box: list[tuple[float, float]],
    what: str,
    evaluations: int,
    seed: int,
) -> Verdict:
    """A search for a tail above its bound."""
    return search(sides, box, evaluations=evaluations, seed=seed, vectorised=True, what=what)


@claims.check("lemma-b-49-1-corrected", proof="proved on the page")
def bernstein(evaluations: int, seed: int) -> Iterator[Verdict]:
    """Exact tails of four coordinates and Bernstein's bound."""
    yield hunt(
        lambda x: theory.bernstein_sides(x[:, :4], x[:, 4], x[:, 5]),
        [(-1, 1)] * 4 + [(0.001, 0.5), (0.001, 4)],
        "4 coordinates, all patterns",
        evaluations,
        seed,
    )


@claims.check("lemma-b-49-2")
def uniform_bits() -> Iterator[Verdict]:
    """The tail of a sum of signs at 1, and the bound with any constant up to a million."""
    yield exactly(1, "<=", (-arb(1) / 10**6).exp(), what="P(|Σ ± 1| ≥ 1), any constant up to 10^6")


@claims.check("lemma-b-49-2-corrected", proof="proved on the page")
def hoeffding(evaluations: int, seed: int) -> Iterator[Verdict]:
    """Exact tails of five bits and Hoeffding's bound."""
    yield hunt(
        lambda x: theory.hoeffding_sides(x[:, :5], x[:, 5]),
        [(-1, 1)] * 5 + [(0.001, 4)],
        "5 bits, all patterns",
        evaluations,
        seed,
    )


@claims.check("theorem-3-22-error")
def error_as_printed() -> Iterator[Verdict]:
    """The framework's term and the printed one over √2, exactly, at k = 9 and square d."""
    roots = [10, 100, 1000]  # √d
    yield exactly(
        [Fraction(3 * BLOCKS * (BITS + 1) * 2 * 3 * x, x**6) for x in roots],
        "==",
        [Fraction(2 * BLOCKS * 3, x**5) for x in roots],
        what="number × B_a1 × B_x1 × √γ and the printed term over √2",
    )


@claims.check("theorem-3-22-error-corrected", proof="proved on the page")
def error_corrected() -> Iterator[Verdict]:
    """The framework's term and the corrected one."""
    number = 3 * BLOCKS * (BITS + 1)
    middle = [number * 2 * BITS**0.5 * d**0.5 * (2 * d ** -(8 - 2)) ** 0.5 for d in DIMENSIONS]
    yield identity(
        middle,
        [theory.error_parity(d, 8, BLOCKS, BITS) for d in DIMENSIONS],
        tolerance=1e-9,
        each=True,
        what="number × B_a1 × B_x1 × √(2γ)",
    )
