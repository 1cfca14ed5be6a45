"""Activation, gradients and steps against quadrature and automatic differentiation."""

from functools import partial

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import data, network, practice


@pytest.mark.parametrize("sigma_xi", [0.05, 0.3])
def test_smoothed_activation_against_quadrature(sigma_xi: float) -> None:
    z = torch.linspace(-1, 2, 31, dtype=torch.float64)
    nodes = torch.linspace(-8, 8, 20_001, dtype=torch.float64)
    weight = torch.exp(-nodes.square() / 2)
    values = network.activation(z[:, None] + sigma_xi * nodes) @ weight / weight.sum()
    assert torch.allclose(network.smoothed(z, sigma_xi), values, atol=1e-6)
    slope = torch.func.vmap(torch.func.grad(partial(network.smoothed, sigma_xi=sigma_xi)))(z)
    assert torch.allclose(slope, network.active(z, sigma_xi), atol=1e-9)


@pytest.mark.parametrize("alpha", [(1.0, 1.0), (0.6, 3.0)])
def test_gradient_against_autograd(alpha: tuple[float, float]) -> None:
    dist = data.parity_mixture(10, 3)
    p = network.initial(generator(0, "p"), 10, 4, 3, 5.0)
    p["a"] = p["a"] + torch.randn(8, generator=generator(1, "a"), dtype=torch.float64)
    x, y = (v.double() for v in data.draw(generator(0, "x"), dist, 300))

    def loss(p: dict) -> torch.Tensor:
        g = network.smoothed(x @ p["W"].T + p["b"], 0.2) @ p["a"]
        return (torch.where(y > 0, alpha[1], alpha[0]) * (1 - y * g).clamp(min=0)).mean()

    auto, ours = torch.func.grad(loss)(p), network.gradient(p, (x, y), 0.2, alpha)
    for name in p:
        assert torch.allclose(auto[name], ours[name], atol=1e-12)


def test_stage_gradients_against_autograd() -> None:
    """The gradients take one network or an ensemble."""
    g = generator(0, "stage")
    rand = partial(torch.randn, generator=g, dtype=torch.float64)
    R, x, y = 3, rand(3, 60, 8), rand(3, 60).sign()

    def by_hinge(predict):
        return lambda p, batch: network.hinge(predict(p, *batch[:-1]), batch[-1])

    cases = [
        (network.hinge_loss, network.hinge_gradient,
         {"W": rand(R, 6, 8), "b": rand(R, 6), "a": rand(R, 6)}, (x, y)),
        (by_hinge(network.linear_output), network.linear_gradient, {"a": rand(R, 8)}, (x, y)),
        (by_hinge(network.tangent_output), network.tangent_gradient,
         {"U": rand(R, 5, 8), "c": rand(R, 5), "e": rand(R, 5)},
         (x, rand(R, 60, 5), rand(R, 60, 5), y)),
        (practice.logistic_loss, practice.logistic_gradient,
         {"W": rand(R, 6, 8), "b": rand(R, 6), "a": rand(R, 6)}, (x, y)),
    ]  # fmt: skip
    for loss, gradient, p, batch in cases:
        auto, value = torch.vmap(torch.func.grad_and_value(loss))(p, batch)
        found, same = gradient(p, batch)
        assert torch.allclose(value, same)
        assert all(torch.allclose(auto[name], found[name], atol=1e-12) for name in p)
        one, alone = gradient({n: v[1] for n, v in p.items()}, tuple(v[1] for v in batch))
        assert torch.allclose(alone, value[1])
        assert all(torch.allclose(one[name], auto[name][1], atol=1e-12) for name in p)


def test_the_initial_network_is_zero_and_steps_forget() -> None:
    dist = data.parity_mixture(20, 5)
    p = network.initial(generator(0, "p"), 20, 6, 5, network.sigma_a(dist))
    x, y = data.draw(generator(0, "x"), dist, 400)
    assert network.output(p, x.double()).abs().max() < 1e-12
    slope = network.gradient(p, (x, y), 0.1, (1.0, 1.0))
    one = network.step_one(p, (x, y), 1e-2, 0.1)
    assert torch.allclose(one["W"], p["W"] - 1e-2 * (slope["W"] + p["W"] / 1e-2), atol=1e-13)
    other = p | {"W": p["W"]}
    assert torch.equal(network.step_one(other, (x, y), 1e-2, 0.1)["W"], one["W"])


def test_gradient_does_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    dist = data.parity_mixture(20, 5)
    p = network.initial(generator(0, "p"), 20, 6, 5, 1.0)
    sample = data.draw(generator(0, "x"), dist, 700)
    whole = network.gradient(p, sample, 0.1, (1.0, 1.0))
    monkeypatch.setattr(network, "CHUNK", 64)
    parts = network.gradient(p, sample, 0.1, (1.0, 1.0))
    assert all(torch.allclose(whole[name], parts[name], atol=1e-14) for name in whole)


def test_tangent_features_are_the_networks_linearisation() -> None:
    dist = data.parity_mixture(12, 3)
    start = network.stack([network.initial(generator(0, "p"), 12, 5, 3, 2.0)])
    x, y = data.draw(generator(0, "x"), dist, 50)
    features = network.tangent_features(start, (x[None], y[None]))
    g = generator(1, "direction")
    move = {"U": torch.randn(1, 5, 12, generator=g), "c": torch.randn(1, 5, generator=g)}
    move["e"] = torch.randn(1, 5, generator=g)
    ours = torch.vmap(network.tangent_output)(move, *features[:3])[0]
    base = {name: v[0, ..., :5, :] if name == "W" else v[0, :5] for name, v in start.items()}
    along = {"W": move["U"][0].double(), "b": move["c"][0].double(), "a": move["e"][0].double()}
    _, slope = torch.func.jvp(lambda p: network.output(p, x.double()), (base,), (along,))
    assert torch.allclose(ours.double(), slope, atol=1e-4)
