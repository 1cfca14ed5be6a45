"""Weak training on orthonormal samples against the network itself."""

from functools import cache

import numpy as np
import pytest
import torch

from featurebook import core
from featurebook.papers.ntk_autoencoders import kernels, network, orthonormal, steps

NAMES = ("kernel", "flipped", "v2", "squared", "total", "most_flips", "size")


def check_descent() -> None:
    """Every term of every step is that of the whole network."""
    p, X, eta = network.initial(core.generator(0, "x"), 2, 300), torch.eye(2).double(), 0.5
    run = orthonormal.descend(
        orthonormal.from_weights(p["W"].numpy(), p["A"].numpy(), 5.0), eta, 20
    )
    start = p["W"]
    for k in range(20):
        terms = steps.change_terms("weak", p, X, eta)
        gradient, _ = network.weak_gradient(p, X)
        p = {name: value - eta * gradient[name] for name, value in p.items()}
        for name in NAMES:
            assert run[name][k] == pytest.approx(float(terms[name]), abs=1e-10), (name, k)
        least = float(kernels.smallest(kernels.encoder_kernel({"W": start, "A": p["A"]}, X)))
        if k == 0:
            assert run["least"][0] == pytest.approx(least)
    assert run["most_flips"].sum() > 0  # else the lost neurons are not tested
    assert run["R"][-1] == pytest.approx(float((p["W"] - start).norm(dim=0).max()))


def test_descent_is_that_of_the_network() -> None:
    check_descent()


@cache
def network_flow() -> tuple[core.Params, dict[str, torch.Tensor], list[float]]:
    p, times = network.initial(core.generator(1, "x"), 2, 300), [0.0, 1.0, 4.0, 16.0]
    one, X = {name: v[None] for name, v in p.items()}, torch.eye(2).double()
    look = kernels.watch("weak", one, X)
    return p, network.flow("weak", one, X, times, step=0.2, observe=look), times


def check_flow() -> None:
    p, seen, times = network_flow()
    net = orthonormal.from_weights(p["W"].numpy(), p["A"].numpy(), 5.0)
    found = orthonormal.flow(net, times, 0.2)
    for name in ("error", "least", "max_r"):
        assert np.allclose(found[name], seen[name][:, 0], rtol=5e-3), name


def test_flow_is_that_of_the_network() -> None:
    check_flow()


def test_moving_beyond_the_reach_is_refused() -> None:
    with pytest.raises(ValueError, match="beyond"):
        orthonormal.descend(orthonormal.wide(2, 200, 1e-6, 0), 0.5, 50)


def test_drawn_networks_are_like_the_networks() -> None:
    drawn = [orthonormal.observe(n, orthonormal.start(n))["error"] for n in
             (orthonormal.wide(2, 3000, 0.1, s) for s in range(150))]  # fmt: skip
    assert abs(np.mean(drawn) - 3.0) < 5 * np.std(drawn) / 150**0.5  # E‖X - U(0)‖² = 3n/2
