"""The pieces of a compiled step of the P-patch autoencoder: ``python benchmarks/pieces.py OUT``."""

import json
import math
import statistics
import sys
import timeit
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
import torch._inductor.config as inductor_config

import one_core  # noqa: F401
import speed
import workloads
from about import about
from featurebook.core.device import keep_freed_memory
from inside import compiled_gradient
from measure import replicas_of
from workloads import Workload

PIECES = {
    "products": "aten::bmm",
    "winning rows": "aten::_embedding_bag",
    "largest excitations": "_amax_",
    "pairs of kernels": "_eq_",
    "loss and the rest": "cpp_fused",
}  # by what the names of operations and fused programs contain; the first that fits


def pieces(work: Workload, replicas: int, calls: int) -> dict[str, dict[str, float | None]]:
    """Milliseconds of the pieces of a compiled step of the P-patch autoencoder, and of a floor.

    A piece has what the compiler fused with it; "calls" is what lies between. `floors` has some.
    """
    gradient, params, supply = compiled_gradient(work, replicas)
    batch = next(supply)
    update = speed.sgd_or_adam(work)(list(params.values()))
    spent: Counter[str] = Counter()
    with torch.no_grad(), inductor_config.patch({"cpp.enable_kernel_profile": True}):
        for _ in range(calls):  # compiled, and its memory at hand
            grads, _ = gradient(params, batch)
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as seen:
            for _ in range(calls):
                gradient(params, batch)
    for event in seen.key_averages():
        spent[_piece(event.key)] += event.self_cpu_time_total / calls / 1e3
    for name, p in params.items():
        p.grad = grads[name]
    update.step()  # makes its state, which is not part of a step
    spent["update"] = milliseconds(calls, torch.compile(update.step, dynamic=False))
    if work.batch_size:
        spent["drawing the batch"] = milliseconds(calls, partial(next, supply))
    least = floors(work, batch, params["w"].shape[1], calls)
    return {
        name: {"ms": round(ms, 4), "floor ms": round(least[name], 4) if name in least else None}
        for name, ms in spent.most_common()
    }


def floors(work: Workload, batch: torch.Tensor, C: int, calls: int) -> dict[str, float]:
    """Milliseconds that pieces of a step need if each is a pass of its own.

    That is, to read what a piece reads once, in order; to copy the batch; a multiply-add a pair of
    kernels and sum, as fast as in the products.

    Args:
        batch: (R, B, P, d).
        C: kernels of a network.
    """
    R, B, P, d = batch.shape
    reads = {"largest excitations": P * C, "winning rows": C * d, "loss and the rest": P * d}
    least = {k: milliseconds(calls, torch.ones(R * B * n).sum) for k, n in reads.items()}
    products = milliseconds(calls, speed.floor(work, range(R), 1))
    of_all_products = sum(math.prod(sizes) for sizes in work.products)
    return least | {
        "products": products,
        "pairs of kernels": products * 2 * B * C * C / of_all_products,
        "drawing the batch": milliseconds(calls, partial(torch.empty_like(batch).copy_, batch)),
    }


def milliseconds(calls: int, call: Callable[[], object]) -> float:
    """Of one call; the median of some rounds."""
    rounds = [timeit.timeit(call, number=calls) / calls for _ in range(speed.ROUNDS + 1)]
    return statistics.median(rounds[1:]) * 1e3


def _piece(operation: str) -> str:
    """By what the compiler calls its programs: after the operations that went into them."""
    return next((name for name, part in PIECES.items() if part in operation), "calls")


def main() -> None:
    """Measure, print, write."""
    torch.set_num_threads(1)
    keep_freed_memory()
    measured = {}
    for work in workloads.every():
        if work.gradient is not None:
            calls = 1000 if work.products[0][0] < 1000 else 20
            measured[work.name] = pieces(work, replicas_of(work), calls)
    record = json.dumps(about() | {"pieces": measured}, indent=1)
    Path(sys.argv[1]).write_text(record + "\n")
    print(record)


if __name__ == "__main__":
    main()
