"""Many steps in one compiled call.

Between two calls lies what the calls of a small network cost most: Python. On a CPU the program is
a loop of `torch.compile`, on a GPU a captured step that is replayed.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import torch
from torch import Tensor
from torch._higher_order_ops.while_loop import while_loop

from featurebook.core.advance import (
    Eta,
    Place,
    blank,
    memory_as_state,
    memory_of_state,
    parts_of,
)
from featurebook.core.batches import Source
from featurebook.core.ensemble import map_tensors
from featurebook.core.gradients import Gradient
from featurebook.core.updates import Rule

SECONDS_OF_A_CALL = 1.0
STEPS_OF_A_CALL = 100
BYTES_OF_A_CALL = 1 << 26

Carried = tuple[Tensor, ...]
"""What a step changes: the first bad step of each replica, the parameters, their states."""


@dataclass
class Inputs:
    """What the steps of one call read.

    Attributes:
        table: the data that all steps read; see `batches.Source`.
        items: for each of L steps what it alone has, tensors (L, ...).
        numbers: (L, .) what the rule needs to know at each.
        done: updates before the first, no axes.
    """

    table: Any
    items: Any
    numbers: Tensor
    done: Tensor


Step = Callable[[Tensor, Carried, Inputs], Carried]
"""Of the number k of a step in its call, no axes."""
Run = Callable[[int, Carried, Inputs], Carried]
Replay = Callable[[int], None]
"""Takes a step as often as it says."""


class Program:
    """Moves a training on by many updates in one call, for a rule that we know.

    How many updates a call makes is a number that it is given, so one program serves every stretch
    between two observations. It is compiled when it is made.
    """

    def __init__(
        self, place: Place, gradients: Gradient, rule: Rule, source: Source, eta: Eta
    ) -> None:
        self.place, self.rule, self.eta = place, rule, eta
        self.memory = blank(rule, place.params)
        some = next(iter(place.params.values()))
        self.bad = torch.full((len(some),), -1, device=some.device)
        first = next(source.items)
        self.items = chain([first], source.items)
        self.inputs = _room(first, source.table, len(rule.numbers(1, eta(1))), some.device)
        self.steps_a_call = 1

        def step(k: Tensor, carried: Carried, inputs: Inputs) -> Carried:
            bad, *rest = carried
            params, memory = parts_of([x.clone() for x in rest], place.params, rule.size)
            item = map_tensors(lambda x: x.index_select(0, k[None])[0], inputs.items)
            now = inputs.numbers.index_select(0, k[None])[0].unbind()
            grads, losses = gradients(params, source.pick(inputs.table, item))
            bad = torch.where((bad < 0) & ~losses.isfinite(), inputs.done + k, bad)
            for name, p in params.items():
                rule.move(p, grads[name], memory[name], now)
            return bad, *params.values(), *(x for state in memory.values() for x in state)

        self.run: Run = captured(step) if some.device.type == "cuda" else looped(step)
        self._call(0)

    def to(self, until: int) -> None:
        while self.place.done < until:
            count = min(until - self.place.done, self.steps_a_call)
            began = time.perf_counter()
            self._call(count)
            seconds = (time.perf_counter() - began) / count
            self.steps_a_call = min(
                2 * self.steps_a_call,
                max(1, int(SECONDS_OF_A_CALL / seconds)),
                len(self.inputs.numbers),
            )

    def _call(self, count: int) -> None:
        place, inputs = self.place, self.inputs
        if count > 0:
            steps = range(place.done + 1, place.done + count + 1)
            numbers = [self.rule.numbers(t, self.eta(t)) for t in steps]
            inputs.numbers[:count] = torch.tensor(numbers, dtype=torch.float64)
            map_tensors(_fill, inputs.items, *islice(self.items, count))
        inputs.done.fill_(place.done)
        states = (x for state in self.memory.values() for x in state)
        bad, *rest = self.run(count, (self.bad, *place.params.values(), *states), inputs)
        place.whole = False
        params, self.memory = parts_of(rest, place.params, self.rule.size)
        place.params.update(params)
        self.bad = bad
        place.done += count
        place.whole = True

    def first_bad(self) -> Tensor:
        found = self.bad.cpu()
        self.bad = torch.full_like(self.bad, -1)
        return found

    def state(self) -> dict[str, Tensor]:
        return memory_as_state(self.memory)

    def load(self, state: dict[str, Tensor]) -> None:
        self.memory = memory_of_state(self.memory, state)


def _fill(room: Tensor, *values: Tensor) -> Tensor:
    return torch.stack(values, out=room[: len(values)])


def _room(item: Any, table: Any, numbers: int, device: torch.device) -> Inputs:
    """Room for the inputs of as many steps as a call may take."""
    sizes: list[int] = []
    map_tensors(lambda x: sizes.append(x.nbytes) or x, item)  # type: ignore[func-returns-value]
    length = max(1, min(STEPS_OF_A_CALL, BYTES_OF_A_CALL // max(sum(sizes), 1)))
    return Inputs(
        table=table,
        items=map_tensors(lambda x: x.new_zeros(length, *x.shape), item),
        numbers=torch.zeros(length, numbers, dtype=torch.float64, device=device),
        done=torch.zeros((), dtype=torch.int64, device=device),
    )


def looped(step: Step) -> Run:
    """Steps in a compiled loop, whose calls are C++ too: Python's would take as long again."""

    def loop(
        count: Tensor, carried: Carried, table: Any, items: Any, numbers: Tensor, done: Tensor
    ) -> Carried:
        inputs = Inputs(table, items, numbers, done)

        def more(k: Tensor, *_: Tensor) -> Tensor:
            return k < count

        def body(k: Tensor, *carried: Tensor) -> tuple[Tensor, ...]:
            return k + 1, *step(k, carried, inputs)

        _, *moved = while_loop(more, body, (torch.zeros_like(count), *carried))
        return tuple(moved)

    program = own_program(loop, cpp_wrapper=True)

    def run(count: int, carried: Carried, inputs: Inputs) -> Carried:
        i = inputs
        return program(torch.tensor(count), carried, i.table, i.items, i.numbers, i.done)

    return run


