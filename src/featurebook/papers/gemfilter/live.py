"""What the story computes while a reader moves the prompt, the filter layer and the kept tokens."""

from typing import Any

import numpy as np

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.gemfilter import costs

LLAMA = costs.REAL["LLaMA 3.1 8B"]


def one_pass(tokens: Any, layers: Any) -> Any:
    """Operations of so many layers of LLaMA 3.1 8B on a prompt, each token seeing those before."""
    return layers * costs.layer_ops(LLAMA.P, LLAMA.heads * LLAMA.d, tokens, tokens / 2)


def both_passes(n: Any, k: Any, r: Any) -> Any:
    """Operations of GemFilter: r - 1 layers on n tokens, the keys of layer r, all layers on k."""
    keys = 2 * n * LLAMA.D * LLAMA.d * LLAMA.kv_heads
    return one_pass(n, r - 1) + keys + one_pass(np.minimum(n, k), LLAMA.m)


def step(seen: Any) -> Any:
    """Operations for one more token that sees so many keys."""
    return LLAMA.m * costs.layer_ops(LLAMA.P, LLAMA.heads * LLAMA.d, 1, seen)


def passes(n: int, k: int, r: int) -> dict[str, Any]:
    """Operations against the filter layer and against the prompt, and of a generated token."""
    layers = np.arange(2, LLAMA.m + 1)
    tokens = np.exp(np.linspace(np.log(1000), np.log(1e6), 121))
    whole, ours = one_pass(n, LLAMA.m), both_passes(n, k, r)
    return {
        "layer": layers,
        "share": both_passes(n, k, layers) / whole,
        "chosen r": r,
        "chosen": ours / whole,
        "tokens": tokens,
        "full": one_pass(tokens, LLAMA.m),
        "filtered": both_passes(tokens, k, r),
        "times": whole / ours,
        "limit": LLAMA.m / (r - 1),
        "generation": step(n) / step(min(n, k)),
    }


PASSES = Live(
    passes,
    handles=(
        Handle("r", "filter layer, r", 2, 32, 13, whole=True),
        Handle("n", "tokens of the prompt, n", 1000, 1_000_000, 131_072, whole=True, log=True),
        Handle("k", "tokens kept, k", 10, 10_000, 1024, whole=True, log=True),
    ),
    panels=(
        Panel(
            Axis("filter layer r", 2, 32),
            Axis("operations over a full pass", 0, 1.2),
            (
                Layer("layer", "share", "both passes of GemFilter"),
                Layer("chosen r", "chosen", "your r", "points"),
            ),
            drag="r",
        ),
        Panel(
            Axis("tokens of the prompt, n", 1000, 1e6, log=True),
            Axis("operations for the prompt", 1e12, 1e18, log=True),
            (
                Layer("tokens", "full", "full pass"),
                Layer("tokens", "filtered", "both passes of GemFilter"),
            ),
            drag="n",
        ),
    ),
    facts=(
        Fact("times", "times fewer for the prompt"),
        Fact("limit", "m/(r − 1)"),
        Fact("generation", "times fewer for each token generated"),
    ),
)
