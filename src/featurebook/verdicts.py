"""Check a claim and say what came out.

Each check returns a `Verdict`: one of five outcomes, a sentence that says what was measured, and
the numbers. As the last expression of a notebook cell it shows as a badge and leaves its numbers in
the notebook as structured data. No check is told what to expect: that is written in
``book/claims/`` and compared when the book is bound.
"""

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Outcome = Literal["holds", "refuted", "vacuous", "trend", "inconclusive"]
OUTCOMES: tuple[Outcome, ...] = ("holds", "refuted", "vacuous", "trend", "inconclusive")
COLOURS: dict[Outcome, str] = {
    "holds": "#117a52",
    "refuted": "#c0392b",
    "vacuous": "#6b7280",
    "trend": "#1f6fb2",
    "inconclusive": "#a86400",
}
MARKS: dict[Outcome, str] = {
    "holds": "✓",
    "refuted": "✗",
    "vacuous": "∅",
    "trend": "↗",
    "inconclusive": "?",
}
MIME = "application/vnd.featurebook.verdict+json"


@dataclass(frozen=True)
class Verdict:
    """What came out of a check.

    Attributes:
        claim: the claim's id in ``book/claims/``, which is also the label of its directive.
        outcome: one of `OUTCOMES`.
        measured: one sentence, with numbers.
        numbers: the same numbers by name.
        samples: how many instances, draws or runs the outcome rests on.
        cells: for a table, one record a cell: label, paper, ours, low, high, agrees.
    """

    claim: str
    outcome: Outcome
    measured: str
    numbers: Mapping[str, float]
    samples: int
    cells: Sequence[Mapping[str, Any]] = field(default=())

    def __str__(self) -> str:
        return f"{MARKS[self.outcome]} {self.outcome}  [{self.claim}]  {self.measured}"

    def as_dict(self) -> dict[str, Any]:
        """JSON-able; numbers that JSON lacks (infinities, NaN) become strings."""
        return _jsonable(asdict(self))

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        colour = COLOURS[self.outcome]
        badge = (
            f'<div id="verdict-{html.escape(self.claim)}" class="verdict verdict-{self.outcome}" '
            f'style="border-left:4px solid {colour};padding:.3em .8em">'
            f'<strong class="verdict-outcome" style="color:{colour}">'
            f"{MARKS[self.outcome]} {self.outcome}</strong> "
            f'<span class="verdict-measured">{html.escape(self.measured)}</span> '
            f'<code class="verdict-claim">{html.escape(self.claim)}</code></div>'
        )
        return {"text/html": badge, "text/plain": str(self), MIME: self.as_dict()}


def identity(claim: str, left: Any, right: Any, *, tolerance: float, what: str = "") -> Verdict:
    """Two sides that should be equal everywhere; refuted if they differ by more than rounding.

    The difference is measured relative to the largest entry of the right side (or absolutely
    where that is below 1e-300). Inconclusive if there is nothing to compare.

    Args:
        left, right: tensors or arrays that broadcast against each other.
        tolerance: largest relative difference that counts as rounding; fix it from the dtype
            before looking.
        what: names the two sides in the sentence.
    """
    a, b = np.broadcast_arrays(_array(left), _array(right))
    scale = float(np.abs(b).max(initial=0.0))
    gap = float(np.abs(a - b).max(initial=0.0)) / (scale if scale > 1e-300 else 1.0)
    sides = f"{what}: " if what else ""
    return Verdict(
        claim,
        "inconclusive" if a.size == 0 else "holds" if gap <= tolerance else "refuted",
        f"{sides}largest relative difference {gap:.2g} over {a.size:,} numbers "
        f"(rounding: {tolerance:.0e})",
        {"largest_difference": gap, "tolerance": tolerance},
        a.size,
    )


