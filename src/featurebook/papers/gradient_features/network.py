"""The two-layer network, its symmetric start (3.9), the first step, and Algorithm 1."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.papers.gradient_features import maps
from featurebook.papers.gradient_features.data import Mixture

Draw = Callable[..., tuple[Tensor, Tensor]]


def symmetric(
    g: torch.Generator, d: int, m: int, *, sigma_a: float, sigma_w: float, b: float
) -> Params:
    """The start (3.9): 4m neurons whose output is 0. a (4m,), W (4m, d), b (4m,)."""
    a = sigma_a * torch.randn(m, generator=g)
    W = sigma_w * torch.randn(m, d, generator=g)
    bias = torch.full((m,), b)
    half = {"a": torch.cat([a, -a]), "W": torch.cat([W, -W]), "b": torch.cat([bias, -bias])}
    return {
        "a": torch.cat([half["a"], -half["a"]]),
        "W": torch.cat([half["W"], half["W"]]),
        "b": torch.cat([half["b"], half["b"]]),
    }


def output(params: Params, X: Tensor) -> Tensor:
    """Σ_i a_i σ(⟨w_i, x⟩ - b_i) for X (..., n, d): (..., n)."""
    H = torch.relu(X @ params["W"].mT - params["b"][..., None, :])
    return (H @ params["a"][..., None])[..., 0]


def hinge(params: Params, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Mean of max(0, 1 - y g(x)) over a batch."""
    X, y = batch
    return torch.relu(1 - y * output(params, X)).mean(-1)


@core.takes_replicas
def gradient(
    params: Params, batch: tuple[Tensor, Tensor], frozen: bool = False
) -> tuple[Params, Tensor]:
    """Gradients of `hinge` and its value, by hand, for one network or many; biases get none.

    Args:
        frozen: no gradient for W either (the simple setting of Section 3.3.1).
    """
    X, y = batch  # (..., n, d), (..., n)
    a, W, b = params["a"], params["W"], params["b"]
    H = torch.relu(X @ W.mT - b[..., None, :])
    margin = 1 - y * (H @ a[..., None])[..., 0]
    pull = torch.where(margin > 0, -y, torch.zeros_like(y)) / y.shape[-1]
    da = (H.mT @ pull[..., None])[..., 0]
    dW = torch.zeros_like(W) if frozen else ((H > 0) * pull[..., None]).mT @ X * a[..., None]
    return {"a": da, "W": dW, "b": torch.zeros_like(b)}, torch.relu(margin).mean(-1)


def first_step(params: Params, X: Tensor, y: Tensor, eta: float) -> Params:
    """Step one, λ = 1/η, on a sample X (n, d): W = η a G̃, a = η E[y σ(⟨w, x⟩ - b)]; ℓ'(0) = -1."""
    Z = X @ params["W"].mT - params["b"]
    n = len(y)
    G = ((Z > 0) * y[:, None]).mT @ X / n
    a = eta * (torch.relu(Z).mT @ y) / n
    return {"a": a, "W": eta * params["a"][:, None] * G, "b": params["b"]}


def first_step_exact(params: Params, mix: Mixture, eta: float) -> Params:
    """The same with the whole mixture of Gaussians as the sample, in closed form."""
    W, b = params["W"].double().numpy(), params["b"].double().numpy()
    G = torch.tensor(maps.G_mixture(W, b, mix)).float()
    a = torch.tensor(maps.output_mixture(W, b, mix)).float()
    return {"a": eta * a, "W": eta * params["a"][:, None] * G, "b": params["b"]}


def randomised(params: Params, g: torch.Generator) -> Params:
    """Control: every weight vector replaced by a random one of the same norm, pairs alike."""
    W = params["W"]
    half = W.shape[0] // 2
    fresh = torch.randn(half, W.shape[1], generator=g)
    size = W[:half].norm(dim=1, keepdim=True)
    fresh = fresh / fresh.norm(dim=1, keepdim=True) * size
    return {**params, "W": torch.cat([fresh, -fresh])}


def pick(params: Params, index: Tensor) -> Params:
    """The subnetwork of some neurons."""
    return {name: value[index] for name, value in params.items()}


def stack(networks: Sequence[Params]) -> Params:
    """Networks of one size as an ensemble."""
    return {name: torch.stack([p[name] for p in networks]) for name in networks[0]}


def observed(params: Params, test: tuple[Tensor, Tensor]) -> dict[str, Tensor]:
    """Loss and error on a test set that all replicas share, and the largest weight, each (R,)."""
    X, y = test
    score = y * output(params, X)
    return {"loss": torch.relu(1 - score).mean(-1), "error": (score <= 0).float().mean(-1)}


def algorithm_1(
    starts: Params,
    draw: Draw,
    *,
    eta: float,
    steps: int,
    batch: int,
    seeds: Sequence[int],
    test: tuple[Tensor, Tensor],
    observe_at: Sequence[int],
    frozen: bool = False,
    observe: Callable[[Params], dict[str, Tensor]] | None = None,
    device: torch.device | str = "cpu",
    label: str = "Algorithm 1",
) -> core.Run:
    """Steps 2, 3, ... of Algorithm 1 from networks after step one: fresh samples, hinge loss.

    Args:
        starts: after the first step, each tensor (R, ...).
        draw: of a generator and a shape: X (*shape, d) and y (*shape).
        test: what loss and error are observed on, X (n, d), y (n,).
    """

    def fresh(g: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
        return draw(g, count, batch)

    return core.train(
        hinge,
        starts,
        fresh,
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.SGD, lr=eta),
        gradient=partial(gradient, frozen=frozen),
        observe=core.Observe(observe or partial(observed, test=test), observe_at),
        execution=core.Execution(device=device, label=label),
    )


def cost(d: int, m: int, batch: int) -> tuple[float, float]:
    """Operations and bytes of one step of Algorithm 1 with 4m neurons in float32.

    Two products of batch, neurons and dimension, forward and the gradient of W, with two
    operations per multiplication; the memory is that of weights, gradient and start, of the inputs,
    and of the hidden layer with its mask and gradient.
    """
    neurons = 4 * m
    return 4.0 * batch * neurons * d, 4.0 * (3 * neurons * d + batch * d + 3 * batch * neurons)


def cost_table(sizes: list[tuple[int, int]], batch: int = 4096) -> pd.DataFrame:
    """What a step of Algorithm 1 costs, and how many an hour at 5·10¹³ operations a second has.

    Args:
        sizes: dimension d, and a quarter m of the neurons.
    """
    rows = []
    for d, m in sizes:
        flops, held = cost(d, m, batch)
        rows.append(
            {
                "d": d,
                "neurons": 4 * m,
                "Gflop a step": f"{flops / 1e9:.3g}",
                "GiB": f"{held / 2**30:.2g}",
                "steps in an hour": f"{3600 * 5e13 / flops:.2g}",
            }
        )
    return pd.DataFrame(rows)


def log_steps(steps: int, count: int = 24) -> list[int]:
    """Step numbers 0..steps to observe at, denser early."""
    return sorted({0, *np.unique(np.geomspace(1, steps, count).round().astype(int)).tolist()})
