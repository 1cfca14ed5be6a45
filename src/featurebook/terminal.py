"""What the ``featurebook`` command prints."""

import functools
import io
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from featurebook.press.book.door import MEND, read_text
from featurebook.press.book.places import (
    SCALES,
    BookError,
    Chapter,
    FailedError,
    chapters,
    find_all,
)
from featurebook.press.run.job import ExecutionError, Job, State

if TYPE_CHECKING:
    from featurebook.press.claims.asking import Answer, Impact
    from featurebook.press.run.sweep import Progress
    from featurebook.press.run.verify import Comparison

T = TypeVar("T")
R = TypeVar("R")
# What is printed has names of files and values that users chose: nothing in it is markup.
out = Console(markup=False, emoji=False)
err = Console(stderr=True, markup=False, emoji=False)
WIDE = 130
"""Columns from which types and ranges of parameters get columns of their own."""


def one_line_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Exit code 2 for bad input, 1 for a failed run, 130 for Ctrl-C; never a traceback."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        _do_without_letters_that_are_missing()
        try:
            command(*args, **kwargs)
        except (BookError, FailedError) as error:
            err.print(Text(str(error), style="red"), soft_wrap=True)
            raise typer.Exit(2 if isinstance(error, BookError) else 1) from None
        except BrokenPipeError:
            raise
        except OSError as error:  # a full disk, a folder that is read-only
            where = f"{error.filename}: " if error.filename else ""
            err.print(Text(f"{where}{error.strerror or error}", style="red"), soft_wrap=True)
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            err.print("interrupted; what was finished is kept")
            raise typer.Exit(130) from None

    return wrapped


def _do_without_letters_that_are_missing() -> None:
    """Print a question mark for what the terminal's encoding lacks, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where it is closed
            stream.reconfigure(errors="replace")


def execute(jobs: Sequence[Job], workers: int) -> None:
    """Execute jobs with a line as each begins and ends, and on a terminal a live display.

    Raises:
        ExecutionError: with a line for each that failed, after all have ended.
        BookError: before anything runs, if the package is not that of the chapters.
    """
    if not jobs:
        return
    from featurebook.press.run import provenance
    from featurebook.press.run.execute import execute_all

    provenance.refuse_other_code(jobs[0].chapter.root)
    have_images([job.chapter for job in jobs])

    said: dict[Job, str] = {}
    with Live(console=out, refresh_per_second=4, transient=True) as live:

        def watch(states: Sequence[State]) -> None:
            for state in states:
                if said.get(state.job, "waiting") != state.status:
                    said[state.job] = state.status
                    out.print(_line(state), soft_wrap=True)
            live.update(_running(states))

        states = execute_all(jobs, workers, watch)
    if failed := [s.error for s in states if s.status == "failed"]:
        raise ExecutionError("\n".join(failed))


def say_experiments(run: Iterator[tuple[str, float]]) -> dict[str, Any]:
    """Print each experiment and check of a chapter as it ends, with its seconds.

    Returns:
        When the run began, and its seconds.

    Raises:
        FailedError: naming the step that failed; what had ended is kept.
    """
    started, begun, last = datetime.now(UTC), time.perf_counter(), "the start"
    try:
        for name, seconds in run:
            out.print(f"{seconds:9.1f} s  {name}")
            last = name
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as e:
        raise FailedError(f"failed after {last}: {type(e).__name__}: {e}") from e
    seconds = round(time.perf_counter() - begun, 1)
    return {"started": f"{started:%Y-%m-%d %H:%M:%S} UTC", "seconds": seconds}


def in_processes(
    function: Callable[[T], R], of: Sequence[T], workers: int
) -> Iterator[tuple[T, R]]:
    """Call a function of a module on each item, in so many processes; yields what ends first.

    Raises:
        FailedError: with what the first failing call said; the others are not waited for.
    """
    alone = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=alone) as pool:
        waiting = {pool.submit(function, item): item for item in of}
        try:
            for ended in as_completed(waiting):
                yield waiting[ended], ended.result()
        except RuntimeError as error:
            pool.shutdown(cancel_futures=True)
            raise FailedError(str(error)) from None


def alone_in(root: Path) -> AbstractContextManager[None]:
    """One build at a time in a clone, since all of them write into ``_build``.

    Raises:
        BookError: if there is another.
    """
    from featurebook.press.book.files import alone

    return alone(root / "_build", f"another build is at work in {root}: wait for it")


def quick(root: Path, names: Sequence[str] | None = None) -> list[Job]:
    """The site's execution of every chapter, or of the named ones and those that read all others.

    Raises:
        BookError: if a chapter that is not named was never executed, since the site shows it too.
    """
    from featurebook.press.run import freshness, parameters

    named = find_all(root, names)
    jobs = []
    for c in chapters(root):
        if c in named or "entries" in freshness.reads(c):
            jobs.append(Job(c, parameters.final_values(c), "quick", c.executed))
        elif not c.executed.is_file():
            raise BookError(f"{c.address} was never executed, and the site shows it too: name none")
    return jobs


def refresh(jobs: Sequence[Job], workers: int) -> None:
    """Execute what is out of date; chapters that read the others' results come last."""
    from featurebook.press.run import freshness

    if jobs:
        _say_what_is_not_ours(jobs[0].chapter.root)
        have_images([job.chapter for job in jobs])
    for last in (False, True):
        now = [job for job in jobs if ("entries" in freshness.reads(job.chapter)) == last]
        stale = longest_first(_stale(now))
        _say_what_will_run(stale, len(now))
        execute(stale, workers)


