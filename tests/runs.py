"""What tests do to runs: add a cell, wait, look whether processes are gone."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import psutil
import pytest

from featurebook.press.book.places import Chapter
from featurebook.press.site import serve

FEATUREBOOK = Path(sys.executable).parent / "featurebook"


def with_cell(chapter: Chapter, code: str) -> None:
    """Add a cell to a chapter's source."""
    text = chapter.notebook.read_text(encoding="utf-8")
    chapter.notebook.write_text(f"{text}\n# %%\n{code}\n", encoding="utf-8")


def printed(path: Path) -> str:
    """What the cells of a notebook have printed."""
    cells = nbformat.read(path, as_version=4).cells
    return "".join(o.get("text", "") for c in cells for o in c.get("outputs", []))


def wait_for(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something is so; fail if it is not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    return [pid, *(p.pid for p in psutil.Process(pid).children(recursive=True))]


def runs(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@contextmanager
def served(site: Path) -> Iterator[int]:
    """The port on this machine at which a site is served."""
    server = serve.server(site, 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of its own with that much room; skips the test where none can be mounted."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a small disk cannot be made here: mounting is for the superuser")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def remount(folder: Path, options: str) -> None:
    """Change a `small_disk`, as with ``ro`` or ``size=1m``."""
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)
