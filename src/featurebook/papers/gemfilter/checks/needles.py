"""The checks of the needle scores, of One-Run, and of the headline that the input shrinks."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np
import torch

from featurebook import core
from featurebook.papers.gemfilter import costs, inference, measured, network, printed
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.checks.tables import exact
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity

QUOTED = (0.917, 0.25, 0.917, 0.333, 0.75, 0.167)
"""Scores of the answers in the captions of Figures G.5 to G.7, GemFilter's and SnapKV's in turn."""
LENGTHS = (64, 128, 256, 512)
"""Prompts on which One-Run and GemFilter are counted."""


@claims.experiment
def needle_score() -> dict[tuple[str, str], Fraction]:
    """The average scores that the needle figures state, by figure and method."""
    table = printed.needle_scores()
    keys = zip(table.figure.str[:3], table.method, strict=True)
    return dict(zip(keys, map(exact, table.average_score), strict=True))


@claims.experiment
def one_run_costs() -> dict[str, list[list[int]]]:
    """Operations, and bytes of keys and values, of GemFilter and One-Run at each of `LENGTHS`."""
    size = network.Size(40, 4, 48, heads=2, kv_heads=1, mlp=1)
    weights = network.initial(core.generator(0, "one run"), size)
    found: dict[str, list[list[int]]] = {"operations": [], "bytes": []}
    for n in LENGTHS:
        x, way = torch.zeros(1, n, dtype=torch.long), inference.Selection(2, 16)
        found["operations"].append([
            costs.traced(partial(f, weights, size, x, way, 1))
            for f in (inference.gemfilter, inference.one_run)
        ])  # fmt: skip
        found["bytes"].append([
            measured.gemfilter_peak_bytes(weights, size, x, way),
            measured.peak_bytes(weights, size, x, inference.same_places(weights, size, x, way)),
        ])  # fmt: skip
    return found


@claims.check("large-margin")
def needles_with_phi(needle_score: dict[tuple[str, str], Fraction]) -> Iterator[Verdict]:
    """GemFilter against all KV and SnapKV."""
    rivals = [needle_score["G.2", x] for x in ("All KV", "SnapKV-1024")]
    best = needle_score["G.2", "GemFilter-1024"]
    yield exactly(best, ">", rivals, what="average scores of Phi")


@claims.check("rows-printed")
def other_rows(needle_score: dict[tuple[str, str], Fraction]) -> Iterator[Verdict]:
    """Selection by other rows, against half of the last row's score."""
    failing = [needle_score["G.3", x] for x in ("Middle-Row-1024", "Largest-Row-1024")]
    half = needle_score["G.4", "GemFilter-1024"] / 2
    yield exactly(failing, "<", half, what="other rows, against half of the last row's score")


@claims.check("one-run-printed")
def one_run(needle_score: dict[tuple[str, str], Fraction]) -> Iterator[Verdict]:
    """One-Run against GemFilter."""
    ours = needle_score["G.4", "GemFilter-1024"]
    yield exactly(needle_score["G.4", "GemFilter-One-Run-1024"], "<", ours, what="average scores")


@claims.check("one-run-cost")
def one_run_costs_more(one_run_costs: dict[str, list[list[int]]]) -> Iterator[Verdict]:
    """Operations and bytes at every length."""
    operations, sizes = (np.array(one_run_costs[x]).T for x in ("operations", "bytes"))
    yield exactly(operations[0], "<", operations[1], what="operations, GemFilter and One-Run")
    yield exactly(sizes[0], "<", sizes[1], what="bytes of keys and values")


@claims.check("quoted-answers")
def quoted_answers() -> Iterator[Verdict]:
    """The released code's score of each quoted answer, to three decimals."""
    scores = [printed.score(x) for pair in printed.ANSWERS.values() for x in pair]
    yield identity(
        np.round(scores, 3), QUOTED, tolerance=1e-12, what="scores of the quoted answers"
    )


@claims.check("thousand-once")
def at_most_128_times() -> Iterator[Verdict]:
    """The reduction of the one prompt, and the largest at the budget of each printed score."""
    needle, kept = printed.FIGURE_9_1
    yield exactly(Fraction(needle, kept), ">=", 1000, what="reduction in Figure 9.1")
    tables = (printed.table("9_1"), printed.table("g_1"), printed.needle_scores())
    methods = [x for table in tables for x in table.method]
    budgets = [int(x.rpartition("-")[2]) for x in methods if x.startswith("GemFilter")]
    largest = [Fraction(128 * 1024, budget) for budget in budgets]
    yield exactly(largest, "<=", 128, what="reductions of 128K tokens, printed scores")


@claims.check("k-of-figure")
def k_of_the_figure() -> Iterator[Verdict]:
    """The reduction of the figure's prompt at the k of Section 9.3.1, against the stated one."""
    needle, _ = printed.FIGURE_9_1
    yield exactly(Fraction(needle, 1024), ">=", 950, what="reduction at k = 1024, of about 1000")


@claims.check("k-of-figure-corrected")
def k_is_100() -> Iterator[Verdict]:
    """The reduction at each budget against the stated one, to one digit."""
    needle, kept = printed.FIGURE_9_1
    found = Fraction(needle, kept)
    yield exactly(found, ">=", 950, what="reduction at k = 100, of about 1000")
    yield exactly(found, "<", 1500, what="reduction at k = 100, of about 1000")
    yield exactly(Fraction(needle, 1024), "<", 950, what="reduction at k = 1024")
