"""The checks of whether pre-training on more tasks hurts: rates, and the simulated risk."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from featurebook.papers.universality_tradeoff import linear, probes, risks
from featurebook.papers.universality_tradeoff.checks.bounds import Q_, S_, T_, V1_, V2_
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.verdicts import Verdict, mean_interval
from featurebook.verdicts.comparisons import exactly, identity, inequality, trend

F = Fraction
WHOLE = [F(T) for T in range(1, 200)]
"""Numbers of tasks at which rates are compared exactly."""
SHARED_WEIGHTS = (0.5, 0.9)
"""v_1 of the labels whose risk is simulated."""


def grows(x: ArrayLike, what: str) -> Verdict:
    """That the mean of runs is above 0."""
    return trend(x, expected=(0, 9), rival={"no change": 0.0}, what=what)


@claims.experiment
def simulated_risks(
    tasks: list[int], s: int, q: int, m: int, tau: float, reps: int, runs: int, seed: int
) -> NDArray[np.float64]:
    """Mean risks on the target and over all tasks: (`SHARED_WEIGHTS`, tasks, runs, 2)."""
    return risks.simulated(tasks, s, q, SHARED_WEIGHTS, m, tau, reps, runs, seed)


@claims.experiment
def added_risks(simulated_risks: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the most tasks add to them: (`SHARED_WEIGHTS`, runs, 2)."""
    return np.asarray(simulated_risks[:, -1] - simulated_risks[:, 0])


@claims.check("sqrt-t", proof="proved on the page")
def root_of_tasks() -> Iterator[Verdict]:
    """The squared factor of the leading term against T."""
    squares = [(T + 1) ** 2 / (4 * T) for T in WHOLE]
    yield exactly(squares, "<=", WHOLE, what="squared factor")


@claims.check("y2", proof="proved on the page")
def factor_in_closed_form() -> Iterator[Verdict]:
    """The factor at 1 to 16 tasks, rounded."""
    rounded = np.round(linear.bound_factor(2.0 ** np.arange(5)) + 1e-9, 2)
    yield identity(rounded, [1, 1.06, 1.25, 1.59, 2.13], tolerance=1e-12, what="rounded")


@claims.check("rate", undecided=("our text", "perhaps a factor lost in the scan"))
def rate_as_printed() -> Iterator[Verdict]:
    """The squared bound over the squared rate, at r = 200 and 2."""
    half = F(1, 2)
    large, small = (linear.leading_squared(F(4), F(n), F(n), half, half) / 4 for n in (100, 1))
    instance = {"T": 4, "s = q": [100, 1], "v_1 = v_2": "1/2"}
    yield exactly(large, "<=", small, what="r = 200 and 2", instance=instance)


@claims.check("rate-corrected", proof="proved on the page")
def rate_with_a_factor() -> Iterator[Verdict]:
    """The squared leading term against T r, at whole and fractional sizes."""
    cases = [(T, a, b, v) for T in WHOLE for a, b in ((1, 1), (50, 3)) for v in (F(1, 2), F(1, 9))]
    yield exactly(
        [linear.leading_squared(T, F(a), F(b), v, 1 - v) for T, a, b, v in cases],
        "<=",
        [T * (a + b) for T, a, b, _ in cases],
        what="squared leading term and T r, in the same unit",
    )


@claims.check("worse")
def worse_on_the_target(reps: int, seed: int) -> Iterator[Verdict]:
    """The risk after one task and after two, for a label that lives in shared features."""
    rng = np.random.default_rng([seed, 9])
    of_square = [probes.target_risks(T, 10, 10, 0.9, 15, 0, 4 * reps, rng) for T in (1, 2)]
    absolute = [np.sqrt(2 / np.pi * x) for x in of_square]  # E|ŷ - y|, as ŷ - y is Gaussian
    (_, low, _), (_, _, high) = (mean_interval(x, 0.9999) for x in absolute)
    what = "least risk with one task, most with two, in 99.99 % intervals, v_1 = .9"
    yield inequality(low, high, what=what)


@claims.check("worse-corrected")
def when_it_is_worse() -> Iterator[Verdict]:
    """f(T) - f(1) against the closed form."""
    gap = linear.leading_squared(T_, S_, Q_, V1_, V2_) - linear.leading_squared(1, S_, Q_, V1_, V2_)
    yield exactly(gap, "==", (T_ - 1) * (V2_ * S_ - V1_ * Q_ / T_), what="f(T) - f(1)")


@claims.check("risk")
def trade_off_of_the_risk(added_risks: NDArray[np.float64]) -> Iterator[Verdict]:
    """At v_1 = v_2: what is added on the target, and saved on average."""
    yield grows(added_risks[0, :, 0], "target, added")
    yield grows(-added_risks[0, :, 1], "average, saved")


@claims.check("helps")
def shared_label_gains(added_risks: NDArray[np.float64]) -> Iterator[Verdict]:
    """At v_1 = 0.9: what is saved on the target."""
    yield grows(-added_risks[1, :, 0], "saved")


@claims.check("hidden")
def hidden_by_labels(
    tasks: list[int], s: int, q: int, reps: int, runs: int, seed: int
) -> Iterator[Verdict]:
    """The risk from r clean labels, and the gap at many noisy labels against that at few."""
    exact = [
        probes.target_risks(T, s, q, 0.5, s + q, 0, reps, np.random.default_rng(seed))
        for T in tasks
    ]
    yield inequality(np.concatenate(exact), 1e-6, what="risk at m = r, τ = 0")
    gaps = risks.gap_at((10, 400), tasks[-1], s, q, 1.0, reps, runs, seed)
    yield trend(
        gaps[:, 0] / 5 - np.abs(gaps[:, 1]),
        expected=(0, np.inf),
        rival=0.0,
        what="a fifth of the gap at m = 10, minus the gap at m = 400",
    )
