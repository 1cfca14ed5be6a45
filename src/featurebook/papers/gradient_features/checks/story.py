"""The checks of the story: the first gradient, its map, and the thresholds after step one."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.papers.gradient_features import data, maps, network
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.papers.gradient_features.data import Mixture
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import identity

Array = NDArray[np.float64]

ETA = 0.1
"""First step size of the network whose thresholds are compared."""
TWINS = Mixture(
    np.stack([np.ones(7), -np.ones(7), np.ones(7)]),
    np.array([1.0, 1, -1]),
    np.ones(3),
    np.array([0.5, 0.25, 0.25]),
)
"""A mixture with opposite and equal means."""


@dataclass(frozen=True)
class Drawn:
    """What the story draws from one generator.

    Attributes:
        map: neurons of the map, (neurons, d).
        laws: three mixtures in 7 dimensions; weights: 40 neurons for each, (40, 7).
    """

    map: Array
    laws: list[Mixture]
    weights: list[Array]


@claims.experiment
def drawn(neurons: int, d: int, seed: int) -> Drawn:
    """The neurons of the map, and the mixtures and neurons on which the closed form is tried."""
    rng = np.random.default_rng([seed, 3])
    W = rng.normal(size=(neurons, d))
    odd = Mixture(
        rng.normal(size=(5, 7)) * 3,
        np.array([1.0, -1, 1, 1, -1]),
        rng.uniform(0.2, 2, 5),
        np.full(5, 0.2),
    )
    return Drawn(W, [odd, TWINS, data.xor(7)], [rng.normal(size=(40, 7)) for _ in range(3)])


@dataclass(frozen=True)
class First:
    """A network of 24 neurons at its symmetric start, a sample of the XOR, and its first gradient.

    Attributes:
        start: a, W, b; X (300, 12), y (300,): the sample.
        G: simplified gradients on it, (24, 12).
    """

    start: Params
    X: Tensor
    y: Tensor
    G: Array


@claims.experiment
def first_gradient(seed: int) -> First:
    """A small network before its first step."""
    g = core.generator(seed, "first gradient")
    start = network.symmetric(g, 12, 6, sigma_a=1.0, sigma_w=1.0, b=0.5)
    X, y = data.xor(12).draw(g, 300)
    W, b = (start[k].double().numpy() for k in ("W", "b"))
    return First(start, X, y, maps.G_points(W, b, X.double().numpy(), y.double().numpy()))


@claims.check("definition-3-5")
def simplified_gradient(first_gradient: First) -> Iterator[Verdict]:
    """The first gradient by automatic differentiation, and -a G; ℓ'(0) is -1."""
    x = first_gradient
    leaves = {k: v.double().requires_grad_() for k, v in x.start.items()}
    network.hinge(leaves, (x.X.double(), x.y.double())).backward()
    wanted = -leaves["a"].detach().numpy()[:, None] * x.G
    yield identity(leaves["W"].grad, wanted, tolerance=1e-10, what="autograd and ℓ'(0) a G")


@claims.check("closed-form")
def map_of_a_mixture(drawn: Drawn) -> Iterator[Verdict]:
    """The formula, for many neurons and for one, and quadrature along the weights."""
    left, right = [], []
    b = np.repeat([-50.0, 0.0, 1e-9, 2.0], 10)
    for law, w in zip(drawn.laws, drawn.weights, strict=True):
        one_by_one = np.array([maps.G_neuron(*one, law) for one in zip(w, b, strict=True)])
        left += [maps.G_mixture(w, b, law), one_by_one]
        right += [maps.G_mixture_quadrature(w, b, law)] * 2
    yield identity(
        np.concatenate(left), np.concatenate(right), tolerance=1e-9, what="formula and quadrature"
    )


@claims.check("threshold")
def effective_threshold(first_gradient: First) -> Iterator[Verdict]:
    """Neurons after step one, and the same by their length and effective threshold."""
    x = first_gradient
    after = network.first_step(x.start, x.X, x.y, ETA)
    W, b = after["W"].double(), after["b"].double()
    size = W.norm(dim=1)
    length = ETA * x.start["a"].double().abs() * torch.tensor(x.G).norm(dim=1)
    theta = x.start["b"].double() / length
    plain = torch.relu(x.X.double() @ W.T - b)
    scaled = size * torch.relu(x.X.double() @ (W / size[:, None]).T - theta)
    yield identity(scaled, plain, tolerance=1e-5, what="neurons after step one")
