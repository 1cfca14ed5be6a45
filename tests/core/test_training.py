"""An ensemble is trained exactly as its networks would be alone, and as a plain loop would."""

from functools import partial

import numpy as np
import pytest
import torch

from featurebook.core import Execution, NonFiniteLossError, Observe, inverse_time, train
from trainings import (
    ADAM,
    MODES,
    SEEDS,
    SGD,
    H,
    N,
    close,
    data,
    gradient,
    growing,
    loss,
    run,
    start,
)

OPTIMIZERS = [pytest.param(SGD, id="sgd momentum"), pytest.param(ADAM, id="adam")]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("mode", MODES)
def test_a_replica_equals_its_solo_run(mode, optimizer):
    together = run(SEEDS, mode, optimizer)
    assert not torch.allclose(together.params["w"][0], together.params["w"][1], atol=1e-2)
    for k, seed in enumerate(SEEDS):
        alone = run((seed,), mode, optimizer)
        for name, value in alone.params.items():
            close(together.params[name][k], value[0])
        for name, value in alone.observed.items():
            close(together.observed[name][:, k], value[:, 0])


@pytest.mark.parametrize("mode", MODES)
def test_the_order_of_the_seeds_does_not_matter(mode):
    forth, back = run(SEEDS, mode, SGD), run(SEEDS[::-1], mode, SGD)
    for name in forth.params:
        close(forth.params[name], back.params[name].flip(0))
        # and training moved them, so that this says something
        assert (forth.params[name] - start(SEEDS)[name]).abs().max() > 0.05


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("mode", ["full batch", "mini-batches"])
def test_a_gradient_of_ones_own_equals_autograd(mode, optimizer):
    by_hand = run(SEEDS, mode, optimizer, gradient=gradient)
    by_autograd = run(SEEDS, mode, optimizer)
    for name in by_hand.params:
        close(by_hand.params[name], by_autograd.params[name])


def test_a_gradient_of_ones_own_is_what_is_used():
    def still(params, batch):
        return {k: torch.zeros_like(v) for k, v in params.items()}, loss(params, batch)

    optimizer = partial(torch.optim.SGD, lr=0.1)
    found = run(SEEDS, "full batch", optimizer, gradient=still)
    assert all(torch.equal(found.params[k], v) for k, v in start(SEEDS).items())


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_it_is_the_plain_loop_of_torch(optimizer):
    found = run((7,), "full batch", optimizer, schedule=inverse_time(0.5))
    params = {k: v[0].clone().requires_grad_() for k, v in start((7,)).items()}
    batch = tuple(x[0] for x in data((7,)))
    update = optimizer(list(params.values()))
    for t in range(1, 41):
        for group in update.param_groups:
            group["lr"] = 0.5 / t
        update.zero_grad()
        loss(params, batch).backward()
        update.step()
    for name, p in params.items():
        close(found.params[name][0], p.detach())


def test_the_schedule_gives_the_step_size_of_each_update():
    # loss w²/2 makes w_t = w_0 ∏ (1 - η_s)
    found = train(
        lambda p, _: p["w"].square().sum() / 2,
        {"w": torch.ones(1, 2, dtype=torch.float64)},
        torch.zeros(1, 1),
        steps=5,
        seeds=[0],
        optimizer=partial(torch.optim.SGD, lr=99.0),
        schedule=inverse_time(0.5),
        observe=Observe(lambda p: {"w": p["w"][:, 0]}, at=range(6)),
    )
    expected = np.cumprod([1.0, 1 - 0.5, 1 - 0.5 / 2, 1 - 0.5 / 3, 1 - 0.5 / 4, 1 - 0.5 / 5])
    np.testing.assert_allclose(found.observed["w"][:, 0], expected, rtol=1e-14)


def test_a_full_batch_is_a_mini_batch_of_all():
    whole = run(SEEDS, "full batch", SGD)
    shuffled = run(SEEDS, "full batch", SGD, batch_size=N)
    for name in whole.params:  # the mean of a permuted batch, to rounding
        close(whole.params[name], shuffled.params[name])


def test_what_is_observed_at_a_step_is_after_that_many_updates():
    found = run(SEEDS, "mini-batches", SGD)
    short = run(SEEDS, "mini-batches", SGD, steps=3, observe_at=(0, 3))
    assert found.steps == (0, 3, 40)
    assert found.observed["v"].shape == (3, len(SEEDS), H)
    close(found.observed["v"][0], start(SEEDS)["v"])
    close(found.observed["v"][1], short.params["v"])
    close(found.observed["v"][2], found.params["v"])
    frame = found.frame()
    assert list(frame.columns) == ["step", "seed", "norm"]
    last = frame[(frame.step == 40) & (frame.seed == 11)]["norm"].item()
    assert last == pytest.approx(found.params["w"][2].norm().item(), rel=1e-12)


