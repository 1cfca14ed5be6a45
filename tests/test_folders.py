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


def test_what_systems_leave_in_folders_is_no_picture(tmp_path: Path) -> None:
    for kind in ("cat", "dog", ".ipynb_checkpoints", "__MACOSX"):
        (tmp_path / kind).mkdir()
        Image.new("L", (4, 4)).save(tmp_path / kind / "a.PNG", "png")
        for name in (".DS_Store", "._a.PNG", "Thumbs.db"):
            (tmp_path / kind / name).write_bytes(b"not a picture")
    found = folders.classes(tmp_path)
    assert {kind: [p.name for p in some] for kind, some in found.items()} == {
        "cat": ["a.PNG"], "dog": ["a.PNG"],
    }  # fmt: skip


def test_sixteen_bits_cmyk_and_palettes_keep_their_brightness(tmp_path: Path) -> None:
    grey = Image.new("L", (4, 4), 51)
    deep = Image.new("I;16", (4, 4), 51 << 8)
    for k, image in enumerate([grey, deep, grey.convert("P"), grey.convert("RGB").convert("CMYK")]):
        file = tmp_path / f"{k}.tiff"
        image.save(file)
        assert folders.read(file, 4).mean().item() == pytest.approx(0.2, abs=0.01)
