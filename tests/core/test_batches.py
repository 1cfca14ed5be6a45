"""Mini-batches depend on the seed and the step alone."""

from itertools import islice

import torch
from hypothesis import given
from hypothesis import strategies as st

from featurebook.core import batches

CPU = torch.device("cpu")
sizes = st.integers(1, 23).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n)))


def indices(seeds, n, size, count, start=0):
    return list(islice(batches.shuffled(seeds, n, size, CPU, start), count))


@given(sizes, st.lists(st.integers(0, 99), min_size=1, max_size=3), st.integers(1, 3))
def test_every_epoch_is_a_permutation(shape, seeds, epochs):
    n, size = shape
    stream = torch.cat(indices(seeds, n, size, -(-epochs * n // size)), dim=1)
    for replica in stream:
        for epoch in replica[: epochs * n].split(n):
            assert sorted(epoch.tolist()) == list(range(n))


@given(sizes, st.integers(0, 60))
def test_starting_at_a_step_equals_skipping_to_it(shape, start):
    n, size = shape
    skipped = indices([2, 7], n, size, start + 4)[start:]
    started = indices([2, 7], n, size, 4, start)
    assert all(torch.equal(a, b) for a, b in zip(skipped, started, strict=True))
    assert all(x.shape == (2, size) for x in started)


def test_epochs_and_seeds_shuffle_differently():
    first, second = indices([0, 1], 50, 50, 2)
    assert not torch.equal(first[0], first[1])
    assert not torch.equal(first[0], second[0])


def test_a_replica_has_its_batches_in_any_ensemble():
    together, alone = indices([3, 8, 5], 20, 6, 9), indices([8], 20, 6, 9)
    assert all(torch.equal(a[1], b[0]) for a, b in zip(together, alone, strict=True))


def test_a_source_gives_each_replica_its_own_rows():
    data = torch.arange(2 * 5 * 3).reshape(2, 5, 3)
    index = indices([3, 8], 5, 2, 4)
    own = islice(batches.source((data,), 0, 2, [3, 8], CPU), 4)
    shared = islice(batches.source({"x": data[0]}, None, 2, [3, 8], CPU), 4)
    for rows, (mine,), ours in zip(index, own, shared, strict=True):
        assert torch.equal(mine, torch.stack([data[0, rows[0]], data[1, rows[1]]]))
        assert torch.equal(ours["x"], torch.stack([data[0, rows[0]], data[0, rows[1]]]))


@given(st.integers(0, 2 * batches.FRESH_AT_A_TIME + 2))
def test_fresh_batches_start_anywhere(start):
    def draw(g, count):
        return torch.rand(count, 3, 2, generator=g)

    skipped = list(islice(batches.fresh(draw, [1, 4], CPU), start, start + 3))
    started = list(islice(batches.fresh(draw, [1, 4], CPU, start), 3))
    assert all(torch.equal(a, b) for a, b in zip(skipped, started, strict=True))
    assert started[0].shape == (2, 3, 2)


def test_fresh_batches_never_come_again():
    def draw(g, count):
        return torch.rand(count, 1, generator=g, dtype=torch.float64)

    found = torch.cat(list(islice(batches.fresh(draw, [0, 1], CPU), 200))).flatten()
    assert found.unique().numel() == found.numel() == 400
