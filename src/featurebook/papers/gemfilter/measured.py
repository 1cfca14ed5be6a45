"""Seconds and bytes of a prompt on this machine: counterparts of Figures 9.3 and 9.6."""

import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from featurebook.core import Params
from featurebook.papers.gemfilter import inference, network
from featurebook.papers.gemfilter.inference import Keep, Selection
from featurebook.papers.gemfilter.network import Size


def seconds(run: Callable[[], Any], repeats: int = 2) -> float:
    """Least processor time of several calls."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return min(found)


@torch.no_grad()
def first_token(p: Params, size: Size, tokens: Tensor, how: Selection) -> dict[str, Any]:
    """What each method does with a prompt up to the first new token: name, and a call."""
    k = how.k
    return {
        "all KV": lambda: inference.generate(p, size, tokens, 1),
        "SnapKV": lambda: inference.snapkv(p, size, tokens, k, 1),
        "H2O": lambda: inference.h2o(p, size, tokens, k, 1),
        "GemFilter": lambda: inference.gemfilter(p, size, tokens, how, 1),
    }


def largest_position(run: Callable[[], Any]) -> int:
    """The largest position of a query or key, from 0, at which a call turns them."""
    seen = [0]
    turn = network.rotated

    def watched(x: Tensor, positions: Tensor, base: float) -> Tensor:
        seen.append(int(positions.max()))
        return turn(x, positions, base)

    network.rotated = watched
    try:
        run()
    finally:
        network.rotated = turn
    return max(seen)


@torch.no_grad()
def peak_bytes(p: Params, size: Size, tokens: Tensor, keep: Keep | None = None) -> int:
    """Most bytes of keys and values at a time while prompts (B, n) are processed.

    A layer's keys and values are whole until ``keep`` has chosen among them; of the layers before
    it only what they kept is there. ``keep`` sees them for all query heads, and so counts those.
    """
    held, most = 0, 0

    def watched(Q: Tensor, K: Tensor) -> Tensor:
        nonlocal held, most
        J = torch.arange(K.shape[2]).expand(*K.shape[:2], -1) if keep is None else keep(Q, K)
        most = max(most, held + 2 * K.nbytes)
        held += 2 * J.numel() * K.shape[-1] * K.element_size()
        return J

    _, cache = inference.prefill(p, size, tokens, watched)
    if held != sum(x.nbytes for x in (*cache.keys, *cache.values)):
        raise AssertionError("what was counted is not what the cache holds")
    return max(most, held)


@torch.no_grad()
def gemfilter_peak_bytes(p: Params, size: Size, tokens: Tensor, how: Selection) -> int:
    """The same for both passes of GemFilter, the first of which keeps nothing."""
    h, most = p["embed"][tokens], 0
    for r in range(1, how.r):
        h, _, K, V = network.layer(p, size, r, h, torch.arange(tokens.shape[-1]))
        most = max(most, sum(network.repeat_kv(x, size.heads).nbytes for x in (K, V)))
    kept = tokens.gather(1, inference.select(p, size, tokens, how))
    return max(most, peak_bytes(p, size, kept))
