"""The checks of what comes before the first step: a good network, the gradient, typical weights."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from featurebook import core
from featurebook.core import generator
from featurebook.papers.feature_emergence import data, exact, network, steps
from featurebook.papers.feature_emergence.checks.classifier import CHERNOFF
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.data import Distribution
from featurebook.papers.feature_emergence.steps import DELTA
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import (
    exponent,
    identity,
    inequality,
    probability,
    search,
)

DRAWS = 20_000
"""Neurons at random for Lemma 9."""
WIDE, NETWORKS = 400, 400
"""D, and networks at random, for Lemma 10."""


@claims.check("lemma-7")
def tent(seed: int) -> Iterator[Verdict]:
    """The three ReLUs against max(0, a(b - |z - s|)), at random."""
    rng = np.random.default_rng(seed)
    z = rng.uniform(-5, 5, 20_000)
    ranges = ((-3, 3), (0.1, 5), (0.1, 2))
    s, slope, half = (rng.uniform(low, high, z.size) for low, high in ranges)
    by_hand = np.maximum(0, slope * (half - np.abs(z - s)))
    yield identity(exact.tent(z, s, slope, half), by_hand, tolerance=1e-12)


@claims.check("lemma-5", proof="proved on the page")
def perfect_network(seed: int) -> Iterator[Verdict]:
    """A search for the problem in which the network's answers or sizes are nearest to a bound."""
    yield search(
        steps.good_network_sizes,
        [(1, 20), (0, 1), (0, 2), (0, 2**20)],
        integrality=(True, False, False, True),
        evaluations=4000,
        seed=seed,
        what="|g* - y| over 1e-10 and four sizes over their bounds, over k ≤ 20, μ, σ̃, P",
    )


@claims.check("lemma-12")
def gradient(seed: int) -> Iterator[Verdict]:
    """The closed form against autograd."""
    both = steps.gradients((1.0, 1.0), 4.0, seed)
    yield identity(*both, tolerance=1e-12, what="closed form against autograd")


@claims.experiment
def networks(parity: Distribution, m: int, seeds: list[int]) -> list[core.Params]:
    """The networks at the start, one for each seed."""
    spread = network.sigma_a(parity)
    return [network.initial(generator(s, "init"), parity.D, m, parity.k, spread) for s in seeds]


@claims.check("unbiased", proof="proved on the page")
def twins_cancel(networks: list[core.Params], parity: Distribution, seed: int) -> Iterator[Verdict]:
    """The largest output of the networks at the start over the sum of |a_i|."""
    x, _ = data.draw(generator(seed, "picture"), parity, 1000)
    largest = [
        float(network.output(p, x.double()).abs().max() / p["a"].abs().sum()) for p in networks
    ]
    yield inequality(largest, 1e-13, what="|g| against Σ|a_i|")


@claims.check("gradient-component")
def component_along_a_pattern(seed: int) -> Iterator[Verdict]:
    """The formula against autograd, for ten patterns in 17 dimensions."""
    g = generator(seed, "component")
    M = torch.linalg.qr(torch.randn(17, 10, generator=g, dtype=torch.float64)).Q
    p = network.initial(g, 17, 5, 3, 4.0)
    phi, y = (v.double() for v in data.draw(g, data.parity_mixture(10, 3), 500))
    auto = core.by_autograd(network.hinge_loss, p, (phi @ M.T, y))[0]["W"] @ M
    slopes = network.active(phi @ (p["W"] @ M).T + p["b"], 0.0)
    by_pattern = -p["a"][:, None] * ((y[:, None] * slopes).T @ phi) / len(y)
    yield identity(by_pattern, auto, tolerance=1e-12)


def moderate(q: Tensor, k: int) -> Tensor:
    """Whether the mean square of the background components lies between 1/2 and 3/2; (n,)."""
    square = q[:, k:].square().sum(1) / (q.shape[1] - k)
    return (square > 0.5) & (square < 1.5)


