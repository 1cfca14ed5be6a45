"""The checks on condition numbers of random prompts, and on a bound quoted from another paper."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from featurebook import verdicts
from featurebook.papers.looped_transformers import data, randmat, theory
from featurebook.papers.looped_transformers.checks import drawn
from featurebook.papers.looped_transformers.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exponent, inequality, probability, trend

Numbers = NDArray[np.float64]

EPSILONS = (0.02, 0.01, 0.005, 0.002)
"""ε at which κ - 1 is measured, with n = d/ε²."""
DIMENSIONS = (8, 16, 32, 64)
"""Dimensions at which κ is measured, with n = 4d."""
LEVELS = np.geomspace(100, 3000, 6)
"""Where the tail of κ is measured at n = d + 1."""
FAILURE = 0.05
"""Probability δ with which the bound on κ may fail."""
QUOTED = (1, 2, 5, 10)
"""Loops at which the quoted bound is compared with descent."""
AXIS = np.arange(1, 21)
"""Loops over which the two bounds are compared."""


@claims.check("kappa-bound", proof="proved on the page")
def finite_size(condition_numbers: dict[int, Numbers], d: int, draws: int) -> Iterator[Verdict]:
    """How many prompts exceed the bound, wherever it says something."""
    for n, kappa in condition_numbers.items():
        if np.isfinite(bound := randmat.kappa_bound(n, d, FAILURE)):
            outside = int((kappa > bound).sum())
            what = f"n = {n}: κ above {bound:.3g}"
            yield probability(outside, draws, at_most=FAILURE, what=what)


def share_of(draws: int, n_seeds: int) -> int:
    """Prompts for each point of a law and each seed."""
    return max(50, draws // n_seeds // 8)


@claims.check("remark-kappa")
def well_conditioned(d: int, draws: int, n_seeds: int, seed: int) -> Iterator[Verdict]:
    """The exponent of the median κ - 1 in ε, one for each seed."""
    share = share_of(draws, n_seeds)
    excess = [
        [
            np.median(randmat.kappas(data.generator(s, "law", k), share, round(d / e**2), d)) - 1
            for k, e in enumerate(EPSILONS)
        ]
        for s in range(seed, seed + n_seeds)
    ]
    yield exponent(
        EPSILONS,
        excess,
        expected=(0.95, 1.05),
        rival={"no dependence": 0.0, "a square": 2.0},
        what="exponent of κ - 1 in ε",
    )


@claims.check("remark-order-d")
def constant_condition_number(draws: int, n_seeds: int, seed: int) -> Iterator[Verdict]:
    """The exponent in d of the distance from the limit 9, one for each seed."""
    few = min(share_of(draws, n_seeds), 250)
    distance = [
        [
            randmat.limit(0.5)
            - np.median(randmat.kappas(data.generator(s, "order d", k), few, 4 * k, k))
            for k in DIMENSIONS
        ]
        for s in range(seed, seed + n_seeds)
    ]
    yield exponent(
        DIMENSIONS,
        distance,
        expected=(-0.95, -0.4),
        rival={"no approach": 0.0},
        what="exponent in d of 9 - median κ, n = 4d",
    )


@claims.experiment
def condition_quantiles(d: int, draws: int, seed: int) -> dict[str, Numbers]:
    """ "n", and the 2.5%, 50% and 97.5% quantiles "low", "middle" and "high" of κ there."""
    axis = np.unique(np.geomspace(d + 3, 1024, 24).round().astype(int))
    drawn_at = [
        randmat.kappas(data.generator(seed, "axis", int(n)), max(200, draws // 10), int(n), d)
        for n in axis
    ]
    low, middle, high = np.quantile(drawn_at, [0.025, 0.5, 0.975], axis=1)
    return {"n": axis, "low": low, "middle": middle, "high": high}


@claims.check("kappa-no-mean")
def no_mean(draws: int, n_seeds: int, seed: int) -> Iterator[Verdict]:
    """The tail's exponent and the median of κ for five examples in four dimensions."""
    tails, middles = [], []
    for s in range(seed, seed + n_seeds):
        kappa = randmat.kappas(data.generator(s, "no mean"), max(400, draws // 4), 5, 4)
        tails.append([max((kappa > x).mean(), 1 / len(kappa)) for x in LEVELS])
        middles.append(np.median(kappa))
    yield exponent(
        LEVELS,
        tails,
        expected=(-1.1, -0.9),
        rival={"a finite mean": -1.5},
        what="exponent of the tail of κ",
    )
    yield trend(middles, expected=(31, 33), within=(1, np.inf), what="median κ")


@claims.experiment
def quoted_table(draws: int, seed: int) -> pd.DataFrame:
    """Loops T, n from which the quoted bound applies, and at 4n d × the error and the bound."""
    rows = []
    for T in QUOTED:
        n = 4 * theory.quoted_examples(T, 4)
        rng = data.generator(seed, "quoted", T)
        lam = randmat.eigenvalues(rng, max(500, draws // 20), n, 4) / n
        high = verdicts.mean_interval(((1 - lam) ** (2 * T)).mean(1), 0.999)[2]
        rows.append((T, n / 4, 4 * high, theory.quoted_bound(T, 4, n)))
    return pd.DataFrame(
        rows, columns=["T", "n from which it applies", "d × error at 4n", "bound at 4n"]
    )


@claims.check(
    "theorem-8-17",
    of="the model of Gatmiry et al.",
    on=lambda: "gradient descent with step 1/n",
)
def quoted_bound(quoted_table: pd.DataFrame) -> Iterator[Verdict]:
    """d times the error of descent, and the bound."""
    bound = quoted_table["bound at 4n"]
    yield inequality(
        quoted_table["d × error at 4n"],
        bound,
        informative=bound < 1,
        what="error times d, and bound",
    )


@claims.check("comparison", proof="proved on the page")
def falls_and_rises() -> Iterator[Verdict]:
    """The differences of both bounds from loop to loop."""
    falls, rises = theory.printed_bound(AXIS, 3.0), theory.quoted_bound(AXIS, 4, 10**6)
    yield everywhere(
        np.concatenate([np.diff(falls) < 0, np.diff(rises) > 0]),
        what="one bound falls and the other rises at every T up to 20",
    )


@claims.check("no-exponential", proof="proved on the page")
def no_exponential_number(seed: int) -> Iterator[Verdict]:
    """The error at n = 4d and the bound, up to 100 loops, and its median there."""
    x = drawn.gaussian(data.generator(seed, "few"), 200, 16, 4)
    loops = np.array([1, 10, 30, 100])
    left = [np.abs(theory.prediction_error(x.lam, x.squares, [1 / x.L] * t)) for t in loops]
    yield inequality(
        left,
        theory.printed_bound(loops[:, None], x.kappa),
        slack=1e-12,
        what="200 prompts of 16 examples, up to 100 loops",
    )
    yield inequality(np.median(left[-1]), 1e-6, what="median error after 100 loops")
