"""Verdicts made of verdicts: several parts, other data, a proof on the page."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from featurebook.verdicts.verdict import Verdict
from featurebook.verdicts.words import LONGEST, MEANING, Certificate, Outcome, Reason, shortened

GRAVITY: tuple[Outcome, ...] = ("refuted", "inconclusive", "trend", "holds", "vacuous")
"""Of a claim's parts, the first of these that occurs decides."""

_WORDS: dict[Outcome, tuple[str, str]] = {
    "refuted": ("is refuted", "are refuted"),
    "inconclusive": ("is inconclusive", "are inconclusive"),
    "trend": ("is a trend", "are trends"),
    "holds": ("holds", "hold"),
    "vacuous": ("is vacuous", "are vacuous"),
}


def combine(claim: str, parts: Sequence[Verdict], *, titles: Sequence[str] = ()) -> Verdict:
    """One verdict for a claim of several parts.

    The first that occurs of: refuted, inconclusive, trend, holds, vacuous; so one failing part
    refutes the claim, and a part that is empty does not hide one that holds. The sentence is that
    of the deciding part; `Verdict.parts` has them all, the gravest and tightest first, but of
    parts that refute those first that decide without rounding. Their
    numbers are named a_, b_, ... in the order given here.

    Args:
        titles: one per part, where the parts' own (their ``what``) are not enough.
    """
    if not parts:
        raise ValueError(f"{claim}: no parts to combine")
    if titles:
        parts = [replace(p, title=t) for p, t in zip(parts, titles, strict=True)]
    ranked = sorted(parts, key=_rank)
    first = ranked[0]
    return Verdict(
        claim,
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
    """A claim about a named data set: judged on another one it is inconclusive, whatever came out.

    Args:
        source: what the data were, as `images.Images.source` says it.
        named: the data set that the claim names, such as "MNIST".
    """
    if source.startswith(named):
        return verdict
    sentence = f"not judged without {named}; on {source}: {verdict.measured}"
    return replace(
        verdict, outcome="inconclusive", measured=sentence, reason="not judged", detail=named
    )


def undecided(verdict: Verdict, reason: Reason, detail: str = "") -> Verdict:
    """What came out does not decide the claim: inconclusive, for a reason of `MEANING`.

    Args:
        reason: such as "two readings" or "seeds differ".
        detail: what the reason is about, in a few words; it leads the sentence.
    """
    if not reason or reason not in MEANING:
        raise ValueError(f"{reason!r} is no reason")
    sentence = f"{detail}; {verdict.measured}" if detail else verdict.measured
    return replace(verdict, outcome="inconclusive", measured=sentence, reason=reason, detail=detail)


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
