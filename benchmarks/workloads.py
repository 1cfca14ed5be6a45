"""Four trainings, each for torch and for JAX, with the matrix products that none can avoid.

A workload says nothing of how it is trained: that is for the contestants of `speed.py`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook import core
from featurebook.papers.cone_sets import network
from featurebook.papers.cone_sets.data import PatchData


@dataclass(frozen=True)
class Workload:
    """One network's training.

    Attributes:
        loss: of one network for torch; ``jax_loss`` the same for JAX.
        params: draws a start, and ``data`` one network's samples, from a generator.
        batch_size: None for full batches.
        adam: whether Adam is used; else SGD, with momentum 0.9 and weight decay 0.001.
        products: (rows, inner, columns) of the matrix products of one step of one network.
        gradient: a cheaper gradient, where the chapter has one.
    """

    name: str
    loss: Callable[[Any, Any], Tensor]
    jax_loss: Callable[[Any, Any], jax.Array]
    params: Callable[[torch.Generator], core.Params]
    data: Callable[[torch.Generator], Any]
    batch_size: int | None
    lr: float
    adam: bool
    products: list[tuple[int, int, int]]
    gradient: Callable[[Any, Any], tuple[core.Params, Tensor]] | None = None


def patches(d: int, P: int, C: int, batch: int | None, N: int = 4000, c0: float = 0.01) -> Workload:
    """The P-patch autoencoder; its floor is the encoder over all patches."""

    def jax_loss(params: Any, x: jax.Array) -> jax.Array:
        w = params["w"]
        excitation = x @ w.T  # (N, P, C)
        u = excitation.max(1)
        s = jnp.where(u > c0, u, jnp.maximum(u, 0) ** 2 / (2 * c0))
        code = s[:, None] * jax.nn.one_hot(excitation.argmax(1), P, axis=1)
        return ((code @ w - x) ** 2).sum((1, 2)).mean()

    B = batch or N
    return Workload(
        f"patches ({d}, {P}, {C}), {f'batch {batch}' if batch else f'full batch of {N}'}",
        partial(network.loss, c0=c0), jax_loss, partial(network.draw_kernels, C, d, 0.01),
        partial(PatchData(d, P).draw, N), batch, 1e-3, False,
        [(B * P, d, C), (C, d, C), (C, C, d)], partial(network.gradient, c0=c0),
    )  # fmt: skip


def parity(D: int = 100, width: int = 600, batch: int = 1000, N: int = 4000) -> Workload:
    """Two layers of truncated ReLUs on a parity of three bits, hinge loss."""

    def start(g: torch.Generator) -> core.Params:
        return {
            "W": torch.randn(width, D, generator=g) / math.sqrt(D),
            "b": torch.zeros(width),
            "a": torch.randn(width, generator=g) / math.sqrt(width),
        }

    def data(g: torch.Generator) -> tuple[Tensor, Tensor]:
        x = torch.randint(2, (N, D), generator=g) * 2.0 - 1
        return x, x[:, :3].prod(1)

    def loss(p: core.Params, batch: Any) -> Tensor:
        x, y = batch
        return (1 - y * ((x @ p["W"].T + p["b"]).clamp(0, 1) @ p["a"])).clamp(min=0).mean()

    def jax_loss(p: Any, batch: Any) -> jax.Array:
        x, y = batch
        return jnp.maximum(1 - y * (jnp.clip(x @ p["W"].T + p["b"], 0, 1) @ p["a"]), 0).mean()

    products = [(batch, D, width), (width, batch, D)]
    name = f"parity (D = {D}, width {width}), batch {batch}"
    return Workload(name, loss, jax_loss, start, data, batch, 0.01, False, products)


def ntk(n: int = 100, d: int = 20, m: int = 4096) -> Workload:
    """The two-layer ReLU autoencoder, both layers trained on all samples."""

    def start(g: torch.Generator) -> core.Params:
        return {k: torch.randn(m, d, generator=g) for k in ("W", "A")}

    def data(g: torch.Generator) -> Tensor:
        return F.normalize(torch.randn(n, d, generator=g), dim=1)

    def loss(p: core.Params, x: Tensor) -> Tensor:
        out = torch.relu(x @ p["W"].T) @ p["A"] / math.sqrt(m * d)
        return (x - out).square().sum() / 2

    def jax_loss(p: Any, x: jax.Array) -> jax.Array:
        out = jax.nn.relu(x @ p["W"].T) @ p["A"] / math.sqrt(m * d)
        return ((x - out) ** 2).sum() / 2

    products = [(n, d, m), (n, m, d), (m, n, d), (n, d, m), (m, n, d)]
    return Workload(
        f"NTK autoencoder (n = {n}, d = {d}, m = {m}), full batch",
        loss, jax_loss, start, data, None, 0.1, False, products,
    )  # fmt: skip


def transformer(p: int = 31, k: int = 3, width: int = 64, heads: int = 4, B: int = 256) -> Workload:
    """One layer on the sum of k numbers modulo p; the sizes but p and k are ours."""
    T, h = k + 1, width // heads
    shapes = {
        "embed": (p + 1, width), "place": (T, width), "qkv": (width, 3 * width),
        "mix": (width, width), "up": (width, 4 * width), "down": (4 * width, width),
        "out": (width, p),
    }  # fmt: skip

    def start(g: torch.Generator) -> core.Params:
        return {n: torch.randn(s, generator=g) / math.sqrt(s[0]) for n, s in shapes.items()}

    def data(g: torch.Generator) -> tuple[Tensor, Tensor]:
        x = torch.randint(p, (4000, k), generator=g)
        end = torch.full((4000, 1), p)
        return torch.cat([x, end], 1), x.sum(1) % p

    def loss(q: core.Params, batch: Any) -> Tensor:
        tokens, y = batch
        x = q["embed"][tokens] + q["place"]  # (B, T, width)
        a, b, v = (x @ q["qkv"]).unflatten(-1, (3, heads, h)).permute(2, 0, 3, 1, 4)
        attention = (a @ b.mT / math.sqrt(h)).softmax(-1)  # (B, heads, T, T)
        x = x + (attention @ v).transpose(1, 2).flatten(2) @ q["mix"]
        x = x + torch.relu(x @ q["up"]) @ q["down"]
        return F.cross_entropy(x[:, -1] @ q["out"], y)

    def jax_loss(q: Any, batch: Any) -> jax.Array:
        tokens, y = batch
        x = q["embed"][tokens] + q["place"]
        a, b, v = (x @ q["qkv"]).reshape(-1, T, 3, heads, h).transpose(2, 0, 3, 1, 4)
        attention = jax.nn.softmax(a @ b.swapaxes(-1, -2) / math.sqrt(h))
        x = x + (attention @ v).swapaxes(1, 2).reshape(-1, T, width) @ q["mix"]
        x = x + jax.nn.relu(x @ q["up"]) @ q["down"]
        scores = jax.nn.log_softmax(x[:, -1] @ q["out"])
        return -jnp.take_along_axis(scores, y[:, None], 1).mean()

    M = B * T
    forward = [(M, width, 3 * width), (M, width, width), (M, width, 4 * width),
               (M, 4 * width, width), (B, width, p)]  # fmt: skip
    products = [q for r, i, c in forward for q in ((r, i, c), (r, c, i), (i, r, c))]
    name = f"transformer (p = {p}, k = {k}, width {width}), batch {B}"
    return Workload(name, loss, jax_loss, start, data, B, 1e-3, True, products)


def every() -> list[Workload]:
    """The six that are compared, smallest first."""
    return [
        patches(24, 20, 28, 32), patches(72, 60, 86, 32), parity(), ntk(), transformer(),
        patches(24, 20, 28, None),
    ]  # fmt: skip
