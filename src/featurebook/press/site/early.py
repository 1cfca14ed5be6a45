"""A page to read while a new book is computed: its first story, by itself."""

import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree

import yaml

from featurebook.press.book.console import say
from featurebook.press.book.places import Chapter
from featurebook.press.book.processes import end_with_children
from featurebook.press.run import parameters, refresh
from featurebook.press.run.job import ExecutionError, Job
from featurebook.press.site import bind
from featurebook.press.site.source import gather

WORTH_IT = 8
"""With at least this many chapters to execute, a reader gets a first page meanwhile."""
BANNER = "Here is one story to read while the rest is computed; its links work once that is done."


@contextmanager
def story(chosen: Sequence[Chapter]) -> Iterator[None]:
    """While the body computes a book that has no site yet, offer the first of the chosen stories.

    It is executed before the others, its page is built separately, and its address printed once
    there is something to read. When the body ends, this page is removed, as the site has it. What
    fails here is left to the body, whose errors say more.
    """
    lacking = [c for c in chosen if not c.executed.is_file()]
    if len(lacking) < WORTH_IT or bind.index(chosen[0].root).is_file():
        yield
        return
    first = chosen[0]
    folder = first.root / "_build" / "early"
    try:
        job = Job(first, parameters.final_values(first), "quick", first.executed)
        refresh.refresh([job], 1)
        binding = _begin(first, folder)
    except ExecutionError:
        yield
        return
    try:
        yield
    finally:
        end_with_children(binding.pid)
        rmtree(folder, ignore_errors=True)


def _begin(chapter: Chapter, folder: Path) -> subprocess.Popen[bytes]:
    """Start building the page; a thread prints its address when it exists."""
    rmtree(folder, ignore_errors=True)
    folder.mkdir()
    source = gather(chapter.root).rename(folder / "source")
    toc = folder / "toc.yml"  # beside the book's own, from which claims and chapters are read
    toc.write_text(yaml.safe_dump(contents(chapter)), encoding="utf-8")
    _replace(source / "_config.yml", configuration(chapter.root))
    binding = subprocess.Popen(
        [*bind.jupyter_book(source, folder), "--toc", str(toc)],
        cwd=chapter.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    page = folder / "_build" / "html" / chapter.page
    threading.Thread(target=_announce, args=(binding, page), daemon=True).start()
    return binding


def _replace(link: Path, content: object) -> None:
    link.unlink()
    link.write_text(yaml.safe_dump(content), encoding="utf-8")


def contents(chapter: Chapter) -> dict[str, object]:
    """A table of contents of one chapter, and of the works that it cites."""
    page = f"notebooks/{chapter.address}"
    return {"format": "jb-book", "root": page, "chapters": [{"file": "book/references"}]}


def configuration(root: Path) -> dict[str, object]:
    """The book's configuration, with a banner above each page."""
    found = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    found["sphinx"]["config"]["html_theme_options"]["announcement"] = BANNER
    return dict(found)


def _announce(binding: subprocess.Popen[bytes], page: Path) -> None:
    binding.wait()
    if page.is_file():
        say(f"Meanwhile, you can read {page.as_uri()}")
