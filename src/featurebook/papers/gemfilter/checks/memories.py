"""The checks of the memory rows of Theorem 9.3 and of the case study."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import sympy
import torch
from torch import Tensor

from featurebook.core import Params
from featurebook.papers.gemfilter import costs, inference, measured, network
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.checks.times import LLAMA, S
from featurebook.papers.gemfilter.inference import Cache, Keep
from featurebook.papers.gemfilter.network import Size
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly

LONG, KEPT, NEW = 131_072, 1024, 50
"""Tokens of the thesis's longest prompt, kept, and generated in its experiments."""
RUN = LLAMA.setting(LONG, KEPT, NEW)
"""LLaMA as in the thesis's experiments."""
CASE = LLAMA.setting(LONG, KEPT, KEPT)
"""LLaMA as in the thesis's case study, where t = k."""
KEYS = CASE.h * CASE.n * CASE.d
"""Numbers in the keys of a layer in the case study; there are as many values."""
THIRD_TERM = 2 * (CASE.m - 1) * CASE.h * CASE.k * CASE.d
"""What SnapKV has selected in all other layers, in the case study."""
BORDER = Fraction(
    (RUN.m - RUN.r) * RUN.w + 2 * RUN.m * RUN.h * (RUN.k + RUN.t) * RUN.d, 2 * RUN.h * RUN.d
)
"""Tokens of a prompt from which on GemFilter's cell of the prompt is the larger."""


@claims.experiment
def small_setting(decoder: Size, n: int, k: int, t: int) -> costs.Setting:
    """The decoder as Theorem 9.3 has it, with filter layer 2."""
    return costs.Setting(
        n, k, t, decoder.layers, 2, decoder.kv_heads, decoder.head_dim, decoder.layer_weights
    )


@claims.experiment
def numbers_held(
    weights: Params, decoder: Size, prompts: Tensor, small_setting: costs.Setting
) -> pd.DataFrame:
    """Numbers held for a prompt while the decoder runs, and by the corrected cells."""
    s = small_setting
    per_head = replace(s, h=decoder.heads)  # SnapKV's sets differ from head to head

    def grown(tokens: Tensor, keep: Keep | None = None) -> int:
        """Numbers in the cache after t more tokens."""
        cache: Cache = inference.prefill(weights, decoder, tokens, keep)[1]
        for _ in range(s.t):
            cache = inference.step(weights, decoder, prompts[:, 0], cache)[1]
        return cache.numbers

    rules = {"SnapKV": inference.snap_places(s.k), "H2O": inference.h2o_places(s.k)}
    all_kv = inference.prefill(weights, decoder, prompts)[1].numbers
    rows = [("prompt, standard", all_kv, costs.memory(s, "prompt", "standard") - s.m * s.w)]
    of_prompt = costs.memory(per_head, "prompt", "snapkv") - s.m * s.w
    for name, rule in rules.items():
        peak = measured.peak_bytes(weights, decoder, prompts[:1], rule) // 8  # doubles
        rows.append((f"prompt, {name}", peak, of_prompt))
    later = costs.memory(s, "generation", "standard") - s.m * s.w
    rows.append(("generation, standard", grown(prompts), later))
    later = costs.memory(per_head, "generation", "snapkv") - s.m * s.w
    rows += [(f"generation, {name}", grown(prompts, rule), later) for name, rule in rules.items()]
    later = costs.memory(s, "generation", "gemfilter") - s.m * s.w
    rows.append(("generation, GemFilter", grown(prompts[:, : s.k]), later))
    start = torch.zeros(s.n, decoder.width).double()
    one = 2 * network.keys(weights, decoder, 1, start, torch.arange(s.n)).numel()
    of_layer = sum(weights[f"{x}1"].numel() for x in ("q", "k", "v", "o", "up", "down"))
    rows.append(
        ("keys and values of a layer", one, costs.memory(s, "prompt", "gemfilter") - s.r * s.w)
    )
    rows.append(("weights of a layer", of_layer, s.w))
    return pd.DataFrame(rows, columns=["what", "held", "cell"])


def as_held(numbers_held: pd.DataFrame) -> Verdict:
    """The corrected cells against what is held."""
    return exactly(
        numbers_held.held.tolist(),
        "==",
        numbers_held.cell.tolist(),
        what="numbers held in prompt and generation, against the cells",
    )


@claims.check("theorem-9-3", undecided=("our text", "the preprint has the factor n"))
def standard_cell_as_printed(
    numbers_held: pd.DataFrame, small_setting: costs.Setting
) -> Iterator[Verdict]:
    """The printed cell of standard attention's prompt, without weights."""
    s = small_setting
    printed = costs.memory(s, "prompt", "standard", printed=True) - s.m * s.w
    held = int(numbers_held.held[0])
    yield exactly(printed, "==", held, what="cell without weights, against numbers held")


