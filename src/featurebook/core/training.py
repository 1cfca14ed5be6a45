"""Train R networks at once. A loss is written for one network; `torch.func.vmap` does the rest."""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from inspect import signature
from itertools import repeat
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from featurebook.core import batches, checkpoint
from featurebook.core.device import (
    keep_freed_memory,
    multiply_with_onednn,
    release_freed_memory,
)
from featurebook.core.ensemble import Params, for_replicas, map_tensors, sample_count
from featurebook.core.execution import HERE, Execution
from featurebook.core.progress import progress
from featurebook.core.recording import Observe, Run, log_spaced
from featurebook.core.schedules import Schedule

Loss = Callable[[Params, Any], Tensor]
Gradient = Callable[[Params, Any], tuple[Params, Tensor]]
Optimizer = Callable[[list[Tensor]], torch.optim.Optimizer]

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
        seeds: one a replica; decide the order of the mini-batches.
        optimizer: makes a `torch.optim.Optimizer` from a list of tensors, such as
            ``partial(torch.optim.SGD, lr=0.1)``; it must act entry by entry, as SGD and Adam do.
        schedule: step size η_t of update t = 1, 2, ...; by default the optimizer's own.
        batch_size: mini-batches of that many, a new permutation every epoch; full batch by default.
        data_dim: axis of the replicas in ``data``; None where all share one data set.
        gradient: of ``loss`` for one network, as ``(gradients, loss)``, where the mathematics has
            a cheaper one than automatic differentiation.
        observe: what to keep of the parameters on the way, and when; nothing by default.
        execution: where and how; by default on the CPU, uncompiled.

    Raises:
        ValueError: for sizes that do not fit together, before any training.
        NonFiniteLossError: when a loss is infinite or not a number.
    """
    wanted = set() if observe is None else set(observe.at)
    if observe is not None:
        _check_times(observe.at, steps)
    _check_sizes(params, data, steps, seeds, batch_size, data_dim)
    start_time = time.perf_counter()
    device, compiled = torch.device(execution.device), execution.compiled
    if device.type == "cpu":
        keep_freed_memory()
        multiply_with_onednn()
    params = {name: p.detach().to(device, copy=True) for name, p in params.items()}
    update = optimizer(list(params.values()))
    seen: dict[str, list[Tensor]] = {}
    done, fingerprint = 0, ""
    checkpoint_file = execution.checkpoint_file or checkpoint.wanted_by_runner()
    if checkpoint_file is not None:
        etas = [] if schedule is None else [schedule(t) for t in log_spaced(steps)[1:]]
        fingerprint = _fingerprint(
            loss, params, data, update, etas, steps, seeds, batch_size, observe
        )
        if checkpoint_file.exists():
            done = _restore(checkpoint_file, fingerprint, params, update, seen)

    batch_dim = 0 if batch_size is not None or callable(data) else data_dim
    one = gradient or torch.func.grad_and_value(loss)
    gradients = for_replicas(one, 0, batch_dim)
    move: Callable[[Params], None] = partial(_move, params, update)
    if compiled:
        gradients = _own_program(gradients)
    if compiled and done > 0:
        # Before its first step an optimizer has no state, and would be compiled a second time.
        move = _compiled(move, update)
    supply = supply_of(data, data_dim, batch_size, seeds, device, done)

    losses: list[Tensor] = []  # since the last check
    save = partial(_save, checkpoint_file, fingerprint, params, update, seen)
    last_saved = time.monotonic()

    def record(step: int) -> None:
        if step in wanted and observe is not None:
            values = {name: x.detach().clone() for name, x in observe.what(params).items()}
            for name, value in values.items():
                seen.setdefault(name, []).append(value)

    with progress(execution.label, steps) as report, torch.no_grad():
        whole = True
        try:
            # The start, or what an interruption kept from being observed.
            if len(next(iter(seen.values()), [])) < sum(t <= done for t in wanted):
                record(done)
            while done < steps:
                if schedule is not None:
                    _set_step_size(update, schedule(done + 1))
                grads, value = gradients(params, next(supply))
                losses.append(value)
                whole = False
                move(grads)
                done += 1
                whole = True
                if compiled and done == 1:
                    move = _compiled(move, update)
                record(done)
                if done % STEPS_BETWEEN_CHECKS == 0 or done == steps:
                    _stop_if_bad(losses, done, seeds, update, params)
                    losses.clear()
                    report(done)
                    if time.monotonic() - last_saved > SECONDS_BETWEEN_CHECKPOINTS:
                        save(done)
                        last_saved = time.monotonic()
        except KeyboardInterrupt:
            if whole:  # half an update is no state to go on from; the last checkpoint is
                save(done)
            raise
        _stop_if_not_finite(params, done, seeds, update)
    save(done)
    if device.type == "cpu":
        release_freed_memory()
    return Run(
        params={name: p.detach() for name, p in params.items()},
        seeds=tuple(seeds),
        steps=tuple(sorted(wanted)),
        observed={name: torch.stack(values) for name, values in seen.items()},
        seconds=time.perf_counter() - start_time,
    )


def _move(params: Params, update: torch.optim.Optimizer, grads: Params) -> None:
    """One update of the parameters, in place."""
    for name, p in params.items():
        p.grad = grads[name]
    update.step()


def _compiled(
    move: Callable[[Params], None], update: torch.optim.Optimizer
) -> Callable[[Params], None]:
    for group in update.param_groups:
        # As a number it would be part of the program, which is compiled anew when it changes.
        group["lr"] = torch.tensor(group["lr"], dtype=torch.float64)
    return _own_program(move)


def _own_program(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled for the shapes of this training alone.

    Otherwise the second training of a process gets a program for all shapes, several times slower,
    and after the eighth torch compiles no more (versions without ``isolate_recompiles`` still do).
    """
    known = signature(torch.compile).parameters
    own: dict[str, Any] = {"isolate_recompiles": True} if "isolate_recompiles" in known else {}
    return torch.compile(function, dynamic=False, **own)