def have_images(some: Sequence[Chapter]) -> None:
    """Fetch the images that chapters read, before any of them runs, and say what they will read.

    Raises:
        BookError: if a file of the user's own is damaged.
    """
    from featurebook.press.run import pictures

    if not any(map(pictures.needed, some)):
        return

    def say(line: str) -> None:
        if line not in _said:
            _said.add(line)
            out.print(Text(line), soft_wrap=True)

    pictures.fetch(some, say)
    pictures.announce(some, say)


_said: set[str] = set()
"""What of the images was said already, which is the same for all chapters of a build."""


def say_site(first: Path, root: Path) -> None:
    """Where the book is; in the same line what it was made without."""
    from featurebook.press.run import pictures

    said = Text.assemble("The book is at ", (first.as_uri(), f"link {first.as_uri()}"))
    if lacking := pictures.stand_ins(root):
        said.append(f", {lacking}", style="red")
    out.print(said, soft_wrap=True)


def _say_what_is_not_ours(root: Path) -> None:
    """Name notebooks beside the sources: a reader's own, or of an earlier version of the book."""
    if found := sorted((root / "notebooks").glob("*/*.ipynb")):
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        words = f"{os.path.relpath(found[0])}{more}: left alone; executed chapters are in "
        out.print(Text(f"{words}{os.path.relpath(root / '_build' / 'notebooks')}"), soft_wrap=True)


def _stale(jobs: Sequence[Job]) -> list[Job]:
    """The jobs whose numbers are missing or out of date; says why. Of others, words are renewed."""
    from featurebook.press.run import freshness

    stale = []
    for job in jobs:
        key = freshness.key(job.chapter, job.values)
        reason = freshness.stale_because(job.output, key)
        if reason == freshness.ONLY_WORDS:
            from featurebook.press.run.execute import put_text  # late: it imports papermill

            put_text(job)
            reason = "only words have changed, not executed again"
        elif reason:
            stale.append(job)
        words = f"{job.chapter.address} ({job.scale}): {reason or 'unchanged, kept'}"
        out.print(Text(words), soft_wrap=True)
    return stale


def _say_what_will_run(stale: Sequence[Job], of: int) -> None:
    """How many, and how long they took; asks on a terminal where images have gone or changed.

    Raises:
        BookError: if the answer is no.
    """
    from featurebook.press.run import freshness

    if not stale:
        return
    took = [s for job in stale if (s := freshness.seconds_of(job.output)) is not None]
    past = f"; last time {len(took)} of them took {sum(took):.0f} s" if took else ""
    out.print(Text(f"{len(stale)} of {of} chapters will be executed{past}"), soft_wrap=True)
    if moved := _other_images(stale):
        from featurebook import images

        what = ", ".join(dict.fromkeys(words for changed in moved.values() for words in changed))
        words = f"the images in {images.folder()} are not those that {len(moved)} of them were"
        out.print(Text(f"{words} executed with: {what}"), soft_wrap=True)
        out.print(Text(f"  {images.DATA_VARIABLE} names the folder of images"), soft_wrap=True)
        asked = sys.stdin is not None and sys.stdin.isatty()  # None where it is closed
        if asked and out.is_terminal and not typer.confirm("Go on?"):
            raise BookError("nothing was executed")


