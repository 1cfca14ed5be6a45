"""Which device to train on, its memory, and what computes there."""

import ctypes
import platform
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


@cache
def keep_freed_memory() -> bool:
    """Let this process reuse what it frees, up to 1 GiB, rather than return it to the system.

    By default the C library returns the memory of a large tensor at once, and the system then
    clears it page by page for the next one: a training step can spend most of its time so. No
    number depends on it. Does nothing where the C library is not glibc. `release_freed_memory`
    sees to the 1 GiB.

    Returns:
        whether the C library does so; `kernels` says it in the provenance of a chapter.
    """
    libc = _glibc()
    if libc is None:
        return False
    trim_threshold, mmap_max = -1, -4  # numbers of malloc.h
    return bool(libc.mallopt(trim_threshold, KEPT_BYTES)) & bool(libc.mallopt(mmap_max, 0))


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


def kernels() -> dict[str, str]:
    """Which programs compute on this processor, so that two machines can be compared.

    Nothing here is chosen by us, but for the memory that `keep_freed_memory` keeps.
    """
    known: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()  # not in all
    units = ("avx2", "avx512_f", "avx512_bf16", "amx_tile")
    kept = keep_freed_memory.cache_info().currsize and keep_freed_memory()
    return {
        "processor": str(known.get("cpu_name") or platform.processor() or platform.machine()),
        "vector units": ", ".join(x for x in units if known.get(x)) or "unknown",
        "torch computes with": torch.backends.cpu.get_cpu_capability(),
        "MKL": "yes" if torch.backends.mkl.is_available() else "no",
        "oneDNN": _onednn(),
        "freed memory": f"up to {KEPT_BYTES >> 30} GiB kept" if kept else "as the C library has it",
    }


def _onednn() -> str:
    """Whether oneDNN is there, and what it may do with products in float32."""
    if not torch.backends.mkldnn.is_available():
        return "no"
    setting = getattr(torch.backends.mkldnn, "matmul", None)
    return f"yes, float32 products {getattr(setting, 'fp32_precision', 'unknown')}"
