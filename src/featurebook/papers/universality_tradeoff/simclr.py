"""SimCLR for many small ResNets at once: pre-training, linear probes, and fine-tuning (7.9).

Images are (n, channels, side, side) with a side that 4 divides. All replicas train together.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from featurebook.core.ensemble import Params, generator, replicate
from featurebook.core.recording import Observe
from featurebook.core.training import train
from featurebook.papers.universality_tradeoff import linear
from featurebook.papers.universality_tradeoff.images import Data


def augment(x: Tensor, g: torch.Generator) -> Tensor:
    """A random affine map, contrast, brightness and noise: images to images of the same shape."""
    n = len(x)

    def spread(*shape: int) -> Tensor:
        return 2 * torch.rand(*shape, generator=g) - 1

    angle, scale = 0.25 * spread(n), 1 + 0.25 * spread(n)
    turn = torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], 1).reshape(n, 2, 2)
    theta = torch.cat([scale[:, None, None] * turn, 0.3 * spread(n, 2, 1)], 2)
    grid = F.affine_grid(theta, list(x.shape), align_corners=False)
    moved = F.grid_sample(x, grid, align_corners=False)
    contrast, brightness = 1 + 0.3 * spread(n, 1, 1, 1), 0.1 * spread(n, 1, 1, 1)
    return contrast * moved + brightness + 0.1 * torch.randn(x.shape, generator=g)


def initial(
    width: int, features: int, classes: int, channels: int, side: int, g: torch.Generator
) -> Params:
    """A small ResNet (stem, one residual block, two strides of 2), a projection, and a head."""
    wide = 2 * width
    shapes = {
        "stem": (width, channels, 3, 3), "down1": (wide, width, 3, 3), "block1": (wide, wide, 3, 3),
        "block2": (wide, wide, 3, 3), "down2": (wide, wide, 3, 3),
        "out": (features, wide * (side // 4) ** 2), "projection": (features, features),
        "head": (classes, features),
    }  # fmt: skip
    params = {
        name: torch.randn(shape, generator=g) * (2 / np.prod(shape[1:])) ** 0.5
        for name, shape in shapes.items()
    }
    params["block2"] *= 0.3  # the block begins near the identity
    biases = {f"{name}_bias": torch.zeros(shape[0]) for name, shape in shapes.items()
              if len(shape) == 4}  # fmt: skip
    return params | biases


def encode(p: Params, x: Tensor) -> Tensor:
    """Features φ(x) of images: (n, features)."""

    def conv(h: Tensor, name: str, stride: int = 1) -> Tensor:
        return F.conv2d(h, p[name], p[f"{name}_bias"], padding=1, stride=stride)

    h = conv(2 * x - 1, "stem").relu()
    h = conv(h, "down1", 2).relu()
    h = (h + conv(conv(h, "block1").relu(), "block2")).relu()
    h = conv(h, "down2", 2).relu()
    return h.flatten(1) @ p["out"].T


def nt_xent(p: Params, one: Tensor, two: Tensor, temperature: float, owner: Tensor) -> Tensor:
    """The loss of SimCLR; views of the same ``owner`` are not negatives of each other."""
    z = encode(p, torch.cat([one, two])).relu() @ p["projection"].T
    z = z / z.norm(dim=1, keepdim=True).clamp(min=1e-6)
    n = len(one)
    scores = z @ z.T / temperature
    twice = torch.cat([owner, owner])
    positive = torch.cat([scores[:n, n:].diagonal(), scores[n:, :n].diagonal()])
    others = torch.where(twice[:, None] == twice, -1e9, scores)
    return (torch.logaddexp(positive, others.logsumexp(1)) - positive).mean()


def _pretraining_loss(p: Params, views: tuple[Tensor, Tensor], temperature: float) -> Tensor:
    one, two = views
    return nt_xent(p, one, two, temperature, torch.arange(len(one)))


def _draw(pool: Tensor, size: int, g: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
    x = pool[torch.randint(len(pool), (count * size,), generator=g)]
    shape = (count, size, *x.shape[1:])
    return augment(x, g).reshape(shape), augment(x, g).reshape(shape)


def start(seeds: Sequence[int], width: int, features: int, target: Tensor, classes: int) -> Params:
    """Untrained networks for images like ``target``, one per seed."""
    channels, side = target.shape[1:3]
    return replicate(
        lambda g: initial(width, features, classes, channels, side, g), seeds, "encoder"
    )


def pretrain(
    params: Params,
    pool: Tensor,
    *,
    steps: int,
    seeds: Sequence[int],
    size: int = 96,
    rate: float = 3e-3,
    temperature: float = 0.2,
) -> Params:
    """Contrastive training of all replicas on fresh augmentations of ``pool``."""
    run = train(
        partial(_pretraining_loss, temperature=temperature),
        params,
        partial(_draw, pool, size),
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.Adam, lr=rate),
        schedule=lambda t: rate * 0.5 * (1 + np.cos(np.pi * t / steps)),
    )
    return run.params


def features(params: Params, x: Tensor) -> NDArray[np.float64]:
    """Features of all replicas: (R, n, features)."""
    with torch.no_grad():
        return torch.vmap(encode, in_dims=(0, None))(params, x).double().numpy()


def similarities(
    seen: Mapping[str, NDArray[np.float64]], names: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> NDArray[np.float64]:
    """Linear CKA of the networks in ``names``: (pairs, names, names), symmetric.

    Args:
        seen: features of each network's replicas on the same images, each (R, n, k).
        pairs: for each matrix the replicas of its two sides, which may be one and the same.
    """
    grid = np.array([
        [[linear.cka_of_features(seen[a][i], seen[b][j]) for b in names] for a in names]
        for i, j in pairs
    ])  # fmt: skip
    return (grid + grid.swapaxes(1, 2)) / 2


def closer_to_own(grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of the diagonals of `similarities`, less that of the rest: (pairs,)."""
    own = np.trace(grid, axis1=1, axis2=2)
    count = grid.shape[1]
    rest = (grid.sum((1, 2)) - own) / (count * (count - 1))
    return np.asarray(own / count - rest)


