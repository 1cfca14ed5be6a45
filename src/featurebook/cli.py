"""The ``featurebook`` command."""

import functools
import os
import sys
import webbrowser
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any

import jupytext
import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from featurebook import images
from featurebook.press import execute, freshness, parameters, site
from featurebook.press.execute import Job, State
from featurebook.press.layout import (
    SCALES,
    BookError,
    Chapter,
    chapters,
    find_chapter,
    find_root,
)

app = typer.Typer(
    help="A reproducible companion to five documents on how small networks learn features.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console()
err = Console(stderr=True)

Scale = Annotated[str, typer.Option(help=f"One of {', '.join(SCALES)}.")]
Settings = Annotated[
    list[str] | None, typer.Option("-p", "--parameter", help="NAME=VALUE; may be repeated.")
]
Workers = Annotated[int, typer.Option(help="Chapters executed at a time.", min=1)]


def _one_line_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Exit code 2 for bad input, 1 for a failed run, 130 for Ctrl-C; never a traceback."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except BookError as error:
            err.print(Text(str(error), style="red"), soft_wrap=True)
            raise typer.Exit(2) from None
        except (execute.ExecutionError, site.BuildError, images.DataError) as error:
            err.print(Text(str(error), style="red"), soft_wrap=True)
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            err.print("interrupted; what was finished is kept")
            raise typer.Exit(130) from None

    return wrapped


@app.command(name="list")
@_one_line_errors
def list_() -> None:
    """The chapters, what each covers, and whether its outputs are fresh."""
    root = find_root()
    table = Table("chapter", "covers", "outputs", box=None, pad_edge=False)
    for chapter in chapters(root):
        stale = freshness.stale_because(chapter.executed, _key(chapter))
        table.add_row(chapter.stem, _title(chapter), stale or "fresh")
    out.print(table)


@app.command()
@_one_line_errors
def show(chapter: Annotated[str, typer.Argument(help="Its name, as in `list`.")]) -> None:
    """What a chapter reproduces, and its parameters at each scale."""
    found = find_chapter(find_root(), chapter)
    out.print(Text(f"{found.stem}: {_title(found)}", style="bold"))
    out.print(_covers(found))
    knobs = parameters.Knobs(found)
    table = Table("parameter", "meaning", "type", "range", *SCALES, box=None, pad_edge=False)
    for row in knobs.rows():
        table.add_row(*map(Text, row))
    out.print(table)
    out.print(f"\nRerun: featurebook run {found.stem} -p NAME=VALUE ... -o OUT.ipynb")


@app.command()
@_one_line_errors
def run(
    chapter: Annotated[list[str] | None, typer.Argument(help="All by default.")] = None,
    parameter: Settings = None,
    file: Annotated[
        list[Path] | None, typer.Option("-f", "--file", help="YAML of names and values.")
    ] = None,
    scale: Scale = "quick",
    output: Annotated[Path | None, typer.Option("-o", help="The executed notebook.")] = None,
    workers: Workers = 2,
) -> None:
    """Execute chapters; unchanged ones are kept. With -p, -f or -o one chapter, executed anew."""
    root = find_root()
    chosen = [find_chapter(root, c) for c in chapter] if chapter else chapters(root)
    own = bool(parameter or file or output)
    if own and len(chosen) != 1:
        raise BookError("-p, -f and -o go with exactly one chapter")
    jobs = []
    for c in chosen:
        values = parameters.final_values(c, scale, file or [], parameter or [])
        target = output or (_own_output(root, c) if own else c.executed_at(scale))
        jobs.append(Job(c, values, scale, target))
    if own:
        shown = ", ".join(f"{k} = {v!r}" for k, v in jobs[0].values.items())
        out.print(Text(f"{chosen[0].stem}: {shown}"), soft_wrap=True)
    _execute(jobs if own else _stale(jobs), workers)


@app.command()
@_one_line_errors
def build(workers: Workers = 2) -> None:
    """Execute what changed, check every claim, and build the site."""
    root = find_root()
    jobs = [Job(c, parameters.final_values(c), "quick", c.executed) for c in chapters(root)]
    _execute(_stale(jobs), workers)
    with out.status("building the site"):
        first = site.build(root)
    out.print(f"The book is at [link={first.as_uri()}]{first.as_uri()}[/link]", soft_wrap=True)


@app.command()
@_one_line_errors
def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free one.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the page.")] = True,
) -> None:
    """Serve the built site to this machine only, and open it."""
    first = site.index(find_root())
    if not first.is_file():
        raise BookError("the site is not built yet: featurebook build")
    handler = partial(SimpleHTTPRequestHandler, directory=str(first.parent))
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise BookError(f"port {port}: {error.strerror}; try --port 0") from None
    address = f"http://127.0.0.1:{server.server_port}/"
    out.print(f"{address} (Ctrl-C stops)")
    if browser:
        webbrowser.open(address)
    server.serve_forever()


