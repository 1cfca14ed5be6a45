"""Checks by statistics: counts against probabilities, means, trends over independent runs."""

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from featurebook.verdicts.checks import nothing, real, room
from featurebook.verdicts.verdict import Verdict
from featurebook.verdicts.words import (
    Outcome,
    Reason,
    allowed,
    estimate,
    interval,
    percent,
    places,
    said,
    shown,
)

Rivals = float | Sequence[float] | Mapping[str, float]


def clopper_pearson(successes: int, trials: int, confidence: float = 0.99) -> tuple[float, float]:
    """The exact two-sided confidence interval of a binomial probability."""
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} successes in {trials} trials: need 0 <= successes <= trials")
    interval = stats.binomtest(successes, trials).proportion_ci(confidence, method="exact")
    return float(interval.low), float(interval.high)


def probability(
    successes: int,
    trials: int,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    confidence: float = 0.99,
    what: str = "the event",
) -> Verdict:
    """A claimed bound on a probability against a count, by the exact binomial interval.

    Holds (refuted) if the whole interval lies on the right (wrong) side of the bound, open
    if it straddles it; vacuous if the claimed bound is at most 0 or at least 1.

    Args:
        at_least, at_most: the claimed bound; exactly one of the two.
    """
    if (at_least is None) == (at_most is None):
        raise ValueError("give exactly one of at_least and at_most")
    bound = float(at_least if at_least is not None else at_most)  # type: ignore[arg-type]
    if math.isnan(bound):
        raise ValueError("the claimed bound is no number")
    successes, trials = operator.index(successes), operator.index(trials)
    if trials == 0:
        return nothing(what, {"claimed": bound})
    low, high = clopper_pearson(successes, trials, confidence)
    if at_least is not None:
        empty, right, wrong, sign = bound <= 0, low >= bound, high < bound, "≥"
        margin = room(bound, low)
    else:
        empty, right, wrong, sign = bound >= 1, high <= bound, low > bound, "≤"
        margin = room(high, bound)
    outcome: Outcome = "holds" if right else "refuted" if wrong else "open"
    if empty:
        outcome = "vacuous"
    return Verdict(
        "",
        outcome,
        said(
            f"{successes:,} of {trials:,}, probability in {interval(low, high)} "
            f"({percent(confidence)} exact), claimed {sign} {shown(bound)}",
            what,
        ),
        {"successes": successes, "low": low, "high": high, "claimed": bound},
        trials,
        title=what,
        reason="straddles" if outcome == "open" else "",
        margin=margin,
    )


