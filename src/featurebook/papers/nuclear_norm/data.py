"""Domains of images for leaving one out: turned, coloured and styled ones, and a reader's own."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from featurebook import folders as image_folders
from featurebook.images import Images


@dataclass(frozen=True)
class Domains:
    """Images of E domains: pixels (E, N, size), labels (E, N), names."""

    pixels: Tensor
    labels: Tensor
    names: tuple[str, ...]


def rotated(images: Images, angles: list[int], side: int, seed: int) -> Domains:
    """Disjoint parts of the images, part i turned by angles[i] degrees, side by side pixels."""
    parts = _split(len(images), len(angles), seed)
    turned = [_turn(images.pixels[part], a, side) for part, a in zip(parts, angles, strict=True)]
    labels = torch.stack([images.labels[part] for part in parts])
    return Domains(torch.stack(turned).flatten(2), labels, tuple(f"{a}°" for a in angles))


def coloured(images: Images, chances: list[float], seed: int) -> Domains:
    """Disjoint parts, each digit in one of 10 channels: its label with chance p_e, else any."""
    parts = _split(len(images), len(chances), seed)
    g = torch.Generator().manual_seed(seed + 1)
    pixels, labels = [], []
    for part, p in zip(parts, chances, strict=True):
        y = images.labels[part]
        told = torch.rand(len(y), generator=g) < p
        colour = torch.where(told, y, torch.randint(10, (len(y),), generator=g))
        x = images.pixels[part].flatten(1)
        pixels.append((functional.one_hot(colour, 10)[..., None] * x[:, None]).flatten(1))
        labels.append(y)
    return Domains(torch.stack(pixels), torch.stack(labels), tuple(f"p = {p:g}" for p in chances))


def tinted(images: Images, seed: int) -> Domains:
    """Four disjoint parts of colour images: as they are, blurred, reddish, dark."""
    parts = _split(len(images), 4, seed)
    x = [functional.adaptive_avg_pool2d(images.pixels[part], 8) for part in parts]
    x[1] = functional.avg_pool2d(functional.pad(x[1], (1, 1, 1, 1), mode="replicate"), 3, 1)
    x[2] = x[2] * torch.tensor([1.0, 0.6, 0.6])[:, None, None]
    x[3] = x[3] * 0.5
    labels = torch.stack([images.labels[part] for part in parts])
    return Domains(torch.stack(x).flatten(2), labels, ("plain", "blurred", "red", "dark"))


def folders(root: Path) -> dict[str, dict[str, list[Path]]]:
    """Files of a DomainBed data set that the reader brings: root/<domain>/<class>/*.

    Raises:
        FileNotFoundError: if there are no two domains with the same classes, or one is empty.
    """
    found = {domain.name: image_folders.classes(domain) for domain in image_folders.inside(root)}
    kinds = {tuple(of) for of in found.values()}
    if len(found) < 2 or len(kinds) != 1 or kinds == {()}:
        raise FileNotFoundError(f"{root}: needs two or more folders of domains, same classes each")
    return found


def of_folder(root: Path, side: int, seed: int) -> Domains:
    """A DomainBed data set that the reader brings, in colour, side by side pixels.

    From each domain as many images as the smallest has, drawn at random.

    Raises:
        FileNotFoundError: as `folders`.
        OSError: naming and counting files that are no images.
    """
    found = folders(root)
    count = min(sum(map(len, kinds.values())) for kinds in found.values())
    g = torch.Generator().manual_seed(seed)
    pixels, labels = [], []
    for kinds in found.values():
        files = [(file, k) for k, of_kind in enumerate(kinds.values()) for file in of_kind]
        chosen = [files[i] for i in torch.randperm(len(files), generator=g)[:count].tolist()]
        pixels.append(image_folders.read_all([file for file, _ in chosen], side).flatten(1))
        labels.append(torch.tensor([k for _, k in chosen]))
    return Domains(torch.stack(pixels), torch.stack(labels), tuple(found))


def _split(n: int, parts: int, seed: int) -> list[Tensor]:
    order = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    return list(order[: n - n % parts].reshape(parts, -1))


def _turn(pixels: Tensor, degrees: float, side: int) -> Tensor:
    """Images (N, 1, h, w) turned about their centre, bilinear, zeros outside."""
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    theta = torch.tensor([[c, s, 0.0], [-s, c, 0.0]], dtype=torch.float32)
    grid = functional.affine_grid(
        theta.repeat(len(pixels), 1, 1), [len(pixels), 1, side, side], align_corners=False
    )
    return functional.grid_sample(pixels, grid, align_corners=False)
