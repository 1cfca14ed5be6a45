"""GemFilter and what it is compared with, for the model of `network`: greedy generation.

`gemfilter` is Algorithm 2 of the thesis; by default it keeps the last two tokens and pools scores,
which is our variant, and `Selection` names the printed ones. `generate` keeps all keys and values;
`snapkv` and `h2o` process the whole prompt, then keep k keys and values per layer and head;
`one_run` keeps those that GemFilter selects. Prompts of one length go in together, (B, n). Places
count from 0, layers from 1. A cache holds keys and values for all query heads, (B, h, length, d) a
layer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional as nf

from featurebook.core import Params
from featurebook.papers.gemfilter import network
from featurebook.papers.gemfilter.network import Size, repeat_kv

Pool = Literal["max", "avg", "zeros", "none"]
Row = Literal["last", "middle", "largest"]
Score = Literal["raw", "probability"]
Keep = Callable[[Tensor, Tensor], Tensor]
"""From queries (B, h, n, d) and keys (B, h, n, d) of a layer the places to keep, (B, h, k)."""


@dataclass(frozen=True)
class Selection:
    """How GemFilter chooses.

    Attributes:
        r: the filter layer.
        k: tokens to keep.
        keep_last: so many tokens at the end are always among them; 0 is Algorithm 2 as printed.
        pool: how scores of neighbours are pooled: Appendix G.4.2 says by a maximum, the code takes
            a mean in which zeros beyond both ends count ("zeros"), Algorithm 2 does not pool.
        width: of the pooling.
        row: whose query is used, that of the last token, the middle one, or the one of largest
            norm of its attention row.
        score: inner products, or attention probabilities.
    """

    r: int
    k: int
    keep_last: int = 2
    pool: Pool = "max"
    width: int = 3
    row: Row = "last"
    score: Score = "raw"


@dataclass(frozen=True)
class Cache:
    """Keys and values of layers 1 to m, and the position that the next token gets."""

    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]
    next_position: int

    @property
    def numbers(self) -> int:
        """How many numbers are kept for one prompt."""
        return sum(x[0].numel() for x in (*self.keys, *self.values))


def pooled(scores: Tensor, kind: Pool, width: int) -> Tensor:
    """Scores (B, n), each replaced by the maximum or mean of its neighbours that exist.

    With "zeros" the mean counts zeros beyond both ends, which raises negative scores there.
    """
    if kind == "none" or width == 1:
        return scores
    x, pad = scores[:, None], width // 2
    if kind == "max":
        return nf.max_pool1d(x, width, 1, pad)[:, 0]
    return nf.avg_pool1d(x, width, 1, pad, count_include_pad=kind == "zeros")[:, 0]


def row_of(Q: Tensor, K: Tensor, row: Row) -> Tensor:
    """The query (B, h, 1, d) whose scores select; the row of largest norm is found over heads."""
    if row == "last":
        return Q[..., -1:, :]
    if row == "middle":
        middle = (Q.shape[-2] - 1) // 2
        return Q[..., middle : middle + 1, :]
    norms = network.attention_map(Q, K).square().sum((1, 3))  # (B, n)
    at = norms[:, 1:].argmax(1) + 1  # the first row has one entry, 1
    return Q.gather(2, at[:, None, None, None].expand(-1, Q.shape[1], 1, Q.shape[3]))


def scores(Q: Tensor, K: Tensor, kind: Score = "raw") -> Tensor:
    """Sum over heads of one query (B, h, 1, d) times all keys (B, h, n, d): (B, n)."""
    products = (Q @ K.transpose(-1, -2))[..., 0, :]
    if kind == "probability":
        products = (products / Q.shape[-1] ** 0.5).softmax(-1)
    return products.sum(1)


def top(found: Tensor, k: int, keep_last: int = 0, in_order: bool = True) -> Tensor:
    """Places of the k largest of (..., n), ``keep_last`` last ones among them.

    Args:
        in_order: sorted as in the prompt, or else from the largest on.

    Raises:
        ValueError: if k tokens cannot be kept, or are fewer than ``keep_last``.
    """
    n = found.shape[-1]
    if not max(1, keep_last) <= k <= n:
        raise ValueError(f"k = {k}: need max(1, keep_last = {keep_last}) <= k <= n = {n}")
    ends = torch.arange(n, device=found.device) >= n - keep_last
    places = found.masked_fill(ends, torch.inf).topk(k).indices
    return places.sort(-1).values if in_order else places


def hidden(p: Params, size: Size, tokens: Tensor, layers: int) -> Tensor:
    """Output of the first so many layers, (B, n, D)."""
    h, positions = p["embed"][tokens], torch.arange(tokens.shape[-1])
    for r in range(1, layers + 1):
        h = network.layer(p, size, r, h, positions)[0]
    return h


def row_scores(p: Params, size: Size, tokens: Tensor, how: Selection) -> Tensor:
    """Pooled scores (B, n) by which layer r selects among the tokens of prompts (B, n).

    Runs r - 1 layers, then the keys of layer r and the query of one row; no more is needed.
    """
    h = hidden(p, size, tokens, how.r - 1)
    normal, positions = network.normed(h, p[f"norm{how.r}"]), torch.arange(tokens.shape[-1])
    K = repeat_kv(network.keys(p, size, how.r, normal, positions), size.heads)
    if how.row == "last":
        Q = network.queries(p, size, how.r, normal[..., -1:, :], positions[-1:])
    else:
        Q = row_of(network.queries(p, size, how.r, normal, positions), K, how.row)
    return pooled(scores(Q, K, how.score), how.pool, how.width)


def select(p: Params, size: Size, tokens: Tensor, how: Selection, in_order: bool = True) -> Tensor:
    """J, the places that layer r would keep of prompts (B, n): (B, k), in order unless said."""
    return top(row_scores(p, size, tokens, how), how.k, how.keep_last, in_order)


def gem_places(p: Params, size: Size, tokens: Tensor, r: int, k: int, keep_last: int = 0) -> Tensor:
    """Algorithm 2 in five lines, for one prompt (n,): the places that are kept, (k,)."""
    h, at = hidden(p, size, tokens, r - 1), torch.arange(len(tokens))
    normal = network.normed(h, p[f"norm{r}"])
    Q, K = (f(p, size, r, normal, at) for f in (network.queries, network.keys))
    score = (Q[:, -1:] @ repeat_kv(K, size.heads).mT).sum(0)[0]
    return top(score, k, keep_last)  # the k largest, in the order of the prompt


def prefill(
    p: Params, size: Size, tokens: Tensor, keep: Keep | None = None, at: Tensor | None = None
) -> tuple[Tensor, Cache]:
    """Logits after prompts (B, n), and the cache; ``keep`` chooses what each layer keeps.

    ``at`` are positions (B, n) of the tokens, in order; by default 0 to n - 1.
    """
    h, positions = p["embed"][tokens], torch.arange(tokens.shape[-1])
    if at is not None:
        positions = at[:, None]
    ks, vs = [], []
    for r in range(1, size.layers + 1):
        h, Q, K, V = network.layer(p, size, r, h, positions)
        if keep is not None:
            K, V = repeat_kv(K, size.heads), repeat_kv(V, size.heads)
            J = keep(Q, K)
            K, V = (x.gather(2, J[..., None].expand(-1, -1, -1, x.shape[-1])) for x in (K, V))
        ks.append(K)
        vs.append(V)
    return network.logits(p, h[:, -1]), Cache(tuple(ks), tuple(vs), tokens.shape[-1])


def step(p: Params, size: Size, token: Tensor, cache: Cache) -> tuple[Tensor, Cache]:
    """Logits after one more token (B,), and the longer cache."""
    h, at = p["embed"][token][:, None], torch.tensor([cache.next_position])
    ks, vs = [], []
    for r in range(1, size.layers + 1):
        normal = network.normed(h, p[f"norm{r}"])
        new = network.keys(p, size, r, normal, at), network.values(p, size, r, normal)
        K, V = (
            torch.cat([old, repeat_kv(x, old.shape[1])], 2)
            for old, x in zip((cache.keys[r - 1], cache.values[r - 1]), new, strict=True)
        )
        Q = network.queries(p, size, r, normal, at)
        A = network.attention_map(Q, repeat_kv(K, size.heads))
        h = network.after(p, r, h, A @ repeat_kv(V, size.heads))
        ks.append(K)
        vs.append(V)
    return network.logits(p, h[:, 0]), Cache(tuple(ks), tuple(vs), cache.next_position + 1)


@torch.no_grad()
def generate(p: Params, size: Size, tokens: Tensor, t: int = 2, keep: Keep | None = None) -> Tensor:
    """t greedy tokens after prompts (B, n): (B, t); with the full cache, or what ``keep`` keeps."""
    return continued(p, size, *prefill(p, size, tokens, keep), t)


def continued(p: Params, size: Size, after: Tensor, cache: Cache, t: int) -> Tensor:
    """t greedy tokens from the logits after a prompt and its cache: (B, t)."""
    said = [after.argmax(-1)]
    for _ in range(t - 1):
        after, cache = step(p, size, said[-1], cache)
        said.append(after.argmax(-1))
    return torch.stack(said, 1)


@torch.no_grad()
def gemfilter(p: Params, size: Size, tokens: Tensor, how: Selection, t: int = 2) -> Tensor:
    """Algorithm 2: select with layer r, then generate from the selected tokens alone: (B, t)."""
    return generate(p, size, tokens.gather(1, select(p, size, tokens, how)), t)


def same_places(p: Params, size: Size, tokens: Tensor, how: Selection) -> Keep:
    """Keeps the places that GemFilter selects, in every layer and head."""
    J = select(p, size, tokens, how)[:, None].expand(-1, size.heads, -1)
    return lambda Q, K: J


@torch.no_grad()
def one_run(p: Params, size: Size, tokens: Tensor, how: Selection, t: int = 2) -> Tensor:
    """GemFilter's places, but keys and values of the full pass (Section G.4.5): (B, t)."""
    return generate(p, size, tokens, t, same_places(p, size, tokens, how))


