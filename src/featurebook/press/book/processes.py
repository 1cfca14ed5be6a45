"""Processes that do not outlive the one that started them."""

import os
import signal
import threading
import time
from contextlib import suppress

import psutil


def end_with(runner: int) -> None:
    """From now on, end this process and what it started when the runner is gone, even if killed."""
    threading.Thread(target=_wait_and_end, args=(runner,), daemon=True).start()


def _wait_and_end(runner: int) -> None:
    while _runs(runner):
        time.sleep(0.5)
    end_with_children(os.getpid())


def _runs(pid: int) -> bool:
    """Whether a process runs; also where this one may open no more files, which psutil does."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
    except Exception:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:  # another user's: the number was given away
            return False
        return True


def end_with_children(pid: int) -> None:
    """Kill a process and all that it started; one that has just ended will do."""
    try:
        started = psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return
    except Exception:  # too many open files: then at least the process itself
        started = []
    for number in [*(child.pid for child in started), pid]:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
