"""Fetch published files, verified, into a folder that several processes may share.

Files are looked for in the folder that the environment variable ``FEATUREBOOK_DATA`` names, else
in the user's cache folder, into which they are fetched. With ``FEATUREBOOK_OFFLINE`` set to
anything but 0, nothing is fetched.
"""

import gzip
import hashlib
import os
import socket
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

import requests
import urllib3
from filelock import FileLock, Timeout

with warnings.catch_warnings():  # tqdm's, in a notebook without ipywidgets
    warnings.simplefilter("ignore")
    import pooch
    from tqdm import tqdm

DATA_VARIABLE = "FEATUREBOOK_DATA"
OFFLINE_VARIABLE = "FEATUREBOOK_OFFLINE"
CONNECT, SILENCE = 8.0, 30.0
"""Seconds for a server to answer, and for the next bytes to come."""
_silent: dict[str, requests.ConnectionError] = {}
"""Servers that could not be reached; this process does not try them again."""
BLOCK = 1 << 18

Say = Callable[[str], None]


class DataError(Exception):
    """Images cannot be used. The message names the file and says what to do."""


class MissingDataError(DataError):
    """Images are missing and cannot be fetched."""


class CacheError(OSError):
    """The folder for fetched files cannot be written to. The message names it."""


def folder() -> Path:
    """The folder in which image files are looked for."""
    if named := os.environ.get(DATA_VARIABLE):
        return Path(named).expanduser().absolute()
    return cache()


def cache() -> Path:
    """The user's cache folder, into which files are fetched."""
    return Path(pooch.os_cache("featurebook"))


def is_own_folder() -> bool:
    """Whether the user has named the folder, in which nothing is then changed or fetched."""
    return bool(os.environ.get(DATA_VARIABLE))


def is_offline() -> bool:
    """Whether the user, or a runner that has fetched everything already, forbids the network."""
    return os.environ.get(OFFLINE_VARIABLE, "0") not in ("", "0")


def md5(path: Path) -> str:
    """The md5 checksum, as the data sets' publishers give it (no protection against malice)."""
    return _digest(path, "md5")


def _digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(
            file, lambda: hashlib.new(algorithm, usedforsecurity=False)
        ).hexdigest()


def _matches(path: Path, checksum: str) -> bool:
    """Whether a file has a checksum: that of its md5, or ``sha256:...``."""
    algorithm, _, value = checksum.rpartition(":")
    return _digest(path, algorithm or "md5") == value


def md5_once(path: Path) -> str:
    """As `md5`, cached until the file's size or time changes."""
    about = path.stat()
    return _md5_once(path, about.st_size, about.st_mtime_ns)


@lru_cache(maxsize=64)
def _md5_once(path: Path, size: int, mtime_ns: int) -> str:
    return md5(path)


def published(url: str, checksum: str, say: Say | None = None) -> Path:
    """The path of a published file with the right checksum, fetched if need be.

    Args:
        checksum: its md5, or ``sha256:...``.
        say: called with messages on fetching and waiting; with it a terminal gets a progress bar.

    Raises:
        MissingDataError: if it is not there and cannot be fetched.
        DataError: if it is damaged in a folder of the user's own.
    """
    path = folder() / url.rpartition("/")[2]
    if is_own_folder():
        return _in_own_folder(path, url, checksum)
    if path.is_file() and md5_once(path) == checksum:
        return path
    try:
        into(path, lambda: url, checksum, say)
    except (OSError, ValueError, urllib3.exceptions.HTTPError) as error:
        otherwise = f"put the file into a folder and set {DATA_VARIABLE} to that folder"
        raise MissingDataError(refusal(f"{path.name} (from {url})", error, otherwise)) from error
    return path


def refusal(what: str, error: Exception, otherwise: str) -> str:
    """The message that a file cannot be fetched, why, and what to do."""
    first = "fetch it with featurebook data, or " if is_offline() else "check the network, or "
    first = "" if isinstance(error, CacheError) else first
    return f"{what} cannot be fetched: {reason(error)}; {first}{otherwise}"


def into(path: Path, url: Callable[[], str], checksum: str, say: Say | None) -> None:
    """Fetch a published file to a path of ours, unless it is there with the right checksum.

    Args:
        url: called for the address, only if the file is fetched.

    Raises:
        OSError, ValueError, urllib3.exceptions.HTTPError: if it cannot be fetched; see `reason`.
    """
    with alone(say, path.parent):
        if path.is_file() and not _matches(path, checksum):
            warnings.warn(f"{path} is damaged: removed, and fetched again", stacklevel=4)
            path.unlink()
        if not path.is_file():
            _fetch(url, checksum, path, say)


def _in_own_folder(path: Path, url: str, checksum: str) -> Path:
    if not path.is_file():
        raise MissingDataError(
            f"{path} is missing: put it there (from {url}), or unset {DATA_VARIABLE} to have it "
            "downloaded"
        )
    if (found := md5_once(path)) != checksum:
        raise DataError(
            f"{path} is damaged: its md5 is {found}, the published one {checksum}. It is in your "
            f"own folder, so it was left alone: replace it (from {url})"
        )
    return path


