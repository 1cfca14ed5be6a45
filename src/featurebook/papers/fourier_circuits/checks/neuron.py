"""The checks of the chapter on one neuron, second part: why the best neurons are cosines."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from featurebook import core, verdicts
from featurebook.papers.fourier_circuits import ascent, exact, fourier, network, single, theory
from featurebook.papers.fourier_circuits.checks.margins import (
    AMPLITUDES,
    BEST,
    FLAWS,
    TRANSFORMED,
)
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, everywhere, exactly, identity, inequality

CLIMBED = [(2, 7), (2, 11), (3, 7), (3, 11), (4, 7)]
"""Pairs (k, p) at which single neurons climb."""
FLAWED = [(2, 7), (3, 7), (4, 5)]
"""Pairs at which neurons are flawed."""


@claims.experiment
def neuron_margins(drawn_neurons: dict[str, list[Any]]) -> dict[str, list[float]]:
    """The class-weighted margin of random neurons, over its largest value, in three ways.

    "inputs", by adding up all pᵏ inputs; "transform", by (C.10); and for the neurons with odd p
    "odd", the first again, and "phases", by (C.13).
    """
    found: dict[str, list[float]] = {x: [] for x in ("inputs", "transform", "odd", "phases")}
    for (k, p), (U, W) in zip(TRANSFORMED, drawn_neurons["neurons"], strict=True):
        size = network.norms(U, W).clamp(min=1e-9) ** (k + 1) * theory.largest_margin(k, p)
        each = [single.class_weighted_margin(u, w) for u, w in zip(U, W, strict=True)]
        by_inputs = (torch.stack(each) / size).tolist()
        found["inputs"] += by_inputs
        found["transform"] += (fourier.margin_transform(U, W) / size).tolist()
        if p % 2:
            found["odd"] += by_inputs
            found["phases"] += (fourier.margin_by_phases(U, W) / size).tolist()
    return found


@claims.check("lemma-c-14")
def margin_in_fourier_space(neuron_margins: dict[str, list[float]]) -> Iterator[Verdict]:
    """The sum over all inputs and the sum over Fourier coefficients."""
    by_inputs, transform = neuron_margins["inputs"], neuron_margins["transform"]
    yield identity(by_inputs, transform, tolerance=1e-12, what="sum over inputs and (C.10)")


@claims.check("equation-c-13")
def sizes_and_phases(neuron_margins: dict[str, list[float]]) -> Iterator[Verdict]:
    """The sum over all inputs and the sum over sizes and phases, for odd p."""
    odd, phases = neuron_margins["odd"], neuron_margins["phases"]
    yield identity(odd, phases, tolerance=1e-12, what="sum and (C.13)")


@claims.check("proof-sign")
def minus() -> Iterator[Verdict]:
    """The printed sign, at p = 5."""
    yield exactly(1 - Fraction(1, 4), "==", Fraction(5, 4), what="p = 5")


@claims.check("proof-sign-corrected")
def plus() -> Iterator[Verdict]:
    """The other sign, in fractions."""
    odd = range(3, 100, 2)
    left, right = [1 + Fraction(1, p - 1) for p in odd], [Fraction(p, p - 1) for p in odd]
    yield exactly(left, "==", right, what="odd p below 100")


@claims.check("proof-zero")
def terms_vanish() -> Iterator[Verdict]:
    """A term without u₂ whose output vector has a mean that is not 0."""
    bump = np.array([Fraction(1, 2), 0, 0], dtype=object)  # in the ball
    yield exactly(
        exact.partial_term(np.stack([bump, bump]), bump, (2, 0))[0],
        "==",
        0,
        what="E[u₁²w], k = 2, p = 3, u₁ = w = (½, 0, 0)",
        instance={"u₁ and w": "(1/2, 0, 0)"},
    )


@claims.check("proof-zero-corrected")
def terms_cancel(seed: int) -> Iterator[Verdict]:
    """Terms that lack one of the u_i, at all offsets δ."""
    rng = np.random.default_rng(seed)
    differences: list[Fraction] = []
    for k, p, powers in [(2, 3, (2, 0)), (2, 5, (0, 2)), (3, 4, (2, 1, 0)), (3, 3, (0, 0, 3))]:
        u, w = (rng.integers(-4, 5, shape).astype(object) for shape in ((k, p), (p,)))
        at_offsets = exact.partial_term(u, w, powers)
        differences += [x - at_offsets[0] for x in at_offsets]
    yield exactly(differences, "==", 0, what="differences between offsets")


@claims.check("equation-c-15", proof="proved on the page")
def arithmetic_and_geometric(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """The product of n = k + 1 sizes and the power of their mean square."""
    for n in (3, 4, 6):
        yield attack(
            lambda x, n=n: (x.abs().prod(-1), (x.square().sum(-1) / n) ** (n / 2)),
            verdicts.starts((n,), random=search_starts, seed=seed),
            steps=search_steps,
            what=f"k = {n - 1}",
        )


@claims.check("one-frequency", undecided=("two readings", "k ≥ 3: holds; k = 2: fails"))
def one_frequency_as_printed() -> Iterator[Verdict]:
    """The printed step for k = 2 and two frequencies of equal power."""
    yield exactly(
        2,
        "<=",
        sp.Integer(2) ** sp.Rational(3, 4),
        what="k = 2, z = (1, 1)",
        instance={"z": [1, 1]},
    )


@claims.check("one-frequency-corrected", proof="proved on the page")
def one_frequency(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """Σ z^{(k+1)/2} and (Σ z)^{(k+1)/2} for z = x² at five frequencies."""

    def sides(half: float) -> Callable[[Tensor], tuple[Tensor, Tensor]]:
        return lambda x: ((x.square() ** half).sum(-1), x.square().sum(-1) ** half)

    begin = verdicts.starts((5,), random=search_starts, seed=seed)
    for k in (1, 2, 4):
        yield attack(sides((k + 1) / 2), begin, steps=search_steps, what=f"k = {k}")


@claims.check("lemma-4-10", proof="proved on the page")
def best_neurons(
    drawn_neurons: dict[str, list[Any]], search_starts: int, search_steps: int, seed: int
) -> Iterator[Verdict]:
    """Cosine neurons, by the definition of the margin, and an attack on all neurons."""
    attained = []
    for (k, p), phases in zip(BEST, drawn_neurons["phases"], strict=True):
        for zeta, theta in enumerate(phases, 1):
            attained.append(relative_margin(zeta, theta, p, theory.amplitude(k, p)))
    yield identity(attained, 1.0, tolerance=1e-12, what="cosine neurons over γ*")
    for k, p in BEST:
        yield attack(
            core.takes_replicas(partial(single.odd_sides, k=k, p=p)),
            verdicts.starts((k + 1, p), random=search_starts, seed=seed),
            steps=search_steps,
            what=f"k = {k}, p = {p}",
        )


def relative_margin(zeta: int, theta: Tensor, p: int, beta: float) -> float:
    """The class-weighted margin of the neuron of Lemma 4.10 over γ*."""
    u, w = single.cosine_neuron(zeta, theta, p, beta)
    return float(single.class_weighted_margin(u, w)) / theory.gamma(len(theta), p)


@claims.check("lemma-4-10-beta", undecided=("two readings", "there is a β: holds; any β: fails"))
def every_amplitude() -> Iterator[Verdict]:
    """A neuron of fractions with phases 0 at k = 2, p = 3, and its negative."""
    wave = verdicts.rationals([1.0, -0.5, -0.5])
    u, w = np.stack([wave, wave])[None], wave[None]
    positive, negative = (sum(exact.margins(s * u, s * w)[1], Fraction(0)) for s in (1, -1))
    yield exactly(
        negative,
        "==",
        positive,
        what="class-weighted margins, β < 0 and β > 0, k = 2, p = 3",
        instance={"u": wave},
    )


@claims.check("lemma-4-10-beta-corrected", proof="proved on the page")
def which_amplitude(drawn_neurons: dict[str, list[Any]]) -> Iterator[Verdict]:
    """Both signs of the amplitude, and the sign of the margin."""
    found, wanted = [], []
    for (k, p), phases in zip(AMPLITUDES, drawn_neurons["signed"], strict=True):
        for sign, theta in zip((1, -1), phases, strict=True):
            found.append(relative_margin(1, theta, p, sign * theory.amplitude(k, p)))
            wanted.append(sign ** (k + 1))
    yield identity(found, wanted, tolerance=1e-12, what="margin over γ*, k = 2 to 5")


@claims.experiment
def climbed_neurons(
    neuron_starts: int, neuron_steps: int, seed: int
) -> dict[tuple[int, int], tuple[Tensor, Tensor]]:
    """Where neurons end that climb the margin from random starts: U (n, k, p), W (n, p)."""
    found = {}
    for k, p in CLIMBED:
        stream = core.generator(seed, "neurons", k, p)
        found[k, p] = single.ascend(k, p, neuron_starts, neuron_steps, stream)
    return found


@claims.check("single-ascent", proof="proved on the page")
def no_other_maximum(
    climbed_neurons: dict[tuple[int, int], tuple[Tensor, Tensor]], neuron_starts: int
) -> Iterator[Verdict]:
    """The margins at the end, and how many frequencies were found."""
    reached: list[float] = []
    enough = []
    for (k, p), (U, W) in climbed_neurons.items():
        reached += (fourier.margin_transform(U, W) / theory.gamma(k, p)).tolist()
        found = len(fourier.frequency(U, W).unique())
        enough.append(found >= min(p // 2, neuron_starts // 8))
    yield identity(reached, 1.0, tolerance=1e-6, what="margins at the end over γ*")
    yield everywhere(enough, what="frequencies found")


@claims.check("efficiency", proof="proved on the page")
def efficiency(instances: int, seed: int) -> Iterator[Verdict]:
    """What three flaws leave of a neuron, and the margin of networks below the mean efficiency."""
    found, wanted = [], []
    for k, p in FLAWED:
        for t in (0.0, 0.1, 0.7, 0.95):
            for flaw in FLAWS:
                found.append(single.measured_efficiency(*single.flawed_neuron(flaw, t, k, p)))
                wanted.append(float(theory.flawed_efficiency(flaw, t, k)))
    yield identity(found, wanted, tolerance=1e-12, what="three losses")
    begin = ascent.start(2, 5, 10, list(range(seed, seed + instances)))
    U, W = begin["U"], begin["W"]
    mean = fourier.weighted(fourier.efficiency(U, W), U, W)
    margin = network.normalized_margin(U, W) / theory.gamma(2, 5)
    yield inequality(margin, mean, slack=1e-12, what="margin and mean efficiency")
