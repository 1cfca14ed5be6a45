"""Many runs of one chapter on Dask: a cluster on this machine, or an existing one."""

import json
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import dask.system
import distributed.system
import psutil
import torch
from distributed import Client, Future, LocalCluster, WorkerPlugin, get_worker, wait
from rich.live import Live
from rich.table import Table

from featurebook.fetching import OFFLINE_VARIABLE
from featurebook.press.book.console import out, say
from featurebook.press.book.files import alone, write_atomically
from featurebook.press.book.places import BookError, Chapter, FailedError
from featurebook.press.book.processes import end_with_children
from featurebook.press.run import freshness, provenance, results
from featurebook.press.run.execute import execute
from featurebook.press.run.job import ExecutionError, Job
from featurebook.press.run.results import Result

PATIENCE = 10
"""Seconds in which a cluster must answer, and have a worker."""
MEMORY_OF_A_RUN = 2 * 2**30


@dataclass(frozen=True)
class Run:
    """One execution, and the key that its result must have."""

    job: Job
    key: freshness.Key


@dataclass
class Progress:
    """How far a sweep is: for a live display."""

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


class _LeaveCtrlCToTheRunner(WorkerPlugin):
    """Ctrl-C reaches the whole group of processes; the runner is who ends the workers."""

    def setup(self, worker: object) -> None:
        signal.signal(signal.SIGINT, lambda *_: None)

    def teardown(self, worker: object) -> None:
        # Python would end around a run that still speaks with its kernel, which ZeroMQ aborts on.
        if _executed_here:
            end_with_children(os.getpid())


_executed_here: list[Run] = []


def default_workers() -> int:
    """One a GPU where there are any; else as cores and memory, of a container too, allow."""
    if gpus := torch.cuda.device_count():
        return gpus
    free = min(psutil.virtual_memory().available, distributed.system.MEMORY_LIMIT)
    return max(1, min(dask.system.CPU_COUNT, int(free / MEMORY_OF_A_RUN)))


@contextmanager
def local_cluster(workers: int) -> Iterator[Client]:
    """A cluster of ``workers`` processes on this machine, reachable from this machine only."""
    with (
        _without_settings_for_dask(),
        tempfile.TemporaryDirectory(prefix="featurebook", ignore_cleanup_errors=True) as folder,
        LocalCluster(
            n_workers=workers, threads_per_worker=1, memory_limit=0, host="127.0.0.1",
            dashboard_address="127.0.0.1:0", worker_dashboard_address="127.0.0.1:0",
            local_directory=folder,
            silence_logs="CRITICAL",
            env={OFFLINE_VARIABLE: "1"},  # what can be had was fetched before
        ) as cluster,
        Client(cluster) as client,
    ):  # fmt: skip
        client.register_plugin(_LeaveCtrlCToTheRunner())
        yield client


@contextmanager
def _without_settings_for_dask() -> Iterator[None]:
    """With Dask's own defaults alone: a user's files and variables are for other clusters."""
    settings = {k: v for k, v in os.environ.items() if k.startswith("DASK_")}
    for name in settings:
        del os.environ[name]
    dask.config.refresh(paths=[], env={})  # workers get this, too
    try:
        yield
    finally:
        os.environ.update(settings)
        dask.config.refresh()


@contextmanager
def running_cluster(address: str) -> Iterator[Client]:
    """An existing Dask cluster, such as ``tcp://host:8786``.

    Raises:
        BookError: if it does not answer, or has no workers.
    """
    if not address.startswith(("tls:", "tcp://127.0.0.1:", "tcp://localhost:")):
        say(f"{address} is not encrypted: whoever is in that network can run code on its workers")
    try:
        client = Client(address, timeout=PATIENCE)
    except Exception as error:  # Dask raises what it likes, also TypeError without a key for TLS
        reason = str(error).partition("\n")[0]
        raise BookError(f"no Dask scheduler answers at {address}: {reason}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise BookError(
                f"the scheduler at {address} has no workers: dask worker {address}"
            ) from None
        yield client


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
    """The runs without a result in ``folder``, or with a failed one, or one of other code."""
    have = results.read_folder(folder)
    done = {name: old["key"] for name, old in have.items() if old["status"] == "done"}
    return [
        run
        for run in runs
        if not freshness.same_numbers(done.get(run.job.output.stem, {}), run.key)
    ]


def sweep_on(scheduler: str | None, workers: int | None, runs: Sequence[Run], folder: Path) -> None:
    """Sweep on a running cluster, or else with so many workers here, saying how far it is.

    Raises:
        BookError: as `sweep` and `running_cluster`.
        FailedError: with a line for each run that failed.
    """
    say(f"{len(runs)} runs, into {os.path.relpath(folder)}")
    here = local_cluster(min(workers or default_workers(), len(runs)))
    with (
        running_cluster(scheduler) if scheduler else here as client,
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
    """Execute the runs that `missing` names; one that fails does not stop the others.

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
        _executed_here.append(run)
        try:
            execute(local)
            return results.of_notebook(local.output), local.output.read_text(encoding="utf-8")
        except (ExecutionError, BookError) as error:
            message = str(error).replace(str(local.partial), str(run.job.partial))
            text = local.partial.read_text(encoding="utf-8") if local.partial.exists() else ""
            return _failed(run, message) | {"seconds": round(time.perf_counter() - start, 1)}, text
        finally:
            _executed_here.remove(run)


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
