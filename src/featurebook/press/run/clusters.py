"""Dask clusters: one on this machine, or an existing one."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dask.system
import distributed.system
import psutil
import torch
from distributed import Client, LocalCluster, WorkerPlugin

from featurebook.fetching import OFFLINE_VARIABLE
from featurebook.press.book.console import say
from featurebook.press.book.places import BookError
from featurebook.press.book.processes import end_with_children

PATIENCE = 10
"""Seconds in which a cluster must answer, and have a worker."""
MEMORY_OF_A_RUN = 2 * 2**30
executing: list[Any] = []
"""The runs that this worker is executing."""


class _LeaveCtrlCToTheRunner(WorkerPlugin):
    """Ctrl-C reaches the whole process group; it is the runner that ends the workers."""

    def setup(self, worker: object) -> None:
        signal.signal(signal.SIGINT, lambda *_: None)

    def teardown(self, worker: object) -> None:
        # Python would end around a run that still speaks with its kernel, which ZeroMQ aborts on.
        if executing:
            end_with_children(os.getpid())


def default_workers() -> int:
    """One per GPU, if any; otherwise as many as cores and memory allow, also in a container."""
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
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            local_directory=folder,
            silence_logs="CRITICAL",
            env={OFFLINE_VARIABLE: "1"},  # what can be had was fetched before
        ) as cluster,
        Client(cluster) as client,
    ):
        client.register_plugin(_LeaveCtrlCToTheRunner())
        yield client


@contextmanager
def _without_settings_for_dask() -> Iterator[None]:
    """Use Dask's defaults only: a user's files and variables are for other clusters."""
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
        say(f"{address} is not encrypted: anyone on that network can run code on its workers")
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
