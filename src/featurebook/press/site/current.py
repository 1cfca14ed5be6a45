"""The built site, bound anew only where something that it is made of has changed."""

import hashlib
import os
import platform
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

from featurebook.press.book.files import write_atomically
from featurebook.press.run.freshness import PACKAGE

MADE_OF = ("book", "notebooks", "records", "benchmarks", "_config.yml", "_toc.yml", "CITATION.cff")
WRITTEN_BY_THE_BUILD = ("book/_generated", "book/errata")
MARK = "built-of"
"""In ``_build``: what the site was made of, and what was made."""


def site(root: Path) -> Path:
    """The first page of the site, built if it is not there or not of today's chapters and pages.

    Raises:
        BuildError: as `bind.build`.
    """
    mark = root / "_build" / MARK
    if not (mark.is_file() and mark.read_text(encoding="utf-8") == state(root)):
        from featurebook.press.site import bind  # late: it takes longer than the rest

        mark.unlink(missing_ok=True)
        bound = _made_of(root)
        bind.build(root)
        if _made_of(root) == bound:  # else somebody went on writing while the pages were bound
            write_atomically(mark, state(root))
    return root / "_build" / "html" / "index.html"


def state(root: Path) -> str:
    """Checksums of what the site is made of and of the site; empty where there is none."""
    html = root / "_build" / "html"
    if not (html / "index.html").is_file():
        return ""
    made = hashlib.sha256()
    for file in _files(html):
        about = file.stat()
        made.update(f"{file.relative_to(html)} {about.st_size} {about.st_mtime_ns}\n".encode())
    return f"{_made_of(root)} {made.hexdigest()}\n"


def _made_of(root: Path) -> str:
    made_of = hashlib.sha256()
    published = os.environ.get("GITHUB_REPOSITORY", "")  # see `publish.home`
    made_of.update(repr((platform.python_version(), published, _packages())).encode())
    for file in _sources(root):
        made_of.update(
            f"{file.relative_to(file.anchor)}\0".encode()
            + hashlib.sha256(file.read_bytes()).digest()
        )
    return made_of.hexdigest()


def _packages() -> list[tuple[str, str]]:
    return sorted((d.name, d.version) for d in distributions())


def _sources(root: Path) -> Iterator[Path]:
    written = [root / name for name in WRITTEN_BY_THE_BUILD]
    for start in [*(root / name for name in MADE_OF), PACKAGE]:
        for file in [start] if start.is_file() else _files(start):
            # The errata's index is written by hand; the pages beside it are not.
            if file.name == "index.md" or not any(file.is_relative_to(x) for x in written):
                yield file


def _files(folder: Path) -> Iterator[Path]:
    for here, inside, names in os.walk(folder):
        inside[:] = sorted(x for x in inside if x not in ("__pycache__", ".ipynb_checkpoints"))
        yield from (Path(here) / name for name in sorted(names))
