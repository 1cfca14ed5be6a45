"""Real images, MNIST and CIFAR-10, with checksums and without pickle.

`featurebook.fetching` says where files are looked for and how they are fetched. Where MNIST cannot
be had, `digits` falls back to scikit-learn's bundled 8x8 digits and says so.
"""

import gzip
import tarfile
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from featurebook import fetching
from featurebook.fetching import (
    DATA_VARIABLE,
    DataError,
    MissingDataError,
    Say,
    folder,
    md5,
    md5_once,
)

__all__ = [
    "DATA_VARIABLE", "DataError", "Images", "MissingDataError", "bundled_digits", "cifar10",
    "digits", "fetch", "fingerprint", "folder", "is_published", "md5", "mnist",
]  # fmt: skip

if TYPE_CHECKING:  # torch takes a second, which those who want checksums only need not wait for
    from torch import Tensor

MNIST_URL = "https://ossci-datasets.s3.amazonaws.com/mnist/"
MNIST_MD5 = {
    "train-images-idx3-ubyte.gz": "f68b3c2dcbeaaa9fbdd348bbdeb94873",
    "train-labels-idx1-ubyte.gz": "d53e105ee54ea40749a09fcbcd1e9432",
    "t10k-images-idx3-ubyte.gz": "9fb629c4189551a2d022fa330f9573f3",
    "t10k-labels-idx1-ubyte.gz": "ec29112dd5afa0611ce80d1b7f02629c",
}
MNIST_FILES = {
    "train": ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"),
    "test": ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"),
}
CIFAR10_URL = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"
CIFAR10_MD5 = "c32a1d4ab5d03f1284b67883e8d87530"
CIFAR10_FOLDER = "cifar-10-batches-bin"
CIFAR10_FILES = {
    "train": tuple(f"data_batch_{k}.bin" for k in range(1, 6)),
    "test": ("test_batch.bin",),
}
CIFAR10_BATCH_MD5 = {
    "data_batch_1.bin": "5dd7e06a14cb22eb9f671a540d1b7c25",
    "data_batch_2.bin": "5ea93a67294ea407fff1d09f752e9692",
    "data_batch_3.bin": "942cd6a4bcdd0dd3c604fbe906cb4421",
    "data_batch_4.bin": "ae636b3ba5c66a11e91e8cb52e771fcb",
    "data_batch_5.bin": "53f37980c15c3d472c316c40844f3f0d",
    "test_batch.bin": "803d5f7f4d78ea53de84dbe85f74fb6d",
}
"""Of the archive's files; its author gives the archive's md5 only, these are from rai-project's
``dldataset``, which checks both."""
CIFAR10_RECORD = 1 + 3 * 32 * 32


@dataclass(frozen=True)
class Images:
    """Labelled images.

    Attributes:
        pixels: float32 (N, channels, height, width), between 0 and 1.
        labels: int64 (N,).
        source: what they are, in words, for captions.
        files: name and md5 of the files read; empty for bundled data.
    """

    pixels: "Tensor"
    labels: "Tensor"
    source: str
    files: dict[str, str]

    def __len__(self) -> int:
        return len(self.labels)


def fetch(kind: str, split: str, say: Say | None = None) -> None:
    """Make sure that the files of a data set are available, without reading them.

    Args:
        kind: "MNIST" or "CIFAR-10".
        say: as in `fetching.published`.

    Raises:
        MissingDataError, DataError: as `mnist` and `cifar10`.
    """
    {"MNIST": _mnist_files, "CIFAR-10": _cifar10_files}[kind](split, say)


def _mnist_files(split: str, say: Say | None = None) -> list[Path]:
    names = _of_split(MNIST_FILES, split)
    return [fetching.published(MNIST_URL + name, MNIST_MD5[name], say) for name in names]


def _cifar10_files(split: str, say: Say | None = None) -> list[Path]:
    names = _of_split(CIFAR10_FILES, split)
    home = folder() / CIFAR10_FOLDER
    if not fetching.is_own_folder():
        _mend_batches(home, names, say)
    paths = [home / name for name in names if (home / name).is_file()]
    if not paths:
        raise MissingDataError(
            f"none of {', '.join(names)} in {home}: put CIFAR-10's binary batches there, or unset "
            f"{DATA_VARIABLE} to have them downloaded"
        )
    return paths


def mnist(split: str = "test") -> Images:
    """MNIST: (N, 1, 28, 28), N = 10,000 for ``"test"``, 60,000 for ``"train"``.

    Raises:
        MissingDataError: if a file is missing and cannot be fetched.
        DataError: if a file in the user's own folder is damaged.
    """
    import torch

    paths = _mnist_files(split)
    images, labels = (_read_idx(path) for path in paths)
    if len(images) != len(labels):
        raise DataError(f"{paths[0]} has {len(images)} images, {paths[1]} {len(labels)} labels")
    return Images(
        torch.from_numpy(images.astype(np.float32) / 255).unsqueeze(1),
        torch.from_numpy(labels.astype(np.int64)),
        f"MNIST, {split} images",
        {p.name: md5(p) for p in paths},
    )


