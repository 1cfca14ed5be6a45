"""The checks of stage I: softmax weights, growth rates, and Theorem C.1."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.papers.contrastive_decoupling import (
    exact,
    experiments,
    measures,
    model,
    theory,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, exponent, inequality, trend

CONSTANTS = [(g, c) for g in (1, 10, 50, 100) for c in (1, 10, 100, 1000)]
"""10⁴ γ and 10³ c_0 at which ends of stage I are compared."""
GAMMAS, C0S = (1, 10, 50, 99), (1, 10, 100, 1000, 10_000)
"""The same where (b) and (c) of Theorem C.1 are compared."""


@dataclass(frozen=True)
class SlowGrowth:
    """Stage I from small weights: the recipe, and norms by step, seed and neuron.

    Attributes:
        on, off: norm on the atoms and off them, (steps, seeds, neurons).
    """

    recipe: model.Recipe
    steps: tuple[int, ...]
    on: Tensor
    off: Tensor


@claims.experiment
def slow_growth(
    full_recipe: model.Recipe, setting: model.SparseCoding, K: int, N: int, m: int,
    seeds: list[int], device: str,
) -> SlowGrowth:  # fmt: skip
    """Sixty steps of stage I, with a larger batch and no bias."""
    slow = replace(full_recipe, beta_end=0.0, norm=0.02, steps=60)
    run = experiments.fit(
        "mask", slow, world=setting, K=3 * K, N=N, m=m // 3, seeds=seeds,
        observe_at=range(0, 61, 10), device=core.pick_device(device),
    )  # fmt: skip
    W, M = run.observed["W"].cpu().double(), setting.M
    on = (W @ M.double()).norm(dim=-1)
    off = (W - W @ (M @ M.T).double()).norm(dim=-1)
    return SlowGrowth(slow, tuple(run.steps), on, off)


@claims.experiment
def log_growth(slow_growth: SlowGrowth) -> Tensor:
    """log of the growth of the squared norm on the atoms, (seeds,)."""
    squares = slow_growth.on.square().sum(-1)
    return (squares[-1] / squares[0]).log()


@claims.experiment
def early_weights(
    full_recipe: model.Recipe, setting: model.SparseCoding, K: int, N: int, m: int,
    seeds: list[int], device: str,
) -> Tensor:  # fmt: skip
    """Weights of run A at every step to t_1: (t_1 + 1, seeds, m, d_1)."""
    until_t1 = experiments.until(full_recipe, full_recipe.t1)
    run = experiments.fit(
        "mask", until_t1, world=setting, K=K, N=N, m=m, seeds=seeds,
        observe_at=range(full_recipe.t1 + 1), device=core.pick_device(device),
    )  # fmt: skip
    return run.observed["W"].cpu()


@claims.experiment
def end_by_sketch(early_weights: Tensor, full_recipe: model.Recipe) -> int:
    """The step at which all neurons have grown as Section A.2 has them at its T_1; at most t_1."""
    squares = early_weights.square().sum(-1)
    ready = (squares >= float(exact.ends_of_stage_one(100, 10)[1]) * squares[0]).all(2).all(1)
    return int(ready.int().argmax()) if ready.any() else full_recipe.t1


@claims.experiment
def early_coordinates(
    early_weights: Tensor, end_by_sketch: int, full_recipe: model.Recipe,
    setting: model.SparseCoding, dense_directions: Tensor,
) -> dict[str, dict[str, Tensor]]:  # fmt: skip
    """Of each neuron, by moment: "share" on the atoms, how "many" large coordinates it has, both
    (seeds, m), and its "dense" coordinates, (seeds, m, d_1 - d)."""
    found, d = {}, setting.d
    moments = {"untrained": 0, "at t₁": full_recipe.t1, "at A.2's T₁": end_by_sketch}
    for name, k in moments.items():
        W = early_weights[k]
        relative = (W @ setting.M).abs() / W.norm(dim=-1, keepdim=True)
        dense = (W.double() @ dense_directions).abs() / W.double().norm(dim=-1, keepdim=True)
        many = (relative >= math.log(d) ** 0.25 / math.sqrt(d)).sum(-1).float()
        found[name] = {"share": measures.shares(W, setting.M), "many": many, "dense": dense}
    return found


def limits(d: int, d1: int) -> tuple[float, float, float]:
    """What Theorem C.1 allows, with constants 1, at each d: (a), (d) and (e)."""
    return 0.5, d / 2 ** math.sqrt(math.log(d)), 2 * math.sqrt(math.log(d) / d1)


@claims.experiment
def ends_of_stage_one(
    setting: model.SparseCoding, full_recipe: model.Recipe, N: int
) -> pd.DataFrame:
    """Five definitions of the end: ratio of squared norms, share on the atoms, and our step."""
    gamma, c0 = theory.GAMMA, theory.C0
    c1, _ = theory.luck(gamma, c0)
    d, d1, r = setting.d, setting.d1, full_recipe
    ratio = {
        "Section 2.2": 1 / (gamma * c0) ** 2,
        "Section A.2": (2 * (1 + c0) + c1) / c1,
        "before Theorem C.1": (2 * (1 + gamma * c0) + c1) / c1,
        "before C.4": 2 * (1 + 2 * gamma * c0) / c1,
        "proof of C.1": (1 + 2 * (1 + 2 * c0) / c1) ** 2,
    }
    stops = pd.DataFrame({"ratio of squared norms": ratio})
    ratios = stops["ratio of squared norms"]
    stops["share"] = (1 - 1 / ratios).clip(lower=0)
    keep, lose = theory.growth_factors(d, d1, setting.p, r.eta, r.lam, N)
    twice = 2 * np.arange(2000)
    factors = d / d1 * keep**twice + (1 - d / d1) * lose**twice
    stops["our step"] = [int(np.argmax(factors >= x)) for x in ratios]
    return stops


@claims.check("lemma-c-3")
def softmax_weights_are_even(
    setting: model.SparseCoding, m: int, K: int, N: int, seeds: list[int]
) -> Iterator[Verdict]:
    """The power of all weights' square with which softmax weights leave 1/(N + 1)."""
    totals, gaps = np.array([1e-3, 1e-2, 1e-1]) * math.log(setting.d), []
    for s in seeds:
        g = core.generator(s, "C3")
        W = torch.randn(m, setting.d1, generator=g)
        x, x_n = (model.sample(g, setting, n)[0] for n in (K, N))
        signs = model.random_mask(g, K, setting.d1)
        views = [a @ W.T / W.norm() for a in (x * (1 + signs), x * (1 - signs), x_n)]
        gap = []
        for total in totals:
            f, f_plus, f_n = (u * math.sqrt(total) for u in views)
            ell = model.softmax_weights(f, f_plus, f_n, tau=1.0)
            gap.append(float((ell - 1 / (N + 1)).abs().max()))
        gaps.append(gap)
    yield exponent(
        totals,
        gaps,
        expected=(0.95, 1.05),
        what="power of Σ‖w‖²",
        rival={"a root": 0.5, "a square": 2.0},
    )


