"""The checks of Lemma 35: a good network for the general setting, its size, its cross terms."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import torch
from torch import Tensor

from featurebook.core import generator
from featurebook.papers.feature_emergence import appendix, data, exact
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.verdicts import Verdict, rationals
from featurebook.verdicts.comparisons import exactly, inequality, probability

TIED_KS = range(5, 16, 2)
"""k of the counterexample to Lemma 35."""
SHIFTED_KS = (17, 33, 65)
"""k of the one in which the background shifts the count."""
KS = range(1, 16)
"""k of the proof's network."""
INPUTS, BARE = 20_000, 1000
"""Inputs at random for Lemma 35, and those whose background is taken away."""
RHO = Fraction(1, 16) * Fraction(5, 5 * 100)
"""All coherences where the printed condition is an equality at p_o = 1: σ̃ = 5, k = 5, D = 100."""


def least_error_of_a_shift(k: int) -> Fraction:
    """Least Pr[y g <= 1] of functions of ⟨Σ_A M_j, x⟩, if one coin decides N = 100 k patterns.

    Background columns are a e_l + h Σ_A e_j with h = 1/(k N); at most one relevant pattern occurs.
    """
    N = 100 * k
    D, h = k + N, Fraction(1, k * N)
    rare = Fraction(1, 2 * k)  # probability of each relevant pattern
    variance = k * rare * (1 - rare) + (N * (1 - k * h**2) + k * (N * h) ** 2) / 4  # σ̃²
    assert (k * h * D) ** 2 * 256 <= variance  # the printed condition at p_o = 1
    assert D * h <= Fraction(1, 16)  # which the other lemmas assume
    chance: dict[Fraction, dict[int, Fraction]] = {}  # of a value of the product, by label
    for found, coin in product((0, 1), repeat=2):
        value, label = found + coin * k * N * h, 2 * found - 1
        of_label = chance.setdefault(value, {-1: Fraction(0), 1: Fraction(0)})
        of_label[label] += (k * rare if found else 1 - k * rare) / 2
    return sum((min(of_label.values()) for of_label in chance.values()), Fraction(0))


@claims.check("lemma-35")
def a_good_network_for_all_backgrounds() -> Iterator[Verdict]:
    """The least error where a coin decides the background, or half of it, against 2^-k."""
    yield exactly(
        [least_error_of_a_shift(k) for k in SHIFTED_KS],
        "<=",
        [Fraction(1, 2**k) for k in SHIFTED_KS],
        what="least Pr[y g ≤ 1] with the printed weights against 2⁻ᵏ > e⁻ᵏ, Dμ/√d ≤ 1/16",
        instance={"k": list(SHIFTED_KS), "N": "100k"},
    )
    Ns = [(64 * k) ** 2 + 1000 for k in TIED_KS]
    conditions = [  # squares of both sides at p_o = 1; a quarter of N is less than σ̃²
        Fraction(k * (2 * N + k), N - 1) ** 2 * Fraction(4 * 256, N) <= 1
        for k, N in zip(TIED_KS, Ns, strict=True)
    ]
    assert all(conditions)
    yield exactly(
        [Fraction(1, 8) + Fraction(1, 2 ** (k + 2)) for k in TIED_KS],
        "<=",
        [Fraction(1, 2**k) for k in TIED_KS],
        what="least Pr[y g ≤ 1] of any g against 2⁻ᵏ > e⁻ᵏ, a coin for half of the background",
        instance={"k": list(TIED_KS), "N": Ns},
    )


@claims.experiment
def hundred_patterns(seed: int) -> dict[str, Tensor]:
    """Patterns less their means, ``centred`` (20000, 100), and labels ``y``; k = 5, p_o = 1/2."""
    dist = data.parity_mixture(100, 5, 0.5)
    phi, y = data.draw(generator(seed, "cross"), dist, INPUTS)
    return {"centred": phi.double() * dist.sigma, "y": y}


