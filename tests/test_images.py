"""Images are read right; what is missing, damaged or cut short is said, mended or left alone."""

import gzip
import hashlib
import io
import os
import socket
import subprocess
import sys
import tarfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
import torch

from featurebook import fetching, images
from featurebook.press.run import provenance

IMAGES, LABELS = images.MNIST_FILES["test"]
N = 1000  # incompressible pixels: a file of 780 kB, several blocks of a download
BATCH = 3  # records in each CIFAR batch here


def digest(content):
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def idx(array):
    head = b"\0\0\x08" + bytes([array.ndim]) + np.array(array.shape, ">u4").tobytes()
    return gzip.compress(head + array.tobytes(), mtime=0)


rng = np.random.default_rng(0)
PIXELS = rng.integers(0, 256, (N, 28, 28), np.uint8)
DIGITS = rng.integers(0, 10, N, np.uint8)
PIXELS[0, 2, :3] = [0, 255, 51]
MNIST = {IMAGES: idx(PIXELS), LABELS: idx(DIGITS)}

RECORDS = rng.integers(0, 256, (6, BATCH, images.CIFAR10_RECORD), np.uint8)
RECORDS[:, :, 0] %= 10
BATCHES = dict(zip((*images.CIFAR10_FILES["train"], *images.CIFAR10_FILES["test"]),
                   (r.tobytes() for r in RECORDS), strict=True))  # fmt: skip


def archive(members):
    """A tar.gz of ``(name, content)`` pairs; a content that is a string is a link to it."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                tar.addfile(info)
            else:
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return raw.getvalue()


def in_folder(batches):
    return [(f"{images.CIFAR10_FOLDER}/{name}", content) for name, content in batches.items()]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The cache folder, empty; the published checksums are those of the files made here."""
    monkeypatch.delenv(images.DATA_VARIABLE, raising=False)
    monkeypatch.delenv(fetching.OFFLINE_VARIABLE, raising=False)
    folder = tmp_path / "cache"
    fetching._silent.clear()
    monkeypatch.setattr(fetching.pooch, "os_cache", lambda _: folder)
    for name, content in MNIST.items():
        monkeypatch.setitem(images.MNIST_MD5, name, digest(content))
    for name, content in BATCHES.items():
        monkeypatch.setitem(images.CIFAR10_BATCH_MD5, name, digest(content))
    return folder


@pytest.fixture
def own(tmp_path, monkeypatch, cache):
    """A folder of the user's own, with the MNIST test files."""
    folder = tmp_path / "own"
    folder.mkdir()
    for name, content in MNIST.items():
        (folder / name).write_bytes(content)
    monkeypatch.setenv(images.DATA_VARIABLE, str(folder))
    return folder


class Server:
    """Serves ``files``, slowly if asked; cuts its first answer for the names in ``cut``.

    ``on_the_way`` is what a server or a proxy may do to a file: "compressed" for the transfer, or
    "mislabelled", an archive that is said to be compressed for the transfer.
    """

    def __init__(self):
        self.files, self.cut, self.asked = dict(MNIST), {}, []
        self.on_the_way, self.status, self.delay = "", 200, 0.0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.path.rpartition("/")[2]
                outer.asked.append(name)
                body = outer.files[name]
                self.send_response(outer.status)
                if outer.on_the_way:
                    self.send_header("Content-Encoding", "gzip")
                if outer.on_the_way == "compressed":
                    body = gzip.compress(body)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                time.sleep(outer.delay)
                self.wfile.write(body[: outer.cut.pop(name, len(body))])

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.http.server_port}/"

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


@pytest.fixture
def server(cache, monkeypatch):
    found = Server()
    monkeypatch.setattr(images, "MNIST_URL", found.url)
    monkeypatch.setattr(images, "CIFAR10_URL", found.url + "cifar-10-binary.tar.gz")
    yield found
    found.close()


@pytest.fixture
def offline(cache, monkeypatch):
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as closed:
        url = f"http://127.0.0.1:{closed.server_port}/"
    monkeypatch.setattr(images, "MNIST_URL", url)
    monkeypatch.setattr(images, "CIFAR10_URL", url + "cifar-10-binary.tar.gz")


def publish(server, monkeypatch, members):
    content = archive(members)
    server.files["cifar-10-binary.tar.gz"] = content
    monkeypatch.setattr(images, "CIFAR10_MD5", digest(content))


# reading


