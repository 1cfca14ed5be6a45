"""Circuits: their sizes, their margins, and controls that must fail."""

import pytest
import torch

from featurebook.papers.fourier_circuits import (
    circuits,
    exact,
    families,
    fourier,
    network,
    theory,
)

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


def test_a_flawed_circuit_differs_in_one_neuron() -> None:
    U, _ = circuits.network(*circuits.short(3), 7)
    V, X = circuits.flawed(3, 7, "scale", 1.0)
    assert torch.equal(V[1:], U[1:])
    assert float(network.norm(V, X)) == pytest.approx(1, rel=1e-12)
    assert float(fourier.efficiency(V[:1], X[:1])) == pytest.approx(2 * (4 / 7) ** 2, rel=1e-12)
    same = circuits.flawed(3, 7, "phase", 0.0)
    assert torch.allclose(same[0], U, atol=1e-15)


def test_large_families_keep_waves_apart() -> None:
    def apart(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
        """Whether n - (1, ..., 1) is one of ±(a - b) for some n in S."""
        for sign in (1, -1):
            n = [1 + sign * (x - y) for x, y in zip(a, b, strict=True)]
            if sum(map(abs, n)) <= len(n) and (sum(n) - len(n)) % 2 == 0:
                return True
        return False

    for k, size in [(2, 6), (3, 15), (4, 36), (5, 77)]:
        family = families.large(k)
        assert len(set(family)) == size
        assert all(apart(a, b) for i, a in enumerate(family) for b in family[:i])


def test_cliques() -> None:
    for k, size in [(2, 6), (3, 15)]:
        family = circuits.clique(k)
        assert len(set(family)) == size
        assert exact.all_differences_forced(family, k)
