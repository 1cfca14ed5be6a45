from pathlib import Path
from typing import Annotated

import typer

from featurebook.cli.common import Files, Names, Scale, Settings, Workers
from featurebook.press.book.console import say
from featurebook.press.book.places import BookError, find_all, find_root
from featurebook.press.run import refresh
from featurebook.press.run.job import Job, refuse_place


def run(
    names: Names = None,
    parameter: Settings = None,
    file: Files = None,
    scale: Scale = "quick",
    output: Annotated[
        Path | None, typer.Option("-o", help="File for the executed notebook of one chapter.")
    ] = None,
    workers: Workers = 2,
) -> None:
    """Execute chapters; unchanged ones are kept. With -p, -f or -o they are executed again.

    Parameters given for a part go to those of its chapters that have them. Executed notebooks are
    in _build/notebooks; with -p or -f, and without -o, they are called CHAPTER.own.ipynb.
    """
    from featurebook.press.run import parameters

    chosen = find_all(find_root(), names)
    own = bool(parameter or file or output)
    if own and len({c.part for c in chosen}) != 1:
        raise BookError("-p, -f and -o need exactly one part or chapter")
    if output:
        refuse_place(output, chosen)
    parameters.refuse_unused(chosen, parameter or [])
    jobs = []
    for c in chosen:
        values = parameters.final_values(c, scale, file or [], parameter or [])
        if not own:
            jobs.append(Job(c, values, scale, c.executed_at(scale)))
            continue
        layers = parameters.layers(c, scale, file or [], parameter or [])
        if len(chosen) == 1 or any(names for _, names in layers[2:]):
            jobs.append(Job(c, values, scale, output or c.built("own")))
            for line in parameters.in_words(c, scale, file or [], parameter or []):
                say(line)
    if not own:
        refresh.refresh(jobs, workers)
        return
    from featurebook.press.book.files import outputs, read_notebook
    from featurebook.press.run import durations
    from featurebook.verdicts import MARKS, MIME

    refresh.execute(durations.longest_first(jobs), workers)
    for job in jobs:
        for v in outputs(read_notebook(job.output), MIME):
            say(f"{MARKS[v['outcome']]} {v['outcome']:12} {v['claim']}: {v['measured']}")
