"""Fourier coefficients, ceilings and bounds against their definitions."""

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import data, hardness, network


def test_walsh_hadamard_against_definition() -> None:
    z = hardness.cube(5)
    f = torch.randn(32, 2, generator=generator(0, "f"), dtype=torch.float64)
    got = hardness.walsh_hadamard(f)
    for row in range(32):
        members = [j for j in range(5) if row >> j & 1]
        assert torch.allclose(got[row], (f * z[:, members].prod(1)[:, None]).mean(0))
    with pytest.raises(ValueError, match="power of two"):
        hardness.walsh_hadamard(f[:31])


def test_parity_coefficients_against_enumeration() -> None:
    z, g = hardness.cube(16), generator(0, "w")
    q = torch.randn(5, 16, generator=g, dtype=torch.float64) / 4
    b = torch.randn(5, generator=g, dtype=torch.float64) / 5
    brute = (network.activation(z @ q.T + b) * z[:, :3].prod(1)[:, None]).mean(0)
    assert torch.allclose(hardness.parity_coefficients(q, b, 3), brute, atol=2e-4)


def test_ceilings() -> None:
    for k in (3, 5):
        dist = data.independent_mixture(20, k, 0.2, 0.3)
        assert hardness.least_hinge(dist, k - 1) == pytest.approx(0.3)
        assert hardness.least_hinge(dist, k) == pytest.approx(0.0, abs=1e-9)
    assert hardness.best_halfspace(data.parity_mixture(20, 5)) == 0.84375
    with pytest.raises(ValueError, match="k <= 5"):
        hardness.best_halfspace(data.parity_mixture(20, 9))


def test_staircase() -> None:
    stairs = hardness.staircase(data.parity_mixture(20, 5, 0.5))
    assert stairs == pytest.approx([0.5, 0.6875, 0.765625, 0.84375, 0.921875])
    tilted = hardness.staircase(data.with_negative_share(data.parity_mixture(20, 5, 0.5), 0.8))
    assert tilted[0] == pytest.approx(0.8)
    assert tilted[-1] < 1


def test_regret_by_hand() -> None:
    x = {
        "u": torch.tensor([[1.0], [2.0]]), "v": torch.tensor([3.0, 1.0]),
        "theta": torch.tensor([1.0]), "best": torch.tensor([0.5]), "log_eta": torch.tensor(0.0),
    }  # fmt: skip
    # eta = 1: theta goes 1, then 1 + 1 = 2; losses |1 - 3| = 2 and |4 - 1| = 3
    left, right = hardness.regret(x)
    assert float(left) == pytest.approx(2.5)
    assert float(right) == pytest.approx((2.5 + 0) / 2 + 0.25 / 4 + 1.5 + 2.5)


def test_hinge_losses() -> None:
    W, b, a = torch.eye(2), torch.zeros(2), torch.tensor([1.0, -1.0])
    x, y = torch.tensor([[2.0, 0.0], [0.0, 0.5]]), torch.tensor([1.0, 1.0])
    assert hardness.hinge_losses(W, b, a, x, y).tolist() == [0.0, 1.5]
