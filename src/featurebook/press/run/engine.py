"""A papermill engine that reports which cell runs and how a kernel ended."""

import json
import os
import re
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

from nbclient.exceptions import DeadKernelError
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines
from papermill.exceptions import PapermillExecutionError
from papermill.log import logger

from featurebook.press.book.files import write_atomically
from featurebook.press.run.job import Job
from featurebook.press.run.kernel import ThisPython, environment

STATUS_FILE = "FEATUREBOOK_STATUS"
CHEAP_SAVE = 0.03
"""Seconds; saving the notebook takes longer only for a tenth of the time."""
OUT_OF_MEMORY = re.compile(r"out of memory|can't allocate memory|Cannot allocate memory", re.I)


class KernelEndedError(Exception):
    """The kernel ended in the middle of a cell: its number, and the exit code (None if unknown)."""

    def __init__(self, cell: int, code: int | None) -> None:
        self.cell, self.code = cell, code
        # The kernel of a fault in the code ends otherwise: an exit, a segmentation fault.
        self.from_outside = code in (-signal.SIGKILL, -signal.SIGTERM)


class _ReportingEngine(NBClientEngine):
    """papermill's engine, which also writes the number of the running cell to a file."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **kwargs: Any) -> Any:
        status, start = os.environ.get(STATUS_FILE), nb_man.cell_start
        client = PapermillNotebookClient(
            nb_man,
            kernel_name=kernel_name,
            startup_timeout=120,
            log=logger,
            extra_arguments=kwargs["extra_arguments"],
            kernel_manager_class=ThisPython,
        )
        title, running, kernel = "", 0, None

        def cell_start(cell: Any, cell_index: int, **more: Any) -> Any:
            nonlocal title, running, kernel
            running, kernel = cell_index + 1, client.km.provisioner.process
            if cell.cell_type == "markdown":
                heads = [x for x in cell.source.splitlines() if x.startswith("#")]
                title = heads[-1].lstrip("# ") if heads else title
            if status:
                state = {"cell": running, "cells": len(nb_man.nb.cells), "title": title}
                write_atomically(Path(status), json.dumps(state))
            return start(cell, cell_index, **more)

        nb_man.cell_start = cell_start
        save, saved, cost = nb_man.save, 0.0, 0.0

        def save_within_reason(**more: Any) -> None:
            # papermill writes the whole notebook twice a cell, which can take longer than the cell
            nonlocal saved, cost
            begun = time.monotonic()
            if cost < CHEAP_SAVE or begun - saved > 10 * cost:
                save(**more)
                saved = time.monotonic()
                cost = saved - begun

        nb_man.save = save_within_reason
        try:
            with tempfile.TemporaryDirectory(prefix="featurebook") as settings:
                return client.execute(env=environment(settings))
        except DeadKernelError:
            raise KernelEndedError(running, kernel.poll() if kernel else None) from None
        finally:
            nb_man.save = save
            save()


papermill_engines.register("featurebook", _ReportingEngine)
# It warns of lines that it cannot read, as where a comment has "="; they have been read already.
logger.setLevel("ERROR")


def in_cell(job: Job, error: PapermillExecutionError) -> str:
    """Which cell failed, why, and where the partial notebook is."""
    last = [line for line in error.source.splitlines() if line.strip()]
    first = last[0] if last else ""
    memory = "MemoryError" in error.ename or OUT_OF_MEMORY.search(error.evalue)
    return (
        f"{job.chapter.address}: cell {error.cell_index + 1} ({first.strip()[:60]!r}) failed: "
        + ("out of memory, try smaller parameters: " if memory else "")
        + f"{error.ename}: {error.evalue}\n  What had run is in {job.partial}"
    )


def kernel_ended(job: Job, ended: KernelEndedError) -> str:
    """How the kernel ended, in which cell, and where the partial notebook is."""
    if ended.from_outside:
        how = (
            f"died twice, killed by signal {-(ended.code or 0)} (out of memory, or killed by "
            "hand); try smaller parameters or a larger machine"
        )
    else:
        how = f"died because of what the cell does (exit code {ended.code}); it was not tried again"
    return (
        f"{job.chapter.address}: the kernel {how}. It was in cell {ended.cell}\n"
        f"  What had run is in {job.partial}"
    )
