"""Mini-batches for every replica. Batch number t depends on the seed and t alone.

So a replica sees the same batches in any ensemble, and a resumed run those of an unbroken one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, repeat
from typing import Any

import torch
from torch import Tensor

from featurebook.core.ensemble import Tree, generator, map_tensors, replicate, sample_count

Draw = Callable[[torch.Generator, int], Tree]
"""Draws a number of fresh batches of one network: tensors (count, B, ...)."""

FRESH_AT_A_TIME = 32


def shuffled(
    seeds: Sequence[int], n: int, size: int, device: torch.device, start: int = 0
) -> Iterator[Tensor]:
    """Index tensors (R, ``size``) from step ``start`` on: every epoch a new permutation of n.

    A batch that reaches the end of an epoch takes its rest from the next.
    """
    epoch, offset = divmod(start * size, n)
    pool = torch.empty(len(seeds), 0, dtype=torch.int64, device=device)
    while True:
        drawn = _permutations(seeds, n, epoch).to(device)
        pool = torch.cat([pool, drawn[:, offset:]], dim=1)
        epoch, offset = epoch + 1, 0
        whole = pool.shape[1] // size
        for k in range(whole):  # none, where a resumed epoch has fewer left than a batch
            yield pool[:, k * size : (k + 1) * size]
        pool = pool[:, whole * size :]


def _permutations(seeds: Sequence[int], n: int, epoch: int) -> Tensor:
    """Each seed's permutation of n in an epoch, (R, n), on the CPU: a GPU's draws are others."""
    drawn = torch.empty(len(seeds), n, dtype=torch.int64)
    for seed, row in zip(seeds, drawn, strict=True):
        torch.randperm(n, generator=generator(seed, "batches", epoch), out=row)
    return drawn


def fresh(
    draw: Draw[Tree], seeds: Sequence[int], device: torch.device, start: int = 0
) -> Iterator[Tree]:
    """Batches (R, B, ...) that are never seen again, from step ``start`` on."""
    first, skip = divmod(start, FRESH_AT_A_TIME)
    for chunk in count(first):
        drawn = replicate(lambda g: draw(g, FRESH_AT_A_TIME), seeds, f"batches {chunk}")
        on_device = map_tensors(lambda x: x.to(device), drawn)
        for k in range(skip, FRESH_AT_A_TIME):
            yield map_tensors(lambda x, k=k: x[:, k], on_device)
        skip = 0


@dataclass(frozen=True)
class Source:
    """Where a training's batches come from.

    Attributes:
        table: what every step reads: the data, or nothing.
        items: for each step what it alone has: each replica's row numbers (R, B), or tensors
            (R, B, ...); an empty tuple where every step takes all data.
        pick: the batch, of the table and an item.
    """

    table: Any
    items: Iterator[Any]
    pick: Callable[[Any, Any], Any]

    def __iter__(self) -> Iterator[Any]:
        return (self.pick(self.table, item) for item in self.items)


def source(
    data: Any,
    data_dim: int | None,
    batch_size: int | None,
    seeds: Sequence[int],
    device: torch.device,
    start: int = 0,
) -> Source:
    """The batches of a training on ``device``, from after ``start`` updates on; see `train`."""
    if callable(data):
        return Source((), fresh(data, seeds, device, start), _the_item)
    data = map_tensors(lambda x: x.to(device), data)
    if batch_size is None:
        return Source(data, repeat(()), _the_table)
    n = sample_count(data, data_dim)
    # Rows of one long table: several times faster than indexing with two tensors.
    table = data if data_dim is None else map_tensors(lambda x: x.flatten(0, 1), data)
    first = torch.arange(len(seeds), device=device)[:, None] * (0 if data_dim is None else n)
    return Source((table, first), shuffled(seeds, n, batch_size, device, start), _rows)


def _the_item(table: Any, item: Any) -> Any:
    return item


def _the_table(table: Any, item: Any) -> Any:
    return table


def _rows(table: Any, index: Tensor) -> Any:
    """The rows (R, B, ...) of each tensor of a table, whose replicas' first rows are known."""
    rows, first = table
    flat = (index + first).flatten()
    return map_tensors(lambda x: x.index_select(0, flat).view(*index.shape, *x.shape[1:]), rows)
