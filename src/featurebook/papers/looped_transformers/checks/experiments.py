"""The checks on Figure 8.1: its condition numbers, and which sentences about it are true."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
from flint import arb
from numpy.typing import NDArray

from featurebook import compare, verdicts
from featurebook.papers.looped_transformers import data, experiments, printed, randmat
from featurebook.papers.looped_transformers.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import (
    everywhere,
    exactly,
    inequality,
    probability,
)
from featurebook.verdicts.printing import against_print

Numbers = NDArray[np.float64]
Curves = dict[int, tuple[Numbers, Numbers, Numbers]]
"""By n: ln of the squared error in float64 and without rounding, (trials, T + 1), κ (trials,)."""

DIMENSIONS = (3, 4, 5)
"""Dimensions that the printed condition numbers are compared with."""
FOLLOWED = 60
"""Loops up to which the vertical gap is followed."""
SHOWN = (5, 10, 20, 40)
"""Those of the table."""
LEVEL = 1e-4
"""The squared error for which loops are counted."""


@claims.experiment
def condition_numbers(n_list: list[int], d: int, draws: int, seed: int) -> dict[int, Numbers]:
    """Condition numbers of Gaussian prompts, (draws,), by n in ascending order."""
    return {
        n: randmat.kappas(data.generator(seed, "kappa", n), draws, n, d) for n in sorted(n_list)
    }


@claims.experiment
def printed_cells(condition_numbers: dict[int, Numbers], trials: int) -> pd.DataFrame:
    """The printed averages beside ours, with the 95% range of ours and the z-score."""
    ours = {
        n: randmat.means_of_ten(x, trials)
        for n, x in condition_numbers.items()
        if n in printed.KAPPA
    }
    cells = compare.beside(
        {f"n = {n}": printed.KAPPA[n] for n in ours}, {f"n = {n}": x for n, x in ours.items()}
    )
    ranges = [np.quantile(x, [0.025, 0.975]) for x in ours.values()]  # not normal: quantiles
    cells["low"], cells["high"] = np.reshape(ranges, (-1, 2)).T
    cells["z"] = [(printed.KAPPA[n] - x.mean()) / x.std(ddof=1) for n, x in ours.items()]
    return cells


@claims.experiment
def dimension_tests(draws: int, seed: int) -> pd.DataFrame:
    """Σ z² of the four printed numbers and its p-value, for each dimension d."""
    tested = {}
    for d in DIMENSIONS:
        every = [
            randmat.kappas(data.generator(seed, "dimension", n, d), draws, n, d)
            for n in printed.KAPPA
        ]
        tested[d] = randmat.joint_distance(list(printed.KAPPA.values()), every)[1:]
    return pd.DataFrame(tested, index=["Σ z²", "p"]).T.rename_axis("d")


@claims.experiment
def trial_curves(n_list: list[int], d: int, trials: int, T_figure: int, seed: int) -> Curves:
    """The curves of Figure 8.1, through the transformer and from the spectrum."""
    return {n: experiments.trial_curves(seed, n, d, trials, T_figure) for n in sorted(n_list)}


@claims.check("figure-8-1")
def printed_condition_numbers(
    condition_numbers: dict[int, Numbers], trials: int
) -> Iterator[Verdict]:
    """The printed averages against repeated averages of ten, and their order."""
    ours = {
        n: randmat.means_of_ten(x, trials)
        for n, x in condition_numbers.items()
        if n in printed.KAPPA
    }
    fewer, more = (list(map(np.mean, ours.values()))[part] for part in (slice(-1), slice(1, None)))
    yield against_print(
        {f"n = {n}": f"{printed.KAPPA[n]:.2f}" for n in ours},
        {f"n = {n}": x for n, x in ours.items()},
        messages={"κ falls as n grows": inequality(more, fewer)},
        what="average κ",
    )


@claims.check("figure-8-1-dimension")
def which_dimension(dimension_tests: pd.DataFrame) -> Iterator[Verdict]:
    """The p-values of the sum of squared z-scores."""
    p = dimension_tests.p
    yield everywhere(
        [p[4] > 0.05, p[3] < 0.01, p[5] < 0.01], what="p above 5% for d = 4, below 1% for 3 and 5"
    )


def rate(kappa: Numbers) -> Numbers:
    """The rate of a prompt's squared error, -2 ln(1 - 1/κ)."""
    return np.asarray(-2 * np.log1p(-1 / kappa))


@claims.experiment
def rate_intervals(condition_numbers: dict[int, Numbers]) -> dict[int, Numbers]:
    """By n: mean, low and high end of the 99.9% interval of κ and of the rate, (2, 3)."""
    return {
        n: np.array([verdicts.mean_interval(x, 0.999) for x in (kappa, rate(kappa))])
        for n, kappa in condition_numbers.items()
    }


