import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from featurebook.cli.common import Scale, Settings
from featurebook.press.book.console import say
from featurebook.press.book.places import BookError, Chapter, FailedError, find_root, papers


def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Ids of claims, such as cone_sets-theorem-1; PART; PART/CHAPTER."),
    ] = None,
    parameter: Settings = None,
    scale: Scale = "quick",
    seeds: Annotated[int, typer.Option(help="Repeat with this many other seeds.", min=0)] = 0,
    json_: Annotated[bool, typer.Option("--json", help="Print the verdicts as JSON.")] = False,
    all_: Annotated[
        bool, typer.Option("--all", help="Check every claim that has a check.")
    ] = False,
    machines: Annotated[
        bool,
        typer.Option(
            "--machines",
            help="Check with other vector units, threads and precisions, and record outcomes.",
        ),
    ] = False,
    python: Annotated[
        Path | None,
        typer.Option(
            help="With --machines: only the interpreter of another environment, for its torch."
        ),
    ] = None,
    longest: Annotated[
        float | None,
        typer.Option(help="Only chapters that took at most this many seconds.", min=0),
    ] = None,
) -> None:
    """Check claims by themselves, without a notebook: the statement, the verdict, the numbers.

    The exit code is 1 if, at the book's parameters, a verdict differs from the book's.
    """
    # As in a chapter: small networks gain nothing from threads, and sums are the same everywhere.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from featurebook.press.claims import asking
    from featurebook.press.run import durations

    root = find_root()
    if bool(names) == all_:
        raise BookError("name claims, chapters or parts, or give --all")
    if python and not machines:
        raise BookError("--python is for --machines: give both")
    questions = asking.find(root, names or [part.name for part in papers(root)])
    if longest is not None:
        questions = [q for q in questions if durations.of(q.chapter) <= longest]
    if machines:
        _on_machines({q.claim.id: q.chapter for q in questions}, python)
        return
    answers = []
    for answer in asking.answer(questions, scale, parameter or [], seeds):
        answers.append(answer)
        if not json_:
            say(answer)
    if json_:
        typer.echo(json.dumps([a.as_dict() for a in answers], indent=1, ensure_ascii=False))
    odd = [a.question.claim.id for a in answers if not a.as_expected]
    if odd and scale == "quick" and not parameter:
        raise FailedError(f"the verdict differs from the book's: {', '.join(odd)}")


def _on_machines(claims: Mapping[str, Chapter], python: Path | None) -> None:
    """Call checks under the settings that the records lack: of the processor, or of a python."""
    from featurebook.press.run import machines

    settings = (
        [machines.of_python(python)] if python else [*machines.of_processor(), machines.DOUBLE]
    )
    plans = machines.plan(claims, settings)
    if not plans:
        say("all machine records are up to date")
    for plan, found in machines.run(plans):
        machines.keep(plan, found)
        part = next(iter(plan.claims.values())).part.name
        say(f"{part}, {plan.setting.name}: {len(found)} claims")
    for chapter in dict.fromkeys(claims.values()):
        for claim, tally in machines.differing(chapter).items():
            say(f"{claim}: {', '.join(tally.outcomes)}")
