"""Typical practice: mixtures of Gaussians, small image classifiers, teacher and student, ResNet(m).

Shapes: R replicas, n samples, d inputs, m hidden units, C classes.
"""

import itertools
import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook.core import Params, Run, replicate, train
from featurebook.images import Images

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


def train_relu(
    start: Params, data: Labelled, test: Labelled, *, lr: float,
    momentum: float, batch: int, steps: int, seeds: Sequence[int], observe_at: Sequence[int],
) -> Run:  # fmt: skip
    """SGD with momentum, no regularisation; observes the weights and the test accuracy."""

    def observe(params: Params) -> dict[str, Tensor]:
        f = torch.vmap(relu_output)(params, test[0])
        return {"W": params["W"], "a": params["a"], "accuracy": ((f * test[1]) > 0).float().mean(1)}

    return train(
        logistic_loss, start, data, steps=steps, seeds=seeds, batch_size=batch,
        optimizer=partial(torch.optim.SGD, lr=lr, momentum=momentum), observe=observe,
        observe_at=observe_at, label="two-layer ReLU network",
    )  # fmt: skip


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


def coverage(W: Tensor, points: Tensor) -> Tensor:
    """For every point the best cosine of a neuron: (R, points) from W (R, m, d)."""
    cos = F.normalize(W, dim=-1) @ F.normalize(points, dim=-1).T
    return cos.max(1).values


def gaussian_experiment(
    d: int, k: int, sigma_r: float, n: int, epochs: Sequence[int], scale: float, seed: int,
    device: torch.device,
) -> tuple[pd.DataFrame, Tensor]:  # fmt: skip
    """Figure 16: 800 neurons on a mixture of 2^k Gaussians.

    Returns:
        One row an epoch, with the best cosine of a neuron to the worst-covered centre, its mean
        over centres, and the test accuracy; and the weights (T, 800, d).
    """
    batch = min(128, n)
    draw = partial(draw_mixture, d=d, k=k, sigma_r=sigma_r)

    def sample(size: int, stream: str) -> Labelled:
        x, y = replicate(partial(draw, n=size), [seed], stream)
        return x.to(device), y.to(device)

    fit, test = sample(n, "mixture"), sample(2000, "mixture test")
    first = replicate(partial(relu_network, d=d, m=800, scale=scale), [seed], "init")
    start = {name: p.to(device) for name, p in first.items()}
    per_epoch = n // batch
    run = train_relu(
        start, fit, test, lr=0.05, momentum=0.9, batch=batch, steps=epochs[-1] * per_epoch,
        seeds=[seed], observe_at=[e * per_epoch for e in epochs],
    )  # fmt: skip
    W = run.observed["W"][:, 0].cpu()
    covered = coverage(W, centres(k, d)[0])
    accuracy = run.observed["accuracy"][:, 0].cpu()
    frame = pd.DataFrame(
        {"epoch": epochs, "worst centre": covered.min(1).values, "mean": covered.mean(1),
         "test accuracy": accuracy}
    )  # fmt: skip
    return frame, W


# --- teacher and student (Algorithm 1) -----------------------------------------------------------


def quadratic_network(g: torch.Generator, d: int, m: int, classes: int) -> Params:
    """FC(m): linear, square, linear; float32."""
    return {
        "W": torch.randn(m, d, generator=g) / math.sqrt(d),
        "b": torch.zeros(m),
        "V": torch.randn(classes, m, generator=g) / math.sqrt(m),
        "c": torch.zeros(classes),
    }


def logits(params: Params, x: Tensor) -> Tensor:
    """Class scores (n, C) of FC(m) for x (n, d)."""
    return (x @ params["W"].T + params["b"]).square() @ params["V"].T + params["c"]


def balance(log_p: Tensor) -> Tensor:
    """R_1: minus the entropy of the mean class probabilities, from log-probabilities (n, C)."""
    mean = log_p.logsumexp(0) - math.log(len(log_p))
    return (mean.exp() * mean).sum()


def doubt(log_p: Tensor) -> Tensor:
    """R_2: the mean entropy of the class probabilities, from log-probabilities (n, C)."""
    return -(log_p.exp() * log_p).sum(1).mean()