def _other_images(stale: Sequence[Job]) -> dict[Job, list[str]]:
    """The jobs that are executed because image files have changed, and what became of these."""
    from featurebook.press.run import freshness

    moved = {}
    for job in stale:
        key = freshness.key(job.chapter, job.values)
        if "data" in freshness.stale_because(job.output, key).removeprefix("changed: ").split(", "):
            now = freshness.data_files(job.chapter)
            moved[job] = freshness.data_changed(job.output, now)
    return moved


def longest_first(jobs: Sequence[Job]) -> list[Job]:
    """By the seconds of an earlier execution; before these what has none, by its length."""
    from featurebook.press.run import freshness

    def cost(job: Job) -> tuple[float, int]:
        seconds = freshness.seconds_of(job.output)
        return math.inf if seconds is None else seconds, job.chapter.notebook.stat().st_size

    return sorted(jobs, key=cost, reverse=True)


def _line(state: State) -> Text:
    start = f"{time.strftime('%H:%M:%S')}  {state.job.chapter.address}"
    if state.status == "running":
        return Text(f"{start} begins")
    where = os.path.relpath(state.job.output)
    done = f"{state.seconds:.0f} s, {where}"
    if state.aside:
        done += f"; it had been edited: your version is {os.path.relpath(state.aside)}"
    return Text(f"{start}: {done if state.status == 'done' else 'failed'}")


def _running(states: Sequence[State]) -> Group:
    lines = []
    for s in states:
        if s.status == "running":
            cell = f"cell {s.cell}/{s.cells}  {s.title}" if s.cells else ""
            line = f"{s.job.chapter.address:32} {s.seconds:5.0f} s  {cell}  {s.training}"
            lines.append(Text(line, no_wrap=True, overflow="ellipsis"))
    waiting = sum(s.status == "waiting" for s in states)
    return Group(*lines, Text(f"{waiting} waiting" if waiting else ""))


def say_verdicts(notebook: Path) -> None:
    """A line for each verdict of an executed notebook."""
    from featurebook.press.book.files import outputs, read_notebook
    from featurebook.verdicts import MARKS, MIME

    for v in outputs(read_notebook(notebook), MIME):
        line = f"{MARKS[v['outcome']]} {v['outcome']:12} {v['claim']}: {v['measured']}"
        out.print(Text(line), soft_wrap=True)


def say_answer(answer: "Answer") -> None:
    """One checked claim: its statement, the verdict with its parts, and where it is stated."""
    from featurebook.press.claims.formulas import plain
    from featurebook.verdicts.verdict import part_line

    claim, verdict = answer.question.claim, answer.verdict
    lines = [str(verdict), f"  {claim.number}: {plain(claim.text)}"]
    if len(verdict.parts) > 1:
        lines += [f"    {part_line(part)}" for part in verdict.parts]
    if verdict.certificate:
        lines.append(f"  {verdict.certificate}")
    if verdict.outcome == "refuted" and verdict.instance:
        lines.append(f"  at {listed(verdict.instance)}")
    if answer.others:
        lines.append("  other seeds: " + ", ".join(f"{o} {n}" for o, n in answer.others.items()))
    lines.append(f"  {answer.question.chapter.address}, {answer.seconds:.1f} s")
    out.print(Text("\n".join(lines)), soft_wrap=True)


def say_impact(impact: "Impact") -> None:
    """What rests on a claim, indented by steps, and what its experiments judge besides."""
    name = impact.question.claim.id
    lines = [f"{len(impact.falling)} claims rest on {name}" + ":" * bool(impact.falling)]
    lines += [f"{'  ' * steps}{other}" for other, steps in impact.falling.items()]
    for experiment, users in impact.shared.items():
        others = ", ".join(users) or "no other claim"
        lines.append(f"the experiment {experiment} also judges {others}")
    out.print(Text("\n".join(lines)), soft_wrap=True)


