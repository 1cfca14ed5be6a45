"""ResNet(m): ResNet-18 with m filters in the first block, for images of any size.

Shapes: n images (n, 3, h, w), C classes.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook.core import Params
from featurebook.core.spectra import eigh
from featurebook.papers.feature_emergence.teacher import Architecture, Scores

STAGES = (1, 2, 4, 8)


def resnet(g: torch.Generator, m: int, classes: int) -> Params:
    """ResNet-18 with ``m`` filters in the first block, He initialisation."""
    params: Params = {}

    def conv(name: str, out: int, into: int, size: int) -> None:
        scale = math.sqrt(2 / (into * size * size))
        params[name] = scale * torch.randn(out, into, size, size, generator=g)
        params[f"{name}.gain"], params[f"{name}.shift"] = torch.ones(out), torch.zeros(out)

    conv("stem", m, 3, 3)
    into = m
    for stage, factor in enumerate(STAGES):
        out = m * factor
        for block in range(2):
            conv(f"{stage}.{block}.1", out, into, 3)
            conv(f"{stage}.{block}.2", out, out, 3)
            if out != into:
                conv(f"{stage}.{block}.skip", out, into, 1)
            into = out
    params["head"] = torch.randn(classes, into, generator=g) / math.sqrt(into)
    params["head.shift"] = torch.zeros(classes)
    return params


Normalise = Callable[[str, Tensor], Tensor]
"""Normalises the channels of what the convolution of that name gives."""
Statistics = dict[str, tuple[Tensor, Tensor]]


def _forward(params: Params, x: Tensor, normalise: Normalise) -> Tensor:
    def conv(name: str, x: Tensor, stride: int = 1) -> Tensor:
        weight = params[name]
        return normalise(name, F.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2))

    # few channels are faster when they lie next to each other in memory
    x = torch.relu(conv("stem", x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)))
    for stage in range(len(STAGES)):
        for block in range(2):
            name, stride = f"{stage}.{block}", 2 if stage and not block else 1
            h = conv(f"{name}.2", torch.relu(conv(f"{name}.1", x, stride)))
            x = torch.relu(h + (conv(f"{name}.skip", x, stride) if f"{name}.skip" in params else x))
    return x.mean((2, 3)) @ params["head"].T + params["head.shift"]


def _with_moments(
    params: Params, name: str, x: Tensor, mean: Tensor | None, var: Tensor | None
) -> Tensor:
    gain, shift = params[f"{name}.gain"], params[f"{name}.shift"]
    return F.batch_norm(x, mean, var, gain, shift, training=mean is None, eps=1e-5)


def logits(params: Params, x: Tensor) -> Tensor:
    """Class scores (n, C), normalised by the statistics of the batch, as in training."""
    return _forward(params, x, lambda name, h: _with_moments(params, name, h, None, None))


def statistics(params: Params, x: Tensor) -> Statistics:
    """Mean and variance of every convolution's channels over the images."""
    found: Statistics = {}

    def keep(name: str, h: Tensor) -> Tensor:
        found[name] = h.mean((0, 2, 3)), h.var((0, 2, 3), correction=0)
        return _with_moments(params, name, h, *found[name])

    _forward(params, x, keep)
    return found


def settled(reference: Tensor) -> Scores:
    """Class scores normalised by the statistics of reference images, whatever the batch."""

    def scores(params: Params, x: Tensor) -> Tensor:
        known = statistics(params, reference)
        return _forward(params, x, lambda name, h: _with_moments(params, name, h, *known[name]))

    return scores


def architecture(classes: int) -> Architecture:
    """ResNet(m), as teacher or student."""
    return Architecture(lambda g, m: resnet(g, m, classes), logits, settled, batch=64)


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
    axis = eigh(u.T @ u)[1][:, -1] if u.shape[1] <= u.shape[0] else (
        u.T @ eigh(u @ u.T)[1][:, -1]
    )  # fmt: skip
    order = (u @ axis).argsort()
    size = max(2, round(share * len(u)))
    return order[:size], order[-size:]


def turned(before: Tensor, after: Tensor) -> float:
    """Mean of 1 - cos between filters (p, q) and what became of them."""
    return float((1 - F.cosine_similarity(before, after, dim=1)).mean())


def early_row(recorded: Tensor, last: Tensor, lr: float) -> list[float]:
    """A row of Table 7: `early_cosines` of the filter that is closest to the centre of the second
    of the opposite clusters at the end.

    Args:
        recorded: filters after 0, 10, 20 and 30 steps of plain SGD, (4, p, q).
        last: those at the end, (p, q).
    """
    _, high = opposite_clusters(last)
    u = F.normalize(last[high], dim=1)
    closest = high[int((u @ u.mean(0)).argmax())]
    return early_cosines(chunk_gradients(recorded[:, closest], lr, 10)).tolist()


def cluster_cosines(filters: Tensor) -> list[float]:
    """Mean cosine of the filters in the two opposite clusters to their own centre, and the cosine
    between the centres."""
    u = F.normalize(filters, dim=1)
    groups = [u[index] for index in opposite_clusters(filters)]
    one, other = (g.mean(0) for g in groups)
    own = torch.cat([F.cosine_similarity(g, g.mean(0)[None]) for g in groups])
    return [float(own.mean()), float(F.cosine_similarity(one, other, dim=0))]
