"""Encoders of the paper's model trained: one recipe, or several on the same batches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from featurebook.core import Execution, Observe, Params, Run, log_spaced, takes_replicas, train
from featurebook.core.batches import Draw
from featurebook.core.gradients import Gradient
from featurebook.papers.contrastive_decoupling.model import (
    BiasRule,
    Recipe,
    Views,
    ramp,
    start,
    step_back,
)

STATE = ("W", "b", "t", "loss")
"""What `model.start` gives and `model.step_back` moves."""


@takes_replicas
def steps_back(
    params: Params, batch: tuple[Any, Tensor], updates: Mapping[str, tuple[Gradient, int]]
) -> tuple[Params, Tensor]:
    """`step_back` of several networks on one batch, and the sum of their losses ([R]).

    Args:
        params: the state of each network, under ``NAME/W`` and so on.
        updates: of each network, and how many it gets: after them it stands still.
    """
    back: Params = {}
    losses, longest = [], max(steps for _, steps in updates.values())
    for name, (update, steps) in updates.items():
        own = {key: params[f"{name}/{key}"] for key in STATE}
        if steps < longest and own["t"].flatten()[0] >= steps:
            moved = {key: torch.zeros_like(x) for key, x in own.items()}
        else:
            moved, loss = update(own, batch)
            losses.append(loss)
        back |= {f"{name}/{key}": x for key, x in moved.items()}
    return back, torch.stack(losses).sum(0)


def train_encoders(
    draw: Draw,
    views: Views,
    recipes: Mapping[str, Recipe],
    *,
    m: int,
    d1: int,
    seeds: Sequence[int],
    rule: BiasRule | None = None,
    params: Params | None = None,
    observe_at: Mapping[str, Sequence[int]] | None = None,
    device: str | torch.device = "cpu",
    label: str = "contrastive",
) -> dict[str, Run]:
    """Train m neurons per seed and recipe, all recipes on the same batches.

    To draw batches takes about as long as to learn from them; each run is the same as alone.

    Args:
        draw, views: `model.draw_masked` with `model.masked_views`, or the same of `plain`.
        recipes: by a name of each run.
        rule: how the biases move; the norm-tied `ramp` of each recipe by default.
        params: where all start; `start` of each recipe by default.
        observe_at: steps of each run at which to observe; some thirty on a logarithmic axis by
            default.

    Returns:
        The runs by name; their observables are W (T, R, m, d_1), b (T, R, m) and loss.
    """
    updates = {
        name: (partial(step_back, views=views, rule=rule or ramp(r), recipe=r), r.steps)
        for name, r in recipes.items()
    }
    begin = {
        f"{name}/{key}": x
        for name, recipe in recipes.items()
        for key, x in (params or start(recipe, m, d1, seeds, device)).items()
    }
    at = {name: log_spaced(r.steps) for name, r in recipes.items()} | dict(observe_at or {})
    update = partial(steps_back, updates=updates)
    run = train(
        lambda params, batch: update(params, batch)[1],
        begin,
        draw,
        steps=max(recipe.steps for recipe in recipes.values()),
        seeds=seeds,
        optimizer=partial(torch.optim.SGD, lr=1.0),
        gradient=update,
        observe=Observe(
            lambda p: {name: x for name, x in p.items() if not name.endswith("/t")},
            at=sorted(set().union(*at.values())),
        ),
        execution=Execution(label=label),
    )
    return {name: _run_of(run, name, at[name]) for name in recipes}


def _run_of(run: Run, name: str, at: Sequence[int]) -> Run:
    """One of the runs of `train_encoders`, as it was seen at the steps ``at``."""
    rows = [run.steps.index(t) for t in sorted(at)]
    params = {key: run.params[f"{name}/{key}"] for key in STATE}
    all_seen = {key: run.observed[f"{name}/{key}"] for key in STATE if key != "t"}
    seen = {key: torch.stack([x[row] for row in rows]) for key, x in all_seen.items()}
    return replace(run, params=params, steps=tuple(sorted(at)), observed=seen)


def train_encoder(
    draw: Draw,
    views: Views,
    recipe: Recipe,
    *,
    observe_at: Sequence[int] | None = None,
    label: str = "contrastive",
    **more: Any,
) -> Run:
    """`train_encoders` with one recipe."""
    at = None if observe_at is None else {label: observe_at}
    more |= {"observe_at": at, "label": label}
    return train_encoders(draw, views, {label: recipe}, **more)[label]