@contextmanager
def alone(say: Say | None = None, home: Path | None = None) -> Iterator[None]:
    """Keep other processes from writing to a folder, by default that of the images, meanwhile.

    Raises:
        CacheError: if the folder cannot be written to.
    """
    home = home or folder()
    file = home / ".lock"
    lock = _lock(file)
    try:
        home.mkdir(parents=True, exist_ok=True)
        if file.is_symlink():
            raise CacheError(f"{file.name} in it is a symbolic link, remove it")
        lock.acquire(timeout=0 if say else -1)
    except Timeout:
        assert say is not None
        say(f"another process is fetching files into {home}; waiting for it")
        lock.acquire()
    except OSError as error:
        why = error if isinstance(error, CacheError) else error.strerror
        raise CacheError(f"the folder {home} cannot be written to: {why}") from None
    try:
        yield
    finally:
        lock.release()


@lru_cache(maxsize=8)
def _lock(path: Path) -> FileLock:
    """The lock of a folder: a single object, so that a process that holds it may take it again."""
    return FileLock(path)


def _fetch(url: Callable[[], str], checksum: str, path: Path, say: Say | None) -> None:
    if is_offline():
        raise OSError(f"{OFFLINE_VARIABLE} is set")
    address = url()
    host = urlsplit(address).netloc
    if host in _silent:
        raise _silent[host]
    if say:
        say(f"fetching {path.name} from {host} into {path.parent}")
    pooch.get_logger().setLevel("WARNING")  # it would write the cache's path into notebooks

    def download(url: str, output_file: str, _: object) -> None:
        _download(url, Path(output_file), checksum, shown=say is not None)

    known = checksum if ":" in checksum else f"md5:{checksum}"
    try:
        _reach(address)
        pooch.retrieve(address, known, path.name, path.parent, downloader=download)
    except requests.ConnectionError as error:
        _silent[host] = error
        raise


def _reach(address: str) -> None:
    """Try a server's addresses for `CONNECT` seconds in all; requests would take as long for each.

    Raises:
        requests.ConnectionError: if none answers.
    """
    if requests.utils.get_environ_proxies(address):  # then the proxy has the addresses
        return
    about, end, last = urlsplit(address), time.monotonic() + CONNECT, OSError()
    try:
        port = about.port or (80 if about.scheme == "http" else 443)
        found = socket.getaddrinfo(about.hostname, port, type=socket.SOCK_STREAM)
        for k, (family, kind, proto, _, place) in enumerate(found, start=1):
            with socket.socket(family, kind, proto) as trial:
                trial.settimeout(max(0.5, (end - time.monotonic()) / (len(found) - k + 1)))
                try:
                    return trial.connect(place)
                except OSError as error:
                    last = error
    except OSError as error:  # no such name
        last = error
    raise (requests.ConnectTimeout if isinstance(last, TimeoutError) else requests.ConnectionError)


def _download(url: str, target: Path, checksum: str, shown: bool) -> None:
    """The bytes of a file on a server, whatever happened to them in transit.

    A server may compress a file for the transfer, or take one that is a gzip archive for one that
    it has compressed; then what is wanted is what was sent, or that unpacked.
    """
    asked = {"Accept-Encoding": "identity"}
    with requests.get(url, headers=asked, stream=True, timeout=(CONNECT, SILENCE)) as answer:
        answer.raise_for_status()
        expected = int(answer.headers.get("Content-Length", 0))
        quiet = None if shown else True  # None: a bar where there is a terminal
        with (
            target.open("wb") as file,
            tqdm(total=expected or None, unit="B", unit_scale=True, leave=False, disable=quiet)
            as bar,
        ):  # fmt: skip
            for block in answer.raw.stream(BLOCK, decode_content=False):
                file.write(block)
                bar.update(len(block))
        packed = "gzip" in answer.headers.get("Content-Encoding", "")
    have = target.stat().st_size
    if have < expected:
        raise OSError(f"the download stopped at {have:,} of {expected:,} bytes")
    if packed and not _matches(target, checksum):
        target.write_bytes(gzip.decompress(target.read_bytes()))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically, even if others write it too."""
    handle, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(part).replace(path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def reason(error: Exception) -> str:
    """What went wrong, in a few words; the messages of requests have hundreds of characters."""
    if isinstance(error, requests.Timeout):
        return "no answer"
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server says {error.response.status_code} {error.response.reason}"
    if isinstance(error, urllib3.exceptions.ProtocolError):
        return "the connection broke off"
    if isinstance(error, requests.ConnectionError | urllib3.exceptions.HTTPError):
        return "no connection"
    if isinstance(error, ValueError):
        return "the download's hash is not that of the published file"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"
    return str(error)