@claims.check("figure-8-1-improves")
def more_examples_faster(rate_intervals: dict[int, Numbers]) -> Iterator[Verdict]:
    """The intervals of κ and of the rate at each n and the next."""
    apart = [
        (few[0, 1] > many[0, 2], few[1, 2] < many[1, 1])
        for few, many in pairwise(rate_intervals.values())
    ]
    yield everywhere(apart, what="99.9% intervals of κ and rate are in order")


@claims.check("figure-8-1-outperform", proof="proved on the page")
def faster_than_theory(
    trial_curves: Curves, condition_numbers: dict[int, Numbers], T_figure: int
) -> Iterator[Verdict]:
    """Each prompt's error and its own bound, without rounding, and the rate times κ."""
    t = np.arange(T_figure + 1)
    own = np.concatenate([exact[:, 1:] for _, exact, _ in trial_curves.values()])
    promised = np.concatenate(
        [(-t / kappa[:, None])[:, 1:] for _, _, kappa in trial_curves.values()]
    )
    yield inequality(own, promised, slack=1e-9, what="ln(error) and −t/κ, each prompt and loop")
    speed = np.concatenate([rate(x) * x for x in condition_numbers.values()])
    yield inequality(2.0, speed, slack=1e-9, what="2 and the rate times κ, all draws")


@claims.experiment
def performance_gaps(
    n_list: list[int], d: int, draws: int, seed: int
) -> dict[int, tuple[Numbers, float]]:
    """By n: the vertical gap after 1 to `FOLLOWED` loops, and the loops that theory asks beyond."""
    found = {}
    for n in sorted(n_list):
        rng = data.generator(seed, "gap", n)
        loops = range(1, FOLLOWED + 1)
        found[n] = experiments.gaps(rng, n, d, min(draws, 4000), loops, LEVEL)
    return found


def rate_gaps(condition_numbers: dict[int, Numbers]) -> list[arb]:
    """Gap between the rate and 1/κ at the printed κ (ours for another n), in balls."""
    at = [printed.KAPPA.get(n, float(x.mean())) for n, x in condition_numbers.items()]
    balls = verdicts.balls(verdicts.rationals(at, 1000))
    return [2 * (x / (x - 1)).log() - 1 / x for x in balls]


@claims.experiment
def gap_table(
    condition_numbers: dict[int, Numbers], performance_gaps: dict[int, tuple[Numbers, float]]
) -> pd.DataFrame:
    """The three gaps, a row for each n."""
    rows = {
        n: {"gap in rate": float(gap)}
        | {f"vertical, t = {t}": vertical[t - 1] for t in SHOWN}
        | {"loops saved": saved}
        for gap, (n, (vertical, saved)) in zip(
            rate_gaps(condition_numbers), performance_gaps.items(), strict=True
        )
    }
    return pd.DataFrame(rows).T.rename_axis("n")


GAP = "gap in rate at the printed κ: at each n, and the one before"


@claims.check(
    "figure-8-1-gap", undecided=("two readings", "of rates: false; of loops needed: true")
)
def gap_narrows(condition_numbers: dict[int, Numbers]) -> Iterator[Verdict]:
    """The gap in rate at each n and at the one before."""
    rates = rate_gaps(condition_numbers)
    yield exactly(rates[1:], "<=", rates[:-1], what=GAP)


@claims.check("figure-8-1-gap-corrected")
def rates_widen_loops_narrow(
    condition_numbers: dict[int, Numbers], performance_gaps: dict[int, tuple[Numbers, float]]
) -> Iterator[Verdict]:
    """The gaps in rate, in the error and in loops, at each n and at the one before."""
    rates = rate_gaps(condition_numbers)
    yield exactly(rates[1:], ">", rates[:-1], what=GAP)
    vertical, saved = (np.array(x) for x in zip(*performance_gaps.values(), strict=True))
    yield inequality(vertical[:-1], vertical[1:], what=f"vertical gap, t up to {FOLLOWED}")
    yield inequality(saved[1:], saved[:-1], what="loops saved")


@claims.check("figure-8-1-theory-line")
def bounding_at_the_average(
    n_list: list[int], d: int, trials: int, repetitions: int, T_figure: int, seed: int
) -> Iterator[Verdict]:
    """In how many repetitions the mean curve rises above either line, for the two smallest n."""
    crossed = [
        experiments.crossings(
            data.generator(seed, "crossings", n),
            n,
            d,
            trials=trials,
            repetitions=repetitions,
            T=T_figure,
        )
        for n in sorted(n_list)[:2]
    ]
    below = ~np.concatenate([own for _, own in crossed])
    yield verdicts.proved(everywhere(below, what="below the mean of the trials' bounds"))
    yield probability(
        int(crossed[0][0].sum()),
        repetitions,
        at_least=0.05,
        what=f"above the line at the average κ, n = {min(n_list)}",
    )
