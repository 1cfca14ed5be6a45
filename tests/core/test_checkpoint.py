"""A run that was stopped goes on to the very bits of an unbroken one."""

import itertools
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import torch

from featurebook.core import (
    Execution,
    NonFiniteLossError,
    Observe,
    checkpoint,
    replicate,
    train,
    training,
    updates,
)

SEEDS = (2, 9)
STEPS = 250
LOOKS = (0, 1, 60, 130, 131, STEPS)


def loss(params, batch):
    return ((batch @ params["w"]).tanh() @ params["v"] - batch.prod(-1)).square().mean()


def look(params):
    return {"norm": params["w"].flatten(1).norm(dim=1), "v": params["v"]}


def plan(mode="mini-batches", observe=look, observe_at=LOOKS, checkpoint_file=None, **changes):
    def draw(g):
        return {"w": torch.randn(3, 4, generator=g), "v": torch.randn(4, generator=g)}

    def fresh(g, count):
        return torch.randn(count, 5, 3, generator=g)

    chosen = {
        "params": replicate(draw, SEEDS, "init"),
        "data": fresh if mode == "fresh batches" else torch.linspace(-1, 1, 66).reshape(2, 11, 3),
        "steps": STEPS,
        "seeds": SEEDS,
        "optimizer": partial(torch.optim.Adam, lr=0.01),
        "batch_size": 4 if mode == "mini-batches" else None,
        "observe": Observe(observe, at=observe_at),
        "execution": Execution(checkpoint_file=checkpoint_file),
    }
    return chosen | changes


def run(mode="mini-batches", **changes):
    return train(loss, **plan(mode, **changes))


def assert_same(a, b):
    assert a.steps == b.steps
    assert a.params.keys() == b.params.keys()
    assert a.observed.keys() == b.observed.keys()
    for x, y in ((a.params, b.params), (a.observed, b.observed)):
        for name in x:
            assert torch.equal(x[name], y[name]), name


def stop_at(call, how):
    """An observer that is interrupted at its nth call."""
    calls = 0

    def observer(params):
        nonlocal calls
        calls += 1
        if calls == call:
            how()
        return look(params)

    return observer


def ctrl_c():
    raise KeyboardInterrupt


@pytest.mark.parametrize("mode", ["full batch", "mini-batches", "fresh batches"])
@pytest.mark.parametrize("call", range(1, len(LOOKS) + 1))
def test_interrupted_and_resumed_equals_unbroken(tmp_path, mode, call):
    unbroken, file = run(mode), tmp_path / "c.safetensors"
    with pytest.raises(KeyboardInterrupt):
        run(mode, checkpoint_file=file, observe=stop_at(call, ctrl_c))
    assert file.exists()
    seen = []
    resumed = run(mode, checkpoint_file=file, observe=lambda p: (seen.append(1), look(p))[1])
    assert_same(resumed, unbroken)
    assert len(seen) == len(LOOKS) - call + 1  # it went on and did not begin again


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_sgd_goes_on_with_its_momentum(tmp_path, momentum):
    sgd = partial(torch.optim.SGD, lr=0.02, momentum=momentum)
    with pytest.raises(KeyboardInterrupt):
        run(optimizer=sgd, checkpoint_file=tmp_path / "c", observe=stop_at(4, ctrl_c))
    assert_same(run(optimizer=sgd, checkpoint_file=tmp_path / "c"), run(optimizer=sgd))


def test_an_interruption_amid_an_update_is_not_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "STEPS_BETWEEN_CHECKS", 50)
    monkeypatch.setattr(training, "SECONDS_BETWEEN_CHECKPOINTS", -1.0)
    file, calls, move = tmp_path / "c.safetensors", itertools.count(1), updates.Adam.move

    def interrupted(rule, p, g, state, numbers):
        if next(calls) == 2 * 77:  # the second of two parameters, in step 77
            raise KeyboardInterrupt
        move(rule, p, g, state, numbers)

    monkeypatch.setattr(updates.Adam, "move", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(checkpoint_file=file)
    assert checkpoint.load(file)[1]["done"] == 50
    assert_same(run(checkpoint_file=file), run())


def doomed(file):
    """For a child process: write a checkpoint at step 100, die at step 131."""
    training.SECONDS_BETWEEN_CHECKPOINTS = -1.0
    die = partial(os.kill, os.getpid(), signal.SIGKILL)
    run(checkpoint_file=Path(file), observe=stop_at(5, die))


def test_killed_and_resumed_equals_unbroken(tmp_path):
    file, here = tmp_path / "c.safetensors", Path(__file__)
    program = f"import sys; sys.path.insert(0, {str(here.parent)!r})\n"
    program += f"import {here.stem} as t; t.doomed({str(file)!r})"
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120)
    assert child.returncode == -signal.SIGKILL, child.stderr.decode()
    assert checkpoint.load(file)[1]["done"] == 100
    assert_same(run(checkpoint_file=file), run())


def test_a_finished_run_is_not_trained_again(tmp_path):
    file = tmp_path / "new" / "folder" / "c.safetensors"
    first = run(checkpoint_file=file)

    def never(params):
        raise AssertionError("observed again")

    again = run(checkpoint_file=file, observe=never)
    assert_same(first, again)


