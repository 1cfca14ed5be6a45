"""The checks of the chapter on the theorem, first part: the network that is made of cosines."""

from collections.abc import Iterator
from math import factorial

import numpy as np
import sympy as sp
import torch

from featurebook.papers.fourier_circuits import circuits, exact, fourier, network, theory
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality

TABLE = [(2, 5), (2, 7), (2, 11), (2, 13), (3, 3), (3, 5), (3, 7), (4, 3), (4, 5), (5, 3)]
"""Pairs (k, p) at which the construction is judged in double precision."""


@claims.check("lemma-c-16")
def products_from_powers() -> Iterator[Verdict]:
    """The coefficients of all monomials on both sides, and a sum that the proof needs."""
    left: list[int] = []
    right: list[int] = []
    for k in range(2, 7):
        both = exact.sign_coefficients(k)
        left += both[0]
        right += both[1]
    yield exactly(left, "==", right, what="coefficients, k = 2 to 6")
    yield exactly(
        [theory.sign_sum(k) for k in range(1, 11)],
        "==",
        [2**k * factorial(k) for k in range(1, 11)],
        what="Σ(-1)ʲC(k,j)(k-2j)ᵏ",
    )


@claims.check("equation-c-19")
def four_neurons_for_a_product() -> Iterator[Verdict]:
    """Two sums of four neurons, with phases in quarter turns, and the products that they are."""
    c1, c2, c3, c4, s1, s2 = sp.symbols("c1 c2 c3 c4 s1 s2")
    cosines = exact.neuron_sum([(0, 0, 0, 0), (0, 0, 2, 2), (0, 2, 0, 2), (2, 0, 0, 2)])
    sines = exact.neuron_sum([(1, 1, 0, 2), (1, 1, -2, 0), (1, -1, 0, 0), (-1, 1, 0, 0)])
    yield exactly(cosines - 24 * c1 * c2 * c3 * c4, "==", 0, what="(C.19), both sides")
    yield exactly(sines + 24 * s1 * s2 * c3 * c4, "==", 0, what="(C.20), both sides")


@claims.experiment
def expansions() -> dict[int, tuple[sp.Expr, int]]:
    """(C.21) for 2 to 6 angles: both sides subtracted, and the terms of the expansion."""
    return {angles: exact.cosine_terms(angles) for angles in range(2, 7)}


@claims.check("equation-c-21")
def cosine_of_a_sum(expansions: dict[int, tuple[sp.Expr, int]]) -> Iterator[Verdict]:
    """Both sides with cosines and sines as free symbols, and how many terms there are."""
    differences = [difference for difference, _ in expansions.values()]
    yield exactly(differences, "==", 0, what="both sides, 2 to 6 angles")
    terms = [count for _, count in expansions.values()]
    yield exactly(terms, "==", [2 ** (angles - 1) for angles in expansions], what="terms")


@claims.check(
    "sketch-terms",
    undecided=("two readings", "terms of the sum: right; terms that are not 0: half"),
)
def terms_as_printed(expansions: dict[int, tuple[sp.Expr, int]]) -> Iterator[Verdict]:
    """The terms of k angles and the printed number."""
    ks = range(2, 6)
    yield exactly(
        [expansions[k][1] for k in ks],
        "==",
        [2**k for k in ks],
        what="terms that are not 0, and 2ᵏ, k = 2 to 5",
    )


@claims.check("sketch-terms-corrected")
def terms(expansions: dict[int, tuple[sp.Expr, int]]) -> Iterator[Verdict]:
    """The terms of k angles and half the printed number."""
    ks = range(2, 6)
    yield exactly(
        [expansions[k][1] for k in ks],
        "==",
        [2 ** (k - 1) for k in ks],
        what="terms of k angles",
    )