@claims.check("lemma-35-corrected", proof="proved on the page")
def a_good_network_for_independent_ones(
    hundred_patterns: dict[str, Tensor], seed: int
) -> Iterator[Verdict]:
    """The proof's network with wrong counts, and how often it is wrong at equal coherences."""
    dist, (centred, y) = data.parity_mixture(100, 5, 0.5), hundred_patterns.values()
    h, sigma_zeta = dist.sigma / (16 * 5 * 0.5 * 100) / 2, 0.005
    total = centred[:, :5].sum(1) + h * (5 * centred.sum(1) - centred[:, :5].sum(1))
    noise = torch.randn(INPUTS, generator=generator(seed, "zeta"), dtype=torch.float64)
    total = total + sigma_zeta * math.sqrt(5 + 20 * h) * noise  # of <sum_A M_j, ζ>
    star = exact.good_network(5, dist.positive, 2.5, dist.sigma, tents=exact.LEMMA_35, scale=8.0)
    low = int((y.numpy() * star((total / dist.sigma).numpy()) <= 1).sum())
    least = [appendix.least_answer(k) for k in KS]
    what = "y g*, at least, for errors up to 1/8, k = 1..15"
    yield inequality(1.0, least, slack=1e-9, what=what)
    at_most = appendix.lemma_35_corrected(100, 5, h, sigma_zeta)
    yield probability(low, INPUTS, at_most=at_most, what="y g* ≤ 1")


@claims.experiment
def proof_weights() -> list[float]:
    """The largest second-layer weight of the proof's network, for k = 1, ..., 15."""
    return [appendix.largest_weight(k, exact.LEMMA_35) for k in KS]


@claims.check("lemma-35-size")
def weights_of_the_proof(proof_weights: list[float]) -> Iterator[Verdict]:
    """The proof's weights against 64k."""
    yield exactly(
        rationals(proof_weights),
        ">",
        [64 * k for k in KS],
        what="|a*| of the proof's network for k = 1..15",
        instance={"k": list(KS), "|a*|": proof_weights},
    )


@claims.check("lemma-35-size-corrected", proof="proved on the page")
def smaller_weights(proof_weights: list[float]) -> Iterator[Verdict]:
    """The proof's weights against 128k, and sizes and answers of flatter tents."""
    yield inequality(proof_weights, 128 * np.array(KS), what="|a*| for k = 1..15")
    sizes, margin = map(np.concatenate, zip(*map(appendix.flatter_tents, KS), strict=True))
    what = "with flatter tents, sizes over 64k, 1/(64k), 1/4"
    yield inequality(sizes, 1.0, slack=1e-9, what=what)
    yield inequality(1.0, margin, slack=1e-9, what="1 against y g* of these within 1/8")


@claims.check("lemma-35-cross")
def cross_terms() -> Iterator[Verdict]:
    """The cross term of an input with all relevant patterns and no background."""
    relevant, others = 5 * Fraction(1, 2), 95 * Fraction(-1, 2)
    yield exactly(
        abs(RHO * (5 * (relevant + others) - relevant)),
        "<=",
        Fraction(1, 16),
        what="cross term of an input without background",
        instance={"D": 100, "k": 5, "rho": RHO},
    )


@claims.check("lemma-35-cross-corrected", proof="proved on the page")
def cross_terms_bounded(hundred_patterns: dict[str, Tensor]) -> Iterator[Verdict]:
    """Cross terms of random inputs, and of inputs without background, against the bound."""
    centred = hundred_patterns["centred"]
    bare = torch.where(torch.arange(100) < 5, centred[:BARE], -0.5)
    centred, rho = torch.cat([centred, bare]), float(RHO)
    cross = (rho * (5 * centred.sum(1) - centred[:, :5].sum(1))).abs()
    yield inequality(
        cross, 5 * rho * centred.abs().sum(1), slack=1e-9, what="cross term of 21,000 inputs"
    )
