"""Write files completely or not at all, with one writer at a time."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from filelock import FileLock, Timeout

from featurebook.press.book import door, forms
from featurebook.press.book.places import BookError

EXECUTE = "featurebook run executes the notebook again"
NO_NOTEBOOK = (ValueError, LookupError, AttributeError, TypeError, RecursionError)
"""What nbformat also raises for a file that is not a notebook."""


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file atomically; an old one survives a failure.

    Raises:
        OSError: if the folder cannot be written to, or the disk is full.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if isinstance(content, bytes):
            temporary.write_bytes(content)
        else:
            temporary.write_text(content, encoding="utf-8")
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file that people can read, and make its folder, see `write_atomically`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def put_aside(path: Path, word: str) -> Path:
    """Give a file the first free name ``STEM.WORD-1.SUFFIX``, ``STEM.WORD-2.SUFFIX``, ...

    Returns:
        Its new path.
    """
    numbered = (path.with_name(f"{path.stem}.{word}-{k}{path.suffix}") for k in count(1))
    free = next(p for p in numbered if not p.exists() and not p.is_symlink())
    return path.rename(free)


def read_source(path: Path) -> nbformat.NotebookNode:
    """A chapter's source as a notebook; cached until the file changes.

    Raises:
        OSError, ValueError: if it cannot be read.
    """
    return _read_source(path, *_version(path))


def _version(path: Path) -> tuple[int, int]:
    """A file's date and size, which reveal changes."""
    about = path.stat()
    return about.st_mtime_ns, about.st_size


@lru_cache(maxsize=512)
def _read_source(path: Path, changed: int, size: int) -> nbformat.NotebookNode:
    return jupytext.reads(door.read_text(path, door.MEND), path.suffix)


def read_head(path: Path) -> nbformat.NotebookNode:
    """As `read_source`, up to the cell tagged "parameters": a tenth of the time or less.

    Raises:
        OSError, ValueError: if it cannot be read.
    """
    return _read_head(path, *_version(path))


@lru_cache(maxsize=512)
def _read_head(path: Path, changed: int, size: int) -> nbformat.NotebookNode:
    lines = door.read_text(path, door.MEND).splitlines(keepends=True)
    cells = [n for n, line in enumerate(lines) if line.startswith("# %%")]
    ends = dict(pairwise(cells))
    tagged = (n for n in cells if '"parameters"' in lines[n])
    return jupytext.reads("".join(lines[: ends.get(next(tagged, -1))]), fmt="py:percent")


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """A notebook from disk; the data that `featurebook` put into it is checked.

    Raises:
        BookError: if it is missing, cut off, not a notebook, or its data has another form.
    """
    text = door.read_text(path, EXECUTE)
    try:
        notebook = nbformat.reads(text, as_version=4)
    except (*NO_NOTEBOOK, nbformat.ValidationError):
        raise BookError(f"{path}: not a readable notebook; {EXECUTE}") from None
    door.check(notebook, forms.Notebook, path, EXECUTE)
    return notebook


def outputs(notebook: nbformat.NotebookNode, mime: str) -> list[dict[str, Any]]:
    """All structured outputs of one mime type in an executed notebook, in order."""
    data = [o.get("data", {}) for c in notebook.cells for o in c.get("outputs", [])]
    return [d[mime] for d in data if mime in d]


@contextmanager
def alone(path: Path, otherwise: str) -> Iterator[None]:
    """Keep other processes on this machine from writing ``path`` until the block ends.

    Raises:
        BookError: saying ``otherwise``, if another process holds it; if a link is in the way.
        OSError: if the folder cannot be written to.
    """
    # Beside what it guards: two jobs of one output may have two folders for temporary files.
    file = path.with_name(f".{path.name}.lock")
    if file.is_symlink():
        raise BookError(f"{file} is a symbolic link, but a lock file belongs there: remove it")
    lock = FileLock(file)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BookError(otherwise) from None
    try:
        yield
    finally:
        file.unlink(missing_ok=True)  # another process that holds it open notices, and reopens
        lock.release()
