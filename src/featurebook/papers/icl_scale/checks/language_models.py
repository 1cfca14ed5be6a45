"""The checks of the chapter on language models: published accuracies, and small counterparts."""

from collections.abc import Iterator

import pandas as pd
import torch

from featurebook import core
from featurebook.papers.icl_scale import gpt, printed
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, inequality, trend

BySize = dict[gpt.Size, Array]
"""Numbers of each run by size, from the narrowest to the widest: (runs, ...)."""

FIGURES = ("5.1", "5.2")
"""Chat models, base models."""
GUESSING = 50
"""Accuracy in percent."""


@claims.experiment
def trained_gpts(
    widths: list[int], layers: int, dim: int, M: int, rho: float,
    gpt_steps: int, gpt_batch: int, trainings: int, seed: int, device: str,
) -> dict[gpt.Size, core.Params]:  # fmt: skip
    """An ensemble of small GPTs for each width, pretrained on prompts of M examples."""
    return {
        size: gpt.train(
            size, dim=dim, M=M, rho=rho, steps=gpt_steps, batch=gpt_batch,
            seeds=range(seed, seed + trainings), device=core.pick_device(device),
        )
        for size in (gpt.Size(D, layers, 1 if D < 8 else 2) for D in sorted(widths))
    }  # fmt: skip


@claims.experiment
def prior_accuracy(
    trained_gpts: dict[gpt.Size, core.Params],
    dim: int, M: int, gpt_prompts: int, flip_rates: list[float], seed: int,
) -> BySize:  # fmt: skip
    """Accuracy on the prior task, (runs, flip rates)."""
    prior = torch.eye(dim)[:1].expand(gpt_prompts, dim)
    flips = [round(p * M) for p in flip_rates]
    return {
        size: gpt.accuracies(p, size, prior, M, flips, seed).numpy()
        for size, p in trained_gpts.items()
    }


@claims.experiment
def random_task_accuracy(
    trained_gpts: dict[gpt.Size, core.Params], dim: int, M: int, gpt_prompts: int, seed: int
) -> BySize:
    """Accuracy on random tasks with right labels, (runs,)."""
    tasks = gpt.tasks(core.generator(seed, "other tasks"), (gpt_prompts,), dim, 1.0)
    return {
        size: gpt.accuracies(p, size, tasks, M, [0], seed)[:, 0].numpy()
        for size, p in trained_gpts.items()
    }


@claims.experiment
def attention_norms(
    trained_gpts: dict[gpt.Size, core.Params], dim: int, M: int, gpt_prompts: int, seed: int
) -> BySize:
    """Norms of the last row of attention by group of examples, (runs, prompts, 4).

    Relevant and irrelevant examples with the correct label, then with the wrong one.
    """
    generator = core.generator(seed, "two sentences")
    tokens, group = gpt.two_sentences(generator, min(100, gpt_prompts), M, dim)
    return {size: gpt.rows(p, size, tokens, group).numpy() for size, p in trained_gpts.items()}


@claims.experiment
def irrelevant_share(attention_norms: BySize) -> BySize:
    """The irrelevant examples' share of the norm, mean over prompts, (runs,)."""
    return {
        size: (n[..., [1, 3]].sum(-1) / n.sum(-1)).mean(1) for size, n in attention_norms.items()
    }


@claims.experiment
def lost_to_flips(prior_accuracy: BySize, flip_rates: list[float]) -> BySize:
    """Accuracy lost from the smallest to the largest flip rate, (runs,)."""
    clean, flipped = (flip_rates.index(end(flip_rates)) for end in (min, max))
    return {size: found[:, clean] - found[:, flipped] for size, found in prior_accuracy.items()}


@claims.check("counterpart-flips")
def reading_models_override_priors(
    prior_accuracy: BySize,
    random_task_accuracy: BySize,
    lost_to_flips: BySize,
    flip_rates: list[float],
) -> Iterator[Verdict]:
    """Accuracy with all labels flipped, on random tasks, and what the narrowest GPT loses."""
    first, middle, *_, last = lost_to_flips
    flipped = flip_rates.index(max(flip_rates))
    for size in (middle, last):
        found = prior_accuracy[size][:, flipped]
        yield trend(found, expected=(0, 0.5), rival=0.5, what=f"100%, {size}")
    reads, blind = random_task_accuracy[last], random_task_accuracy[first]
    yield trend(reads, expected=(0.5, 1), rival=0.5, what="random task")
    yield trend(blind, expected=(0.45, 0.55), what=f"random, {first}")
    flat = lost_to_flips[first]
    yield trend(flat, expected=(-0.1, 0.1), within=(-1, 1), what=f"drop, {first}")


@claims.check("counterpart-size")
def width_does_not_matter(lost_to_flips: BySize) -> Iterator[Verdict]:
    """The accuracy that the widest GPT loses minus that of the second."""
    _, middle, *_, last = lost_to_flips
    yield trend(
        lost_to_flips[last] - lost_to_flips[middle],
        expected=(-1, 0.1),
        within=(-1, 1),
        what=f"drop of {last} minus that of {middle}",
    )


@claims.check("counterpart-attention")
def attends_to_both(irrelevant_share: BySize) -> Iterator[Verdict]:
    """The irrelevant examples' share in the widest GPT."""
    last = max(irrelevant_share, key=lambda size: size.width)
    yield trend(
        irrelevant_share[last],
        expected=(0.3, 0.7),
        rival=[0.0, 1.0],
        what=f"share of the irrelevant, {last}",
    )


@claims.check("figure-5-3", of="Llama", on=lambda: "small GPTs trained here")
def attention_by_size(irrelevant_share: BySize) -> Iterator[Verdict]:
    """The irrelevant examples' share in the widest GPT minus that in the second."""
    _, middle, *_, last = irrelevant_share
    yield trend(
        irrelevant_share[last] - irrelevant_share[middle],
        expected=(0, 1),
        rival=0.0,
        within=(-1, 1),
        what="small GPTs",
    )


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
def small_models_stay_flat(published_means: pd.DataFrame) -> Iterator[Verdict]:
    """What the smallest model loses against the others, where it ends, and its accuracies."""
    lost = printed.falls("5.2").average
    yield inequality(lost.iloc[0], lost.iloc[1:], what="3 B")
    ends = published_means[100].xs(3, level="billions")
    yield inequality(GUESSING, ends, what="average at 100 %")
    cells = printed.figures().xs(3, level="billions").to_numpy()
    yield everywhere(cells >= GUESSING, what="cells of 3 B at one half or above")


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
