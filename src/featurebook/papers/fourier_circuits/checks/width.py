"""The checks of the chapter on width: how few neurons suffice, and the margin of even moduli."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from featurebook import core, verdicts
from featurebook.papers.fourier_circuits import (
    ascent,
    circuits,
    exact,
    families,
    fourier,
    network,
    single,
    theory,
    training,
)
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import (
    attack,
    everywhere,
    exactly,
    identity,
    inequality,
    together,
    trend,
)

SMALL = [(2, 3), (2, 5), (2, 7), (2, 11), (3, 3), (3, 5), (4, 3), (5, 3)]
"""Pairs (k, p) at which the short circuit's margin is computed."""
MEMBERS = {2: 6, 3: 15, 4: 36, 5: 77}
"""The stated lower bound for each k."""
WIDTHS = (8, 12, 16, 24, 32)
"""Neurons of the networks that are trained, k = 2, p = 5."""


def relative_margin(phases: Any, unit: int, k: int, p: int) -> float:
    """The normalised margin of the circuit with these phases, over γ*."""
    return float(network.normalized_margin(*circuits.network(phases, unit, p))) / theory.gamma(k, p)


@claims.experiment
def forced_families(k_exact: int) -> dict[str, dict[int, Any]]:
    """Families of exponents whose differences are all forced: even subsets, and large ones."""
    inputs = range(2, k_exact + 1)
    return {
        "even": {k: exact.even_family(k) for k in inputs},
        "large": {k: circuits.clique(k) if k < 4 else families.large(k) for k in inputs},
    }


@claims.experiment
def climbed(width_starts: int, width_ascent_steps: int, seed: int) -> dict[int, Any]:
    """Margins over γ* that ascent reaches with 5 and 6 neurons, k = 2, p = 3: one per start."""
    starts = list(range(seed, seed + width_starts))
    return {
        m: ascent.climb(ascent.start(2, 3, m, starts), steps=width_ascent_steps)[0].numpy()
        / theory.gamma(2, 3)
        for m in (5, 6)
    }


@claims.experiment
def trained_widths(width_starts: int, width_train_steps: int, seed: int) -> dict[int, Any]:
    """Margins over γ* of trained networks of each of `WIDTHS`, k = 2, p = 5: one per start."""
    starts = list(range(seed, seed + width_starts))
    found = {}
    for m in WIDTHS:
        run = training.train(
            training.initial(2, 5, m, 0.5, starts), 0.005 * theory.gamma(2, 5), 3,
            steps=width_train_steps, lr=2e-2, seeds=starts, label=f"width {m}",
        )  # fmt: skip
        found[m] = training.measures(run.params)["margin"].numpy()
    return found


def short_circuit_suffices(k_exact: int) -> list[Verdict]:
    """What shows that (k + 1) 2^(k - 1) neurons per frequency have the maximum margin."""
    inputs = range(2, k_exact + 1)
    wrong = [circuits.wrong_phase_sums(*circuits.short(k)) for k in inputs]
    return [
        exactly(wrong, "==", 0, what=f"phase sums not 0, k = 2 to {k_exact}"),
        identity(
            [relative_margin(*circuits.short(k), k, p) for k, p in SMALL],
            1.0,
            tolerance=1e-12,
            what="margin over γ*",
        ),
        exactly(
            exact.normalized_margin_squared(*exact.whole_circuit()),
            "==",
            theory.gamma_squared(2, 3),
            what="h² and γ*², k = 2, p = 3",
        ),
        exactly(
            [len(circuits.short(k)[0]) for k in inputs],
            "==",
            [(k + 1) * 2 ** (k - 1) for k in inputs],
            what="neurons of the circuit",
        ),
    ]


def so_many_are_needed(forced_families: dict[str, dict[int, Any]], k_exact: int) -> list[Verdict]:
    """What shows that a frequency needs as many neurons as a family has members."""
    inputs, found = range(2, k_exact + 1), forced_families.values()
    forced = [exact.all_differences_forced(x[k], k) for x in found for k in inputs]
    least_primes = [(2, 5), (3, 7), (4, 11), (5, 11)][: k_exact - 1]
    return [
        everywhere(forced, what="families whose differences are all forced"),
        exactly(
            [*(2 ** (k - 1) for k in inputs), *(MEMBERS[k] for k in inputs)],
            "<=",
            [len(set(x[k])) for x in found for k in inputs],
            what="stated and found members",
        ),
        exactly(
            [exact.collisions(k, p, 1) for k, p in least_primes],
            "==",
            0,
            what="waves that coincide, least prime p > 2k",
        ),
        exactly(
            [exact.collisions(2, p, 1) for p in range(3, 22, 2)],
            "==",
            0,
            what="waves that coincide, k = 2, p = 3 to 21",
        ),
    ]


@claims.check(
    "need-neurons", undecided=("two readings", "of the construction: right; as necessity: false")
)
def need_neurons(k_exact: int) -> Iterator[Verdict]:
    """The printed number against a circuit of maximum margin that has fewer."""
    inputs = range(2, k_exact + 1)
    yield exactly(
        [theory.printed_width(k, 3) for k in inputs],
        "<=",
        [len(circuits.short(k)[0]) for k in inputs],
        what=f"printed need and a circuit, p = 3, k = 2 to {k_exact}",
        instance={"phases for k = 2, units of π/3": circuits.short(2)[0]},
    )


@claims.check("need-neurons-corrected", proof="proved on the page")
def shorter_circuit(k_exact: int) -> Iterator[Verdict]:
    """Sums of roots of unity vanish, and the margin is the maximum."""
    yield from short_circuit_suffices(k_exact)


