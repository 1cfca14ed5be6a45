"""Processes that do not outlive the one that started them."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from typing import TypeVar

import psutil

from featurebook.press.book.places import FailedError

T = TypeVar("T")
R = TypeVar("R")


def in_processes(
    function: Callable[[T], R], of: Sequence[T], workers: int
) -> Iterator[tuple[T, R]]:
    """Call a function of a module on each item, in so many processes; yields results as they come.

    Raises:
        FailedError: with the message of the first failing call, without waiting for the others.
    """
    alone = multiprocessing.get_context("spawn")
    mine = (os.getpid(),)
    with ProcessPoolExecutor(workers, alone, initializer=end_with, initargs=mine) as pool:
        waiting = {pool.submit(function, item): item for item in of}
        try:
            for ended in as_completed(waiting):
                yield waiting[ended], ended.result()
        except RuntimeError as error:
            pool.shutdown(cancel_futures=True)
            raise FailedError(str(error)) from None


def end_with(runner: int) -> None:
    """From now on, end this process and its children when the runner is gone, even if killed."""
    threading.Thread(target=_wait_and_end, args=(runner,), daemon=True).start()


def _wait_and_end(runner: int) -> None:
    while _runs(runner):
        time.sleep(0.5)
    end_with_children(os.getpid())


def _runs(pid: int) -> bool:
    """Whether a process runs; works even if this one can open no more files, as psutil would."""
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
    """Kill a process and all its descendants; it may have ended already."""
    try:
        started = psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return
    except Exception:  # too many open files: then at least the process itself
        started = []
    for number in [*(child.pid for child in started), pid]:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
