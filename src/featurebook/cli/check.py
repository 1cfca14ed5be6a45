import json
import os
from typing import Annotated

import typer

from featurebook.cli.common import Scale, Settings
from featurebook.press.book.console import say
from featurebook.press.book.places import FailedError, find_root


def check(
    names: Annotated[
        list[str], typer.Argument(help="Ids of claims; PART/CHAPTER or PART for all of theirs.")
    ],
    parameter: Settings = None,
    scale: Scale = "quick",
    seeds: Annotated[int, typer.Option(help="Repeat with so many other seeds.", min=0)] = 0,
    json_: Annotated[bool, typer.Option("--json", help="The verdicts as JSON.")] = False,
) -> None:
    """Check claims by themselves, without a notebook: the statement, the verdict, the numbers.

    Exits with 1 if a verdict differs from the book's, at the book's parameters.
    """
    # As in a chapter: small networks gain nothing from threads, and sums are the same everywhere.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from featurebook.press.claims import asking

    questions = asking.find(find_root(), names)
    answers = []
    for answer in asking.answer(questions, scale, parameter or [], seeds):
        answers.append(answer)
        if not json_:
            say(answer)
    if json_:
        typer.echo(json.dumps([a.as_dict() for a in answers], indent=1, ensure_ascii=False))
    odd = [a.question.claim.id for a in answers if not a.as_expected]
    if odd and scale == "quick" and not parameter:
        raise FailedError(f"not as the book says: {', '.join(odd)}")