@claims.check("theorem-9-3-corrected")
def cells_with_the_factor(numbers_held: pd.DataFrame) -> Iterator[Verdict]:
    """The cells against what is held, and both cells of standard attention at t = 0."""
    yield as_held(numbers_held)
    first, later = (costs.memory(S, x, "standard") for x in ("prompt", "generation"))
    between = sympy.expand(first - later.subs(S.t, 0))
    yield exactly(between, "==", 0, what="prompt and generation at t = 0")


@claims.check("case-memory", undecided=("our text", "the preprint has the factor n"))
def ratio_as_printed() -> Iterator[Verdict]:
    """The printed ratio of standard attention to SnapKV."""
    c = CASE
    standard, snapkv = c.m * c.w + c.m * c.h * c.d, c.m * c.w + c.h * c.n * c.d
    ratio = Fraction(standard, snapkv)
    yield exactly(ratio, ">", 1, what="standard over SnapKV, LLaMA's sizes")


@claims.check("case-memory-corrected")
def ratio_of_three_memories(numbers_held: pd.DataFrame) -> Iterator[Verdict]:
    """The cells against what is held, and what the factor 2 and the third term are worth."""
    yield as_held(numbers_held)
    standard, snapkv, own = (costs.memory(CASE, "prompt", x) for x in costs.METHODS)
    second_over_third = round(Fraction(2 * KEYS, THIRD_TERM))
    yield exactly(second_over_third, "==", 4, what="second term over third")
    shares = [
        Fraction(CASE.m * KEYS, standard),
        Fraction(KEYS, snapkv),
        Fraction(THIRD_TERM, snapkv),
        Fraction(KEYS, own),
    ]
    yield exactly(
        [round(100 * x) for x in shares],
        "==",
        [28, 2, 1, 4],
        what="% of the totals: half the keys and values, third term of SnapKV",
    )
    yield exactly(Fraction(standard, snapkv), ">", 1, what="standard over SnapKV")


@claims.check("case-generation")
def ratio_for_new_tokens() -> Iterator[Verdict]:
    """SnapKV's cell over mhd for t = k, and the limit of standard attention's over its term."""
    unit, weights = S.m * S.h * S.d, S.w / (S.h * S.d)
    snapkv = costs.memory(S, "generation", "snapkv").subs(S.t, S.k) / unit
    standard = costs.memory(S, "generation", "standard").subs(S.t, S.k) / unit
    yield exactly(sympy.expand(snapkv - weights - 4 * S.k), "==", 0, what="k = t")
    ratio = standard / (weights + 2 * S.n)
    yield exactly(sympy.limit(ratio, S.n, sympy.oo), "==", 1, what="standard, n → ∞")


@claims.check(
    "bottleneck", undecided=("two readings", "n → ∞: holds; the example, by the cells: not")
)
def where_memory_is_short() -> Iterator[Verdict]:
    """GemFilter's two cells in the case study, with stored and with all heads."""
    settings = [replace(CASE, h=h) for h in (LLAMA.kv_heads, LLAMA.heads)]
    yield exactly(
        [costs.memory(x, "prompt", "gemfilter") for x in settings],
        ">=",
        [costs.memory(x, "generation", "gemfilter") for x in settings],
        what="GemFilter's numbers, prompt against generation, 8 and 32 heads",
    )


@claims.check("bottleneck-corrected")
def where_memory_is_short_by_the_cells() -> Iterator[Verdict]:
    """Both cells at the border, and how long a prompt that is."""
    border = replace(RUN, n=BORDER)
    yield exactly(
        costs.memory(border, "prompt", "gemfilter"),
        "==",
        costs.memory(border, "generation", "gemfilter"),
        what="at the border",
    )
    yield exactly(math.floor(BORDER), ">=", 2_000_000, what="tokens at the border")


@claims.check("z3")
def peaks_by_formula() -> Iterator[Verdict]:
    """What GemFilter saves of the prompt's cell, and of the larger of both phases."""
    prompt = Fraction(*(costs.memory(RUN, "prompt", x) for x in ("gemfilter", "snapkv")))
    own, snapkv, standard = (costs.peak(RUN, x) for x in ("gemfilter", "snapkv", "standard"))
    saved = [1 - x for x in (prompt, Fraction(own, snapkv), Fraction(own, standard))]
    yield exactly(
        [round(100 * x) for x in saved],
        "==",
        [58, 4, 55],
        what="% saved: prompt and both phases against SnapKV, both against standard",
    )
