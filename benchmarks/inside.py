"""Inside a training: where the time of a step goes, and how much memory it takes."""

import math
import statistics
import timeit
from collections import Counter
from collections.abc import Callable, Iterator
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
    "loss and the rest": "cpp_fused",
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
    gradient, params, supply = _compiled_gradient(work, replicas)
    batch = next(supply)

    def call() -> None:
        for _ in range(calls):
            gradient(params, batch)

    with torch.no_grad():
        call()
        return shares(call)


def _compiled_gradient(
    work: Workload, replicas: int
) -> tuple[Callable[..., Any], core.Params, Iterator[Any]]:
    torch.compiler.reset()  # what is compiled already would be taken as it is
    seeds = range(replicas)
    params, data = core.replicate(work.params, seeds, "i"), core.replicate(work.data, seeds, "d")
    one = work.gradient or torch.func.grad_and_value(work.loss)
    supply = supply_of(data, 0, work.batch_size, seeds, torch.device("cpu"), 0)
    return torch.compile(for_replicas(one, 0, 0), dynamic=False), params, supply


def pieces(work: Workload, replicas: int, calls: int) -> dict[str, dict[str, float | None]]:
    """Milliseconds of the pieces of a compiled step of the P-patch autoencoder, and of a floor.

    A piece has what the compiler fused with it; "calls" is what lies between. `floors` has some.
    """
    gradient, params, supply = _compiled_gradient(work, replicas)
    batch = next(supply)
    update = speed.sgd_or_adam(work)(list(params.values()))
    spent: Counter[str] = Counter()
    with torch.no_grad(), inductor_config.patch({"cpp.enable_kernel_profile": True}):
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
