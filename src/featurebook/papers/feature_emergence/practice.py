"""Beyond the theory: labels by hidden representation, and two-layer ReLU networks on images and on
mixtures of Gaussians.

Shapes: R replicas, n samples, d inputs, m hidden units.
"""

import itertools
import math
from collections.abc import Sequence
from functools import partial

import pandas as pd
import torch
import torch.nn.functional as F
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
)
from featurebook.images import Images
from featurebook.papers.feature_emergence import data, network

Labelled = tuple[Tensor, Tensor]

# --- a two-layer ReLU network with the logistic loss -------------------------------------------


def relu_network(g: torch.Generator, d: int, m: int, scale: float) -> Params:
    """Small Gaussian initialisation: W ~ N(0, scale^2 / d), a ~ N(0, 1/m), b = 0, float32."""
    return {
        "W": scale * torch.randn(m, d, generator=g) / math.sqrt(d),
        "b": torch.zeros(m),
        "a": torch.randn(m, generator=g) / math.sqrt(m),
    }


def relu_output(params: Params, x: Tensor) -> Tensor:
    """sum_i a_i ReLU(<w_i, x> + b_i), (n,) for x (n, d)."""
    return torch.relu(x @ params["W"].T + params["b"]) @ params["a"]


def logistic_loss(params: Params, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Mean of log(1 + exp(-y f(x))), labels +-1."""
    x, y = batch
    return F.softplus(-y * relu_output(params, x)).mean()


@takes_replicas
def logistic_gradient(params: Params, batch: tuple[Tensor, Tensor]) -> tuple[Params, Tensor]:
    """Gradient and value of `logistic_loss`, cheaper than automatic differentiation."""
    x, y = batch
    a = params["a"]
    h = torch.relu(x @ params["W"].mT + params["b"][..., None, :])
    margin = y * (h @ a[..., None]).squeeze(-1)
    force = -y * torch.sigmoid(-margin) / y.shape[-1]  # derivative in the outputs
    pull = torch.ops.aten.threshold_backward(force[..., None] * a[..., None, :], h, 0)  # h > 0
    grads = {"W": pull.mT @ x, "b": pull.sum(-2), "a": (force[..., None, :] @ h).squeeze(-2)}
    return grads, F.softplus(-margin).mean(-1)


def train_relu(
    start: Params, data: Labelled, test: Labelled, *, lr: float,
    momentum: float, batch: int, steps: int, seeds: Sequence[int], observe_at: Sequence[int],
) -> Run:  # fmt: skip
    """SGD with momentum, no regularisation; observes the weights and the test accuracy."""

    def observe(params: Params) -> dict[str, Tensor]:
        f = torch.vmap(relu_output)(params, test[0])
        return {"W": params["W"], "a": params["a"], "accuracy": ((f * test[1]) > 0).float().mean(1)}

    return train(
        logistic_loss,
        start,
        data,
        steps=steps,
        seeds=seeds,
        batch_size=batch,
        optimizer=partial(torch.optim.SGD, lr=lr, momentum=momentum),
        gradient=logistic_gradient,
        observe=Observe(observe, at=observe_at),
        execution=Execution(label="two-layer ReLU network"),
    )


def two_classes(images: Images, first: int, second: int) -> Labelled:
    """Images of two classes: centred inputs (n, d), and y = +1 for ``first``, -1 for ``second``."""
    keep = (images.labels == first) | (images.labels == second)
    x = images.pixels[keep].flatten(1)
    return x - x.mean(0), torch.where(images.labels[keep] == first, 1.0, -1.0)


def sides(W: Tensor, a: Tensor) -> tuple[float, float]:
    """Mean cosine of the neurons (m, d) to the mean direction of their side, the side being the
    sign of a (m,), and the cosine between the two mean directions."""
    u = F.normalize(W, dim=1)
    plus, minus = u[a > 0].mean(0), u[a < 0].mean(0)
    own = torch.cat([F.cosine_similarity(u[a > 0], plus[None]),
                     F.cosine_similarity(u[a < 0], minus[None])])  # fmt: skip
    return float(own.mean()), float(F.cosine_similarity(plus, minus, dim=0))


Neurons = dict[float, tuple[Tensor, Tensor]]


def two_sides(
    data: Labelled, lr: float, scales: Sequence[float], steps: Sequence[int],
    seeds: Sequence[int], device: torch.device,
) -> tuple[pd.DataFrame, Neurons]:  # fmt: skip
    """Figures 3, 17 and 18: how 50 neurons split into two sides, for several initial scales.

    Three quarters of ``data`` are trained on. Both layers start ``scale`` times smaller.

    Returns:
        One row a scale, step and seed; and for each scale the first seed's weights, (T, 50, d) and
        (T, 50).
    """
    x, y = data
    R, cut = len(seeds), len(y) * 3 // 4
    fit, test = (
        (u.expand(R, *u.shape).to(device), v.expand(R, -1).to(device))
        for u, v in ((x[:cut], y[:cut]), (x[cut:], y[cut:]))
    )
    rows, neurons = [], {}
    for scale in scales:
        draw = partial(relu_network, d=x.shape[1], m=50, scale=scale)
        start = {name: p.to(device) for name, p in replicate(draw, seeds, "init").items()}
        start["a"] = scale * start["a"]
        run = train_relu(
            start, fit, test, lr=lr, momentum=0.95, batch=min(64, cut), steps=steps[-1],
            seeds=seeds, observe_at=steps,
        )  # fmt: skip
        W, a, accuracy = (run.observed[name].cpu() for name in ("W", "a", "accuracy"))
        neurons[scale] = W[:, 0], a[:, 0]
        for i, t in enumerate(steps):
            for r, seed in enumerate(seeds):
                rows.append((scale, t, seed, *sides(W[i, r], a[i, r]), float(accuracy[i, r])))
    columns = ["initial scale", "step", "seed", "own side", "between sides", "test accuracy"]
    return pd.DataFrame(rows, columns=columns), neurons


# --- labels by hidden representation -------------------------------------------------------------

CODES, CODES_K, CODES_D = 100, 50, 250
"""Figure 15: random binary vectors, half for each label; relevant patterns; patterns in all."""


def representation_run(seed: int, m: int, n: int) -> tuple[dict[str, Tensor], Tensor]:
    """First layers (1, 2m, D) at the start and after both steps on labels by hidden representation,
    and the direction of E[yx] (D,)."""
    g = generator(seed, "codes")
    codes = torch.randint(0, 2, (CODES, CODES_K), generator=g).float()
    labels = torch.ones(CODES)
    labels[CODES // 2 :] = -1
    x, y = data.draw_representation(g, codes, labels, CODES_D, n)
    p = network.initial(g, CODES_D, m, CODES_K, 1.0)
    one, two = network.first_two_steps([p], (x[None], y[None]), 1e-7, CODES_K**-1.5)
    v = (labels[:, None] * (codes - codes.mean(0))).mean(0).double()
    weights = {"initial": p["W"][None], "one": one["W"], "two": two["W"]}
    return weights, F.pad(v, (0, CODES_D - CODES_K))


# --- mixtures of Gaussians on the vertices of a cube --------------------------------------------


def centres(k: int, d: int) -> tuple[Tensor, Tensor]:
    """The 2^k cluster centres sum_i +-M_i in the first k of d coordinates, and their labels."""
    signs = torch.tensor(list(itertools.product([1.0, -1.0], repeat=k)))
    return F.pad(signs, (0, d - k)), signs.prod(1)


def draw_mixture(g: torch.Generator, d: int, k: int, sigma_r: float, n: int) -> Labelled:
    """x = sum_i eps_i M_i + N(0, sigma_r^2 (k/d) I), y = prod eps_i: (n, d) and (n,)."""
    signs = torch.randint(0, 2, (n, k), generator=g) * 2.0 - 1
    noise = sigma_r * math.sqrt(k / d) * torch.randn(n, d, generator=g)
    return F.pad(signs, (0, d - k)) + noise, signs.prod(1)


def coverage(W: Tensor, points: Tensor) -> tuple[Tensor, Tensor]:
    """For every point the best cosine of a neuron (points,), and for every neuron of W (m, d) that
    of a point (m,)."""
    cos = F.normalize(W, dim=-1) @ F.normalize(points, dim=-1).T
    return cos.max(0).values, cos.max(1).values


def gaussian_experiment(
    d: int, k: int, sigma_r: float, n: int, epochs: Sequence[int], scale: float,
    seeds: Sequence[int], device: torch.device,
) -> tuple[pd.DataFrame, Tensor]:  # fmt: skip
    """Figure 16: 800 neurons on a mixture of 2^k Gaussians, one sample and start per seed.

    Returns:
        One row per epoch and seed, with the best cosine of a neuron to the worst-covered centre,
        its mean over centres, the share of neurons with a cosine of 0.9 or more to some centre
        ("near"), and the test accuracy; and the weights (T, R, 800, d).
    """
    batch = min(128, n)
    draw = partial(draw_mixture, d=d, k=k, sigma_r=sigma_r)

    def sample(size: int, stream: str) -> Labelled:
        x, y = replicate(partial(draw, n=size), seeds, stream)
        return x.to(device), y.to(device)

    first = replicate(partial(relu_network, d=d, m=800, scale=scale), seeds, "init")
    start = {name: p.to(device) for name, p in first.items()}
    per_epoch = n // batch
    run = train_relu(
        start, sample(n, "mixture"), sample(2000, "mixture test"), lr=0.05, momentum=0.9,
        batch=batch, steps=epochs[-1] * per_epoch, seeds=seeds,
        observe_at=[e * per_epoch for e in epochs],
    )  # fmt: skip
    W, accuracy = (run.observed[name].cpu() for name in ("W", "accuracy"))
    rows = []
    for (i, epoch), (r, seed) in itertools.product(enumerate(epochs), enumerate(seeds)):
        covered, best = coverage(W[i, r], centres(k, d)[0])
        near = float((best >= 0.9).float().mean())
        rows.append((epoch, seed, float(covered.min()), float(covered.mean()), near,
                     float(accuracy[i, r])))  # fmt: skip
    columns = ["epoch", "seed", "worst centre", "mean", "near", "test accuracy"]
    return pd.DataFrame(rows, columns=columns), W
