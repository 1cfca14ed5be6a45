"""Real images, MNIST and CIFAR-10, with checksums and without pickle.

Files are looked for in the folder that the environment variable ``FEATUREBOOK_DATA`` names, else
in the user's cache folder, where they are downloaded on first use and checked against the published
checksums. Where neither is possible, `digits` falls back to scikit-learn's bundled 8x8 digits and
says so.
"""

import gzip
import hashlib
import os
import shutil
import tarfile
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import requests

if TYPE_CHECKING:  # torch takes a second, which those who want checksums only need not wait for
    from torch import Tensor

with warnings.catch_warnings():  # tqdm's, in a notebook without ipywidgets
    warnings.simplefilter("ignore")
    import pooch

DATA_VARIABLE = "FEATUREBOOK_DATA"

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


class DataError(Exception):
    """Images cannot be used. The message names the file and says what to do."""


class MissingDataError(DataError):
    """Images are not there and cannot be fetched."""


@dataclass(frozen=True)
class Images:
    """Labelled images.

    Attributes:
        pixels: float32 (N, channels, height, width), between 0 and 1.
        labels: int64 (N,).
        source: says in words what they are, for captions.
        files: name and md5 of the files read; empty for bundled data.
    """

    pixels: "Tensor"
    labels: "Tensor"
    source: str
    files: dict[str, str]

    def __len__(self) -> int:
        return len(self.labels)


def folder() -> Path:
    """Where image files are looked for."""
    if named := os.environ.get(DATA_VARIABLE):
        return Path(named)
    return Path(pooch.os_cache("featurebook"))


def mnist(split: str = "test") -> Images:
    """MNIST: (N, 1, 28, 28), N = 10,000 for ``"test"``, 60,000 for ``"train"``.

    Raises:
        MissingDataError: if a file is not there and cannot be fetched.
        DataError: if a file in a folder of the user's own is damaged.
    """
    import torch

    names = _of_split(MNIST_FILES, split)
    paths = [_published(MNIST_URL + name, MNIST_MD5[name]) for name in names]
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

    A folder of the user's own may hold some of the batches only, or fewer records in each, or other
    pictures; then these are what is read, and ``source`` says how many, and that they are unknown.

    Raises:
        MissingDataError: if no batch is there and none can be fetched.
        DataError: if a batch is damaged.
    """
    import torch

    names = _of_split(CIFAR10_FILES, split)
    home = folder() / CIFAR10_FOLDER
    if not _is_own_folder():
        _mend_batches(home, names)
    paths = [home / name for name in names if (home / name).is_file()]
    if not paths:
        raise MissingDataError(
            f"none of {', '.join(names)} in {home}: put CIFAR-10's binary batches there, or unset "
            f"{DATA_VARIABLE} to have them downloaded"
        )
    records = np.concatenate([_read_cifar10(path) for path in paths])
    files = {p.name: md5(p) for p in paths}
    known = all(is_published(name, found) for name, found in files.items())
    return Images(
        torch.from_numpy(records[:, 1:].reshape(-1, 3, 32, 32).astype(np.float32) / 255),
        torch.from_numpy(records[:, 0].astype(np.int64)),
        f"CIFAR-10, {len(records):,} of {10_000 * len(names):,} {split} images"
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
    """MNIST if it can be had, else `bundled_digits`; ``source`` says which.

    Raises:
        DataError: if MNIST is there but damaged: that is never silently replaced.
    """
    try:
        return mnist(split)
    except MissingDataError:
        found = bundled_digits()
        return replace(found, source=f"{found.source}, not MNIST")


def fingerprint() -> dict[str, str]:
    """Name and md5 of every known file in `folder`: what a chapter on images depends on."""
    home = folder()
    known = [home / n for n in MNIST_MD5]
    known += [home / CIFAR10_FOLDER / n for names in CIFAR10_FILES.values() for n in names]
    there = [p for p in known if p.is_file()]
    return {p.name: _md5_once(p, p.stat().st_size, p.stat().st_mtime_ns) for p in there}


def is_published(name: str, checksum: str) -> bool:
    """Whether a file of that name has the md5 of the published one; no other file is known."""
    return checksum in (MNIST_MD5.get(name), CIFAR10_BATCH_MD5.get(name))


def md5(path: Path) -> str:
    """The md5 checksum, as the data sets' publishers give it (no protection against malice)."""
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


