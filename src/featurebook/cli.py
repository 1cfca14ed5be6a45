"""The ``featurebook`` command."""

import functools
import json
import os
import shutil
import sys
import webbrowser
from collections.abc import Callable, Mapping
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
from featurebook.core.checkpoint import FOLDER as CHECKPOINTS
from featurebook.press import (
    execute,
    freshness,
    grid,
    parameters,
    records,
    results,
    site,
    sweep,
    verify,
)
from featurebook.press.execute import Job, State
from featurebook.press.files import outputs, read_notebook
from featurebook.press.layout import (
    SCALES,
    BookError,
    Chapter,
    chapters,
    find_chapter,
    find_root,
)
from featurebook.verdicts import MARKS, MIME

app = typer.Typer(
    help="A reproducible companion to five documents on how small networks learn features.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console()
err = Console(stderr=True)

ChapterName = Annotated[str, typer.Argument(help="Its name, as in `list`.")]
Files = Annotated[list[Path] | None, typer.Option("-f", "--file", help="YAML of names and values.")]
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
def show(
    chapter: ChapterName,
    json_: Annotated[bool, typer.Option("--json", help="The parameters as a JSON Schema.")] = False,
) -> None:
    """What a chapter reproduces, and its parameters at each scale."""
    found = find_chapter(find_root(), chapter)
    if json_:
        typer.echo(json.dumps(parameters.schema(found), indent=2, ensure_ascii=False))
        return
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
    file: Files = None,
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
        _say_values(jobs[0], parameters.layers(chosen[0], scale, file or [], parameter or []))
    if own:
        _execute(jobs, workers)
        _say_verdicts(jobs[0].output)
    else:
        _refresh(jobs, workers)


@app.command(name="sweep")
@_one_line_errors
def sweep_(
    chapter: ChapterName,
    parameter: Annotated[
        list[str],
        typer.Option("-p", "--parameter", help="NAME=A,B,C or NAME=FIRST..LAST; may be repeated."),
    ],
    zip_: Annotated[bool, typer.Option("--zip", help="Pair values instead of crossing.")] = False,
    file: Files = None,
    scale: Scale = "quick",
    folder: Annotated[Path | None, typer.Option("--out", help="Where results go.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="A running Dask cluster, such as tcp://HOST:8786.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Runs at a time on this machine.", min=1)
    ] = None,
    resume: Annotated[bool, typer.Option(help="Run what is missing or failed.")] = False,
) -> None:
    """Execute a chapter for many parameters; a run that fails does not stop the others."""
    if scheduler and workers:
        raise BookError("--workers is for this machine; a cluster at --scheduler has its own")
    found = find_chapter(find_root(), chapter)
    axes = grid.read_axes(found, parameter)
    points = grid.side_by_side(axes) if zip_ else grid.every_combination(axes)
    values = grid.runs(parameters.final_values(found, scale, file or []), points)
    target = (folder or found.root / "_build" / "sweeps" / found.stem).absolute()
    if not resume and results.read_folder(target):
        raise BookError(f"{target} holds results: --resume goes on with them, --out goes elsewhere")
    runs = sweep.plan(found, values, scale, target)
    same = {k: v for k, v in values[0].items() if all(v == other[k] for other in values)}
    if same:
        out.print(Text(f"{found.stem}: {_listed(same)}"), soft_wrap=True)
    varied = ", ".join(name for name in values[0] if name not in same)
    out.print(Text(f"{len(runs)} runs, varying {varied}, into {os.path.relpath(target)}"))
    count = min(workers or sweep.default_workers(), len(runs))
    with (
        sweep.running_cluster(scheduler) if scheduler else sweep.local_cluster(count) as client,
        Live(console=out, refresh_per_second=4, transient=True) as live,
    ):
        progress = sweep.sweep(runs, target, client, lambda p: live.update(_counts(p)))
    out.print(_counts(progress))
    out.print(Text(f"{os.path.relpath(target / results.TABLE)}"), soft_wrap=True)
    if progress.errors:
        raise execute.ExecutionError("\n".join(progress.errors))


@app.command()
@_one_line_errors
def plot(
    where: Annotated[Path, typer.Argument(help="The folder of a sweep.")],
    x: Annotated[str | None, typer.Argument(help="A parameter.")] = None,
    y: Annotated[str | None, typer.Argument(help="A number, as CLAIM.NAME.")] = None,
    hue: Annotated[str | None, typer.Option(help="A parameter told by colour.")] = None,
    output: Annotated[Path | None, typer.Option("-o", help="An .svg, .png or .pdf.")] = None,
) -> None:
    """Draw a swept number against a parameter; without X and Y, list what there is."""
    table = results.read_table(where)
    if x is None or y is None:
        varying = table.nunique(dropna=False) > 1
        for name in table.columns[varying]:
            out.print(Text(f"{name}  ({table[name].nunique()} values)"))
        return
    figure = results.plot(table, x, y, hue)
    target = output or (where if where.is_dir() else where.parent) / f"{y}-against-{x}.svg"
    try:
        figure.savefig(target)
    except (OSError, ValueError) as error:
        raise BookError(f"cannot write {target}: {error}") from None
    out.print(Text(os.path.relpath(target)), soft_wrap=True)


@app.command(name="verify")
@_one_line_errors
def verify_(
    notebook: Annotated[Path, typer.Argument(help="Made by `run`, `sweep` or `build`.")],
    tolerance: Annotated[
        float, typer.Option(help="Relative difference that still agrees.", min=0)
    ] = 1e-6,
) -> None:
    """Execute a notebook again with its own parameters, and compare number by number."""
    job, before = verify.again(notebook, find_root())
    for part in verify.changed_since(before, job):
        out.print(f"changed since: {part}")
    _execute([job], 1)
    rows = verify.compare(notebook, job.output)
    if not rows:
        raise BookError(f"{notebook} holds no numbers to compare")
    wrong = [row for row in rows if row.difference > tolerance]
    table = Table("what", "before", "now", "relative difference", box=None, pad_edge=False)
    for row in rows:
        words = "equal" if row.difference == 0 else f"{row.difference:.2g}"
        style = "red" if row in wrong else ""
        table.add_row(
            *map(Text, (row.what, _brief(row.before), _brief(row.now), words)), style=style
        )
    out.print(table)
    equal = sum(row.difference == 0 for row in rows)
    said = f"{len(rows) - len(wrong)} of {len(rows)} agree to {tolerance:g}; {equal} are equal"
    if wrong:
        raise execute.ExecutionError(f"{said}. The new notebook: {os.path.relpath(job.output)}")
    out.print(said)


@app.command()
@_one_line_errors
def record(
    chapter: ChapterName,
    parameter: Settings = None,
    file: Files = None,
    scale: Scale = "paper",
) -> None:
    """Make the recorded run of a scale, to show beside the quick one; interrupted, it goes on."""
    found = find_chapter(find_root(), chapter)
    layers = parameters.layers(found, scale, file or [], parameter or [])
    values = parameters.final_values(found, scale, file or [], parameter or [])
    target = found.root / "_build" / "notebooks" / f"{found.stem}.{scale}.record.ipynb"
    job = Job(found, values, scale, target)
    _say_values(job, layers)
    name = f"{found.stem}.{scale}.{results.name_of(freshness.key(found, values))}"
    state = found.root / "_build" / "checkpoints" / name
    resumed = state.is_dir()
    state.mkdir(parents=True, exist_ok=True)
    os.environ[CHECKPOINTS] = str(state)
    _execute([job], 1)
    kept = records.keep(found, target, resumed)
    shutil.rmtree(state)
    out.print(Text(f"recorded in {os.path.relpath(kept)}"), soft_wrap=True)


@app.command()
@_one_line_errors
def build(workers: Workers = 2) -> None:
    """Execute what changed, check every claim, and build the site."""
    root = find_root()
    jobs = [Job(c, parameters.final_values(c), "quick", c.executed) for c in chapters(root)]
    _refresh(jobs, workers)
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


def _refresh(jobs: list[Job], workers: int) -> None:
    """Execute what is out of date; chapters that read the others' results come last."""
    for last in (False, True):
        now = [job for job in jobs if freshness.reads_chapters(job.chapter) == last]
        _execute(_stale(now), workers)


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


def _say_verdicts(notebook: Path) -> None:
    for v in outputs(read_notebook(notebook), MIME):
        line = f"{MARKS[v['outcome']]} {v['outcome']:12} {v['claim']}: {v['measured']}"
        out.print(Text(line), soft_wrap=True)


def _say_values(job: Job, layers: list[tuple[str, dict[str, Any]]]) -> None:
    out.print(Text(f"{job.chapter.stem}: {_listed(job.values)}"), soft_wrap=True)
    for where, names in parameters.origins(layers).items():
        out.print(Text(f"  from {where}: {', '.join(names)}"), soft_wrap=True)


def _listed(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} = {v!r}" for k, v in values.items())


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 32 else f"{line[:30]} …"


def _counts(p: sweep.Progress) -> Table:
    table = Table("done", "running", "failed", "kept", "to do", "time left", box=None)
    left = p.runs - p.kept - p.done - p.failed
    time_left = f"{p.seconds_left:.0f} s" if p.seconds_left is not None else "?"
    table.add_row(*map(str, (p.done, p.running, p.failed, p.kept, left)), time_left)
    return table


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
