"""The checks of gradients, of convex descent, and of how far a network moves."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import torch
from flint import arb
from scipy import stats
from torch import Tensor

from featurebook import core, verdicts
from featurebook.papers.gradient_features import lemmas, network
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, exactly, identity, inequality, search

RECURRENCES = [(Fraction(1, 3), Fraction(2), Fraction(1, u), Fraction(3, 2)) for u in (2, 10, 77)]
"""Starts |a|, Z, u = ηB and B at which the closed form of h is compared with its recurrence."""
NEURON = {
    "a": torch.tensor([0.1]).double(),
    "W": torch.tensor([[0.5]]).double(),
    "b": torch.tensor([-0.2]).double(),
    "X": torch.ones(1, 1).double(),
    "y": torch.ones(1).double(),
}
"""One neuron that stays active on one point."""


@claims.check("lemma-b-70")
def gradients(seed: int) -> Iterator[Verdict]:
    """Gradients by hand and by automatic differentiation."""
    g = core.generator(seed, "gradients")
    found = network.symmetric(g, 6, 5, sigma_a=1.0, sigma_w=1.0, b=0.3)
    params = {k: v.double() + 0.1 * torch.randn(v.shape, generator=g) for k, v in found.items()}
    X = torch.randn(40, 6, generator=g).double()
    batch = (X, torch.sign(torch.randn(40, generator=g)).double())
    by_hand, _ = network.gradient(params, batch)
    leaves = {k: v.clone().requires_grad_() for k, v in params.items()}
    network.hinge(leaves, batch).backward()
    left = torch.cat([by_hand[k].flatten() for k in ("a", "W")])
    right = torch.cat([torch.as_tensor(leaves[k].grad).flatten() for k in ("a", "W")])
    yield identity(left, right, tolerance=1e-12, what="both layers")


@claims.experiment
def online_starts(search_starts: int, seed: int) -> verdicts.Starts:
    """Gradients, starts, comparators and step sizes from which attacks on Theorem B.7 start."""
    shapes = {"g": (4, 3), "theta": (3,), "star": (3,), "eta": ()}
    return verdicts.starts(shapes, random=search_starts, seed=seed)


def positive(raw: dict[str, Tensor]) -> dict[str, Tensor]:
    """Any tensors as an instance: the step size becomes positive."""
    return {**raw, "eta": torch.nn.functional.softplus(raw["eta"]) + 1e-3}


@claims.check("theorem-b-7")
def online_descent(online_starts: verdicts.Starts, search_steps: int) -> Iterator[Verdict]:
    """An attack with linear functions, the worst convex ones."""
    yield attack(
        lemmas.descent_sides,
        online_starts,
        into=positive,
        steps=search_steps,
        what="linear functions",
    )


@claims.check("b-7-half")
def half_of_the_last_term(online_starts: verdicts.Starts, search_steps: int) -> Iterator[Verdict]:
    """The same attack on half of the last term."""
    yield attack(
        partial(lemmas.descent_sides, factor=0.5),
        online_starts,
        into=positive,
        steps=search_steps,
        what="with half of the last term",
    )


@claims.check("lemma-b-8", proof="proved on the page")
def start() -> Iterator[Verdict]:
    """Both failure probabilities, exactly, at the least dimension, and m⁻²."""
    m = np.geomspace(4, 1e12, 200)
    d = np.ceil(np.log(m))
    second_layer = 2 * m * stats.norm.sf(3 * np.sqrt(np.log(m)))
    first_layer = m * stats.chi2(d).sf(16 * d)
    yield inequality(second_layer + first_layer, m**-2.0, what="failure, exact")


@claims.check("lemma-b-9-slope", proof="proved on the page")
def sum_of_weights(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """h by recurrence and in closed form, an attack on the sums, and a neuron that attains it."""
    times = range(1, 12)
    opened = [lemmas.majorant(t, *case) for case in RECURRENCES for t in times]
    closed = [lemmas.majorant_closed(t, *case) for case in RECURRENCES for t in times]
    yield exactly(opened, "==", closed, what="h(t)")
    shapes = {"a": (3,), "W": (3, 2), "b": (3,), "X": (4, 2), "y": (4,)}
    yield attack(
        partial(lemmas.slope_sums, eta=0.05, T=6),
        verdicts.starts(shapes, random=search_starts, seed=seed),
        steps=search_steps,
        what="Σ|a| and h(t), 3 neurons, 4 points",
    )
    found, bound = (side[:, 0].numpy() for side in lemmas.slope_sums(NEURON, 0.05, 12))
    yield identity(found, bound, tolerance=1e-12, what="one active neuron, t <= 12: equality")


@claims.check("b-60", proof="proved on the page")
def size_of_the_second_layer(evaluations: int, seed: int) -> Iterator[Verdict]:
    """A search for a last step of h beyond three times the bound."""
    yield search(
        lemmas.second_layer_sides,
        [(0, 5), (0, 5), (0, 5), (-4, np.log10(0.5)), (0, 1)],
        evaluations=evaluations,
        seed=seed,
        what="h(t) - h(t-1) and three times (B.60)",
    )


@claims.experiment
def drift(horizons: list[int]) -> dict[str, list[Any]]:
    """Movement of one active neuron after T steps, for each T: exact, printed bound, corrected.

    "exact" and "corrected" are balls, "printed" fractions.
    """
    return {
        "exact": [lemmas.drift(T) for T in horizons],
        "printed": [lemmas.drift_printed(T) for T in horizons],
        "corrected": [lemmas.ball(lemmas.drift_corrected(T)) for T in horizons],
    }


@claims.check("lemma-b-9")
def movement_as_printed(drift: dict[str, list[Any]], horizons: list[int]) -> Iterator[Verdict]:
    """The movement and ten times the printed bound."""
    ten: list[arb] = [lemmas.ball(10 * bound) for bound in drift["printed"]]
    yield exactly(
        drift["exact"], "<=", ten, what="ten times the printed bound", instance={"T": horizons}
    )


def corrected_movement(
    drift: dict[str, list[Any]], evaluations: int, seed: int
) -> Iterator[Verdict]:
    """A search for a recursion beyond the corrected bound, and the movement of the instance."""
    yield search(
        lemmas.drift_sides,
        [(0, 5), (0, 5), (-5, -1), (0, 1)],
        evaluations=evaluations,
        seed=seed,
        what="ηB h(t-1)",
    )
    yield exactly(drift["exact"], "<=", drift["corrected"], what="the instance")


@claims.check("lemma-b-9-corrected", proof="proved on the page")
def movement(drift: dict[str, list[Any]], evaluations: int, seed: int) -> Iterator[Verdict]:
    """The recursion and the instance against the corrected bound."""
    yield from corrected_movement(drift, evaluations, seed)


@claims.check("lemma-b-21")
def without_the_steps(drift: dict[str, list[Any]], horizons: list[int]) -> Iterator[Verdict]:
    """The movement and ten times the bound without the factor t, at B = 2."""
    without = [lemmas.ball(10 * 4 * p / T) for p, T in zip(drift["printed"], horizons, strict=True)]
    yield exactly(drift["exact"], "<=", without, what="ten times the bound, B = 2")


@claims.check("lemma-b-21-corrected", proof="proved on the page")
def movement_from_samples(
    drift: dict[str, list[Any]], evaluations: int, seed: int
) -> Iterator[Verdict]:
    """The same recursion and instance: here there is nothing to sample."""
    yield from corrected_movement(drift, evaluations, seed)


@claims.check("lemma-b-10")
def loss_and_slopes(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """An attack on both inequalities; the population is a finite sample."""
    shapes = {"a": (3,), "W": (3, 2), "V": (3, 2), "b": (3,), "X": (4, 2), "y": (4,)}
    points = verdicts.starts(shapes, random=search_starts, seed=seed)
    yield attack(lemmas.loss_gap_sides, points, steps=search_steps, what="3 neurons, 4 points")
