"""Verdicts made of verdicts: several parts, other data, a proof on the page."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from numpy.typing import ArrayLike

from featurebook.verdicts.chance import trend
from featurebook.verdicts.verdict import Verdict
from featurebook.verdicts.words import LONGEST, MIXED, Certificate, Outcome, Reason, shortened

GRAVITY: tuple[Outcome, ...] = (
    "refuted",
    "our text",
    "contrary",
    "two readings",
    "mixed",
    "open",
    "trend",
    "holds",
    "vacuous",
)
"""Of a claim's parts, the first of these that occurs decides."""

_WORDS: dict[Outcome, tuple[str, str]] = {
    "refuted": ("is refuted", "are refuted"),
    "our text": ("is undecided (our text)", "are undecided (our text)"),
    "contrary": ("is contrary", "are contrary"),
    "two readings": ("has two readings", "have two readings"),
    "mixed": ("is mixed", "are mixed"),
    "open": ("is open", "are open"),
    "trend": ("is a trend", "are trends"),
    "holds": ("holds", "hold"),
    "vacuous": ("is vacuous", "are vacuous"),
}

FEWEST = 3
"""Runs without which nothing is contrary."""


def combine(parts: Sequence[Verdict], *, titles: Sequence[str] = ()) -> Verdict:
    """One verdict for a claim of several parts.

    The first of `GRAVITY` that occurs: one failing part refutes the claim, a part that is not
    decided leaves it undecided, and a part that is empty does not hide one that holds. The sentence
    is that of the deciding part; `Verdict.parts` has them all, the gravest and tightest first, but
    of parts that refute those first that decide without rounding. Their numbers begin with ``a_``,
    ``b_``, ... in the order given here.

    Args:
        titles: one per part, where the parts' own (their ``what``) are not enough.
    """
    if not parts:
        raise ValueError("no parts to combine")
    if titles:
        parts = [replace(p, title=t) for p, t in zip(parts, titles, strict=True)]
    ranked = sorted(parts, key=_rank)
    first = ranked[0]
    return Verdict(
        "",
        first.outcome,
        _sentence(ranked),
        {f"{_letter(i)}_{k}": v for i, p in enumerate(parts) for k, v in p.numbers.items()},
        sum(p.samples for p in parts),
        title=first.title if len(parts) == 1 else "",
        parts=tuple(ranked),
        reason=first.reason,
        detail=first.detail,
        margin=first.margin,
        attack=_attacks(parts),
        certificate=_certificate(ranked),
        instance=first.instance,
    )


def only_on(verdict: Verdict, source: str, named: str) -> Verdict:
    """A claim about a named data set: judged on another one it is open, whatever the outcome.

    Args:
        source: what the data were, as `images.Images.source` says it.
        named: the data set that the claim names, such as "MNIST".
    """
    if source.startswith(named):
        return verdict
    sentence = f"not judged without {named}; on {source}: {verdict.measured}"
    return replace(verdict, outcome="open", measured=sentence, reason="not judged", detail=named)


def undecided(
    verdict: Verdict, reason: Reason | Literal["two readings", "our text"], detail: str = ""
) -> Verdict:
    """The outcome does not decide the claim, for a reason in `MEANING`.

    It has two readings, or the fault may be our text's; it is mixed if seeds or machines differ,
    and open for every other reason.

    Args:
        detail: what the reason is about, in a few words; it leads the sentence.
    """
    sentence = f"{detail}; {verdict.measured}" if detail else verdict.measured
    if reason == "two readings" or reason == "our text":
        return replace(verdict, outcome=reason, measured=sentence, reason="", detail=detail)
    if not reason or reason not in get_args(Reason):
        raise ValueError(f"{reason!r} is no reason")
    outcome: Outcome = "mixed" if reason in MIXED else "open"
    return replace(verdict, outcome=outcome, measured=sentence, reason=reason, detail=detail)


def contrary(
    verdict: Verdict,
    detail: str = "",
    *,
    runs: ArrayLike | None = None,
    claimed: tuple[float, float] | None = None,
) -> Verdict:
    """A verdict that is contrary if independent runs show the opposite of what is claimed.

    They do if there are at least `FEWEST`, all lie outside the claimed range, on the same side,
    and between that range and the 95% interval of their mean there is at least half the
    interval's width. Otherwise what is refuted, by sizes that cannot refute, becomes open ("not
    seen"), and every other verdict stays what it is, as do two readings, mixed and our text.

    Args:
        detail: what speaks against the claim, in a few words; it leads the sentence.
        runs: one number per seed; by default those of the verdict, which must be a `trend`.
        claimed: range that the claim allows, ends included; may be infinite.

    Raises:
        ValueError: if the verdict supports the claim and the runs show the opposite.
    """
    if (runs is None) != (claimed is None):
        raise ValueError("give both of runs and claimed, or neither")
    found = verdict
    if runs is not None and claimed is not None:
        found = trend(runs, expected=claimed, what="")
    if not _opposite(found):
        return undecided(verdict, "not seen", detail) if verdict.outcome == "refuted" else verdict
    if verdict.outcome in ("holds", "trend", "vacuous"):
        raise ValueError(f"{verdict.claim}: {verdict.outcome}, but the runs show the opposite")
    if verdict.outcome not in ("open", "refuted"):
        return verdict
    sentence = f"{detail}; {verdict.measured}" if detail else verdict.measured
    return replace(verdict, outcome="contrary", measured=sentence, reason="", detail=detail)