def probe(
    train_z: NDArray[np.float64], train_y: NDArray[np.int64],
    test_z: NDArray[np.float64], test_y: NDArray[np.int64], ridge: float = 0.01,
) -> float:  # fmt: skip
    """Accuracy of ridge regression of one-hot labels on standardised features."""
    mean, scale = train_z.mean(0), train_z.std(0) + 1e-6
    a, b = (train_z - mean) / scale, (test_z - mean) / scale
    classes = int(max(train_y.max(), test_y.max())) + 1
    onehot = np.eye(classes)[train_y]
    centre = onehot.mean(0)
    weights = np.linalg.solve(
        a.T @ a + ridge * len(a) * np.eye(a.shape[1]), a.T @ (onehot - centre)
    )
    return float(((b @ weights + centre).argmax(1) == test_y).mean())


def balanced(y: Tensor, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """n indices with the classes as even as they can be; all of them if there are no more."""
    order = rng.permutation(len(y))
    labels = y.numpy()[order]
    rank = np.empty(len(y), dtype=int)
    for c in np.unique(labels):
        rank[labels == c] = np.arange((labels == c).sum())
    return order[np.argsort(rank, kind="stable")[:n]]


def share(percent: float, data: Data, name: str) -> int:
    """How many labels that is: ``percent`` of the training images of a set, at least one."""
    return max(1, round(percent / 100 * len(data[name][1])))


def probe_all(
    params: Params, data: Data, name: str, counts: Sequence[int], draws: int
) -> NDArray[np.float64]:
    """Accuracies on the set ``name`` from each number of labels, mean over draws: (counts, R)."""
    x, y, test_x, test_y = data[name]
    a, b = features(params, x), features(params, test_x)
    found = np.empty((len(counts), len(a)))
    for (c, r), _ in np.ndenumerate(found):
        n = counts[c]
        times = draws if n < len(y) else 1
        some = [balanced(y, n, np.random.default_rng([r, k, n])) for k in range(times)]
        all_of = [probe(a[r][i], y.numpy()[i], b[r], test_y.numpy()) for i in some]
        found[c, r] = np.mean(all_of)
    return found


def _tuning_loss(
    p: Params, part: tuple[Tensor, Tensor, Tensor, Tensor], weight: float, temperature: float
) -> Tensor:
    one, two, label, owner = part
    loss = F.cross_entropy(encode(p, one) @ p["head"].T, label)
    return loss + weight * nt_xent(p, one, two, temperature, owner)


def _accuracy(p: Params, x: Tensor, y: Tensor) -> Tensor:
    return ((encode(p, x) @ p["head"].T).argmax(1) == y).double().mean()


def fine_tune(
    params: Params, data: Data, name: str, n: int, weight: float, *,
    at: Sequence[int], seeds: Sequence[int],
    stored: int = 10, rate: float = 3e-3, temperature: float = 0.2,
) -> dict[str, NDArray[np.float64]]:  # fmt: skip
    """Fine-tuning on the set ``name`` with n labels and λ = ``weight`` in (7.9), by Adam.

    Each labelled image has ``stored`` pairs of augmentations, as the adapters of the thesis have;
    repeats of an image are no negatives of each other. The step size falls as a cosine to 0.

    Args:
        at: step numbers at which to look; the last is the number of steps.

    Returns:
        Accuracy on the augmented training images ("train") and on the test images ("test"), each
        (T, R).
    """
    x, y, test_x, test_y = data[name]
    parts = []
    for seed in seeds:
        chosen = torch.tensor(balanced(y, n, np.random.default_rng([seed, n, 9])))
        owner = chosen.repeat(stored)
        g = generator(seed, "stored")
        parts.append((augment(x[owner], g), augment(x[owner], g), y[owner], owner))
    stacked = tuple(torch.stack(leaves) for leaves in zip(*parts, strict=True))
    steps = max(at)

    def look(p: Params) -> dict[str, Tensor]:
        return {
            "train": torch.vmap(_accuracy)(p, stacked[0], stacked[2]),
            "test": torch.vmap(_accuracy, in_dims=(0, None, None))(p, test_x, test_y),
        }

    run = train(
        partial(_tuning_loss, weight=weight, temperature=temperature),
        {k: v * (0.1 if k == "head" else 1) for k, v in params.items()},
        stacked,
        steps=steps,
        seeds=seeds,
        batch_size=min(64, n * stored),
        optimizer=partial(torch.optim.Adam, lr=rate),
        schedule=lambda t: rate * 0.5 * (1 + np.cos(np.pi * t / steps)),
        observe=Observe(look, at),
    )
    return {key: value.numpy() for key, value in run.observed.items()}
