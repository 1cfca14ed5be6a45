"""Gradients against autograd, descent against flow."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from featurebook import core
from featurebook.papers.ntk_autoencoders import network

Stacked = Callable[..., core.Params]
REGIMES = list(network.GRADIENTS)


@pytest.mark.parametrize("regime", REGIMES)
def test_gradients_are_those_of_autograd(regime: str, X: torch.Tensor, net: core.Params) -> None:
    auto, value = torch.func.grad_and_value(network.loss)(net, X)
    ours, ours_value = network.GRADIENTS[regime](net, X)
    trained = {"weak": ["W"], "decoder": ["A"], "joint": ["W", "A"]}[regime]
    for name in ("W", "A"):
        assert_close(ours[name], auto[name] if name in trained else torch.zeros_like(auto[name]))
    assert_close(ours_value, value)


def test_printed_gradient_differs_from_autograd(X: torch.Tensor, net: core.Params) -> None:
    auto = torch.func.grad(network.loss)(net, X)["W"]
    assert float((network.printed_encoder_gradient(net, X) - auto).norm() / auto.norm()) > 0.5


def test_ensemble_trains_as_each_network_alone(X: torch.Tensor, stacked: Stacked) -> None:
    start = stacked(16)
    together = network.descend("joint", start, X, eta=0.5, steps=5, seeds=range(3))
    alone = network.descend(
        "joint", {k: v[1:2] for k, v in start.items()}, X, eta=0.5, steps=5, seeds=[1]
    )
    assert_close(together.params["W"][1:2], alone.params["W"])


def test_flow_is_the_limit_of_small_steps(X: torch.Tensor, stacked: Stacked) -> None:
    start = stacked(64)
    flow = network.flow("joint", start, X, [0.0, 1.0], step=0.1)
    descent = network.descend("joint", start, X, eta=1e-3, steps=1000, seeds=range(3))
    assert_close(flow["error"][-1], descent.observed["error"][-1], rtol=1e-2, atol=0)


def test_flow_solves_one_neuron_exactly() -> None:
    one = torch.ones(1, 1, dtype=torch.double)
    start = {"W": torch.full((1, 1, 1), 0.5, dtype=torch.double), "A": one[None]}
    seen = network.flow("weak", start, one, [0.0, 3.0], step=0.1)  # u = w, du/dt = 1 - u
    assert float(seen["error"][-1]) == pytest.approx((0.5 * np.exp(-3.0)) ** 2, rel=1e-5)


def test_a_flow_of_half_the_step_has_a_sixteenth_of_the_error(
    X: torch.Tensor, stacked: Stacked
) -> None:
    start = {name: p.clone() for name, p in stacked(64).items()}
    start["W"] = start["W"].abs() + 1.0  # far from where a neuron switches
    X = X.abs()

    def end(step: float) -> torch.Tensor:
        look = lambda p: {"A": p["A"], "W": p["W"]}  # noqa: E731
        seen = network.flow("joint", start, X, [0.0, 0.5], step=step, observe=look)
        return torch.cat([seen["A"][-1], seen["W"][-1]])

    errors = [float((end(h) - end(1 / 2048)).norm()) for h in (1 / 64, 1 / 128, 1 / 256)]
    assert errors[-1] > 1e-10
    for coarse, fine in pairwise(errors):
        assert 12 < coarse / fine < 22, errors


def test_the_last_step_of_a_flow_is_as_short_as_is_left() -> None:
    one = torch.ones(1, 1, dtype=torch.double)
    start = {"W": torch.full((1, 1, 1), 0.5, dtype=torch.double), "A": one[None]}
    seen = network.flow("weak", start, one, [0.0, 1.0], step=0.3)
    assert float(seen["error"][-1]) == pytest.approx((0.5 * np.exp(-1.0)) ** 2, rel=1e-3)


def test_flow_takes_each_network_where_it_goes_alone(X: torch.Tensor, stacked: Stacked) -> None:
    start = stacked(16)
    together = network.flow("joint", start, X, [0.0, 1.0, 5.0], step=0.5)
    one = {name: p[1:2] for name, p in start.items()}
    alone = network.flow("joint", one, X, [0.0, 1.0, 5.0], step=0.5)
    assert_close(together["error"][:, 1:2], alone["error"])


@pytest.mark.parametrize("times", [[1.0, 2.0], [0.0, 0.0], [0.0, 2.0, 1.0]])
def test_flow_refuses_times_that_do_not_increase(
    times: list[float], X: torch.Tensor, stacked: Stacked
) -> None:
    with pytest.raises(ValueError, match="times"):
        network.flow("weak", stacked(8), X, times, step=0.1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_neuron_is_active_from_zero_on(dtype):
    least = 2.0**-149 if dtype == torch.float32 else 2.0**-1074
    z = torch.tensor([-1.0, -least, -0.0, 0.0, least, 1.0], dtype=dtype)
    assert network.active(z).tolist() == [0, 0, 1, 1, 1, 1]