@torch.no_grad()
def in_place(p: Params, size: Size, tokens: Tensor, how: Selection, t: int = 2) -> Tensor:
    """GemFilter, but its second pass has the selected tokens at their old positions: (B, t).

    Between `one_run`, which does not compute them anew, and `gemfilter`, which moves them together.
    """
    J = select(p, size, tokens, how)
    after, cache = prefill(p, size, tokens.gather(1, J), at=J)
    return continued(p, size, after, replace(cache, next_position=tokens.shape[-1]), t)


def snap_places(k: int, window: int = 2, width: int = 3) -> Keep:
    """SnapKV: the window at the end, and what it attends to most, for each head."""

    def keep(Q: Tensor, K: Tensor) -> Tensor:
        votes = network.attention_map(Q[..., -window:, :], K).sum(-2)  # (B, h, n)
        return top(pooled(votes.flatten(0, 1), "max", width).reshape(votes.shape), k, window)

    return keep


def h2o_places(k: int, recent: int = 2) -> Keep:
    """H2O: the last tokens, and those with the largest sum of attention, for each head."""

    def keep(Q: Tensor, K: Tensor) -> Tensor:
        return top(network.attention_map(Q, K).sum(-2), k, recent)

    return keep


def snapkv(p: Params, size: Size, tokens: Tensor, k: int, t: int = 2) -> Tensor:
    """Generate with a cache of k keys and values chosen by SnapKV's rule: (B, t)."""
    return generate(p, size, tokens, t, snap_places(k))


def h2o(p: Params, size: Size, tokens: Tensor, k: int, t: int = 2) -> Tensor:
    """Generate with a cache of k keys and values chosen by H2O's rule: (B, t)."""
    return generate(p, size, tokens, t, h2o_places(k))


def of_seed(params: Params, i: int) -> Params:
    """The weights of one network of an ensemble."""
    return {name: x[i] for name, x in params.items()}


def per_layer(p: Params, size: Size, tokens: Tensor, how: Sequence[Selection]) -> list[Tensor]:
    """J of several ways to choose, each (B, k)."""
    with torch.no_grad():
        return [select(p, size, tokens, one) for one in how]
