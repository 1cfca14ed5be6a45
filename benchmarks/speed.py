"""Time per step of every contestant, interleaved.

A round lets each contestant advance by some steps in turn; the table has medians over the rounds.
"""

import gc
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import torch

from featurebook import core
from featurebook.core.device import release_freed_memory
from featurebook.core.ensemble import map_tensors
from workloads import Workload

ROUNDS = 5
Advance = Callable[[], None]


def sgd_or_adam(work: Workload) -> Callable[..., torch.optim.Optimizer]:
    if work.adam:
        return partial(torch.optim.Adam, lr=work.lr)
    return partial(torch.optim.SGD, lr=work.lr, momentum=0.9, weight_decay=1e-3)


def plain_loop(
    work: Workload, seeds: Sequence[int], steps: int, device: torch.device | str = "cpu"
) -> Advance:
    """What a reader would write: one network after the other, autograd, torch.optim."""
    runs = []
    for seed in seeds:
        start = work.params(core.generator(seed, "i"))
        params = {k: v.to(device).requires_grad_() for k, v in start.items()}
        data = map_tensors(lambda x: x.to(device), work.data(core.generator(seed, "d")))
        runs.append((params, data, sgd_or_adam(work)(params.values())))

    def advance() -> None:
        for params, data, optimizer in runs:
            for _ in range(steps):
                batch = data
                if work.batch_size:
                    n = len(data if isinstance(data, torch.Tensor) else data[0])
                    index = torch.randint(n, (work.batch_size,), device=device)
                    batch = map_tensors(lambda x, index=index: x[index], data)
                optimizer.zero_grad()
                work.loss(params, batch).backward()
                optimizer.step()

    return advance


def in_jax(work: Workload, seeds: Sequence[int], steps: int) -> Advance:
    """jit(vmap(scan)), with batches drawn inside the scan."""
    on_jax = partial(map_tensors, lambda x: jnp.asarray(x.numpy()))
    state = {"params": on_jax(core.replicate(work.params, seeds, "i"))}
    data = on_jax(core.replicate(work.data, seeds, "d"))
    state["m"] = jax.tree.map(jnp.zeros_like, state["params"])
    state["v"] = jax.tree.map(jnp.zeros_like, state["params"])
    state["t"] = jnp.zeros(len(seeds))
    keys = jax.random.split(jax.random.key(0), len(seeds))
    each = jax.tree.map

    def update(s: Any, data: Any, key: Any) -> tuple[Any, jax.Array]:
        batch = data
        if work.batch_size:
            n = jax.tree.leaves(data)[0].shape[0]
            index = jax.random.randint(key, (work.batch_size,), 0, n)
            batch = each(lambda x: x[index], data)
        value, grad = jax.value_and_grad(work.jax_loss)(s["params"], batch)
        t, p, m, v = s["t"] + 1, s["params"], s["m"], s["v"]
        if work.adam:
            m = each(lambda m, g: 0.9 * m + 0.1 * g, m, grad)
            v = each(lambda v, g: 0.999 * v + 0.001 * g * g, v, grad)
            scale = work.lr * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
            p = each(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + 1e-8), p, m, v)
        else:
            m = each(lambda m, g, p: 0.9 * m + g + 1e-3 * p, m, grad, p)
            p = each(lambda p, m: p - work.lr * m, p, m)
        return {"params": p, "m": m, "v": v, "t": t}, value

    @jax.jit
    @jax.vmap
    def scan(s: Any, data: Any, key: Any) -> tuple[Any, jax.Array]:
        return jax.lax.scan(lambda s, k: update(s, data, k), s, jax.random.split(key, steps))

    def advance() -> None:
        nonlocal state, keys
        state, _ = jax.block_until_ready(scan(state, data, keys))
        keys = jax.vmap(lambda k: jax.random.fold_in(k, 1))(keys)

    return advance


class Stop(Exception):  # noqa: N818
    """Ends a training in the background."""


@contextmanager
def ours(work: Workload, seeds: Sequence[int], steps: int, **more: Any) -> Iterator[Advance]:
    """One `core.train` in the background that stands still between rounds."""
    go, done, ended, failed = threading.Semaphore(0), threading.Semaphore(0), [], []

    def pause(params: core.Params) -> dict[str, torch.Tensor]:
        done.release()
        go.acquire()
        if ended:
            raise Stop
        return {}

    def run() -> None:
        try:
            core.train(
                work.loss,
                core.replicate(work.params, seeds, "i"),
                core.replicate(work.data, seeds, "d"),
                steps=10**6,
                seeds=seeds,
                optimizer=sgd_or_adam(work),
                batch_size=work.batch_size,
                observe=core.Observe(pause, at=range(0, 10**6, steps)),
                **more,
            )
        except Stop:
            pass
        except Exception as error:
            failed.append(error)
            done.release()

    def advance() -> None:
        go.release()
        done.acquire()
        if failed:
            raise failed[0]

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    done.acquire()
    try:
        yield advance
    finally:
        ended.append(True)
        go.release()
        thread.join()


def floor(work: Workload, seeds: Sequence[int], steps: int) -> Advance:
    """Only the matrix products, as torch multiplies, into memory that is there already."""
    R = len(seeds)
    triples = [
        (torch.randn(R, n, k), torch.randn(R, k, m), torch.empty(R, n, m))
        for n, k, m in work.products
    ]

    def advance() -> None:
        for _ in range(steps):
            for a, b, out in triples:
                torch.bmm(a, b, out=out)

    return advance


def compare(work: Workload, replicas: int, steps: int) -> dict[str, Any]:
    """Milliseconds a step of each contestant (all replicas), and the seconds its start took."""
    seeds = range(replicas)
    core_of = partial(ours, work, seeds, steps, gradient=work.gradient)
    with ExitStack() as stack:
        make: dict[str, Callable[[], Advance]] = {
            "loop": partial(plain_loop, work, seeds, steps),
            "jax": partial(in_jax, work, seeds, steps),
            "eager": lambda: stack.enter_context(core_of()),
            "compiled": lambda: stack.enter_context(
                core_of(execution=core.Execution(compiled=True))
            ),
            "floor": partial(floor, work, seeds, steps),
        }
        contestants, start, times = {}, {}, {name: [] for name in make}
        for name in make:
            begin = time.perf_counter()
            contestants[name] = make[name]()
            contestants[name]()
            start[name] = round(time.perf_counter() - begin, 2)
            gc.collect()
            release_freed_memory()  # what drawing its data took
        for _ in range(ROUNDS):
            for name, advance in contestants.items():
                begin = time.perf_counter()
                advance()
                times[name].append((time.perf_counter() - begin) / steps * 1e3)
    row: dict[str, Any] = {"workload": work.name, "replicas": replicas, "steps a round": steps}
    row |= {f"{n} ms": round(statistics.median(t), 4) for n, t in times.items()}
    row |= {f"{n} first round s": s for n, s in start.items()}
    print(row, flush=True)
    return row
