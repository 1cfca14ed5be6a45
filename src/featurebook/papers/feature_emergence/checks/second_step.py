"""The checks of the second step and of what it leaves: a linear problem; and of the misprints."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import sympy
import torch

from featurebook import core
from featurebook.core import generator
from featurebook.papers.feature_emergence import data, network, steps, tables
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.data import Distribution
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import (
    everywhere,
    exactly,
    exponent,
    inequality,
    probability,
)

FIRST_STEPS = np.array([1e-3, 1e-2, 1e-1])
"""Step sizes η⁽¹⁾ of the exact second gradients."""
SAMPLES = 5000
"""Inputs on which the loss after step 1 is looked at."""
HALF_WIDTHS = [200, 800, 3200]
"""m of the norms after two steps."""
MANY = [20, 40, 80, 160, 320]
"""k over which the probability of a match falls."""


def largest_first_step(parity: Distribution, m: int) -> float:
    """The upper end of Lemma 19's range, constant 1."""
    return parity.gamma / (parity.k * m * network.sigma_a(parity))


@claims.experiment
def inactive(
    networks: list[core.Params], parity: Distribution, m: int, seed: int
) -> dict[float, int]:
    """How many of 5000 inputs have y g ≥ 1 after step 1, by step size."""
    fit = data.draw(generator(seed, "step one"), parity, SAMPLES)
    k, found = parity.k, {}
    largest = largest_first_step(parity, m)
    for step in (network.eta_one(parity, m), largest, 1e-3, 1e-2, 1e-1, 1.0):
        p = network.step_one(networks[0], fit, step, k**-1.5)
        h = network.smoothed(fit[0].double() @ p["W"].T + p["b"], k**-1.5)
        found[step] = int((fit[1] * (h @ p["a"]) >= 1).sum())
    return found


@claims.check("lemma-19", beyond="one start and one distribution")
def loss_stays_active(
    inactive: dict[float, int], parity: Distribution, m: int
) -> Iterator[Verdict]:
    """How often y g ≥ 1 at the upper end of the range."""
    step = largest_first_step(parity, m)
    yield probability(
        inactive[step], SAMPLES, at_most=math.exp(-parity.k), what=f"y g ≥ 1 at η₁ = {step:.1e}"
    )