@claims.check("lemma-9")
def one_neuron(D: int, k: int, seed: int) -> Iterator[Verdict]:
    """The share of random neurons that are typical."""
    q = torch.randn(DRAWS, D, generator=generator(seed, "typical"), dtype=torch.float64)
    typical = moderate(q, k) & (q.abs().max(1).values < math.sqrt(2 * math.log(D / DELTA)))
    scalar = q[:, 0].abs() < math.sqrt(2 * math.log(1 / DELTA))
    least = 1 - DELTA - 2 * math.exp(-CHERNOFF * (D - k))
    yield probability(int(typical.sum()), DRAWS, at_least=least, what="w is typical")
    yield probability(int(scalar.sum()), DRAWS, at_least=1 - DELTA, what="a is typical")


@claims.check("lemma-10")
def all_neurons(k: int, m: int, seed: int) -> Iterator[Verdict]:
    """The share of random networks all of whose neurons are typical, at D = 400."""
    g, good, scalars = generator(seed, "all neurons"), 0, 0
    for _ in range(NETWORKS):
        q = torch.randn(m, WIDE, generator=g)
        largest = q.abs().max() < math.sqrt(2 * math.log(WIDE * m / DELTA))
        good += bool(moderate(q, k).all() and largest)
        scalars += bool(q[:, 0].abs().max() < math.sqrt(2 * math.log(m / DELTA)))
    least = 1 - DELTA - 2 * m * math.exp(-CHERNOFF * (WIDE - k))
    yield probability(good, NETWORKS, at_least=least, what="all w are typical")
    yield probability(scalars, NETWORKS, at_least=1 - DELTA, what="all a are typical")


@claims.experiment
def distances_to_gaussian(exact_sizes: list[int], k: int, seed: int) -> list[list[float]]:
    """Kolmogorov's distance of the background's sum to the Gaussian, for each of 12 seeds and D."""
    found = []
    for s in range(seed, seed + 12):
        g = generator(s, "background")
        dists = [data.independent_mixture(D, k, 0.1, 0.5) for D in exact_sizes]
        weights = [torch.randn(x.D - k, generator=g, dtype=torch.float64) / k for x in dists]
        found.append(list(map(exact.kolmogorov_distance, dists, weights)))
    return found


@claims.check("lemma-11")
def background_is_nearly_gaussian(
    distances_to_gaussian: list[list[float]], exact_sizes: list[int], k: int
) -> Iterator[Verdict]:
    """How fast the distance falls with D - k."""
    yield exponent(
        np.array(exact_sizes) - k,
        distances_to_gaussian,
        expected=(-math.inf, -0.5),
        rival={"no decay": 0},
        what="exponent of the distance in D - k",
    )


@claims.check("lemma-13", proof="proved on the page")
def leaving_patterns_out(seed: int) -> Iterator[Verdict]:
    """A search over weights, probability and shift, from structured starts."""
    structures: list[list[float]] = [
        [1.0] * 8, [1.0, -1.0] * 4, [1.0] + [1e-3] * 7, list(2.0 ** -np.arange(8.0)),
    ]  # fmt: skip
    yield search(
        steps.left_out,
        [(-1, 1)] * 8 + [(0.01, 0.5), (-3, 0)],
        evaluations=3000,
        seed=seed,
        starts=[[*q, p, -2.0] for q in structures for p in (0.05, 0.5)],
        what="change of the probability against the bound",
    )


@claims.check("lemma-14", proof="proved on the page")
def first_moments() -> Iterator[Verdict]:
    """Means over all points of three distributions."""
    left: list[Any] = []
    right: list[float] = []
    sizes: list[float] = []
    for dist in (
        data.parity_mixture(12, 5),
        data.independent_mixture(12, 3, 0.1, 0.4),
        data.independent(12, 5, {3, 4, 5}, 0.5, 0.3),
    ):
        x, y, prob = data.enumerate_all(dist)
        outside, of_label = (prob @ x.abs())[dist.k :], ((prob * y) @ x)[: dist.k]
        left += [prob @ y, prob @ y.abs(), *outside, *of_label]
        right += [0.0, 1.0]
        right += [2 * dist.sigma_phi_squared * dist.sigma] * (dist.D - dist.k)
        right += [dist.gamma / dist.sigma] * dist.k
        sizes += (prob @ (y[:, None] * x).abs() * dist.sigma).tolist()
    yield identity(left, right, tolerance=1e-12, what="four means")
    yield inequality(sizes, 1.0, what="σ̃ E|y φ_j| against 1")