def test_mnist_is_what_the_files_hold(own):
    found = images.mnist("test")
    assert found.pixels.shape == (N, 1, 28, 28)
    assert (found.pixels.dtype, found.labels.dtype) == (torch.float32, torch.int64)
    assert (found.pixels.min(), found.pixels.max()) == (0, 1)
    assert found.pixels[0, 0, 2, :3].tolist() == pytest.approx([0, 1, 0.2])
    assert found.labels.tolist() == DIGITS.tolist()
    assert len(found) == N
    assert found.source == "MNIST, test images"
    assert found.files == {name: digest(content) for name, content in MNIST.items()}


def test_cifar_planes_are_red_green_blue_by_rows(own):
    home = own / images.CIFAR10_FOLDER
    home.mkdir()
    record = np.zeros((2, images.CIFAR10_RECORD), np.uint8)
    record[1, 0] = 7
    record[1, 1 + 1024 + 32 * 5 + 3] = 255  # green, row 5, column 3
    (home / "test_batch.bin").write_bytes(record.tobytes())
    found = images.cifar10()
    assert found.pixels.shape == (2, 3, 32, 32)
    assert (found.pixels.dtype, found.labels.dtype) == (torch.float32, torch.int64)
    assert found.pixels.nonzero().tolist() == [[1, 1, 5, 3]]
    assert found.pixels.max() == 1
    assert found.labels.tolist() == [0, 7]
    assert found.source == "CIFAR-10, 2 of 10,000 test images (not the published files)"


def test_some_of_the_batches_will_do_in_a_folder_of_ones_own(own):
    home = own / images.CIFAR10_FOLDER
    home.mkdir()
    (home / "data_batch_4.bin").write_bytes(BATCHES["data_batch_4.bin"])
    found = images.cifar10("train")
    assert found.labels.tolist() == RECORDS[3, :, 0].tolist()
    assert list(found.files) == ["data_batch_4.bin"]
    assert found.source == "CIFAR-10, 3 of 50,000 train images"


@pytest.mark.parametrize("place", [0, 7], ids=["label", "pixel"])
def test_a_batch_of_ones_own_with_one_bit_changed_is_called_unknown(own, place):
    home = own / images.CIFAR10_FOLDER
    home.mkdir()
    changed = bytearray(BATCHES["test_batch.bin"])
    changed[place] ^= 1
    (home / "test_batch.bin").write_bytes(changed)
    found = images.cifar10()
    assert "not the published files" in found.source
    known = {"MNIST": images.mnist(), "CIFAR-10": found}
    card = provenance.card([0], list(known.values())).facts["data files (md5)"]
    assert {name for name, said in card.items() if "unknown" in said} == {"test_batch.bin"}
    (home / "test_batch.bin").write_bytes(BATCHES["test_batch.bin"])
    assert "published" not in images.cifar10().source


@pytest.mark.parametrize("load", [images.mnist, images.cifar10])
def test_an_unknown_split_is_refused(own, load):
    with pytest.raises(ValueError, match="split = 'validation'"):
        load("validation")


def test_bundled_digits_need_nothing(offline):
    found = images.bundled_digits()
    assert found.pixels.shape == (1797, 1, 8, 8)
    assert (found.pixels.dtype, found.labels.dtype) == (torch.float32, torch.int64)
    assert (found.pixels.min(), found.pixels.max()) == (0, 1)
    assert set(found.labels.tolist()) == set(range(10))
    assert found.files == {}


def test_the_fingerprint_names_every_known_file_and_its_content(own):
    home = own / images.CIFAR10_FOLDER
    home.mkdir()
    (home / "test_batch.bin").write_bytes(b"1")
    (own / "other.txt").write_text("not ours")
    before = images.fingerprint()
    assert set(before) == {IMAGES, LABELS, "test_batch.bin"}
    (home / "test_batch.bin").write_bytes(b"2")
    assert images.fingerprint() != before


# a folder of the user's own


def test_a_file_missing_in_ones_own_folder_is_named(own):
    (own / LABELS).unlink()
    with pytest.raises(images.MissingDataError, match=LABELS) as error:
        images.mnist()
    assert images.DATA_VARIABLE in str(error.value)
    assert str(own) in str(error.value)


def test_batches_missing_in_ones_own_folder_are_named(own):
    with pytest.raises(images.MissingDataError, match=r"test_batch\.bin"):
        images.cifar10()


