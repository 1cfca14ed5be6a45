"""What is trained and drawn, against numbers by hand: starts, gradients, losses, mixtures."""

import math

import pandas as pd
import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import data, network, practice
from featurebook.papers.feature_emergence.checks import images as checked


def check_starts() -> None:
    """The spreads 1/k, 1/k^2 and sigma_a of the initialisation (standard error 1 %)."""
    p = network.initial(generator(0, "start"), 3, 5000, 4, 0.7)
    assert float(p["W"].std()) == pytest.approx(1 / 4, rel=0.03)
    assert float(p["b"].std()) == pytest.approx(1 / 16, rel=0.04)
    assert float(p["a"].std()) == pytest.approx(0.7, rel=0.04)


def check_margin() -> None:
    """A sample pushes while y g <= 1, and is weighted by its class; one neuron, by hand."""
    one = {"W": torch.tensor([[0.5]]), "b": torch.zeros(1), "a": torch.tensor([1.0])}
    one = {name: v.double() for name, v in one.items()}
    x = torch.tensor([[1.0], [1.0]])
    for a, pushes in ((1.98, True), (2.05, False)):  # y g = a / 2, as xi is symmetric about 1/2
        p = one | {"a": torch.tensor([a], dtype=torch.float64)}
        slope = network.gradient(p, (x, torch.ones(2)), 1e-3, (1.0, 3.0))["a"]
        assert float(slope) == pytest.approx(-1.5 if pushes else 0.0, abs=1e-6)
    assert network.class_weights(torch.tensor([1.0, -1, -1, -1])) == pytest.approx((2 / 3, 2))


def check_hinge() -> None:
    g, y = torch.tensor([0.5, -0.5, 2.0]), torch.tensor([1.0, 1.0, 1.0])
    assert float(network.hinge(g, y)) == pytest.approx(2 / 3)
    h = network.activation(torch.tensor([-1.0, 0.4, 3.0]))
    assert h.tolist() == pytest.approx([0.0, 0.4, 1.0])


def check_mixtures() -> None:
    """Signs of size 1, noise of variance sigma_r^2 k/d, labels that are their product."""
    c, labels = practice.centres(3, 5)
    assert c.square().sum(1).tolist() == [3.0] * 8
    assert sorted(labels.tolist()) == [-1.0] * 4 + [1.0] * 4
    x, y = practice.draw_mixture(generator(0, "mixture"), 20, 4, 1.5, 20_000)
    assert float(x[:, :4].square().mean()) == pytest.approx(1 + 2.25 / 5, rel=0.02)
    assert float(x[:, 4:].square().mean()) == pytest.approx(2.25 / 5, rel=0.02)
    assert abs(float(x[:, 0].mean())) < 0.05
    assert float((x[:, :4].prod(1) * y).mean()) == pytest.approx(1, abs=0.1)
    assert data.all_or_none(3) == (0.5, 0, 0, 0.5)
    assert data.binomial(2, 0.3) == pytest.approx((0.49, 0.42, 0.09))


def sided(own: float, between: float) -> str:
    rows = pd.DataFrame(
        {"initial scale": [0.01], "step": [5], "own side": [own], "between sides": [between]}
    )
    return checked.two_clusters(rows).outcome


def check_two_clusters() -> None:
    found = [sided(0.52, -0.05), sided(0.48, -0.05), sided(0.52, 0.05)]
    assert found == ["holds", "refuted", "refuted"]


@pytest.mark.parametrize(
    "check", [check_starts, check_margin, check_hinge, check_mixtures, check_two_clusters]
)
def test_models(check) -> None:
    check()


def test_the_bias_is_spread_by_a_square() -> None:
    wide = network.initial(generator(0, "start"), 3, 5000, 9, 1.0)["b"].std()
    assert float(wide) * 81 == pytest.approx(1, rel=0.04)
    assert math.isfinite(float(wide))
