"""The checks of the chapter on the theorem, second part: that its circuit is the best network."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from featurebook import core, verdicts
from featurebook.papers.fourier_circuits import (
    ascent,
    circuits,
    exact,
    fourier,
    network,
    single,
    theory,
)
from featurebook.papers.fourier_circuits.checks.construction import TABLE
from featurebook.papers.fourier_circuits.checks.margins import FLAWS, mean_class_weighted
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, everywhere, exactly, identity, inequality

KINDS = (circuits.grid, circuits.short, circuits.ternary)
"""Three circuits: the text's, ours, and that of powers of three."""
CLIMBED = [(2, 3, 12), (2, 5, 24), (3, 3, 32)]
"""Inputs k, modulus p and neurons m of the networks that climb from random starts."""
DISTURBED = [(2, 5), (3, 3)]
"""Pairs (k, p) of the circuits that are disturbed, `COPIES` times each, before they climb."""
COPIES = 8
SHARED = [(2, 7), (3, 7), (4, 5)]
"""Pairs of the circuits whose frequencies get other shares."""
ODD = (3, 5, 7, 9)
"""Moduli of the networks for one input."""

Climbed = dict[tuple[int, ...], tuple[Tensor, dict[str, Tensor]]]


@claims.experiment
def drawn_circuits(instances: int, seed: int) -> dict[str, Any]:
    """What the chapter draws from one stream.

    - term: two vectors (5,);
    - noise: for each of `DISTURBED`, (COPIES, m, k, p) at the printed width m;
    - shares: for each of `SHARED`, rows of shares of the norm, each row of sum 1; in the last
      rows one frequency has none, (instances + n, n) with n = (p - 1)/2.
    """
    g = core.generator(seed, "circuit")
    term = [torch.randn(5, generator=g, dtype=torch.float64) for _ in range(2)]
    noise = {}
    for k, p in DISTURBED:
        shape = (COPIES, theory.printed_width(k, p), k, p)
        noise[k, p] = torch.randn(shape, generator=g, dtype=torch.float64)
    shares = {}
    for k, p in SHARED:
        n = (p - 1) // 2
        rows = torch.cat(
            [torch.rand(instances, n, generator=g).double(), 1 - torch.eye(n).double()]
        )
        shares[k, p] = rows / rows.sum(1, keepdim=True)
    return {"term": term, "noise": noise, "shares": shares}


@claims.check("lemma-c-20", proof="proved on the page")
def diagonal_of_the_transform() -> Iterator[Verdict]:
    """The whole Fourier transform of three circuits: its diagonal, and all else with j ≠ 0."""
    diagonal: list[float] = []
    others = []
    for (k, p), kind in product([(2, 7), (2, 9), (3, 5), (4, 3)], KINDS):
        F = network.logits(*circuits.network(*kind(k), p))
        hat = fourier.network_transform(F, k, p) / (theory.gamma(k, p) * p**k)
        j = torch.arange(1, p)
        on_diagonal = (*[j] * k, -j % p)
        diagonal += hat[on_diagonal].tolist()
        hat[on_diagonal] = 0
        others.append(float(hat[..., 1:].abs().max()))
    yield identity(diagonal, 1.0, tolerance=1e-12, what="diagonal over γpᵏ")
    yield inequality(others, 1e-12, what="other coefficients with output j ≠ 0")


@claims.check("lemma-c-20-support")
def support_as_printed() -> Iterator[Verdict]:
    """The coefficient of u₁(a₁)³w(c) at (1, 0, 0, 1) for p = 3 and waves (C.22) of phase 0."""
    wave = [2, -1, -1]  # times 1/√24: the amplitude is √(1/2p)
    cosine = [Fraction(1), Fraction(-1, 2), Fraction(-1, 2)]

    def transform(x: list[int]) -> Fraction:
        """x̂(1) of an even x."""
        return sum((a * b for a, b in zip(x, cosine, strict=True)), Fraction(0))

    over_a2_and_a3 = 3 * 3
    coefficient = transform([a**3 for a in wave]) * over_a2_and_a3 * transform(wave) / 24**2
    yield exactly(coefficient, "==", 0, what="coefficient (1, 0, 0, 1)")


@claims.check("lemma-c-20-support-corrected", proof="proved on the page")
def support(drawn_circuits: dict[str, Any]) -> Iterator[Verdict]:
    """The transform of such a term wherever j₂ or j₃ is not 0."""
    u, w = drawn_circuits["term"]
    term = ((u**3)[:, None, None, None] * w).expand(5, 5, 5, 5)
    hat = torch.fft.fftn(term).abs()
    outside = torch.cat([hat[:, 1:].flatten(), hat[:, :, 1:].flatten()]) / hat.max()
    yield inequality(outside, 1e-12, what="coefficients elsewhere")


