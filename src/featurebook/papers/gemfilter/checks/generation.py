"""The checks of the sentences about generation: its time against the prompt's, and its growth."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import sympy
import torch
from torch import Tensor

from featurebook.core import Params
from featurebook.papers.gemfilter import costs, inference
from featurebook.papers.gemfilter.checks.memories import CASE, RUN
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.checks.times import LLAMA, E, S
from featurebook.papers.gemfilter.network import Size
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly

HD = LLAMA.heads * LLAMA.d
"""Dimension of LLaMA's heads together."""
GEM, KV = (costs.time(S, "generation", x) for x in ("gemfilter", "snapkv"))
"""The printed cells of generation, of GemFilter and of SnapKV."""
GEM_WEIGHTS = costs.with_weights(S, S.k + S.t, "gemfilter")
"""GemFilter's corrected cell: the second prompt and the new tokens pass the weights."""
KV_WEIGHTS = costs.with_weights(S, S.t, "snapkv")
"""SnapKV's corrected cell."""


@dataclass(frozen=True)
class NewToken:
    """What one new token costs after prompts of several lengths.

    Attributes:
        numbers: in the cache before it.
        operations: of the token, counted.
        beyond_weights: operations less those of weights and logits, over the tokens it sees.
    """

    numbers: list[int]
    operations: list[int]
    beyond_weights: list[Fraction]


@claims.experiment
def new_token(weights: Params, decoder: Size, prompts: Tensor, traced_n: list[int]) -> NewToken:
    """One new token after each of the prompts whose operations are counted."""
    flat = costs.step_ops(decoder, 0)  # weights and logits
    numbers, operations, beyond = [], [], []
    for n in traced_n:
        cache = inference.prefill(weights, decoder, torch.zeros(1, n, dtype=torch.long))[1]
        ran = costs.traced(partial(inference.step, weights, decoder, prompts[:1, 0], cache))
        numbers.append(cache.numbers)
        operations.append(ran)
        beyond.append(Fraction(ran - flat, n + 1))
    return NewToken(numbers, operations, beyond)


def slopes(x: list[int], y: list[int]) -> list[Fraction]:
    """How much y grows for one more of x, from each value to the next."""
    return [Fraction(d - c, b - a) for (a, b), (c, d) in zip(pairwise(x), pairwise(y), strict=True)]


def shares_of_selection(p: Params, size: Size, lengths: list[int]) -> list[Fraction]:
    """What SnapKV's rule adds to prompts of these lengths, as a share, times the length."""
    found = []
    for n in lengths:
        tokens = torch.zeros(1, n, dtype=torch.long)
        plain, selecting = (
            costs.traced(partial(inference.prefill, p, size, tokens, rule))
            for rule in (None, inference.snap_places(4))
        )
        found.append(Fraction((selecting - plain) * n, plain))
    return found


def printed_slack() -> list[Any]:
    """Twice a printed cell minus the other, over mhd, less the squares that they are."""
    unit = S.m * S.h * S.d
    border = 2 * S.t**2 - (S.k - S.t) ** 2  # not negative for k <= (1 + √2) t
    always = S.k**2 + (S.k - S.t / 2) ** 2 + sympy.Rational(3, 4) * S.t**2
    return [
        sympy.expand((2 * KV - GEM) / unit - border),
        sympy.expand((2 * GEM - KV) / unit - always),
    ]


def corrected_slack() -> list[Any]:
    """Twice a corrected cell minus the other, at t = k + e and at t = k."""
    differences = 2 * KV_WEIGHTS - GEM_WEIGHTS, 2 * GEM_WEIGHTS - KV_WEIGHTS
    return [sympy.expand(x.subs(S.t, S.k + excess)) for x in differences for excess in (E, 0)]


