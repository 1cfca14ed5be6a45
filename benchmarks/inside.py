"""Inside a training: where the time of a step goes, and how much memory it takes."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from multiprocessing import get_context
from typing import Any

import psutil
import torch

import speed
import workloads
from featurebook import core
from featurebook.core import batches
from featurebook.core.ensemble import for_replicas
from featurebook.press.run.provenance import peak_memory as peak_of_this_process
from workloads import Workload

KINDS = {
    "matrix products": ("mm", "bmm", "addmm", "baddbmm", "matmul", "linear"),
    "gathering rows": ("index", "gather", "scatter", "embedding_bag"),
    "sums, maxima, softmax": ("sum", "mean", "max", "amax", "argmax", "softmax", "norm"),
    "copies": ("copy", "clone", "cat", "contiguous", "fill", "zero", "stack"),
    "optimizer": ("foreach", "Optimizer"),
    "fused by the compiler": ("## Call CompiledFxGraph",),
}  # by how the names of torch's operations begin
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
    gradient, params, supply = compiled_gradient(work, replicas)
    batch = next(supply)

    def call() -> None:
        for _ in range(calls):
            gradient(params, batch)

    with torch.no_grad():
        call()
        return shares(call)


def compiled_gradient(
    work: Workload, replicas: int
) -> tuple[Callable[..., Any], core.Params, Iterator[Any]]:
    """The gradient of an ensemble, compiled; its parameters; its batches."""
    torch.compiler.reset()  # what is compiled already would be taken as it is
    seeds = range(replicas)
    params, data = core.replicate(work.params, seeds, "i"), core.replicate(work.data, seeds, "d")
    one = work.gradient or torch.func.grad_and_value(work.loss)
    supply = iter(batches.source(data, 0, work.batch_size, seeds, torch.device("cpu")))
    return torch.compile(for_replicas(one, 0, 0), dynamic=False), params, supply


def shares(run: Callable[[], object]) -> dict[str, float]:
    """Shares of the CPU time that a call takes, by kind of operation."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as seen:
        run()
    times: Counter[str] = Counter()
    for event in seen.key_averages():
        times[_kind(event.key)] += event.self_cpu_time_total
    return {kind: round(t / times.total(), 3) for kind, t in times.most_common()}


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
        how = core.Execution(compiled=contestant == "compiled")
        advance = speed.ours(work, range(replicas), 2, gradient=work.gradient, execution=how)
    with advance as go:
        go()
        go()
    return round((peak_of_this_process() - before) / MIB, 1)
