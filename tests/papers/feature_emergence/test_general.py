"""The general setting against samples."""

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import data, general, network


def test_general_setting_against_samples() -> None:
    """With noise so large that the part outside the dictionary is far above sampling error."""
    g = generator(0, "general")
    dist = data.with_negative_share(data.parity_mixture(12, 5), 0.8)
    setting = general.General(dist, general.nearly_orthogonal(g, 14, 12), 1.0)
    assert setting.gamma == pytest.approx(0.25)
    assert setting.p_min == pytest.approx(0.2)
    assert 0 < setting.coherence <= 1 / (16 * 12) + 1e-12
    W = torch.randn(2, 14, generator=g, dtype=torch.float64)
    b = torch.randn(2, generator=g, dtype=torch.float64) / 5
    direction, T_b, T_a = general.push(setting, 0.1, W, b)
    n = 200_000
    x, y = (v.double() for v in general.draw_general(g, setting, n))
    assert float(x.square().sum(1).mean()) == pytest.approx(1, abs=0.02)
    low, high = dist.class_weights
    signed = (y * torch.where(y > 0, high, low))[:, None]
    slope = network.active(x @ W.T + b, 0.1) * signed
    each = slope[:, :, None] * x[:, None, :]
    error = each.std(0) / n**0.5
    assert ((each.mean(0) - direction).abs() < 4.5 * error).all()
    _, nu = general.components(setting, W, b, 0.1)
    assert nu.abs().max() > 8 * error.max()
    assert torch.allclose(slope.mean(0), T_b, atol=0.012)
    second = (network.smoothed(x @ W.T + b, 0.1) * signed).mean(0)
    assert torch.allclose(second, T_a, atol=0.012)
    with pytest.raises(ValueError, match="needs d >= D"):
        general.nearly_orthogonal(g, 5, 6)
