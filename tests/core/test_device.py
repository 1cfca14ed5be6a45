"""Which device to train on."""

import pytest
import torch

from featurebook.core import pick_device


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
