"""Folders of images that a reader brings: one folder for each class."""

from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor


def inside(root: Path) -> list[Path]:
    """The folders in a folder, by name."""
    return sorted(path for path in root.iterdir() if path.is_dir())


def classes(root: Path) -> dict[str, list[Path]]:
    """The files of root/<class>/*, by class, both in the order of their names."""
    return {
        kind.name: sorted(path for path in kind.iterdir() if path.is_file())
        for kind in inside(root)
    }


def read(file: Path, side: int) -> Tensor:
    """An image file in colour, (3, side, side), between 0 and 1.

    Raises:
        OSError: naming a file that is no image.
    """
    with Image.open(file) as image:
        small = np.asarray(image.convert("RGB").resize((side, side)), dtype=np.float32)
    return torch.from_numpy(small / 255).permute(2, 0, 1)