@pytest.mark.parametrize("cut", [0, 100, -1])
def test_a_damaged_file_of_ones_own_is_named_and_left_alone(own, server, cut):
    damaged = MNIST[IMAGES][:cut] if cut >= 0 else MNIST[IMAGES][:-1] + b"x"
    (own / IMAGES).write_bytes(damaged)
    for load in (images.mnist, images.digits):  # never silently replaced by other digits
        with pytest.raises(images.DataError, match="left alone") as error:
            load()
        assert str(own / IMAGES) in str(error.value)
        assert not isinstance(error.value, images.MissingDataError)
    assert (own / IMAGES).read_bytes() == damaged
    assert server.asked == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (MNIST[IMAGES][:-2000], "is damaged"),
        (MNIST[IMAGES][:5000] + b"\xff" * 100 + MNIST[IMAGES][5100:], "is damaged"),
        (MNIST[IMAGES][:10] + b"\xff" * 100, "is damaged"),
        (b"no gzip", "is damaged"),
        (gzip.compress(b""), "no IDX file"),
        (gzip.compress(b"\0\0\x0d\x01" + bytes(8)), "no IDX file"),
        (gzip.compress(b"\0\0\x08\x03" + bytes(5)), "no IDX file"),
        (gzip.compress(b"\0\0\x08\x01\0\0\0\x09" + bytes(8)), "header says"),
    ],
    ids=[
        "truncated",
        "flipped bytes",
        "no deflate",
        "no gzip",
        "empty",
        "of floats",
        "half a header",
        "short",
    ],
)
def test_what_cannot_be_unpacked_is_named(own, monkeypatch, content, message):
    monkeypatch.setitem(images.MNIST_MD5, IMAGES, digest(content))
    (own / IMAGES).write_bytes(content)
    with pytest.raises(images.DataError, match=message) as error:
        images.mnist()
    assert str(own / IMAGES) in str(error.value)


def test_images_and_labels_must_be_as_many(own, monkeypatch):
    content = idx(DIGITS[:-1])
    monkeypatch.setitem(images.MNIST_MD5, LABELS, digest(content))
    (own / LABELS).write_bytes(content)
    with pytest.raises(images.DataError, match=f"{N} images, .* {N - 1} labels"):
        images.mnist()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BATCHES["test_batch.bin"][:-1], "is truncated"),
        (b"", "is truncated"),
        (b"\x0a" + BATCHES["test_batch.bin"][1:], "label above 9"),
    ],
)
def test_a_damaged_batch_of_ones_own_is_named_and_left_alone(own, server, content, message):
    batch = own / images.CIFAR10_FOLDER / "test_batch.bin"
    batch.parent.mkdir()
    batch.write_bytes(content)
    with pytest.raises(images.DataError, match=message) as error:
        images.cifar10()
    assert str(batch) in str(error.value)
    assert batch.read_bytes() == content
    assert server.asked == []


# the cache


def test_files_are_fetched_once_and_silently(cache, server, capfd):
    assert images.mnist().labels.tolist() == DIGITS.tolist()
    assert str(cache) not in "".join(capfd.readouterr())  # it would stand in executed notebooks
    assert in_cache(cache) == sorted(MNIST)
    images.mnist()
    assert server.asked == [IMAGES, LABELS]


def in_cache(cache):
    return sorted(p.name for p in cache.iterdir() if p.name != ".lock")


FETCH = """
import sys
from featurebook import fetching, images
images.MNIST_URL, checksums, folder = sys.argv[1:]
images.MNIST_MD5.update(dict(x.split("=") for x in checksums.split(",")))
fetching.pooch.os_cache = lambda _: folder
print(len(images.mnist()))
"""


def test_several_processes_that_need_one_file_fetch_it_once(cache, server):
    server.delay = 2.0
    checksums = ",".join(f"{name}={digest(content)}" for name, content in MNIST.items())
    words = [sys.executable, "-c", FETCH, server.url, checksums, str(cache)]
    started = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate()[0] for process in started] == [f"{N}\n"] * 4
    assert server.asked == [IMAGES, LABELS]
    assert in_cache(cache) == sorted(MNIST)


@pytest.mark.parametrize("on_the_way", ["compressed", "mislabelled"])
def test_a_file_that_is_compressed_on_the_way_is_what_was_published(cache, server, on_the_way):
    server.on_the_way = on_the_way
    assert images.mnist().labels.tolist() == DIGITS.tolist()
    for name, content in MNIST.items():
        assert (cache / name).read_bytes() == content


def test_what_the_server_says_is_said_in_a_few_words(cache, server):
    server.status = 503
    with pytest.raises(images.MissingDataError, match="the server says 503") as error:
        images.mnist()
    assert len(str(error.value)) < 300


