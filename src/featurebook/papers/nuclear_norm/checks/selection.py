"""The checks of the nuclear norm in the linear model: its closed form, and what it selects."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from featurebook.core.spectra import eigvalsh
from featurebook.papers.nuclear_norm import certified, model, selection
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.papers.nuclear_norm.model import Task
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import (
    everywhere,
    exactly,
    exponent,
    identity,
    inequality,
    trend,
)

FEW = Task(4, 8, 0.3)
"""A task so small that all its weights can be free."""
HARD, EASY = (40, 176, Fraction(48, 100)), (100, 632, Fraction(2, 5))
"""r, |U| and γ of two tasks inside the assumptions of Proposition 6.3."""
NAMES = ["r, |U|, γ", "λ", "α", "β", "OOD, nuclear", "OOD, decay"]
MANY = np.array([25, 100, 400, 1600])
"""r of the limit of many features."""
START = 0.05
"""Every weight before training on batches."""


def called(r: int, q: int, gamma: Fraction) -> str:
    """What a task is called in the table."""
    return f"{r}, {q}, {float(gamma):g}"


def task_of(r: int, q: int, gamma: Fraction) -> Task:
    """A task in floating point."""
    return Task(r, q, float(gamma))


@claims.experiment
def two_tasks(grid: list[float]) -> pd.DataFrame:
    """Weights of the nuclear norm and OOD accuracy of both regularisers, `HARD` and `EASY`."""
    rows = []
    for named in (HARD, EASY):
        some, name = task_of(*named), called(*named)
        for price in grid:
            nuclear, decay = selection.minimise(some, price), model.weight_decay(some, price)
            right = [model.accuracy(x, some.ood, some.counts) for x in (nuclear, decay)]
            rows.append((name, price, *nuclear, *right))
    return pd.DataFrame(rows, columns=NAMES)


@claims.experiment
def batch_weights(
    lam: float, batch_steps: int, batch: int, run_seeds: list[int]
) -> NDArray[np.float64]:
    """Weights (seeds, d) of `FEW` after Adam on fresh batches."""
    return selection.train_in_batches(FEW, lam, steps=batch_steps, batch=batch, seeds=run_seeds)


@claims.check("penalty", proof="proved on the page")
def penalty_in_the_population(task: Task) -> Iterator[Verdict]:
    """The closed form against eigenvalues, at weights inside and on the edge."""
    closed, direct = [], []
    for some in (task, Task(1, 1, 0.2), Task(3, 7, 0.45), task_of(*HARD)):
        for a, b in ((1.0, 0.3), (0.2, 0.9), (0.5, 0.0), (0.0, 0.5)):
            w = np.repeat([a, b], [some.r, some.q])
            eigen = eigvalsh(w[:, None] * some.second_moment * w)
            direct.append(np.sqrt(np.maximum(eigen, 0)).sum())
            closed.append(selection.penalty(some, a, b))
    yield identity(closed, direct, tolerance=1e-7, what="closed form, eigenvalues")


@claims.check("selection", proof="proved on the page")
def what_it_selects(task: Task, grid: list[float], seed: int) -> Iterator[Verdict]:
    """The threshold against a minimisation in the quadrant, and one with all weights free."""
    rng = np.random.default_rng([seed, 4])
    sides, agree = [], []
    for some in (task, Task(1, 1, 0.2), FEW, Task(20, 90, 0.46), task_of(*HARD)):
        for price in grid:
            drops = selection.ratio(some, price) <= 1
            two = selection.minimise(some, price)
            agree.append(drops == (two[1] < 1e-7 * two[0]))
            sides.append(drops)
    for price in grid[:2]:
        free = selection.minimise_free(FEW, price, rng.normal(size=FEW.r + FEW.q) * 0.3)
        both = np.repeat(selection.minimise(FEW, price), [FEW.r, FEW.q])
        agree.append(bool(np.abs(free - both).max() < 1e-3))
    yield everywhere(
        [*agree, any(sides), not all(sides)],
        what="threshold and minimisation agree, both sides occur",
    )


@claims.check("window", proof="proved on the page")
def window(task: Task) -> Iterator[Verdict]:
    """What is left inside, below and beyond the window, and where there is none."""
    hard = task_of(*HARD)
    low, high = selection.smallest_lambda(FEW), selection.largest_lambda(FEW.r)
    inside = [selection.minimise(FEW, x)[1] < 1e-7 for x in (1.1 * low, np.sqrt(low * high))]
    below = [selection.minimise(FEW, x)[1] > 1e-3 for x in (0.5 * low, 0.1 * low)]
    beyond = [max(selection.minimise(FEW, x)) < 1e-6 for x in (1.01 * high, 3 * high)]
    none = selection.largest_lambda(hard.r)  # here ρ > 1
    past = [selection.minimise(hard, x)[1] > 1e-6 for x in (0.9 * none, none, 1.01 * none)]
    falling = []
    for some in (task, FEW, hard):
        prices = np.geomspace(1e-3, 0.99, 8) * selection.largest_lambda(some.r)
        ratios = [selection.ratio(some, x) for x in prices]
        falling.append(all(np.diff(ratios) < 0))
    yield everywhere(
        inside + below + beyond + past + falling,
        what=f"r = 4, |U| = 8, γ = 0.3: window {low:.4f} to {high:.4f}; none at r = 40",
    )


@claims.check("limit")
def limit_of_many_features() -> Iterator[Verdict]:
    """The exponent in r of the distance of the largest γ from 1/2."""
    cases = [(share, price) for share in (1, 4, 16) for price in (0.01, 0.1)]
    gaps = [[0.5 - selection.largest_gamma(int(n), int(s * n), p) for n in MANY] for s, p in cases]
    yield exponent(
        MANY, gaps, expected=(-0.6, -0.4), rival=(0.0, -1.0),
        what="exponent in r of 1/2 minus the largest γ, six cases",
    )  # fmt: skip


def where_it_selects(two_tasks: pd.DataFrame) -> list[Verdict]:
    """ρ of `EASY`, and its weights and accuracy at each λ."""
    easy = two_tasks[two_tasks[NAMES[0]].eq(called(*EASY))]
    return [
        exactly(certified.border_ratio(*EASY), "<", 1, what="ρ at r = 100"),
        inequality(easy["β"], 1e-9 * easy["α"], what="β at r = 100, γ = 0.4"),
        inequality(1.0 - 1e-12, easy["OOD, nuclear"], what="OOD accuracy there"),
    ]


@claims.check(
    "bounded-rank",
    undecided=("two readings", "in some tasks: true; in every task: false of ERM-NU"),
)
def what_bounded_rank_can_guarantee(two_tasks: pd.DataFrame) -> Iterator[Verdict]:
    """A task inside the assumptions with OOD accuracy 1."""
    certified.precise()
    yield from where_it_selects(two_tasks)


@claims.check("bounded-rank-corrected", proof="proved on the page")
def where_erm_nu_selects(two_tasks: pd.DataFrame) -> Iterator[Verdict]:
    """ρ of both tasks, and the best OOD accuracy where no λ selects."""
    certified.precise()
    yield exactly(certified.border_ratio(*HARD), ">", 1, what="ρ at r = 40: no λ")
    yield from where_it_selects(two_tasks)
    hard = two_tasks[two_tasks[NAMES[0]].eq(called(*HARD))]
    best = hard["OOD, nuclear"].max()
    yield inequality(best, 0.999, what="OOD accuracy at r = 40, best λ")


@claims.check("batches")
def batches(batch_weights: NDArray[np.float64], lam: float) -> Iterator[Verdict]:
    """Both kinds of weights after training, over the population's α."""
    alpha = selection.minimise(FEW, lam)[0]
    decay = model.weight_decay(FEW, lam)
    yield trend(
        batch_weights[:, : FEW.r].mean(1) / alpha, expected=(0.95, 1.05),
        rival={"start": START / alpha, "weight decay": decay[0] / alpha},
        what="mean α over the population's",
    )  # fmt: skip
    yield trend(
        np.abs(batch_weights[:, FEW.r :]).max(1) / alpha, expected=(0, 0.05),
        rival={"weight decay": decay[1] / alpha}, within=(0, np.inf),
        what="largest environmental weight over α",
    )  # fmt: skip