@claims.check("bottleneck-time")
def where_time_is_short() -> Iterator[Verdict]:
    """Operations of prompt and generation in the case study, for all three methods."""
    c = CASE
    layer = costs.layer_ops(LLAMA.P, HD, c.n, c.n)
    prompt = [c.m * layer, c.m * layer, (c.r - 1) * layer]  # GemFilter's takes somewhat more
    generation = [
        c.m * sum(costs.layer_ops(LLAMA.P, HD, 1, seen + i) for i in range(1, c.t + 1))
        for seen in (c.n, c.k, c.k)
    ]
    generation[2] += c.m * costs.layer_ops(LLAMA.P, HD, c.k, c.k)  # its second prompt
    over = [Fraction(p, g) for p, g in zip(prompt, generation, strict=True)]
    yield exactly(over, ">", 1, what="operations of prompt over generation, LLaMA's sizes")


@claims.check(
    "same-generation",
    undecided=("two readings", "seconds at t = 50: not judged; the cells: not"),
)
def same_time_in_generation() -> Iterator[Verdict]:
    """How the ratio of the printed cells grows with k."""
    growth = sympy.limit(GEM / KV / S.k, S.k, sympy.oo)
    what = "growth with k of GemFilter's cell over SnapKV's, t = 50"
    yield exactly(growth.subs(S.t, RUN.t), "==", 0, what=what)


@claims.check("same-generation-corrected")
def when_generation_takes_the_same_time() -> Iterator[Verdict]:
    """Both borders: of the printed cells by squares, of the corrected ones by signs."""
    yield exactly(
        printed_slack(), "==", 0, what="twice a printed cell minus the other, and squares"
    )
    at_border = sympy.simplify((GEM / KV).subs(S.k, (1 + sympy.sqrt(2)) * S.t))
    yield exactly(at_border, "==", 2, what="printed cells at k = (1 + √2) t")
    what = "twice a corrected cell minus the other, e = t - k ≥ 0"
    yield exactly(corrected_slack(), ">=", 0, what=what)
    ratio = (GEM_WEIGHTS / KV_WEIGHTS).subs(S.k, S.t + E)
    what = "corrected cells over 2 for large d, e = k - t > 0"
    yield exactly(sympy.limit(ratio, S.d, sympy.oo) - 2, ">", 0, what=what)
    own, rival = (costs.time(RUN, "generation", x) for x in ("gemfilter", "snapkv"))
    yield exactly(round(Fraction(own, rival), 1), "==", Fraction(98, 5), what="k = 1024, t = 50")


@claims.check("case-time")
def ratios_of_times(
    weights: Params, decoder: Size, prompts: Tensor, new_token: NewToken, traced_n: list[int]
) -> Iterator[Verdict]:
    """Prompts through m and 2 layers, SnapKV's rule, and a new token beyond its weights."""
    whole, filtered = (
        costs.traced(partial(inference.hidden, weights, decoder, prompts[:1], layers))
        for layers in (decoder.layers, 2)
    )
    ratio = Fraction(decoder.layers, 2)
    yield exactly(Fraction(whole, filtered), "==", ratio, what="m over r = 2 layers")
    shares = shares_of_selection(weights, decoder, traced_n)
    yield exactly(shares, "<=", 1, what="n times the share that SnapKV adds to a prompt")
    yield exactly(
        new_token.beyond_weights,
        "==",
        4 * decoder.layers * decoder.heads * decoder.head_dim,
        what="operations of a new token beyond weights, over tokens seen",
    )


@claims.check("linear-cache")
def linear_in_the_cache(
    decoder: Size, new_token: NewToken, traced_n: list[int]
) -> Iterator[Verdict]:
    """What one more token in the cache adds to its numbers, and to the operations of the next."""
    yield exactly(
        slopes(traced_n, new_token.numbers),
        "==",
        2 * decoder.layers * decoder.kv_heads * decoder.head_dim,
        what="numbers held, each more token",
    )
    yield exactly(
        slopes(traced_n, new_token.operations),
        "==",
        4 * decoder.layers * decoder.heads * decoder.head_dim,
        what="operations, each more token",
    )


@claims.check("case-time-numbers")
def a_new_token_of_llama() -> Iterator[Verdict]:
    """Operations of a new token with the full cache over those with k."""
    full, short = (costs.layer_ops(LLAMA.P, HD, 1, seen) for seen in (RUN.n, RUN.k))
    ratio = round(Fraction(full, short), 1)
    yield exactly(ratio, "==", Fraction(57, 10), what="one more token, n against k")
