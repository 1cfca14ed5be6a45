"""An ensemble trained in parts, or on several devices, is the ensemble trained whole."""

import threading
from functools import partial

import pytest
import torch

from featurebook.core import Execution, Observe, parts, replicate, train, train_in_parts

SEEDS = (5, 1, 8, 2, 9)
ADAM = partial(torch.optim.Adam, lr=0.02)


def loss(params, x):
    return ((x @ params["w"]).tanh() - x.prod(-1)).square().mean()


def norm(params):
    return {"norm": params["w"].norm(dim=1)}


def plan(data_dim=0, what=norm):
    def draw(g):
        return {"w": torch.randn(3, generator=g, dtype=torch.float64)}

    x = torch.randn(5, 20, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return {
        "loss": loss, "params": replicate(draw, SEEDS, "init"),
        "data": x if data_dim == 0 else x[0], "data_dim": data_dim, "seeds": SEEDS, "steps": 25,
        "optimizer": ADAM, "batch_size": 6, "observe": Observe(what, at=(0, 7, 25)),
    }  # fmt: skip


def assert_same(a, b):
    assert (a.seeds, a.steps) == (b.seeds, b.steps)
    torch.testing.assert_close(a.params["w"], b.params["w"], rtol=1e-9, atol=1e-10)
    torch.testing.assert_close(a.observed["norm"], b.observed["norm"], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("data_dim", [0, None])
@pytest.mark.parametrize("at_a_time", [1, 2, 5, 9])
def test_parts_give_what_the_whole_gives(at_a_time, data_dim):
    in_parts = train_in_parts(**plan(data_dim), at_a_time=at_a_time, devices=["cpu"])
    assert_same(in_parts, train(**plan(data_dim)))


def test_two_devices_share_the_work_at_the_same_time(monkeypatch):
    # Both are the CPU; each part waits for another one to have begun, on another thread.
    meeting, threads = threading.Barrier(2, timeout=20), set()

    def together(*args, **kwargs):
        meeting.wait()
        threads.add(threading.get_ident())
        return train(*args, **kwargs)

    both = dict(plan(), seeds=SEEDS[:4], observe=None)
    both["params"], both["data"] = {"w": both["params"]["w"][:4]}, both["data"][:4]
    monkeypatch.setattr(
        parts,
        "train",
        lambda *a, **k: (meeting.wait(), threads.add(threading.get_ident()), train(*a, **k))[2],
    )
    found = train_in_parts(**both, devices=["cpu", "cpu"], at_a_time=2)
    assert len(threads) == 2
    torch.testing.assert_close(found.params["w"], train(**both).params["w"])


def test_each_part_goes_on_from_its_own_checkpoint(tmp_path):
    file = tmp_path / "run.safetensors"
    calls = []

    def stop(params):
        calls.append(1)
        if len(calls) == 5:  # the second part, at step 7
            raise KeyboardInterrupt
        return norm(params)

    more = {"at_a_time": 2, "devices": ["cpu"], "execution": Execution(checkpoint_file=file)}
    with pytest.raises(KeyboardInterrupt):
        train_in_parts(**plan(what=stop), **more)
    assert sorted(f.name for f in tmp_path.iterdir()) == ["0-run.safetensors", "2-run.safetensors"]
    assert_same(train_in_parts(**plan(), **more), train(**plan()))


def test_what_a_replica_needs_is_measured():
    big = plan()
    big.pop("steps")
    data = torch.zeros(5, 1000, 3)
    big |= {"data": data, "params": {"w": torch.zeros(5, 3)}, "batch_size": None}

    def wide(params, x):
        return (x.repeat(1, 100) @ params["w"].repeat(100)).square().mean()  # 1.2 MB

    needed = parts.bytes_of_a_replica(**(big | {"loss": wide}))
    assert 1_200_000 < needed < 4_000_000


def test_as_many_as_fit_are_trained_at_a_time(monkeypatch):
    needed = parts.bytes_of_a_replica(**{k: v for k, v in plan().items() if k != "steps"})
    sizes = []

    def noted(*args, **kwargs):
        sizes.append(len(kwargs["seeds"]))
        return train(*args, **kwargs)

    monkeypatch.setattr(parts, "train", noted)
    monkeypatch.setattr(parts, "_free_bytes", lambda _: int(2.5 * needed / 0.7))
    assert_same(train_in_parts(**plan(), devices=["cpu"]), train(**plan()))
    assert sizes == [2, 2, 1]


def test_an_impossible_ensemble_says_what_it_needs_and_what_there_is(monkeypatch):
    monkeypatch.setattr(parts, "_free_bytes", lambda _: 0)
    with pytest.raises(MemoryError, match=r"one replica needs \d+ MiB on cpu, where 0 MiB"):
        train_in_parts(**plan(), devices=["cpu"])


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
@pytest.mark.parametrize("at_a_time", [2, None])
def test_parts_on_every_gpu_give_what_the_whole_gives(at_a_time):
    expected = train(**plan())
    found = train_in_parts(**plan(), at_a_time=at_a_time)
    torch.testing.assert_close(found.params["w"], expected.params["w"], rtol=1e-6, atol=1e-7)
