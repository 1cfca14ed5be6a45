"""Measure everything and write a record: ``python benchmarks/measure.py OUT``."""

import argparse
import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import torch

import inside
import one_core  # noqa: F401
import speed
import workloads
from about import about
from before import core_of
from featurebook.core.device import keep_freed_memory
from speed import ROUNDS, compare
from workloads import Workload

STEPS_A_ROUND = (50, 5, 3, 3, 2, 2)


def compared(before: ModuleType | None) -> Iterator[dict[str, Any]]:
    """Every workload, at 16 replicas where they fit a reader's patience."""
    for work, steps in zip(workloads.every(), STEPS_A_ROUND, strict=True):
        names = ["loop", "jax", "dense eager", "eager", "compiled", "floor", "onednn floor"]
        if work.gradient is None:
            names.remove("dense eager")
        yield compare(work, replicas_of(work), steps, names, before)


def replicas_of(work: Workload) -> int:
    """16, but 4 of the one whose step takes a second at 16."""
    return 4 if "full batch of" in work.name else 16


def grown(before: ModuleType | None) -> Iterator[dict[str, Any]]:
    """How the time grows with replicas, width and batch."""
    names = ("loop", "jax", "eager", "compiled", "floor")
    compare = partial(speed.compare, before=before)
    for R in (1, 4, 64, 256):
        yield compare(workloads.patches(24, 20, 28, 32), R, max(2, 1000 // R), names)
    # next to nothing to compute: what the calls of a step cost
    yield compare(workloads.patches(2, 2, 2, 1), 1, 2000, names)
    # where the calls of a step dominate, as in much of this book
    for work in (workloads.parity(20, 8, 32), workloads.parity(20, 32, 32), workloads.looped()):
        for R in (1, 4, 16):
            yield compare(work, R, max(20, 400 // R), names)
    for C in (112, 448):
        yield compare(workloads.patches(24, 20, C, 32), 16, 5, names)
    for B in (128, 512):
        yield compare(workloads.patches(24, 20, 28, B), 16, 5, names)
    for R in (1, 4, 64):
        yield compare(workloads.parity(), R, max(1, 48 // R), names)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the JSON to write")
    parser.add_argument("--before", metavar="REVISION", help="measure this commit's core too")
    given = parser.parse_args()
    # torch keeps what it compiles: an empty folder makes the time to compile that of a first run
    with TemporaryDirectory() as folder:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path(folder, "compiled"))
        before = core_of(given.before, Path(folder)) if given.before else None
        measure(given.out, before, {"before": given.before} if given.before else {})


def measure(out: Path, before: ModuleType | None, said: dict[str, str]) -> None:
    """Write everything to ``out``, row by row."""
    torch.set_num_threads(1)
    keep_freed_memory()  # for the plain loop too: what it costs a reader is not our merit
    record = about() | said | {"rounds": ROUNDS, "rows": [], "growth": []}
    record |= {"profile": {}, "memory": {}, "profile compiled": {}}

    def keep() -> None:
        record["load after"] = round(os.getloadavg()[0], 1)
        part = out.with_suffix(".part")  # after every row: an interrupted run keeps them
        part.write_text(json.dumps(record, indent=1) + "\n")
        part.replace(out)

    for part, measured in (("rows", compared(before)), ("growth", grown(before))):
        for row in measured:
            record[part].append(row)
            keep()
    for work, steps in zip(workloads.every(), STEPS_A_ROUND, strict=True):
        R = replicas_of(work)
        record["profile"][work.name] = inside.profile(work, R, steps)
        record["profile compiled"][work.name] = inside.profile_compiled(work, R, steps)
        record["memory"][work.name] = {
            name: inside.peak_memory(work.name, R, name)
            for name in ("loop", "jax", "eager", "compiled")
        }
        print(work.name, record["profile"][work.name], record["memory"][work.name], flush=True)
        keep()
    print(f"wrote {out}")


if __name__ == "__main__":
    main()