@claims.experiment
def second_gradients(
    parity: Distribution, exact_neurons: int, seed: int
) -> dict[str, list[dict[str, list[float]]]]:
    """What is wrong with the exact second gradient by `FIRST_STEPS`, for the parity and for the
    majority of fair coins, four seeds each (`steps.second_step`)."""
    D, k = parity.D, parity.k
    majority = data.independent(D, k, range((k + 1) // 2, k + 1), 0.5, 0.5)
    return {
        name: [
            steps.second_step(dist, s, exact_neurons // 2, FIRST_STEPS.tolist())
            for s in range(seed, seed + 4)
        ]
        for name, dist in (("parity", parity), ("majority", majority))
    }


def shrinks(second_gradients: dict[str, Any], name: str) -> Verdict:
    """Whether a quantity vanishes at least linearly in η⁽¹⁾."""
    return exponent(
        FIRST_STEPS,
        [run[name] for runs in second_gradients.values() for run in runs],
        expected=(0.95, math.inf),
        rival={"a square root": 0.5},
        what=f"exponent in η₁, {name}",
    )


@claims.check("lemma-20")
def second_gradient(second_gradients: dict[str, Any]) -> Iterator[Verdict]:
    """The deviation of relevant components, and the ratio of background ones to them, by η⁽¹⁾."""
    for name in ("relevant", "ratio"):
        yield shrinks(second_gradients, name)


@claims.check("lemma-21")
def second_bias(second_gradients: dict[str, Any]) -> Iterator[Verdict]:
    """|T_b|, by η⁽¹⁾."""
    yield shrinks(second_gradients, "bias")


@claims.check("lemma-22")
def second_layer_again(second_gradients: dict[str, Any]) -> Iterator[Verdict]:
    """|T_a|, by η⁽¹⁾."""
    yield shrinks(second_gradients, "second")


@claims.experiment
def margins(parity: Distribution, n: int, classifiers: int, seed: int) -> np.ndarray:
    """For each start the least y g with the background half way, and by how much the background
    can change it (`steps.margin_everywhere`), (starts, 2); -∞ without a classifier."""
    found = [steps.classifier(parity, s, n) for s in range(seed, seed + classifiers)]
    none = (-math.inf, 0.0)
    return np.array([steps.margin_everywhere(parity, p) if p else none for p in found])


@claims.check("lemma-23", beyond="parity only, below the printed width")
def perfect_classifier(margins: np.ndarray) -> Iterator[Verdict]:
    """How many starts have a classifier whose loss is certified to be 0 everywhere."""
    certified = int((margins[:, 0] - margins[:, 1] >= 1).sum())
    what = "starts with y g ≥ 1 at every input"
    yield probability(certified, len(margins), at_least=0.75, what=what)


@claims.experiment
def norms_by_width(parity: Distribution, n_seeds: int, seed: int) -> pd.DataFrame:
    """Norms of Lemma 23 by seed and m (`steps.norms_after_two_steps`)."""
    return pd.DataFrame(
        [
            steps.norms_after_two_steps(parity, s, half)
            for s in range(seed, seed + max(8, n_seeds))
            for half in HALF_WIDTHS
        ]
    )


@claims.check("lemma-23-norms")
def norms_fall(norms_by_width: pd.DataFrame, parity: Distribution) -> Iterator[Verdict]:
    """Exponents in m of three norms, and the others against their bounds."""
    found, k = norms_by_width, parity.k
    by_m = found.pivot_table(index="seed", columns="m")
    for name, power in (("|ã|∞", -1.0), ("|ã|²", -1.0), ("|a⁽²⁾|", -2.0)):
        yield exponent(
            HALF_WIDTHS,
            by_m[name].to_numpy(),
            expected=(-math.inf, power),
            rival={"no decay": 0},
            what=f"exponent in m, {name}",
        )
    logs = np.sqrt(2 * np.log(found["m"] / steps.DELTA))
    yield inequality(found["|w|"], parity.sigma / k * logs / math.sqrt(k), what="|w|")
    yield inequality(found["|b|"], logs / k**2, what="|b|")
    yield inequality(found["gap"], 1 / found["m"], what="exact - approximate w")


@claims.check("matching")
def probability_of_a_match() -> Iterator[Verdict]:
    """Its exponent in k, over a grid of ρ and β."""
    by_size = [
        [steps.match(k, 0.5, rho, beta) for k in MANY]
        for rho in (0.5, 1, 2)
        for beta in (0.4, 0.7, 1)
    ]
    yield exponent(MANY, by_size, expected=(-1, -1), what="exponent in k")


@claims.experiment
def by_schedule(k: int, p_o: float, m: int, n: int, seeds: list[int]) -> dict[str, torch.Tensor]:
    """Cosines of the neurons after two steps, (R, 2m), under two printed schedules."""
    small = data.parity_mixture(max(50, 2 * k), k, p_o)
    fit = tables.samples(small, min(n, 5000), seeds, "data", torch.device("cpu"))
    spread = network.sigma_a(small)
    start = [network.initial(generator(s, "init"), small.D, m, k, spread) for s in seeds]
    pairs = {"Lemma 23": (small.sigma, k**-1.5), "Theorem 26": (small.sigma**2, k**-2.0)}
    direction, found = network.relevant_direction(small.D, k), {}
    for name, (power, sigma_xi) in pairs.items():
        _, two = network.first_two_steps(start, fit, small.gamma**2 * power / (k * m**3), sigma_xi)
        found[name] = network.cosines(two["W"], direction).nan_to_num()
    return found


@claims.check("schedules")
def either_schedule_aligns(by_schedule: dict[str, torch.Tensor]) -> Iterator[Verdict]:
    """The largest cosine with either, run by run."""
    largest = [x for cosine in by_schedule.values() for x in cosine.max(1).values.tolist()]
    yield inequality(0.99, largest, what="0.99 against cos")


@claims.experiment
def misprint_gaps(parity: Distribution, seed: int) -> pd.DataFrame:
    """By how much four formulas fail as ``printed`` and as ``corrected`` (`steps.misprints`)."""
    return pd.DataFrame(steps.misprints(parity, seed), index=["printed", "corrected"]).T


EXACT = "that the printed formula is exact"


@claims.check("misprints")
def formulas_as_printed(misprint_gaps: pd.DataFrame) -> Iterator[Verdict]:
    """The gaps of (24) and of E[yx], and the factor of the latter at D = 12, p_o = 1/2."""
    sure = misprint_gaps.loc[["(24)", "E[yx]"]]
    yield everywhere(sure.printed < 1e-12, what=EXACT)
    factor = sympy.Rational(1, 4) / sympy.sqrt(3)  # γ/σ̃
    yield exactly(factor, "==", 1, what="E[yx] along a relevant pattern, D = 12")


@claims.check("misprints-text", undecided=("our text", "signs may be lost"))
def formulas_of_our_text(misprint_gaps: pd.DataFrame) -> Iterator[Verdict]:
    """The gaps of Lemma 17 and of the proof of Lemma 44."""
    yield everywhere(misprint_gaps.loc[["Lemma 17", "Lemma 44"]].printed < 1e-12, what=EXACT)


@claims.check("misprints-corrected")
def formulas_as_meant(misprint_gaps: pd.DataFrame) -> Iterator[Verdict]:
    """The gaps of all four as corrected."""
    yield inequality(misprint_gaps.corrected, 1e-12, what="gap of the corrected one")
