"""Trains small networks on the needle task with `core.train`, several at once."""

from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional as nf

from featurebook import core
from featurebook.papers.gemfilter import data, network
from featurebook.papers.gemfilter.network import Size


def loss(params: core.Params, tokens: Tensor, *, size: Size, needles: int) -> Tensor:
    """Mean cross entropy of the values of the answers in lessons (B, T)."""
    first = tokens.shape[-1] - (data.NEEDLE + 1) * needles
    at = first + torch.arange((data.NEEDLE + 1) * needles).reshape(needles, -1)[:, 1:-1].flatten()
    said = network.logits_at(params, size, tokens, at)
    return nf.cross_entropy(said.flatten(0, -2), tokens[..., at + 1].flatten())


def step_size(t: int, steps: int, top: float = 4e-3, warm: int = 40) -> float:
    """A linear warm-up, then a cosine down to a tenth."""
    done = torch.tensor(max(0.0, (t - warm) / max(1, steps - warm)))
    return top * min(1.0, t / warm) * float(0.55 + 0.45 * torch.cos(torch.pi * done))


def train(
    size: Size, task: data.Task, *, stages: Sequence[tuple[int, int]], batch: int,
    seeds: Sequence[int],
) -> core.Params:  # fmt: skip
    """Trained weights, each (R, ...).

    Args:
        stages: pairs of prompt length and steps, one after another.
        seeds: one per network; its start and its prompts.
    """
    params = core.replicate(lambda g: network.initial(g, size), seeds, "initial")
    total, done = sum(steps for _, steps in stages), 0
    for n, steps in stages:
        params = core.train(
            partial(loss, size=size, needles=task.needles),
            params,
            partial(_lessons, task=task, batch=batch, n=n),
            steps=steps,
            seeds=seeds,
            optimizer=partial(torch.optim.AdamW, lr=1e-3, betas=(0.9, 0.98), weight_decay=0.01),
            schedule=lambda t, done=done: step_size(done + t, total),  # type: ignore[misc]
        ).params
        done += steps
    return params


def _lessons(g: torch.Generator, count: int, *, task: data.Task, batch: int, n: int) -> Tensor:
    return data.lessons(g, task, count * batch, n).unflatten(0, (count, batch))
