"""Image sets of the counterpart: made here, from scikit-learn, MNIST, CIFAR-10, faces, or a folder.

Mixtures grow in the order in which sets are named, and the first is the target. All images of a
mixture have one side, and colours if one of its sets has them.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_sample_images
from torch import Tensor
from torch.nn import functional as F

from featurebook import folders
from featurebook import images as real
from featurebook.papers.universality_tradeoff import faces

Data = dict[str, tuple[Tensor, Tensor, Tensor, Tensor]]
"""By name: training images (n, channels, side, side) in [0, 1] and labels (n,), test images and
labels."""

LETTERS = {
    "digits": "D", "mnist": "M", "cifar10": "C", "faces": "F",
    "gratings": "G", "shapes": "B", "patches": "P", "textures": "T",
}  # fmt: skip
"""What the sets are called in figures."""

BUNDLED = ("digits", "gratings", "shapes", "patches", "textures")
"""The sets that need no file, in the order in which the chapter's mixtures grow."""

JUDGED = "the bundled sets"
"""What the chapters' claims are about: `BUNDLED`, with 8 pixels a side."""

MADE = 1600
"""Images of a set that is made here."""

TEST_IMAGES = 10_000
"""Of MNIST, and of CIFAR-10."""


def brought(name: str, most: int) -> tuple[Tensor, Tensor]:
    """A set that is not made here, shuffled: (n, channels, height, width), labels; n <= ``most``.

    Of MNIST and CIFAR-10 these are test images as long as they suffice, then training images.

    Raises:
        MissingDataError: saying what to do, if its files are not there and cannot be fetched.
    """
    split = "test" if most <= TEST_IMAGES else "train"
    load: dict[str, Callable[[], real.Images]] = {
        "digits": real.bundled_digits,
        "mnist": partial(real.mnist, split),
        "cifar10": partial(real.cifar10, split),
        "faces": faces.faces,
    }
    found = load[name]()
    order = np.random.default_rng(0).permutation(len(found))[:most]
    return found.pixels[order], found.labels[order]


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


def textures(n: int, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Gaussian fields on the torus; the class is one of 8 pairs of correlation lengths (v, u).

    Each field is white noise times exp(-(a² k_v² + b² k_u²)/2) in frequency, scaled to the mean .5
    and the standard deviation .2, so that neither tells the class.
    """
    lengths = np.array([(a, b) for a in (0.0, 1.0, 2.0) for b in (0.0, 1.0, 2.0)][1:])
    label = rng.integers(len(lengths), size=n)
    a, b = lengths[label].T[:, :, None, None]
    k = 2 * np.pi * np.fft.fftfreq(8)
    damped = np.exp(-((a * k[:, None]) ** 2 + (b * k) ** 2) / 2)
    field = np.fft.ifft2(np.fft.fft2(rng.normal(size=(n, 8, 8))) * damped).real
    field -= field.mean((1, 2), keepdims=True)
    x = 0.5 + 0.2 * field / field.std((1, 2), keepdims=True)
    return torch.tensor(x.clip(0, 1)).float(), torch.tensor(label)


def made(n: int) -> dict[str, tuple[Tensor, Tensor]]:
    """The sets that are made here: (n, 1, 8, 8), labels; the same whichever of them are used."""
    rng = np.random.default_rng(7)
    kinds = {"gratings": gratings, "shapes": shapes, "patches": patches, "textures": textures}
    found = {name: make(n, rng) for name, make in kinds.items()}
    return {name: (x[:, None], y) for name, (x, y) in found.items()}


def resized(x: Tensor, side: int, channels: int) -> Tensor:
    """Images (n, c, h, w) as (n, channels, side, side): means over areas, or interpolated.

    Colours become their mean if ``channels`` is 1; grey is repeated if it is 3.
    """
    if x.shape[1] > channels:
        x = x.mean(1, keepdim=True)
    if side <= min(x.shape[2:]):
        x = F.adaptive_avg_pool2d(x, side)
    else:
        x = F.interpolate(x, (side, side), mode="bilinear", align_corners=False)
    return x.expand(-1, channels, -1, -1)


def sets(names: Sequence[str] = BUNDLED, side: int = 8, most: int = 1797, n: int = MADE) -> Data:
    """The named sets by their letters; of those that are not made here at most ``most`` images.

    Raises:
        MissingDataError: if the files of one are not there and cannot be fetched.
    """
    here = made(n)
    found = {name: here[name] if name in here else brought(name, most) for name in names}
    channels = max(x.shape[1] for x, _ in found.values())
    return {LETTERS[name]: _parted(resized(x, side, channels), y) for name, (x, y) in found.items()}


def of_folder(root: Path, side: int, seed: int) -> Data:
    """Image sets that the reader brings, root/<set>/<class>/<image>; the first is the target.

    Sets come in the order of their names. Three quarters of each, drawn at random, are for
    training. All pixels are kept, 12 side² bytes an image.

    Raises:
        FileNotFoundError: if there are fewer than two sets, or one has fewer than two classes or
            eight images, or one is empty.
        OSError: naming and counting files that are no images.
    """
    found: Data = {}
    for place in folders.inside(root):
        kinds = folders.classes(place)
        files = [(file, k) for k, some in enumerate(kinds.values()) for file in some]
        if len(kinds) < 2 or len(files) < 8:
            raise FileNotFoundError(f"{place}: needs two or more classes, and eight images")
        g = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(files), generator=g)
        x = folders.read_all([files[i][0] for i in order.tolist()], side)
        found[place.name] = _parted(x, torch.tensor([k for _, k in files])[order])
    if len(found) < 2:
        raise FileNotFoundError(f"{root}: needs two or more folders of sets, set/class/image")
    return found


def _parted(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    cut = 3 * len(x) // 4
    return x[:cut], y[:cut], x[cut:], y[cut:]


def at_hand(names: Sequence[str], folder: str, side: int, most: int, seed: int) -> tuple[Data, str]:
    """The sets of a folder if one is given, else the named ones, and what they are in words."""
    if folder:
        return of_folder(Path(folder), side, seed), f"a folder of the reader's own, {side} pixels"
    data = sets(names, side, most)
    known = tuple(names) == BUNDLED and side == 8
    return data, JUDGED if known else f"{', '.join(names)}, {side} pixels"


def mixtures(data: Data) -> dict[str, Tensor]:
    """The growing pools of training images: the first set, then with the second, and so on."""
    names, pools = list(data), [x for x, *_ in data.values()]
    labels = [names[0], *(f"+{name}" for name in names[1:])]
    return {label: torch.cat(pools[: i + 1]) for i, label in enumerate(labels)}
