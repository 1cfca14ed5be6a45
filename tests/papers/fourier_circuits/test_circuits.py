"""Circuits: their sizes, their margins, and controls that must fail."""

import pytest
import torch

from featurebook.papers.fourier_circuits import circuits, exact, network, theory

KINDS = (circuits.grid, circuits.short, circuits.ternary)


def test_counts() -> None:
    assert [[len(kind(k)[0]) for k in (2, 3, 4)] for kind in KINDS] == [
        [8, 32, 128], [6, 16, 40], [6, 18, 54],
    ]  # fmt: skip
    assert len(circuits.exponents(2)) == 9
    assert len(circuits.exponents(3)) == 44


@pytest.mark.parametrize("kind", KINDS)
def test_margins_and_phase_sums(kind) -> None:
    for k, p in [(2, 5), (3, 3), (3, 5), (4, 3)]:
        U, W = circuits.network(*kind(k), p)
        assert float(network.norm(U, W)) == pytest.approx(1, rel=1e-12)
        found = float(network.normalized_margin(U, W))
        assert found == pytest.approx(theory.gamma(k, p), rel=1e-12)
        assert circuits.wrong_phase_sums(*kind(k)) == 0


def test_controls_fail() -> None:
    phases, unit = circuits.short(2)
    assert circuits.wrong_phase_sums(phases[1:], unit) > 0
    assert circuits.wrong_phase_sums(*circuits.short(2, 2)) == 1
    U, W = circuits.network(phases[1:], unit, 5)
    assert float(network.normalized_margin(U, W)) < 0.99 * theory.gamma(2, 5)


def test_text_network_is_the_sum_of_cosines() -> None:
    for k, p, scale in [(3, 5, 24), (5, 3, 1920)]:  # six sines only with k = 5
        F = network.logits(*circuits.text_network(k, p))
        s = (network.labels(k, p)[:, None] - torch.arange(p)) % p
        wanted = scale * torch.where(s == 0, (p - 1) / 2, -0.5).double()
        assert torch.allclose(F, wanted, atol=1e-9)


def test_even_networks() -> None:
    for k, p, value in [(2, 2, (2 / 27) ** 0.5), (2, 4, None), (3, 4, None), (4, 2, None)]:
        U, W = circuits.even_network(k, p)
        assert float(network.norm(U, W)) == pytest.approx(1, rel=1e-12)
        found = float(network.normalized_margin(U, W))
        assert found == pytest.approx(value or theory.gamma_even(k, p), rel=1e-12)


def test_cliques() -> None:
    for k, size in [(2, 6), (3, 15)]:
        family = circuits.clique(k)
        assert len(set(family)) == size
        assert exact.all_differences_forced(family, k)
