"""SGD, Adam and AdamW as functions of tensors: the numbers of `torch.optim`, with fewer calls.

What changes from step to step (the step size, Adam's corrections) is passed in as numbers, so that
a program compiled once serves all steps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import sqrt
from typing import Protocol

import torch
from torch import Tensor

Optimizer = Callable[[list[Tensor]], torch.optim.Optimizer]
State = tuple[Tensor, ...]
"""What an optimizer remembers of one parameter, each of its shape; all zeros at the start."""
Numbers = Sequence[float | Tensor]


class Rule(Protocol):
    """How one parameter moves. ``size`` is how many tensors its state has."""

    @property
    def lr(self) -> float: ...

    @property
    def size(self) -> int: ...

    def numbers(self, t: int, eta: float) -> tuple[float, ...]:
        """What update ``t`` = 1, 2, ... with step size ``eta`` (η_t) needs to know."""

    def move(self, p: Tensor, g: Tensor, state: State, numbers: Numbers) -> None:
        """One update of ``p`` and its ``state``, in place; ``g`` is the gradient, of p's shape."""


@dataclass(frozen=True)
class SGD:
    """`torch.optim.SGD` with its options; a number out of range is refused with a ValueError."""

    lr: float = 1e-3
    momentum: float = 0.0
    dampening: float = 0.0
    weight_decay: float = 0.0
    nesterov: bool = False

    def __post_init__(self) -> None:
        _not_negative(self, "lr", "momentum", "weight_decay")
        if self.nesterov and (self.momentum == 0 or self.dampening != 0):
            raise ValueError("nesterov needs a momentum > 0 and no dampening")

    @property
    def size(self) -> int:
        return int(self.momentum != 0)

    def numbers(self, t: int, eta: float) -> tuple[float, ...]:
        return eta, 1.0 if t == 1 else 1.0 - self.dampening

    def move(self, p: Tensor, g: Tensor, state: State, numbers: Numbers) -> None:
        eta, fresh = numbers
        if self.weight_decay:
            g = g.add(p, alpha=self.weight_decay)
        if state:
            (velocity,) = state
            _add(velocity.mul_(self.momentum), g, fresh)
            g = g.add(velocity, alpha=self.momentum) if self.nesterov else velocity
        _add(p, g, -eta)


@dataclass(frozen=True)
class Adam:
    """`torch.optim.Adam` with its options; a number out of range is refused with a ValueError."""

    lr: float = 1e-3
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8
    weight_decay: float = 0.0

    def __post_init__(self) -> None:
        _not_negative(self, "lr", "eps", "weight_decay")
        if not all(0 <= beta < 1 for beta in self.betas):
            raise ValueError(f"betas = {self.betas}: both must be at least 0 and below 1")

    @property
    def size(self) -> int:
        return 2

    def numbers(self, t: int, eta: float) -> tuple[float, ...]:
        first, second = self.betas
        return eta / (1 - first**t), sqrt(1 - second**t)

    def move(self, p: Tensor, g: Tensor, state: State, numbers: Numbers) -> None:
        if self.weight_decay:
            g = g.add(p, alpha=self.weight_decay)
        self._step(p, g, state, numbers)

    def _step(self, p: Tensor, g: Tensor, state: State, numbers: Numbers) -> None:
        mean, square = state
        eta, root = numbers
        mean.lerp_(g, 1 - self.betas[0])
        square.mul_(self.betas[1]).addcmul_(g, g, value=1 - self.betas[1])
        below = (square.sqrt() / root).add_(self.eps)
        if isinstance(eta, Tensor):
            p.sub_(mean / below * eta)
        else:
            p.addcdiv_(mean, below, value=-eta)


@dataclass(frozen=True)
class AdamW(Adam):
    """`torch.optim.AdamW` with its options: the weights decay beside the gradient."""

    weight_decay: float = 1e-2

    def numbers(self, t: int, eta: float) -> tuple[float, ...]:
        return *super().numbers(t, eta), 1 - eta * self.weight_decay

    def move(self, p: Tensor, g: Tensor, state: State, numbers: Numbers) -> None:
        if self.weight_decay:
            p.mul_(numbers[2])
        self._step(p, g, state, numbers[:2])


_KNOWN: dict[object, type[SGD] | type[Adam]] = {
    torch.optim.SGD: SGD,
    torch.optim.Adam: Adam,
    torch.optim.AdamW: AdamW,
}


def rule_of(optimizer: Optimizer) -> Rule:
    """The rule of `torch.optim.SGD`, `Adam` or `AdamW`, or of a `partial` of one.

    ``foreach`` and ``fused`` choose among implementations and are left out.

    Raises:
        ValueError: for another optimizer, an option that the rules do not have, or a number out of
            range.
    """
    inner = optimizer if isinstance(optimizer, partial) else partial(optimizer)
    rule = _KNOWN.get(inner.func)
    options = {k: v for k, v in inner.keywords.items() if k not in ("foreach", "fused")}
    if rule is None or inner.args:
        raise ValueError(f"optimizer = {optimizer}: must be torch.optim's SGD, Adam or AdamW")
    tensors = {name for name, value in options.items() if isinstance(value, Tensor)}
    if lacking := options.keys() - {field.name for field in fields(rule)} | tensors:
        raise ValueError(f"{rule.__name__} has no {', '.join(sorted(lacking))} here")
    return rule(**options)


def _add(x: Tensor, y: Tensor, factor: float | Tensor) -> None:
    """``x += factor * y``; a tensor ``factor`` has no axes."""
    if isinstance(factor, Tensor):
        x.add_(y * factor)
    else:
        x.add_(y, alpha=factor)


def _not_negative(rule: object, *names: str) -> None:
    for name in names:
        if not (value := getattr(rule, name)) >= 0:
            raise ValueError(f"{name} = {value}: must be at least 0")
