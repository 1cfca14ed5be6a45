"""One neuron from its definition."""

from itertools import product

import pytest
import torch

from featurebook.papers.fourier_circuits import fourier, network, single, theory

G = torch.Generator().manual_seed(2)


def test_correlations_against_loops() -> None:
    u = torch.tensor([[1.0, 2, 0], [0, 1, 1]]).double()
    w = torch.tensor([1.0, -1, 2]).double()
    for delta in range(3):
        wanted = sum(
            float((u[0, a] + u[1, b]) ** 2 * w[(a + b - delta) % 3])
            for a, b in product(range(3), repeat=2)
        )
        assert float(single.correlations(u, w)[delta]) == pytest.approx(wanted / 9)
    eta = single.correlations(u, w)
    assert float(single.class_weighted_margin(u, w)) == pytest.approx(
        float(eta[0] - (eta[1] + eta[2]) / 2)
    )
    tau = torch.tensor([0.0, 0.25, 0.75]).double()
    assert float(single.class_weighted_margin(u, w, tau)) == pytest.approx(
        float(eta[0] - 0.25 * eta[1] - 0.75 * eta[2])
    )


def test_cosine_neuron_attains_the_maximum() -> None:
    for k, p in [(2, 5), (3, 5), (4, 3)]:
        theta = torch.rand(k, generator=G, dtype=torch.float64)
        u, w = single.cosine_neuron(1, theta, p, theory.amplitude(k, p))
        assert float(network.norms(u[None], w[None])) == pytest.approx(1, rel=1e-12)
        assert float(single.class_weighted_margin(u, w)) == pytest.approx(theory.gamma(k, p))


def test_odd_neurons_meet_the_bound() -> None:
    for k, p in [(2, 5), (3, 9)]:
        theta = torch.rand(k, generator=G, dtype=torch.float64)
        u, w = single.cosine_neuron(2, theta, p, 0.7)
        margin, bound = single.odd_sides(torch.cat([u, w[None]]), k, p)
        assert float(margin) == pytest.approx(float(bound), rel=1e-12)
        norm = 0.7 / theory.amplitude(k, p)
        assert float(bound) == pytest.approx(theory.gamma(k, p) * norm ** (k + 1))


def test_even_neurons_meet_the_bound() -> None:
    wave = (-1.0) ** torch.arange(4).double()
    margin, bound = single.even_sides(wave.expand(3, 4), 2, 4)
    assert float(margin) == pytest.approx(float(bound), rel=1e-12)
    u, w = single.cosine_neuron(1, torch.rand(2, generator=G).double(), 4, 1.0)
    margin, bound = single.even_sides(torch.cat([u, w[None]]), 2, 4)
    assert float(margin) == pytest.approx(float(bound), rel=1e-12)


def test_ascent_reaches_the_maximum() -> None:
    for k, p in [(2, 5), (3, 5)]:
        u, w = single.ascend(k, p, 5, 300, G)
        assert fourier.efficiency(u, w).tolist() == pytest.approx([1] * 5, rel=1e-9)


def test_random_neurons_and_networks() -> None:
    U, W = single.random_neurons(2, 5, 4, G)
    assert U.shape == (7, 2, 5)
    assert float(network.norms(U, W)[4]) == 0
    U, W = single.mixed_network(2, 5, 6, G)
    assert float(network.norm(U, W)) == pytest.approx(1, rel=1e-12)
    assert float(fourier.efficiency(U, W).min()) == pytest.approx(1, rel=1e-12)
