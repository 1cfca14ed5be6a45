import os
from typing import Annotated

import typer

from featurebook.press.book.console import say
from featurebook.press.book.places import find_root


def new(
    name: Annotated[str, typer.Argument(help="Lower-case letters, digits and _, such as walks.")],
) -> None:
    """Make a new part of the book to start from: story, chapter, claims, checks, figure, tests."""
    from featurebook.press.book.new import create

    for path in create(find_root(), name):
        say(os.path.relpath(path))
    say(f"also in _toc.yml and book/references.bib; now: featurebook run {name}")