def student_loss(params: Params, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Cross-entropy on labelled inputs x (n, d), classes (n,)."""
    x, classes = batch
    return F.cross_entropy(logits(params, x), classes)


def teacher_loss(
    params: Params, batch: tuple[Tensor, Tensor, Tensor], weight: float, lam: float
) -> Tensor:
    """Cross-entropy on (x, classes) plus weight times R = R_1 + lam R_2 on the unlabelled u."""
    x, classes, u = batch
    log_p = logits(params, u).log_softmax(1)
    return student_loss(params, (x, classes)) + weight * (balance(log_p) + lam * doubt(log_p))


ADAM = partial(torch.optim.Adam, lr=0.003)


def _quadratic_networks(
    x: Tensor, width: int, seeds: Sequence[int], stream: str, classes: int = 10
) -> Params:
    draw = partial(quadratic_network, d=x.shape[1], m=width, classes=classes)
    return {name: p.to(x.device) for name, p in replicate(draw, seeds, stream).items()}


def train_teacher(data: Labelled, u: Tensor, width: int, steps: int, seed: int) -> Params:
    """FC(width) on images, regularised by 0.1 (R_1 + R_2) on the inputs u (n, d)."""
    start = _quadratic_networks(u, width, [seed], "teacher")
    run = train(
        partial(teacher_loss, weight=0.1, lam=1.0), start, (*data, u), data_dim=None,
        steps=steps, seeds=[seed], optimizer=ADAM, batch_size=min(128, len(u)), label="teacher",
    )  # fmt: skip
    return {name: p[0] for name, p in run.params.items()}


def train_students(
    data: Labelled, width: int, parts: dict[str, Labelled], steps: Sequence[int],
    seeds: Sequence[int],
) -> pd.DataFrame:  # fmt: skip
    """FC(width) on labelled inputs; accuracy and loss on each of ``parts``, by step and seed."""

    def observe(params: Params) -> dict[str, Tensor]:
        found = {}
        for name, (x, classes) in parts.items():
            scores = torch.vmap(logits, (0, None))(params, x)
            found[name] = (scores.argmax(-1) == classes).float().mean(1)
            loss = torch.vmap(F.cross_entropy, (0, None))(scores, classes)
            found[f"{name}, loss"] = loss
        return found

    run = train(
        student_loss, _quadratic_networks(data[0], width, seeds, "student"), data, data_dim=None,
        steps=steps[-1], seeds=seeds, optimizer=ADAM, batch_size=min(128, len(data[1])),
        observe=observe, observe_at=steps, label="student",
    )  # fmt: skip
    return run.frame()


def losses_by_size(
    data: Labelled, fresh: Labelled, widths: Sequence[int], steps: int, seeds: Sequence[int]
) -> Tensor:
    """Figure 26: test loss of FC(m) on ``fresh`` for every width, (widths, seeds)."""
    last = [
        train_students(data, width, {"fresh": fresh}, [steps], seeds)["fresh, loss"].to_numpy()
        for width in widths
    ]
    return torch.tensor(np.stack(last))


# --- ResNet(m) --------------------------------------------------------------------------------

STAGES = (1, 2, 4, 8)


def resnet(g: torch.Generator, width: int, classes: int) -> Params:
    """ResNet-18 with ``width`` filters in the first block, He initialisation."""
    params: Params = {}

    def conv(name: str, out: int, into: int, size: int) -> None:
        scale = math.sqrt(2 / (into * size * size))
        params[name] = scale * torch.randn(out, into, size, size, generator=g)
        params[f"{name}.gain"], params[f"{name}.shift"] = torch.ones(out), torch.zeros(out)

    conv("stem", width, 3, 3)
    into = width
    for stage, factor in enumerate(STAGES):
        out = width * factor
        for block in range(2):
            conv(f"{stage}.{block}.1", out, into, 3)
            conv(f"{stage}.{block}.2", out, out, 3)
            if out != into:
                conv(f"{stage}.{block}.skip", out, into, 1)
            into = out
    params["head"] = torch.randn(classes, into, generator=g) / math.sqrt(into)
    params["head.shift"] = torch.zeros(classes)
    return params


def resnet_logits(params: Params, x: Tensor) -> Tensor:
    """Class scores (n, C) of images (n, 3, h, w); normalised by the statistics of the batch."""

    def conv(name: str, x: Tensor, stride: int = 1) -> Tensor:
        weight = params[name]
        x = F.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2)
        mean, var = x.mean((0, 2, 3), keepdim=True), x.var((0, 2, 3), correction=0, keepdim=True)
        x = (x - mean) / (var + 1e-5).sqrt()
        return x * params[f"{name}.gain"][:, None, None] + params[f"{name}.shift"][:, None, None]

    x = torch.relu(conv("stem", x))
    for stage in range(len(STAGES)):
        for block in range(2):
            name, stride = f"{stage}.{block}", 2 if stage and not block else 1
            h = conv(f"{name}.2", torch.relu(conv(f"{name}.1", x, stride)))
            x = torch.relu(h + (conv(f"{name}.skip", x, stride) if f"{name}.skip" in params else x))
    return x.mean((2, 3)) @ params["head"].T + params["head.shift"]


def resnet_loss(params: Params, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Cross-entropy of ResNet(m) on images (n, 3, h, w) and classes (n,)."""
    x, classes = batch
    return F.cross_entropy(resnet_logits(params, x), classes)


def chunk_gradients(filters: Tensor, lr: float, steps: int) -> Tensor:
    """Mean gradients between recorded weights (T, ...) that lie ``steps`` plain SGD steps apart."""
    return (filters[:-1] - filters[1:]) / (lr * steps)


def early_cosines(v: Tensor) -> Tensor:
    """The six numbers of a row of Table 7 for v (3, p): with the mean v, then pairwise."""
    u = F.normalize(v, dim=1)
    mean = F.normalize(v.mean(0), dim=0)
    return torch.cat([u @ mean, torch.stack([u[0] @ u[1], u[0] @ u[2], u[1] @ u[2]])])


def opposite_clusters(filters: Tensor, share: float = 0.1) -> tuple[Tensor, Tensor]:
    """Indices of two opposite clusters of directions: the ``share`` of filters (p, q) that lie
    furthest along either side of the leading axis of the normalised filters."""
    u = F.normalize(filters, dim=1)
    axis = torch.linalg.eigh(u.T @ u).eigenvectors[:, -1] if u.shape[1] <= u.shape[0] else (
        u.T @ torch.linalg.eigh(u @ u.T).eigenvectors[:, -1]
    )  # fmt: skip
    order = (u @ axis).argsort()
    size = max(2, round(share * len(u)))
    return order[:size], order[-size:]