def inequality(
    claim: str,
    smaller: Any,
    larger: Any,
    *,
    informative: Any = True,
    slack: float = 0.0,
    what: str = "",
) -> Verdict:
    """An inequality ``smaller <= larger`` wherever it was tried.

    Refuted if it fails anywhere by more than ``slack`` (or a side is NaN); vacuous if it holds but
    is informative nowhere; inconclusive if it was tried nowhere.

    Args:
        informative: where the bound says something (a probability bound below 1, say).
        slack: rounding allowed, absolute; fix it from the dtype before looking.
    """
    a, b, says = np.broadcast_arrays(_array(smaller), _array(larger), _array(informative))
    if a.size == 0:
        return Verdict(claim, "inconclusive", f"{what}: tried nowhere".lstrip(": "), {}, 0)
    with np.errstate(invalid="ignore"):
        margin = np.where(a == b, 0.0, np.subtract(b, a, dtype=float))  # infinity equals itself
    worst = int(np.argmin(margin))
    fails = int((~(margin >= -slack)).sum())  # what is no number fails
    says = says.astype(bool)
    outcome: Outcome = "refuted" if fails else "holds" if says.any() else "vacuous"
    at = f"{a.flat[worst]:.4g} against {b.flat[worst]:.4g}"
    start = f"{what}: " if what else ""
    sentence = (
        f"{start}fails in {fails:,} of {a.size:,} places, worst {at}"
        if fails
        else f"{start}holds in all {a.size:,} places, tightest {at}"
    )
    if outcome == "vacuous":
        sentence += "; the bound is empty in every one of them"
    numbers = {
        "fails": fails,
        "smaller_at_worst": float(a.flat[worst]),
        "larger_at_worst": float(b.flat[worst]),
        "informative_places": int(says.sum()),
    }
    return Verdict(claim, outcome, sentence, numbers, a.size)


def everywhere(claim: str, satisfied: Any, *, what: str) -> Verdict:
    """A property that should be true of every instance tried; one failure refutes it."""
    ok = _array(satisfied).astype(bool)
    if ok.size == 0:
        return Verdict(claim, "inconclusive", f"{what}: no instance occurred", {"true": 0}, 0)
    true = int(ok.sum())
    return Verdict(
        claim,
        "holds" if true == ok.size else "refuted",
        f"{what}: true in {true:,} of {ok.size:,} instances",
        {"true": true, "share": true / ok.size},
        ok.size,
    )


def clopper_pearson(successes: int, trials: int, confidence: float = 0.99) -> tuple[float, float]:
    """The exact two-sided confidence interval of a binomial probability."""
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} successes in {trials} trials: need 0 <= successes <= trials")
    interval = stats.binomtest(successes, trials).proportion_ci(confidence, method="exact")
    return float(interval.low), float(interval.high)


def probability(
    claim: str,
    successes: int,
    trials: int,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    confidence: float = 0.99,
    what: str = "the event",
) -> Verdict:
    """A claimed bound on a probability against a count, by the exact binomial interval.

    Holds (refuted) if the whole interval lies on the right (wrong) side of the bound, inconclusive
    if it straddles it; vacuous if the claimed bound is at most 0 or at least 1.

    Args:
        at_least, at_most: the claimed bound; exactly one of the two.
    """
    if (at_least is None) == (at_most is None):
        raise ValueError("give exactly one of at_least and at_most")
    low, high = clopper_pearson(successes, trials, confidence)
    bound = float(at_least if at_least is not None else at_most)  # type: ignore[arg-type]
    if at_least is not None:
        empty, right, wrong, sign = bound <= 0, low >= bound, high < bound, ">="
    else:
        empty, right, wrong, sign = bound >= 1, high <= bound, low > bound, "<="
    outcome: Outcome = "holds" if right else "refuted" if wrong else "inconclusive"
    if empty:
        outcome = "vacuous"
    return Verdict(
        claim,
        outcome,
        f"{what}: {successes:,} of {trials:,}, probability in [{low:.4g}, {high:.4g}] "
        f"({confidence:.0%} exact); claimed {sign} {bound:.4g}",
        {"successes": successes, "low": low, "high": high, "claimed": bound},
        trials,
    )


def mean_interval(
    values: ArrayLike, confidence: float = 0.95, *, next_value: bool = False
) -> tuple[float, float, float]:
    """Mean and Student-t interval of independent values, ``(mean, low, high)``.

    With ``next_value`` the interval is for one more value of the same kind (a prediction interval),
    which is what a single printed run should be compared with.
    """
    x = _array(values).astype(float).ravel()
    mean = float(x.mean())
    if x.size < 2:
        return mean, -math.inf, math.inf
    spread = float(x.std(ddof=1)) * math.sqrt(1 / x.size + (1.0 if next_value else 0.0))
    half = float(stats.t.ppf((1 + confidence) / 2, x.size - 1)) * spread
    return mean, mean - half, mean + half


