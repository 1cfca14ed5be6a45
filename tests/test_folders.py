"""Folders of images that a reader brings."""

from pathlib import Path

import pytest
import torch
from PIL import Image

from featurebook import folders


def test_classes_and_pixels(tmp_path: Path) -> None:
    for kind, red in (("dog", 255), ("cat", 0)):
        (tmp_path / kind).mkdir()
        for name in ("b.png", "a.png"):
            Image.new("RGB", (9, 7), (red, 0, 51)).save(tmp_path / kind / name)
    (tmp_path / "notes.txt").write_text("no folder")
    assert [path.name for path in folders.inside(tmp_path)] == ["cat", "dog"]
    found = folders.classes(tmp_path)
    assert {kind: [p.name for p in some] for kind, some in found.items()} == {
        "cat": ["a.png", "b.png"], "dog": ["a.png", "b.png"],
    }  # fmt: skip
    pixels = folders.read(found["dog"][0], 4)
    assert pixels.shape == (3, 4, 4)
    assert torch.allclose(pixels.mean((1, 2)), torch.tensor([1.0, 0.0, 0.2]))
    (tmp_path / "cat" / "a.png").write_text("no image")
    with pytest.raises(OSError, match=r"a\.png"):
        folders.read(found["cat"][0], 4)
