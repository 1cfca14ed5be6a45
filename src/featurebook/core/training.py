"""Train R networks at once. A loss is written for one network; `torch.func.vmap` does the rest."""

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from featurebook.core import batches, checkpoint
from featurebook.core.advance import Advance, Place, StepByStep
from featurebook.core.device import (
    keep_freed_memory,
    release_freed_memory,
)
from featurebook.core.ensemble import Params, check_sizes
from featurebook.core.execution import HERE, Execution
from featurebook.core.gradients import Gradient, Loss, of_replicas, traceable
from featurebook.core.progress import progress
from featurebook.core.recording import Observe, Run, log_spaced
from featurebook.core.schedules import Schedule
from featurebook.core.updates import Optimizer, Rule, rule_of

STEPS_BETWEEN_CHECKS = 100
SECONDS_BETWEEN_CHECKPOINTS = 60.0


class NonFiniteLossError(ArithmeticError):
    """A training diverged. The message names the step, the replicas and their parameters."""


def train(
    loss: Loss,
    params: Params,
    data: Any,
    *,
    steps: int,
    seeds: Sequence[int],
    optimizer: Optimizer,
    schedule: Schedule | None = None,
    batch_size: int | None = None,
    data_dim: int | None = 0,
    gradient: Gradient | None = None,
    observe: Observe | None = None,
    execution: Execution = HERE,
) -> Run:
    """Minimise ``loss`` for every replica, each exactly as it would be alone.

    Args:
        loss: of one network's parameters and one batch; returns a scalar tensor.
        params: the start, each tensor (R, ...); not changed.
        data: a tensor, tuple or dict of tensors, (R, N, ...), or (N, ...) if ``data_dim`` is None;
            or a function ``draw(generator, count)`` giving ``count`` fresh batches (count, B, ...)
            of one network.
        steps: number of updates.
        seeds: one per replica; decide the order of the mini-batches.
        optimizer: `torch.optim.SGD`, `Adam` or `AdamW`, such as
            ``partial(torch.optim.SGD, lr=0.1)``.
        schedule: step size η_t of update t = 1, 2, ...; by default the optimizer's own.
        batch_size: mini-batches of that many, a new permutation every epoch; full batch by default.
        data_dim: axis of the replicas in ``data``; None where all share one data set.
        gradient: of ``loss`` for one network, as ``(gradients, loss)``, where the mathematics has
            a cheaper one than automatic differentiation.
        observe: what to keep of the parameters on the way, and when; nothing by default.
        execution: where and how; by default where the parameters are, uncompiled.

    Raises:
        ValueError: for sizes that do not fit together, before any training.
        NonFiniteLossError: when a loss is infinite or not a number.
    """
    wanted = set() if observe is None else set(observe.at)
    if observe is not None:
        _check_times(observe.at, steps)
    check_sizes(params, data, steps, seeds, batch_size, data_dim)
    start_time = time.perf_counter()
    device = torch.device(execution.device or next(iter(params.values())).device)
    if device.type == "cpu":
        keep_freed_memory()
    place = Place({name: p.detach().to(device, copy=True) for name, p in params.items()})
    file = execution.checkpoint_file or checkpoint.wanted_by_runner()
    etas = [] if schedule is None else [schedule(t) for t in log_spaced(steps)[1:]]
    rule = rule_of(optimizer)
    plan = _Plan(loss, gradient, rule, schedule, data, data_dim, batch_size, seeds, device)
    fingerprint = ""
    seen: dict[str, list[Tensor]] = {}
    state = None
    if file is not None:
        tensors = params if callable(data) else (params, data)
        numbers = (rule, etas, steps, tuple(seeds), batch_size, tuple(sorted(wanted)))
        fingerprint = checkpoint.fingerprint(tensors, numbers, loss, gradient)
        if file.exists():
            state = _restore(file, fingerprint, place, seen)
    with torch.no_grad():
        advance = _compiled if execution.compiled and place.done < steps else _step_by_step
        moving = advance(plan, place)
    if state is not None:
        moving.load(state)
    save = partial(_save, file, fingerprint, place, moving, seen)
    last_saved = time.monotonic()

    def record() -> None:
        if place.done in wanted and observe is not None:
            values = {k: x.detach().clone() for k, x in observe.what(place.params).items()}
            for name, value in values.items():
                seen.setdefault(name, []).append(value)

    checks = range(STEPS_BETWEEN_CHECKS, steps, STEPS_BETWEEN_CHECKS)
    with progress(execution.label, steps) as report, torch.no_grad():
        try:
            # The start, or what an interruption kept from being observed.
            if len(next(iter(seen.values()), [])) < sum(t <= place.done for t in wanted):
                record()
            for until in sorted({*wanted, *checks, steps}):
                if until <= place.done:
                    continue
                moving.to(until)
                record()
                if until % STEPS_BETWEEN_CHECKS == 0 or until == steps:
                    _stop_if_bad(moving.first_bad(), seeds, plan, place)
                    report(until)
                    if time.monotonic() - last_saved > SECONDS_BETWEEN_CHECKPOINTS:
                        save()
                        last_saved = time.monotonic()
        except KeyboardInterrupt:
            if place.whole:  # half an update is no state to go on from; the last checkpoint is
                save()
            raise
        _stop_if_not_finite(seeds, plan, place)
    save()
    if device.type == "cpu":
        release_freed_memory()
    return Run(
        params={name: p.detach() for name, p in place.params.items()},
        seeds=tuple(seeds),
        steps=tuple(sorted(wanted)),
        observed={name: torch.stack(values) for name, values in seen.items()},
        seconds=time.perf_counter() - start_time,
    )


