"""Of the instances that an attack sees, the tightest, and the verdict on it."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook.verdicts.checks import array, nothing, room
from featurebook.verdicts.verdict import Verdict
from featurebook.verdicts.words import Outcome, compared, said, shown

UNIT = 1e60
"""Above 1 / UNIT the height is a logarithm, below it is linear."""


class Tightest:
    """The tightest instance seen so far: failures first, then what is informative.

    Attributes:
        best, at: the tightest instance, with its index, and its two sides.
        evaluations: how many instances were seen; how many of them
        informative, fails, forgiven: said something, failed, or failed by no more than the floor.
    """

    def __init__(self, slack: float, floor: float) -> None:
        self.slack, self.floor = slack, floor
        self.best: tuple[int, Any] | None = None
        self.at, self.score = (math.nan, math.nan), -math.inf
        self.evaluations = self.informative = self.fails = self.forgiven = 0

    def see(self, a: Any, b: Any, says: Any, point: Callable[[int], Any]) -> NDArray[np.bool_]:
        """Take note of instances, sides (R, k); which of them fail (R,)."""
        with np.errstate(invalid="ignore", over="ignore"):
            size = np.maximum(np.abs(a), np.abs(b))
            over = ~(a <= b)  # what is no number, too
            kept = np.isfinite(size) & (a - b <= self.slack * size + self.floor)
            failed = over & ~kept
            forgiven = over & kept & (a - b > self.slack * size)
            up = np.where(a == b, 0.0, np.arcsinh(a * UNIT) - np.arcsinh(b * UNIT))
        up = np.clip(np.nan_to_num(up, nan=1e5), -1e5, 1e5)
        self.forgiven += int(forgiven.any(1).sum())
        tiny = size <= self.floor
        score = up + 2e6 * failed - 1e6 * ~says.astype(bool) - 4e6 * (tiny & ~failed)
        self.evaluations += len(a)
        self.informative += int(says.astype(bool).any(1).sum())
        self.fails += int(failed.any(1).sum())
        if score.size and score.max() > self.score:
            i, k = np.unravel_index(int(score.argmax()), score.shape)
            self.score, self.at = float(score[i, k]), (float(a[i, k]), float(b[i, k]))
            self.best = (int(i), point(int(i)))
        return failed.any(1)

    def verdict(self, what: str, facts: dict[str, Any], instance: dict[str, Any]) -> Verdict:
        if self.best is None:
            return nothing(what)
        a, b = self.at
        ratio = a / b if b > 0 and a >= 0 else None
        facts = {**facts, "evaluations": self.evaluations, "ratio": ratio}
        outcome: Outcome = "refuted" if self.fails else "holds" if self.informative else "vacuous"
        close = not self.fails and a > b
        sides = f"{shown(a, 4)} ≈ {shown(b, 4)}" if close else compared(a, b)
        if self.fails:
            of = "" if ratio is None else f", ratio {shown(ratio, 4)}"
            sentence = said(sides + of, f"{what}, at {facts['worst']}" if what else facts["worst"])
        else:
            lead = sides if ratio is None else f"ratio at most {shown(ratio, 4)} ({sides})"
            empty = "; empty everywhere" if outcome == "vacuous" else ""
            tried = f"{facts['starts']:,} starts and {self.evaluations:,} evaluations"
            sentence = said(f"{lead} in {tried}{empty}", what)
        numbers = {"smaller_at_worst": a, "larger_at_worst": b, "fails": self.fails,
                   "starts": facts["starts"], "evaluations": self.evaluations,
                   "informative_places": self.informative}  # fmt: skip
        if ratio is not None:
            numbers["ratio"] = ratio
        if self.forgiven:
            numbers["forgiven"] = self.forgiven
        return Verdict(
            "", outcome, sentence, numbers, self.evaluations, title=what,
            margin=float(room(a, b, 0.0 if self.fails else self.floor)), attack=facts,
            instance=instance,
        )  # fmt: skip


def height(a: Tensor, b: Tensor) -> Tensor:
    """log(a / b) where both are positive, continued to all numbers; positive where a > b."""
    return torch.asinh(a * UNIT) - torch.asinh(b * UNIT)


def in_words(point: Any) -> str:
    """An instance in a few words: its numbers, or their shape and norm where they are many."""
    if isinstance(point, dict):
        return ", ".join(f"{name} = {in_words(x)}" for name, x in point.items())
    if isinstance(point, tuple | list) and not all(isinstance(x, float | int) for x in point):
        return ", ".join(in_words(x) for x in point)
    x = array(point).astype(float)
    if x.size <= 6:
        text = ", ".join(shown(v, 3) for v in x.ravel())
        return text if x.ndim == 0 else f"({text})"
    return f"{' × '.join(map(str, x.shape))} numbers of norm {shown(float(np.linalg.norm(x)))}"


def as_data(point: Any, most: int = 200) -> dict[str, Any]:
    """An instance by name, where it is small enough to be kept."""
    if isinstance(point, tuple | list):
        point = {f"x{k + 1}": x for k, x in enumerate(point)}
    named = {k: array(x) for k, x in (point if isinstance(point, dict) else {"x": point}).items()}
    return (
        {k: x.tolist() for k, x in named.items()}
        if sum(x.size for x in named.values()) <= most
        else {}
    )
