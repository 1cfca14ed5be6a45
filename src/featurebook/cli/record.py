from typing import Annotated

import typer

from featurebook.cli.common import Files, Names, Scale, Settings
from featurebook.press.book.console import say
from featurebook.press.book.places import BookError, find_all, find_root


def record(
    names: Names = None,
    parameter: Settings = None,
    file: Files = None,
    scale: Scale = "paper",
    budget: Annotated[
        str | None, typer.Option(help="Record what is missing for at most this long: 8min, 2h.")
    ] = None,
    seeds: Annotated[
        int,
        typer.Option(help="Judge experiments and what varies with the seed by this many.", min=1),
    ] = 1,
    changes: Annotated[
        bool,
        typer.Option("--changes", help="Instead, add new and changed errata to the changelog."),
    ] = False,
) -> None:
    """Run what takes too long for a build, and keep the results in records/.

    Name chapters, or give a --budget. After an interruption the same command continues.
    With --budget it makes the runs of the named chapters, or of all, that are missing or outdated,
    the cheapest first and those of unknown cost last. With --changes it brings
    book/changes.yaml up to date instead.
    """
    from featurebook.press.claims.changes import renew
    from featurebook.press.claims.printed_sizes import rated
    from featurebook.press.run import parameters, record, recording

    if changes:
        for change in renew(find_root()):
            say(f"{change.claim}: {change.what}")
        return
    if budget is None and not names:
        raise BookError("name a PART or PART/CHAPTER, or give a --budget, such as 2h")
    found = find_all(find_root(), names)
    parameters.refuse_unused(found, parameter or [])
    often = rated(found)
    if budget is None:
        for chapter in found:
            record.record(chapter, scale, file or [], parameter or [], often, seeds)
        return
    seconds = recording.seconds_of(budget)
    planned = recording.plan(found, scale, parameter or [], often, seeds)
    for p in planned:
        say(f"{p.chapter.address}: {p.words}")
    if not planned:
        say("all recorded runs of this scale are up to date")
    for p, ended in recording.run(planned, scale, seconds, parameter or [], seeds):
        say(f"{p.chapter.address}: {ended}")
