from typing import Annotated

import typer

from featurebook.cli.common import Names, Workers
from featurebook.press.book.console import say
from featurebook.press.book.places import find_all, find_root
from featurebook.press.book.processes import in_processes


def seeds(
    names: Names = None,
    count: Annotated[int | None, typer.Option(help="Seeds of a chapter.", min=2)] = None,
    workers: Workers = 2,
) -> None:
    """Call the checks that need a seed with other seeds, and record the outcome of each.

    What the record has by the present code is not computed again.
    """
    from featurebook.press.run import seeds as seeding

    chapters = find_all(find_root(), names)
    for said in filter(None, map(seeding.mend, chapters)):
        say(said)
    plans = [p for c in chapters for p in seeding.plan(c, count)]
    if not plans:
        say("every record of seeds is of the present code")
    for plan, found in in_processes(seeding.run, plans, workers):
        seeding.keep(plan, found)
        say(f"{plan.chapter.address}, seed {plan.seed}: {len(found)} claims")
    for chapter in dict.fromkeys(p.chapter for p in plans):
        for claim, tally in seeding.differing(chapter).items():
            say(f"{claim}: {', '.join(tally.outcomes)}")
