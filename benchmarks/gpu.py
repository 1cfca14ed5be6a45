"""Time per step on a GPU, from one replica to thousands: ``python benchmarks/gpu.py OUT``.

The contestants run one after the other, each alone on the device.
"""

import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"  # it is no contestant here, and would take the device's memory

import torch

import speed
import workloads
from about import about
from featurebook import core
from featurebook.core.program import capture
from speed import ROUNDS, Advance
from workloads import Workload

REPLICAS = (1, 4, 16, 64, 256, 1024, 4096)
LOOP_UP_TO = 256
"""The loop takes as long for each network, however many there are."""
SETS = 16
"""Data sets that are drawn; of more replicas several have the same, each a copy of its own."""
CUDA = torch.device("cuda")
MIB = 2**20


def compare(work: Workload, R: int) -> dict[str, Any]:
    """Milliseconds a step of each contestant (all replicas), first rounds, and peak memory."""
    work = replace(work, data=few(work.data))
    many = 1000 if R <= 256 else 300
    how = partial(speed.ours, work, range(R), gradient=work.gradient)
    make: dict[str, tuple[int, Callable[[int], AbstractContextManager[Advance]]]] = {
        "eager": (max(5, min(100, 1600 // R)), partial(how, execution=core.Execution(CUDA))),
        "compiled": (many, partial(how, execution=core.Execution(CUDA, compiled=True))),
        "floor": (many, lambda steps: nullcontext(floor(work, R, steps))),
    }
    if R <= LOOP_UP_TO:
        loop = partial(speed.plain_loop, work, range(R), device=CUDA)
        make["loop"] = max(1, 200 // R), lambda steps: nullcontext(loop(steps=steps))
    row: dict[str, Any] = {"workload": work.name, "replicas": R}
    for name, (steps, contestant) in make.items():
        row |= {f"{name} {what}": x for what, x in measured(contestant, steps).items()}
    print(row, flush=True)
    return row


def measured(
    contestant: Callable[[int], AbstractContextManager[Advance]], steps: int
) -> dict[str, float]:
    """Of one contestant that goes ``steps`` steps a round: its times, and the memory it takes."""
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    times = []
    begin = time.perf_counter()
    with contestant(steps) as advance:
        for _ in range(ROUNDS + 1):
            advance()
            torch.cuda.synchronize()
            times.append(time.perf_counter() - begin)
            begin = time.perf_counter()
    first, *later = times
    return {
        "ms": round(statistics.median(later) / steps * 1e3, 5),
        "first round s": round(first, 2),
        "MiB": round(torch.cuda.max_memory_allocated() / MIB, 1),
    }


def few(draw: Callable[[torch.Generator], Any]) -> Callable[[torch.Generator], Any]:
    """As ``draw``, of `SETS` data sets on the device."""
    drawn: dict[int, Any] = {}

    def one_of_them(g: torch.Generator) -> Any:
        k = g.initial_seed() % SETS
        if k not in drawn:
            made = draw(core.generator(k, "d"))
            drawn[k] = core.ensemble.map_tensors(lambda x: x.to(CUDA), made)
        return drawn[k]

    return one_of_them


def floor(work: Workload, R: int, steps: int) -> Advance:
    """Only the matrix products, in a CUDA graph."""
    triples = [
        (torch.randn(R, n, k, device=CUDA), torch.randn(R, k, m, device=CUDA),
         torch.empty(R, n, m, device=CUDA))
        for n, k, m in work.products
    ]  # fmt: skip

    def products() -> None:
        for a, b, out in triples:
            torch.bmm(a, b, out=out)

    return partial(capture(products, []), steps)


def main() -> None:
    """Write everything, row by row."""
    out, work = Path(sys.argv[1]), workloads.patches(24, 20, 28, 32)
    name = f"{torch.cuda.get_device_name()}, {os.cpu_count()} cores"
    record = about() | {"device": name, "cuda": torch.version.cuda, "rounds": ROUNDS, "rows": []}
    for R in REPLICAS:
        record["rows"].append(compare(work, R))
        out.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
