"""Checks that chance has no part in: identities, inequalities, properties."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook.verdicts.verdict import Verdict
from featurebook.verdicts.words import Outcome, compared, difference, said, shown, true_in


def identity(
    left: Any, right: Any, *, tolerance: float, what: str = "", each: bool = False
) -> Verdict:
    """Two sides that should be equal everywhere; refuted if they differ by more than rounding.

    The difference is measured relative to the largest entry of the right side, or with ``each`` to
    each entry's own (absolutely where that is below 1e-300). Inconclusive if there is nothing to
    compare. What is not finite is equal to nothing.

    Args:
        left, right: tensors or arrays, perhaps complex, that broadcast against each other.
        tolerance: largest relative difference that counts as rounding; fix it from the dtype
            before looking.
        what: names the two sides in the sentence.
    """
    a, b = np.broadcast_arrays(_numbers(left), _numbers(right))
    if a.size == 0:
        return nothing(what)
    size = np.abs(b) if each else np.full(b.shape, np.abs(b).max())
    with np.errstate(invalid="ignore"):
        gap = float((np.abs(a - b) / np.where(size > 1e-300, size, 1.0)).max())
    return Verdict(
        "",
        "holds" if gap <= tolerance else "refuted",
        said(difference(gap, a.size, tolerance), what),
        {"largest_difference": gap, "tolerance": tolerance},
        a.size,
        title=what,
        margin=room(gap, tolerance),
    )


def inequality(
    smaller: Any,
    larger: Any,
    *,
    informative: Any = True,
    slack: float = 0.0,
    what: str = "",
) -> Verdict:
    """An inequality ``smaller <= larger`` wherever it was tried.

    Refuted if it fails anywhere by more than ``slack`` (or a side is NaN); vacuous if it holds but
    is informative nowhere; open if it was tried nowhere. The sentence shows the tightest
    place, that with the least room relative to the larger side, and of several such (of all, where
    one side is always 0) that with the least room.

    Instances that were drawn do not establish a statement "for all": use `attack`.

    Args:
        smaller, larger: real tensors or arrays that broadcast against each other.
        informative: where the bound says something (a probability bound below 1, say).
        slack: rounding allowed, absolute; fix it from the dtype before looking.
    """
    a, b, says = np.broadcast_arrays(real(smaller), real(larger), array(informative))
    if a.size == 0:
        return nothing(what)
    with np.errstate(invalid="ignore"):
        margin = np.where(a == b, 0.0, b - a)  # infinity equals itself
    failed = ~(margin >= -slack)  # what is no number fails
    fails, says = int(failed.sum()), says.astype(bool) & (says == says)
    relative = np.asarray(room(a, b, slack))  # negative where it fails, or -inf
    worst = int(np.argmin(np.where(relative == relative.min(), margin, np.inf)))
    at = (float(a.flat[worst]), float(b.flat[worst]))
    outcome: Outcome = "refuted" if fails else "holds" if says.any() else "vacuous"
    numbers = {
        "fails": fails,
        "smaller_at_worst": at[0],
        "larger_at_worst": at[1],
        "informative_places": int(says.sum()),
    }
    return Verdict(
        "",
        outcome,
        said(_tightest(at, fails, a.size, outcome), what),
        numbers,
        a.size,
        title=what,
        margin=float(relative.flat[worst]),
    )


def _tightest(at: tuple[float, float], fails: int, tried: int, outcome: Outcome) -> str:
    sides = compared(*at)
    a, b = (shown(x, 6) for x in at)
    if not fails and a == b:
        near = f"{a}, nearly," if at[0] < at[1] else shown(at[0])
        sides = f"both sides are {near}{', within rounding,' if at[0] > at[1] else ''}"
    elif not fails and at[0] > at[1]:
        sides = f"{a} ≈ {b}"
    if tried == 1:
        where = "in the one case tried"
    elif fails > 1:
        worst = "worse" if fails == 2 else "worst"
        where = f"in the {worst} of {fails:,} failures in {tried:,} cases"
    else:
        tightest = "tighter" if tried == 2 else "tightest"
        where = f"in {'1' if fails else f'the {tightest}'} of {tried:,} cases"
    return f"{sides} {where}" + ("; empty in every case" if outcome == "vacuous" else "")


def everywhere(satisfied: Any, *, what: str) -> Verdict:
    """A property that should be true of every instance tried; one failure refutes it.

    Args:
        satisfied: truth values, or numbers of which zero and NaN mean "not satisfied".
    """
    values = array(satisfied)
    if values.size == 0:
        return nothing(what, {"true": 0})
    ok = values.astype(bool) & (values == values)  # NaN is not equal to itself
    true = int(ok.sum())
    return Verdict(
        "",
        "holds" if true == ok.size else "refuted",
        said(true_in(true, ok.size), what),
        {"true": true, "share": true / ok.size},
        ok.size,
        title=what,
    )


def room(smaller: Any, larger: Any, slack: float = 0.0) -> Any:
    """(larger + slack - smaller) / max(|larger|, |smaller|, slack): between -2 and 2.

    Zero on the border, 1 where the smaller side is 0; minus infinity where a side is no number.
    """
    a, b = np.asarray(smaller, dtype=float), np.asarray(larger, dtype=float)
    size = np.maximum(np.maximum(np.abs(a), np.abs(b)), slack)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        found = np.where(np.isfinite(size), (b + slack - a) / np.where(size > 0, size, 1.0), 0.0)
    infinite = np.isinf(size) & (a != b)
    found = np.where(infinite, np.where(b > a, 1.0, -1.0), found)
    found = np.where(np.isnan(a) | np.isnan(b), -np.inf, found)
    return float(found) if found.ndim == 0 else found


def array(x: Any) -> NDArray[Any]:
    """A tensor or whatever numpy takes, as an array."""
    return x.detach().cpu().numpy() if isinstance(x, torch.Tensor) else np.asarray(x)


def _numbers(x: Any) -> NDArray[Any]:
    """As `array`, in doubles (real or complex): differences of small whole numbers would wrap."""
    found = array(x)
    return found.astype(complex if found.dtype.kind == "c" else float)


def real(x: Any) -> NDArray[np.float64]:
    """As `array`, in doubles; complex numbers are refused."""
    found = _numbers(x)
    if found.dtype.kind == "c":
        raise TypeError("complex numbers have no order: compare absolute values or real parts")
    return found


def nothing(what: str, numbers: dict[str, float] | None = None) -> Verdict:
    """A check that had nothing to judge."""
    return Verdict(
        "", "open", said("no case occurred", what), numbers or {}, 0, title=what,
        reason="nothing tried",
    )  # fmt: skip
