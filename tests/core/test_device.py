"""Which device to train on, its memory, its matrix products."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import psutil
import pytest
import torch

from featurebook.core import device, pick_device


def test_a_cpu_when_asked_for():
    assert pick_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize(("gpu", "expected"), [(False, "cpu"), (True, "cuda")])
def test_auto_takes_a_gpu_if_there_is_one(monkeypatch, gpu, expected):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpu)
    assert pick_device("auto").type == expected


def test_a_gpu_that_is_not_there_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="sees no GPU") as error:
        pick_device("cuda:1")
    assert "'auto'" in str(error.value)
    assert "\n" not in str(error.value)


def freed_and_released():
    """For a child process: MiB that a release gives back of 200 freed, with gaps between."""
    device.KEPT_BYTES = 1 << 20
    device.keep_freed_memory()
    made = [torch.ones(1 << 18) for _ in range(225)]
    kept = made[8::9]  # the last too, so that no more than gaps is free
    del made
    before = psutil.Process().memory_info().rss
    device.release_freed_memory()
    assert all(x.sum() == 1 << 18 for x in kept)
    return (before - psutil.Process().memory_info().rss) / 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_memory_freed_between_what_is_in_use_is_given_back():
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); "
    code += f"import {Path(__file__).stem} as t; print(t.freed_and_released())"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 150 < float(out.stdout) < 210


def settings_after_training() -> str:
    """For a child process: torch's settings of products, before and after a training run."""
    from featurebook import core

    def now() -> list[str]:
        products = torch.backends.mkldnn.matmul.fp32_precision
        return [products, torch.get_float32_matmul_precision(), str(torch.get_num_threads())]

    before, known = now(), device.kernels()
    core.train(
        lambda p, x: (x @ p["w"]).square().mean(), {"w": torch.ones(1, 3, 2)}, torch.ones(1, 4, 3),
        steps=2, seeds=[0], optimizer=partial(torch.optim.SGD, lr=0.1),
    )  # fmt: skip
    return json.dumps([before, now(), known, device.kernels()])


def test_training_switches_nothing_of_torch_and_says_what_it_keeps():
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); "
    code += f"import {Path(__file__).stem} as t; print(t.settings_after_training())"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after, known, then = json.loads(out.stdout)
    assert before == after
    assert known.pop("freed memory") == "as the C library has it"
    kept = then.pop("freed memory")
    assert ("kept" in kept) == (sys.platform == "linux" and device._glibc() is not None)
    assert known == then


def test_kernels_name_what_computes_here():
    found = device.kernels()
    assert found["torch computes with"] == torch.backends.cpu.get_cpu_capability()
    assert found["MKL"] == ("yes" if torch.backends.mkl.is_available() else "no")
    assert found["oneDNN"].startswith("yes" if torch.backends.mkldnn.is_available() else "no")
    assert all(found.values())


def test_kernels_say_that_products_may_round(monkeypatch):
    setting = torch.backends.mkldnn.matmul
    before, setting.fp32_precision = setting.fp32_precision, "bf16"
    try:
        assert device.kernels()["oneDNN"].endswith("float32 products bf16")
    finally:
        setting.fp32_precision = before
    monkeypatch.setattr(torch.cpu, "get_capabilities", dict, raising=False)  # not in all versions
    assert device.kernels()["vector units"] == "unknown"


@pytest.mark.parametrize(("n", "k", "m"), [(1, 1, 1), (3, 5, 7), (640, 24, 28), (300, 1000, 90)])
def test_products_are_within_the_rounding_of_single_precision(n, k, m):
    g = torch.Generator().manual_seed(0)
    x, y = torch.randn(3, n, k, generator=g), torch.randn(3, k, m, generator=g)
    u = k * 2.0**-24  # Higham, Accuracy and Stability of Numerical Algorithms, (3.13)
    bound = u / (1 - u) * (x.abs().double() @ y.abs().double())
    exact = x.double() @ y.double()
    assert ((torch.bmm(x, y) - exact).abs() <= bound).all()
    assert ((x[0] @ y[0] - exact[0]).abs() <= bound[0]).all()
