from typing import Annotated

import typer

from featurebook.cli.common import Names, Workers
from featurebook.press.book.places import BookError, find_all, find_root


def build(
    names: Names = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="The whole book as a PDF, by TeX.")] = False,
    workers: Workers = 2,
) -> None:
    """Execute what changed, all or of the named chapters; check every claim; build the site."""
    from featurebook.press.book.files import alone

    if pdf and names:
        raise BookError("--pdf sets the whole book: name no chapter")
    root = find_root()
    chosen = find_all(root, names)
    with alone(root / "_build", f"another build is at work in {root}: wait for it"):
        if pdf:
            from featurebook.press.pdf import typeset

            typeset.renew(chosen, workers)
        else:
            from featurebook.press.site import build_cache

            build_cache.renew(chosen, workers)
