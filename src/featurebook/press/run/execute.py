"""Execute chapters through papermill, two at a time, with visible progress.

Sweeps have a scheduler of their own, Dask, since their runs may go to a cluster; it takes seconds
to start, which a chapter or two should not wait for, and does not know the cell of a run.
"""

import json
import os
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import papermill
from nbclient.exceptions import CellExecutionError
from papermill.exceptions import PapermillExecutionError

from featurebook.core.progress import PROGRESS_FILE
from featurebook.fetching import OFFLINE_VARIABLE
from featurebook.press.book.files import alone, read_notebook, write_atomically
from featurebook.press.book.places import BookError
from featurebook.press.book.processes import end_with, end_with_children
from featurebook.press.run import (
    figure_data,
    freshness,
    imports,
    parameters,
    pictures,
    provenance,
    records,
)
from featurebook.press.run.engine import STATUS_FILE, KernelEndedError, in_cell, kernel_ended
from featurebook.press.run.job import ExecutionError, Job, State
from featurebook.press.run.kernel import stand_by

INJECTED = "injected-parameters"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
AHEAD = f"{__package__}.imported_ahead"
LONGEST_SOCKET = 107  # bytes of its name on Linux; processes are forked through it


@dataclass(frozen=True)
class Finished:
    """A chapter that was executed.

    Attributes:
        seconds: of wall-clock time.
        aside: where an edited notebook now is that lay where the output had to go.
    """

    seconds: float
    aside: Path | None


def execute(job: Job) -> Finished:
    """Execute one chapter; the output appears whole or, where it fails, not at all.

    A kernel that was killed from outside, as when memory runs out, gets a second try. A notebook
    that somebody edited is not written over, but put aside.

    Raises:
        ExecutionError: naming the cell, the error, and the partial notebook.
        BookError: if the output's folder cannot be written to, or another run is writing there.
    """
    key = freshness.key(job.chapter, job.values)
    try:
        job.output.parent.mkdir(parents=True, exist_ok=True)
        with alone(job.output, f"{job.output} is being written by another run; wait for it"):
            write_atomically(job.partial, "")
            return _execute_into_partial(job, key)
    except OSError as error:
        raise BookError(f"cannot write to {job.output.parent}: {error.strerror or error}") from None


def _execute_into_partial(job: Job, key: freshness.Key) -> Finished:
    lacking = pictures.lacking(job.chapter)
    started, start = datetime.now(UTC), time.perf_counter()
    try:
        try:
            executed = _run_papermill(job)
        except KernelEndedError as ended:
            if not ended.from_outside:
                raise
            executed = _run_papermill(job)
    except PapermillExecutionError as error:
        raise ExecutionError(in_cell(job, error)) from None
    except KernelEndedError as ended:
        raise ExecutionError(kernel_ended(job, ended)) from None
    except CellExecutionError as error:
        raise ExecutionError(f"{job.chapter.address}: {error.ename}: {error.evalue}") from None
    except RuntimeError as error:  # as when the kernel does not start
        raise ExecutionError(f"{job.chapter.address}: {error}") from None
    seconds = time.perf_counter() - start
    facts = {"parameters": dict(job.values), "started": started.strftime("%Y-%m-%d %H:%M:%S UTC")}
    executed.metadata[freshness.METADATA] = {
        "chapter": job.chapter.address,
        "scale": job.scale,
        "key": key,
        "data": freshness.data_files(job.chapter),
        pictures.LACKING: lacking,
        **facts,
        "seconds": round(seconds, 1),
    }
    whole = {**facts, "seconds of the whole run": round(seconds, 1), "rerun": command(job)}
    provenance.add_facts(executed, whole)
    records.add_verdicts(executed, job.chapter)
    figure_data.keep_aside(executed)
    executed.metadata.pop("papermill", None)  # holds absolute paths
    for cell in executed.cells:
        cell.metadata.pop("papermill", None)
    return Finished(seconds, _write_finished(job, executed))


def _write_finished(job: Job, executed: nbformat.NotebookNode) -> Path | None:
    """The output in its place, with a checksum by which later changes are noticed.

    Returns:
        Where an edited notebook that was in that place is now, if there was one.
    """
    write_atomically(job.partial, _sealed(executed, job.chapter.root))
    aside = freshness.make_room(job.output)
    job.partial.replace(job.output)
    return aside


def put_text(job: Job) -> None:
    """Give an executed notebook the words of its source, where nothing that computes has changed.

    Outputs stay with their cells; so does what is known of their execution.
    """
    new, old = jupytext.read(job.chapter.notebook), read_notebook(job.output)
    injected = [c for c in old.cells if INJECTED in c.metadata.get("tags", [])]
    executed = iter([c for c in old.cells if c.cell_type == "code" and c not in injected])
    cells = []
    for cell in new.cells:
        if cell.cell_type == "code":
            before = next(executed)
            cell.outputs, cell.execution_count = before.outputs, before.execution_count
        cells += [cell, *(injected if "parameters" in cell.metadata.get("tags", []) else [])]
    old.cells = cells
    old.metadata[freshness.METADATA]["key"] = freshness.key(job.chapter, job.values)
    write_atomically(job.output, _sealed(old, job.chapter.root))


