"""The checks of weak training by descent: one step taken apart, and Theorem 4.2 at its width."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import exp

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import (
    bounds,
    experiments,
    kernels,
    orthonormal,
)
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.checks.weak_theorems import allowed_move
from featurebook.papers.ntk_autoencoders.experiments import ensemble
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, inequality, probability

DESCENT_CONSTANTS = (2048, 131072)
"""Those of both conditions of Theorem 4.2."""
DESCENT_STEPS = 400
CASES = [
    (dim, k, Fraction(a, 7), Fraction(1, b))
    for dim in (1, 3, 10)
    for k in (1, 2, 40)
    for a in (7, 9, 70)
    for b in (2, 5, 1000)
]
"""d, n, λ_n and λ_0 at which (4.12) is added up."""


@claims.experiment
def weak_step(samples: Tensor, weak_start: core.Params, c: float) -> float:
    """The largest stable η of weak training."""
    return kernels.stable_step("weak", weak_start, samples, c)


@claims.experiment
def weak_terms(samples: Tensor, weak_start: core.Params, weak_step: float) -> dict[str, Tensor]:
    """`experiments.follow` of 25 steps."""
    return experiments.follow("weak", weak_start, samples, eta=weak_step, updates=25)


@claims.check("equation-4-11")
def one_step_apart(weak_terms: dict[str, Tensor]) -> Iterator[Verdict]:
    """The relative distance of the two sides."""
    yield inequality(weak_terms["parts"].sqrt(), 1e-9, what="the two sides, difference")


@claims.check("lemma-4-5", proof="proved on the page")
def movement_under_descent(
    weak_terms: dict[str, Tensor], shape: Geometry, flow_width: int
) -> Iterator[Verdict]:
    """The largest movement of a neuron against the radius."""
    radius = bounds.weak_radius(shape, flow_width, weak_terms["error"][0], factor=4)
    yield inequality(weak_terms["R"], radius, what="movement against R'")


@claims.check("lemma-A-4", proof="proved on the page")
def few_neurons_flip(
    samples: Tensor, d: int, widths: list[int], n_seeds: int, c: float, seed: int,
    place: torch.device,
) -> Iterator[Verdict]:  # fmt: skip
    """The exact probability for one sample, and ten small steps of the widest networks."""
    cases = [(m, R) for m in (10, 100, 1000, 10000, 100000) for R in (1e-4, 1e-3, 1e-2, 0.1, 0.2)]
    cases = [(m, R) for m, R in cases if m * R <= 100]  # beyond, doubles end
    tail = [stats.binom.sf(4 * m * R, m, 2 * stats.norm.cdf(R) - 1) for m, R in cases]
    most = [exp(-m * R) for m, R in cases]
    yield inequality(tail, most, what="exact probability for one sample")
    widest = ensemble(widths[-1], d, n_seeds, seed=seed, place=place)
    eta = kernels.stable_step("weak", widest, samples, c / 50)
    slow = experiments.follow("weak", widest, samples, eta=eta, updates=10)
    yield inequality(
        slow["most_flips"], 4 * slow["R"], informative=4 * slow["R"] < 1,
        what="largest share that flips in a step of weak training against 4R",
    )  # fmt: skip


@dataclass(frozen=True)
class Descents:
    """Descent on n = d = dim orthonormal samples at the proof's own width and step.

    Attributes:
        terms: `orthonormal.descend`, (networks, steps) each.
    """

    dim: int
    m: int
    eta: float
    terms: dict[str, NDArray[np.float64]]

    @property
    def R(self) -> NDArray[np.float64]:
        """The largest movement so far."""
        return np.maximum.accumulate(self.terms["R"], axis=1)

    @property
    def room(self) -> float:
        """ηλ_0/4d, which a bound must not exceed to be informative."""
        return self.eta * 0.5 / (4 * self.dim)

    @property
    def words(self) -> str:
        """What the inequalities are about."""
        return f"n = d = {self.dim}, m = {self.m:,}, over ‖X - U‖²"


@claims.experiment
def own_descents(literal_delta: float, literal_seeds: int, first: int) -> list[Descents]:
    """Weak training at the width and with the step of Theorem 4.2, n = d = 1 and 2."""
    found, (first_C, second_C) = [], DESCENT_CONSTANTS
    for dim in (1, 2):
        reach = 2 * min(0.5 / (64 * dim**2), allowed_move(dim, literal_delta))
        first_width = first_C * 16 * dim**9 / literal_delta**3
        m = int(max(first_width, second_C * 16 * dim**7 / literal_delta))
        eta = 0.5 / (4 * dim**2)
        runs = [
            orthonormal.descend(orthonormal.wide(dim, m, reach, s), eta, DESCENT_STEPS)
            for s in range(first, first + max(8, literal_seeds // 2))
        ]
        terms = {name: np.stack([run[name] for run in runs]) for name in runs[0]}
        found.append(Descents(dim, m, eta, terms))
    return found


@claims.check("claim-B-1", proof="proved on the page")
def kernel_term(
    own_descents: list[Descents], weak_terms: dict[str, Tensor], weak_step: float,
    shape: Geometry, flow_width: int,
) -> Iterator[Verdict]:  # fmt: skip
    """C_1 at the proof's width, and of narrower networks."""
    wide = own_descents[-1]
    yield inequality(wide.terms["kernel"], -wide.eta * 0.5 / wide.dim, what=wide.words)
    most = -weak_step * shape.lambda_0 / shape.d
    yield inequality(weak_terms["kernel"], most, what=f"m = {flow_width}")


