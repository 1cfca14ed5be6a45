"""The checks of the chapter on parity, continued: heads that are trained."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import verdicts
from featurebook.papers.icl_scale import attention, parity
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import inequality

CONFIDENCE = 0.999
"""Of the intervals of accuracies."""


@claims.experiment
def trained_heads(
    nu1: int, nu2: int, gamma: float, p_T: float, decay: float,
    heads: list[int], head_steps: int, n_seeds: int, seed: int,
) -> dict[int, tuple[Tensor, Tensor]]:  # fmt: skip
    """Networks (runs, m, d, d) after training on the population loss, and objectives, by m."""
    table = attention.parity_table(2**nu2, 2**nu1, gamma, p_T)
    unit = decay / (4 * gamma**2)  # on Σ‖B‖² instead of Σ‖W‖²
    seeds = range(seed, seed + n_seeds)
    return {
        m: attention.train_heads(m, table, decay=unit, steps=head_steps, seeds=seeds) for m in heads
    }


@dataclass(frozen=True)
class Accuracies:
    """Of trained networks on important tasks with short prompts.

    Attributes:
        runs: one row per network and prompt length: m, its objective, and its accuracy.
        chosen: how many tasks the networks with the lowest objective of the smallest and the
            largest m solve, by prompt length.
        tasks: of how many.
    """

    runs: pd.DataFrame
    chosen: dict[int, tuple[int, int]]
    tasks: int


@claims.experiment
def head_accuracies(
    trained_heads: dict[int, tuple[Tensor, Tensor]],
    nu1: int, gamma: float, contexts: list[int], draws: int, seed: int,
) -> Accuracies:  # fmt: skip
    """All networks on the two shortest prompts, and once more the chosen ones."""
    rng, lengths = np.random.default_rng([seed, 46]), contexts[:2]
    tasks = parity.draw_tasks(2**nu1, max(draws // 10, 200), rng)
    rows = [
        (m, float(loss), M, attention.hidden_accuracy(B, tasks, M, gamma, rng))
        for m, (nets, objective) in trained_heads.items()
        for B, loss in zip(nets, objective, strict=True)
        for M in lengths
    ]
    best = {m: nets[int(torch.argmin(objective))] for m, (nets, objective) in trained_heads.items()}
    chosen = {}
    for M in lengths:
        few, many = (
            round(attention.hidden_accuracy(best[m], tasks, M, gamma, rng) * len(tasks))
            for m in (min(best), max(best))
        )
        chosen[M] = few, many
    runs = pd.DataFrame(rows, columns=["m", "objective", "M", "accuracy"])
    return Accuracies(runs, chosen, len(tasks))


@claims.check("trained-heads")
def trend_at_finite_decay(head_accuracies: Accuracies) -> Iterator[Verdict]:
    """Intervals of both accuracies; those that touch decide nothing."""
    for M, hits in head_accuracies.chosen.items():
        few, many = (verdicts.clopper_pearson(h, head_accuracies.tasks, CONFIDENCE) for h in hits)
        found = inequality(many[1], few[0], what=f"99.9% intervals apart, M = {M}")
        if found.outcome == "refuted" and few[1] >= many[0]:
            found = verdicts.undecided(found, "straddles", "intervals touch")
        yield found