def test_nothing_is_fetched_where_that_is_forbidden(cache, server, monkeypatch):
    monkeypatch.setenv(fetching.OFFLINE_VARIABLE, "1")
    with pytest.raises(images.MissingDataError, match="FEATUREBOOK_OFFLINE is set"):
        images.mnist()
    assert images.digits().source.endswith("not MNIST")
    assert server.asked == []
    monkeypatch.setenv(fetching.OFFLINE_VARIABLE, "0")
    assert len(images.mnist()) == N


def test_what_is_fetched_is_said_to_who_asks(cache, server, monkeypatch):
    publish(server, monkeypatch, in_folder(BATCHES))
    said = []
    images.fetch("MNIST", "test", said.append)
    images.fetch("CIFAR-10", "train", said.append)
    assert [line.split(" from ")[0] for line in said] == [
        f"fetching {IMAGES}", f"fetching {LABELS}", "fetching cifar-10-binary.tar.gz",
    ]  # fmt: skip
    said.clear()
    images.fetch("MNIST", "test", said.append)
    assert said == []


@pytest.mark.parametrize("named", ["~/images", "images"])
def test_the_folder_is_named_from_home_or_from_here(monkeypatch, tmp_path, named):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(images.DATA_VARIABLE, named)
    assert images.folder() == tmp_path / "images"


def test_a_cache_that_cannot_be_written_is_named(cache, server):
    cache.write_text("a file where the folder should be")
    with pytest.raises(images.MissingDataError, match="File exists") as error:
        images.mnist()
    assert str(cache) in str(error.value)


@pytest.mark.parametrize("damage", [lambda b: b[:-500], lambda b: b"x" + b[1:]])
def test_a_damaged_cached_file_is_removed_and_fetched_again(cache, server, damage):
    images.mnist()
    (cache / IMAGES).write_bytes(damage(MNIST[IMAGES]))
    with pytest.warns(UserWarning, match=f"{IMAGES} is damaged: removed, and fetched again"):
        found = images.mnist()
    assert len(found) == N
    assert (cache / IMAGES).read_bytes() == MNIST[IMAGES]


def test_a_download_that_stops_halfway_leaves_nothing_and_begins_again(cache, server):
    server.cut[IMAGES] = 600_000
    with pytest.raises(images.MissingDataError, match=rf"{IMAGES}.*the connection broke off"):
        images.mnist()
    assert in_cache(cache) == []
    assert images.mnist().labels.tolist() == DIGITS.tolist()
    assert in_cache(cache) == sorted(MNIST)


def test_what_has_not_the_published_checksum_is_not_kept(cache, server):
    server.files[IMAGES] = idx(PIXELS[::-1].copy())
    with pytest.raises(images.MissingDataError, match="hash"):
        images.mnist()
    assert not (cache / IMAGES).exists()
    server.files[IMAGES] = MNIST[IMAGES]
    assert len(images.mnist()) == N


def test_offline_the_bundled_digits_say_so(offline):
    with pytest.raises(images.MissingDataError, match="no connection; check the network") as error:
        images.mnist()
    assert images.DATA_VARIABLE in str(error.value)
    found = images.digits()
    assert "scikit-learn" in found.source
    assert found.source.endswith("not MNIST")
    with pytest.raises(images.MissingDataError, match="cifar-10-binary"):
        images.cifar10()