@claims.experiment
def climbed_networks(ascent_starts: int, ascent_steps: int, seed: int) -> Climbed:
    """Margins over γ* that ascent reaches, (R,), and the last networks, for each of `CLIMBED`."""
    found: Climbed = {}
    for k, p, m in CLIMBED:
        begin = ascent.start(k, p, m, list(range(seed, seed + ascent_starts)))
        best, last = ascent.climb(begin, steps=ascent_steps)
        found[k, p, m] = (best / theory.gamma(k, p), last)
    return found


@claims.experiment
def climbed_circuits(drawn_circuits: dict[str, Any], ascent_steps: int) -> Climbed:
    """The same for disturbed circuits."""
    found: Climbed = {}
    for (k, p), noise in drawn_circuits["noise"].items():
        U, W = circuits.network(*circuits.grid(k), p)
        begin = {"U": U + 0.1 * U.std() * noise, "W": W.expand(COPIES, -1, -1)}
        best, last = ascent.climb(begin, steps=ascent_steps // 4, rate=0.003)
        found[k, p] = (best / theory.gamma(k, p), last)
    return found


@claims.experiment
def construction_margins() -> list[float]:
    """The margin of the construction over γ*, one for each pair of `construction.TABLE`."""
    made = {(k, p): circuits.network(*circuits.grid(k), p) for k, p in TABLE}
    return [float(network.normalized_margin(*x)) / theory.gamma(*kp) for kp, x in made.items()]


@claims.check("theorem-4-9-margin", proof="proved on the page")
def maximum_margin(
    climbed_networks: Climbed, climbed_circuits: Climbed, construction_margins: list[float]
) -> Iterator[Verdict]:
    """What ascent reaches, and what circuits have: at p = 3 in fractions."""
    both = [*climbed_networks.values(), *climbed_circuits.values()]
    reached = torch.cat([best for best, _ in both])
    yield inequality(reached, 1.0, slack=1e-12, what="ascended margins over γ*")
    yield identity(construction_margins, 1.0, tolerance=1e-12, what="circuits over γ*")
    yield exactly(
        exact.normalized_margin_squared(*exact.whole_circuit()),
        "==",
        theory.gamma_squared(2, 3),
        what="squares at k = 2, p = 3",
    )


@claims.check("theorem-4-9-neurons", proof="proved on the page")
def its_neurons(
    climbed_networks: Climbed, climbed_circuits: Climbed, ascent_starts: int, seed: int
) -> Iterator[Verdict]:
    """Distance from cosines and missing margin; and what one flawed neuron costs a circuit."""
    for k, p in [(2, 7), (3, 5), (4, 5)]:
        yield attack(
            core.takes_replicas(single.distance_sides),
            verdicts.starts((k + 1, p), random=4 * ascent_starts, seed=seed),
            steps=100,
            what=f"distance² and 2(1 - e), k = {k}, p = {p}",
        )
    away: list[float] = []
    missing: list[float] = []
    for (k, p, *_), (_, last) in [*climbed_networks.items(), *climbed_circuits.items()]:
        U, W = last["U"], last["W"]
        away += fourier.weighted(fourier.distance_from_cosine(U, W).square(), U, W).tolist()
        missing += (2 * (1 - network.normalized_margin(U, W) / theory.gamma(k, p))).tolist()
    yield inequality(away, missing, what="distance² and twice the missing margin, ascended")
    margins, means, left = [], [], []
    for k, flaw, t in product((2, 3, 4), FLAWS, (0.2, 0.6, 1.0)):
        U, W = circuits.flawed(k, 5, flaw, t)
        margins.append(float(network.normalized_margin(U, W)) / theory.gamma(k, 5))
        means.append(mean_class_weighted(U, W))
        left.append(1 - (1 - float(fourier.efficiency(U[:1], W[:1]))) / len(U))
    yield identity(means, left, tolerance=1e-12, what="E[g'] over γ*, one neuron flawed")
    yield inequality(margins, left, slack=1e-12, what="margin over γ*, one neuron flawed")


@claims.experiment
def other_shares(drawn_circuits: dict[str, Any]) -> dict[str, list[float]]:
    """Circuits whose frequencies carry other shares of the norm.

    "coefficients" of the diagonal over γ*pᵏ and "shares" times (p - 1)/2, for each frequency;
    "margins" over γ*, for each network.
    """
    found: dict[str, list[float]] = {"coefficients": [], "shares": [], "margins": []}
    for (k, p), rows in drawn_circuits["shares"].items():
        n = rows.shape[1]
        U, W = circuits.network(*circuits.grid(k), p)
        of_neuron = fourier.frequency(U, W) - 1
        for share in rows:
            size = ((share * n) ** (1 / (k + 1)))[of_neuron]
            V, X = U * size[:, None, None], W * size[:, None]
            hat = fourier.diagonal_transform(V, X)[:n] / (theory.gamma(k, p) * p**k)
            found["coefficients"] += hat.tolist()
            found["shares"] += (share * n).tolist()
            found["margins"].append(float(network.normalized_margin(V, X)) / theory.gamma(k, p))
    return found


def coefficients_are_shares(other_shares: dict[str, list[float]]) -> Verdict:
    """Both sides of the formula for the diagonal."""
    coefficients, shares = other_shares["coefficients"], other_shares["shares"]
    return identity(coefficients, shares, tolerance=1e-12, what="coefficient and share")


def unequal_shares_cost(other_shares: dict[str, list[float]]) -> Verdict:
    """The margins of circuits with unequal shares."""
    return inequality(other_shares["margins"], 1 - 1e-6, what="margin over γ* at unequal shares")


@claims.check("theorem-4-9-frequencies", proof="proved on the page")
def its_frequencies(other_shares: dict[str, list[float]]) -> Iterator[Verdict]:
    """A frequency without a share, among other unequal ones, costs margin."""
    yield unequal_shares_cost(other_shares)
    yield coefficients_are_shares(other_shares)


@claims.check("norm-shares", proof="proved on the page")
def shares_of_the_norm(other_shares: dict[str, list[float]]) -> Iterator[Verdict]:
    """Coefficients on the diagonal are shares, and unequal ones cost margin."""
    yield coefficients_are_shares(other_shares)
    yield unequal_shares_cost(other_shares)


@claims.check(
    "theorem-4-9-one-input",
    undecided=("two readings", "k ≥ 3, as the roadmap says: holds; k = 1: fails"),
)
def one_input() -> Iterator[Verdict]:
    """A network for one input at p = 5: its neurons are no cosines, and its margin is γ*."""
    U, W = exact.flat_network(5)
    u = [sp.Rational(x.numerator, x.denominator) for x in U[0, 0]]
    as_cosine = [2 * sp.cos(2 * sp.pi * zeta / 5) * u[2] for zeta in (1, 2)]
    yield exactly(u[1] + u[3], "==", as_cosine, what="neuron and a cosine, ζ = 1, 2")
    squared = exact.normalized_margin_squared(U, W)
    yield exactly(squared, "==", theory.gamma_squared(1, 5), what="h² and γ*²")


@claims.check("theorem-4-9-one-input-corrected", proof="proved on the page")
def at_least_two_inputs() -> Iterator[Verdict]:
    """The value of γ* for one input, and what splitting power costs with more."""
    squared = [exact.normalized_margin_squared(*exact.flat_network(p)) for p in ODD]
    yield exactly(squared, "==", [theory.gamma_squared(1, p) for p in ODD], what="k = 1")
    split = np.linspace(0.01, 0.5, 50)
    left = [split ** ((k + 1) / 2) + (1 - split) ** ((k + 1) / 2) for k in range(2, 8)]
    yield inequality(left, 1 - 1e-4, what="efficiency of split power, k = 2 to 7")


@claims.check("distinct", undecided=("two readings", "“single”: holds; “no two alike”: false"))
def distinct() -> Iterator[Verdict]:
    """The neurons of the certified circuit at p = 3, which has one frequency."""
    neurons = len(exact.whole_circuit()[0])
    yield exactly(neurons, "<=", 1, what="neurons and frequencies, k = 2, p = 3")


@claims.check("distinct-corrected", proof="proved on the page")
def one_frequency_each(k_exact: int) -> Iterator[Verdict]:
    """The neurons of three circuits, and the waves that a frequency must keep apart."""
    pure: list[float] = []
    for (k, p), kind in product([(2, 5), (3, 7), (4, 11)][: k_exact - 1], KINDS):
        U, W = circuits.network(*kind(k), p)
        spectrum = fourier.power(U).sum(-2) + fourier.power(W)
        pure += (spectrum.amax(-1) / spectrum.sum(-1)).tolist()
    yield identity(pure, 1.0, tolerance=1e-12, what="share of power at one frequency")
    waves = {k: exact.even_family(k) for k in range(2, k_exact + 1)}
    yield everywhere(
        [exact.all_differences_forced(family, k) for k, family in waves.items()],
        what="waves that must be orthogonal",
    )
    yield exactly(
        [len(set(family)) for family in waves.values()],
        "==",
        [2 ** (k - 1) for k in waves],
        what="such waves",
    )
