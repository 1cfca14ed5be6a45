"""A printed table against ours: what it says, and how far its numbers are apart.

Beside the package's other modules, so that a change here outdates the checks of tables alone.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from featurebook.verdicts.checks import array, nothing
from featurebook.verdicts.combining import combine, undecided
from featurebook.verdicts.verdict import Verdict
from featurebook.verdicts.words import said, shown

NAMED = 3
"""Deviating cells that a verdict's sentence names; `Verdict.cells` has all."""


def against_print(
    paper: Mapping[str, float | str],
    ours: Mapping[str, ArrayLike],
    *,
    spread: float | Mapping[str, float] | None = None,
    unit: float | Mapping[str, float] | None = None,
    messages: Mapping[str, bool | Verdict] | None = None,
    causes: Mapping[str, str] | None = None,
    what: str = "",
) -> Verdict:
    """A printed table against ours: its message first, then how far its numbers are apart.

        yield against_print(
            {"network": "100.0", "NTK": "85.3"},              # as printed
            {"network": [99.9, 100.0], "NTK": [84.6, 85.1]},  # one value per seed
            messages={
                "the network is the best": net > ntk,
                "by ten points": inequality(ntk + 10, net),
            },
            causes={"NTK": "a step size of 10⁻⁴ instead of 10⁻³ gives 85.2"},
            what="Table 2",
        )

    The tolerance of a number is fixed by a rule: twice the spread that the paper prints beside it,
    else twice our standard deviation between seeds plus half a unit of its last digit. Holds if
    every message does and every number lies within its tolerance of our mean. A message that is not
    true is "not seen", since sizes and seeds of a run refute no table; of the numbers, those that
    deviate are "unlike print". With one seed and no printed spread there is no tolerance, and the
    numbers decide nothing.

    Args:
        paper: the printed numbers by label; as words, their digits tell the unit.
        ours: our values by the same labels, a number or one per seed, in printed units.
        spread: what the paper prints behind ±: by label, or one for all.
        unit: of the last printed digit: by label, or one for all; by default the finest of the
            printed numbers.
        messages: what a reader takes from it, order and gaps: true or false, or a comparison.
        causes: for labels that deviate, what was changed and made them agree: tested, not guessed.

    Raises:
        KeyError: for a printed number that we have no values for, or a cause of no printed number.
    """
    causes = causes or {}
    if lacking := [label for label in paper if label not in ours]:
        raise KeyError(f"no values of ours for {lacking}")
    if unknown := [label for label in causes if label not in paper]:
        raise KeyError(f"a cause for {unknown}, which the table does not print")
    cells = [
        _cell(label, printed, array(ours[label]), _of(spread, label), _unit(unit, paper, label))
        | {"cause": causes.get(label, "")}
        for label, printed in paper.items()
    ]
    if not cells:
        return nothing(what)
    numbers = _numbers(cells, what)
    said_true = [_message(text, found) for text, found in (messages or {}).items()]
    if not said_true:
        return numbers
    true = sum(m.outcome in ("holds", "trend") for m in said_true)
    whole = combine([*said_true, numbers])
    false = "".join(f"; not seen: {m.title}" for m in said_true if m.reason == "not seen")
    head = f"{true} of {len(said_true)} messages hold{false}"
    if len(said_true) == 1:
        head = "the message holds" if true else f"the message fails{false}"
    return replace(
        whole,
        measured=f"{head}; {numbers.measured}",
        numbers={"messages": len(said_true), "true_messages": true, **numbers.numbers},
        samples=numbers.samples,
        cells=numbers.cells,
        title=what,
    )


def _of(given: float | Mapping[str, float] | None, label: str) -> float | None:
    return given.get(label) if isinstance(given, Mapping) else given


def _unit(given: float | Mapping[str, float] | None, paper: Mapping[str, float | str],
          label: str) -> float:  # fmt: skip
    """Of the last digit of a printed number: its own if it is given in words, else the finest."""
    if (unit := _of(given, label)) is not None:
        return unit
    own = [paper[label]] if isinstance(paper[label], str) else list(paper.values())
    digits = [Decimal(x) if isinstance(x, str) else Decimal(str(x)).normalize() for x in own]
    return float(10.0 ** min(int(x.as_tuple().exponent) for x in digits))


def _cell(label: str, printed: float | str, ours: np.ndarray, spread: float | None,
          unit: float) -> dict[str, Any]:  # fmt: skip
    """One number: paper, our mean, and the band around it that the tolerance gives."""
    values = np.atleast_1d(np.asarray(ours, float))
    between = float(values.std(ddof=1)) if len(values) > 1 else math.nan
    tolerance = 2 * spread if spread is not None else 2 * between + unit / 2
    mean, paper = float(values.mean()), float(printed)
    return {"label": label, "paper": paper, "ours": mean, "low": mean - tolerance,
            "high": mean + tolerance, "agrees": abs(mean - paper) <= tolerance * (1 + 1e-9),
            "tolerance": tolerance}  # fmt: skip


def _message(text: str, found: bool | Verdict) -> Verdict:
    """A message as a verdict: what is not true was not seen."""
    if not isinstance(found, Verdict):
        verdict = Verdict("", "holds" if found else "open", "", {"true": float(bool(found))}, 1)
        found = verdict if found else undecided(verdict, "not seen")
    elif found.outcome in ("refuted", "contrary"):
        found = undecided(found, "not seen")
    return replace(found, title=text)


def _numbers(cells: Sequence[Mapping[str, Any]], what: str) -> Verdict:
    """How far the numbers of a table are apart, in printed units, and which of them deviate."""
    off = {c["label"]: abs(c["ours"] - c["paper"]) for c in cells}
    far = max(off, key=lambda label: off[label])
    known = [c for c in cells if not math.isnan(c["tolerance"])]
    odd = sorted((c for c in known if not c["agrees"]), key=lambda c: -off[c["label"]])
    within, total = len(known) - len(odd), len(cells)
    median = statistics.median(off.values())
    finding = f"median difference {shown(median, 2)}, largest {shown(off[far], 2)} ({far}); "
    finding += f"{within} of {total} within tolerance" if known else "one seed gives no tolerance"
    if explained := sum(bool(c["cause"]) for c in odd):
        finding += f", {explained} explained"
    names = [str(c["label"]) for c in odd]
    return Verdict(
        "",
        "holds" if within == total else "open",
        said(finding, what),
        {
            "agreeing": within,
            "median_difference": median,
            "largest_difference": off[far],
            "median_tolerance": statistics.median(c["tolerance"] for c in cells),
        },
        total,
        cells,
        title=f"numbers of {what}" if what else "its numbers",
        reason="" if within == total else "unlike print" if odd else "too few",
        detail=", ".join(names[:NAMED]) + (", …" if len(odd) > NAMED else ""),
    )