def _opposite(found: Verdict) -> bool:
    """Whether the runs of a `trend` show the opposite of what it claims."""
    names = ("low", "high", "lowest", "highest", "expected_low", "expected_high")
    if missing := [name for name in names if name not in found.numbers]:
        raise ValueError(f"{found.claim}: no trend, it lacks {', '.join(missing)}: give the runs")
    low, high, lowest, highest, lower, upper = (found.numbers[name] for name in names)
    half = (high - low) / 2
    below = highest < lower and lower - high >= half
    above = lowest > upper and low - upper >= half
    return found.samples >= FEWEST and (below or above)


def in_runs(verdict: Verdict, detail: str) -> Verdict:
    """A claim that speaks of more than was run, as of all trajectories: what comes out true in the
    runs does not decide it ("true where run"), nor what does not ("not seen").

    Args:
        detail: what it speaks of beyond the runs, in a few words; it leads the sentence.
    """
    true = verdict.outcome in ("holds", "trend", "vacuous")
    return undecided(verdict, "true where run" if true else "not seen", detail)


def proved(verdict: Verdict, certificate: Certificate = "proved on the page") -> Verdict:
    """A verdict that a proof stands behind, on the page unless said otherwise.

    Raises:
        ValueError: for a verdict that the proof contradicts: what is proved cannot be refuted by
            numbers, unless the proof is one of the counterexample ("proved by ..." a computation).
    """
    if verdict.outcome == "refuted" and certificate == "proved on the page":
        raise ValueError(f"{verdict.claim}: proved on the page, but refuted: {verdict.measured}")
    return replace(verdict, certificate=certificate)


def _rank(part: Verdict) -> tuple[int, bool, float]:
    rounded = part.outcome == "refuted" and not part.certificate
    margin = math.inf if part.margin is None or math.isnan(part.margin) else part.margin
    return GRAVITY.index(part.outcome), rounded, margin


def _sentence(ranked: Sequence[Verdict]) -> str:
    first = ranked[0]
    lead = first.measured
    if first.title and first.title not in lead and len(first.title) + len(lead) < LONGEST - 40:
        lead = f"{lead}: {first.title}"
    if len(ranked) == 1:
        return lead
    counts = {o: sum(p.outcome == o for p in ranked) for o in GRAVITY}
    words = [f"{n} {_WORDS[o][n > 1]}" for o, n in counts.items() if n]
    many = "both" if len(ranked) == 2 else f"all {len(ranked)}"
    tally = f"{many} parts {_WORDS[first.outcome][1]}"
    if len(words) > 1:
        tally = f"of {len(ranked)} parts {', '.join(words)}"
    return f"{shortened(lead, LONGEST - len(tally) - 2)}; {tally}"


def _attacks(parts: Sequence[Verdict]) -> dict[str, Any]:
    """The attacks of the parts as one: sums, and the tightest of them."""
    found: list[Mapping[str, Any]] = [p.attack for p in parts if p.attack]
    if not found:
        return {}
    tightest = max(found, key=lambda a: _key(a.get("ratio")))
    total = {k: sum(a.get(k, 0) for a in found) for k in ("starts", "evaluations")}
    of = {} if len(found) == len(parts) else {"parts": f"{len(found)} of {len(parts)}"}
    return {**tightest, **total, **of}


def _key(ratio: float | None) -> float:
    return -math.inf if ratio is None else math.inf if math.isnan(ratio) else ratio


def _certificate(ranked: Sequence[Verdict]) -> Certificate:
    """A refutation has that of a refuting part; anything else one that all parts have."""
    refuting = [p.certificate for p in ranked if p.outcome == "refuted"]
    if refuting:
        return next((c for c in refuting if c), "")
    kinds = {p.certificate for p in ranked}
    if "" in kinds:
        return ""
    weakest = ("proved on the page", "proved by ball arithmetic", "proved by computer algebra")
    return next((c for c in weakest if c in kinds), "proved by exact arithmetic")


def _letter(i: int) -> str:
    return chr(97 + i) if i < 26 else f"{chr(96 + i // 26)}{chr(97 + i % 26)}"