@dataclass(frozen=True)
class _Plan:
    """What decides a training, as `train` takes it, but for its start and its length."""

    loss: Loss
    gradient: Gradient | None
    rule: Rule
    schedule: Schedule | None
    data: Any
    data_dim: int | None
    batch_size: int | None
    seeds: Sequence[int]
    device: torch.device

    @property
    def batch_dim(self) -> int | None:
        one_each = self.batch_size is not None or callable(self.data)
        return 0 if one_each else self.data_dim

    def source(self, done: int) -> batches.Source:
        return batches.source(
            self.data, self.data_dim, self.batch_size, self.seeds, self.device, done
        )

    def eta(self, t: int) -> float:
        """The step size η_t."""
        return self.rule.lr if self.schedule is None else self.schedule(t)


def _step_by_step(plan: _Plan, place: Place) -> Advance:
    gradients = of_replicas(plan.loss, plan.gradient, plan.batch_dim)
    return StepByStep(place, gradients, plan.rule, plan.source(place.done), plan.eta)


def _compiled(plan: _Plan, place: Place) -> Advance:
    """Many steps in one program where that can be, else a program for the gradient."""
    from featurebook.core.program import Program, own_program  # late: it imports torch's compiler

    gradients = traceable(plan.loss, plan.gradient, plan.batch_dim)
    try:
        return Program(place, gradients, plan.rule, plan.source(place.done), plan.eta)
    except Exception as error:  # whatever a prototype of torch may raise
        reason = str(error).strip().partition("\n")[0][:200]
        warnings.warn(
            "torch cannot compile many steps of this training into one program "
            f"({type(error).__name__}: {reason}); only its gradient is compiled",
            stacklevel=3,
        )
    gradients = own_program(gradients)
    return StepByStep(place, gradients, plan.rule, plan.source(place.done), plan.eta)


def _check_times(observe_at: Sequence[int], steps: int) -> None:
    if late := [t for t in observe_at if not 0 <= t <= steps]:
        raise ValueError(f"observe has steps {late}, outside 0..{steps}")
    if len(set(observe_at)) != len(observe_at):
        raise ValueError("observe names a step twice")


def _stop_if_bad(first_bad: Tensor, seeds: Sequence[int], plan: _Plan, place: Place) -> None:
    """Raise if a replica, (R,), had a loss that is not finite; see `Advance.first_bad`."""
    bad = (first_bad >= 0).nonzero().flatten().tolist()
    if bad:
        step = int(first_bad[bad].min())
        raise NonFiniteLossError(_diverged(step, bad, seeds, plan, place))


def _stop_if_not_finite(seeds: Sequence[int], plan: _Plan, place: Place) -> None:
    """The last update may diverge after the last loss was seen."""
    parts = [p.isfinite().reshape(len(p), -1).all(1) for p in place.params.values()]
    bad = [r for r, ok in enumerate(torch.stack(parts).all(0).tolist()) if not ok]
    if bad:
        raise NonFiniteLossError(_diverged(place.done, bad, seeds, plan, place))


def _diverged(step: int, bad: list[int], seeds: Sequence[int], plan: _Plan, place: Place) -> str:
    sizes = ", ".join(
        f"{name} {tuple(p.shape[1:])}: largest entry {p[bad[0]].abs().max().item():.3g}"
        for name, p in place.params.items()
    )
    replicas = ", ".join(f"{r} (seed {seeds[r]})" for r in bad[:8]) + (", ..." if bad[8:] else "")
    return (
        f"the loss is not finite at step {step} in replica {replicas}, {len(bad)} of {len(seeds)}. "
        f"Step size {plan.eta(max(step, 1)):.3g}. "
        f"Parameters of replica {bad[0]} now: {sizes}. A smaller step size may help."
    )


def _save(
    path: Path | None,
    fingerprint: str,
    place: Place,
    moving: Advance,
    seen: dict[str, list[Tensor]],
) -> None:
    if path is None:
        return
    tensors = {f"params/{name}": p for name, p in place.params.items()}
    tensors |= {f"state/{key}": x for key, x in moving.state().items()}
    for name, values in seen.items():
        tensors |= {f"seen/{name}/{k}": value for k, value in enumerate(values)}
    checkpoint.save(path, tensors, {"done": place.done, "fingerprint": fingerprint})


def _restore(
    path: Path, fingerprint: str, place: Place, seen: dict[str, list[Tensor]]
) -> dict[str, Tensor]:
    """Put a checkpoint into the (mutable) arguments; return what the optimizer remembered."""
    tensors, about = checkpoint.load(path)
    if about.get("fingerprint") != fingerprint:
        raise ValueError(
            f"the checkpoint {path} belongs to another training (other parameters, data, seeds, "
            "steps, loss or optimizer): delete it or name another file"
        )
    device = next(iter(place.params.values())).device
    state: dict[str, Tensor] = {}
    observed: dict[str, dict[int, Tensor]] = {}
    for key, value in tensors.items():
        kind, _, rest = key.partition("/")
        if kind == "params":
            place.params[rest].copy_(value)
        elif kind == "state":
            state[rest] = value
        else:
            name, _, k = rest.rpartition("/")
            observed.setdefault(name, {})[int(k)] = value.to(device)
    for name, values in observed.items():
        seen[name] = [values[k] for k in sorted(values)]
    place.done = int(str(about["done"]))
    return state