def _sealed(notebook: nbformat.NotebookNode, root: Path) -> str:
    whole = nbformat.reads(provenance.without_folders(nbformat.writes(notebook), root), 4)
    freshness.seal(whole)
    return nbformat.writes(whole)


def _run_papermill(job: Job) -> nbformat.NotebookNode:
    notebook = jupytext.read(job.chapter.notebook)
    notebook.metadata.setdefault("kernelspec", KERNEL)  # papermill asks for its language
    return papermill.execute_notebook(
        notebook,
        str(job.partial).replace("{", "{{").replace("}", "}}"),  # papermill fills in braces
        parameters=_changed(job),
        engine_name="featurebook",
        kernel_name="python3",
        progress_bar=False,
        cwd=str(job.chapter.root),
        extra_arguments=["--log-level=CRITICAL", f"--ext={figure_data.__name__}"],
    )


def _changed(job: Job) -> dict[str, Any]:
    """The values that are not the defaults: with none, papermill adds no cell to the page."""
    defaults = parameters.read(job.chapter.notebook)
    return {k: v for k, v in job.values.items() if v != defaults[k].default}


def command(job: Job) -> str:
    """What one types to execute this again."""
    usual = parameters.final_values(job.chapter, job.scale)
    scale = [] if job.scale == "quick" else ["--scale", job.scale]
    own = [f"{k}={json.dumps(v)}" for k, v in job.values.items() if v != usual[k]]
    settings = [word for setting in own for word in ("-p", setting)]
    words = ["featurebook", "run", job.chapter.address, *scale, *settings, "-o", "again.ipynb"]
    return shlex.join(words)


def execute_all(
    jobs: Sequence[Job], workers: int, watch: Callable[[list[State]], None]
) -> list[State]:
    """Execute jobs, ``workers`` at a time, each in a process of its own with one thread.

    ``watch`` is called a few times a second with the state of every job. A job that fails, or whose
    process is killed, does not stop the others. When this call ends, however it ends, so do they.
    """
    states = [State(job) for job in jobs]
    waiting = list(range(len(jobs)))
    running: dict[int, BaseProcess] = {}
    # Not for a notebook that imports nothing of ours: it would wait for imports that it lacks.
    ours = any(imports.closure(job.chapter.notebook) for job in jobs)
    preload = [AHEAD, __name__] if ours else [__name__]
    with tempfile.TemporaryDirectory(prefix="featurebook") as folder:
        notes = [Path(folder) / str(k) for k in range(len(jobs))]
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    k = waiting.pop(0)
                    running[k] = _process(jobs[k], notes[k], preload)
                    running[k].start()
                for k, process in list(running.items()):
                    ended = not process.is_alive()
                    _update(states[k], notes[k])
                    if ended:
                        _finish(states[k], notes[k], process.exitcode)
                        del running[k]
                watch(states)
                time.sleep(0.2)
        finally:
            for pid in [process.pid for process in running.values() if process.pid]:
                end_with_children(pid)
    return states


def _process(job: Job, note: Path, preload: list[str]) -> BaseProcess:
    """A process for one job; on Linux it is forked from one that has imported ``preload``."""
    # Else the server of forks would import first from the folder where the command was given.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    task: dict[str, Any] = {"target": _execute_noting}
    task["args"] = (job, note, os.getpid(), dict(os.environ))
    socket = len(os.fsencode(tempfile.gettempdir())) + len("/pymp-12345678/listener-12345678")
    if sys.platform != "linux" or socket > LONGEST_SOCKET:
        return get_context("spawn").Process(**task)
    context = get_context("forkserver")
    context.set_forkserver_preload(preload)
    return context.Process(**task)


def _execute_noting(job: Job, note: Path, runner: int, environment: Mapping[str, str]) -> None:
    """In a process of its own: execute, and leave the seconds or the error in a file."""
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
    try:
        done = execute(job)
        result: dict[str, Any] = {"seconds": done.seconds, "aside": str(done.aside or "")}
    except (ExecutionError, BookError) as error:
        result = {"error": str(error)}
    except Exception as error:  # a line for the user; the traceback would go nowhere
        result = {"error": f"{job.chapter.address}: {type(error).__name__}: {error}"}
    write_atomically(Path(f"{note}.result"), json.dumps(result))


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
        state.status, state.seconds, state.aside = "done", result["seconds"], result["aside"]


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