def test_a_firewall_that_drops_packets_costs_one_short_wait(cache, monkeypatch):
    """Of a server with many addresses, each of which would be waited for."""
    clock, asked = [0.0], []

    def dropped(self, place):
        asked.append(place)
        clock[0] += self.gettimeout()
        raise TimeoutError

    many = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", k)) for k in range(8)]
    monkeypatch.setattr(fetching.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(fetching.socket, "getaddrinfo", lambda *_, **__: many)
    monkeypatch.setattr(fetching.socket.socket, "connect", dropped)
    for _ in range(3):
        with pytest.raises(images.MissingDataError, match="no answer; check the network"):
            images.mnist()
    assert len(asked) == 8
    assert clock[0] == pytest.approx(fetching.CONNECT)


def test_a_cache_that_cannot_be_written_to_is_no_fault_of_the_network(cache):
    cache.mkdir()
    (cache / ".lock").symlink_to("/nowhere")
    with pytest.raises(images.MissingDataError, match=r"\.lock in it is a symbolic link") as error:
        images.mnist()
    (cache / ".lock").unlink()
    cache.rmdir()
    cache.write_text("")
    with pytest.raises(images.MissingDataError, match="cache cannot be written to: ") as other:
        images.mnist()
    assert "network" not in str(error.value) + str(other.value)


def test_offline_a_damaged_cached_file_is_removed_all_the_same(cache, offline):
    cache.mkdir()
    (cache / IMAGES).write_bytes(b"damaged")
    with (
        pytest.warns(UserWarning, match="is damaged: removed"),
        pytest.raises(images.MissingDataError, match=IMAGES),
    ):
        images.mnist()
    assert not (cache / IMAGES).exists()


def test_digits_are_mnist_where_they_can_be_had(own):
    assert images.digits().source == "MNIST, test images"


def test_cifar_is_fetched_and_unpacked_once(cache, server, monkeypatch):
    publish(server, monkeypatch, in_folder(BATCHES))
    found = images.cifar10("train")
    assert found.labels.tolist() == RECORDS[:5, :, 0].ravel().tolist()
    assert images.cifar10("test").labels.tolist() == RECORDS[5, :, 0].tolist()
    assert len(server.asked) == 1
    assert sorted(p.name for p in (cache / images.CIFAR10_FOLDER).iterdir()) == sorted(BATCHES)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x0a" * images.CIFAR10_RECORD,
        b"cut",
        bytes([BATCHES["test_batch.bin"][0] ^ 1]) + BATCHES["test_batch.bin"][1:],
        BATCHES["test_batch.bin"][:-1] + bytes([BATCHES["test_batch.bin"][-1] ^ 1]),
    ],
    ids=["empty", "bad label", "cut", "another label", "another pixel"],
)
def test_a_damaged_cached_batch_is_unpacked_again(cache, server, monkeypatch, content):
    publish(server, monkeypatch, in_folder(BATCHES))
    images.cifar10()
    (cache / images.CIFAR10_FOLDER / "test_batch.bin").write_bytes(content)
    with pytest.warns(UserWarning, match=r"test_batch\.bin"):
        found = images.cifar10()
    assert found.labels.tolist() == RECORDS[5, :, 0].tolist()


def everything_below(folder):
    return sorted(str(Path(d, f).relative_to(folder)) for d, _, fs in os.walk(folder) for f in fs)


def test_an_archive_unpacks_nothing_outside_its_folder(tmp_path, cache, server, monkeypatch):
    evil = [
        ("../evil", b"1"), ("../../evil", b"2"), (str(tmp_path / "evil"), b"3"),
        (f"{images.CIFAR10_FOLDER}/../../evil", b"4"), (f"{images.CIFAR10_FOLDER}/run.sh", b"5"),
        (f"{images.CIFAR10_FOLDER}/link", str(tmp_path)),
        (f"{images.CIFAR10_FOLDER}/link/evil", b"6"),
    ]  # fmt: skip
    publish(server, monkeypatch, evil + in_folder(BATCHES))
    images.cifar10()
    unpacked = [f"cache/{images.CIFAR10_FOLDER}/{name}" for name in BATCHES]
    assert everything_below(tmp_path) == sorted(
        [*unpacked, "cache/cifar-10-binary.tar.gz", "cache/.lock"]
    )


def test_a_link_in_an_archive_reads_nothing_outside(tmp_path, cache, server, monkeypatch):
    secret = tmp_path / "secret"
    secret.write_bytes(BATCHES["test_batch.bin"])
    members = in_folder({**BATCHES, "test_batch.bin": str(secret)})
    publish(server, monkeypatch, members)
    with pytest.raises(images.DataError, match=r"holds no file test_batch\.bin"):
        images.cifar10()


def test_a_batch_missing_from_the_archive_is_named(cache, server, monkeypatch):
    publish(server, monkeypatch, in_folder(BATCHES)[1:])
    with pytest.raises(images.DataError, match=r"holds no file data_batch_1\.bin"):
        images.cifar10("train")


# the real ones


@pytest.mark.skipif(
    not os.environ.get(images.DATA_VARIABLE),
    reason=f"{images.DATA_VARIABLE} names no folder of real images",
)
def test_the_real_images():
    mnist = images.mnist("test")
    assert mnist.pixels.shape == (10_000, 1, 28, 28)
    # the published class counts of the test digits
    counts = [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]
    assert mnist.labels.bincount().tolist() == counts
    if not (images.folder() / images.CIFAR10_FOLDER / "test_batch.bin").is_file():
        pytest.skip("no CIFAR-10 test batch in that folder")
    cifar = images.cifar10("test")
    assert cifar.pixels.shape[1:] == (3, 32, 32)
    counts = cifar.labels.bincount(minlength=10)
    assert counts.tolist() == [len(cifar) // 10] * 10  # balanced, whole or a subset
    # the channel means of CIFAR-10: red is the brightest plane, blue the darkest
    means = cifar.pixels.mean((0, 2, 3))
    assert (means - torch.tensor([0.491, 0.482, 0.447])).abs().max() < 0.02
