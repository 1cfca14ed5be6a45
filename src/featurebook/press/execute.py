"""Execute chapters through papermill, two at a time, with visible progress."""

import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import papermill
from nbclient.exceptions import CellExecutionError, DeadKernelError
from papermill.engines import NBClientEngine, papermill_engines
from papermill.exceptions import PapermillExecutionError

from featurebook.core.progress import PROGRESS_FILE
from featurebook.press import freshness, parameters
from featurebook.press.layout import BookError, Chapter

STATUS_FILE = "FEATUREBOOK_STATUS"


@dataclass(frozen=True)
class Job:
    """One execution: a chapter, all its parameters' values, and where the result goes."""

    chapter: Chapter
    values: Mapping[str, Any]
    scale: str
    output: Path

    @property
    def partial(self) -> Path:
        """Where the notebook is while it runs, and stays if it fails."""
        return self.output.with_name(f"{self.output.stem}.partial.ipynb")


class ExecutionError(Exception):
    """A chapter did not execute to its end; says which cell, why, and where the rest is."""


class _ReportingEngine(NBClientEngine):
    """papermill's engine, which also writes the number of the running cell to a file."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **kwargs: Any) -> Any:
        status, start = os.environ.get(STATUS_FILE), nb_man.cell_start
        title = ""

        def cell_start(cell: Any, cell_index: int, **more: Any) -> Any:
            nonlocal title
            if cell.cell_type == "markdown":
                heads = [x for x in cell.source.splitlines() if x.startswith("#")]
                title = heads[-1].lstrip("# ") if heads else title
            if status:
                state = {"cell": cell_index + 1, "cells": len(nb_man.nb.cells), "title": title}
                _write(Path(status), json.dumps(state))
            return start(cell, cell_index, **more)

        nb_man.cell_start = cell_start
        return super().execute_managed_notebook(nb_man, kernel_name, **kwargs)


papermill_engines.register("featurebook", _ReportingEngine)


def execute(job: Job) -> float:
    """Execute one chapter; the output appears whole or, where it fails, not at all.

    Returns:
        Seconds of wall-clock time.

    Raises:
        ExecutionError: naming the cell, the error, and the partial notebook.
        BookError: if the output's folder cannot be written to.
    """
    key = freshness.key(job.chapter, job.values)
    try:
        job.output.parent.mkdir(parents=True, exist_ok=True)
        _write(job.partial, "")
    except OSError as error:
        raise BookError(f"cannot write to {job.output.parent}: {error.strerror}") from None
    notebook = jupytext.read(job.chapter.notebook)
    start = time.perf_counter()
    try:
        executed = papermill.execute_notebook(
            notebook,
            str(job.partial),
            parameters=_changed(job),
            engine_name="featurebook",
            kernel_name="python3",
            progress_bar=False,
            cwd=str(job.chapter.root),
            extra_arguments=["--log-level=ERROR"],
        )
    except PapermillExecutionError as error:
        raise ExecutionError(_in_cell(job, error)) from None
    except DeadKernelError:
        raise ExecutionError(
            f"{job.chapter.stem}: the kernel died (out of memory, or killed). What had run is in "
            f"{job.partial}; try smaller parameters"
        ) from None
    except CellExecutionError as error:
        raise ExecutionError(f"{job.chapter.stem}: {error.ename}: {error.evalue}") from None
    seconds = time.perf_counter() - start
    executed.metadata[freshness.METADATA] = {
        "stem": job.chapter.stem,
        "scale": job.scale,
        "key": key,
        "parameters": dict(job.values),
        "seconds": round(seconds, 1),
    }
    executed.metadata.pop("papermill", None)  # holds absolute paths
    for cell in executed.cells:
        cell.metadata.pop("papermill", None)
    _write(job.partial, nbformat.writes(executed))
    job.partial.replace(job.output)
    return seconds


def _changed(job: Job) -> dict[str, Any]:
    """The values that are not the defaults: with none, papermill adds no cell to the page."""
    defaults = parameters.read(job.chapter.notebook)
    return {k: v for k, v in job.values.items() if v != defaults[k].default}


def _in_cell(job: Job, error: PapermillExecutionError) -> str:
    last = [line for line in error.source.splitlines() if line.strip()]
    first = last[0] if last else ""
    return (
        f"{job.chapter.stem}: cell {error.cell_index + 1} ({first.strip()[:60]!r}) failed: "
        f"{error.ename}: {error.evalue}\n  What had run is in {job.partial}"
    )


@dataclass
class State:
    """How far a job is: for a live display."""

    job: Job
    status: str = "waiting"
    cell: int = 0
    cells: int = 0
    title: str = ""
    training: str = ""
    seconds: float = 0.0
    error: str = ""


def execute_all(
    jobs: Sequence[Job], workers: int, watch: Callable[[list[State]], None]
) -> list[State]:
    """Execute jobs, ``workers`` at a time, each in a process of its own with one thread.

    ``watch`` is called a few times a second with the state of every job. A job that fails does not
    stop the others.
    """
    states = [State(job) for job in jobs]
    with tempfile.TemporaryDirectory(prefix="featurebook") as folder:
        notes = [Path(folder) / str(k) for k in range(len(jobs))]
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(workers, mp_context=context)
        try:
            futures = [
                pool.submit(_execute_noting, job, n) for job, n in zip(jobs, notes, strict=True)
            ]
            while not all(f.done() for f in futures):
                for state, future, note in zip(states, futures, notes, strict=True):
                    _update(state, future, note)
                watch(states)
                time.sleep(0.2)
            for state, future, note in zip(states, futures, notes, strict=True):
                _update(state, future, note)
            watch(states)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()
    return states


def _execute_noting(job: Job, note: Path) -> float:
    # One thread: small networks gain nothing from more, and sums then come out the same everywhere.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ[STATUS_FILE] = f"{note}.cell"
    os.environ[PROGRESS_FILE] = f"{note}.training"
    _write(Path(f"{note}.start"), str(time.time()))
    return execute(job)


def _update(state: State, future: "Future[float]", note: Path) -> None:
    if future.done():
        error = future.exception()
        state.status = "failed" if error else "done"
        state.error = str(error) if error else ""
        state.seconds = state.seconds if error else future.result()
        state.training = ""
        return
    for what in _read_json(Path(f"{note}.start")):
        state.status, state.seconds = "running", time.time() - float(what)
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


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def outputs(notebook: Path, mime: str) -> list[dict[str, Any]]:
    """All structured outputs of one mime type in an executed notebook, in order."""
    cells = nbformat.read(notebook, as_version=4).cells
    data = [o.get("data", {}) for c in cells for o in c.get("outputs", [])]
    return [d[mime] for d in data if mime in d]
