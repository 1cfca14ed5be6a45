"""Image sets that need files: MNIST, CIFAR-10 and faces, here made up and small; no network."""

import gzip
import hashlib
from pathlib import Path

import joblib
import numpy as np
import pytest
import torch
from PIL import Image

from featurebook import images as real
from featurebook.papers.universality_tradeoff import faces, images
from featurebook.papers.universality_tradeoff import simclr as sc

N = 60  # images of each made-up set


def _idx(array: np.ndarray) -> bytes:
    head = b"\0\0\x08" + bytes([array.ndim]) + np.array(array.shape, ">u4").tobytes()
    return gzip.compress(head + array.tobytes(), mtime=0)


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with MNIST and CIFAR-10, and an empty data home of scikit-learn."""
    rng = np.random.default_rng(0)
    monkeypatch.setenv(real.DATA_VARIABLE, str(tmp_path))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "sklearn"))
    pixels = rng.integers(0, 256, (N, 28, 28), np.uint8)
    contents = [_idx(pixels), _idx(np.arange(N, dtype=np.uint8) % 10)]
    for name, content in zip(real.MNIST_FILES["test"], contents, strict=True):
        (tmp_path / name).write_bytes(content)
        digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
        monkeypatch.setitem(real.MNIST_MD5, name, digest)
    records = rng.integers(0, 256, (N, real.CIFAR10_RECORD), np.uint8)
    records[:, 0] %= 10
    (tmp_path / real.CIFAR10_FOLDER).mkdir()
    (tmp_path / real.CIFAR10_FOLDER / "test_batch.bin").write_bytes(records.tobytes())
    return tmp_path


def _put_olivetti(home: Path) -> np.ndarray:
    """Made-up pixels where scikit-learn keeps its faces, (400, 4096) as it stores them."""
    stored = np.random.default_rng(1).integers(0, 256, (400, 4096)).astype(np.float32)
    (home / "sklearn").mkdir()
    joblib.dump(stored, home / "sklearn" / "olivetti_py3.pkz")
    return stored


def test_every_set_can_be_target_or_part_of_a_mixture(at_home: Path) -> None:
    _put_olivetti(at_home)
    names = ["cifar10", "mnist", "faces", "digits", "textures"]
    data, source = images.at_hand(names, "", 12, 50, 0)
    assert source == "cifar10, mnist, faces, digits, textures, 12 pixels"
    assert list(data) == ["C", "M", "F", "D", "T"]
    assert {x.shape[1:] for x, *_ in data.values()} == {(3, 12, 12)}
    sizes = {name: len(x) + len(test_x) for name, (x, _, test_x, _) in data.items()}
    assert sizes == {"C": 50, "M": 50, "F": 50, "D": 50, "T": images.MADE}
    pools = images.mixtures(data)
    start = sc.start([0], 2, 4, data["C"][0], 10)
    trained = sc.pretrain(start, pools["+T"], steps=2, seeds=[0], size=8)
    assert not torch.equal(trained["stem"], start["stem"])
    for name in data:
        assert sc.probe_all(trained, data, name, [30], 1).shape == (1, 1)
    for name in names:  # each as the target of a mixture of two
        other = "shapes" if name == "mnist" else "mnist"
        pair, _ = images.at_hand([name, other], "", 8, 40, 0)
        assert next(iter(pair)) == images.LETTERS[name]
        assert next(iter(pair.values()))[0].shape[1] == (3 if name == "cifar10" else 1)


def test_only_the_bundled_sets_are_judged() -> None:
    data, source = images.at_hand(images.BUNDLED, "", 8, 1797, 0)
    assert source == images.JUDGED
    assert list(data) == ["D", "G", "B", "P", "T"]
    for names, side in ((images.BUNDLED, 12), (images.BUNDLED[:2], 8)):
        assert images.at_hand(names, "", side, 1797, 0)[1] != images.JUDGED
    alone = images.sets(["textures", "gratings"])
    assert torch.equal(alone["T"][0], data["T"][0])  # whichever others are used
    assert torch.equal(alone["G"][2], data["G"][2])


def test_more_images_than_are_test_images_are_training_images() -> None:
    asked = []

    def mnist(split: str) -> real.Images:
        asked.append(split)
        return real.bundled_digits()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(real, "mnist", mnist)
        order = np.random.default_rng(0).permutation(1797)[:7]
        pixels, labels = images.brought("mnist", 7)
        images.brought("mnist", 10_000)
        images.brought("mnist", 10_001)
    whole = real.bundled_digits()
    assert torch.equal(pixels, whole.pixels[order])
    assert torch.equal(labels, whole.labels[order])
    assert asked == ["test", "test", "train"]


def test_images_are_resized() -> None:
    x = torch.arange(48.0).reshape(1, 3, 4, 4)
    small = images.resized(x, 2, 3)
    assert small[0, 0].tolist() == [[2.5, 4.5], [10.5, 12.5]]
    assert torch.equal(images.resized(x, 4, 1)[0, 0], x[0].mean(0))
    assert torch.equal(images.resized(x, 4, 3), x)
    grey = torch.tensor([[[[0.0, 1.0], [0.0, 1.0]]]])
    assert images.resized(grey, 4, 3)[0, 2].tolist() == [[0, 0.25, 0.75, 1]] * 4


def test_olivetti_faces_come_from_scikit_learns_data_home(at_home: Path) -> None:
    stored = _put_olivetti(at_home)
    found = faces.faces()
    assert found.pixels.shape == (400, 1, 64, 64)
    assert torch.bincount(found.labels).tolist() == [10] * 40
    as_kept = stored[7].reshape(64, 64).T / 255  # scikit-learn turns them upright
    assert np.allclose(found.pixels[7, 0].numpy(), as_kept)
    assert found.source == "scikit-learn's Olivetti faces"


def test_faces_of_a_folder_come_first(at_home: Path) -> None:
    _put_olivetti(at_home)
    for person, level in (("ann", 200), ("bob", 10)):
        place = at_home / "faces" / person
        place.mkdir(parents=True)
        for i in range(3):
            Image.new("L", (20, 30), level + i).save(place / f"{i}.png")
    found = faces.faces()
    assert found.pixels.shape == (6, 3, faces.SIDE, faces.SIDE)
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert found.source == "6 faces of the reader's own"
    assert float(found.pixels[0].mean()) == pytest.approx(200 / 255)


def test_what_to_do_without_faces(at_home: Path) -> None:
    with pytest.raises(real.MissingDataError, match=r"fetch_olivetti_faces\(\)"):
        images.at_hand(["digits", "faces"], "", 8, 100, 0)
    (at_home / "faces").mkdir()
    with pytest.raises(real.MissingDataError, match="put PERSON/IMAGE files there"):
        faces.faces()
