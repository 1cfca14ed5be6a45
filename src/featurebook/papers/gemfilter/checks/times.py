"""The checks of the time rows of Theorem 9.3, by counts of operations and by algebra."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import pandas as pd
import sympy
import torch

from featurebook.core import Params
from featurebook.papers.gemfilter import costs, inference
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.inference import Selection
from featurebook.papers.gemfilter.network import Size
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly

S = costs.Setting(*sympy.symbols("n k t m r h d w", positive=True))
"""The sizes of Theorem 9.3 as symbols."""
P = 12 * (S.h * S.d) ** 2
"""Weights of a layer: queries, keys, values, output, and an MLP of four times the width."""
E = sympy.Symbol("e", positive=True)
"""By how much one size exceeds another."""
LAYER = costs.layer_ops(P, S.h * S.d, S.n, S.n)
"""Operations of a layer on the prompt."""
NEW_TOKENS = S.t * costs.layer_ops(P, S.h * S.d, 1, S.k + S.t)
"""Operations of a layer for t new tokens, each as dear as the last."""
LLAMA, *_ = costs.REAL.values()


@claims.experiment
def operations(weights: Params, decoder: Size, layers: int, traced_n: list[int]) -> pd.DataFrame:
    """Operations counted in the running model and by formula: one row per prompt and pass."""
    model, hd = (weights, decoder), decoder.heads * decoder.head_dim
    rows: list[tuple[int, str, Callable[[], Any], int]] = []
    rules = (("SnapKV", inference.snap_places(4), 2), ("H2O", inference.h2o_places(4), None))
    for n in traced_n:
        tokens = torch.zeros(1, n, dtype=torch.long)
        whole = costs.prompt_ops(decoder, n)
        rows.append((n, "full", partial(inference.prefill, *model, tokens), whole))
        for name, r in (("r = 2", 2), ("r = m", layers)):
            select = partial(inference.select, *model, tokens, Selection(r, 4))
            rows.append((n, name, select, costs.filter_ops(decoder, n, r)))
        cache = inference.prefill(*model, tokens)[1]
        step = partial(inference.step, *model, tokens[:, 0], cache)
        rows.append((n, "step", step, costs.step_ops(decoder, n + 1)))
        for name, rule, queries in rules:
            prefill = partial(inference.prefill, *model, tokens, rule)
            votes = 2 * layers * (queries or n) * n * hd  # H2O asks with every row
            rows.append((n, name, prefill, whole + votes))
    found = [(n, name, costs.traced(run), formula) for n, name, run, formula in rows]
    return pd.DataFrame(found, columns=["n", "pass", "counted", "formula"])


def as_counted(operations: pd.DataFrame) -> Verdict:
    """The formulas against the counts."""
    return exactly(
        operations.counted.tolist(),
        "==",
        operations.formula.tolist(),
        what="operations counted and by formula",
    )


def rooms_of_prompts() -> list[Any]:
    """Operations minus 4 cells, and 4 + 24 h cells minus operations, for n = d + e and n = d."""
    passes: list[tuple[Any, costs.Method]] = [
        (S.m, "standard"), (S.m, "snapkv"), (S.r, "gemfilter"),
    ]  # fmt: skip
    found = []
    for excess in (E, 0):
        for layers, method in passes:
            cell, work = costs.time(S, "prompt", method), layers * LAYER
            for room in (work - 4 * cell, (4 + 24 * S.h) * cell - work):
                found.append(sympy.expand(room.subs(S.n, S.d + excess)))
    return found


def rooms_of_new_tokens() -> list[Any]:
    """Operations minus 4 corrected cells, and 24 of these minus operations.

    For GemFilter a square of k - t is taken off the latter.
    """
    second_prompt = costs.layer_ops(P, S.h * S.d, S.k, S.k)
    rivals = S.m * NEW_TOKENS, costs.with_weights(S, S.t, "snapkv")
    own = S.m * (NEW_TOKENS + second_prompt), costs.with_weights(S, S.k + S.t, "gemfilter")
    square = 2 * S.m * S.h * S.d * (S.k - S.t) ** 2
    found = []
    for (work, cell), off in ((rivals, 0), (own, square)):
        found += [sympy.expand(work - 4 * cell), sympy.expand(24 * cell - work - off)]
    return found


@claims.check("theorem-9-3-time")
def time_of_prompts(operations: pd.DataFrame) -> Iterator[Verdict]:
    """The counts, and the room between multiples of the cells and the operations."""
    yield as_counted(operations)
    what = "room between 4 and 4 + 24 h cells, e = n - d ≥ 0"
    yield exactly(rooms_of_prompts(), ">=", 0, what=what)


@claims.check(
    "other-operations",
    undecided=("two readings", "constants that do not depend on d: false; that may: true"),
)
def other_operations() -> Iterator[Verdict]:
    """How fast projections and MLP grow with d beyond nhd."""
    growth = sympy.limit(2 * S.n * P / (S.n * S.h * S.d) / S.d, S.d, sympy.oo)
    what = "growth with d, for h = 1, of what should be bounded"
    yield exactly(growth.subs(S.h, 1), "==", 0, what=what)


@claims.check("other-operations-corrected")
def projections_counted(operations: pd.DataFrame) -> Iterator[Verdict]:
    """The counts, and where attention costs what the weights do."""
    yield as_counted(operations)
    ratio = sympy.simplify(4 * S.n**2 * S.h * S.d / (2 * S.n * P))
    yield exactly(ratio.subs(S.n, 6 * S.h * S.d), "==", 1, what="attention at n = 6hd")


@claims.check(
    "theorem-9-3-generation",
    undecided=("two readings", "constants that do not depend on d: false; that may: true"),
)
def generation_without_weights() -> Iterator[Verdict]:
    """How fast the cost of new tokens grows with d beyond the cell."""
    ratio = S.m * NEW_TOKENS / costs.time(S, "generation", "snapkv")
    growth = sympy.limit(ratio / S.d, S.d, sympy.oo)
    yield exactly(
        growth.subs({S.h: 1, S.k: 1, S.t: 1}),
        "==",
        0,
        what="growth with d of the cost over the cell, for h = k = t = 1",
    )


@claims.check("theorem-9-3-generation-corrected")
def generation_with_weights(operations: pd.DataFrame) -> Iterator[Verdict]:
    """The counts, and the room between multiples of the corrected cells and the operations."""
    yield as_counted(operations)
    what = "room between 4 and 24 times it (less a square)"
    yield exactly(rooms_of_new_tokens(), ">=", 0, what=what)


@claims.check("z1")
def speed_up_of_a_prompt(operations: pd.DataFrame) -> Iterator[Verdict]:
    """The counts, and the limit of full over filter pass."""
    yield as_counted(operations)
    ratio = S.m * LAYER / ((S.r - 1) * LAYER + 2 * S.n * P)
    distance = sympy.simplify(sympy.limit(ratio, S.n, sympy.oo) - S.m / (S.r - 1))
    yield exactly(distance, "==", 0, what="limit, with 2nP more for the keys")


@claims.check("z2")
def where_attention_takes_over() -> Iterator[Verdict]:
    """Weights of a layer of LLaMA over the dimension of its heads together."""
    border = Fraction(LLAMA.P, LLAMA.heads * LLAMA.d)
    yield exactly(border, "==", 53_248, what="P / (h d), LLaMA")


@claims.check("limits")
def the_most_to_hope_for() -> Iterator[Verdict]:
    """m / (r - 1) of the three models against 2.4."""
    llama, *others = [Fraction(x.m, x.r - 1) for x in costs.REAL.values()]
    yield exactly(llama, ">=", Fraction(12, 5), what="LLaMA")
    yield exactly(others, "<", Fraction(12, 5), what="Mistral and Phi")
