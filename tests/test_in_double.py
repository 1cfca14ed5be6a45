"""Trainings in double precision, as `check --machines` has them."""

from functools import partial

import pytest
import torch

from featurebook.cli import in_double
from featurebook.core import Observe, train
from featurebook.press.book.places import find_chapter
from featurebook.press.run import machines

SGD = partial(torch.optim.SGD, lr=0.1)
CONSTANT = torch.tensor([0.1, 0.2, 0.3])


def loss(params, batch):
    assert params["w"].dtype == batch.dtype
    seen.add(batch.dtype)
    return ((batch @ torch.diag(CONSTANT) @ params["w"] - 1) ** 2).mean()


seen: set[torch.dtype] = set()


@pytest.fixture(autouse=True)
def nothing_seen():
    seen.clear()


def trained(how, data, start, **more):
    observe = Observe(lambda p: {"norm": p["w"].norm(dim=1)}, at=[3])
    return how(loss, {"w": start}, data, steps=5, seeds=[0, 1], optimizer=SGD, observe=observe,
               **more)  # fmt: skip


@pytest.mark.parametrize("drawn", [False, True])
def test_what_is_trained_in_double_precision_is_rounded_at_the_end(drawn, monkeypatch):
    X = torch.randn(2, 8, 3, generator=torch.Generator().manual_seed(0))

    def draw(g, count):
        return torch.randn(count, 8, 3, generator=g)

    found = trained(in_double.widened(train), draw if drawn else X, torch.zeros(2, 3))
    assert seen == {torch.float64}
    assert found.params["w"].dtype == found.observed["norm"].dtype == torch.float32
    single = trained(train, draw if drawn else X, torch.zeros(2, 3))
    assert seen == {torch.float64, torch.float32}
    assert torch.allclose(found.params["w"], single.params["w"], rtol=1e-5)
    if not drawn:
        monkeypatch.setitem(globals(), "CONSTANT", CONSTANT.double())
        exact = trained(train, X.double(), torch.zeros(2, 3, dtype=torch.float64))
        assert torch.equal(found.params["w"], exact.params["w"].float())


def test_what_is_double_already_stays_so(monkeypatch):
    monkeypatch.setitem(globals(), "CONSTANT", CONSTANT.double())
    X = torch.ones(2, 8, 3, dtype=torch.float64)
    found = trained(in_double.widened(train), X, torch.zeros(2, 3, dtype=torch.float64))
    assert found.params["w"].dtype == torch.float64


def test_only_checks_that_train_are_called_in_double_precision():
    book = find_chapter(machines.TRAINING.parents[3], "cone_sets/kernels")
    assert machines.trains(book, "cone_sets-growth-linear")
    assert not machines.trains(book, "cone_sets-theorem-1")