@lru_cache(maxsize=64)
def _md5_once(path: Path, size: int, mtime_ns: int) -> str:
    """The md5 checksum of a file as it is, which another size or time would not be."""
    return md5(path)


def _of_split(files: Mapping[str, tuple[str, ...]], split: str) -> tuple[str, ...]:
    if split not in files:
        raise ValueError(f"split = {split!r}: must be one of {sorted(files)}")
    return files[split]


def _is_own_folder() -> bool:
    return bool(os.environ.get(DATA_VARIABLE))


def _published(url: str, checksum: str) -> Path:
    """The path of a published file with the right checksum, fetched if need be."""
    name = url.rpartition("/")[2]
    path = folder() / name
    if _is_own_folder():
        if not path.is_file():
            raise MissingDataError(
                f"{path} is missing: put it there (from {url}), or unset {DATA_VARIABLE} to have "
                "it downloaded"
            )
        if (found := md5(path)) != checksum:
            raise DataError(
                f"{path} is damaged: its md5 is {found}, the published one {checksum}. It is in "
                f"your own folder, so it was left alone: replace it (from {url})"
            )
        return path
    if path.is_file() and md5(path) != checksum:
        warnings.warn(f"{path} is damaged: removed, and fetched again", stacklevel=3)
        path.unlink()
    pooch.get_logger().setLevel("WARNING")  # it would write the cache's path into notebooks
    try:
        pooch.retrieve(url, f"md5:{checksum}", name, folder(), downloader=_resume_download)
    except (OSError, ValueError) as error:
        raise MissingDataError(
            f"{name} cannot be fetched from {url} ({type(error).__name__}: {error}). Check the "
            f"network, or put the file into a folder and name that in {DATA_VARIABLE}"
        ) from error
    return path


def _resume_download(url: str, output_file: str, _: object) -> None:
    """A pooch downloader that goes on where an earlier one stopped, by HTTP ranges."""
    part = folder() / (url.rpartition("/")[2] + ".part")
    have = part.stat().st_size if part.exists() else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    with requests.get(url, headers=headers, stream=True, timeout=30) as answer:
        if answer.status_code == requests.codes.requested_range_not_satisfiable:
            part.unlink()
            raise OSError(f"what was left of an earlier download of {url} did not fit; try again")
        answer.raise_for_status()
        resumed = answer.status_code == requests.codes.partial_content
        with part.open("ab" if resumed else "wb") as file:
            for block in answer.iter_content(1 << 18):
                file.write(block)
        expected = int(answer.headers.get("Content-Length", 0)) + (have if resumed else 0)
    if part.stat().st_size < expected:
        raise OSError(f"the download of {url} stopped at {part.stat().st_size:,} of {expected:,}")
    shutil.move(part, output_file)


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


def _mend_batches(home: Path, names: tuple[str, ...]) -> None:
    """Unpack what the cache lacks, or has with other bytes than were published."""
    there = [home / name for name in names if (home / name).is_file()]
    damaged = [p for p in there if not is_published(p.name, md5(p))]
    if damaged:
        said = ", ".join(p.name for p in damaged)
        warnings.warn(f"{said}: not as published; unpacked again", stacklevel=3)
    if damaged or len(there) < len(names):
        _extract(_published(CIFAR10_URL, CIFAR10_MD5), home)


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
            part = home / f"{name}.part"
            part.write_bytes(file.read())
            part.replace(home / name)