def trend(
    claim: str,
    estimates: ArrayLike,
    *,
    expected: tuple[float, float],
    confidence: float = 0.95,
    what: str,
) -> Verdict:
    """An asymptotic statement: independent estimates of a slope or exponent.

    A trend if the interval of their mean overlaps the expected range; inconclusive if it does not,
    since a finite size cannot refute a statement about the limit.

    Args:
        estimates: one a seed, at least two.
        expected: range the claim allows, ends included; may be infinite.
    """
    x = _array(estimates).astype(float).ravel()
    mean, low, high = mean_interval(x, confidence)
    agrees = x.size >= 2 and low <= expected[1] and high >= expected[0]
    lower, upper = (f"{e:.4g}" for e in expected)
    claimed = lower if lower == upper else f"[{lower}, {upper}]"
    return Verdict(
        claim,
        "trend" if agrees else "inconclusive",
        f"{what}: {mean:.4g}, {confidence:.0%} interval [{low:.4g}, {high:.4g}] "
        f"over {x.size} runs; expected {claimed}",
        {"mean": mean, "low": low, "high": high, "expected_low": expected[0],
         "expected_high": expected[1]},
        x.size,
    )  # fmt: skip


def exponents(x: ArrayLike, y: Any) -> NDArray[np.float64]:
    """Least-squares slopes of log y against log x, one a row of ``y`` (runs, len(x)); y > 0."""
    u, v = np.log(_array(x).astype(float)), np.log(np.atleast_2d(_array(y)).astype(float))
    u = u - u.mean()
    return (v @ u) / (u @ u)


def exponent(
    claim: str, x: ArrayLike, y: Any, *, expected: tuple[float, float], what: str
) -> Verdict:
    """A power law y ~ x^a: the fitted exponents of several runs as a `trend`."""
    return trend(claim, exponents(x, y), expected=expected, what=what)


def reproduction(claim: str, cells: pd.DataFrame) -> Verdict:
    """Numbers of a paper against ours.

    Holds if every printed number lies in our interval, inconclusive otherwise: where a paper leaves
    hyper-parameters unsaid, another number does not refute it. Says how many agree and by how much
    the rest are off.

    Args:
        cells: columns label, paper, ours, low, high; one row a number.
    """
    need = ["label", "paper", "ours", "low", "high"]
    if missing := [c for c in need if c not in cells]:
        raise ValueError(f"cells lacks the columns {missing}; it needs {need}")
    table = cells[need].copy()
    table["agrees"] = (table.low <= table.paper) & (table.paper <= table.high)
    off = ((table.ours - table.paper) / table.paper).abs()
    agreeing, total = int(table.agrees.sum()), len(table)
    return Verdict(
        claim,
        "holds" if total and agreeing == total else "inconclusive",
        f"{agreeing} of {total} printed numbers lie in our interval; "
        f"median relative difference {off.median():.0%}, largest {off.max():.0%}",
        {"agreeing": agreeing, "median_difference": float(off.median()),
         "largest_difference": float(off.max())},
        total,
        [{str(k): v for k, v in row.items()} for row in table.to_dict("records")],
    )  # fmt: skip


def only_on(verdict: Verdict, source: str, named: str) -> Verdict:
    """A claim about a named data set: judged on another one it is inconclusive, whatever came out.

    Args:
        source: what the data were, as `images.Images.source` says it.
        named: the data set that the claim names, such as "MNIST".
    """
    if source.startswith(named):
        return verdict
    sentence = f"not judged without {named}; on {source}: {verdict.measured}"
    return replace(verdict, outcome="inconclusive", measured=sentence)


def combine(claim: str, parts: Sequence[Verdict]) -> Verdict:
    """One verdict for a claim of several parts.

    The first that occurs of: refuted, inconclusive, trend, holds, vacuous; so one failing part
    refutes the claim, and a part that is empty does not hide one that holds.
    """
    if not parts:
        raise ValueError(f"{claim}: no parts to combine")
    order: tuple[Outcome, ...] = ("refuted", "inconclusive", "trend", "holds", "vacuous")
    outcome = next(o for o in order if any(p.outcome == o for p in parts))
    sentence = "; ".join(f"({chr(97 + i)}) {p.outcome}: {p.measured}" for i, p in enumerate(parts))
    numbers = {f"{chr(97 + i)}_{k}": v for i, p in enumerate(parts) for k, v in p.numbers.items()}
    return Verdict(claim, outcome, sentence, numbers, sum(p.samples for p in parts))


def _array(x: Any) -> NDArray[Any]:
    return x.detach().cpu().numpy() if isinstance(x, torch.Tensor) else np.asarray(x)


def _jsonable(x: Any) -> Any:
    if isinstance(x, Mapping):
        return {str(k): _jsonable(v) for k, v in x.items()}
    if isinstance(x, list | tuple):
        return [_jsonable(v) for v in x]
    if isinstance(x, np.generic):
        return _jsonable(x.item())
    if isinstance(x, float) and not math.isfinite(x):
        return str(x)
    return x