def cifar10(split: str = "test") -> Images:
    """CIFAR-10 in its binary form: (N, 3, 32, 32), N at most 10,000 or 50,000.

    The user's own folder may contain only some of the batches, or fewer records in each, or other
    pictures; then these are read, and ``source`` says how many, and that they are unknown.

    Raises:
        MissingDataError: if no batch is there and none can be fetched.
        DataError: if a batch is damaged.
    """
    import torch

    paths = _cifar10_files(split)
    records = np.concatenate([_read_cifar10(path) for path in paths])
    files = {p.name: md5(p) for p in paths}
    known = all(is_published(name, found) for name, found in files.items())
    return Images(
        torch.from_numpy(records[:, 1:].reshape(-1, 3, 32, 32).astype(np.float32) / 255),
        torch.from_numpy(records[:, 0].astype(np.int64)),
        f"CIFAR-10, {len(records):,} of {10_000 * len(CIFAR10_FILES[split]):,} {split} images"
        + ("" if known else " (not the published files)"),
        files,
    )


def bundled_digits() -> Images:
    """scikit-learn's digits: (1797, 1, 8, 8). No file, no network."""
    import torch
    from sklearn.datasets import load_digits

    data = load_digits()
    return Images(
        torch.from_numpy(data.images.astype(np.float32) / 16).unsqueeze(1),
        torch.from_numpy(data.target.astype(np.int64)),
        "scikit-learn's bundled 8x8 digits",
        {},
    )


def digits(split: str = "test") -> Images:
    """MNIST if it is available, else `bundled_digits`; ``source`` says which.

    Raises:
        DataError: if MNIST is there but damaged; it is never silently replaced.
    """
    try:
        return mnist(split)
    except MissingDataError:
        found = bundled_digits()
        return replace(found, source=f"{found.source}, not MNIST")


def fingerprint() -> dict[str, str]:
    """Name and md5 of every known file in `folder`: the inputs of chapters on images."""
    home = folder()
    known = [home / n for n in MNIST_MD5]
    known += [home / CIFAR10_FOLDER / n for names in CIFAR10_FILES.values() for n in names]
    there = [p for p in known if p.is_file()]
    return {p.name: md5_once(p) for p in there}


def is_published(name: str, checksum: str) -> bool:
    """Whether a file has the name and md5 of a published one."""
    return checksum in (MNIST_MD5.get(name), CIFAR10_BATCH_MD5.get(name))


def _of_split(files: Mapping[str, tuple[str, ...]], split: str) -> tuple[str, ...]:
    if split not in files:
        raise ValueError(f"split = {split!r}: must be one of {sorted(files)}")
    return files[split]


def _read_idx(path: Path) -> np.ndarray:
    """An array of unsigned bytes in the IDX format, gzip-compressed."""
    try:
        raw = gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} is damaged ({error}): delete it, or put a whole one") from error
    if len(raw) < 4 or raw[:3] != b"\0\0\x08" or len(raw) < 4 + 4 * raw[3]:
        raise DataError(f"{path} is no IDX file of unsigned bytes: delete it, or put a whole one")
    shape = np.frombuffer(raw, ">u4", count=raw[3], offset=4)
    values = np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3])
    if values.size != int(shape.prod()):
        raise DataError(f"{path} holds {values.size:,} bytes, its header says {shape.tolist()}")
    return values.reshape(shape.tolist())


def _read_cifar10(path: Path) -> np.ndarray:
    """Records of one batch, uint8 (N, 3073): a label, then the red, green and blue planes."""
    raw = np.fromfile(path, np.uint8)
    if raw.size == 0 or raw.size % CIFAR10_RECORD:
        raise DataError(
            f"{path} is truncated: {raw.size:,} bytes are no whole number of {CIFAR10_RECORD}-byte "
            "records; delete it, or put a whole one"
        )
    records = raw.reshape(-1, CIFAR10_RECORD)
    if records[:, 0].max() > 9:
        raise DataError(f"{path} is damaged: it has a label above 9; delete it, or put a whole one")
    return records


def _mend_batches(home: Path, names: tuple[str, ...], say: Say | None) -> None:
    """Unpack what the cache lacks or has with bytes other than the published ones."""
    if not _to_unpack(home, names):
        return
    archive = fetching.published(CIFAR10_URL, CIFAR10_MD5, say)
    try:
        with fetching.alone(say):
            if wanted := _to_unpack(home, names):  # another process may have done it meanwhile
                if damaged := [name for name in wanted if (home / name).is_file()]:
                    said = ", ".join(damaged)
                    warnings.warn(f"{said}: not as published; unpacked again", stacklevel=4)
                _extract(archive, home)
    except OSError as error:
        raise MissingDataError(f"cannot unpack into {home}: {error.strerror or error}") from error


def _to_unpack(home: Path, names: tuple[str, ...]) -> list[str]:
    """The batches that are missing or not as published."""
    return [
        name
        for name in names
        if not ((home / name).is_file() and is_published(name, md5_once(home / name)))
    ]


def _extract(archive: Path, home: Path) -> None:
    """The known members of CIFAR-10's archive, and nothing else, into ``home``."""
    home.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, "r:gz") as tar:
        for name in (n for names in CIFAR10_FILES.values() for n in names):
            try:
                file = tar.extractfile(f"{CIFAR10_FOLDER}/{name}")
            except KeyError:  # not there, or a link to what is not
                file = None
            if file is None:
                raise DataError(f"{archive} holds no file {name}")
            fetching.write_whole(home / name, file.read())