def say_values(job: Job, layers: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """The values of a chapter's parameters, and where those that are not defaults come from."""
    from featurebook.press.run import parameters

    out.print(Text(f"{job.chapter.address}: {listed(job.values)}"), soft_wrap=True)
    for where, names in parameters.origins(layers).items():
        out.print(Text(f"  from {where}: {', '.join(names)}"), soft_wrap=True)


def say_points(chapter: Chapter, values: Sequence[Mapping[str, object]]) -> None:
    """What the runs of a sweep vary in a chapter, and what is the same in all of them."""
    same = {k: v for k, v in values[0].items() if all(v == other[k] for other in values)}
    varied = ", ".join(n for n in values[0] if n not in same) or "nothing"
    fixed = f"; {listed(same)}" if same else ""
    words = f"{chapter.address}: {len(values)} runs, varying {varied}{fixed}"
    out.print(Text(words), soft_wrap=True)


def listed(values: Mapping[str, Any]) -> str:
    """Names and values in a line."""
    return ", ".join(f"{k} = {v!r}" for k, v in values.items())


def say_chapter(chapter: Chapter) -> None:
    """What a chapter reproduces, its parameters at each scale, and their conditions."""
    from featurebook.press.run import conditions
    from featurebook.press.run.knobs import Knobs

    out.print(Text(f"{chapter.address}: {title(chapter)}", style="bold"))
    out.print(Text("\n".join(f"  {x[3:].strip()}" for x in _lines(chapter) if x[:3] == "## ")))
    wide = out.width >= WIDE
    head = ("parameter", "meaning", *(("type", "range") if wide else ()), *SCALES)
    table = Table(*head, box=None, pad_edge=False)
    for name, meaning, kind, allowed, *values in Knobs(chapter).rows():
        limits = f" ({kind}{', ' * bool(allowed)}{allowed})"
        cells = (name, meaning, kind, allowed) if wide else (name, meaning + limits)
        table.add_row(*map(Text, (*cells, *values)))
    out.print(table)
    for condition in conditions.read(chapter.notebook):
        out.print(Text(f"  needs {condition.words}"), soft_wrap=True)
    out.print()


def title(chapter: Chapter) -> str:
    """The title of a chapter.

    Raises:
        BookError: if its notebook is not there.
    """
    if not chapter.notebook.is_file():
        raise BookError(f"{chapter.notebook} is missing, though _toc.yml names it")
    # Not through jupytext, which takes a second to import and two for all chapters.
    text = read_text(chapter.notebook, MEND).partition("# %% [markdown]\n")[2]
    heads = (x for x in text.splitlines() if x.startswith("# ") and not x.startswith("# %%"))
    return next((x.removeprefix("# ").removeprefix("# ").strip() for x in heads), "")


def _lines(chapter: Chapter) -> list[str]:
    from featurebook.press.book.files import read_source

    cells = read_source(chapter.notebook).cells
    return [line for c in cells if c.cell_type == "markdown" for line in c.source.splitlines()]


def comparison(rows: "Sequence[Comparison]", tolerance: float) -> Table:
    """Numbers before and now; those that differ by more than the tolerance in red."""
    table = Table("what", "before", "now", "relative difference", box=None, pad_edge=False)
    for row in rows:
        words = "equal" if row.difference == 0 else f"{row.difference:.2g}"
        words += ", rounding" if row.rounding else ""
        cells = (row.what, _brief(row.before), _brief(row.now), words)
        table.add_row(*map(Text, cells), style="red" if row.difference > tolerance else "")
    return table


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 32 else f"{line[:30]} …"


def counts(p: "Progress") -> Table:
    """How far a sweep is."""
    table = Table("done", "running", "failed", "kept", "to do", "time left", box=None)
    left = p.runs - p.kept - p.done - p.failed
    time_left = f"{p.seconds_left:.0f} s" if p.seconds_left is not None else "?"
    table.add_row(*map(str, (p.done, p.running, p.failed, p.kept, left)), time_left)
    return table


def say_images() -> bool:
    """Where the real images are, and what they are; whether all of them can be had."""
    from featurebook import images

    own = images.DATA_VARIABLE in os.environ
    default = f"the default; set {images.DATA_VARIABLE} to use your own"
    whose = f"from {images.DATA_VARIABLE}" if own else default
    out.print(f"folder: {images.folder()} ({whose})", soft_wrap=True)
    complete = True
    for kind, load in (("MNIST", images.mnist), ("CIFAR-10", images.cifar10)):
        for split in ("test", "train"):
            try:
                images.fetch(kind, split, lambda line: out.print(Text(line), soft_wrap=True))
                found = load(split)
                words = f"{found.source}: {len(found):,}, {', '.join(found.files)}"
                out.print(Text(words), soft_wrap=True)
            except images.DataError as error:
                complete = False
                err.print(Text(str(error), style="red"), soft_wrap=True)
    return complete
