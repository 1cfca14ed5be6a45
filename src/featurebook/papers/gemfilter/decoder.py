"""A decoder of the package transformers, run layer by layer with a cache of our own.

For Llama and what is built like it (Mistral, Qwen2, Qwen3): a norm and attention with rotary
positions, a norm and an MLP, residual connections around both. `extend` reads a prompt, continues
one and adds single tokens; a *watcher* sees the queries and keys of each layer, and says which
places of the cache to keep, for each query head. Places count from 0, layers from 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as nf

from featurebook.papers.gemfilter.network import in_heads, repeat_kv

KINDS = ("llama", "mistral", "qwen2", "qwen3")
"""Values of ``config.model_type`` that run here."""

STILL = 0.8
"""Share of a batch that still speaks; if no more do, the others are dropped from it."""

Watch = Callable[[int, Tensor, Tensor], Tensor | None]
"""From a layer's number, queries (B, h, T, d) and all keys (B, heads, n, d): None, or the places
to keep, (B, h, k)."""


@dataclass(frozen=True)
class Cache:
    """What a decoder has read.

    Attributes:
        keys, values: of each layer, (B, heads, length, d); heads are those of keys and values, or
            the query heads if each of them keeps its own places.
        position: that the next token gets, (B,).
        spare: places at the end of keys and values that wait for tokens to come.
    """

    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]
    position: Tensor
    spare: int = 0

    @property
    def bytes(self) -> int:
        """Memory of all keys and values."""
        return sum(x.numel() * x.element_size() for x in (*self.keys, *self.values))


def require_llama_like(model: Any, n: int = 0) -> None:
    """Refuse models that would run wrongly here.

    Raises:
        ValueError: for another architecture, or a prompt longer than a sliding window.
    """
    kind = model.config.model_type
    if kind not in KINDS:
        raise ValueError(f"{kind} is not built like Llama: {', '.join(KINDS)} are")
    window = getattr(model.config, "sliding_window", None)
    if window and getattr(model.config, "use_sliding_window", True) and n > window:
        raise ValueError(f"{n} tokens are more than the sliding window of {window}")


def projected(layer: Any, h: Tensor, rotary: tuple[Tensor, Tensor]) -> tuple[Tensor, ...]:
    """Q (B, h, T, d), K and V (B, kv, T, d) of a layer, Q and K turned by their positions."""
    own, normal = layer.self_attn, layer.input_layernorm(h)
    d = own.head_dim
    Q, K, V = (
        in_heads(f(normal), f.out_features // d) for f in (own.q_proj, own.k_proj, own.v_proj)
    )
    if hasattr(own, "q_norm"):
        Q, K = own.q_norm(Q), own.k_norm(K)
    cos, sin = (x[:, None] for x in rotary)  # (B, 1, T, d)
    return Q * cos + _half_turned(Q) * sin, K * cos + _half_turned(K) * sin, V


def _half_turned(x: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


def attended(Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    """Causal attention of the last T of n places: (B, T, h d)."""
    T, n = Q.shape[2], K.shape[2]
    if T == 1:  # heads that share keys are rows of one product, so that no keys are repeated
        rows = Q.unflatten(1, (K.shape[1], -1)).squeeze(3)
        return nf.scaled_dot_product_attention(rows, K, V).flatten(1)[:, None]
    if n == T:
        A = nf.scaled_dot_product_attention(Q, K, V, is_causal=True, enable_gqa=True)
    else:
        seen = torch.ones(T, n, dtype=torch.bool, device=Q.device).tril(n - T)
        A = nf.scaled_dot_product_attention(Q, K, V, attn_mask=seen, enable_gqa=True)
    return A.transpose(1, 2).flatten(2)


@torch.no_grad()
def extend(
    model: Any, ids: Tensor, cache: Cache | None = None, watch: Watch | None = None,
    layers: int | None = None,
) -> tuple[Tensor, Cache]:  # fmt: skip
    """Read tokens (B, T), after those in a cache if one is given.

    Args:
        cache: is left as it is; but where it has spare places, the tokens are written into them.
        layers: run only so many.

    Returns:
        the output of the last layer that ran, (B, T, D), before the last norm; and the cache.
    """
    stack = model.model
    first = cache.position if cache else torch.zeros(len(ids), dtype=torch.long, device=ids.device)
    positions = first[:, None] + torch.arange(ids.shape[1], device=ids.device)
    h = stack.embed_tokens(ids)
    rotary = stack.rotary_emb(h, positions)
    keys, values = [], []
    spare = max(cache.spare - ids.shape[1], 0) if cache else 0
    for r, layer in enumerate(stack.layers[:layers], 1):
        Q, K, V = projected(layer, h, rotary)
        if cache:
            K = joined(cache.keys[r - 1], K, cache.spare)
            V = joined(cache.values[r - 1], V, cache.spare)
        n = K.shape[2] - spare
        keep = watch(r, Q, K[:, :, :n]) if watch else None
        h = h + layer.self_attn.o_proj(attended(Q, K[:, :, :n], V[:, :, :n]))
        h = h + layer.mlp(layer.post_attention_layernorm(h))
        keys.append(K if keep is None else kept(K, keep))
        values.append(V if keep is None else kept(V, keep))
    return h, Cache(tuple(keys), tuple(values), positions[:, -1] + 1, spare)


def joined(old: Tensor, new: Tensor, spare: int = 0) -> Tensor:
    """Old and new keys or values, for as many heads as the old ones have.

    Args:
        spare: places at the end of the old ones, into which the new ones are written if they fit.
    """
    n, T = old.shape[2] - spare, new.shape[2]
    if spare < T:
        new = new if new.shape[1] == old.shape[1] else repeat_kv(new, old.shape[1])
        return torch.cat([old[:, :, :n], new], 2)
    old[:, :, n : n + T].unflatten(1, (new.shape[1], -1)).copy_(new[:, :, None])
    return old


def spacious(caches: Sequence[Cache], room: int) -> Cache:
    """Caches of one length, one below the other, copied to where so many further tokens fit."""

    sizes = [len(c.position) for c in caches]

    def below(of: tuple[Tensor, ...]) -> Tensor:
        _, heads, n, d = of[0].shape
        found = of[0].new_empty(sum(sizes), heads, n + room, d)
        for part, x in zip(found.split(sizes), of, strict=True):
            part[:, :, :n] = x
        return found

    def layers(of: Sequence[tuple[Tensor, ...]]) -> tuple[Tensor, ...]:
        return tuple(map(below, zip(*of, strict=True)))

    return Cache(
        layers([c.keys for c in caches]), layers([c.values for c in caches]),
        torch.cat([c.position for c in caches]), room,
    )  # fmt: skip


def kept(x: Tensor, places: Tensor) -> Tensor:
    """Keys or values (B, heads, n, d) at places (B, h, k) of each query head: (B, h, k, d)."""
    shared, k = places.shape[1] // x.shape[1], places.shape[2]
    of_head = places.unflatten(1, (-1, shared)).flatten(2)
    found = x.gather(2, of_head[..., None].expand(-1, -1, -1, x.shape[-1]))
    return found.unflatten(2, (shared, k)).flatten(1, 2)


def logits(model: Any, h: Tensor) -> Tensor:
    """Next-token logits (B, V) after the last of (B, T, D)."""
    return torch.as_tensor(model.lm_head(model.model.norm(h[:, -1])))


@torch.no_grad()
def continued(model: Any, h: Tensor, cache: Cache, t: int) -> Tensor:
    """t greedy tokens, (B, t): after an end-of-text token, only that."""
    ends = torch.tensor(_ends(model), dtype=torch.long, device=h.device)
    first = int(ends[0]) if len(ends) else 0
    said = torch.full((len(h), t), first, dtype=torch.long, device=h.device)
    rows = torch.arange(len(h), device=h.device)
    speaks = torch.ones_like(rows, dtype=torch.bool)
    if cache.spare < t - 1:
        cache = spacious([cache], t - 1)
    for i in range(t):
        token = logits(model, h).argmax(-1)
        said[rows[speaks], i] = token[speaks]
        speaks &= ~torch.isin(token, ends)
        if i == t - 1 or not speaks.any():
            break
        if speaks.sum() <= STILL * len(rows):  # to copy the others' caches costs about a step
            rows, token, cache = rows[speaks], token[speaks], _only(cache, speaks)
            speaks = speaks[speaks]
        h, cache = extend(model, token[:, None], cache)
    return said


def _only(cache: Cache, rows: Tensor) -> Cache:
    some = rows.nonzero()[:, 0]
    keys, values = (tuple(x.index_select(0, some) for x in of) for of in (cache.keys, cache.values))
    return Cache(keys, values, cache.position[some], cache.spare)


def _ends(model: Any) -> list[int]:
    found = model.generation_config.eos_token_id
    return [] if found is None else found if isinstance(found, list) else [found]
