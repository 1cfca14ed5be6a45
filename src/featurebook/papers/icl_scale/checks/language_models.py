"""The checks of the chapter on small GPTs, counterparts of the language models of the thesis."""

from collections.abc import Iterator

import torch

from featurebook import core
from featurebook.papers.icl_scale import gpt
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import trend

BySize = dict[gpt.Size, Array]
"""Numbers of each run by size, from the narrowest to the widest: (runs, ...)."""


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
