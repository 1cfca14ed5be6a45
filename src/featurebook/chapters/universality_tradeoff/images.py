"""A counterpart on 8 x 8 images: four small sets, SimCLR, probes, contrastive regularisation.

The sets come with scikit-learn or are drawn here: D, handwritten digits (or MNIST, or CIFAR-10); G,
gratings; B, shapes; P, patches of two photographs. Not the thesis's data, network, or length of
training.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.datasets import load_sample_images
from torch import Tensor
from torch.nn import functional as F

from featurebook import images as real
from featurebook.core.ensemble import Params, generator, replicate
from featurebook.core.training import train

Data = dict[str, tuple[Tensor, Tensor, Tensor, Tensor]]


def targets(image_data: str = "bundled") -> tuple[Tensor, Tensor, str]:
    """The target D in [0, 1], shuffled, at most 1,797 images: (n, 8, 8), labels, and what they are.

    Args:
        image_data: "bundled" for scikit-learn's digits, "mnist", or "cifar10"; the last two are
            averaged over colours and areas to 8 x 8.
    """
    load: dict[str, Callable[[], real.Images]] = {
        "bundled": real.bundled_digits,
        "mnist": partial(real.mnist, "test"),
        "cifar10": partial(real.cifar10, "test"),
    }
    found = load[image_data]()
    order = np.random.default_rng(0).permutation(len(found))[:1797]
    grey = found.pixels[order].mean(1, keepdim=True)
    return F.adaptive_avg_pool2d(grey, 8)[:, 0], found.labels[order], found.source


def gratings(n: int, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Sine gratings in noise; the class is one of 8 orientations."""
    label = rng.integers(8, size=n)
    angle = np.pi * label / 8
    v, u = np.mgrid[:8, :8]
    along = np.cos(angle)[:, None, None] * u + np.sin(angle)[:, None, None] * v
    frequency, phase = rng.uniform(0.8, 1.4, (n, 1, 1)), rng.uniform(0, 2 * np.pi, (n, 1, 1))
    x = 0.5 + 0.4 * np.sin(frequency * along + phase) + 0.1 * rng.normal(size=(n, 8, 8))
    return torch.tensor(x.clip(0, 1)).float(), torch.tensor(label)