@claims.check("lemma-4-11", proof="proved on the page")
def construction(k_exact: int) -> Iterator[Verdict]:
    """Phase sums, decided exactly; margins; and the logits against the sum of cosines."""
    wrong = [circuits.wrong_phase_sums(*circuits.grid(k)) for k in range(2, k_exact + 1)]
    yield exactly(wrong, "==", 0, what=f"phase sums that are not 0, k = 2 to {k_exact}")
    margins, distances = [], []
    for k, p in TABLE:
        U, W = circuits.text_network(k, p)
        margins.append(float(network.normalized_margin(U, W)) / theory.gamma(k, p))
        offset = (network.labels(k, p)[:, None] - torch.arange(p)) % p
        wave = torch.where(offset == 0, (p - 1) / 2, -0.5)
        wanted = 2 ** (k - 1) * factorial(k) * wave
        away = (network.logits(U, W) - wanted).abs().max() / wanted.abs().max()
        distances.append(float(away))
    yield identity(margins, 1.0, tolerance=1e-12, what="margin over γ*")
    yield inequality(distances, 1e-12, what="logits and the sum of cosines")


@claims.check("grid", proof="proved on the page")
def phases_of_the_construction(k_exact: int) -> Iterator[Verdict]:
    """The phases of the construction's neurons, as sets, and whether each occurs once."""
    same = []
    for k in range(2, k_exact + 1):
        first_frequency = 2 ** (2 * k - 1)
        U, W = (x[:first_frequency] for x in circuits.text_network(k, 5))
        quarters = (fourier.phases(U, W)[0] / (np.pi / 2)).round().long() % 4
        half_turn = (quarters[:, :1] >= 2).long() * 2  # brings the first phase below π
        rows = {tuple(row) for row in ((quarters + half_turn) % 4).tolist()}
        same.append(rows == {tuple(row) for row in circuits.grid(k)[0].tolist()})
        same.append(len(rows) == len(U))
    yield everywhere(same, what="the same phases, and as many")


@claims.check("condition-4-8", proof="proved on the page")
def equal_wrong_logits() -> Iterator[Verdict]:
    """The two wrong logits at p = 3, in whole numbers; the ratio of both margins elsewhere."""
    ordered = [sorted(row) for row in exact.logits(*exact.whole_circuit())]
    gaps = [row[0] - row[1] for row in ordered]
    yield exactly(gaps, "==", 0, what="two wrong logits, k = 2, p = 3")
    ratios = []
    for k, p in TABLE:
        F, y = network.logits(*circuits.text_network(k, p)), network.labels(k, p)
        ratios.append(float((network.margins(F, y) / network.mean_margins(F, y)).min()))
    yield identity(ratios, 1.0, tolerance=1e-12, what="g over g'")


@claims.check("wrong-logit")
def wrong_logit_as_printed() -> Iterator[Verdict]:
    """The sum over frequencies at p = 3, where it is a single cosine."""
    yield exactly(sp.cos(2 * sp.pi / 3), "==", 0, what="p = 3, s = 1")


@claims.check("wrong-logit-corrected", proof="proved on the page")
def wrong_logit() -> Iterator[Verdict]:
    """The sum over frequencies, exactly at p = 3 and 5, in doubles up to 97."""
    third = sp.cos(2 * sp.pi / 3)
    fifths = [sum(sp.cos(2 * sp.pi * zeta * s / 5) for zeta in (1, 2)) for s in (1, 2, 3, 4)]
    yield exactly([third, *fifths], "==", sp.Rational(-1, 2), what="p = 3, 5")
    sums = []
    for p in (7, 11, 47, 97):
        zeta = np.arange(1, (p + 1) // 2)
        sums += [sum(np.cos(2 * np.pi * (zeta * s % p) / p)) for s in (1, 2, p - 1)]
    yield identity(sums, -0.5, tolerance=1e-12, what="p up to 97")


def neurons_per_frequency(k: int) -> int:
    """Neurons of the construction at p = 3, which has one frequency."""
    return len(circuits.text_network(k, 3)[0])


@claims.check("count-56")
def count_as_printed() -> Iterator[Verdict]:
    """The neurons of the construction for k = 3, counted."""
    yield exactly(neurons_per_frequency(3), "==", 56, what="neurons at k = 3")


@claims.check("count-56-corrected")
def count(k_exact: int) -> Iterator[Verdict]:
    """The neurons of the construction for every k, counted."""
    ks = range(2, k_exact + 1)
    yield exactly(
        [neurons_per_frequency(3), *(neurons_per_frequency(k) for k in ks)],
        "==",
        [32, *(2 ** (2 * k - 1) for k in ks)],
        what="neurons per frequency",
    )
