from pathlib import Path
from typing import Annotated

import typer

from featurebook.cli.common import Files, Scale
from featurebook.press.book.console import say
from featurebook.press.book.places import BookError, find, find_root
from featurebook.press.run import refresh


def sweep(
    name: Annotated[str, typer.Argument(help="PART or PART/CHAPTER, as in `featurebook list`.")],
    parameter: Annotated[
        list[str],
        typer.Option("-p", "--parameter", help="NAME=A,B,C or NAME=FIRST..LAST; may be repeated."),
    ],
    zip_: Annotated[
        bool, typer.Option("--zip", help="Pair values instead of combining all.")
    ] = False,
    file: Files = None,
    scale: Scale = "quick",
    folder: Annotated[
        Path | None, typer.Option("--out", help="Folder of results, by default in _build.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Use a running Dask cluster, such as tcp://HOST:8786.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Runs at the same time on this machine.", min=1)
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Run only what is missing, failed or outdated.")
    ] = False,
) -> None:
    """Execute chapters for many values of parameters, and collect the results in a table.

    A run that fails does not stop the others.
    """
    from featurebook.press.run import grid, results

    try:
        from featurebook.press.run import sweep as sweeping
    except ValueError as error:  # Dask reads a user's files for it as soon as it is imported
        raise BookError(" ".join(str(error).split())) from None
    if scheduler and workers:
        raise BookError(
            "--workers is for this machine; the cluster at --scheduler has its own workers"
        )
    found = find(find_root(), name)
    axes = grid.read_axes(found[0].part, parameter)
    chosen = grid.side_by_side(axes) if zip_ else grid.every_combination(axes)
    target = (folder or found[0].root / "_build" / "sweeps" / name).absolute()
    if not resume and results.read_folder(target):
        raise BookError(f"{target} holds results: --resume continues them, --out writes elsewhere")
    refresh.refuse_few_files(refresh.OF_A_SWEEP)
    refresh.have_images(found)
    runs: list[sweeping.Run] = []
    for chapter in found:
        if values := grid.of_chapter(chapter, scale, file or [], chosen):
            say(f"{chapter.address}: {grid.in_words(values)}")
            runs += sweeping.plan(chapter, values, scale, target)
    if not runs:
        raise BookError(f"{name} has none of the parameters {', '.join(axes)}")
    sweeping.sweep_on(scheduler, workers, runs, target)
