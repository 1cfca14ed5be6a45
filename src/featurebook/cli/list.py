from typing import Annotated

import typer
from rich.table import Table

from featurebook.cli.common import Names
from featurebook.press.book.console import out
from featurebook.press.book.places import Chapter, find_all, find_root


def list_(
    names: Names = None,
    stale: Annotated[bool, typer.Option(help="What a build would execute, and why.")] = False,
) -> None:
    """The parts and their chapters, and what each covers."""
    table = Table("chapter", "outputs" if stale else "covers", box=None, pad_edge=False)
    for chapter in find_all(find_root(), names):
        table.add_row(chapter.address, _reason(chapter) if stale else chapter.title)
    out.print(table)


def _reason(chapter: Chapter) -> str:
    from featurebook.press.run import freshness, parameters

    key = freshness.key(chapter, parameters.final_values(chapter))
    return freshness.stale_because(chapter.executed, key) or "fresh"
