"""Exact gradients and the good network against enumeration and brute force."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import data, exact, network

DISTRIBUTIONS = [
    data.parity_mixture(12, 5),
    data.parity_mixture(11, 3, 0.2),
    data.independent_mixture(12, 5, 0.1, 0.7),
    data.independent(12, 4, {2, 3}, 0.7, 0.3),
    data.with_negative_share(data.parity_mixture(12, 5), 0.8),
]


def test_tent_and_good_network() -> None:
    assert exact.tent(np.array([1.0, 2.0, 3.0, 0.0, 9.0]), 2.0, 3.0, 1.0).tolist() == [
        0,
        3,
        0,
        0,
        0,
    ]
    for k in (1, 2, 7):
        for positive in map(frozenset, itertools.combinations(range(1, k + 1), (k + 1) // 2)):
            for mu in np.linspace(0, k, 9):
                star = exact.good_network(k, positive, float(mu), 3.0)
                got = star((np.arange(k + 1) - mu) / 3.0)
                want = [1.0 if s in positive else -1.0 for s in range(k + 1)]
                assert np.allclose(got, want)
                assert len(star.a) == 3 * (k + 1)
                assert np.abs(star.a).max() <= 32 * k + 1e-9


@pytest.mark.parametrize("dist", DISTRIBUTIONS)
def test_fourier_inversion_against_enumeration(dist: data.Distribution) -> None:
    g = generator(0, "q")
    q = torch.randn(4, dist.D, generator=g, dtype=torch.float64) / 5
    b = torch.randn(4, generator=g, dtype=torch.float64) / 25
    x, y, prob = data.enumerate_all(dist)
    z = x @ q.T + b
    act = network.active(z, 0.15) * (prob * y)[:, None]
    found = exact.gradient_components(dist, q, b, 0.15)
    assert torch.allclose(found.T, act.T @ x, atol=1e-6)
    assert torch.allclose(found.T_b, act.sum(0), atol=1e-6)
    second = network.smoothed(z, 0.15).T @ (prob * y)
    assert torch.allclose(found.T_a, second, atol=1e-6)


def test_two_exact_steps_are_the_limit_of_sampled_ones() -> None:
    dist = data.parity_mixture(40, 3)
    p = network.initial(generator(0, "p"), 40, 5, 3, network.sigma_a(dist))
    push = partial(exact.population_push, dist, 3**-1.5)
    one, two = exact.two_exact_steps(push, p, 1e-4)
    x, y = data.draw(generator(0, "x"), dist, 60_000)
    sampled = network.step_one(p, (x, y), 1e-4, 3**-1.5)
    assert torch.nn.functional.cosine_similarity(one["W"], sampled["W"], dim=1).min() > 0.99
    after = network.step_two(sampled, (x, y), 3**-1.5)
    assert torch.nn.functional.cosine_similarity(two["W"], after["W"], dim=1).min() > 0.99


def test_weights_noise_and_slope_of_the_gradient_against_enumeration() -> None:
    dist = DISTRIBUTIONS[-1]
    g = generator(0, "weighted")
    q = torch.randn(3, dist.D, generator=g, dtype=torch.float64) / 5
    b, noise = torch.randn(3, generator=g, dtype=torch.float64) / 25, torch.tensor([0.1, 0.2, 0.3])
    x, y, prob = data.enumerate_all(dist)
    low, high = dist.class_weights
    signed = prob * y * torch.where(y > 0, high, low)
    found = exact.gradient_components(dist, q, b, noise, (low, high))

    def T_b(i: int, shift: float) -> float:
        return float(network.active(x @ q[i] + b[i] + shift, float(noise[i])) @ signed)

    for i in range(3):
        assert float(found.T_b[i]) == pytest.approx(T_b(i, 0.0), abs=1e-6)
        slope = (T_b(i, 1e-4) - T_b(i, -1e-4)) / 2e-4
        assert float(found.slope[i]) == pytest.approx(slope, abs=1e-4)


def test_no_density_no_integral() -> None:
    dist = data.parity_mixture(12, 5)
    with pytest.raises(ValueError, match="density"):
        exact.gradient_components(dist, torch.zeros(1, 12).double(), torch.zeros(1).double(), 0.0)


def test_kolmogorov_distance_against_enumeration() -> None:
    dist = data.independent_mixture(17, 3, 0.2, 0.5)
    q = torch.randn(14, generator=generator(3, "q"), dtype=torch.float64)
    bits = ((torch.arange(2**14)[:, None] >> torch.arange(14)) & 1).double()
    mass = 0.2 ** bits.sum(1) * 0.8 ** (14 - bits.sum(1))
    v = ((bits - 0.2) / dist.sigma) @ q
    order = v.argsort()
    below = mass[order].cumsum(0)
    normal = torch.special.ndtr(v[order] / math.sqrt(dist.sigma_phi_squared * float(q @ q)))
    brute = torch.maximum((below - normal).abs(), (below - mass[order] - normal).abs()).max()
    assert exact.kolmogorov_distance(dist, q) == pytest.approx(float(brute), abs=0.01)


def test_leaving_out_against_brute_force() -> None:
    q, p, shift = np.array([0.5, -1.0, 0.3]), 0.3, 0.17
    gap, bound = exact.leaving_out(q, p, shift)
    values = {}
    for bits in itertools.product([0, 1], repeat=3):
        mass = math.prod(p if bit else 1 - p for bit in bits)
        values[sum((bit - p) * w for bit, w in zip(bits, q, strict=True))] = mass
    probes = np.linspace(-3, 3, 60_001)
    above = lambda b: sum(mass for v, mass in values.items() if v >= b)  # noqa: E731
    brute = max(abs(above(b) - above(b - shift)) for b in probes[::20])
    assert brute <= gap + 1e-12
    assert gap == pytest.approx(brute, abs=1e-9)
    assert bound > gap
    with pytest.raises(ValueError, match="at most 16"):
        exact.leaving_out(np.ones(17), 0.5, 0.1)


def test_perfect_classifier() -> None:
    x = np.random.default_rng(0).normal(size=(200, 3))
    y = np.sign(x @ np.array([1.0, -2.0, 0.5]))
    a = exact.perfect_classifier(x, y)
    assert a is not None
    assert (y * (x @ a)).min() >= 1.0
    doubled = exact.perfect_classifier(np.hstack([x, x]), y)
    assert doubled is not None
    assert np.abs(doubled).max() == pytest.approx(np.abs(a).max() / 2)
    assert exact.perfect_classifier(np.ones((2, 1)), np.array([1.0, -1.0])) is None
