"""Inside a training: where the time of a step goes, and how much memory it takes."""

import math
import statistics
import timeit
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from multiprocessing import get_context
from typing import Any

import psutil
import torch
import torch._inductor.config as inductor_config

import speed
import workloads
from featurebook import core
from featurebook.core.ensemble import for_replicas
from featurebook.core.training import _move as move_parameters
from featurebook.core.training import supply_of
from featurebook.press.provenance import peak_memory as peak_of_this_process
from workloads import Workload

KINDS = {
    "matrix products": ("mm", "bmm", "addmm", "baddbmm", "matmul", "linear"),
    "gathering rows": ("index", "gather", "scatter", "embedding_bag"),
    "sums, maxima, softmax": ("sum", "mean", "max", "amax", "argmax", "softmax", "norm"),
    "copies": ("copy", "clone", "cat", "contiguous", "fill", "zero", "stack"),
    "optimizer": ("foreach", "Optimizer"),
    "fused by the compiler": ("## Call CompiledFxGraph",),
}  # by how the names of torch's operations begin
PIECES = {
    "products": "aten::bmm",
    "winning rows": "aten::_embedding_bag",
    "largest excitations": "_amax_",
    "pairs of kernels": "_eq_",
    "loss": "cpp_fused",
}  # by what the names of operations and fused programs contain; the first that fits
MIB = 2**20


def profile(work: Workload, replicas: int, steps: int) -> dict[str, float]:
    """Shares of the CPU time of eager steps by kind of operation; they add up to one."""
    seeds = range(replicas)
    train = partial(
        core.train, work.loss, core.replicate(work.params, seeds, "i"),
        core.replicate(work.data, seeds, "d"), seeds=seeds, optimizer=speed.sgd_or_adam(work),
        batch_size=work.batch_size, gradient=work.gradient,
    )  # fmt: skip
    train(steps=2)
    return shares(partial(train, steps=steps))


def profile_compiled(work: Workload, replicas: int, calls: int) -> dict[str, float]:
    """The same of the compiled gradient alone."""
    seeds = range(replicas)
    params, data = core.replicate(work.params, seeds, "i"), core.replicate(work.data, seeds, "d")
    supply = supply_of(data, 0, work.batch_size, seeds, torch.device("cpu"), 0)
    batch = next(supply)
    one = work.gradient or torch.func.grad_and_value(work.loss)
    gradient = torch.compile(for_replicas(one, 0, 0))

    def call() -> None:
        for _ in range(calls):
            gradient(params, batch)

    with torch.no_grad():
        call()
        return shares(call)


def pieces(work: Workload, replicas: int, calls: int) -> dict[str, dict[str, float | None]]:
    """Milliseconds of the pieces of a compiled step of the P-patch autoencoder, and of a floor.

    The floor of what moves memory is to read it once in order (the batch: to copy it); that of the
    pairs of kernels a multiply-add each, as fast as in the products. None where there is none.
    """
    seeds = range(replicas)
    params, data = core.replicate(work.params, seeds, "i"), core.replicate(work.data, seeds, "d")
    supply = supply_of(data, 0, work.batch_size, seeds, torch.device("cpu"), 0)
    batch = next(supply)
    gradient = torch.compile(for_replicas(work.gradient, 0, 0), dynamic=False)
    update = speed.sgd_or_adam(work)(list(params.values()))
    with torch.no_grad(), inductor_config.patch({"cpp.enable_kernel_profile": True}):
        grads, _ = gradient(params, batch)
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as seen:
            for _ in range(calls):
                gradient(params, batch)
        move_parameters(params, update, grads)
        spent = Counter(
            {
                "update, not compiled": milliseconds(
                    calls, lambda: move_parameters(params, update, grads)
                )
            }
        )
    for event in seen.key_averages():
        spent[_piece(event.key)] += event.self_cpu_time_total / calls / 1e3
    if work.batch_size:
        spent["drawing the batch"] = milliseconds(calls, lambda: next(supply))
    (R, B, P, d), C = batch.shape, params["w"].shape[1]
    products = milliseconds(calls, speed.floor(work, seeds, 1))
    macs = R * sum(math.prod(sizes) for sizes in work.products)
    one_pass = {
        "largest excitations": R * B * P * C,
        "winning rows": R * B * C * d,
        "loss": R * B * P * d,
    }
    least = {name: milliseconds(calls, torch.ones(size).sum) for name, size in one_pass.items()}
    least |= {"products": products, "pairs of kernels": products * 2 * R * B * C * C / macs}
    least["drawing the batch"] = milliseconds(calls, partial(torch.empty_like(batch).copy_, batch))
    return {
        name: {"ms": round(ms, 4), "floor ms": round(least[name], 4) if name in least else None}
        for name, ms in spent.most_common()
    }


def milliseconds(calls: int, call: Callable[[], object]) -> float:
    """Of one call; the median of some rounds."""
    rounds = [timeit.timeit(call, number=calls) / calls for _ in range(speed.ROUNDS + 1)]
    return statistics.median(rounds[1:]) * 1e3


def shares(run: Callable[[], object]) -> dict[str, float]:
    """Shares of the CPU time that a call takes, by kind of operation."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as seen:
        run()
    times: Counter[str] = Counter()
    for event in seen.key_averages():
        times[_kind(event.key)] += event.self_cpu_time_total
    return {kind: round(t / times.total(), 3) for kind, t in times.most_common()}


def _piece(operation: str) -> str:
    """By what the compiler calls its programs: after the operations that went into them."""
    return next((name for name, part in PIECES.items() if part in operation), "calls")


def _kind(operation: str) -> str:
    name = operation.removeprefix("aten::").strip("_")
    fitting = (kind for kind, begin in KINDS.items() if name.startswith(begin))
    return next(fitting, "entry by entry, and calls")


def peak_memory(work: str, replicas: int, contestant: str) -> float:
    """MiB that some steps of a contestant add to a fresh process, its data included."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_peak_here, work, replicas, contestant).result()


def _peak_here(name: str, replicas: int, contestant: str) -> float:
    torch.set_num_threads(1)
    work = next(w for w in workloads.every() if w.name == name)
    before = psutil.Process().memory_info().rss
    advance: Any
    if contestant in ("loop", "jax"):
        make = {"loop": speed.plain_loop, "jax": speed.in_jax}[contestant]
        advance = nullcontext(make(work, range(replicas), 2))
    else:
        more = {"gradient": work.gradient, "compiled": contestant == "compiled"}
        advance = speed.ours(work, range(replicas), 2, **more)
    with advance as go:
        go()
        go()
    return round((peak_of_this_process() - before) / MIB, 1)