@claims.check("claim-B-2", proof="proved on the page")
def flipped_term(own_descents: list[Descents]) -> Iterator[Verdict]:
    """C_2 at the proof's width."""
    wide = own_descents[-1]
    most = 8 * wide.eta * wide.dim * wide.R
    yield inequality(wide.terms["flipped"], most, informative=most <= wide.room, what=wide.words)


@claims.check("claim-B-3", undecided=("our text", "n in (4.12), proof"))
def remainder(own_descents: list[Descents]) -> Iterator[Verdict]:
    """C_3 against the bound with m."""
    wide = own_descents[-1]
    most = 8 * wide.eta * wide.m * wide.R
    yield inequality(wide.terms["v2"], most, informative=most <= wide.room, what=wide.words)


@claims.check("claim-B-3-corrected", proof="proved on the page")
def remainder_corrected(own_descents: list[Descents]) -> Iterator[Verdict]:
    """C_3 against the bound with n."""
    wide = own_descents[-1]
    most = 8 * wide.eta * wide.dim * wide.R
    yield inequality(wide.terms["v2"], most, informative=most <= wide.room, what=wide.words)


@claims.check("claim-B-4", proof="proved on the page")
def squared_term(own_descents: list[Descents]) -> Iterator[Verdict]:
    """C_4 at the proof's width."""
    wide = own_descents[-1]
    most = wide.eta**2 * wide.dim
    yield inequality(
        wide.terms["squared"], most, informative=most <= wide.room + 1e-12, what=wide.words
    )


@claims.experiment
def narrow_terms(weak_terms: dict[str, Tensor], weak_step: float, shape: Geometry) -> pd.DataFrame:
    """The largest C_2 to C_4 of narrower networks with a large step, beside their bounds."""
    flips = 8 * weak_step * shape.n * float(weak_terms["R"].max())
    rows = {
        "C_2": (float(weak_terms["flipped"].max()), flips),
        "C_3": (float(weak_terms["v2"].max()), flips),
        "C_4": (float(weak_terms["squared"].max()), weak_step**2 * shape.n * shape.lambda_n),
    }
    return pd.DataFrame(rows, index=["largest", "its bound"]).T


@claims.check("equation-4-12")
def closing_inequality() -> Iterator[Verdict]:
    """The sum of the bounds over ηλ_0/d, in fractions."""
    sums = [bounds.closing_sum(*case) for case in CASES]
    yield exactly(sums, "<=", Fraction(-1, 2), what="change over ηλ_0/d")


@claims.check("theorem-4-2", proof="proved on the page")
def gradient_descent(own_descents: list[Descents], literal_delta: float) -> Iterator[Verdict]:
    """How many networks keep the rate at every step, at the proof's width."""
    kept = []
    for found in own_descents:
        size, drop = found.terms["size"], found.eta * 0.5 / (2 * found.dim)
        line = (1 - drop) ** np.arange(DESCENT_STEPS)
        kept += [bool(ok.all()) for ok in size <= size[:, :1] * line + 1e-12]
    widths = ", ".join(f"{found.m:,}" for found in own_descents)
    what = f"orthonormal n = d = 1, 2, m = {widths}, 400 steps of the proof's η"
    yield probability(sum(kept), len(kept), at_least=1 - literal_delta, what=what)
