"""Replicas: what is drawn from seeds, and functions of one network lifted to many."""

import zlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

Params = dict[str, Tensor]
"""Parameters by name; in an ensemble each tensor has a leading replica axis of length R."""

Tree = TypeVar("Tree", bound="Tensor | tuple[Any, ...] | dict[str, Any]")
Function = TypeVar("Function", bound=Callable[..., Any])


def generator(seed: int, *stream: int | str) -> torch.Generator:
    """A CPU random generator for one ``seed`` and one named ``stream`` of it.

    Streams of one seed are independent of each other, so that drawing more from one (data, say)
    never changes another (initialisation). It lives on the CPU so that a seed means the same
    numbers on every device.

    Raises:
        ValueError: if ``seed`` is negative.
    """
    if seed < 0:
        raise ValueError(f"seed = {seed}: a seed is a whole number >= 0")
    key = [zlib.crc32(s.encode()) if isinstance(s, str) else s for s in stream]
    state = np.random.SeedSequence([seed, *key]).generate_state(1, np.uint64)[0]
    return torch.Generator().manual_seed(int(state >> np.uint64(1)))


def map_tensors(function: Callable[..., Tensor], tree: Tree, *others: Tree) -> Tree:
    """Apply ``function`` to each tensor of a tensor, tuple or dict (nested as they come)."""
    if isinstance(tree, Tensor):
        return function(tree, *others)  # type: ignore[return-value]
    if isinstance(tree, dict):
        return {k: map_tensors(function, tree[k], *(o[k] for o in others)) for k in tree}  # type: ignore[return-value, index, call-overload]
    return tuple(map_tensors(function, *leaves) for leaves in zip(tree, *others, strict=True))  # type: ignore[return-value]


def replicate(draw: Callable[[torch.Generator], Tree], seeds: Sequence[int], stream: str) -> Tree:
    """Draw once for every seed and stack: tensors (R, ...), in the order of ``seeds``.

    Args:
        draw: what one network draws (parameters, a training set) from a generator.
        seeds: one per replica.
        stream: names what is drawn, such as ``"init"`` or ``"data"``; see `generator`.
    """
    if not seeds:
        raise ValueError("seeds is empty: an ensemble needs at least one replica")
    drawn = [draw(generator(seed, stream)) for seed in seeds]
    return map_tensors(lambda *leaves: torch.stack(leaves), *drawn)


def per_network(
    function: Callable[..., Any], *dims: int | None, chunk_size: int | None = None
) -> Callable[..., Any]:
    """Lift a function of one network to an ensemble (`torch.vmap` over the leading axes).

    Args:
        function: of one network's parameters, and perhaps more.
        dims: for each argument the axis of the replicas, ``None`` where all share it.
        chunk_size: replicas computed at a time, to bound memory; all by default.
    """
    return torch.vmap(function, in_dims=dims, chunk_size=chunk_size)


def takes_replicas(function: Function) -> Function:
    """Declare that a function of one network, called with all replicas at once, does the same.

    Every tensor may then have a leading replica axis, in the arguments and in what is returned,
    and one that replicas share has none. `train` calls such a loss or gradient without
    `torch.vmap`, whose bookkeeping costs as much as the arithmetic of a small network, and which
    reorders images between one layer and the next.
    """
    function.takes_replicas = True  # type: ignore[attr-defined]
    return function


def for_replicas(function: Callable[..., Any], *dims: int | None) -> Callable[..., Any]:
    """`per_network`, or the function itself (a `partial` of it) if it `takes_replicas`.

    A single replica is computed without `torch.vmap`: its bookkeeping is a third of a small
    network's time.
    """
    inner = function
    while isinstance(inner, partial):
        inner = inner.func
    if hasattr(inner, "takes_replicas"):
        return function
    lifted = per_network(function, *dims)

    def call(params: Params, *rest: Any) -> Any:
        if sample_count(params, None) > 1:
            return lifted(params, *rest)
        one = (
            x if dim is None else map_tensors(lambda leaf: leaf.squeeze(0), x)
            for dim, x in zip(dims, (params, *rest), strict=True)
        )
        return map_tensors(lambda leaf: leaf.unsqueeze(0), function(*one))

    return call


def sample_count(data: Tree, data_dim: int | None) -> int:
    """N, for data (R, N, ...), or (N, ...) if ``data_dim`` is None."""
    while not isinstance(data, Tensor):
        data = next(iter(data.values() if isinstance(data, dict) else data))
    return data.shape[0 if data_dim is None else 1]


def check_sizes(
    params: Params,
    data: Any,
    steps: int,
    seeds: Sequence[int],
    batch_size: int | None,
    data_dim: int | None,
) -> None:
    """Refuse sizes that do not fit together; see `featurebook.core.train`.

    Raises:
        ValueError: naming what does not fit.
    """
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
