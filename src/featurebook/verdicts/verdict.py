"""The result of a check, as data, as text and as a badge."""

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import torch

from featurebook.verdicts.words import (
    COLOURS,
    MARKS,
    MIME,
    Certificate,
    Outcome,
    Reason,
    in_print,
    slug,
)
from featurebook.verdicts.words import mathematical as _mathematical
from featurebook.verdicts.words import shortened as _shortened
from featurebook.verdicts.words import shown as _shown

LONGEST_INSTANCE = 80
"""Characters of an attack's worst instance, where it is shown."""


@dataclass(frozen=True)
class Verdict:
    """The result of a check.

    Attributes:
        claim: the claim's id in ``book/claims/``, which is also the label of its directive.
        outcome: one of `OUTCOMES`; `MEANING` says what each means.
        measured: one sentence of at most 200 characters (cut if longer), the deciding number first.
        numbers: the same numbers by name.
        samples: how many instances, draws or runs the outcome rests on.
        cells: for a table, one record per cell: label, paper, ours, low, high, agrees.
        title: what was checked, in words, whole; it names a part among others.
        parts: the verdicts of a claim of several parts, the gravest and tightest first.
        reason: why it is open or mixed; a key of `MEANING`.
        detail: what the reason is about: the data set that lacks, the law that was not excluded.
        margin: how far the tightest instance is from failing, relative to the larger side: 0 on
            the border, negative where it fails, 1 where there is all the room; None if unknown.
        attack: how it was attacked: method, starts, evaluations, ratio (the tightest reached),
            worst (the instance, in words); empty if it was not.
        certificate: what proves it; a key of `MEANING`.
        instance: the instance that decides, as data.
        source: the check as it is written, if it is one of `verdicts.claims`.
        recorded: what recorded runs at other scales found, a line each.
    """

    claim: str
    outcome: Outcome
    measured: str
    numbers: Mapping[str, float]
    samples: int
    cells: Sequence[Mapping[str, Any]] = field(default=())
    title: str = ""
    parts: Sequence["Verdict"] = field(default=())
    reason: Reason = ""
    detail: str = ""
    margin: float | None = None
    attack: Mapping[str, Any] = field(default_factory=dict)
    certificate: Certificate = ""
    instance: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    recorded: Sequence[str] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "measured", _shortened(_mathematical(self.measured)))
        object.__setattr__(self, "title", _mathematical(self.title))

    def __str__(self) -> str:
        return f"{MARKS[self.outcome]} {in_print(self.outcome)}  [{self.claim}]  {self.measured}"

    def as_dict(self) -> dict[str, Any]:
        """JSON-able; what JSON lacks (infinities, NaN, fractions, formulas) becomes strings."""
        return jsonable(asdict(self))

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return {"text/html": badge(self.as_dict()), "text/plain": str(self), MIME: self.as_dict()}


def badge(verdict: Mapping[str, Any], found: str = "") -> str:
    """A verdict as HTML: its outcome and one sentence; what stands behind them opens below.

    Args:
        verdict: as `Verdict.as_dict` has it.
        found: what was found, as HTML, in the words of whoever wrote the claim; without it the
            verdict's own sentence stands there.
    """
    outcome, claim = verdict["outcome"], html.escape(verdict["claim"])
    measured = html.escape(verdict["measured"])
    behind = _behind(verdict)
    if found:
        behind.insert(0, f'<div class="verdict-numbers">{measured}</div>')
    more = f'<details class="verdict-more"><summary>{_summary(verdict)}</summary>{{}}</details>'
    return (
        f'<div id="verdict-{claim}" class="verdict verdict-{slug(outcome)}" '
        f'style="border-left:4px solid {COLOURS[outcome]};padding:.3em .8em">{mark(verdict)} '
        f'<span class="verdict-measured">{found or measured}</span> '
        f'<code class="verdict-claim">{claim}</code>'
        + (more.format("".join(behind)) if behind else "")
        + "</div>"
    )


def mark(verdict: Mapping[str, Any]) -> str:
    """The outcome as HTML: a mark and a word in its colour, and why where that is not plain."""
    outcome = verdict["outcome"]
    why = html.escape(f" ({verdict['reason']})" if verdict["reason"] else "")
    return (
        f'<strong class="verdict-outcome" style="color:{COLOURS[outcome]}">'
        f"{MARKS[outcome]} {in_print(outcome)}{why}</strong>"
    )


def _summary(verdict: Mapping[str, Any]) -> str:
    return "numbers and check" if verdict["source"] else "numbers"


def _behind(verdict: Mapping[str, Any]) -> list[str]:
    """What a verdict rests on, as HTML: parts, attack, certificate, other runs, and the check."""
    lines = []
    if len(verdict["parts"]) > 1:
        items = "\n".join(f"<li>{html.escape(part_line(p))}</li>" for p in verdict["parts"])
        lines.append(f'<ul class="verdict-parts">{items}</ul>')
    if attack := verdict["attack"]:
        said = html.escape(attack_line(attack, verdict["measured"]))
        lines.append(f'<div class="verdict-attack">{said}</div>')
    if certificate := verdict["certificate"]:
        lines.append(f'<div class="verdict-certificate">{html.escape(certificate)}</div>')
    lines += [
        f'<div class="verdict-recorded">{html.escape(line)}</div>' for line in verdict["recorded"]
    ]
    if source := verdict["source"]:
        command = f"featurebook check {html.escape(verdict['claim'])}"
        lines.append(
            f'<div class="verdict-source"><p><code>{command}</code></p>'
            f"<pre>{html.escape(source)}</pre></div>"
        )
    return lines


def part_line(part: Mapping[str, Any]) -> str:
    """One part of a claim in a line: mark, outcome, finding."""
    title, outcome = part["title"], part["outcome"]
    title = f"{title}: " if title and title not in part["measured"] else ""
    return f"{MARKS[outcome]} {in_print(outcome)}: {title}{part['measured']}"


def attack_line(attack: Mapping[str, Any], measured: str = "") -> str:
    """How hard a claim was attacked, in a line, and the worst instance found.

    Args:
        measured: the verdict's sentence; an instance that it names is not said again, nor is one
            that is large.
    """
    known = [
        f"{attack[name]:,} {name}" for name in ("starts", "evaluations") if attack.get(name)
    ]  # fmt: skip
    if (ratio := attack.get("ratio")) is not None:
        known.append(f"tightest ratio {_shown(ratio, 4)}")
    of = f" ({attack['parts']} parts)" if "parts" in attack else ""
    worst = _mathematical(str(attack.get("worst", "")))
    large = len(worst) > LONGEST_INSTANCE or "numbers of norm" in worst
    at = f"; the tightest is {worst}" if worst and not large and worst not in measured else ""
    return f"attacked{of}: {', '.join(known)}{at}"


def relabelled(verdict: Verdict, claim: str) -> Verdict:
    """The same verdict on another claim's id."""
    return replace(verdict, claim=claim)


def jsonable(x: Any) -> Any:
    """What JSON can hold: arrays become lists; what it lacks becomes text."""
    if isinstance(x, Mapping):
        return {str(k): jsonable(v) for k, v in x.items()}
    if isinstance(x, list | tuple):
        return [jsonable(v) for v in x]
    if isinstance(x, torch.Tensor):
        return jsonable(x.detach().cpu().tolist())
    if isinstance(x, np.ndarray):
        return jsonable(x.tolist())
    if isinstance(x, np.generic):
        return jsonable(x.item())
    if isinstance(x, float):
        return x if math.isfinite(x) else str(x)
    return x if x is None or isinstance(x, str | bool | int) else str(x)
