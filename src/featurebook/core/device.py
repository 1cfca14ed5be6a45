"""Which device to train on, and its memory."""

import ctypes
import sys

import torch

KEPT_BYTES = 1 << 30


def pick_device(name: str) -> torch.device:
    """``"auto"`` is a GPU if there is one; otherwise the device of that name.

    Raises:
        ValueError: if a GPU is asked for and there is none that torch can use.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    device = torch.device(name)
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError(
            f"device {name!r}: torch {torch.__version__} sees no GPU here; use 'auto' or 'cpu', or "
            "install a CUDA build of torch"
        )
    return device


def keep_freed_memory() -> None:
    """Let this process reuse what it frees, up to 1 GiB, rather than return it to the system.

    By default the C library returns the memory of a large tensor at once, and the system then
    clears it page by page for the next one: a training step can spend most of its time so. Does
    nothing where the C library is not glibc.
    """
    if sys.platform != "linux" or not hasattr(libc := ctypes.CDLL(None), "mallopt"):
        return
    trim_threshold, mmap_max = -1, -4  # numbers of malloc.h
    libc.mallopt(trim_threshold, KEPT_BYTES)
    libc.mallopt(mmap_max, 0)
