"""The checks of the definitions, of the algorithm and of its printed code."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy
import torch
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.papers.gemfilter import costs, inference, network
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.inference import Selection
from featurebook.papers.gemfilter.network import Size, repeat_kv
from featurebook.verdicts import Verdict, rationals
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality

VOCABULARY = 40
"""Tokens of the untrained decoder."""


@claims.experiment
def decoder(layers: int, width: int) -> Size:
    """A decoder with heads of even dimension on two heads of keys and values."""
    return Size(VOCABULARY, layers, width, heads=4 if width % 8 == 0 else 2, kv_heads=2)


@claims.experiment
def weights(decoder: Size, seed: int) -> Params:
    """Its untrained weights, as doubles."""
    start = network.initial(core.generator(seed, "p"), decoder)
    return {name: x.double() for name, x in start.items()}


@claims.experiment
def prompts(n: int, seed: int) -> Tensor:
    """Random prompts (8, n)."""
    return torch.randint(VOCABULARY, (8, n), generator=core.generator(seed, "tokens"))


@claims.experiment
def printed_algorithm(k: int) -> Selection:
    """Algorithm 2 as printed: it pools nothing and keeps no token by force."""
    return Selection(1, k, keep_last=0, pool="none")


def first_row_as_printed(keys: list[Any], values: list[Any]) -> sympy.Expr:
    """Row 1 of Definition 9.1 for d = 1 and queries 1, exactly: the mask lets only V_1 pass."""
    return sympy.simplify(sympy.exp(keys[0]) * values[0] / sum(sympy.exp(x) for x in keys))


def composition(p: Params, size: Size, tokens: Tensor, *, residual: bool) -> Tensor:
    """Logits by H_i = g_i(H_{i-1}, Attn_i(H_{i-1})), or by g_i(0, Attn_i(H_{i-1}))."""
    H, at = p["embed"][tokens], torch.arange(tokens.shape[-1])
    for i in range(1, size.layers + 1):
        normal = network.normed(H, p[f"norm{i}"])
        Q, K = (f(p, size, i, normal, at) for f in (network.queries, network.keys))
        V = network.values(p, size, i, normal)
        mixed = network.attention_map(Q, repeat_kv(K, size.heads)) @ repeat_kv(V, size.heads)
        H = network.after(p, i, H if residual else torch.zeros_like(H), mixed)
    return network.logits(p, H)


def places_by_loops(p: Params, size: Size, tokens: Tensor, r: int, k: int) -> list[int]:
    """The k best places by sums over heads, one by one; ties go to the earlier place."""
    h, at = inference.hidden(p, size, tokens, r - 1), torch.arange(len(tokens))
    normal = network.normed(h, p[f"norm{r}"])
    Q, K = network.queries(p, size, r, normal, at), network.keys(p, size, r, normal, at)
    group = size.heads // size.kv_heads
    score = [
        sum(float(Q[j, -1] @ K[j // group, i]) for j in range(size.heads))
        for i in range(len(tokens))
    ]
    return sorted(sorted(range(len(tokens)), key=lambda i: -score[i])[:k])


@claims.check("definition-9-1")
def attention_as_printed() -> Iterator[Verdict]:
    """The first row, before and after a change of the third key."""
    values = [1, 0, 0]
    yield exactly(
        first_row_as_printed([0, 0, sympy.log(2)], values),
        "==",
        first_row_as_printed([0, 0, 0], values),
        what="row 1 after key 3 has changed",
        instance={"Q": "1 1 1", "K": "0 0 log 2", "V": "1 0 0"},
    )


@claims.check("definition-9-1-corrected", proof="proved on the page")
def attention_with_the_mask_inside(seed: int) -> Iterator[Verdict]:
    """Sums of rows, and early rows after late keys have changed."""
    key = core.generator(seed, "QKV")
    Q, K, V = torch.randn(3, 7, 5, generator=key, dtype=torch.float64)
    far = K.clone()
    far[4:] = 10 * torch.randn(3, 5, generator=core.generator(seed, "far"), dtype=torch.float64)
    before, after = network.attention_map(Q, K), network.attention_map(Q, far)
    yield identity(before.sum(-1), 1.0, tolerance=1e-12, what="rows")
    yield identity((before @ V)[:4], (after @ V)[:4], tolerance=1e-12, what="early rows")


@claims.check(
    "definition-9-2",
    undecided=("two readings", "residuals around the MLP: it stands; around attention: it cannot"),
)
def transformer_as_printed() -> Iterator[Verdict]:
    """Two prompts that attention cannot tell apart, while their residual sums differ."""
    states = sympy.Matrix([[1, 0], [0, 1]])  # hidden states of the two prompts, as rows
    attended = states * sympy.Matrix([[1, 1], [1, 1]])  # one token attends to itself: its value
    sums = states + attended
    yield exactly(
        (attended[0, :] - attended[1, :]).norm(),
        "==",
        0,
        what="what attention tells g of two prompts, their distance",
    )
    yield exactly(
        (sums[0, :] - sums[1, :]).norm(),
        "==",
        0,
        what="residual sums of two prompts that attention cannot tell apart",
        instance={"hidden states": "(1, 0), (0, 1)", "value": "x1 + x2"},
    )


@claims.check("definition-9-2-corrected")
def transformer_with_residuals(
    weights: Params, decoder: Size, prompts: Tensor
) -> Iterator[Verdict]:
    """The composition against the model, and how far it is off without the residuals."""
    model = network.forward(weights, decoder, prompts)
    whole = composition(weights, decoder, prompts, residual=True)
    yield identity(whole, model, tolerance=1e-12, what="composition and the model")
    off = (composition(weights, decoder, prompts, residual=False) - model).abs().amax((1, 2))
    yield inequality(0.01, off, what="how far it is off if g does not see H")


@claims.check("algorithm-2")
def algorithm(
    weights: Params, decoder: Size, prompts: Tensor, printed_algorithm: Selection, n: int, t: int
) -> Iterator[Verdict]:
    """The selection against loops, a budget of all tokens, and a planted case."""
    layers = range(1, decoder.layers + 1)
    full = inference.generate(weights, decoder, prompts, t)
    same, ordered, whole = [], [], []
    for r in layers:
        how = replace(printed_algorithm, r=r)
        J = inference.select(weights, decoder, prompts, how)
        ordered.append(bool((J.diff(dim=-1) > 0).all()))
        for row, tokens in zip(J.tolist(), prompts, strict=True):
            short = inference.gem_places(weights, decoder, tokens, r, how.k).tolist()
            same.append(row == places_by_loops(weights, decoder, tokens, r, how.k) == short)
        whole.append(inference.gemfilter(weights, decoder, prompts, replace(how, k=n), t) == full)
    yield everywhere(same, what="J is that of loops over heads and tokens, for every r")
    yield everywhere(ordered, what="order kept")
    yield everywhere(torch.stack(whole), what="k = n is the full model, for every r")
    keys = torch.tensor([[[-1.0], [-5], [-2], [-9]], [[-4.0], [-3], [-6], [5]]])  # (h, n, 1)
    planted = inference.top(inference.scores(torch.ones(1, 2, 1, 1), keys[None]), 2)
    yield exactly(planted.tolist()[0], "==", [0, 3], what="planted: sums -5, -8, -8, -4")


@claims.check("code-sort")
def printed_sort() -> Iterator[Verdict]:
    """What line 8 returns for three indices."""
    yield exactly(costs.argsorted(torch.tensor([7, 2, 5])).tolist(), "==", [2, 5, 7])


@claims.check("code-sort-corrected")
def sort_of_values() -> Iterator[Verdict]:
    """Places of the three largest scores."""
    found = inference.top(torch.tensor([0, 0, 1.0, 0, 0, 2, 0, 3]), 3)
    yield exactly(found.tolist(), "==", [2, 5, 7])


@claims.check("code-pool")
def printed_pool() -> Iterator[Verdict]:
    """The printed name of the argument on three axes, and the right one on four."""
    refused = 0
    calls: list[tuple[Tensor, dict[str, Any]]] = [
        (torch.zeros(1, 1, 9), {"kernel": 5}),
        (torch.zeros(1, 1, 1, 9), {"kernel_size": 5}),
    ]
    for scores, width in calls:
        try:
            torch.nn.functional.avg_pool1d(scores, **width, padding=2, stride=1)
        except (RuntimeError, TypeError):
            refused += 1
    yield exactly(refused, "==", 0, what="errors raised by argument name and by axes")


@claims.check("code-pool-corrected")
def pool_of_three_axes() -> Iterator[Verdict]:
    """Means of five neighbours away from both ends."""
    pooled = torch.nn.functional.avg_pool1d(
        torch.arange(9.0)[None, None], kernel_size=5, padding=2, stride=1
    )
    inner = rationals(pooled[0, 0, 2:-2])
    yield exactly(inner, "==", [2, 3, 4, 5, 6], what="scores 0 to 8, pooled")


@claims.check("pool-zeros")
def zeros_at_both_ends() -> Iterator[Verdict]:
    """A constant score, pooled in three ways."""
    level = torch.full((1, 9), -5.0)  # whole numbers, so exact
    with_zeros = rationals(inference.pooled(level, "zeros", 5)[0])
    without = torch.cat([inference.pooled(level, kind, 5) for kind in ("avg", "max")])
    expected = [-3, -4, *[-5] * 5, -4, -3]
    yield exactly(with_zeros, "==", expected, what="constant scores -5, zeros counted")
    yield exactly(rationals(without.flatten()), "==", -5, what="and not")
