"""The logits of the live figure, against networks whose phases are turned."""

import numpy as np
import pytest
import torch

from featurebook.papers.fourier_circuits import circuits, live, network, theory


def turned(k: int, p: int, used: int, turn: float) -> tuple[torch.Tensor, torch.Tensor]:
    """A circuit of norm 1 of the first frequencies, its output phases turned."""
    phases, unit = circuits.short(k)
    parts = [circuits.neurons(phases, unit, zeta, p) for zeta in range(1, used + 1)]
    U, W = (torch.cat(x).double() for x in zip(*parts, strict=True))
    hat = torch.fft.rfft(W)
    hat[:, 1:] *= torch.exp(torch.tensor(1j * turn, dtype=hat.dtype))
    W = torch.fft.irfft(hat, n=p)
    size = float((network.norms(U, W) ** (k + 1)).sum()) ** (1 / (k + 1))
    return U / size, W / size


@pytest.mark.parametrize(
    ("k", "p", "used", "turn"), [(2, 7, 3, 0.0), (2, 7, 2, 0.6), (3, 5, 2, -1.1), (2, 11, 1, 0.2)]
)
def test_logits_are_those_of_a_network(k, p, used, turn):
    U, W = turned(k, p, used, turn)
    numbers = np.random.default_rng(0).integers(0, p, (6, k))
    for a in numbers:
        inside = sum(U[:, j, int(x)] for j, x in enumerate(a))
        logits = (inside**k) @ W
        offsets = np.arange(p) - int(a.sum())
        expected = theory.gamma(k, p) * live.logit(offsets, p, used, turn)
        np.testing.assert_allclose(logits.numpy(), expected, atol=1e-12)


def test_a_full_circuit_has_the_maximum_margin_and_fails_at_the_same_turn():
    for p in (5, 23, 61):
        assert live.margin(p, p // 2, 0.0)[0] == pytest.approx(1)
    critical = [np.arctan(p * np.tan(np.pi / 2 / p)) for p in (5, 23, 61)]
    for p, turn in zip((5, 23, 61), critical, strict=True):
        assert live.margin(p, p // 2, turn)[0] == pytest.approx(0, abs=1e-12)