def captured(step: Step) -> Run:
    """Steps as a CUDA graph of one, which is replayed: no call of Python between two steps."""
    kept: list[Tensor] = []  # k, then what is carried: the graph reads and writes these
    replay: Replay | None = None

    def one(k: Tensor, carried: Carried, inputs: Inputs) -> None:
        for x, new in zip(carried, step(k, carried, inputs), strict=True):
            x.copy_(new)
        k.add_(1)

    in_place = own_program(one)

    def run(count: int, carried: Carried, inputs: Inputs) -> Carried:
        nonlocal replay
        if replay is None:
            kept.extend([torch.zeros_like(inputs.done), *(x.clone() for x in carried)])
            replay = capture(lambda: in_place(kept[0], tuple(kept[1:]), inputs), kept)
        kept[0].zero_()
        for ours, theirs in zip(kept[1:], carried, strict=True):
            ours.copy_(theirs)
        replay(count)
        return tuple(x.clone() for x in kept[1:])  # an interrupted call has changed nothing

    return run


def capture(function: Callable[[], None], changed: list[Tensor]) -> Replay:
    """A CUDA graph of ``function``, which changes the tensors ``changed`` and nothing else."""
    before = [x.clone() for x in changed]
    aside = torch.cuda.Stream()
    aside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(aside):
        for _ in range(3):  # compiles, and lets libraries take their memory
            function()
    torch.cuda.current_stream().wait_stream(aside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        function()
    for x, value in zip(changed, before, strict=True):
        x.copy_(value)
    ended = torch.cuda.Event()

    def replay(count: int) -> None:
        ended.synchronize()  # no more than one call ahead of the device: an interrupt waits for it
        for _ in range(count):
            graph.replay()
        ended.record()

    return replay


def own_program(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Compiled for the shapes of this training alone, with ``options`` of torch's compiler.

    torch counts what it compiles by the code object of a function, and this one has its own.
    Otherwise the second training of a process gets a program for all shapes, several times slower,
    and after the eighth torch compiles no more.
    """

    def own(*arguments: Any) -> Any:
        return function(*arguments)

    own.__code__ = own.__code__.replace()
    return torch.compile(own, dynamic=False, options=options or None)
