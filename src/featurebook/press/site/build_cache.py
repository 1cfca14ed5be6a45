"""The built site, rebuilt only where one of its inputs has changed."""

import hashlib
import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import distributions
from pathlib import Path

from rich.text import Text

from featurebook import images
from featurebook.press.book.console import out, say
from featurebook.press.book.files import write_atomically
from featurebook.press.book.places import Chapter, chapters
from featurebook.press.run import pictures, refresh
from featurebook.press.run.imports import PACKAGE
from featurebook.press.site.source import PAGES

WRITTEN_BY_THE_BUILD = ("book/_generated", "book/errata")
MARK = "built-of"
"""In ``_build``: checksums of the site's inputs and of the site."""
WHOLE = "built-whole"
"""In ``_build``: the same with the images, from a time when every chapter was up to date."""


def renew(chosen: Sequence[Chapter], workers: int) -> None:
    """Execute the chosen chapters that are out of date, build the site, and say where it is.

    Raises:
        BookError, ExecutionError, BuildError: as `refresh.quick`, `refresh.refresh`, `bind.build`.
    """
    root = chosen[0].root
    whole, before = list(chosen) == chapters(root), written(root)
    if whole and unchanged(root):
        say("nothing has changed since the last build")
    else:
        from featurebook.press.site import early  # late: it takes longer than the rest

        jobs = refresh.quick(chosen)
        with early.story(chosen if whole else []):
            refresh.refresh(jobs, workers)
    with out.status("building the site"):
        first = site(root)
    if whole and written(root) == before:  # nobody wrote meanwhile
        is_whole(root)
    place = Text.assemble("The book is at ", (first.as_uri(), f"link {first.as_uri()}"))
    if lacking := pictures.stand_ins(root):
        place.append(f", {lacking}", style="red")
    out.print(place, soft_wrap=True)


def unchanged(root: Path) -> bool:
    """Whether nothing has changed since all was up to date, so that a build has nothing to do."""
    mark = root / "_build" / WHOLE
    return mark.is_file() and mark.read_text(encoding="utf-8") == _whole(root)


def is_whole(root: Path) -> None:
    """Record that every chapter is up to date and the site is made from them."""
    write_atomically(root / "_build" / WHOLE, _whole(root))


def _whole(root: Path) -> str:
    return f"{_made_of(root)} {_made(root)} {sorted(images.fingerprint().items())}\n"


def site(root: Path) -> Path:
    """The first page of the site, which is built if it is missing or out of date.

    Raises:
        BuildError: as `bind.build`.
    """
    mark, made_of = root / "_build" / MARK, _made_of(root)
    if not (mark.is_file() and mark.read_text(encoding="utf-8") == f"{made_of} {_made(root)}\n"):
        from featurebook.press.site import bind  # late: it takes longer than the rest

        mark.unlink(missing_ok=True)
        bind.build(root)
        write_atomically(mark, f"{made_of} {_made(root)}\n")
    return root / "_build" / "html" / "index.html"


def written(root: Path) -> str:
    """A checksum of the handwritten inputs: all but executed notebooks."""
    return _checksum(file for file in _sources(root) if file.suffix != ".ipynb")


def _made_of(root: Path) -> str:
    published = os.environ.get("GITHUB_REPOSITORY", "")  # see `publish.home`
    about = hashlib.sha256(repr((platform.python_version(), published, _packages())).encode())
    return f"{about.hexdigest()} {_checksum(_sources(root))}"


def _checksum(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for file in files:
        content = hashlib.sha256(file.read_bytes()).digest()
        found.update(f"{file.relative_to(file.anchor)}\0".encode() + content)
    return found.hexdigest()


def _made(root: Path) -> str:
    """A checksum of the site's names, sizes and times; empty where there is none."""
    html = root / "_build" / "html"
    if not (html / "index.html").is_file():
        return ""
    found = hashlib.sha256()
    for file in _files(html):
        about = file.stat()
        found.update(f"{file.relative_to(html)} {about.st_size} {about.st_mtime_ns}\n".encode())
    return found.hexdigest()


def _packages() -> list[tuple[str, str]]:
    return sorted((d.name, d.version) for d in distributions())


def _sources(root: Path) -> Iterator[Path]:
    written = [root / name for name in WRITTEN_BY_THE_BUILD]
    for start in [*(root / name for name in (*PAGES, "notebooks")), PACKAGE]:
        for file in [start] if start.is_file() else _files(start):
            # The errata's index is written by hand; the pages beside it are not.
            theirs = file.suffix == ".ipynb" or any(file.is_relative_to(x) for x in written)
            if file.name == "index.md" or not theirs:
                yield file
    yield from (c.executed for c in chapters(root) if c.executed.is_file())


def _files(folder: Path) -> Iterator[Path]:
    for here, inside, names in os.walk(folder):
        inside[:] = sorted(x for x in inside if x not in ("__pycache__", ".ipynb_checkpoints"))
        yield from (Path(here) / name for name in sorted(names))
