"""Execute what is out of date and nothing else, and report what, why and the progress."""

import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.live import Live
from rich.prompt import Confirm
from rich.text import Text

from featurebook.press.book.console import out, say
from featurebook.press.book.places import BookError, Chapter, chapters
from featurebook.press.run.job import ExecutionError, Job, State

if TYPE_CHECKING:  # it imports torch
    from featurebook.verdicts.shelf import Shelf

OPEN_FILES, OF_A_SWEEP = 64, 256
"""Files open at the same time in a runner or kernel, and in a sweep's scheduler."""
_said: set[str] = set()
"""Messages about images that were printed already: they are the same for a whole build."""


def quick(chosen: Sequence[Chapter]) -> list[Job]:
    """The jobs for the site: the chosen chapters, and those that read all others.

    Raises:
        BookError: if a chapter that is not chosen was never executed, since the site shows it too.
    """
    from featurebook.press.run import freshness, parameters

    jobs = []
    for c in chapters(chosen[0].root):
        if c in chosen or "entries" in freshness.reads(c):
            jobs.append(Job(c, parameters.final_values(c), "quick", c.executed))
        elif not c.executed.is_file():
            raise BookError(
                f"the site needs {c.address} too, which was never executed: give no names"
            )
    return jobs


def refresh(jobs: Sequence[Job], workers: int) -> None:
    """Execute what is out of date, last the chapters that read the others' results.

    Earlier results of their experiments by the same code are not computed again.
    """
    from featurebook.press.run import durations, freshness, shelved

    if jobs:
        _say_what_is_not_ours(jobs[0])
        have_images([job.chapter for job in jobs])
    for last in (False, True):
        now = [job for job in jobs if ("entries" in freshness.reads(job.chapter)) == last]
        stale = durations.longest_first(_stale(now))
        _say_what_will_run(stale, len(now))
        execute(stale, workers, shelved.shelf)


def execute(
    jobs: Sequence[Job], workers: int, shelf: "Callable[[Job], Shelf | None]" = lambda job: None
) -> None:
    """Execute jobs, with a line as each begins and ends and, on a terminal, a live display.

    Args:
        shelf: where results of a job's experiments are reused from and kept; by default nowhere.

    Raises:
        ExecutionError: with a line for each that failed, after all have ended.
        BookError: before anything runs, if the package is not that of the chapters.
    """
    if not jobs:
        return
    from featurebook.press.run import durations, provenance
    from featurebook.press.run.workers import execute_all

    provenance.refuse_other_code(jobs[0].chapter.root)
    refuse_few_files(OPEN_FILES)
    have_images([job.chapter for job in jobs])
    said: dict[Job, str] = {}
    costs = [durations.expected(job) for job in jobs]
    with Live(console=out, refresh_per_second=4, transient=True) as live:

        def watch(states: Sequence[State]) -> None:
            left = _left(states, durations.seconds_left(states, costs, workers))
            for state in states:
                if said.get(state.job, "waiting") != state.status:
                    said[state.job] = state.status
                    say(_line(state) + (left if state.status == "done" else ""))
            live.update(_running(states, left))

        states = execute_all(jobs, workers, watch, shelf)
    if failed := [s.error for s in states if s.status == "failed"]:
        raise ExecutionError("\n".join(failed))


