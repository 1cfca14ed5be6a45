from typing import Annotated

import typer
from rich.table import Table

from featurebook.cli.common import Names
from featurebook.press.book.console import out
from featurebook.press.book.places import Chapter, find_all, find_root


def list_(
    names: Names = None,
    stale: Annotated[
        bool, typer.Option("--stale", help="Which chapters a build would execute, and why.")
    ] = False,
    experiments: Annotated[
        bool,
        typer.Option("--experiments", help="How well each printed figure and table is reproduced."),
    ] = False,
) -> None:
    """List the parts and their chapters, and what each covers."""
    if experiments:
        _say_experiments(names)
        return
    table = Table("chapter", "outputs" if stale else "covers", box=None, pad_edge=False)
    for chapter in find_all(find_root(), names):
        table.add_row(chapter.address, _reason(chapter) if stale else chapter.title)
    out.print(table)


def _reason(chapter: Chapter) -> str:
    from featurebook.press.run import freshness, parameters

    key = freshness.key(chapter, parameters.final_values(chapter))
    return freshness.stale_because(chapter.executed, key) or "fresh"


def _say_experiments(names: list[str] | None) -> None:
    """Print every printed figure and table of the named parts with its grade, and the counts."""
    from featurebook.press.claims import grades

    found = []
    for part in dict.fromkeys(c.part for c in find_all(find_root(), names)):
        if part.claims.is_file():
            found += list(grades.of_part(part).values())
    table = Table("claim", "print", "grade", "rate", "why", box=None, pad_edge=False)
    for word in grades.WORDS:
        for g in (g for g in found if g.word == word):
            table.add_row(g.claim.id, g.claim.number, g.word, g.rate, g.why)
    out.print(table)
    out.print(f"{len(found)} figures and tables: {', '.join(grades.in_words(found))}")