def shapes(n: int, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Disc, square, ring, plus, diamond and cross, of random place and size, in noise."""
    label = rng.integers(6, size=n)
    v, u = np.mgrid[:8, :8]
    centre = rng.uniform(3, 4, (2, n, 1, 1))
    size = rng.uniform(2.2, 3.2, (n, 1, 1))
    a, b = np.abs(u - centre[0]), np.abs(v - centre[1])
    far = np.hypot(a, b)
    drawn = np.stack([
        far < size, np.maximum(a, b) < size, (far < size) & (far > size - 1.3),
        (np.minimum(a, b) < 0.8) & (np.maximum(a, b) < size), a + b < size,
        (np.abs(a - b) < 0.8) & (np.maximum(a, b) < size),
    ])  # fmt: skip
    x = 0.1 + 0.8 * drawn[label, np.arange(n)] + 0.1 * rng.normal(size=(n, 8, 8))
    return torch.tensor(x.clip(0, 1)).float(), torch.tensor(label)


def patches(n: int, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Patches of two photographs, grey, pooled 4 x 4; the class is picture and vertical quarter."""
    pictures = np.stack(load_sample_images().images).mean(-1) / 255
    p, height, width = pictures.shape
    small = pictures[:, : height // 4 * 4, : width // 4 * 4]
    small = small.reshape(p, height // 4, 4, width // 4, 4).mean((2, 4))
    which = rng.integers(p, size=n)
    top, left = rng.integers(small.shape[1] - 8, size=n), rng.integers(small.shape[2] - 8, size=n)
    x = np.stack([small[w, i : i + 8, j : j + 8] for w, i, j in zip(which, top, left, strict=True)])
    quarter = np.minimum(4 * top // (small.shape[1] - 8), 3)
    return torch.tensor(x).float(), torch.tensor(4 * which + quarter)


def sets(n: int = 1600, image_data: str = "bundled") -> Data:
    """D, G, B and P, each as training images and labels, test images and labels."""
    rng = np.random.default_rng(7)
    made = {
        "D": targets(image_data)[:2],
        "G": gratings(n, rng),
        "B": shapes(n, rng),
        "P": patches(n, rng),
    }
    found = {}
    for name, (x, y) in made.items():
        cut = 3 * len(x) // 4
        found[name] = (x[:cut], y[:cut], x[cut:], y[cut:])
    return found


def augment(x: Tensor, g: torch.Generator) -> Tensor:
    """A random affine map, contrast, brightness and noise: (n, 8, 8) to the same."""
    n = len(x)

    def spread(*shape: int) -> Tensor:
        return 2 * torch.rand(*shape, generator=g) - 1

    angle, scale = 0.25 * spread(n), 1 + 0.25 * spread(n)
    turn = torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], 1).reshape(n, 2, 2)
    theta = torch.cat([scale[:, None, None] * turn, 0.3 * spread(n, 2, 1)], 2)
    grid = F.affine_grid(theta, [n, 1, 8, 8], align_corners=False)
    moved = F.grid_sample(x[:, None], grid, align_corners=False)[:, 0]
    contrast, brightness = 1 + 0.3 * spread(n, 1, 1), 0.1 * spread(n, 1, 1)
    return contrast * moved + brightness + 0.1 * torch.randn(n, 8, 8, generator=g)


def initial(width: int, features: int, classes: int, g: torch.Generator) -> Params:
    """An encoder of three convolutions and a linear layer, a projection, and a linear head."""
    shapes_of = {
        "c1": (width, 1, 3, 3), "c2": (2 * width, width, 3, 3), "c3": (2 * width, 2 * width, 3, 3),
        "w": (features, 8 * width), "p": (features, features), "head": (classes, features),
    }  # fmt: skip
    params = {
        name: torch.randn(shape, generator=g) * (2 / np.prod(shape[1:])) ** 0.5
        for name, shape in shapes_of.items()
    }
    biases = {"b1": width, "b2": 2 * width, "b3": 2 * width}
    return params | {name: torch.zeros(size) for name, size in biases.items()}


def encode(p: Params, x: Tensor) -> Tensor:
    """Features φ(x) of images (n, 8, 8): (n, features)."""
    h = F.conv2d(2 * x[:, None] - 1, p["c1"], p["b1"], padding=1).relu()
    h = F.conv2d(h, p["c2"], p["b2"], padding=1, stride=2).relu()
    h = F.conv2d(h, p["c3"], p["b3"], padding=1, stride=2).relu()
    return h.flatten(1) @ p["w"].T


def nt_xent(p: Params, one: Tensor, two: Tensor, temperature: float, owner: Tensor) -> Tensor:
    """The loss of SimCLR; views of the same ``owner`` are not negatives of each other."""
    z = encode(p, torch.cat([one, two])).relu() @ p["p"].T
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
    shape = (count, size, 8, 8)
    return augment(x, g).reshape(shape), augment(x, g).reshape(shape)


def start(seeds: Sequence[int], width: int, features: int) -> Params:
    """Untrained networks, one a seed."""
    return replicate(lambda g: initial(width, features, 10, g), seeds, "encoder")


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
    """n indices with the classes as even as they can be; all of them if n is 0."""
    if n == 0:
        return np.arange(len(y))
    order = rng.permutation(len(y))
    labels = y.numpy()[order]
    rank = np.empty(len(y), dtype=int)
    for c in np.unique(labels):
        rank[labels == c] = np.arange((labels == c).sum())
    return order[np.argsort(rank, kind="stable")[:n]]


def probe_all(params: Params, data: Data, name: str, n: int, draws: int) -> NDArray[np.float64]:
    """Accuracies on the set ``name`` from n labels, mean over label draws: (R,)."""
    x, y, test_x, test_y = data[name]
    a, b = features(params, x), features(params, test_x)
    found = []
    for r in range(len(a)):
        some = [balanced(y, n, np.random.default_rng([r, k, n])) for k in range(draws if n else 1)]
        found.append(np.mean([probe(a[r][i], y.numpy()[i], b[r], test_y.numpy()) for i in some]))
    return np.array(found)


def _tuning_loss(
    p: Params, part: tuple[Tensor, Tensor, Tensor, Tensor], weight: float, temperature: float
) -> Tensor:
    one, two, label, owner = part
    loss = F.cross_entropy(encode(p, one) @ p["head"].T, label)
    return loss + weight * nt_xent(p, one, two, temperature, owner)


def fine_tune(
    params: Params, data: Data, n: int, weight: float, *, steps: int, seeds: Sequence[int],
    stored: int = 10, rate: float = 1e-3, temperature: float = 0.2,
) -> NDArray[np.float64]:  # fmt: skip
    """Test accuracy on D after fine-tuning with n labels and λ = ``weight`` in (7.9): (R,).

    Each labelled image has ``stored`` pairs of augmentations, as the adapters of the thesis have.
    """
    x, y, test_x, test_y = data["D"]
    parts = []
    for seed in seeds:
        chosen = torch.tensor(balanced(y, n, np.random.default_rng([seed, n, 9])))
        owner = chosen.repeat(stored)
        g = generator(seed, "stored")
        parts.append((augment(x[owner], g), augment(x[owner], g), y[owner], owner))
    stacked = tuple(torch.stack(leaves) for leaves in zip(*parts, strict=True))
    run = train(
        partial(_tuning_loss, weight=weight, temperature=temperature),
        {k: v * (0.1 if k == "head" else 1) for k, v in params.items()},
        stacked,
        steps=steps,
        seeds=seeds,
        batch_size=min(64, n * stored),
        optimizer=partial(torch.optim.Adam, lr=rate),
    )
    read: Callable[[Params], Tensor] = lambda p: (encode(p, test_x) @ p["head"].T).argmax(1)  # noqa: E731
    with torch.no_grad():
        guesses = torch.vmap(read)(run.params)
    return (guesses == test_y).double().mean(1).numpy()
