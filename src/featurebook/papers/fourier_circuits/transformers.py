"""Transformers on modular addition: attention alone, and two layers with an MLP.

No layer normalisation, learned positions, soft-max scale 1/√(head size). Parameters have a leading
replica axis in an ensemble; the functions here take one network.
"""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.fourier_circuits import training


def draw(
    g: torch.Generator, *, k: int, p: int, d: int, heads: int, size: int, layers: int, mlp: int
) -> core.Params:
    """Gaussian weights of variance 1/fan-in. Heads stand side by side: key (d, heads·size)."""
    wide = heads * size

    def normal(rows: int, columns: int, fan_in: int) -> Tensor:
        return torch.randn(rows, columns, generator=g) / math.sqrt(fan_in)

    found = {"embedding": normal(p, d, d), "position": normal(k, d, d), "read": normal(d, p, d)}
    for i in range(layers):
        for name in ("key", "query", "value"):
            found[f"{name}{i}"] = normal(d, wide, d)
        found[f"project{i}"] = normal(wide, d, wide)
        if mlp:
            found[f"up{i}"], found[f"down{i}"] = normal(d, mlp, d), normal(mlp, d, mlp)
            found[f"bias{i}"] = torch.zeros(mlp)
    return found


def attend(params: core.Params, x: Tensor, i: int, size: int) -> Tensor:
    """W^P applied to the stacked heads of layer i; x (N, k, d), every position attends to all."""

    def split(name: str) -> Tensor:
        return (x @ params[f"{name}{i}"]).unflatten(-1, (-1, size)).transpose(-2, -3)

    key, query, value = split("key"), split("query"), split("value")  # (N, heads, k, size)
    # Sums of products: faster than thousands of products of tiny matrices.
    scores = (query[..., :, None, :] * key[..., None, :, :]).sum(-1) / math.sqrt(size)
    mixed = (scores.softmax(-1)[..., None] * value[..., None, :, :]).sum(-2)
    return mixed.transpose(-2, -3).flatten(-2) @ params[f"project{i}"]


def answers(params: core.Params, a: Tensor, size: int, last: bool) -> Tensor:
    """Logits (N, p) at inputs a (N, k), read at the last number or at the mean over positions."""
    hot = a[..., None] == torch.arange(params["embedding"].shape[-2], device=a.device)
    x = hot.to(params["embedding"].dtype) @ params["embedding"] + params["position"]
    for i in range(sum(name.startswith("key") for name in params)):
        x = x + attend(params, x, i, size)
        if f"up{i}" in params:
            x = x + (x @ params[f"up{i}"] + params[f"bias{i}"]).relu() @ params[f"down{i}"]
    return (x[..., -1, :] if last else x.mean(-2)) @ params["read"]


def loss(params: core.Params, a: Tensor, size: int, last: bool) -> Tensor:
    """Mean cross-entropy."""
    F = answers(params, a, size, last)
    y = (a.sum(-1) % F.shape[-1])[:, None]
    return (F.logsumexp(-1) - F.gather(-1, y)[:, 0]).mean()


def accuracy(params: core.Params, a: Tensor, size: int, last: bool) -> Tensor:
    """Share of right answers of every replica, (R,); a (R, N, k)."""
    run = torch.vmap(partial(answers, size=size, last=last))
    return (run(params, a).argmax(-1) == a.sum(-1) % params["embedding"].shape[-2]).float().mean(-1)


def train(
    *, k: int, p: int, d: int, heads: int, size: int, layers: int, mlp: int, last: bool,
    share: float, steps: int, lr: float, decay: float, batch: int, seeds: Sequence[int],
    every: int = 20, label: str = "transformer",
) -> core.Run:  # fmt: skip
    """Train on a random share of all inputs by AdamW(0.9, 0.98), constant step after a warm-up.

    Observed every so many steps: accuracy on the training inputs and on the others.
    """
    seen, unseen = training.half(k, p, seeds, share)
    init = partial(draw, k=k, p=p, d=d, heads=heads, size=size, layers=layers, mlp=mlp)
    judge = partial(accuracy, size=size, last=last)
    return core.train(
        partial(loss, size=size, last=last), core.replicate(init, seeds, "init"), seen,
        steps=steps, seeds=seeds, schedule=lambda t: lr * min(1.0, t / 10),
        optimizer=partial(
            torch.optim.AdamW, lr=lr, betas=(0.9, 0.98), weight_decay=decay
        ),
        batch_size=min(batch, seen.shape[1]),
        observe=core.Observe(
            lambda q: {"train": judge(q, seen[:, :2000]), "test": judge(q, unseen[:, :2000])},
            range(0, steps + 1, every),
        ),
        execution=core.Execution(label=label),
    )  # fmt: skip


def attention_matrices(params: core.Params, size: int) -> Tensor:
    """A_h = E Wᴷ W^{Qᵀ} Eᵀ of layer 0 over number tokens, (..., heads, p, p): key, query."""
    E = params["embedding"]
    names = ("key0", "query0")
    key, query = ((E @ params[n]).unflatten(-1, (-1, size)).transpose(-2, -3) for n in names)
    return key @ query.mT


def folded_spectrum(A: Tensor) -> Tensor:
    """|fft2(A)|² added up over the signs of both frequencies, the mean removed, shares of 1.

    (..., n, n) with n = ⌊p/2⌋ + 1; a product of two cosines has all in one entry.
    """
    p = A.shape[-1]
    full = torch.fft.fft2(A).abs().square()
    fold = torch.zeros(p, p // 2 + 1, dtype=full.dtype)
    fold[torch.arange(p), torch.minimum(torch.arange(p), p - torch.arange(p))] = 1.0
    found = fold.T @ full @ fold
    found[..., 0, 0] = 0.0
    return found / found.sum((-1, -2), keepdim=True)


def dominant(spectrum: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Largest share of a folded spectrum (..., n, n), and its frequencies of key and query."""
    n = spectrum.shape[-1]
    share, at = spectrum.flatten(-2).max(-1)
    return share, at // n, at % n


def first_reach(run: core.Run, name: str, level: float = 0.95) -> list[float]:
    """First observed step at which an accuracy reaches a level, one per replica; inf if never."""
    curve = run.observed[name]  # (T, R)
    found = []
    for r in range(curve.shape[1]):
        at = (curve[:, r] >= level).nonzero()
        found.append(float(run.steps[int(at[0])]) if len(at) else math.inf)
    return found


def accuracy_at_fit(run: core.Run, level: float = 0.95) -> list[float]:
    """Test accuracy at the first look with that training accuracy, or at the last look, (R,)."""
    looks = [float(step) for step in run.steps]
    return [
        float(run.observed["test"][looks.index(at) if at in looks else -1, r])
        for r, at in enumerate(first_reach(run, "train", level))
    ]


def delays(run: core.Run, cap: int, level: float = 0.95) -> np.ndarray:
    """Steps from a level of training accuracy to that of test accuracy, at least 0, (R,).

    A test accuracy that is never reached counts as reached at the step ``cap``; a run that never
    reaches the training accuracy has not fitted anything, and counts as waiting all of ``cap``.
    """
    fitted, known = (np.array(first_reach(run, name, level)) for name in ("train", "test"))
    wait = np.maximum(np.minimum(known, cap) - np.minimum(fitted, cap), 0.0)
    return np.where(np.isinf(fitted), cap, wait)
