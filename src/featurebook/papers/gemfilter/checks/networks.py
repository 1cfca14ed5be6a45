"""The trained networks of the chapter on the small model, and how GemFilter selects in each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from featurebook import core
from featurebook.core import Params
from featurebook.papers.gemfilter import data, experiments, inference, network, training
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.inference import Selection
from featurebook.papers.gemfilter.network import Size
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import trend

TASK = data.Task(fillers=8, keys=8, values=8, needles=4)
"""The needle task of this chapter."""
FIRST_LESSONS = 15
"""Tokens of the haystacks that training begins with."""
CHOOSING = 32
"""Prompts on which the filter layer of a network is chosen."""


@dataclass(frozen=True)
class Network:
    """One network, trained and not.

    Attributes:
        seed: of its start, its lessons and the prompts that it is asked.
        weights: after training.
        start: before training.
        how: our variant of GemFilter with this network's filter layer.
    """

    seed: int
    weights: Params
    start: Params
    how: Selection


@claims.experiment
def small_size(layers: int, width: int) -> Size:
    """The decoder: two query heads on one head of keys and values, MLPs as wide as the model."""
    return Size(TASK.vocabulary, layers, width, heads=2, kv_heads=1, mlp=1, base=1000.0)


@claims.experiment
def trained(
    small_size: Size, train_n: int, steps: list[int], batch: int, trainings: int, seed: int
) -> Params:
    """Weights of all networks, each (trainings, ...): short prompts first, then longer ones."""
    return training.train(
        small_size,
        TASK,
        stages=[(FIRST_LESSONS, steps[0]), (train_n, steps[1])],
        batch=batch,
        seeds=range(seed, seed + trainings),
    )


@claims.experiment
def our_variant(k: int, keep_last: int) -> Selection:
    """Our variant of GemFilter, its filter layer still to be chosen."""
    return Selection(r=1, k=k, keep_last=keep_last)


@claims.experiment
def networks(
    trained: Params, small_size: Size, our_variant: Selection, train_n: int, trainings: int,
    seed: int,
) -> list[Network]:  # fmt: skip
    """Every network with the filter layer of largest recall on prompts that are not used again."""
    seeds = range(seed, seed + trainings)
    fresh = core.replicate(lambda g: network.initial(g, small_size), seeds, "initial")
    choosing = data.prompts(core.generator(seed, "choosing"), TASK, CHOOSING, 2 * train_n)
    found = []
    for i, own in enumerate(seeds):
        weights = inference.of_seed(trained, i)
        r = experiments.best_layer(weights, small_size, choosing, our_variant)
        how = replace(our_variant, r=r)
        found.append(Network(own, weights, inference.of_seed(fresh, i), how))
    return found


def stacked(rows: Sequence[Mapping[str, Any]]) -> dict[str, NDArray[np.float64]]:
    """Numbers by name, one dictionary per network, as arrays (networks, ...)."""
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def more(difference: ArrayLike, what: str) -> Verdict:
    """Whether a difference of shares, one per network, is positive."""
    return trend(difference, expected=(0, 1), rival=0.0, within=(-1, 1), what=what)
