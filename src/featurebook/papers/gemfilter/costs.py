"""Theorem 9.3: its cells as printed and as they should be, exact counts, and a tracer.

All formulas are polynomials and take integers or sympy symbols. Counts are of multiplications and
additions in matrix products, as torch's own counter sees them; memory is counted in numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from featurebook.papers.gemfilter.network import Size

Method = Literal["standard", "snapkv", "gemfilter"]
METHODS: tuple[Method, ...] = ("standard", "snapkv", "gemfilter")


@dataclass(frozen=True)
class Setting:
    """Sizes of Theorem 9.3: numbers, or symbols.

    Attributes:
        n, k, t: tokens of the prompt, kept, generated.
        m, r: layers, filter layer.
        h, d: heads of keys and values that are stored, and their dimension.
        w: numbers in the weights of a layer.
    """

    n: Any
    k: Any
    t: Any
    m: Any
    r: Any
    h: Any
    d: Any
    w: Any


def time(s: Setting, phase: str, method: Method) -> Any:
    """What stands inside of Theta in a cell of the time rows."""
    if phase == "prompt":
        return (s.r if method == "gemfilter" else s.m) * s.h * s.n**2 * s.d
    inside = {"standard": s.n * s.t, "snapkv": s.k * s.t, "gemfilter": s.k**2}[method]
    return s.m * s.h * (inside + s.t**2) * s.d


def with_weights(s: Setting, passed: Any, method: Method) -> Any:
    """A corrected cell of generation, where ``passed`` tokens go through the weights."""
    return s.m * passed * (s.h * s.d) ** 2 + time(s, "generation", method)


def memory(s: Setting, phase: str, method: Method, printed: bool = False) -> Any:
    """A cell of the memory rows; ``printed`` as it stands in the thesis.

    SnapKV has one layer whole while the other m - 1 are selected; the printed cell counts all m.
    """
    if phase == "generation":
        kept = s.n if method == "standard" else s.k
        return s.m * s.w + 2 * s.m * s.h * (kept + s.t) * s.d
    if method == "standard":
        return s.m * s.w + 2 * s.m * s.h * s.d * (1 if printed else s.n)
    if method == "snapkv":
        selected = s.m if printed else s.m - 1
        return s.m * s.w + 2 * s.h * s.n * s.d + 2 * selected * s.h * s.k * s.d
    return s.r * s.w + 2 * s.h * s.n * s.d


def peak(s: Setting, method: Method) -> Any:
    """The larger of both phases."""
    return max(memory(s, phase, method) for phase in ("prompt", "generation"))


def layer_ops(P: Any, hd: Any, n: Any, seen: Any) -> Any:
    """Operations of one layer of P weights on n tokens that each see ``seen`` keys."""
    return 2 * n * P + 4 * n * seen * hd


def prompt_ops(size: Size, n: int) -> int:
    """Operations of the whole model on a prompt, logits of the last token included."""
    hd = size.heads * size.head_dim
    return size.layers * layer_ops(size.layer_weights, hd, n, n) + 2 * size.width * size.vocabulary


def filter_ops(size: Size, n: int, r: int) -> int:
    """Operations of GemFilter's first pass: r - 1 layers, then keys and one query's scores."""
    hd, kv = size.heads * size.head_dim, size.kv_heads * size.head_dim
    last = 2 * n * size.width * kv + 2 * size.width * hd + 2 * n * hd
    return (r - 1) * layer_ops(size.layer_weights, hd, n, n) + last


def step_ops(size: Size, seen: int) -> int:
    """Operations for one more token that sees so many keys, itself included."""
    hd = size.heads * size.head_dim
    return (
        size.layers * layer_ops(size.layer_weights, hd, 1, seen) + 2 * size.width * size.vocabulary
    )


def traced(run: Callable[[], Any]) -> int:
    """Operations of all matrix products in a call, counted while it runs."""
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        run()
    return counter.get_total_flops()


@dataclass(frozen=True)
class Real:
    """A language model of the thesis, from its public description (not in the thesis).

    Attributes:
        m, r: layers; filter layer, from 1.
        D, heads, kv_heads, d: width, heads of queries, heads of keys and values, their dimension.
        hidden: inner width of the gated MLP.
        vocabulary: tokens.
    """

    m: int
    r: int
    D: int
    heads: int
    kv_heads: int
    d: int
    hidden: int
    vocabulary: int

    @property
    def P(self) -> int:
        """Weights of a layer: queries, keys, values, output, and three matrices of the MLP."""
        return self.D * self.d * (2 * self.heads + 2 * self.kv_heads) + 3 * self.D * self.hidden

    def setting(self, n: int, k: int, t: int) -> Setting:
        """As Theorem 9.3 has it, with the heads that are stored."""
        return Setting(n, k, t, self.m, self.r, self.kv_heads, self.d, self.P)


REAL = {
    "LLaMA 3.1 8B": Real(32, 13, 4096, 32, 8, 128, 14336, 128256),
    "Mistral Nemo 12B": Real(40, 19, 5120, 32, 8, 128, 14336, 131072),
    "Phi 3.5 Mini 3.8B": Real(32, 19, 3072, 32, 32, 96, 8192, 32064),
}


def mask_after(Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    """Definition 9.1 as printed: the causal mask multiplies what the softmax gives."""
    rows = (Q @ K.T / Q.shape[-1] ** 0.5).softmax(-1)
    return torch.tril(torch.ones_like(rows)) * rows @ V


def argsorted(top_indices: Tensor) -> Tensor:
    """What the printed code returns for the indices of the largest scores (line 8)."""
    return torch.sort(top_indices, dim=-1).indices
