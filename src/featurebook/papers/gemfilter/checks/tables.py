"""The checks of the printed tables: averages, order of methods, filter layers, chat template."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from featurebook.papers.gemfilter import printed
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.verdicts import Verdict, mean_interval
from featurebook.verdicts.comparisons import everywhere, exactly, inequality

BUDGETS = ("1024", "2048", "4096")
"""Tokens that GemFilter and SnapKV keep in Table 9.1."""


def exact(x: Any) -> Fraction:
    """A printed number as it is printed."""
    return Fraction(str(x))


@claims.experiment
def averages() -> dict[tuple[str, str], Fraction]:
    """The printed averages of Table 9.1, by model and method."""
    table = printed.table("9_1")
    keys = zip(table.model, table.method, strict=True)
    return dict(zip(keys, map(exact, table.average), strict=True))


@claims.experiment
def models() -> list[str]:
    """The models of Table 9.1: LLaMA, Mistral and Phi."""
    return list(dict.fromkeys(printed.table("9_1").model))


@claims.experiment
def noise(models: list[str], confidence: float) -> pd.DataFrame:
    """GemFilter minus SnapKV at equal budgets: mean and interval over the fourteen tasks."""
    table, rows = printed.table("9_1"), []
    for b in BUDGETS:
        each = printed.against(table, f"GemFilter-{b}", f"SnapKV-{b}")[printed.tasks(table)]
        for m in models:
            interval = mean_interval(each.loc[m], confidence)
            rows.append((m, b, *interval, each.loc[m].gt(0).sum()))
    return pd.DataFrame(rows, columns=["model", "k", "gain", "low", "high", "tasks won of 14"])


@claims.experiment
def chat_changes(models: list[str]) -> dict[str, list[Fraction]]:
    """What the chat template of Table G.1 changes on each of its six tasks, by method."""
    table, chat = printed.table("9_1"), printed.table("g_1")
    six = printed.tasks(chat)
    plain = table[table.model == models[0]].set_index("method")[six]
    with_template = chat.set_index("method")[six]
    return {
        method: [
            exact(a) - exact(b)
            for a, b in zip(with_template.loc[method], plain.loc[method], strict=True)
        ]
        for method in chat.method
    }


def averages_are_means(name: str) -> Iterator[Verdict]:
    """Printed averages against the means of their rows, to half a hundredth."""
    gaps = np.abs(printed.average_gap(printed.table(name)))
    what = "how far printed averages are from the means of their rows"
    yield inequality(gaps, 0.005, slack=1e-9, what=what)


@claims.check("table-9-1")
def averages_of_table_9_1() -> Iterator[Verdict]:
    """Averages of LongBench."""
    yield from averages_are_means("9_1")


@claims.check("table-9-2")
def averages_of_table_9_2() -> Iterator[Verdict]:
    """Averages of the filter layers."""
    yield from averages_are_means("9_2")


@claims.check("table-g-1")
def averages_of_table_g_1() -> Iterator[Verdict]:
    """Averages with a chat template."""
    yield from averages_are_means("g_1")


@claims.check(
    "better-than-h2o",
    undecided=(
        "two readings",
        "order of the averages: holds; beyond the spread over tasks: not",
    ),
)
def better_than_h2o(
    averages: dict[tuple[str, str], Fraction], models: list[str], confidence: float
) -> Iterator[Verdict]:
    """The order of the averages, and the intervals over tasks."""
    table = printed.table("9_1")
    gains = [[averages[m, f"GemFilter-{b}"] - averages[m, "H2O-4096"] for m in models]
             for b in BUDGETS]  # fmt: skip
    yield exactly(gains, ">", 0, what="difference of averages")
    each = pd.concat(
        [printed.against(table, f"GemFilter-{b}", "H2O-4096")[printed.tasks(table)]
         for b in BUDGETS]
    )  # fmt: skip
    beyond = [mean_interval(row, confidence)[1] > 0 for row in each.to_numpy()]
    yield everywhere(beyond, what=f"{confidence:.0%} intervals over tasks above 0")


@claims.check("drop")
def drop(averages: dict[tuple[str, str], Fraction], models: list[str]) -> Iterator[Verdict]:
    """All KV minus GemFilter-1024."""
    lost = [averages[m, "All KV"] - averages[m, "GemFilter-1024"] for m in models]
    yield exactly(lost, "==", [exact(x) for x in ("2.22", "1.22", "1.88")])


@claims.check("mistral")
def mistral(averages: dict[tuple[str, str], Fraction], models: list[str]) -> Iterator[Verdict]:
    """GemFilter-2048 against the whole cache."""
    m = models[1]
    yield exactly(averages[m, "GemFilter-2048"], ">", averages[m, "All KV"], what="averages")


@claims.check("snapkv")
def snapkv(averages: dict[tuple[str, str], Fraction], models: list[str]) -> Iterator[Verdict]:
    """GemFilter minus SnapKV at equal budgets, in each model."""
    gains = {
        b: [averages[m, f"GemFilter-{b}"] - averages[m, f"SnapKV-{b}"] for m in models]
        for b in BUDGETS
    }
    won = [sum(gains[b][i] > 0 for b in BUDGETS) for i in range(len(models))]
    yield exactly(won, "==", [1, 3, 0], what="budgets of three at which GemFilter is higher")
    yield exactly(min(gains["2048"]), "==", exact("-2.51"), what="lowest")


@claims.check("not-monotone")
def not_monotone(averages: dict[tuple[str, str], Fraction], models: list[str]) -> Iterator[Verdict]:
    """Phi with 2048 tokens against Phi with 1024."""
    more, fewer = (averages[models[2], f"GemFilter-{b}"] for b in ("2048", "1024"))
    yield exactly(more, "<", fewer, what="averages of Phi")


@claims.check("noise")
def within_noise(noise: pd.DataFrame) -> Iterator[Verdict]:
    """Whether each interval over tasks contains 0."""
    contains = (noise.low <= 0) & (noise.high >= 0)
    yield everywhere(contains, what="intervals over tasks that contain 0")


@claims.check("rise-and-fall")
def rise_and_fall() -> Iterator[Verdict]:
    """Steps of the printed averages before and after their peak."""
    table = printed.table("9_2")
    y = [exact(x) for x in table.average]
    steps, place = [b - a for a, b in pairwise(y)], y.index(max(y))
    yield exactly(steps[:place], ">", 0, what="steps up to the peak")
    yield exactly(steps[place:], "<", 0, what="steps after it")
    yield exactly(int(table.filter_layer[place]), "==", 13, what="layer of the peak")


@claims.check("robust")
def robust() -> Iterator[Verdict]:
    """The spread of layers 13 to 25 against their distance from all others."""
    table = printed.table("9_2")
    between = table.filter_layer.between(13, 25)
    middle, others = ([exact(x) for x in table.average[which]] for which in (between, ~between))
    yield exactly(
        max(middle) - min(middle),
        "<",
        min(middle) - max(others),
        what="spread of layers 13 to 25, against the gap to all others",
    )


@claims.check("chat")
def chat_template(chat_changes: dict[str, list[Fraction]]) -> Iterator[Verdict]:
    """Ten points of the average, for each method."""
    gains = [sum(x) / 6 for x in chat_changes.values()]
    yield exactly(gains, ">=", 10, what="gain of the average over six tasks")


@claims.check("chat-narrative")
def chat_on_narrative(chat_changes: dict[str, list[Fraction]]) -> Iterator[Verdict]:
    """The changes on NarrativeQA of all KV and SnapKV-1024."""
    lost = [chat_changes[x][0] for x in ("All KV", "SnapKV-1024")]
    yield exactly(lost, "==", [exact("-6.94"), exact("-2.97")], what="change on NarrativeQA")


@claims.check("chat-order")
def chat_order() -> Iterator[Verdict]:
    """GemFilter's average, the last of Table G.1, against the other three."""
    y = [exact(x) for x in printed.table("g_1").average]
    yield exactly(y[-1], "<", y[:-1], what="averages")
