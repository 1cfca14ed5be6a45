"""Spectra, efficiency, phases and shares of neurons that are known."""

import math

import pytest
import torch

from featurebook.papers.fourier_circuits import circuits, fourier, network, single, theory

G = torch.Generator().manual_seed(1)


def cosine(zeta: int, theta: list[float], p: int, beta: float = 1.0):
    u, w = single.cosine_neuron(zeta, torch.tensor(theta, dtype=torch.float64), p, beta)
    return u[None], w[None]


def test_power_of_a_cosine() -> None:
    turn = 2 * torch.pi * torch.arange(7).double() / 7
    found = fourier.power(3 + 2 * torch.cos(2 * turn))
    assert found.tolist() == pytest.approx([(3 * 7) ** 2, 0, 2 * 7**2, 0], abs=1e-9)
    assert fourier.power(torch.tensor([1.0, -1.0])).tolist() == [0.0, 4.0]
    assert float(fourier.largest_share(3 + 2 * torch.cos(2 * turn))) == pytest.approx(1)
    x = torch.randn(9, generator=G, dtype=torch.float64)
    assert float(fourier.power(x).sum()) == pytest.approx(9 * float(x @ x))  # Plancherel


def test_transform_against_the_definition() -> None:
    for k, p in [(2, 5), (3, 4), (3, 5)]:
        U = torch.randn(4, k, p, generator=G, dtype=torch.float64)
        W = torch.randn(4, p, generator=G, dtype=torch.float64)
        direct = [float(single.class_weighted_margin(u, w)) for u, w in zip(U, W, strict=True)]
        assert fourier.margin_transform(U, W).tolist() == pytest.approx(direct, rel=1e-10)
        if p % 2:
            assert fourier.margin_by_phases(U, W).tolist() == pytest.approx(direct, rel=1e-10)


def test_known_neuron() -> None:
    U, W = cosine(2, [0.3, 0.5], 7, 0.9)
    assert float(fourier.efficiency(U, W)) == pytest.approx(1, rel=1e-12)
    assert int(fourier.frequency(U, W)) == 2
    u, w = fourier.phases(U, W)
    assert u[0].tolist() == pytest.approx([0.3, 0.5])
    assert float(w) == pytest.approx(0.8)
    assert float(fourier.phase_gap(U, W)) == pytest.approx(0, abs=1e-12)
    off = cosine(2, [0.3, 0.9], 7)[0], W
    assert float(fourier.phase_gap(*off)) == pytest.approx(0.4)
    assert float(fourier.efficiency(*cosine(1, [1.0, 2.0], 5))) == pytest.approx(1)
    assert float(fourier.efficiency(U, -W)) == pytest.approx(-1)


def test_distance_from_a_cosine() -> None:
    U, W = cosine(2, [0.3, 0.5], 7, 0.9)
    assert float(fourier.distance_from_cosine(U, W)) < 1e-12
    for t in (0.2, 0.8):
        u, w = single.flawed_neuron("split", t, 3, 7)  # the share t/2 is at another frequency
        found = float(fourier.distance_from_cosine(u[None], w[None]))
        assert found == pytest.approx((t / 2) ** 0.5, rel=1e-12)
    u, w = single.flawed_neuron("scale", 1.0, 2, 7)  # sizes 2, 1, 1, nearest to 4/3 each
    found = float(fourier.distance_from_cosine(u[None], w[None]))
    assert found == pytest.approx(1 / 3, rel=1e-12)
    u, w = single.flawed_neuron("phase", 0.5, 2, 7)  # an eighth of a turn, a third each
    found = float(fourier.distance_from_cosine(u[None], w[None]))
    assert found == pytest.approx(math.sin(math.pi / 12), rel=1e-12)
    V, X = cosine(2, [0.3, 0.5, 1.0], 7, -0.9)  # for odd k as good as with a positive amplitude
    assert float(fourier.distance_from_cosine(V, X)) < 1e-12
    square, bound = single.distance_sides(torch.cat([u, w[None]]))
    assert float(square) == pytest.approx(math.sin(math.pi / 12) ** 2)
    assert float(bound) == pytest.approx(2 * (1 - math.cos(math.pi / 4)))


def test_norm_shares_and_weights() -> None:
    U, W = (torch.cat(x) for x in zip(cosine(1, [0, 0], 5), cosine(2, [0, 1], 5, 2.0), strict=True))
    assert fourier.norm_shares(U, W).tolist() == pytest.approx([2 / 9, 16 / 9])
    values = torch.tensor([9.0, 0.0]).double()
    assert float(fourier.weighted(values, U, W)) == pytest.approx(1)


def test_diagonal_transform_against_the_whole() -> None:
    k, p = 2, 5
    U, W = circuits.network(*circuits.grid(k), p)
    U, W = U + 0.1 * torch.randn(U.shape, generator=G), W
    hat = fourier.network_transform(network.logits(U, W), k, p)
    wanted = [complex(hat[j, j, -j]) for j in range(1, p)]
    found = fourier.diagonal_transform(U, W).tolist()
    assert found == pytest.approx(wanted, rel=1e-10)
    exact_net = circuits.network(*circuits.short(k), p)
    level = theory.gamma(k, p) * p**k
    assert fourier.diagonal_transform(*exact_net).real.tolist() == pytest.approx([level] * 4)


def test_flaws_cost_what_the_formulas_say() -> None:
    k, p, t = 3, 7, 0.4
    for flaw, wanted in [
        ("phase", math.cos(0.2 * math.pi)),
        ("scale", 1.4 * (4 / (3 + 1.4**2)) ** 2),
        ("split", 0.8**2 + 0.2**2),
    ]:
        u, w = single.flawed_neuron(flaw, t, k, p)
        assert float(fourier.efficiency(u[None], w[None])) == pytest.approx(wanted, rel=1e-12)
        assert single.measured_efficiency(u, w) == pytest.approx(wanted, rel=1e-12)
        assert float(theory.flawed_efficiency(flaw, t, k)) == pytest.approx(wanted, rel=1e-15)
