"""A reader's own images: one folder per class."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor

NAMED = 5
"""Unreadable files that a message names; the others are counted."""
LEFT_BY_WINDOWS = ("Thumbs.db", "desktop.ini")


def inside(root: Path) -> list[Path]:
    """The folders in a folder, by name, without hidden ones such as ``.ipynb_checkpoints``.

    Raises:
        FileNotFoundError: naming a broken link.
    """
    found = sorted(path for path in root.iterdir() if _is_shown(path))
    if gone := [path for path in found if not path.exists()]:
        raise FileNotFoundError(f"{gone[0]}: a link that leads nowhere: mend it or remove it")
    return [path for path in found if path.is_dir()]


def _is_shown(path: Path) -> bool:
    return not path.name.startswith((".", "__MACOSX")) and path.name not in LEFT_BY_WINDOWS


def classes(root: Path) -> dict[str, list[Path]]:
    """The files root/<class>/*, by class, both sorted by name.

    Raises:
        FileNotFoundError: naming a class without files, or a broken link.
    """
    found = {
        kind.name: sorted(p for p in kind.iterdir() if not p.is_dir() and _is_shown(p))
        for kind in inside(root)
    }
    if empty := [root / name for name, files in found.items() if not files]:
        raise FileNotFoundError(
            f"{', '.join(map(str, empty))}: a class without images: put some there, or remove it"
        )
    return found


def read_all(files: Sequence[Path], side: int) -> Tensor:
    """Image files in colour, (N, 3, side, side), between 0 and 1.

    Raises:
        OSError: naming and counting the files that are not images.
    """
    pixels, wrong = [], []
    for file in files:
        try:
            pixels.append(read(file, side))
        except OSError:
            wrong.append(file)
    if wrong:
        more = f" and {len(wrong) - NAMED} more" if len(wrong) > NAMED else ""
        raise OSError(
            f"{len(wrong)} of {len(files)} files are no images that can be read: "
            f"{', '.join(map(str, wrong[:NAMED]))}{more}: mend or remove them"
        )
    return torch.stack(pixels)


def read(file: Path, side: int) -> Tensor:
    """An image file in colour, (3, side, side), between 0 and 1.

    Raises:
        OSError: naming a file that is not an image.
    """
    try:
        with Image.open(file) as image:
            shown = _of_eight_bits(image)
            small = np.asarray(shown.convert("RGB").resize((side, side)), dtype=np.float32)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise OSError(f"{file}: no image that can be read: {error}") from None
    return torch.from_numpy(small / 255).permute(2, 0, 1)


def _of_eight_bits(image: Image.Image) -> Image.Image:
    """A 16-bit image as an 8-bit one; otherwise all values above 255 would be white."""
    if not image.mode.startswith("I"):
        return image
    return Image.fromarray(np.minimum(np.asarray(image) >> 8, 255).astype(np.uint8))