@claims.check("hypothesis-c-4")
def only_atoms_grow(
    slow_growth: SlowGrowth, log_growth: Tensor, setting: model.SparseCoding, N: int
) -> Iterator[Verdict]:
    """The dense part of each neuron, and the growth rate on the atoms over the exact one."""
    slow, off, d = slow_growth.recipe, slow_growth.off, setting.d
    allowed = off[0].square() * (1 + 1 / d)
    yield inequality(off.square(), allowed, what="dense part, each neuron")
    p, sigma2 = setting.p, setting.sigma**2
    keep, _ = theory.growth_factors(d, setting.d1, p, slow.eta, slow.lam, N)
    bare = 1 - slow.eta * slow.lam + slow.eta * N / (N + 1) * (p + sigma2)
    yield trend(
        log_growth / 120 / math.log(keep),
        expected=(0.9, 1.1),
        rival={"no growth": 0.0, "no mask": math.log(bare) / math.log(keep)},
        what="growth rate over the exact one",
    )


@claims.check(
    "theorem-c-1-a",
    undecided=("two readings", "T₁ of Section C: false; of A.2, 2.2 and the proof: true"),
)
def share_at_the_end_of_section_c() -> Iterator[Verdict]:
    """The share on the atoms at Section C's T_1, exactly."""
    shares = [1 - 1 / exact.ends_of_stage_one(g, c)[0] for g, c in CONSTANTS]
    yield exactly(shares, ">=", Fraction(1, 2), what="share at Section C's T₁, over γ and c₀")


