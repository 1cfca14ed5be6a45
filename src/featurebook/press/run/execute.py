"""Execute one chapter through papermill: its output appears whole, or not at all."""

import json
import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import papermill
from nbclient.exceptions import CellExecutionError
from papermill.exceptions import PapermillExecutionError

from featurebook.press.book.files import alone, read_notebook, write_atomically
from featurebook.press.book.places import BookError
from featurebook.press.run import (
    figure_data,
    freshness,
    parameters,
    pictures,
    provenance,
    records,
)
from featurebook.press.run.engine import KernelEndedError, in_cell, kernel_ended
from featurebook.press.run.job import ExecutionError, Job

INJECTED = "injected-parameters"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


@dataclass(frozen=True)
class Finished:
    """A chapter that was executed.

    Attributes:
        seconds: of wall-clock time.
        whole: the same, if no earlier result had been reused.
        aside: the new place of an edited notebook that was in the output's place.
    """

    seconds: float
    whole: float
    aside: Path | None


def execute(job: Job, taken: Callable[[], Mapping[str, float]] = dict) -> Finished:
    """Execute one chapter; the output appears whole or, where it fails, not at all.

    A kernel that was killed from outside, as when memory runs out, gets a second try. A notebook
    that somebody edited is put aside, not overwritten.

    Args:
        taken: called after the execution; the experiments whose results were reused, with the
            seconds that each had taken.

    Raises:
        ExecutionError: naming the cell, the error, and the partial notebook.
        BookError: if the output's folder cannot be written to, or another run is writing there.
    """
    key = freshness.key(job.chapter, job.values)
    try:
        job.output.parent.mkdir(parents=True, exist_ok=True)
        with alone(job.output, f"{job.output} is being written by another run; wait for it"):
            write_atomically(job.partial, "")
            return _execute_into_partial(job, key, taken)
    except OSError as error:
        raise BookError(f"cannot write to {job.output.parent}: {error.strerror or error}") from None


def _execute_into_partial(
    job: Job, key: freshness.Key, taken: Callable[[], Mapping[str, float]]
) -> Finished:
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
    earlier = taken()
    from_nothing = round(seconds + sum(earlier.values()), 1)
    facts = {"parameters": dict(job.values), "started": started.strftime("%Y-%m-%d %H:%M:%S UTC")}
    executed.metadata[freshness.METADATA] = {
        "chapter": job.chapter.address,
        "scale": job.scale,
        "key": key,
        "data": freshness.data_files(job.chapter),
        pictures.LACKING: lacking,
        **facts,
        "seconds": from_nothing,
    }
    whole: dict[str, Any] = {**facts, "seconds of the whole run": from_nothing}
    if earlier:
        said = ", ".join(f"{name} {took:.0f} s" for name, took in earlier.items())
        whole["taken from earlier runs of the same code"] = said
    whole["rerun"] = command(job)
    provenance.add_facts(executed, whole)
    records.add_verdicts(executed, job.chapter)
    figure_data.keep_aside(executed)
    executed.metadata.pop("papermill", None)  # holds absolute paths
    for cell in executed.cells:
        cell.metadata.pop("papermill", None)
    return Finished(seconds, from_nothing, _write_finished(job, executed))


def _write_finished(job: Job, executed: nbformat.NotebookNode) -> Path | None:
    """Put the output in its place, with a checksum that reveals later changes.

    Returns:
        The new place of an edited notebook that was there, if any.
    """
    write_atomically(job.partial, _sealed(executed, job.chapter.root))
    aside = freshness.make_room(job.output)
    job.partial.replace(job.output)
    return aside


def put_text(job: Job) -> None:
    """Update the text of an executed notebook whose computing code has not changed.

    Cells keep their outputs and execution metadata.
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
    """The values that differ from the defaults: without any, papermill adds no cell."""
    defaults = parameters.read(job.chapter.notebook)
    return {k: v for k, v in job.values.items() if v != defaults[k].default}


def command(job: Job) -> str:
    """The command that executes this again."""
    usual = parameters.final_values(job.chapter, job.scale)
    scale = [] if job.scale == "quick" else ["--scale", job.scale]
    own = [f"{k}={json.dumps(v)}" for k, v in job.values.items() if v != usual[k]]
    settings = [word for setting in own for word in ("-p", setting)]
    words = ["featurebook", "run", job.chapter.address, *scale, *settings, "-o", "again.ipynb"]
    return shlex.join(words)