def test_a_parameter_may_be_one_number_a_replica():
    found = train(
        lambda p, x: (p["a"] * x - 3 * x).square().mean(), {"a": torch.tensor([0.0, 1.0, 9.0])},
        torch.ones(3, 4), steps=50, seeds=[0, 1, 2], optimizer=partial(torch.optim.SGD, lr=0.2),
    )  # fmt: skip
    torch.testing.assert_close(found.params["a"], torch.full((3,), 3.0))
    with pytest.raises(NonFiniteLossError, match=r"a \(\): largest entry"):
        train(
            lambda p, x: p["a"] * x.mean(), {"a": torch.tensor([0.0, torch.inf])},
            torch.ones(2, 4), steps=1, seeds=[0, 1], optimizer=partial(torch.optim.SGD, lr=0.2),
        )  # fmt: skip


def test_steps_to_observe_may_come_in_any_order():
    found = run(SEEDS, "full batch", SGD, observe_at=(40, 0, 3))
    assert found.steps == (0, 3, 40)
    close(found.observed["v"][2], found.params["v"])


def test_no_steps_leave_the_start_and_the_callers_tensors_are_not_changed():
    params = start(SEEDS)
    kept = {k: v.clone() for k, v in params.items()}
    found = train(loss, params, data(SEEDS), steps=0, seeds=SEEDS, optimizer=SGD)
    assert all(torch.equal(found.params[k], v) for k, v in kept.items())
    train(loss, params, data(SEEDS), steps=3, seeds=SEEDS, optimizer=SGD)
    assert all(torch.equal(params[k], v) for k, v in kept.items())


def test_a_diverging_run_says_where():
    w, first = np.float32(1.0), 0
    with np.errstate(over="ignore"):
        while np.isfinite(np.float32(50.0) * w * w / 2):
            w, first = w * np.float32(1 - 50.0), first + 1
    with pytest.raises(NonFiniteLossError) as error:
        growing([0.5, 50.0, 1.0])
    message = str(error.value)
    assert f"at step {first} " in message
    assert "replica 1 (seed 101), 1 of 3" in message
    assert "Step size 1" in message
    assert "w (1,): largest entry" in message
    assert "smaller step size" in message
    assert 5 < first < 60


def test_the_first_of_several_divergences_is_named_and_the_list_is_cut():
    with pytest.raises(NonFiniteLossError) as error:
        growing([0.5] + [50.0] * 9 + [5000.0])
    assert "10 of 11" in str(error.value)
    assert "8 (seed 108), ..." in str(error.value)
    with pytest.raises(NonFiniteLossError) as alone:
        growing([5000.0])
    step = str(alone.value).split(" in replica")[0]
    assert step in str(error.value)


def test_a_divergence_of_the_last_update_is_found():
    # the loss 1.5e38 is a single-precision number, the step of twice its gradient 3e38 is not
    with pytest.raises(NonFiniteLossError, match="at step 1 in replica 0") as error:
        growing([3.0e38, 0.5], steps=1, schedule=lambda t: 2.0)
    assert "w (1,): largest entry inf" in str(error.value)


def test_not_a_number_at_the_start_is_step_0():
    with pytest.raises(NonFiniteLossError, match="at step 0 in replica 1"):
        growing([0.5, float("nan")])


def test_a_diverged_run_leaves_no_checkpoint(tmp_path):
    with pytest.raises(NonFiniteLossError):
        growing([50.0], execution=Execution(checkpoint_file=tmp_path / "c.safetensors"))
    assert list(tmp_path.iterdir()) == []


def never(_):
    raise AssertionError("training began")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": -1}, "steps = -1"),
        ({"data_dim": 1}, "data_dim = 1"),
        ({"seeds": (0, 1)}, r"parameter 'w' has shape \(4, 3, 5\), but there are 2 seeds"),
        ({"params": {"w": torch.tensor(1.0)}}, r"parameter 'w' has shape \(\)"),
        ({"observe": Observe(dict, at=(0, 11))}, r"observe has steps \[11\], outside 0..10"),
        ({"observe": Observe(dict, at=(-1,))}, r"observe has steps \[-1\]"),
        ({"observe": Observe(dict, at=(5, 5))}, "observe names a step twice"),
        ({"data": torch.zeros(3, 8, 2)}, r"data has shape \(3, 8, 2\) for 4 seeds"),
        ({"data": torch.zeros(4)}, r"data has shape \(4,\)"),
        ({"data": (torch.zeros(4, 8, 2), torch.zeros(4, 7))}, r"disagree .* \[7, 8\]"),
        ({"batch_size": 0}, "batch_size = 0: must be between 1 and the 12"),
        ({"batch_size": 13}, "batch_size = 13"),
    ],
)
def test_sizes_that_do_not_fit_are_refused_before_training(changes, message):
    plan = {"params": start(SEEDS), "data": data(SEEDS), "steps": 10, "seeds": SEEDS} | changes
    params, batch = plan.pop("params"), plan.pop("data")
    with pytest.raises(ValueError, match=message):
        train(loss, params, batch, optimizer=never, **plan)
