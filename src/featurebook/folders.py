"""Folders of images that a reader brings: one folder for each class."""

from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor


def inside(root: Path) -> list[Path]:
    """The folders in a folder, by name, without hidden ones such as ``.ipynb_checkpoints``."""
    return sorted(path for path in root.iterdir() if path.is_dir() and _is_shown(path))


def _is_shown(path: Path) -> bool:
    return not path.name.startswith((".", "__MACOSX")) and path.name != "Thumbs.db"


def classes(root: Path) -> dict[str, list[Path]]:
    """The files of root/<class>/*, by class, both in the order of their names."""
    return {
        kind.name: sorted(path for path in kind.iterdir() if path.is_file() and _is_shown(path))
        for kind in inside(root)
    }


def read(file: Path, side: int) -> Tensor:
    """An image file in colour, (3, side, side), between 0 and 1.

    Raises:
        OSError: naming a file that is no image.
    """
    with Image.open(file) as image:
        shown: Image.Image = image
        if image.mode.startswith("I;16"):  # 16 bits: else all above 255 would be white
            shown = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
        small = np.asarray(shown.convert("RGB").resize((side, side)), dtype=np.float32)
    return torch.from_numpy(small / 255).permute(2, 0, 1)
