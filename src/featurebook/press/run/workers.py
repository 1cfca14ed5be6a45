"""Execute chapters, several at a time, each in its own process, with visible progress.

Sweeps have a different scheduler, Dask, since their runs may go to a cluster; it takes seconds
to start, which a chapter or two should not wait for, and does not know the cell of a run.
"""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from multiprocessing import forkserver, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from featurebook.core.progress import PROGRESS_FILE
from featurebook.fetching import OFFLINE_VARIABLE
from featurebook.press.book.files import write_atomically
from featurebook.press.book.places import BookError
from featurebook.press.book.processes import end_with, end_with_children
from featurebook.press.run import imports
from featurebook.press.run.engine import STATUS_FILE
from featurebook.press.run.execute import execute
from featurebook.press.run.job import ExecutionError, Job, State
from featurebook.press.run.kernel import stand_by
from featurebook.verdicts.shelf import VARIABLE, Shelf, seconds_of, taken

AHEAD = f"{__package__}.imported_ahead"
LONGEST_SOCKET = 107  # bytes of its name on Linux; processes are forked through it


def execute_all(
    jobs: Sequence[Job],
    workers: int,
    watch: Callable[[list[State]], None],
    shelf: Callable[[Job], Shelf | None] = lambda job: None,
) -> list[State]:
    """Execute jobs, ``workers`` at a time, each in its own process with one thread.

    ``watch`` is called a few times a second with the state of every job. A job that fails, or whose
    process is killed, does not stop the others. When this call ends, however it ends, they end too.
    ``shelf`` says where results of a job's experiments are taken from and kept.
    """
    states = [State(job) for job in jobs]
    waiting = list(range(len(jobs)))
    running: dict[int, BaseProcess] = {}
    shelves: dict[int, Shelf | None] = {}
    # Not for a notebook that imports nothing of ours: it would wait for imports that it lacks.
    ours = any(imports.closure(job.chapter.notebook) for job in jobs)
    context = _context([AHEAD, __name__] if ours else [__name__])
    environment = dict(os.environ)  # as it is for that process: imports by `shelf` change it
    with tempfile.TemporaryDirectory(prefix="featurebook") as folder:
        notes = [Path(folder) / str(k) for k in range(len(jobs))]
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    k = _next(waiting, list(running), jobs)
                    waiting.remove(k)
                    shelves[k] = shelf(jobs[k])
                    running[k] = _process(context, jobs[k], notes[k], environment, shelves[k])
                    running[k].start()
                for k, process in list(running.items()):
                    ended = not process.is_alive()
                    _update(states[k], notes[k])
                    if ended:
                        _finish(states[k], notes[k], process.exitcode)
                        _distrust(shelves[k], shelf(jobs[k]) if shelves[k] else None, notes[k])
                        del running[k]
                watch(states)
                time.sleep(0.2)
        finally:
            for pid in [process.pid for process in running.values() if process.pid]:
                end_with_children(pid)
    return states


def _next(waiting: Sequence[int], running: Sequence[int], jobs: Sequence[Job]) -> int:
    """The first whose part is not running, so that shared results are complete when it begins."""
    busy = {jobs[k].chapter.part for k in running}
    return next((k for k in waiting if jobs[k].chapter.part not in busy), waiting[0])


def _context(preload: list[str]) -> Any:
    """How processes start; on Linux by a fork of one that has imported ``preload``."""
    # Else the server of forks would import first from the folder where the command was given.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    socket = len(os.fsencode(tempfile.gettempdir())) + len("/pymp-12345678/listener-12345678")
    if sys.platform != "linux" or socket > LONGEST_SOCKET:
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(preload)
    forkserver.ensure_running()
    return context


def _process(
    context: Any, job: Job, note: Path, environment: Mapping[str, str], shelf: Shelf | None
) -> BaseProcess:
    """A process for one job."""
    args = (job, note, os.getpid(), environment, shelf)
    process: BaseProcess = context.Process(target=_execute_noting, args=args)
    return process


def _execute_noting(
    job: Job, note: Path, runner: int, environment: Mapping[str, str], shelf: Shelf | None
) -> None:
    """In a separate process: execute, and write the seconds or the error to a file."""
    ahead = sys.modules.get(AHEAD)
    if ahead and environment == ahead.ENVIRONMENT:
        stand_by()
    # Ctrl-C reaches the whole group of processes; what ends the job is the runner.
    signal.signal(signal.SIGINT, lambda *_: None)
    end_with(runner)
    os.environ.clear()  # of the process that this one was forked from
    os.environ.update(environment)
    # One thread: small networks gain nothing from more, and sums then come out the same everywhere.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ[OFFLINE_VARIABLE] = "1"  # what can be had was fetched before
    os.environ[STATUS_FILE] = f"{note}.cell"
    os.environ[PROGRESS_FILE] = f"{note}.training"
    write_atomically(Path(f"{note}.start"), str(time.monotonic()))
    os.environ.pop(VARIABLE, None)
    if shelf:
        shelf.write(Path(f"{note}.shelf"))
        os.environ[VARIABLE] = f"{note}.shelf"
    try:
        done = execute(job, partial(_taken, shelf, Path(f"{note}.shelf")))
        result = {"seconds": done.seconds, "whole": done.whole, "aside": str(done.aside or "")}
    except (ExecutionError, BookError) as error:
        result = {"error": str(error)}
    except Exception as error:  # a line for the user; the traceback would go nowhere
        result = {"error": f"{job.chapter.address}: {type(error).__name__}: {error}"}
    write_atomically(Path(f"{note}.result"), json.dumps(result))


def _distrust(before: Shelf | None, after: Shelf | None, note: Path) -> None:
    """Delete results whose code or data somebody changed while they were computed."""
    if before is None:
        return
    start = Path(f"{note}.start")
    begun = start.stat().st_mtime if start.is_file() else 0.0
    for name, file in before.files.items():
        same = after is not None and after.files.get(name) == file
        if not same and file.is_file() and file.stat().st_mtime >= begun:
            file.unlink(missing_ok=True)


def _taken(shelf: Shelf | None, path: Path) -> dict[str, float]:
    """The experiments whose results were reused, with the seconds that each had taken."""
    return {name: seconds_of(shelf.files[name]) for name in taken(path)} if shelf else {}


def _finish(state: State, note: Path, exit_code: int | None) -> None:
    state.training = ""
    result = next(_read_json(Path(f"{note}.result")), None)
    if result is None:
        state.status = "failed"
        state.error = (
            f"{state.job.chapter.address}: its process ended early (exit code {exit_code}). "
            f"What had run is in {state.job.partial}"
        )
    elif "error" in result:
        state.status, state.error = "failed", result["error"]
    else:
        state.status, state.aside = "done", result["aside"]
        state.seconds, state.whole = result["seconds"], result["whole"]


def _update(state: State, note: Path) -> None:
    for what in _read_json(Path(f"{note}.start")):
        state.status, state.seconds = "running", time.monotonic() - float(what)
    for cell in _read_json(Path(f"{note}.cell")):
        state.cell, state.cells, state.title = cell["cell"], cell["cells"], cell["title"]
    for t in _read_json(Path(f"{note}.training")):
        state.training = (
            f"{t['label']} {t['done']}/{t['total']} steps, {t['seconds_left']:.0f} s left"
            if t["done"] < t["total"]
            else ""
        )


def _read_json(path: Path) -> Iterator[Any]:
    try:
        yield json.loads(path.read_text())
    except (OSError, json.JSONDecodeError):  # not written yet, or being written
        return
