"""Folders of images that a reader brings."""

from pathlib import Path

import numpy as np
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


def test_pgm_png_and_tiff_of_sixteen_bits_endings_and_links(tmp_path: Path) -> None:
    deep = Image.fromarray(np.full((4, 4), 51 << 8, dtype=np.uint16))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "root").mkdir()
    for name in ("A.PNG", "B.TIF"):
        deep.save(tmp_path / "elsewhere" / name)
    raw = np.full((4, 4), 51 << 8, dtype=">u2").tobytes()
    (tmp_path / "elsewhere" / "C.PGM").write_bytes(b"P5 4 4 65535 " + raw)
    Image.new("RGB", (4, 4), (51, 51, 51)).save(tmp_path / "elsewhere" / "D.JPG", quality=100)
    (tmp_path / "root" / "cat").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "e.png").symlink_to(tmp_path / "elsewhere" / "A.PNG")
    (files,) = folders.classes(tmp_path / "root").values()
    assert [file.name for file in files] == ["A.PNG", "B.TIF", "C.PGM", "D.JPG", "e.png"]
    pixels = folders.read_all(files, 4)
    assert torch.allclose(pixels, torch.tensor(0.2), atol=0.01)


def test_an_empty_class_is_refused_by_name(tmp_path: Path) -> None:
    for kind in ("cat", "dog"):
        (tmp_path / kind).mkdir()
    Image.new("L", (4, 4)).save(tmp_path / "cat" / "a.png")
    (tmp_path / "dog" / ".DS_Store").touch()
    with pytest.raises(FileNotFoundError, match=r"/dog: a class without images: put some"):
        folders.classes(tmp_path)


def test_files_that_are_no_images_are_named_and_counted(tmp_path: Path) -> None:
    kind = tmp_path / "cat"
    kind.mkdir()
    image = Image.new("RGB", (64, 64), (255, 0, 51))
    image.save(kind / "whole.png")
    whole = (kind / "whole.png").read_bytes()
    broken = {
        "0.png": b"", "1.png": whole[:70], "2.png": whole[:50] + b"xx" + whole[52:],
        "3.txt": b"a", "4.bin": b"\0" * 99, "6.gif": b"GIF89a" + b"\xff" * 30,
    }  # fmt: skip
    for name, content in broken.items():
        (kind / name).write_bytes(content)
    (kind / "5.png").symlink_to(tmp_path / "gone.png")
    (files,) = folders.classes(tmp_path).values()
    with pytest.raises(OSError, match=r"^7 of 8 files are no images that can be read: ") as error:
        folders.read_all(files, 4)
    said = str(error.value)
    assert all(f"/cat/{name}" in said for name in ("0.png", "1.png", "2.png", "3.txt", "4.bin"))
    assert said.endswith(" and 2 more: mend or remove them")
    for file in files[:-1]:
        with pytest.raises(OSError, match=f"{file.name}: no image that can be read"):
            folders.read(file, 4)


def test_a_class_that_is_a_link_to_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "cat").symlink_to(tmp_path / "gone")
    with pytest.raises(FileNotFoundError, match="/cat: a link that leads nowhere"):
        folders.classes(tmp_path)
