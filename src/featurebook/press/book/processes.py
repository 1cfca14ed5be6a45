"""Processes that do not outlive the one that started them."""

import os
import threading
import time
from contextlib import suppress

import psutil


def end_with(runner: int) -> None:
    """From now on, end this process and what it started when the runner is gone, even if killed."""
    threading.Thread(target=_wait_and_end, args=(runner,), daemon=True).start()


def _wait_and_end(runner: int) -> None:
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(runner)
        while process.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.5)
    end_with_children(os.getpid())


def end_with_children(pid: int) -> None:
    """Kill a process and all that it started; one that has just ended will do."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for child in process.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.kill()
        process.kill()
