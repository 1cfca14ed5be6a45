"""Ensembles larger than a device: as many replicas at a time as fit, on every device there is."""

import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue
from typing import Any

import psutil
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from featurebook.core import batches
from featurebook.core.ensemble import Params, map_tensors
from featurebook.core.execution import HERE, Execution
from featurebook.core.gradients import Gradient, Loss, of_replicas
from featurebook.core.recording import Run
from featurebook.core.training import train

SHARE_OF_FREE_MEMORY = 0.7
COPIES_OF_PARAMETERS = 4  # themselves, the gradient, two moments of Adam


def train_in_parts(
    loss: Loss,
    params: Params,
    data: Any,
    *,
    seeds: Sequence[int],
    devices: Sequence[torch.device | str] | None = None,
    at_a_time: int | None = None,
    data_dim: int | None = 0,
    execution: Execution = HERE,
    **plan: Any,
) -> Run:
    """As `train`, for an ensemble of any size, in parts that go to whichever device is free.

    A replica's result depends on its seed alone, so it is that of `train` to rounding. The whole
    of ``params`` and ``data`` stays where it is; each part is moved to its device in turn.

    Args:
        loss, params, data, seeds, data_dim: as in `train`.
        devices: where to train; all visible GPUs by default, or the CPU if there are none.
        at_a_time: replicas in a part; by default what fits, and no more than a device's share.
        execution: as in `train`, but for its device. Each part keeps a checkpoint of its own, with
            the number of its first replica. On several devices Ctrl-C stops after the parts that
            are running.
        plan: whatever else `train` takes.

    Raises:
        MemoryError: if not even one replica fits, with what it needs and what there is.
        ValueError, NonFiniteLossError: as `train`; the numbers of replicas are those of the part.
    """
    places = [torch.device(d) for d in devices or _all_devices()]
    if at_a_time is None:
        share = -(-len(seeds) // len(places))
        needed = bytes_of_a_replica(loss, params, data, seeds, data_dim, **plan)
        at_a_time = min(share, *(fitting(needed, _free_bytes(p), p) for p in places))
    if at_a_time < 1:
        raise ValueError(f"at_a_time = {at_a_time}: must be at least 1")
    free: SimpleQueue[torch.device] = SimpleQueue()
    for place in places:
        free.put(place)

    file = execution.checkpoint_file

    def one_part(first: int) -> Run:
        part = slice(first, first + at_a_time)
        device = free.get()
        try:
            return train(
                loss,
                _replicas(params, part),
                data if callable(data) or data_dim is None else _replicas(data, part),
                seeds=seeds[part],
                data_dim=data_dim,
                execution=replace(
                    execution,
                    device=device,
                    checkpoint_file=file and file.with_name(f"{first}-{file.name}"),
                ),
                **plan,
            )
        finally:
            free.put(device)

    starts = range(0, len(seeds), at_a_time)
    if len(places) == 1:  # on this thread, where Ctrl-C is noticed
        runs = [one_part(first) for first in starts]
    else:
        with ThreadPoolExecutor(len(places)) as pool:
            tasks = [pool.submit(one_part, first) for first in starts]
            try:
                runs = [task.result() for task in tasks]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    home = next(iter(params.values())).device
    return Run(
        params={k: torch.cat([r.params[k].to(home) for r in runs]) for k in params},
        seeds=tuple(seeds),
        steps=runs[0].steps,
        observed={
            k: torch.cat([r.observed[k].to(home) for r in runs], dim=1) for k in runs[0].observed
        },
        seconds=sum(r.seconds for r in runs),
    )


def bytes_of_a_replica(
    loss: Loss,
    params: Params,
    data: Any,
    seeds: Sequence[int],
    data_dim: int | None,
    *,
    gradient: Gradient | None = None,
    batch_size: int | None = None,
    **_: object,
) -> int:
    """The most memory that one step of one replica holds, with its data: measured on one step."""
    one = slice(0, 1)
    cpu = torch.device("cpu")
    own = {k: p.to(cpu) for k, p in _replicas(params, one).items()}
    mine = data if callable(data) or data_dim is None else _replicas(data, one)
    batch_dim = 0 if batch_size is not None or callable(data) else data_dim
    gradients = of_replicas(loss, gradient, batch_dim)
    with torch.no_grad(), _Live() as live:
        gradients(own, next(iter(batches.source(mine, data_dim, batch_size, seeds[:1], cpu))))
    held = sum(p.nbytes for p in own.values()) * COPIES_OF_PARAMETERS
    if not callable(data):
        held += sum(x.nbytes for x in tree_leaves(mine))
    return live.most + held


def fitting(needed: int, free: int, device: torch.device) -> int:
    """How many replicas of ``needed`` bytes fit into a share of the ``free`` ones.

    Raises:
        MemoryError: if none does.
    """
    usable = int(free * SHARE_OF_FREE_MEMORY)
    if needed > usable:
        raise MemoryError(
            f"one replica needs {needed / 2**20:.0f} MiB on {device}, where {free / 2**20:.0f} MiB "
            f"are free and {usable / 2**20:.0f} MiB may be used: take smaller batches or networks"
        )
    return usable // max(needed, 1)


def _replicas(tree: Any, part: slice) -> Any:
    return map_tensors(lambda x: x[part], tree)


def _all_devices() -> list[str]:
    return [f"cuda:{k}" for k in range(torch.cuda.device_count())] or ["cpu"]


def _free_bytes(device: torch.device) -> int:
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    return psutil.virtual_memory().available


class _Live(TorchDispatchMode):
    """Counts the bytes of the tensors that are alive, and the most there were."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.most = 0
        self.known: set[int] = set()

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        for x in tree_leaves(out):
            if isinstance(x, Tensor):
                self._add(x.untyped_storage())
        return out

    def _add(self, storage: torch.UntypedStorage) -> None:
        key, size = storage._cdata, storage.nbytes()
        if key in self.known:
            return
        self.known.add(key)
        self.now += size
        self.most = max(self.most, self.now)
        weakref.finalize(storage, self._remove, key, size)

    def _remove(self, key: int, size: int) -> None:
        self.known.discard(key)
        self.now -= size
