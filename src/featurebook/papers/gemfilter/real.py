"""GemFilter, SnapKV, H2O and the full cache on a model of the package transformers.

    from featurebook.papers.gemfilter import SnapKV, generate, released

    new = generate(model, ids, released(r=14, k=1024))  # (B, at most 50) token numbers
    new = generate(model, ids, SnapKV(k=1024))
    new = generate(model, ids)  # the full cache

Prompts (B, n) of one length go in together. Selections and softmaxes of the rules are computed in
float32. Where k is at least n, every method gives what the full cache gives, to the bit. The rules
follow the released code: SnapKV's window of 32, means of five of the votes of all places before it;
H2O decides once, after the prompt. Layers count from 1, so the released r = 13, counted from 0, is
r = 14 here.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from featurebook.papers.gemfilter.decoder import (
    Watch,
    continued,
    extend,
    projected,
    require_llama_like,
)
from featurebook.papers.gemfilter.inference import Pool, Selection, pooled, row_of, scores, top
from featurebook.papers.gemfilter.network import repeat_kv

ROWS = 64
"""Rows of an attention matrix that H2O sums at a time; more do not fit into a processor's cache."""


@dataclass(frozen=True)
class SnapKV:
    """Keep k places per layer and head: the window at the end, and what it attends to most."""

    k: int = 1024
    window: int = 32
    pool: Pool = "zeros"
    width: int = 5


@dataclass(frozen=True)
class H2O:
    """Keep k places per layer and head: recent ones, and those with the most attention so far."""

    k: int = 1024
    recent: int = 32


@dataclass(frozen=True)
class OneRun:
    """Keep the places that GemFilter selects, with keys and values of the whole pass."""

    how: Selection


Method = Selection | SnapKV | H2O | OneRun | None
"""A Selection is GemFilter; None the full cache."""


def released(r: int, k: int) -> Selection:
    """GemFilter as released: no token is kept by force; means of five, zeros beyond the ends."""
    return Selection(r, k, keep_last=0, pool="zeros", width=5)


def generate(model: Any, ids: Tensor, how: Method = None, t: int = 50) -> Tensor:
    """Greedy generation after prompts (B, n): new token numbers (B, t).

    Args:
        model: Llama-like, of transformers.
        how: `Selection` (GemFilter; see `released`), `SnapKV`, `H2O`, `OneRun`, or None.

    Raises:
        ValueError: if the model is not Llama-like.
    """
    require_llama_like(model, ids.shape[1])
    if isinstance(how, Selection):
        h, cache = extend(model, ids.gather(1, select(model, ids, how)))
    else:
        h, cache = extend(model, ids, watch=rule(model, ids, how))
    return continued(model, h, cache, t)


def rule(model: Any, ids: Tensor, how: SnapKV | H2O | OneRun | None) -> Watch | None:
    """What a method keeps of each layer; None if that is everything."""
    if how is None or budget(how) >= ids.shape[1]:
        return None
    if isinstance(how, SnapKV):
        return lambda r, Q, K: snap_places(Q, K, how)
    if isinstance(how, H2O):
        return lambda r, Q, K: h2o_places(column_sums(Q, K), how)
    J = select(model, ids, how.how)[:, None]
    return lambda r, Q, K: J.expand(-1, K.shape[1], -1)


def budget(how: Selection | SnapKV | H2O | OneRun) -> int:
    """Tokens that a method keeps."""
    return how.how.k if isinstance(how, OneRun) else how.k


@torch.no_grad()
def select(model: Any, ids: Tensor, how: Selection) -> Tensor:
    """J of Algorithm 2 for prompts (B, n): (B, k), in order. Layers from r on do not run."""
    require_llama_like(model, ids.shape[1])
    h, _ = extend(model, ids, watch=_nothing, layers=how.r - 1)
    positions = torch.arange(ids.shape[1], device=ids.device)[None]
    rotary = model.model.rotary_emb(h, positions)
    Q, K, _ = projected(model.model.layers[how.r - 1], h, rotary)
    return chosen(row_scores(Q, K, how), how)


def row_scores(Q: Tensor, K: Tensor, how: Selection) -> Tensor:
    """Scores (B, n) of all places before they are pooled, summed over the heads."""
    K = repeat_kv(K, Q.shape[1]).float()
    return scores(row_of(Q.float(), K, how.row), K, how.score)


def chosen(found: Tensor, how: Selection) -> Tensor:
    """J from scores (B, n): pooled, the k largest, in order; all of fewer than k."""
    k = min(how.k, found.shape[-1])
    return top(pooled(found, how.pool, how.width), k, min(how.keep_last, k))


def snap_places(Q: Tensor, K: Tensor, how: SnapKV) -> Tensor:
    """Places that SnapKV keeps, (B, h, k), from queries (B, h, T, d) and keys (B, kv, n, d)."""
    n, window = K.shape[2], min(how.window, Q.shape[2])
    if how.k >= n:
        return _all(Q, n)
    rows = attention_rows(Q[..., -window:, :], K)[..., : n - window]
    votes = pooled(rows.sum(-2).flatten(0, 1), how.pool, how.width)
    best = votes.topk(how.k - window).indices.unflatten(0, Q.shape[:2])
    return torch.cat([best, _all(Q, n)[..., n - window :]], -1).sort(-1).values


def h2o_places(sums: Tensor, how: H2O) -> Tensor:
    """Places that H2O keeps, (B, h, k), from sums of attention (B, h, n)."""
    n = sums.shape[-1]
    return _all(sums, n) if how.k >= n else top(sums, how.k, how.recent)


def column_sums(Q: Tensor, K: Tensor) -> Tensor:
    """How much attention each place gets from the last T of n rows: (B, h, n)."""
    T, n = Q.shape[2], K.shape[2]
    found, K = torch.zeros(*Q.shape[:2], n, device=Q.device), K.float()
    for a in range(0, T, ROWS):
        b = min(a + ROWS, T)
        end = n - T + b
        found[..., :end] += attention_rows(Q[:, :, a:b], K[:, :, :end]).sum(-2)
    return found


def attention_rows(Q: Tensor, K: Tensor) -> Tensor:
    """Attention probabilities (B, h, T, n) of the last T of n rows, in float32."""
    T, n = Q.shape[2], K.shape[2]
    rows = (Q.float() / Q.shape[-1] ** 0.5).unflatten(1, (K.shape[1], -1)).flatten(2, 3)
    products = (rows @ K.float().mT).reshape(*Q.shape[:3], n)
    later = torch.ones(T, T, dtype=torch.bool, device=Q.device).triu(1)
    products[..., n - T :].masked_fill_(later, -torch.inf)
    return products.softmax(-1)


def _nothing(r: int, Q: Tensor, K: Tensor) -> Tensor:
    """No place: the first pass needs no keys of the layers before the filter."""
    return torch.empty(*Q.shape[:2], 0, dtype=torch.long, device=Q.device)


def _all(like: Tensor, n: int) -> Tensor:
    return torch.arange(n, device=like.device).expand(*like.shape[:2], -1)
