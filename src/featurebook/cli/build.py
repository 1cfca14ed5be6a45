from typing import Annotated

import typer

from featurebook.cli.common import Names, Workers
from featurebook.press.book.places import BookError, find_all, find_root


def build(
    names: Names = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Make a PDF with TeX instead.")] = False,
    workers: Workers = 2,
) -> None:
    """Execute the chapters that changed, check every claim, and build the site in _build/html.

    With names, only these chapters are executed; the site shows the others as they are.
    """
    from featurebook.press.book.files import alone

    if pdf and names:
        raise BookError("--pdf typesets the whole book: do not name chapters")
    root = find_root()
    chosen = find_all(root, names)
    with alone(root / "_build", f"another build is running in {root}: wait for it"):
        if pdf:
            from featurebook.press.pdf import typeset

            typeset.renew(chosen, workers)
        else:
            from featurebook.press.site import build_cache

            build_cache.renew(chosen, workers)