@claims.check("width-controls")
def controls() -> Iterator[Verdict]:
    """Circuits that lack a neuron, or a turn, must fail."""
    margins, sums = [], []
    for k, p in [(2, 5), (2, 7), (3, 5), (4, 3)]:
        phases, unit = circuits.short(k)
        for table, n in [(phases[1:], unit), circuits.short(k, k)]:
            margins.append(relative_margin(table, n, k, p))
            sums.append(circuits.wrong_phase_sums(table, n))
    yield inequality(margins, 1 - 1e-3, what="margins of the controls over γ*")
    yield exactly(1, "<=", sums, what="phase sums that are not 0")


@claims.check("width-lower", proof="proved on the page")
def lower_bound(forced_families: dict[str, dict[int, Any]], k_exact: int) -> Iterator[Verdict]:
    """Members of a family whose differences are forced are orthogonal vectors."""
    yield from so_many_are_needed(forced_families, k_exact)


@claims.check("width-prime")
def prime() -> Iterator[Verdict]:
    """Exponents that coincide modulo p / gcd(ζ, p)."""
    pairs = [(2, 5), (2, 7), (3, 7), (4, 11)]
    found = [exact.collisions(k, p, z) for k, p in pairs for z in (1, 2)]
    yield exactly(found, "==", 0, what="collisions, prime p > 2k")
    yield exactly(1, "<=", exact.collisions(4, 9, 3), what="k = 4, p = 9, ζ = 3")


@claims.check("width-exponential", undecided=("two readings", "some exponential: holds; 4ᵏ: false"))
def exponentially_many() -> Iterator[Verdict]:
    """A constant multiple of the theorem's own width against what suffices."""
    far = range(2, 31)
    yield exactly(
        [Fraction(4**k, 10**6) for k in far],
        "<=",
        [(k + 1) * 2 ** (k - 1) for k in far],
        what="a millionth of 4ᵏ and what suffices, k = 2 to 30",
    )


@claims.check("width-exponential-corrected", proof="proved on the page")
def how_many(forced_families: dict[str, dict[int, Any]], k_exact: int) -> Iterator[Verdict]:
    """The lower bound and the shorter circuit."""
    yield together("so many are needed", so_many_are_needed(forced_families, k_exact))
    yield together("so many suffice", short_circuit_suffices(k_exact))


@claims.check("width-ascent")
def ascent_finds_six(climbed: dict[int, Any]) -> Iterator[Verdict]:
    """The best of many starts, as a share of γ*."""
    yield inequality(0.99, climbed[6].max(), what="6 neurons, best over γ*")
    yield inequality(climbed[5].max(), 0.99, what="5 neurons, best over γ*")


@claims.check("width-training")
def wider_trains_better(trained_widths: dict[int, Any]) -> Iterator[Verdict]:
    """The gain from the least number of neurons to twice as many, start by start."""
    yield trend(
        trained_widths[24] - trained_widths[12],
        expected=(0, 2),
        rival={"no difference": 0.0},
        what="gain from 12 to 24 neurons, share of γ*",
    )


@claims.check("odd-modulus", proof="proved on the page")
def odd_modulus(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """Composite p: circuits attain γ*, no neuron exceeds its bound, every frequency is needed."""
    attained, without = [], []
    for k, p in [(2, 9), (2, 15), (2, 21), (3, 9)]:
        U, W = circuits.network(*circuits.short(k), p)
        attained.append(float(network.normalized_margin(U, W)) / theory.gamma(k, p))
        rest = fourier.frequency(U, W) != 3
        without.append(float(network.normalized_margin(U[rest], W[rest])) / theory.gamma(k, p))
    yield identity(attained, 1.0, tolerance=1e-12, what="margin over γ*, composite p")
    yield inequality(without, 1 - 1e-3, what="the same without frequency 3")
    for k, p in [(2, 9), (2, 15), (3, 9)]:
        sides = core.takes_replicas(partial(single.odd_sides, k=k, p=p))
        yield attack_neuron(sides, k, p, search_starts, search_steps, seed)


@claims.check("parity", undecided=("two readings", "case of the task: holds; of γ*: false"))
def parity() -> Iterator[Verdict]:
    """Two neurons of signs against the printed formula at p = 2."""
    signs = np.array([[[1, -1], [1, -1]], [[1, -1], [-1, 1]]], dtype=object)
    out = np.array([[1, -1], [-1, 1]], dtype=object)
    yield exactly(
        exact.normalized_margin_squared(signs, out),
        "<=",
        theory.gamma_squared(2, 2),
        what="h² and γ*², k = p = 2",
        instance={"U": signs, "W": out},
    )


@claims.check("parity-corrected", proof="proved on the page")
def even_moduli(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """Circuits attain the formula for even p, and no neuron that an attack finds exceeds it."""
    built = [
        float(network.normalized_margin(*circuits.even_network(k, p))) / theory.gamma_even(k, p)
        for k, p in [(2, 2), (2, 4), (2, 6), (2, 10), (3, 2), (3, 4), (4, 2), (4, 4)]
    ]
    yield identity(built, 1.0, tolerance=1e-12, what="circuit over the formula")
    for k, p in [(2, 2), (2, 4), (3, 4)]:
        yield attack_neuron(
            partial(single.even_sides, k=k, p=p), k, p, search_starts, search_steps, seed
        )


def attack_neuron(sides: Any, k: int, p: int, starts: int, steps: int, seed: int) -> Verdict:
    """Gradient ascent on a neuron's share of the margin over its bound, from many starts."""
    begin = verdicts.starts((k + 1, p), random=starts, seed=seed)
    return attack(sides, begin, steps=steps, what=f"a neuron, k = {k}, p = {p}")
