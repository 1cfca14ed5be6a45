"""Which device to train on, its memory, its matrix products."""

import subprocess
import sys
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


@pytest.fixture
def precision(monkeypatch):
    """torch's setting as it comes, put back afterwards."""
    setting = torch.backends.mkldnn.matmul
    before, setting.fp32_precision = setting.fp32_precision, "none"
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_f": True}, raising=False)
    yield setting
    setting.fp32_precision = before


@pytest.mark.parametrize(
    ("known", "exact", "chosen"),
    [
        ({"avx512_f": True}, True, "bf16"),
        ({"avx512_f": True}, False, "none"),
        ({"avx512_f": True, "amx_tile": True}, True, "none"),
        ({}, True, "none"),
    ],
)
def test_onednn_multiplies_only_where_it_is_exact(precision, monkeypatch, known, exact, chosen):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: known, raising=False)
    monkeypatch.setattr(device, "_products_are_exact", lambda: exact)
    device.multiply_with_onednn.__wrapped__()
    assert precision.fp32_precision == chosen


def test_a_chosen_precision_is_left(precision):
    precision.fp32_precision = "ieee"
    device.multiply_with_onednn.__wrapped__()
    assert precision.fp32_precision == "ieee"


@pytest.mark.parametrize(("n", "k", "m"), [(1, 1, 1), (3, 5, 7), (640, 24, 28), (300, 1000, 90)])
def test_products_are_within_the_rounding_of_single_precision(n, k, m):
    device.multiply_with_onednn()
    g = torch.Generator().manual_seed(0)
    x, y = torch.randn(3, n, k, generator=g), torch.randn(3, k, m, generator=g)
    u = k * 2.0**-24  # Higham, Accuracy and Stability of Numerical Algorithms, (3.13)
    bound = u / (1 - u) * (x.abs().double() @ y.abs().double())
    exact = x.double() @ y.double()
    assert ((torch.bmm(x, y) - exact).abs() <= bound).all()
    assert ((x[0] @ y[0] - exact[0]).abs() <= bound[0]).all()
