"""Measure every contestant on one core and write a record: ``python benchmarks/measure.py OUT``."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # XLA's threads take it too, and keep to the core below
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import torch

import workloads
from about import about
from featurebook.core.device import keep_freed_memory
from speed import ROUNDS, compare

STEPS_A_ROUND = (50, 5, 3, 3, 2, 2)


def compared() -> Iterator[dict[str, Any]]:
    """Every workload at 16 replicas, or 4 of the one whose step takes a second at 16."""
    for work, steps in zip(workloads.every(), STEPS_A_ROUND, strict=True):
        yield compare(work, 4 if "full batch of" in work.name else 16, steps)


def grown() -> Iterator[dict[str, Any]]:
    """How the time of one of them grows with the replicas."""
    for R in (1, 4, 64, 256):
        yield compare(workloads.patches(24, 20, 28, 32), R, max(2, 1000 // R))


def main() -> None:
    """Write everything, row by row, so that an interrupted run keeps what it has."""
    out = Path(sys.argv[1])
    torch.set_num_threads(1)
    keep_freed_memory()  # for the plain loop too: what it costs a reader is not our merit
    record = about() | {"rounds": ROUNDS, "rows": [], "growth": []}
    # torch keeps what it compiles: an empty folder makes the time to compile that of a first run
    with TemporaryDirectory() as folder:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
        for part, measured in (("rows", compared()), ("growth", grown())):
            for row in measured:
                record[part].append(row)
                record["load after"] = round(os.getloadavg()[0], 1)
                out.write_text(json.dumps(record, indent=1) + "\n")
    print(f"wrote {out}")


if __name__ == "__main__":
    main()
