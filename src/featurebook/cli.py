"""The ``featurebook`` command; what it needs is imported late, so that it answers at once."""

import json
import math
import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live
from rich.table import Table
from rich.text import Text

from featurebook import terminal
from featurebook.press.book.places import SCALES, BookError, Chapter, find, find_all, find_root
from featurebook.press.run.job import ExecutionError, Job, refuse_place
from featurebook.terminal import out

app = typer.Typer(
    help="A reproducible companion to five documents on how small networks learn features.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Name = Annotated[str, typer.Argument(help="PART or PART/CHAPTER, as in `list`.")]
Files = Annotated[list[Path] | None, typer.Option("-f", "--file", help="YAML of names and values.")]
Scale = Annotated[str, typer.Option(help=f"One of {', '.join(SCALES)}.")]
Settings = Annotated[
    list[str] | None, typer.Option("-p", "--parameter", help="NAME=VALUE; may be repeated.")
]
Names = Annotated[list[str] | None, typer.Argument(help="PART or PART/CHAPTER; all by default.")]
Workers = Annotated[int, typer.Option(help="Chapters executed at a time.", min=1)]


@app.command(name="list")
@terminal.one_line_errors
def list_(names: Names = None) -> None:
    """The parts and their chapters, and what each covers."""
    table = Table("chapter", "covers", box=None, pad_edge=False)
    for chapter in find_all(find_root(), names):
        table.add_row(chapter.address, terminal.title(chapter))
    out.print(table)


@app.command()
@terminal.one_line_errors
def stale(names: Names = None) -> None:
    """Which chapters `run` and `build` would execute, and why."""
    from featurebook.press.run import freshness, parameters

    root = find_root()
    table = Table("chapter", "outputs", box=None, pad_edge=False)
    for chapter in find_all(root, names):
        key = freshness.key(chapter, parameters.final_values(chapter))
        reason = freshness.stale_because(chapter.executed, key)
        table.add_row(chapter.address, reason or "fresh")
    out.print(table)


@app.command()
@terminal.one_line_errors
def show(
    name: Name,
    json_: Annotated[bool, typer.Option("--json", help="The parameters as a JSON Schema.")] = False,
) -> None:
    """What a part or chapter reproduces, its parameters at each scale, and their conditions."""
    from featurebook.press.run import parameters

    found = find(find_root(), name)
    if json_:
        schemas = {c.address: parameters.schema(c) for c in found}
        shown = schemas if len(found) > 1 else schemas[found[0].address]
        typer.echo(json.dumps(shown, indent=2, ensure_ascii=False))
        return
    for chapter in found:
        terminal.say_chapter(chapter)
    out.print(f"Rerun: featurebook run {name} -p NAME=VALUE ...", soft_wrap=True)


@app.command()
@terminal.one_line_errors
def run(
    names: Names = None,
    parameter: Settings = None,
    file: Files = None,
    scale: Scale = "quick",
    output: Annotated[Path | None, typer.Option("-o", help="The executed notebook.")] = None,
    workers: Workers = 2,
) -> None:
    """Execute chapters; unchanged ones are kept. With -p, -f or -o they are executed again.

    Of the parameters given for a part, each chapter gets those that it has.
    """
    from featurebook.press.run import parameters

    root = find_root()
    chosen = find_all(root, names)
    own = bool(parameter or file or output)
    if own and len({c.part for c in chosen}) != 1:
        raise BookError("-p, -f and -o go with one part or chapter")
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
            terminal.say_values(jobs[-1], layers)
    if not own:
        terminal.refresh(jobs, workers)
        return
    terminal.execute(terminal.longest_first(jobs), workers)
    for job in jobs:
        terminal.say_verdicts(job.output)


@app.command()
@terminal.one_line_errors
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
            terminal.say_answer(answer)
    if json_:
        typer.echo(json.dumps([a.as_dict() for a in answers], indent=1, ensure_ascii=False))
    if scale == "quick" and not parameter and (odd := [a for a in answers if not a.as_expected]):
        raise ExecutionError("not as the book says: " + ", ".join(a.question.claim.id for a in odd))


@app.command()
@terminal.one_line_errors
def impact(claim: Annotated[str, typer.Argument(help="The id of a claim.")]) -> None:
    """What falls with a claim: what depends on it, and what the same experiments judge."""
    from featurebook.press.claims import asking

    terminal.say_impact(asking.impact(find_root(), claim))


@app.command()
@terminal.one_line_errors
def sweep(
    name: Name,
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
    """Execute chapters for many parameters; a run that fails does not stop the others."""
    from featurebook.press.run import points, results

    try:
        from featurebook.press.run import sweep as sweeping
    except ValueError as error:  # Dask reads a user's files for it as soon as it is imported
        raise BookError(" ".join(str(error).split())) from None
    if scheduler and workers:
        raise BookError("--workers is for this machine; a cluster at --scheduler has its own")
    found = find(find_root(), name)
    axes = points.read_axes(found[0].part, parameter)
    chosen = points.side_by_side(axes) if zip_ else points.every_combination(axes)
    target = (folder or found[0].root / "_build" / "sweeps" / name).absolute()
    if not resume and results.read_folder(target):
        raise BookError(f"{target} holds results: --resume goes on with them, --out goes elsewhere")
    terminal.have_images(found)
    runs: list[sweeping.Run] = []
    for chapter in found:
        if values := points.of_chapter(chapter, scale, file or [], chosen):
            terminal.say_points(chapter, values)
            runs += sweeping.plan(chapter, values, scale, target)
    if not runs:
        raise BookError(f"{name} has none of the parameters {', '.join(axes)}")
    out.print(Text(f"{len(runs)} runs, into {os.path.relpath(target)}"), soft_wrap=True)
    count = min(workers or sweeping.default_workers(), len(runs))
    here = sweeping.local_cluster(count)
    with (
        sweeping.running_cluster(scheduler) if scheduler else here as client,
        Live(console=out, refresh_per_second=4, transient=True) as live,
    ):
        progress = sweeping.sweep(runs, target, client, lambda p: live.update(terminal.counts(p)))
    out.print(terminal.counts(progress))
    out.print(Text(f"{os.path.relpath(target / results.TABLE)}"), soft_wrap=True)
    if progress.errors:
        raise ExecutionError("\n".join(progress.errors))


@app.command()
@terminal.one_line_errors
def plot(
    where: Annotated[Path, typer.Argument(help="The folder of a sweep.")],
    x: Annotated[str | None, typer.Argument(help="A parameter.")] = None,
    y: Annotated[str | None, typer.Argument(help="A number, as CLAIM.NAME.")] = None,
    hue: Annotated[str | None, typer.Option(help="A parameter told by colour.")] = None,
    output: Annotated[Path | None, typer.Option("-o", help="An .svg, .png or .pdf.")] = None,
) -> None:
    """Draw a swept number against a parameter; without X and Y, list what there is."""
    from featurebook.press.run import results

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


@app.command()
@terminal.one_line_errors
def verify(
    what: Annotated[
        str, typer.Argument(help="A notebook of `run`, `sweep` or `build`; PART; or PART/CHAPTER.")
    ],
    tolerance: Annotated[
        float, typer.Option(help="Relative difference that still agrees.", min=0)
    ] = 1e-6,
) -> None:
    """Execute a notebook again with its own parameters, and compare all that a reader sees."""
    if not math.isfinite(tolerance):
        raise BookError(f"--tolerance {tolerance:g}: with it everything would agree; give a number")
    root = find_root()
    is_file = what.endswith(".ipynb") or Path(what).is_file()
    notebooks = [Path(what)] if is_file else [c.executed for c in find(root, what)]
    if lacking := [str(n) for n in notebooks if not n.is_file()]:
        raise BookError(f"{', '.join(lacking)}: does not exist; featurebook run makes it")
    if wrong := [said for notebook in notebooks if (said := _verify(notebook, root, tolerance))]:
        raise ExecutionError("\n".join(wrong))


def _verify(notebook: Path, root: Path, tolerance: float) -> str:
    """Compare a notebook with another execution; returns what differs in a line, or nothing."""
    from featurebook.press.run import verify as verifying

    job, before = verifying.again(notebook, root)
    for part in verifying.changed_since(before, job):
        out.print(f"changed since: {part}")
    terminal.execute([job], 1)
    rows = verifying.compare(notebook, job.output)
    if not rows:
        raise BookError(f"{notebook} holds no numbers to compare")
    out.print(terminal.comparison(rows, tolerance))
    wrong = sum(row.difference > tolerance for row in rows)
    equal = sum(row.difference == 0 for row in rows)
    said = f"{len(rows) - wrong} of {len(rows)} agree to {tolerance:g}; {equal} are equal"
    if wrong:
        return f"{said}. The new notebook: {os.path.relpath(job.output)}"
    out.print(said)
    return ""


@app.command()
@terminal.one_line_errors
def record(
    names: Names = None,
    parameter: Settings = None,
    file: Files = None,
    scale: Scale = "paper",
    budget: Annotated[
        str | None, typer.Option(help="Record all that is lacking for so long, such as 8min or 2h.")
    ] = None,
) -> None:
    """Make the recorded run of a scale, to show beside the quick one; interrupted, it goes on.

    With --budget: those runs of the named chapters, or of all, that no record has by the present
    code, those of known cost first and the cheapest of them first.
    """
    from featurebook.press.run import parameters

    if budget is not None:
        _record_lacking(find_all(find_root(), names), scale, parameter or [], budget)
        return
    if not names:
        raise BookError("name a PART or PART/CHAPTER, or give a --budget, such as 2h")
    found = find_all(find_root(), names)
    parameters.refuse_unused(found, parameter or [])
    for chapter in found:
        _record(chapter, scale, file or [], parameter or [])


def _record_lacking(found: list[Chapter], scale: str, settings: list[str], budget: str) -> None:
    from featurebook.press.run import parameters, recording

    seconds = recording.seconds_of(budget)
    parameters.refuse_unused(found, settings)
    planned = recording.plan(found, scale, settings)
    for p in planned:
        out.print(f"{p.chapter.address}: {p.words}")
    if not planned:
        out.print("every run of this scale is recorded by the present code")
    for p, ended in recording.run(planned, scale, seconds, settings):
        out.print(f"{p.chapter.address}: {ended}")


def _record(chapter: Chapter, scale: str, files: list[Path], settings: list[str]) -> None:
    from featurebook.press.run import experiments, freshness, parameters, records, results

    values = parameters.final_values(chapter, scale, files, settings)
    claims = experiments.checks_of(chapter.part)
    job = Job(chapter, values, scale, chapter.built(f"{scale}.record"))
    terminal.say_values(job, parameters.layers(chapter, scale, files, settings))
    name = results.name_of(freshness.key(chapter, values))
    state = chapter.root / "_build" / "checkpoints" / chapter.part.name / f"{chapter.name}.{name}"
    resumed = state.is_dir()
    state.mkdir(parents=True, exist_ok=True)
    with records.checkpoints(state):
        if claims is None:
            terminal.execute([job], 1)
            kept = records.keep(chapter, job.output, resumed)
        else:
            about = {"scale": scale, "parameters": values, "resumed": resumed}
            about |= terminal.say_experiments(experiments.run(chapter, claims, values, state))
            kept = records.keep_experiments(chapter, claims, state, about)
    shutil.rmtree(state)
    out.print(Text(f"recorded in {os.path.relpath(kept)}"), soft_wrap=True)


@app.command()
@terminal.one_line_errors
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
        out.print(Text(said), soft_wrap=True)
    plans = [p for c in chapters for p in seeding.plan(c, count)]
    if not plans:
        out.print("every record of seeds is of the present code")
    for plan, found in terminal.in_processes(seeding.run, plans, workers):
        seeding.keep(plan, found)
        out.print(f"{plan.chapter.address}, seed {plan.seed}: {len(found)} claims")
    for chapter in dict.fromkeys(p.chapter for p in plans):
        for claim, tally in seeding.differing(chapter).items():
            out.print(Text(f"{claim}: {', '.join(tally.outcomes)}"), soft_wrap=True)


@app.command()
@terminal.one_line_errors
def new(name: Annotated[str, typer.Argument(help="A Python name in small letters.")]) -> None:
    """Make a part of the book to start from: story, chapter, claims, checks, figure, tests."""
    from featurebook.press.book.new import create

    root = find_root()
    for path in create(root, name):
        out.print(Text(os.path.relpath(path)), soft_wrap=True)
    out.print(Text(f"also in _toc.yml and book/references.bib; now: featurebook run {name}"))


@app.command()
@terminal.one_line_errors
def build(names: Names = None, workers: Workers = 2) -> None:
    """Execute what changed, all or of the named chapters; check every claim; build the site."""
    from featurebook.press.site import current

    root = find_root()
    with terminal.alone_in(root):
        before = current.written(root)
        if not names and current.unchanged(root):
            out.print("nothing has changed since the last build")
        else:
            terminal.refresh(terminal.quick(root, names), workers)
        with out.status("building the site"):
            first = current.site(root)
        if not names and current.written(root) == before:  # nobody wrote meanwhile
            current.is_whole(root)
    terminal.say_site(first, root)


@app.command()
@terminal.one_line_errors
def pdf(workers: Workers = 2) -> None:
    """Set the executed chapters as one PDF by TeX; says what is missing where something is."""
    from featurebook.press.pdf import typeset

    typeset.require()
    root = find_root()
    with terminal.alone_in(root):
        terminal.refresh(terminal.quick(root), workers)
        out.print(Text(os.path.relpath(typeset.build(root))), soft_wrap=True)


@app.command()
@terminal.one_line_errors
def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free one.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the page.")] = True,
) -> None:
    """Serve the built site to this machine only, and open it."""
    from featurebook.press.site import serve as serving

    first = find_root() / "_build" / "html" / "index.html"
    if not first.is_file():
        raise BookError("the site is not built yet: featurebook build")
    server = serving.server(first.parent, port)
    address = f"http://127.0.0.1:{server.server_port}/"
    out.print(f"{address} (Ctrl-C stops)")
    serving.serve(server, address if browser else None)


@app.command()
@terminal.one_line_errors
def lab(name: Name, browser: Annotated[bool, typer.Option(help="Open the page.")] = True) -> None:
    """Open a chapter as a notebook in JupyterLab, to change and run; its source stays as it is."""
    from featurebook.press.book.places import find_chapter
    from featurebook.press.run import lab as laboratory

    laboratory.require()
    notebook, aside = laboratory.pair(find_chapter(find_root(), name))
    if aside:
        out.print(Text(f"the chapter has changed; yours is {os.path.relpath(aside)}"))
    out.print(Text(f"{os.path.relpath(notebook)} (Ctrl-C stops)"), soft_wrap=True)
    laboratory.begin(notebook, find_root(), browser)


@app.command()
@terminal.one_line_errors
def changes() -> None:
    """Write down which errata are new, changed or withdrawn, for the changelog and its feed."""
    from featurebook.press.claims import changes as log

    for change in log.renew(find_root()):
        out.print(Text(f"{change.claim}: {change.what}"), soft_wrap=True)


@app.command()
@terminal.one_line_errors
def data() -> None:
    """Fetch and verify the real images, and say where they are."""
    if not terminal.say_images():
        raise typer.Exit(1)


def main() -> None:
    """Entry point."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
