"""What moves the parameters: one update after the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor

from featurebook.core.batches import Source
from featurebook.core.ensemble import Params
from featurebook.core.gradients import Gradient
from featurebook.core.updates import Rule, State

Eta = Callable[[int], float]
"""The step size η_t of update t = 1, 2, ..."""


@dataclass
class Place:
    """Where a training is.

    Attributes:
        params: by name, each (R, ...).
        done: updates so far.
        whole: False while an update is half done, when the parameters are no state to keep.
    """

    params: Params
    done: int = 0
    whole: bool = True


class Advance(Protocol):
    """Moves a training on."""

    def to(self, until: int) -> None:
        """Update until ``until`` updates are done."""

    def first_bad(self) -> Tensor:
        """The step of each replica's first loss since the last call that is not finite.

        (R,), -1 where all were finite. Waits for the device.
        """

    def state(self) -> dict[str, Tensor]:
        """What the optimizer remembers, for a checkpoint."""

    def load(self, state: dict[str, Tensor]) -> None:
        """Go on from what `state` gave."""


@dataclass
class StepByStep:
    """One update after the other."""

    place: Place
    gradients: Gradient
    rule: Rule
    source: Source
    eta: Eta
    memory: dict[str, State] = field(init=False)
    losses: list[Tensor] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.memory = blank(self.rule, self.place.params)
        self.batches = iter(self.source)

    def to(self, until: int) -> None:
        place = self.place
        for t in range(place.done + 1, until + 1):
            grads, losses = self.gradients(place.params, next(self.batches))
            self.losses.append(losses)
            numbers = self.rule.numbers(t, self.eta(t))
            place.whole = False
            for name, p in place.params.items():
                self.rule.move(p, grads[name], self.memory[name], numbers)
            place.done = t
            place.whole = True

    def first_bad(self) -> Tensor:
        return first_bad(self.losses, self.place)

    def state(self) -> dict[str, Tensor]:
        return memory_as_state(self.memory)

    def load(self, state: dict[str, Tensor]) -> None:
        self.memory = memory_of_state(self.memory, state)


def blank(rule: Rule, params: Params) -> dict[str, State]:
    """The state of every parameter before the first update."""
    return {
        name: tuple(torch.zeros_like(p) for _ in range(rule.size)) for name, p in params.items()
    }


def memory_as_state(memory: dict[str, State]) -> dict[str, Tensor]:
    return {f"{k}/{name}": x for name, state in memory.items() for k, x in enumerate(state)}


def memory_of_state(blank_memory: dict[str, State], state: dict[str, Tensor]) -> dict[str, State]:
    return {
        name: tuple(state[f"{k}/{name}"].to(x.device) for k, x in enumerate(tensors))
        for name, tensors in blank_memory.items()
    }


def first_bad(losses: list[Tensor], place: Place) -> Tensor:
    """`Advance.first_bad` of the last losses, each (R,), which are forgotten."""
    replicas = len(next(iter(place.params.values())))
    if not losses:
        return torch.full((replicas,), -1)
    bad = ~torch.stack(losses).isfinite()  # (steps, R)
    first = place.done - len(losses) + bad.int().argmax(0)
    losses.clear()
    return torch.where(bad.any(0), first, -1)


def parts_of(flat: Sequence[Any], params: Params, size: int) -> tuple[Params, dict[str, State]]:
    """Parameters by name and their states, from one flat sequence of all of them."""
    count = len(params)
    states = [tuple(flat[k : k + size]) for k in range(count, count * (size + 1), max(size, 1))]
    named = dict(zip(params, flat[:count], strict=True))
    return named, dict(zip(params, states or [()] * count, strict=True))