def refuse_few_files(needed: int) -> None:
    """Let this process open that many files at once.

    Raises:
        BookError: if its user's limit is lower; a kernel would die of it with a cryptic message.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        said = f"only {hard} files may be open at once, and {needed} are needed"
        raise BookError(
            f"{said}: raise the limit in a new shell (ulimit -n 1024), or ask the administrator"
        )
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def have_images(some: Sequence[Chapter]) -> None:
    """Fetch the images that chapters read, before any of them runs, and say what they will read.

    Raises:
        BookError: if a file of the user's own is damaged.
    """
    from featurebook.press.run import pictures

    def once(line: str) -> None:
        if line not in _said:
            _said.add(line)
            say(line)

    if any(map(pictures.needed, some)):
        pictures.fetch(some, once)
        pictures.announce(some, once)


def _say_what_is_not_ours(job: Job) -> None:
    """Mention notebooks beside the sources: a reader's own, or an older version's."""
    root = job.chapter.root
    if found := sorted((root / "notebooks").glob("*/*.ipynb")):
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        place = os.path.relpath(root / "_build" / "notebooks")
        say(f"{os.path.relpath(found[0])}{more}: left alone; executed chapters are in {place}")


def _stale(jobs: Sequence[Job]) -> list[Job]:
    """The jobs whose numbers are missing or out of date; says why, and updates the others' text."""
    from featurebook.press.run import freshness

    stale = []
    for job in jobs:
        reason = freshness.stale_because(job.output, freshness.key(job.chapter, job.values))
        if reason == freshness.ONLY_WORDS:
            from featurebook.press.run.execute import put_text  # late: it imports papermill

            put_text(job)
            reason = "only the text has changed; not executed again"
        elif reason:
            stale.append(job)
        say(f"{job.chapter.address} ({job.scale}): {reason or 'unchanged, kept'}")
    return stale


def _say_what_will_run(stale: Sequence[Job], of: int) -> None:
    """Print how many, and how long they took; ask on a terminal if images are gone or changed.

    Raises:
        BookError: if the answer is no.
    """
    from featurebook.press.run import freshness

    if not stale:
        return
    took = [s for job in stale if (s := freshness.seconds_of(job.output)) is not None]
    past = f"; last time {len(took)} of them took {sum(took):.0f} s" if took else ""
    say(f"{len(stale)} of {of} chapters will be executed{past}")
    moved = [changed for job in stale if (changed := _other_images(job))]
    if moved:
        from featurebook import images

        what = ", ".join(dict.fromkeys(words for changed in moved for words in changed))
        words = f"the images in {images.folder()} are not those that {len(moved)} of them were"
        say(f"{words} executed with: {what}\n  {images.DATA_VARIABLE} names the folder of images")
        asked = sys.stdin is not None and sys.stdin.isatty()  # None where it is closed
        if asked and out.is_terminal and not Confirm.ask("Continue?", console=out, default=False):
            raise BookError("nothing was executed")


def _other_images(job: Job) -> list[str]:
    """How the image files changed, if a job is executed because of that."""
    from featurebook.press.run import freshness

    reason = freshness.stale_because(job.output, freshness.key(job.chapter, job.values))
    if "data" not in reason.removeprefix("changed: ").split(", "):
        return []
    from featurebook.press.book.files import read_notebook  # late: it imports jupytext

    had = read_notebook(job.output).metadata.get(freshness.METADATA, {}).get("data", {})
    now = freshness.data_files(job.chapter)
    gone = [f"{name} is gone" for name in had if name not in now]
    other = [f"{name} differs" for name in had if now.get(name, had[name]) != had[name]]
    return [*gone, *other, *(f"{name} is new" for name in now if name not in had)]


def _line(state: State) -> str:
    start = f"{time.strftime('%H:%M:%S')}  {state.job.chapter.address}"
    if state.status == "running":
        return f"{start} begins"
    done = f"{state.seconds:.0f} s, {os.path.relpath(state.job.output)}"
    if state.aside:
        done += f"; it had been edited: your version is {os.path.relpath(state.aside)}"
    return f"{start}: {done if state.status == 'done' else 'failed'}"


def _left(states: Sequence[State], seconds: float) -> str:
    """How many are not done, and how long they will take; empty if all are."""
    from featurebook.press.run import durations

    many = sum(s.status in ("waiting", "running") for s in states)
    return f"; {many} to go, about {durations.in_words(seconds)}" if many else ""


def _running(states: Sequence[State], left: str) -> Group:
    lines = []
    for s in states:
        if s.status == "running":
            cell = f"cell {s.cell}/{s.cells}  {s.title}" if s.cells else ""
            line = f"{s.job.chapter.address:32} {s.seconds:5.0f} s  {cell}  {s.training}"
            lines.append(Text(line, no_wrap=True, overflow="ellipsis"))
    return Group(*lines, Text(left.removeprefix("; ")))
