"""Many runs of one chapter on Dask."""

import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from distributed import Client, Future, get_worker, wait
from rich.live import Live
from rich.table import Table

from featurebook.press.book.console import out, say
from featurebook.press.book.files import alone, write_atomically
from featurebook.press.book.places import BookError, Chapter, FailedError
from featurebook.press.run import clusters, freshness, provenance, results
from featurebook.press.run.execute import execute
from featurebook.press.run.job import ExecutionError, Job
from featurebook.press.run.results import Result


@dataclass(frozen=True)
class Run:
    """One execution, and the key that its result must match."""

    job: Job
    key: freshness.Key


@dataclass
class Progress:
    """The progress of a sweep, for a live display."""

    runs: int
    kept: int = 0
    done: int = 0
    failed: int = 0
    running: int = 0
    seconds_left: float | None = None
    errors: list[str] = field(default_factory=list)

    def table(self) -> Table:
        """The counts, for a terminal."""
        table = Table("done", "running", "failed", "kept", "to do", "time left", box=None)
        left = self.runs - self.kept - self.done - self.failed
        time_left = f"{self.seconds_left:.0f} s" if self.seconds_left is not None else "?"
        table.add_row(*map(str, (self.done, self.running, self.failed, self.kept, left)), time_left)
        return table


def plan(
    chapter: Chapter, points: Sequence[Mapping[str, Any]], scale: str, folder: Path
) -> list[Run]:
    """The runs of a chapter for all these values of the parameters."""
    sources = freshness.sources(chapter)
    return [
        Run(
            Job(chapter, values, scale, folder / "runs" / f"{_name(chapter, values)}.ipynb"),
            {**sources, "parameters": freshness.of_values(values)},
        )
        for values in points
    ]


def _name(chapter: Chapter, values: Mapping[str, Any]) -> str:
    return f"{chapter.name}-{results.name_of(values)}"


def missing(folder: Path, runs: Sequence[Run]) -> list[Run]:
    """The runs whose result is missing in ``folder``, failed, or from other code."""
    have = results.read_folder(folder)
    done = {name: old["key"] for name, old in have.items() if old["status"] == "done"}
    return [
        run
        for run in runs
        if not freshness.same_numbers(done.get(run.job.output.stem, {}), run.key)
    ]


def sweep_on(scheduler: str | None, workers: int | None, runs: Sequence[Run], folder: Path) -> None:
    """Sweep on a running cluster, or with so many workers here, and print the progress.

    Raises:
        BookError: as `sweep` and `clusters.running_cluster`.
        FailedError: with a line for each run that failed.
    """
    say(f"{len(runs)} runs, into {os.path.relpath(folder)}")
    here = clusters.local_cluster(min(workers or clusters.default_workers(), len(runs)))
    with (
        clusters.running_cluster(scheduler) if scheduler else here as client,
        Live(console=out, refresh_per_second=4, transient=True) as live,
    ):
        progress = sweep(runs, folder, client, lambda p: live.update(p.table()))
    out.print(progress.table())
    say(os.path.relpath(folder / results.TABLE))
    if progress.errors:
        raise FailedError("\n".join(progress.errors))


def sweep(
    runs: Sequence[Run], folder: Path, client: Client, watch: Callable[[Progress], None]
) -> Progress:
    """Execute the runs that `missing` lists; one that fails does not stop the others.

    ``folder`` gets ``runs/NAME.ipynb`` and ``runs/NAME.json`` as each run ends, and in the end,
    also when interrupted, ``results.parquet``.

    Raises:
        BookError: if another sweep is writing to ``folder``, or it cannot be written to, or the
            package is not that of the chapters.
    """
    for root in {run.job.chapter.root for run in runs}:
        provenance.refuse_other_code(root)
    try:
        (folder / "runs").mkdir(parents=True, exist_ok=True)
        with alone(folder, f"another sweep is writing to {folder}: wait for it, or use --out"):
            todo = missing(folder, runs)
            progress = Progress(len(runs), kept=len(runs) - len(todo))
            try:
                _execute_on(client, todo, progress, watch)
            finally:
                results.write_table(folder)
            return progress
    except OSError as error:
        raise BookError(f"cannot write to {folder}: {error.strerror or error}") from None


def _execute_on(
    client: Client, todo: Sequence[Run], progress: Progress, watch: Callable[[Progress], None]
) -> None:
    start = time.monotonic()
    futures = {client.submit(run_one, run, pure=False): run for run in todo}
    try:
        waiting = set(futures)
        while waiting:
            watch(progress)
            ended, waiting = _some(waiting)
            for future in ended:
                error = _keep(futures[future], future)
                progress.failed += bool(error)
                progress.done += not error
                progress.errors += [error] if error else []
                future.release()
            progress.running = min(_executing(client), len(waiting))
            if finished := progress.done + progress.failed:
                rate = (time.monotonic() - start) / finished
                progress.seconds_left = rate * len(waiting)
        watch(progress)
    except BaseException:
        client.cancel(list(futures), force=True)
        raise


def _some(waiting: set[Future]) -> tuple[set[Future], set[Future]]:
    try:
        ended = wait(waiting, timeout=0.5, return_when="FIRST_COMPLETED")
    except TimeoutError:
        return set(), waiting
    return set(ended.done), set(ended.not_done)


def _executing(client: Client) -> int:
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    return sum(w["metrics"].get("task_counts", {}).get("executing", 0) for w in workers)


def run_one(run: Run) -> tuple[Result, str]:
    """On a worker: execute in a folder of the worker's own.

    Returns:
        The result, and the text of the executed notebook (as far as it came).
    """
    if gpus := torch.cuda.device_count():  # one worker per GPU; workers are numbered
        name = str(get_worker().name)
        os.environ["CUDA_VISIBLE_DEVICES"] = str(int(name) % gpus if name.isdigit() else 0)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory(prefix="featurebook") as own:
        local = replace(run.job, output=Path(own) / run.job.output.name)
        start = time.perf_counter()
        clusters.executing.append(run)
        try:
            execute(local)
            return results.of_notebook(local.output), local.output.read_text(encoding="utf-8")
        except (ExecutionError, BookError) as error:
            message = str(error).replace(str(local.partial), str(run.job.partial))
            text = local.partial.read_text(encoding="utf-8") if local.partial.exists() else ""
            return _failed(run, message) | {"seconds": round(time.perf_counter() - start, 1)}, text
        finally:
            clusters.executing.remove(run)


def _failed(run: Run, message: str) -> Result:
    return {
        "status": "failed",
        "error": message,
        "chapter": run.job.chapter.address,
        "scale": run.job.scale,
        "parameters": dict(run.job.values),
        "key": run.key,
    }


def _keep(run: Run, future: Future) -> str:
    """Write a run's result and notebook; return its error, or nothing."""
    try:
        result, notebook = future.result()
    except Exception as error:  # the worker died again and again, or lacks the book
        reason = str(error).splitlines()[0]
        result, notebook = _failed(run, f"the worker failed: {reason}"), ""
    if result["status"] == "done" and not freshness.same_numbers(result["key"], run.key):
        result |= {"status": "failed", "error": "the worker's code or data differ from those here"}
    job = run.job
    path = job.output if result["status"] == "done" else job.partial
    freshness.make_room(job.output)
    write_atomically(path, notebook)
    if result["status"] == "done":
        job.partial.unlink(missing_ok=True)
    write_atomically(job.output.with_suffix(".json"), json.dumps(result, indent=1))
    return result.get("error", "")