def mean_interval(
    values: ArrayLike,
    confidence: float = 0.95,
    *,
    next_value: bool = False,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[float, float, float]:
    """Mean and Student-t interval of independent values, ``(mean, low, high)``.

    With ``next_value`` the interval is for one more value of the same kind (a prediction interval),
    which is what a single printed run should be compared with.

    Args:
        within: what the values can be, such as (0, 1) for an accuracy; the interval stays inside.
    """
    x = real(values).ravel()
    mean = float(x.mean()) if x.size else math.nan
    if x.size < 2:
        return mean, within[0], within[1]
    with np.errstate(invalid="ignore"):
        deviation = float(x.std(ddof=1))
    spread = deviation * math.sqrt(1 / x.size + (1.0 if next_value else 0.0))
    half = float(stats.t.ppf((1 + confidence) / 2, x.size - 1)) * spread
    # comparisons with NaN are false, so that NaN stays
    low, high = mean - half, mean + half
    return mean, within[0] if low < within[0] else low, within[1] if high > within[1] else high


def trend(
    estimates: ArrayLike,
    *,
    expected: tuple[float, float],
    rival: Rivals | None = None,
    within: tuple[float, float] = (-math.inf, math.inf),
    confidence: float = 0.95,
    what: str,
) -> Verdict:
    """A statement about a limit: independent estimates of a slope, an exponent, a difference.

    A trend if the mean of the estimates lies in the expected range and their interval excludes
    every rival; where the range is one number, if the interval contains it and excludes the rivals.
    Open otherwise, since a finite size cannot refute a statement about a limit: "straddles"
    if the mean lies outside of the range but the interval reaches into it (or, without a rival, the
    mean inside and the interval out of it); "not seen" if the interval lies outside, or does not
    exclude a rival; "too few" runs.

    The rival is the next simplest law: what a reader would believe if the claim were false, such as
    exponent 0 (no growth) against 1/2, or 1 against 3/2. A range that a statement ten times weaker
    would pass is no test. Without a rival, a range stands against its own ends, and the whole
    interval must lie inside; one number e stands against the nearest multiples of 1/2.

    Args:
        estimates: one per seed, at least two. Cells that share a seed are not independent.
        expected: range the claim allows, ends included; may be infinite.
        rival: a number, several, or name: number.
        within: what the estimates can be, such as (0, 1) for accuracies.
    """
    x = real(estimates).ravel()
    mean, low, high = mean_interval(x, confidence, within=within)
    lower, upper = (float(e) for e in expected)
    if not lower <= upper:
        raise ValueError(f"expected = [{lower:g}, {upper:g}] is no range")
    rivals = _rivals(rival, lower, upper)
    near = [r for r in rivals if not (r[1] < low or r[1] > high)]
    reason = "too few" if x.size < 2 else _reason(
        (mean, low, high), (lower, upper), rival is not None or lower == upper, bool(near)
    )  # fmt: skip
    margin = min(
        (1 - (high - low) / 2 / abs(r[1] - mean) if r[1] != mean else -math.inf for r in rivals),
        default=None,
    )
    return Verdict(
        "",
        "open" if reason else "trend",
        said(
            f"{_came_out(x, mean, low, high, confidence)}; claimed {allowed(lower, upper)}"
            + (_beside(low, high, lower, upper) or _told_apart(near, rivals)),
            what,
        ),
        {"mean": mean, "low": low, "high": high, "expected_low": lower, "expected_high": upper}
        | {"lowest": float(x.min(initial=math.inf)), "highest": float(x.max(initial=-math.inf))}
        | {"rival" if i == 0 else f"rival_{i + 1}": r[1] for i, r in enumerate(rivals)},
        x.size,
        title=what,
        reason=reason,
        detail=_names(near) if reason == "not seen" else "",
        margin=margin if x.size > 1 else None,
    )


def _came_out(
    x: NDArray[np.float64], mean: float, low: float, high: float, confidence: float
) -> str:
    if low == high:
        return f"{estimate(mean, low, high)} in {places(x.size, 'run')}"
    return (
        f"{estimate(mean, low, high)}, {percent(confidence)} interval {interval(low, high, 4)} "
        f"over {x.size} run{'s' if x.size != 1 else ''}"
    )


def _reason(
    interval: tuple[float, float, float], claimed: tuple[float, float], rivals: bool, near: bool
) -> Reason:
    mean, low, high = interval
    lower, upper = claimed
    if not (low <= upper and high >= lower):  # disjoint, or no number
        return "not seen"
    if not rivals:
        return "" if lower <= low and high <= upper else "straddles"
    if lower < upper and not lower <= mean <= upper:
        return "straddles"
    return "not seen" if near else ""


def _rivals(rival: Rivals | None, lower: float, upper: float) -> list[tuple[str, float]]:
    if rival is None:
        if lower < upper:
            return []
        return [("", math.ceil(2 * lower - 1) / 2), ("", math.floor(2 * lower + 1) / 2)]
    if isinstance(rival, Mapping):
        return [(name, float(value)) for name, value in rival.items()]
    return [("", float(value)) for value in np.atleast_1d(np.asarray(rival, dtype=float))]


def _beside(low: float, high: float, lower: float, upper: float) -> str:
    """Where an interval lies that has nothing of the claimed range."""
    if high < lower or low > upper:
        place = "below" if high < lower else "above"
        return f"; {'all lie' if low == high else 'the interval lies'} {place} that"
    return ""


def _told_apart(near: Sequence[tuple[str, float]], rivals: Sequence[tuple[str, float]]) -> str:
    if near:
        return f", indistinguishable from {_names(near)}"
    return f", excludes {_names(rivals)}" if rivals else ""


def _names(rivals: Sequence[tuple[str, float]]) -> str:
    known = [(name, shown(value)) for name, value in rivals]
    return " and ".join(f"{n} ({v})" if n and not n.endswith(v) else n or v for n, v in known)


def exponents(x: ArrayLike, y: Any) -> NDArray[np.float64]:
    """Least-squares slopes of log y against log x, one per row of ``y`` (runs, len(x)); y > 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        u, v = np.log(real(x)), np.log(np.atleast_2d(real(y)))
        u = u - u.mean()
        return (v @ u) / (u @ u)


def exponent(
    x: ArrayLike,
    y: Any,
    *,
    expected: tuple[float, float],
    rival: Rivals | None = None,
    what: str,
) -> Verdict:
    """A power law y ~ x^a: the fitted exponents of several runs (the rows of y) as a `trend`."""
    return trend(exponents(x, y), expected=expected, rival=rival, what=what)
