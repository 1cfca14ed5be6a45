"""Attacks on statements "for all x in S: f(x) <= g(x)": a search for the x where it is tightest.

Draws from a distribution hardly ever hit the corner where a false inequality fails. Both attacks
here climb the logarithm of f / g (continued through zero and to negative values), from many places,
and judge by the tightest instance that they saw. `attack` follows the gradient; `search` needs
none. Both say how hard they tried.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import differential_evolution
from scipy.stats import qmc
from torch import Tensor

from featurebook.core.ensemble import for_replicas, map_tensors
from featurebook.verdicts.checks import array
from featurebook.verdicts.structures import Point, Starts
from featurebook.verdicts.tightest import Tightest, as_data, height, in_words
from featurebook.verdicts.verdict import Verdict

SLACK = 2.0**-26
"""Relative difference of two doubles that is taken for rounding: the square root of 2^-52."""

FLOOR = 1e-12
"""Absolute difference that is taken for rounding of numbers of order one."""


def attack(
    sides: Callable[..., Any],
    starts: Starts | Point,
    *,
    into: Callable[[Any], Any] = lambda raw: raw,
    steps: int = 200,
    rate: float | None = None,
    slack: float = SLACK,
    floor: float = FLOOR,
    what: str = "",
    describe: Callable[[Any], str] | None = None,
) -> Verdict:
    """Attack ``smaller <= larger`` over a set by gradient ascent from many starts at once.

    Refuted if an instance fails by more than rounding, or gives what is no number; vacuous if it
    holds but is informative nowhere; holds otherwise. Adam climbs in doubles, from each start with
    steps of ``rate`` times the start's own size, shrinking to a thousandth of that; so it gets
    about ``rate * steps / 7`` sizes away from its start.

    Args:
        sides: of one instance, ``smaller, larger`` or ``smaller, larger, informative``: tensors of
            any shapes that broadcast; the tightest entry counts. It is lifted by `torch.vmap`,
            unless it is declared with `core.takes_replicas`; then ``into`` takes all at once too.
        starts: a tensor (R, ...), a dict of such, or `Starts`, which has names for them.
        into: maps any tensors of these shapes into the set, differentiably: a parametrisation of
            it, or a projection. Instances outside of the set would refute nothing.
        steps: updates from each start; each evaluates all starts once.
        rate: first step; by default 20 / steps, which reaches three sizes, or 0.5 if that is less.
        slack: relative difference that is rounding.
        floor: absolute difference that is rounding; 0 for a claim of tiny numbers, such as tails,
            whose failures it would hide (the verdict's number ``forgiven`` counts them).
        describe: says what an instance is; by default its numbers, or their shape and norm.
    """
    starts = starts if isinstance(starts, Starts) else Starts.plain(starts)
    raw = map_tensors(lambda x: x.detach().double().clone().requires_grad_(), starts.points)
    seen = Tightest(slack, floor)
    lifted = _lifted(sides, into)
    climb = _Adam(raw, steps, min(0.5, 20 / max(1, steps)) if rate is None else rate)
    failed = np.zeros(len(starts.names), dtype=bool)
    for step in range(steps + 1):
        with torch.enable_grad():
            a, b, says = lifted(raw)
            up = height(a, b)
        failed |= seen.see(array(a), array(b), array(says), lambda i: _pick(raw, i))
        if step < steps:
            climb.update(up)
    if seen.best is None:
        return seen.verdict(what, {"method": "gradient ascent", "starts": 0}, {})
    index, point = seen.best
    with torch.no_grad():
        point = into(point)
    worst = f"{(describe or in_words)(point)}, from {starts.names[index]}"
    facts = {"method": "gradient ascent", "starts": len(failed), "worst": worst}
    if failed.any():
        facts["failing_starts"] = int(failed.sum())
    return seen.verdict(what, facts, as_data(point))


def search(
    sides: Callable[..., Any],
    box: Sequence[tuple[float, float]],
    *,
    starts: ArrayLike | None = None,
    into: Callable[[NDArray[np.float64]], Any] = lambda x: x,
    integrality: Sequence[bool] | None = None,
    evaluations: int = 20_000,
    rounds: int = 2,
    seed: int = 0,
    vectorised: bool = False,
    slack: float = SLACK,
    floor: float = FLOOR,
    what: str = "",
    describe: Callable[[Any], str] | None = None,
) -> Verdict:
    """Attack ``smaller <= larger`` over a box by differential evolution, without gradients.

    Judges as `attack` does.

    Args:
        sides: of ``into(x)``, with x (n,): ``smaller, larger`` or ``smaller, larger, informative``,
            numbers or arrays. With ``vectorised`` x is (S, n), and the sides (S,) or (S, k).
        box: lowest and highest value of each of the n coordinates.
        starts: points (k, n) that the first populations contain; clipped to the box.
        into: maps the box into the set of the claim; a point on a logarithmic scale, say.
        integrality: which coordinates are whole numbers.
        evaluations: of both sides, in all rounds together, at most (about).
        rounds: independent searches; each begins with another Latin hypercube.
    """
    low, high = np.asarray(box, dtype=float).T
    size = int(np.clip(8 * len(low), 24, max(24, evaluations // (4 * rounds))))
    first = np.empty((0, len(low))) if starts is None else np.atleast_2d(array(starts))
    seen = Tightest(slack, floor)

    def loss(x: NDArray[np.float64]) -> Any:
        points = np.atleast_2d(x.T)
        found = [sides(into(points))] if vectorised else [sides(into(p)) for p in points]
        a, b, says = _stacked(found, len(points), vectorised)
        seen.see(a, b, says, lambda i: points[i].copy())
        up = height(torch.from_numpy(a.astype(float)), torch.from_numpy(b.astype(float))).numpy()
        up = np.clip(np.nan_to_num(up, nan=1e6), -1e6, 1e6).max(1)
        return -up if x.ndim == 2 else -float(up[0])

    for k in range(rounds):
        spread = qmc.LatinHypercube(len(low), rng=np.random.default_rng([seed, k])).random(size)
        population = np.concatenate([np.clip(first, low, high), low + (high - low) * spread])
        differential_evolution(
            loss, list(zip(low, high, strict=True)), init=population, integrality=integrality,
            maxiter=max(1, evaluations // (rounds * len(population)) - 1), tol=1e-12, atol=0,
            mutation=(0.4, 1.0), polish=False, rng=np.random.default_rng([seed, k]),
            vectorized=True, updating="deferred",
        )  # fmt: skip
    facts = {"method": "differential evolution", "starts": rounds * len(population)}
    if seen.best is None:
        return seen.verdict(what, facts, {})
    point = into(seen.best[1][None] if vectorised else seen.best[1])
    point = point[0] if vectorised and isinstance(point, np.ndarray) else point
    return seen.verdict(what, {**facts, "worst": (describe or in_words)(point)}, as_data(point))


class _Adam:
    """Adam upwards, on R starts at once, each with steps in proportion to its own size."""

    def __init__(self, raw: Any, steps: int, rate: float) -> None:
        self.leaves: list[Tensor] = []
        map_tensors(lambda x: self.leaves.append(x) or x, raw)  # type: ignore[func-returns-value]
        self.sizes = [_size(x.detach()) for x in self.leaves]
        self.mean = [torch.zeros_like(x) for x in self.leaves]
        self.square = [torch.zeros_like(x) for x in self.leaves]
        self.rates = rate * np.geomspace(1, 1e-3, max(1, steps))
        self.step = 0

    def update(self, heights: Tensor) -> None:
        if not heights.requires_grad:
            raise ValueError("the two sides do not depend on the start by a gradient: use search")
        with torch.enable_grad():
            reach = heights.nan_to_num(0.0, 0.0, 0.0).amax(1).sum()
        found = torch.autograd.grad(reach, self.leaves, allow_unused=True)
        slopes = [
            torch.zeros_like(x) if g is None else torch.nan_to_num(g) * size
            for x, g, size in zip(self.leaves, found, self.sizes, strict=True)
        ]
        # Of a start's gradient only the direction counts: logarithms are steep where a side is 0.
        steepest = torch.stack(
            [g.flatten(1).abs().amax(1) if g.ndim > 1 else g.abs() for g in slopes]
        )
        steepest = steepest.amax(0).clamp(min=1e-200)
        rate, self.step = self.rates[self.step], self.step + 1
        with torch.no_grad():
            for k, (x, g) in enumerate(zip(self.leaves, slopes, strict=True)):
                g = g / steepest.reshape(-1, *[1] * (x.ndim - 1))
                self.mean[k].lerp_(g, 0.1)
                self.square[k].lerp_(g * g, 0.01)
                up = self.mean[k] / (1 - 0.9**self.step)
                down = (self.square[k] / (1 - 0.99**self.step)).sqrt() + 1e-12
                x += rate * self.sizes[k] * up / down


def _size(x: Tensor) -> Tensor:
    """Root mean square of each start, shaped to multiply it; 1 where all is zero."""
    size = x.flatten(1).square().mean(1).sqrt() if x.ndim > 1 else x.abs()
    size = torch.where((size > 0) & size.isfinite(), size, torch.ones_like(size))
    return size.reshape(-1, *[1] * (x.ndim - 1))


def _lifted(sides: Callable[..., Any], into: Callable[..., Any]) -> Callable[..., Any]:
    """(smaller, larger, informative) of all starts, each (R, k)."""

    def of_one(raw: Any) -> tuple[Tensor, ...]:
        smaller, larger, *rest = (torch.as_tensor(x) for x in sides(into(raw)))
        says = rest[0] if rest else torch.tensor(True)
        return tuple(torch.broadcast_tensors(smaller.double(), larger.double(), says))

    if hasattr(sides, "takes_replicas"):
        of_one.takes_replicas = True  # type: ignore[attr-defined]
    lifted = for_replicas(of_one, 0)
    return lambda raw: tuple(x.reshape(x.shape[0], -1) for x in lifted(raw))


def _stacked(found: Sequence[Any], count: int, vectorised: bool) -> list[NDArray[Any]]:
    columns = []
    for one in found:
        parts = [array(x) for x in one]
        parts += [np.asarray(True)] * (3 - len(parts))
        columns.append(np.broadcast_arrays(*parts))
    if vectorised:
        return [np.asarray(x).reshape(count, -1) for x in columns[0]]
    return [np.stack([np.ravel(c[j]) for c in columns]) for j in range(3)]


def _pick(tree: Any, i: int) -> Any:
    return map_tensors(lambda x: x[i].detach().clone(), tree)