@pytest.mark.parametrize(
    "changes",
    [
        {"steps": STEPS + 1},
        {"seeds": (2, 8)},
        {"batch_size": 5},
        {"observe_at": (0, STEPS)},
        {"optimizer": partial(torch.optim.Adam, lr=0.011)},
        {"optimizer": partial(torch.optim.SGD, lr=0.01)},
        {"schedule": lambda t: 0.005},
        {"data": torch.linspace(-1, 1.1, 66).reshape(2, 11, 3)},
        {"params": {"w": torch.ones(2, 3, 4), "v": torch.ones(2, 4)}},
    ],
    ids=lambda c: next(iter(c)),
)
def test_the_checkpoint_of_another_training_is_refused(tmp_path, changes):
    file = tmp_path / "c.safetensors"
    run(checkpoint_file=file, steps=STEPS)
    before = file.read_bytes()
    with pytest.raises(ValueError, match="belongs to another training") as error:
        run(checkpoint_file=file, **changes)
    assert str(file) in str(error.value)
    assert file.read_bytes() == before


def another_loss(params, batch):
    return loss(params, batch)


def scaled(params, batch, c0=0.01):
    return c0 * loss(params, batch)


def enclosed(c0):
    return lambda params, batch: c0 * loss(params, batch)


def gradient(params, batch, c0):
    return torch.func.grad_and_value(scaled)(params, batch, c0=c0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"loss": loss}, {"loss": another_loss}),
        ({"loss": partial(scaled, c0=0.01)}, {"loss": partial(scaled, c0=0.3)}),
        ({"loss": partial(scaled, c0=torch.ones(2))}, {"loss": partial(scaled, c0=torch.zeros(2))}),
        ({"loss": enclosed(0.01)}, {"loss": enclosed(0.3)}),
        ({"loss": scaled}, {"loss": scaled, "gradient": partial(gradient, c0=0.01)}),
        (
            {"loss": scaled, "gradient": partial(gradient, c0=0.01)},
            {"loss": scaled, "gradient": partial(gradient, c0=0.3)},
        ),
    ],
)
def test_the_checkpoint_of_another_loss_or_gradient_is_refused(tmp_path, one, other):
    def fingerprint(loss, gradient=None):
        return checkpoint.fingerprint(torch.ones(2), (1,), loss, gradient)

    assert fingerprint(**one) == fingerprint(**one) != fingerprint(**other)


def test_a_checkpoint_knows_what_is_bound_to_the_loss(tmp_path):
    file = tmp_path / "c.safetensors"
    first = train(partial(scaled, c0=0.01), **plan(checkpoint_file=file))
    again = train(partial(scaled, c0=0.01), **plan(checkpoint_file=file))
    assert_same(first, again)
    with pytest.raises(ValueError, match="belongs to another training"):
        train(partial(scaled, c0=0.3), **plan(checkpoint_file=file))


def cut(content):
    return content[: len(content) // 2]


@pytest.mark.parametrize(
    "damage",
    [lambda _: b"", cut, lambda _: b"not a checkpoint at all", lambda b: b"\xff" * 8 + b[8:]],
    ids=["empty", "cut", "text", "header"],
)
def test_a_damaged_checkpoint_is_named(tmp_path, damage):
    file = tmp_path / "c.safetensors"
    run(checkpoint_file=file)
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(ValueError, match="not a readable checkpoint") as error:
        run(checkpoint_file=file)
    assert str(file) in str(error.value)
    assert "delete it" in str(error.value)


def test_tensors_of_somebody_else_are_no_checkpoint(tmp_path):
    from safetensors.torch import save_file

    save_file({"x": torch.ones(2)}, tmp_path / "x.safetensors")
    with pytest.raises(ValueError, match="not a readable checkpoint"):
        checkpoint.load(tmp_path / "x.safetensors")


def test_save_and_load_round_trip(tmp_path):
    tensors = {"a/b": torch.arange(6).reshape(2, 3).T, "step": torch.tensor(3.0)}
    checkpoint.save(tmp_path / "c", tensors, {"done": 3, "words": "für"})
    found, about = checkpoint.load(tmp_path / "c")
    assert about == {"done": 3, "words": "für"}
    assert torch.equal(found["a/b"], tensors["a/b"])
    assert found["step"].shape == ()


def test_a_failed_write_keeps_the_old_file_and_no_litter(tmp_path, monkeypatch):
    file = tmp_path / "c"
    checkpoint.save(file, {"a": torch.ones(1)}, {"done": 1})

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "save_file", full)
    with pytest.raises(OSError, match=r"cannot write the checkpoint .*No space left"):
        checkpoint.save(file, {"a": torch.zeros(1)}, {"done": 2})
    assert checkpoint.load(file)[1] == {"done": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["c"]


def test_a_divergence_keeps_the_last_good_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "STEPS_BETWEEN_CHECKS", 10)
    monkeypatch.setattr(training, "SECONDS_BETWEEN_CHECKPOINTS", -1.0)
    file, sgd = tmp_path / "c", partial(torch.optim.SGD, lr=1.0)

    def sudden(t):
        return 0.01 if t < 55 else 1e30

    with pytest.raises(NonFiniteLossError, match=r"at step 5[5-9] "):
        run(checkpoint_file=file, optimizer=sgd, schedule=sudden)
    tensors, about = checkpoint.load(file)
    assert about["done"] == 50
    assert all(t.isfinite().all() for t in tensors.values())
