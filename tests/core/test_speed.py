"""What makes training fast changes no result."""

import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import torch

from featurebook.core import Execution, per_network, replicate, takes_replicas, train
from featurebook.core.ensemble import for_replicas

SEEDS = (5, 1, 8)
SGD = partial(torch.optim.SGD, lr=0.05, momentum=0.9)


def loss(params, x):
    return (x @ params["w"] - x.sum(-1)).square().mean()


def by_hand(params, x, scale):
    """Of one network (3,), (N, 3) and of all (R, 3), (R, N, 3)."""
    rest = (x @ params["w"].unsqueeze(-1)).squeeze(-1) - x.sum(-1)
    gradient = (rest.unsqueeze(-1) * x).mean(-2) * (2 * scale)
    return {"w": gradient}, rest.square().mean(-1)


def run(gradient, shared=False, loss=loss):
    x = torch.randn(3, 20, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    w = replicate(lambda g: {"w": torch.randn(3, generator=g, dtype=torch.float64)}, SEEDS, "init")
    return train(
        loss, w, x[0] if shared else x, data_dim=None if shared else 0, steps=30, seeds=SEEDS,
        optimizer=SGD, gradient=gradient, batch_size=None if shared else 6,
    ).params["w"]  # fmt: skip


@pytest.mark.parametrize("shared", [False, True])
def test_a_gradient_that_takes_replicas_gives_the_same(shared):
    shapes = []

    @takes_replicas
    def seen(params, x, scale):
        shapes.append(params["w"].shape)
        return by_hand(params, x, scale)

    lifted = run(partial(by_hand, scale=1.0), shared)
    direct = run(partial(partial(seen), scale=1.0), shared)
    torch.testing.assert_close(direct, lifted, rtol=1e-13, atol=1e-13)
    torch.testing.assert_close(direct, run(None, shared), rtol=1e-12, atol=1e-12)
    assert set(shapes) == {(3, 3)}  # all replicas at once


@pytest.mark.parametrize("shared", [False, True])
def test_a_loss_that_takes_replicas_gives_the_same(shared):
    shapes = []

    @takes_replicas
    def seen(params, x):
        shapes.append(params["w"].shape)
        return by_hand(params, x, 1.0)[1]

    torch.testing.assert_close(
        run(None, shared, loss=seen), run(None, shared), rtol=1e-12, atol=1e-12
    )
    assert set(shapes) == {(3, 3)}


def test_only_what_says_so_is_called_with_all_replicas():
    plain, marked = partial(by_hand, scale=1.0), takes_replicas(lambda p, x: by_hand(p, x, 1.0))
    params, x = {"w": torch.ones(2, 3)}, torch.ones(2, 4, 3)
    assert for_replicas(marked, 0, 0) is marked
    assert for_replicas(plain, 0, 0) is not plain
    expected = per_network(plain, 0, 0)(params, x)[1]
    torch.testing.assert_close(for_replicas(plain, 0, 0)(params, x)[1], expected)


def page_faults_of_large_tensors():
    """For a child process: page faults a call, after a training."""
    run(None)
    x = torch.empty(1 << 20)
    for _ in range(10):
        x = x * 2  # the first need new memory
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):  # many: the heap may still grow once
        x = x * 2
    return (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / 100


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_training_keeps_the_memory_that_it_frees():
    # 4 MiB are 1024 pages; a process of its own, for the setting lasts
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); "
    code += f"import {Path(__file__).stem} as t; print(t.page_faults_of_large_tensors())"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(out.stdout) < 100


def test_every_compiled_training_has_programs_of_its_own_shapes(monkeypatch):
    torch.compiler.reset()
    fixed = []  # of each program, whether all its inputs have sizes that are numbers

    def backend(graph, inputs, **_):  # the options are those of the C++
        fixed.append(not any(isinstance(x, torch.SymInt) for x in inputs))
        return graph.forward

    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend=backend))
    for k in range(10):  # torch alone stops after eight
        before = len(fixed)
        train(
            loss,
            {"w": torch.ones(1, 2 + k)},
            torch.ones(1, 5 + k, 2 + k),
            steps=4,
            seeds=[0],
            optimizer=SGD,
            execution=Execution(compiled=True),
        )
        assert len(fixed) > before
    assert all(fixed)
