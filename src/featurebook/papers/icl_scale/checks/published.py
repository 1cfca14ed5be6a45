"""The checks of sentences about Figures 5.1 and 5.2, by the numbers behind them."""

from collections.abc import Iterator
from fractions import Fraction

import pandas as pd

from featurebook.papers.icl_scale import printed
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, inequality, trend

FIGURES = ("5.1", "5.2")
"""Chat models, base models."""
GUESSING = 50
"""Accuracy in percent."""
SMALLEST = 3
"""Billions of parameters."""
FLAT = 10
"""Points that a flat curve may lose, as in the counterpart, which allows a loss of 0.1."""


@claims.experiment
def published_means() -> pd.DataFrame:
    """Published accuracies in percent, means over data sets: by figure and size, and flip rate."""
    return printed.figures().groupby(["figure", "billions"]).mean()


def loss_grows(figure: str) -> Verdict:
    """Points lost to flips on average, size by size."""
    lost = printed.falls(figure).average
    return inequality(lost[:-1], lost[1:], what="average loss by size")


@claims.check("figure-5-1")
def chat_models() -> Iterator[Verdict]:
    """Points lost from 0 % to 100 % flips, size by size: on average, and on each data set."""
    lost = printed.falls("5.1")
    yield loss_grows("5.1")
    yield inequality(lost[:-1], lost[1:], what="loss, each data set")


@claims.check("figure-5-2")
def base_models() -> Iterator[Verdict]:
    """Points lost on average, size by size, and of the smallest and largest on each data set."""
    lost = printed.falls("5.2")
    yield loss_grows("5.2")
    yield inequality(lost.iloc[0], lost.iloc[-1], what="3 B and 70 B")


@claims.check(
    "figures-clean",
    undecided=("two readings", "on average: true; on each data set: false on Subj"),
)
def better_with_clean_labels(published_means: pd.DataFrame) -> Iterator[Verdict]:
    """Accuracy without flips, size by size: on average, and on each data set."""
    for figure in FIGURES:
        mean = published_means[0].loc[figure].to_numpy()
        yield inequality(mean[:-1], mean[1:], what=f"clean accuracy by size, Figure {figure}")
    for figure in FIGURES:
        by_size = printed.figures().loc[figure].pivot_table(0, "dataset", "billions")
        each = by_size.dropna(axis=1).to_numpy()
        what = f"the same on each data set, Figure {figure}"
        yield inequality(each[:, :-1], each[:, 1:], what=what)


@claims.check("figures-flat", undecided=("two readings", "flatter than larger models, not flat"))
def small_models_stay_flat() -> Iterator[Verdict]:
    """What the smallest model loses: against larger ones, on average, and on each data set."""
    for figure in FIGURES:
        lost = printed.falls(figure)
        average = lost.average
        yield inequality(average.iloc[0], average.iloc[1:], what=f"3 B, Figure {figure}")
    for figure in FIGURES:
        each = printed.falls(figure).loc[SMALLEST].drop("average")
        yield inequality(each, FLAT, what=f"points lost by 3 B, each data set, Figure {figure}")


@claims.check(
    "figures-seldom", undecided=("two readings", "true of the average; false in 16 of 50 cells")
)
def seldom_worse_than_guessing(published_means: pd.DataFrame) -> Iterator[Verdict]:
    """Accuracies of the smallest model against one half: averages, then every one of them."""
    averages = published_means.xs(SMALLEST, level="billions").to_numpy()
    yield everywhere(averages >= GUESSING, what="averages of 3 B at one half or above")
    cells = printed.figures().xs(SMALLEST, level="billions").to_numpy()
    yield everywhere(cells >= GUESSING, what="cells of 3 B at one half or above")


@claims.experiment
def repeated_model() -> pd.DataFrame:
    """Figure 5.1 minus Figure 5.2 for the smallest model, in points: data sets by flip rate."""
    small = printed.figures().xs(SMALLEST, level="billions")
    first, second = (small.loc[figure] for figure in FIGURES)
    return pd.DataFrame(first - second)


@claims.check("figures-repeat")
def two_runs_of_a_small_model(repeated_model: pd.DataFrame) -> Iterator[Verdict]:
    """Points between the smallest model's two accuracies in a cell, in tenths as published."""
    tenths = [round(10 * x) for x in repeated_model.abs().to_numpy().ravel()]
    yield exactly(Fraction(sum(tenths), 10 * len(tenths)), ">", 2, what="points apart on average")
    yield exactly(tenths.count(100), "==", 1, what="cells that are ten points apart")
    yield exactly(max(tenths), "<=", 100, what="tenths of a point apart at most")


@claims.check("figures-thousand")
def a_thousand_prompts() -> Iterator[Verdict]:
    """The caption's number of prompts against that of each data set."""
    yield inequality(
        printed.PROTOCOL.prompts, list(printed.EVALUATED.values()), what="prompts of a data set"
    )


@claims.check("figures-thousand-corrected")
def at_most_a_thousand_prompts() -> Iterator[Verdict]:
    """Prompts of each data set, and whether the chat models' WNLI means are over 71 prompts."""
    sizes = list(printed.EVALUATED.values())
    yield inequality(sizes, printed.PROTOCOL.prompts, what="prompts of a data set")
    fit = printed.may_be_means("5.1", "WNLI", printed.PROTOCOL.runs)
    yield everywhere(fit, what="WNLI accuracies of Figure 5.1 are multiples of 1/355")


@claims.check(
    "figures-runs", undecided=("undecided", "false if the numbers are those of Figure 5.2")
)
def over_five_runs() -> Iterator[Verdict]:
    """Whether the WNLI accuracies can be means over five runs."""
    for figure in FIGURES:
        fit = printed.may_be_means(figure, "WNLI", printed.PROTOCOL.runs)
        yield everywhere(fit, what=f"multiples of 1/355, Figure {figure}")


@claims.check("figures-three-runs")
def over_three_runs() -> Iterator[Verdict]:
    """How many of the base models' WNLI accuracies can be means over three runs, and over five."""
    yield everywhere(printed.may_be_means("5.2", "WNLI", 3), what="multiples of 1/213, Figure 5.2")
    others = printed.may_be_means("5.2", "WNLI", printed.PROTOCOL.runs)
    yield inequality(others.sum(), others.size - 1, what="multiples of 1/355, of 20, Figure 5.2")


@claims.check("figures-similar")
def similar_for_base_models() -> Iterator[Verdict]:
    """Points lost on average by base models, size by size."""
    yield loss_grows("5.2")


@claims.check("figures-tuning")
def tuning_impairs(published_means: pd.DataFrame) -> Iterator[Verdict]:
    """Accuracy without flips of base models minus that of chat models of the same size."""
    tuned, base = (published_means[0].loc[f].loc[[7, 13]].to_numpy() for f in FIGURES)
    yield trend(
        base - tuned,
        expected=(0, 100),
        rival=0.0,
        what="points by which tuning lowers clean accuracy, 7 B and 13 B",
    )
