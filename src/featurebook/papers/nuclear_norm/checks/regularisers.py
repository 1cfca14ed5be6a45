"""The checks of the control: six penalties at the same price, on rotated digits."""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from featurebook import images
from featurebook.papers.nuclear_norm import benchmarks, data, regularisers
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import trend

ANGLES = [0, 15, 30, 45, 60, 75]
"""Degrees by which the digits of each domain are turned."""
OUTER = [0, 5]
"""Domains that are left out in turn: the smallest and the largest angle."""
SIDE = 12
"""Pixels of a side of a turned digit."""
SIZES = ["Frobenius norm", "spectral norm", "largest entry", "weight decay"]
"""The penalties that see sizes alone."""

improves = partial(trend, expected=(0.0, 1.0), rival=0.0, within=(-1, 1))
"""A trend of differences of two accuracies, one per seed, that should be positive."""


@claims.experiment
def turned_digits(seed: int) -> data.Domains:
    """Digits in six domains, each turned by one of `ANGLES`."""
    return data.rotated(images.bundled_digits(), ANGLES, SIDE, seed)


@claims.experiment
def penalised(
    turned_digits: data.Domains,
    penalty_lams: list[float],
    paired_seeds: int,
    digit_steps: int,
    seed: int,
) -> pd.DataFrame:
    """Accuracy with and without each penalty: a row per penalty, domain left out and seed."""
    seeds = list(range(seed, seed + paired_seeds))
    recipe = benchmarks.Recipe(steps=digit_steps)
    found = regularisers.compare(turned_digits, OUTER, penalty_lams, seeds, recipe)
    return found[found.weights.eq("best")]


@claims.experiment
def penalty_gains(penalised: pd.DataFrame) -> pd.DataFrame:
    """Gain in OOD accuracy over no penalty, mean over domains: seeds by penalties."""
    wide = penalised.pivot_table(index="seed", columns="name", values="gain")
    return wide[[*regularisers.PENALTIES]]


@claims.check("control-special")
def nuclear_norm_is_ahead(penalty_gains: pd.DataFrame) -> Iterator[Verdict]:
    """The nuclear norm's gain minus that of each other penalty, paired by seed."""
    others = penalty_gains.drop(columns="nuclear norm")
    for name in others:
        ahead = penalty_gains["nuclear norm"] - others[name]
        yield improves(ahead, what=f"ahead of {name}")


@claims.check("control-size")
def size_alone(penalty_gains: pd.DataFrame) -> Iterator[Verdict]:
    """The gain of each penalty that sees sizes alone."""
    for name in SIZES:
        yield improves(penalty_gains[name], what=f"gain of {name}")


@claims.check("control-rank")
def rank_alone(penalty_gains: pd.DataFrame) -> Iterator[Verdict]:
    """The gain of the penalty that sees the rank alone."""
    yield improves(penalty_gains["rank alone"], what="gain of rank alone")
