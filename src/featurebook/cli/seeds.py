from typing import Annotated

import typer

from featurebook.cli.common import Names, Workers
from featurebook.press.book.console import say
from featurebook.press.book.places import find_all, find_root
from featurebook.press.book.processes import in_processes


def seeds(
    names: Names = None,
    count: Annotated[
        int | None, typer.Option(help="Seeds per chapter; 16 or 8 by default.", min=2)
    ] = None,
    workers: Workers = 2,
) -> None:
    """Repeat the checks that draw random numbers with other seeds, and record each outcome.

    The record is in records/PART/seeds; outcomes in it that are up to date are kept. A chapter that
    takes longer than 20 seconds gets 8 seeds, any other 16.
    """
    from featurebook.press.run import seeds as seeding

    chapters = find_all(find_root(), names)
    for said in filter(None, map(seeding.mend, chapters)):
        say(said)
    plans = [p for c in chapters for p in seeding.plan(c, count)]
    if not plans:
        say("all seed records are up to date")
    for plan, found in in_processes(seeding.run, plans, workers):
        seeding.keep(plan, found)
        say(f"{plan.chapter.address}, seed {plan.seed}: {len(found)} claims")
    for chapter in dict.fromkeys(p.chapter for p in plans):
        for claim, tally in seeding.record(chapter).differing().items():
            say(f"{claim}: {', '.join(tally.outcomes)}")