@app.command()
@_one_line_errors
def data() -> None:
    """Fetch and verify the real images, and say where they are."""
    out.print(f"folder: {images.folder()} ({_whose_folder()})", soft_wrap=True)
    failed = False
    for load in (images.mnist, images.cifar10):
        for split in ("test", "train"):
            try:
                found = load(split)
                out.print(f"{found.source}: {len(found):,}, {', '.join(found.files)}")
            except images.DataError as error:
                failed = True
                err.print(Text(str(error), style="red"), soft_wrap=True)
    if failed:
        raise typer.Exit(1)


def _whose_folder() -> str:
    if images.DATA_VARIABLE in os.environ:
        return f"from {images.DATA_VARIABLE}"
    return f"the default; set {images.DATA_VARIABLE} to use your own"


def _key(chapter: Chapter) -> freshness.Key:
    return freshness.key(chapter, parameters.final_values(chapter))


def _own_output(root: Path, chapter: Chapter) -> Path:
    return root / "_build" / "notebooks" / f"{chapter.stem}.own.ipynb"


def _stale(jobs: list[Job]) -> list[Job]:
    """The jobs whose outputs are missing or out of date; says why."""
    stale = []
    for job in jobs:
        reason = freshness.stale_because(job.output, freshness.key(job.chapter, job.values))
        out.print(f"{job.chapter.stem} ({job.scale}): {reason or 'unchanged, kept'}")
        if reason:
            stale.append(job)
    return stale


def _execute(jobs: list[Job], workers: int) -> None:
    if not jobs:
        return
    with Live(console=out, refresh_per_second=4, transient=True) as live:
        states = execute.execute_all(jobs, workers, lambda s: live.update(_progress(s)))
    for state in states:
        if state.status == "done":
            where = os.path.relpath(state.job.output)
            out.print(
                Text(f"{state.job.chapter.stem}: {state.seconds:.0f} s, {where}"), soft_wrap=True
            )
    failed = [s for s in states if s.status == "failed"]
    if failed:
        raise execute.ExecutionError("\n".join(s.error for s in failed))


def _progress(states: list[State]) -> Group:
    lines = []
    for s in states:
        cell = f"cell {s.cell}/{s.cells}  {s.title}" if s.cells else ""
        line = f"{s.job.chapter.stem:24} {s.status:8} {s.seconds:5.0f} s  {cell}  {s.training}"
        lines.append(Text(line, no_wrap=True, overflow="ellipsis"))
    return Group(*lines)


def _markdown(chapter: Chapter) -> list[str]:
    cells = jupytext.read(chapter.notebook).cells
    return [line for c in cells if c.cell_type == "markdown" for line in c.source.splitlines()]


def _title(chapter: Chapter) -> str:
    if not chapter.notebook.is_file():
        raise BookError(f"{chapter.notebook} is missing, though _toc.yml names it")
    return next((x[2:].strip() for x in _markdown(chapter) if x.startswith("# ")), "")


def _covers(chapter: Chapter) -> str:
    return "\n".join(f"  {x[3:].strip()}" for x in _markdown(chapter) if x.startswith("## "))


def main() -> None:
    """Entry point."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
