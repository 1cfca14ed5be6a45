"""Which device to train on, its memory, its matrix products."""

import ctypes
import sys
from functools import cache

import psutil
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


class _Counts(ctypes.Structure):
    """What glibc's mallinfo2 returns (mallinfo(3))."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd",
                     "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    ]  # fmt: skip


def keep_freed_memory() -> None:
    """Let this process reuse what it frees, up to 1 GiB, rather than return it to the system.

    By default the C library returns the memory of a large tensor at once, and the system then
    clears it page by page for the next one: a training step can spend most of its time so. Does
    nothing where the C library is not glibc. `release_freed_memory` sees to the 1 GiB.
    """
    if libc := _glibc():
        trim_threshold, mmap_max = -1, -4  # numbers of malloc.h
        libc.mallopt(trim_threshold, KEPT_BYTES)
        libc.mallopt(mmap_max, 0)


def release_freed_memory() -> None:
    """Return freed memory to the system if there is more than 1 GiB, also from the gaps.

    Trainings of different sizes leave gaps between what is in use, which only this gives back:
    without it a long program grows to many times its data.
    """
    if libc := _glibc():
        libc.mallinfo2.restype = _Counts
        if psutil.Process().memory_info().rss - libc.mallinfo2().uordblks > KEPT_BYTES:
            libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    return libc if hasattr(libc, "mallinfo2") else None  # from glibc 2.33 on


@cache
def multiply_with_onednn() -> None:
    """Let oneDNN multiply float32 matrices on this CPU, if it is exact there, instead of MKL.

    MKL uses half of the vector unit of a processor that is not Intel's, oneDNN all of it. torch
    asks oneDNN only if it may round to bfloat16; on a processor without matrix unit (AMX), oneDNN
    has nothing that does, and its results are float32's to rounding. That is tried before it is
    relied on. Does nothing where the precision has been chosen already.
    """
    setting = torch.backends.mkldnn.matmul  # type: ignore[attr-defined]
    known: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()  # not in all
    if setting.fp32_precision != "none" or not known.get("avx512_f") or known.get("amx_tile"):
        return
    setting.fp32_precision = "bf16"
    if not _products_are_exact():
        setting.fp32_precision = "none"


def _products_are_exact() -> bool:
    """Whether float32 matrices times the unit matrix are themselves, to the bit."""
    x = torch.rand(2, 256, 128, generator=torch.Generator().manual_seed(0))
    unit = torch.eye(128)
    return torch.equal(x @ unit, x) and torch.equal(torch.bmm(x, unit.expand(2, -1, -1)), x)