def _set_step_size(update: torch.optim.Optimizer, eta: float) -> None:
    for group in update.param_groups:
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(eta)
        else:
            group["lr"] = eta


def _check_times(observe_at: Sequence[int], steps: int) -> None:
    if late := [t for t in observe_at if not 0 <= t <= steps]:
        raise ValueError(f"observe has steps {late}, outside 0..{steps}")
    if len(set(observe_at)) != len(observe_at):
        raise ValueError("observe names a step twice")


def _check_sizes(
    params: Params,
    data: Any,
    steps: int,
    seeds: Sequence[int],
    batch_size: int | None,
    data_dim: int | None,
) -> None:
    if steps < 0:
        raise ValueError(f"steps = {steps}: must be >= 0")
    if data_dim not in (0, None):
        raise ValueError(f"data_dim = {data_dim}: must be 0, or None where replicas share the data")
    for name, p in params.items():
        if p.ndim == 0 or p.shape[0] != len(seeds):
            raise ValueError(
                f"parameter {name!r} has shape {tuple(p.shape)}, but there are {len(seeds)} seeds: "
                "its first axis must be the replicas"
            )
    if callable(data):
        return

    axis = 0 if data_dim is None else 1
    sizes: set[int] = set()

    def check(x: Tensor) -> Tensor:
        if x.ndim <= axis:
            raise ValueError(f"data has shape {tuple(x.shape)}: it lacks the axis of the samples")
        if data_dim == 0 and x.shape[0] != len(seeds):
            raise ValueError(
                f"data has shape {tuple(x.shape)} for {len(seeds)} seeds: its first axis must be "
                "the replicas, or pass data_dim=None to share it"
            )
        sizes.add(x.shape[axis])
        return x

    map_tensors(check, data)
    if len(sizes) != 1:
        raise ValueError(f"the tensors of data disagree on the number of samples: {sorted(sizes)}")
    n = sizes.pop()
    if batch_size is not None and not 1 <= batch_size <= n:
        raise ValueError(f"batch_size = {batch_size}: must be between 1 and the {n} samples")


def supply_of(
    data: Any,
    data_dim: int | None,
    batch_size: int | None,
    seeds: Sequence[int],
    device: torch.device,
    done: int,
) -> Iterator[Any]:
    """The batches of a training, (R, B, ...) on ``device``, from after ``done`` updates on."""
    if callable(data):
        return batches.fresh(data, seeds, device, done)
    data = map_tensors(lambda x: x.to(device), data)
    if batch_size is None:
        return repeat(data)
    n = sample_count(data, data_dim)
    return batches.gathered(data, data_dim, batches.shuffled(seeds, n, batch_size, device, done))


def _stop_if_bad(
    losses: Sequence[Tensor],
    done: int,
    seeds: Sequence[int],
    update: torch.optim.Optimizer,
    params: Params,
) -> None:
    """Raise if one of the last losses, each (R,), is not finite.

    The only place that waits for the device.
    """
    not_finite = ~torch.stack(list(losses)).isfinite()  # (steps, R)
    if not_finite.any():
        step = done - len(losses) + int(not_finite.any(1).nonzero()[0])
        bad = not_finite.any(0).nonzero().flatten().tolist()
        raise NonFiniteLossError(_diverged(step, bad, seeds, update, params))


