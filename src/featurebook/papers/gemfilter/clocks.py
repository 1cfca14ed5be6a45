"""Processor time and peak memory of the methods of `real` on one prompt, up to its last token."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from featurebook.papers.gemfilter import costs
from featurebook.papers.gemfilter.allocated import Peak
from featurebook.papers.gemfilter.decoder import Cache, extend, logits, spacious
from featurebook.papers.gemfilter.real import SnapKV, released, rule, select

TIMED = 8
"""Tokens of an answer that are timed; a mean of them stands for all."""
NAMES: dict[str, costs.Method] = {
    "all KV": "standard", "SnapKV": "snapkv", "GemFilter": "gemfilter",
}  # fmt: skip


def seconds(run: Callable[[], Any]) -> tuple[Any, float]:
    """What a call gives, and its seconds of processor time."""
    begun = time.process_time()
    found = run()
    return found, time.process_time() - begun


def measured(run: Callable[[], Any]) -> tuple[Any, float, int]:
    """What a call on a long prompt gives, its seconds, and its peak of allocated bytes.

    To count bytes adds some hundredths of a second.
    """
    with Peak() as peak:
        found, passed = seconds(run)
    return found, passed, peak.most


@torch.no_grad()
def clocked(model: Any, ids: Tensor, r: int, k: int, t: int) -> dict[str, dict[str, float]]:
    """Seconds and bytes of one prompt (1, n) and t further tokens; see `real_costs`.

    Of these tokens at most `TIMED` are made, and their mean is taken for each.
    """
    how = SnapKV(k, window=min(32, k // 2))
    whole, full, full_peak = measured(lambda: extend(model, ids))
    snapped, snap, snap_peak = measured(lambda: extend(model, ids, watch=rule(model, ids, how)))
    J, first, first_peak = measured(lambda: select(model, ids, released(r, k)))
    short = ids.gather(1, J)
    second_peak = measured(lambda: extend(model, short))[2]
    gem, second = seconds(lambda: extend(model, short))
    begun = {"all KV": whole, "SnapKV": snapped, "GemFilter": gem}
    return {
        "prompt": {"all KV": full, "SnapKV": snap, "GemFilter": first + second},
        "passes": {"first": first, "second": second},
        "peak": {"all KV": full_peak, "SnapKV": snap_peak,
                 "GemFilter": max(first_peak, second_peak)},
        "generation": {x: t * seconds_a_token(model, h, cache, min(t, TIMED))
                       for x, (h, cache) in begun.items()},
        "counted": counted(model, ids.shape[1], r, k, t),
    }  # fmt: skip


def seconds_a_token(model: Any, h: Tensor, cache: Cache, t: int) -> float:
    """Mean of t greedy tokens, whatever they are."""
    cache = spacious([cache], t)

    def steps(h: Tensor, cache: Cache) -> None:
        for _ in range(t):
            h, cache = extend(model, logits(model, h).argmax(-1)[:, None], cache)

    return seconds(partial(steps, h, cache))[1] / t


def counted(model: Any, n: int, r: int, k: int, t: int) -> dict[str, float]:
    """Bytes of keys and values while a prompt is read, by Theorem 9.3 without its weights."""
    about = model.config
    d = model.model.layers[0].self_attn.head_dim
    s = costs.Setting(n, k, t, about.num_hidden_layers, r, about.num_key_value_heads, d, w=0)
    size = model.lm_head.weight.element_size()
    return {x: float(size * costs.memory(s, "prompt", of)) for x, of in NAMES.items()}
