"""Where and when something was measured."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import jax
import torch

from featurebook.core.device import kernels


def about() -> dict[str, Any]:
    """Where and when."""
    cpu = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next((x.partition(":")[2].strip() for x in lines if x.startswith("model name")), cpu)
    used = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    code = ["../src/featurebook/core", "../src/featurebook/papers/cone_sets", "*.py"]
    git = partial(subprocess.run, capture_output=True, text=True, cwd=Path(__file__).parent)
    return {
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "commit": git(["git", "rev-parse", "--short=12", "HEAD"]).stdout.strip(),
        "uncommitted changes": bool(git(["git", "status", "--porcelain", *code]).stdout),
        "device": f"{cpu}, {used} of {os.cpu_count()} cores",
        "python": platform.python_version(), "torch": torch.__version__, "jax": jax.__version__,
        "kernels": kernels(),
        "load before": round(os.getloadavg()[0], 1),
    }  # fmt: skip
