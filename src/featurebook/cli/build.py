"""``featurebook build``."""

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from featurebook.cli.common import Names, Workers
from featurebook.press.book.console import out, say
from featurebook.press.book.places import BookError, find_all, find_root
from featurebook.press.run import refresh


def build(
    names: Names = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="The book as a PDF, by TeX.")] = False,
    workers: Workers = 2,
) -> None:
    """Execute what changed, all or of the named chapters; check every claim; build the site."""
    if pdf and names:
        raise BookError("--pdf sets the whole book: name no chapter")
    if pdf:
        _build_pdf(workers)
        return
    from featurebook.press.site import current

    root = find_root()
    with _alone_in(root):
        before = current.written(root)
        if not names and current.unchanged(root):
            say("nothing has changed since the last build")
        else:
            refresh.refresh(refresh.quick(find_all(root, names)), workers)
        with out.status("building the site"):
            first = current.site(root)
        if not names and current.written(root) == before:  # nobody wrote meanwhile
            current.is_whole(root)
    _say_site(first, root)


def _build_pdf(workers: int) -> None:
    from featurebook.press.pdf import typeset

    typeset.require()
    root = find_root()
    with _alone_in(root):
        refresh.refresh(refresh.quick(find_all(root, None)), workers)
        say(os.path.relpath(typeset.build(root)))


def _alone_in(root: Path) -> AbstractContextManager[None]:
    """One build at a time in a clone, since all of them write into ``_build``."""
    from featurebook.press.book.files import alone

    return alone(root / "_build", f"another build is at work in {root}: wait for it")


def _say_site(first: Path, root: Path) -> None:
    """Where the book is; in the same line what it was made without."""
    from featurebook.press.run import pictures

    said = Text.assemble("The book is at ", (first.as_uri(), f"link {first.as_uri()}"))
    if lacking := pictures.stand_ins(root):
        said.append(f", {lacking}", style="red")
    out.print(said, soft_wrap=True)