def _stop_if_not_finite(
    params: Params, done: int, seeds: Sequence[int], update: torch.optim.Optimizer
) -> None:
    """The last update may diverge after the last loss was seen."""
    finite = torch.stack([p.isfinite().reshape(len(p), -1).all(1) for p in params.values()]).all(0)
    bad = [r for r, ok in enumerate(finite.tolist()) if not ok]
    if bad:
        raise NonFiniteLossError(_diverged(done, bad, seeds, update, params))


def _diverged(
    step: int,
    bad: list[int],
    seeds: Sequence[int],
    update: torch.optim.Optimizer,
    params: Params,
) -> str:
    sizes = ", ".join(
        f"{name} {tuple(p.shape[1:])}: largest entry {p[bad[0]].abs().max().item():.3g}"
        for name, p in params.items()
    )
    replicas = ", ".join(f"{r} (seed {seeds[r]})" for r in bad[:8]) + (", ..." if bad[8:] else "")
    return (
        f"the loss is not finite at step {step} in replica {replicas}, {len(bad)} of {len(seeds)}. "
        f"Step size {update.param_groups[0]['lr']:.3g}. "
        f"Parameters of replica {bad[0]} now: {sizes}. A smaller step size may help."
    )


def _fingerprint(
    loss: Loss,
    params: Params,
    data: Any,
    update: torch.optim.Optimizer,
    etas: Sequence[float],
    steps: int,
    seeds: Sequence[int],
    batch_size: int | None,
    observe: Observe | None,
) -> str:
    """Identifies a training, so that a checkpoint is never continued by another.

    Of the loss only its name is seen, and nothing of what draws fresh batches.
    """
    digest = hashlib.sha256()

    def add(x: Tensor) -> Tensor:
        digest.update(repr((tuple(x.shape), x.dtype)).encode())
        digest.update(x.detach().cpu().contiguous().view(torch.uint8).numpy().tobytes())
        return x

    map_tensors(add, params)
    if not callable(data):
        map_tensors(add, data)
    while isinstance(loss, partial):
        loss = loss.func
    name = getattr(loss, "__qualname__", type(loss).__qualname__)
    plan = (type(update).__name__, update.defaults, etas, steps, tuple(seeds), batch_size)
    digest.update(repr((name, plan, () if observe is None else tuple(observe.at))).encode())
    return digest.hexdigest()


def _save(
    path: Path | None,
    fingerprint: str,
    params: Params,
    update: torch.optim.Optimizer,
    seen: dict[str, list[Tensor]],
    done: int,
) -> None:
    if path is None:
        return
    tensors = {f"params/{name}": p for name, p in params.items()}
    for index, state in update.state_dict()["state"].items():
        tensors |= {f"state/{index}/{k}": v for k, v in state.items() if isinstance(v, Tensor)}
    for name, values in seen.items():
        tensors |= {f"seen/{name}/{k}": value for k, value in enumerate(values)}
    checkpoint.save(path, tensors, {"done": done, "fingerprint": fingerprint})


def _restore(
    path: Path,
    fingerprint: str,
    params: Params,
    update: torch.optim.Optimizer,
    seen: dict[str, list[Tensor]],
) -> int:
    """Put a checkpoint's state into the (mutable) arguments; return the steps done."""
    tensors, about = checkpoint.load(path)
    if about.get("fingerprint") != fingerprint:
        raise ValueError(
            f"the checkpoint {path} belongs to another training (other parameters, data, seeds, "
            "steps, loss or optimizer): delete it or name another file"
        )
    device = next(iter(params.values())).device
    state: dict[int, dict[str, Tensor]] = {}
    observed: dict[str, dict[int, Tensor]] = {}
    for key, value in tensors.items():
        kind, _, rest = key.partition("/")
        if kind == "params":
            params[rest].copy_(value)
        elif kind == "state":
            index, _, name = rest.partition("/")
            state.setdefault(int(index), {})[name] = value
        else:
            name, _, k = rest.rpartition("/")
            observed.setdefault(name, {})[int(k)] = value.to(device)
    update.load_state_dict({"state": state, "param_groups": update.state_dict()["param_groups"]})
    for name, values in observed.items():
        seen[name] = [values[k] for k in sorted(values)]
    return int(str(about["done"]))
