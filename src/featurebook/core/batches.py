"""Mini-batches for every replica. Batch number t depends on the seed and t alone.

So a replica sees the same batches in any ensemble, and a resumed run those of an unbroken one.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count

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
        fresh = [torch.randperm(n, generator=generator(s, "batches", epoch)) for s in seeds]
        pool = torch.cat([pool, torch.stack(fresh).to(device)[:, offset:]], dim=1)
        epoch, offset = epoch + 1, 0
        whole = pool.shape[1] // size
        for k in range(whole):  # none, where a resumed epoch has fewer left than a batch
            yield pool[:, k * size : (k + 1) * size]
        pool = pool[:, whole * size :]


def gathered(data: Tree, data_dim: int | None, indices: Iterator[Tensor]) -> Iterator[Tree]:
    """The batches (R, B, ...) that index tensors (R, B) pick from the data."""
    # Rows of one long table: several times faster than indexing with two tensors.
    table = data if data_dim is None else map_tensors(lambda x: x.flatten(0, 1), data)
    size = 0 if data_dim is None else sample_count(data, data_dim)
    for index in indices:
        first = torch.arange(index.shape[0], device=index.device)[:, None] * size
        row = (index + first).flatten()

        def pick(x: Tensor, row: Tensor = row, shape: torch.Size = index.shape) -> Tensor:
            return x.index_select(0, row).view(*shape, *x.shape[1:])

        yield map_tensors(pick, table)


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
