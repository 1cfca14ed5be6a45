"""The part's trainings: one recipe and what changes of it, masks that are varied, long runs.

The paper leaves step sizes, batches, widths and constants open; what stands here is ours.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from featurebook.core import (
    Execution,
    Observe,
    Params,
    Run,
    generator,
    replicate,
    takes_replicas,
    train,
    where_active,
)
from featurebook.core.batches import Draw
from featurebook.papers.contrastive_decoupling import encoders, model

WAYS: dict[str, tuple[Callable[..., Draw], model.Views]] = {
    "mask": (model.draw_masked, model.masked_views),
    "plain": (model.draw_plain, model.plain_views),
}
"""How batches are drawn and seen: with complementary masks, or without augmentation."""

ETA_P = 0.03
"""Step size of stage I in units of 1/p, ηp."""
ETA_P_LATE = 0.05
"""The same from t1 on."""
ETA_P_PLAIN = 0.1
"""The same without augmentation, bias and decay."""
DECAY = 1.25
"""Weight decay is λ = d to minus this."""


def recipe(d: int, p: float, steps: int, beta_end: float = 0.4) -> model.Recipe:
    """The recipe of run A: mask, weight decay d^-1.25, bias from 0 at steps/4 to β at 3 steps/4."""
    t1, t2 = steps // 4, 3 * steps // 4
    return model.Recipe(ETA_P / p, ETA_P_LATE / p, d**-DECAY, beta_end, t1, t2, steps)


def until(recipe: model.Recipe, steps: int) -> model.Recipe:
    """The same recipe, broken off."""
    return replace(recipe, steps=min(steps, recipe.steps))


def seven(full: model.Recipe, p: float) -> dict[str, model.Recipe]:
    """Run A and six that differ from it in mask, bias or decay.

    Those without a mask start near saturation, as the theory needs them to (Fact F.4).
    """
    plain, eta = replace(full, norm=0.9), ETA_P_PLAIN / p
    still, short = replace(plain, beta_end=0.0), 5 * full.steps // 12
    return {
        "A mask + bias": full,
        "B plain, no decay": replace(still, eta=eta, eta_late=eta, lam=0.0, steps=short),
        "C plain + bias, no decay": replace(plain, lam=0.0),
        "D plain + bias": plain,
        "E plain": still,
        "F mask": replace(full, beta_end=0.0, steps=2 * full.steps // 3),
        "G mask + bias, no decay": replace(full, lam=0.0),
    }


def fit_all(
    way: str,
    recipes: Mapping[str, model.Recipe],
    *,
    world: model.SparseCoding,
    K: int,
    N: int,
    **more: Any,
) -> dict[str, Run]:
    """Train neurons on fresh batches of K positives and N negatives, "mask" or "plain".

    All recipes see the same batches. Further arguments go to `encoders.train_encoders`.
    """
    draw, views = WAYS[way]
    return encoders.train_encoders(draw(world, K, N), views, recipes, d1=world.d1, **more)


def fit(
    way: str, recipe: model.Recipe, *, world: model.SparseCoding, K: int, N: int, **more: Any
) -> Run:
    """`fit_all` with one recipe; further arguments go to `encoders.train_encoder`."""
    draw, views = WAYS[way]
    return encoders.train_encoder(draw(world, K, N), views, recipe, d1=world.d1, **more)


def moments(recipe: model.Recipe) -> list[int]:
    """Seven steps along a run, and t1."""
    along = np.linspace(0, recipe.steps, 7).round().astype(int).tolist()
    return sorted({*along, min(recipe.t1, recipe.steps)})


def larger(d: int, d1: int, size: int) -> int:
    """The dimension for another d at the same ratio d_1 / d, a power of two."""
    return 2 ** math.ceil(math.log2(d1 * size / d))


# --- variations of mask and negatives -------------------------------------------------------------


def draw_two_masks(world: model.SparseCoding, K: int, N: int) -> Draw:
    """Batches for `two_masks`: positives with two independent masks, and negatives."""
    masked = model.draw_masked(world, K, N)

    def draw(g: torch.Generator, count: int) -> tuple[tuple[Tensor, Tensor, Tensor], Tensor]:
        (x, signs), negatives = masked(g, count)
        return (x, signs, model.random_mask(g, *x.shape)), negatives

    return draw


def two_masks(W: Tensor, batch: tuple[Tensor, Tensor, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """W x⁺, W x⁺⁺ and x⁺ if the masks of the two views are independent."""
    x, signs, others = batch
    x_plus = x * (1 + signs)
    return x_plus @ W.mT, (x * (1 + others)) @ W.mT, x_plus


def draw_masked_negatives(world: model.SparseCoding, K: int, N: int) -> Draw:
    """Batches for `model.masked_views` with negatives that are masked too (Remark 2.4)."""
    masked = model.draw_masked(world, K, N)

    def draw(g: torch.Generator, count: int) -> tuple[tuple[Tensor, Tensor], Tensor]:
        positives, negatives = masked(g, count)
        return positives, negatives * (1 + model.random_mask(g, *negatives.shape))

    return draw


def variations(
    setting: model.SparseCoding, full: model.Recipe, K: int, N: int, seed: int
) -> dict[str, tuple]:
    """What becomes of run A if one thing changes: world, batches, views, recipe by name."""
    d, d1, p, seen = setting.d, setting.d1, setting.p, model.masked_views
    wider = model.hadamard_dictionary(d + 4, d1, seed)
    noisy = replace(setting, M=wider[:, :d], spikes=math.sqrt(8 * p) * wider[:, d:])
    on_two = torch.cat([model.block_dictionary(d, 2), torch.zeros(d1 - 2 * d, d)])
    worlds = {
        "noisy directions, s = 8p": noisy,
        "noise of correlation 0.5": model.with_correlated_noise(setting, 0.5),
        "atoms on 2 coordinates": replace(setting, M=on_two),
    }
    masked, few = model.draw_masked(setting, K, N), model.draw_masked(setting, K, max(N // 8, 8))
    return {
        "A, half the neurons": (setting, masked, seen, full),
        "independent masks": (setting, draw_two_masks(setting, K, N), two_masks, full),
        "masked negatives": (setting, draw_masked_negatives(setting, K, N), seen, full),
        "an eighth of the negatives": (setting, few, seen, full),
        **{name: (w, model.draw_masked(w, K, N), seen, full) for name, w in worlds.items()},
        "β to 0.25": (setting, masked, seen, replace(full, beta_end=0.25)),
        "β to 0.55": (setting, masked, seen, replace(full, beta_end=0.55)),
    }


# --- supervision ----------------------------------------------------------------------------------


@takes_replicas
def supervised_back(
    params: Params, batch: tuple[Tensor, Tensor], recipe: model.Recipe
) -> tuple[Params, Tensor]:
    """Old state minus new state of `supervised`; its gradient is that of half the squared error."""
    W, A, b, t = (params[name] for name in ("W", "A", "b", "t"))
    x, y = batch
    K, bias = x.shape[-2], b.unsqueeze(-2)
    u = x @ W.mT
    f = model.soft_threshold(u, bias)
    error = f @ A.mT - y  # (K, n)
    slope = where_active(error @ A, u.abs() - bias).mT @ x / K
    eta = torch.where(t < recipe.t1, recipe.eta, recipe.eta_late)
    W_step = eta.unsqueeze(-1) * (slope + recipe.lam * W)
    A_step = eta.unsqueeze(-1) * (error.mT @ f / K + recipe.lam * A)
    before, after = W.norm(dim=-1), (W - W_step).norm(dim=-1)
    b_new = model.ramp(recipe)(b, before, after, t, eta)
    steps = {"W": W_step, "A": A_step, "b": b - b_new, "t": -torch.ones_like(t)}
    return steps, error.square().sum(-1).mean(-1) / 2


def supervised(
    world: model.SparseCoding,
    recipe: model.Recipe,
    labels: Tensor,
    *,
    K: int,
    m: int,
    seeds: Sequence[int],
    device: str | torch.device = "cpu",
    label: str = "supervised",
) -> Run:
    """The same m neurons, bias and decay, and a linear layer A on top; labels z @ labels (d, n).

    Squared error, fresh batches of K without a mask; observes W and b at the start.
    """

    def draw(g: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
        x, z, _ = model.sample(g, world, count * K)
        return x.view(count, K, -1), (z @ labels).view(count, K, -1)

    params = model.start(recipe, m, world.d1, seeds)
    size = (labels.shape[1], m)
    params["A"] = replicate(lambda g: 0.1 * torch.randn(size, generator=g), seeds, "head")
    update = partial(supervised_back, recipe=recipe)
    return train(
        lambda params, batch: update(params, batch)[1],
        {k: params[k].to(device) for k in ("W", "A", "b", "t")},
        draw,
        steps=recipe.steps,
        seeds=seeds,
        optimizer=partial(torch.optim.SGD, lr=1.0),
        gradient=update,
        observe=Observe(lambda p: {"W": p["W"], "b": p["b"]}, at=[0]),
        execution=Execution(label=label),
    )


# --- longer runs ----------------------------------------------------------------------------------


def dense_start(
    recipe: model.Recipe, M: Tensor, m: int, seeds: Sequence[int], device: str | torch.device
) -> dict[str, Tensor]:
    """A start near the complement of span(M): a hundredth of the share that random weights have."""
    begin = model.start(recipe, m, M.shape[0], seeds)
    begin["W"] = begin["W"] - 0.9 * begin["W"] @ M @ M.T
    return {name: value.to(device) for name, value in begin.items()}


def firing_share(run: Run, x: Tensor) -> np.ndarray:
    """Share of the neurons of a run's first network that fire on any of x, one per step seen."""
    pairs = zip(run.observed["W"][:, 0].cpu(), run.observed["b"][:, 0].cpu(), strict=True)
    return np.array([float((model.features(W, b, x) != 0).any(0).float().mean()) for W, b in pairs])


def alive_at(world: model.SparseCoding, seed: int) -> Tensor:
    """A thousand examples to see which neurons fire."""
    return model.sample(generator(seed, "alive"), world, 1000)[0]
