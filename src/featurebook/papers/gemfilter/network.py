"""A small decoder: rotary positions, grouped-query attention, a cache of keys and values.

Definitions 9.1, 9.2 and G.1 to G.3 of the thesis, with the mask inside of the softmax and with the
residual connections that Definition 9.2 cannot express. Weights are a dict of tensors, so that
`core.train` trains several networks at once. Layers are counted from 1, as in the thesis.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as nf

from featurebook.core import Params


@dataclass(frozen=True)
class Size:
    """m layers of h query heads and ``kv_heads`` of keys and values; width D, MLPs ``mlp`` D."""

    vocabulary: int
    layers: int = 4
    width: int = 64
    heads: int = 2
    kv_heads: int = 1
    mlp: int = 4
    base: float = 10_000.0

    @property
    def head_dim(self) -> int:
        """d: dimension of a head."""
        return self.width // self.heads

    @property
    def layer_weights(self) -> int:
        """P: weights of one layer, without the gains of its norms."""
        D, hd, kv = self.width, self.heads * self.head_dim, self.kv_heads * self.head_dim
        return D * (2 * hd + 2 * kv) + 2 * self.mlp * D * D


def initial(g: torch.Generator, size: Size) -> Params:
    """Weights of one network."""
    D, hd, kv = size.width, size.heads * size.head_dim, size.kv_heads * size.head_dim

    def draw(fan: int, *shape: int) -> Tensor:
        return torch.randn(*shape, generator=g) / fan**0.5

    p = {"embed": 0.5 * draw(1, size.vocabulary, D), "read": draw(D, D, size.vocabulary)}
    p["norm"] = torch.ones(D)
    for r in range(1, size.layers + 1):
        p[f"q{r}"], p[f"k{r}"], p[f"v{r}"] = draw(D, D, hd), draw(D, D, kv), draw(D, D, kv)
        p[f"o{r}"] = draw(2 * hd * size.layers, hd, D)
        p[f"up{r}"], p[f"down{r}"] = (
            draw(D, D, size.mlp * D),
            draw(2 * size.mlp * D * size.layers, size.mlp * D, D),
        )
        p[f"norm{r}"], p[f"norm_mlp{r}"] = torch.ones(D), torch.ones(D)
    return p


def normed(h: Tensor, gain: Tensor) -> Tensor:
    """Root-mean-square norm with a gain."""
    return nf.rms_norm(h, h.shape[-1:], gain, 1e-6)


def rotated(x: Tensor, positions: Tensor, base: float) -> Tensor:
    """Rotary positions: pairs (x_i, x_{i + d/2}) turned by position times base^(-2 i / d).

    Args:
        x: (..., heads, T, d).
        positions: (T,) or (B, 1, T).
    """
    half = x.shape[-1] // 2
    rate = base ** (-torch.arange(half, dtype=x.dtype) / half)
    angle = positions[..., None].to(x.dtype) * rate
    cos, sin = angle.cos(), angle.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def in_heads(x: Tensor, heads: int) -> Tensor:
    """(..., T, heads * d) as (..., heads, T, d)."""
    return x.unflatten(-1, (heads, -1)).transpose(-2, -3)


def repeat_kv(x: Tensor, heads: int) -> Tensor:
    """Keys or values (..., kv_heads, T, d) for all query heads: query head j reads j * kv // h."""
    return x.repeat_interleave(heads // x.shape[-3], -3)


def queries(p: Params, size: Size, r: int, normal: Tensor, positions: Tensor) -> Tensor:
    """Q of layer r, (..., h, T, d), from its normed input (..., T, D)."""
    return rotated(in_heads(normal @ p[f"q{r}"], size.heads), positions, size.base)


def keys(p: Params, size: Size, r: int, normal: Tensor, positions: Tensor) -> Tensor:
    """K of layer r, (..., kv_heads, T, d)."""
    return rotated(in_heads(normal @ p[f"k{r}"], size.kv_heads), positions, size.base)


def values(p: Params, size: Size, r: int, normal: Tensor) -> Tensor:
    """V of layer r, (..., kv_heads, T, d)."""
    return in_heads(normal @ p[f"v{r}"], size.kv_heads)


def causal(T: int, S: int) -> Tensor:
    """Which of S keys the last T positions may see, (T, S): position i sees j <= i."""
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)


def attention_map(Q: Tensor, K: Tensor, may_see: Tensor | None = None) -> Tensor:
    """Softmax with the mask inside: rows of probabilities, (..., T, S).

    Args:
        may_see: which of S keys each query may see, (T, S); by default the queries are the last T.
    """
    allowed = causal(Q.shape[-2], K.shape[-2]) if may_see is None else may_see
    return (
        (Q / Q.shape[-1] ** 0.5 @ K.transpose(-1, -2)).masked_fill(~allowed, -torch.inf).softmax(-1)
    )


def after(p: Params, r: int, h: Tensor, mixed: Tensor) -> Tensor:
    """The rest of layer r: output map of the heads (..., h, T, d), residuals and MLP."""
    h = h + mixed.transpose(-2, -3).flatten(-2) @ p[f"o{r}"]
    return h + nf.gelu(normed(h, p[f"norm_mlp{r}"]) @ p[f"up{r}"]) @ p[f"down{r}"]


def layer(
    p: Params, size: Size, r: int, h: Tensor, positions: Tensor, at: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Layer r on a whole prompt: its output, queries, keys and values.

    Args:
        at: the positions whose output is needed, (P,); by default all.
    """
    normal = normed(h, p[f"norm{r}"])
    K, V = keys(p, size, r, normal, positions), values(p, size, r, normal)
    Q = queries(p, size, r, normal, positions)
    asking, may_see = Q, None
    if at is not None:
        T = Q.shape[-2]
        asking, may_see, h = Q[..., at, :], causal(T, T)[at], h[..., at, :]
    mixed = attention_map(asking, repeat_kv(K, size.heads), may_see) @ repeat_kv(V, size.heads)
    return after(p, r, h, mixed), Q, K, V


def logits(p: Params, h: Tensor) -> Tensor:
    """The output embedding (Definition G.2)."""
    return normed(h, p["norm"]) @ p["read"]


def forward(p: Params, size: Size, tokens: Tensor) -> Tensor:
    """Logits at every position, (..., T, vocabulary)."""
    h, positions = p["embed"][tokens], torch.arange(tokens.shape[-1])
    for r in range(1, size.layers + 1):
        h = layer(p, size, r, h, positions)[0]
    return logits(p, h)


def logits_at(p: Params, size: Size, tokens: Tensor, at: Tensor) -> Tensor:
    """`forward` at P positions, (..., P, vocabulary): the last layer answers there alone."""
    h, positions = p["embed"][tokens], torch.arange(tokens.shape[-1])
    for r in range(1, size.layers + 1):
        h = layer(p, size, r, h, positions, at if r == size.layers else None)[0]
    return logits(p, h)