@claims.check("theorem-c-1-a-sketch")
def share_at_the_end_of_the_sketch() -> Iterator[Verdict]:
    """The same at Section A.2's."""
    shares = [1 - 1 / exact.ends_of_stage_one(g, c)[1] for g, c in CONSTANTS]
    yield exactly(shares, ">=", Fraction(1, 2), what="share at Section A.2's T₁, over γ and c₀")


@claims.check("theorem-c-1-ade", beyond="one size, one trajectory for each seed")
def coordinates_at_the_end(
    early_coordinates: dict[str, dict[str, Tensor]], d: int, d1: int
) -> Iterator[Verdict]:
    """Large coordinates of each neuron, and dense ones, at Section A.2's T_1."""
    found, (_, large, small) = early_coordinates["at A.2's T₁"], limits(d, d1)
    what = "large coordinates of each neuron"
    yield inequality(found["many"], large, informative=large < d, what=what)
    dense = found["dense"].amax((1, 2))
    yield inequality(dense, small, informative=small < 1, what="dense coordinates")


@claims.check("theorem-c-1-share", proof="proved on the page")
def large_fraction_by_share() -> Iterator[Verdict]:
    """At which shares the large fraction falls fast enough with d."""
    roots = np.geomspace(100, 1e6, 40)
    shares = np.array([[0.5], [0.7], [0.72], [0.73], [0.83], [0.99]])
    rises = np.diff(theory.log_large_fraction(roots, shares) + math.log(2) * roots) > 0
    yield everywhere(
        rises == (shares > 1 / math.log(4)),
        what="2^(√log d) times the large fraction rises with d exactly at shares above 1/(2 ln 2)",
    )


@claims.check("theorem-c-1-bc")
def shares_that_b_and_c_allow() -> Iterator[Verdict]:
    """The least share of (b) against the largest of (c), in balls."""
    lowest, highest = exact.share_bounds(GAMMAS, C0S)
    yield exactly(
        lowest,
        "<=",
        highest,
        what="least share that (b) allows, largest that (c) allows, admissible γ and c₀",
        instance={"10⁴ γ": list(GAMMAS), "10³ c₀": list(C0S)},
    )


@claims.check("theorem-c-1-bc-corrected", proof="proved on the page")
def constants_that_agree() -> Iterator[Verdict]:
    """With c_2 just below and just above the limit: whether some share satisfies both."""
    grid: Any = np.meshgrid(np.geomspace(1e-4, 0.0099, 30), np.geomspace(1e-3, 10, 40))
    gammas, c0s = grid
    needs, _ = theory.share_window(gammas, c0s)
    x = gammas * c0s
    c1, _ = theory.luck(gammas, c0s)
    compatible: list[NDArray[np.bool_]] = []
    for times in (0.999, 1.001):
        wider = 2 * (1 - x) ** 2 / (times * c1 * ((1 - x) / (1 + x)) ** 2)
        agree = (needs <= wider) & (needs < 1)
        compatible.append(agree == ((times <= 1) & (c1 > 2 * (1 + x) ** 2)))
    yield everywhere(
        compatible,
        what="some share below 1 satisfies both exactly if c₁ is large enough and c₂ = "
        "0.999 c₁ ((1-γc₀)/(1+γc₀))², not if it is 1.001 times that",
    )
