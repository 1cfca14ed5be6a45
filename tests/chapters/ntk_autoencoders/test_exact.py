"""Fractions and balls against doubles."""

import numpy as np
import pytest
import torch
from flint import arb
from scipy import stats

from featurebook.chapters.ntk_autoencoders import exact, kernels, network

W = exact.fractions([[1, "1/2"], ["1/3", -1]])
A = exact.fractions([[1, -1], [1, 1]])
X = exact.fractions([["3/5", 1], ["4/5", 0]])


def doubles() -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    W2, A2, X2 = (
        torch.tensor([[float(x) for x in r] for r in rows]).double() for rows in (W, A, X)
    )
    return {"W": W2, "A": A2}, X2


def same(rows: list[list[object]], tensor: torch.Tensor) -> bool:
    return np.allclose([[float(x) for x in r] for r in rows], tensor.numpy())  # type: ignore[arg-type]


def test_slopes_and_velocities_are_those_of_the_network() -> None:
    net, points = doubles()
    gradient, loss = network.weak_gradient(net, points)
    assert float(exact.loss(W, A, X)) == pytest.approx(float(loss))
    assert same(exact.outputs(W, A, X), network.outputs(net, points))
    assert same(exact.encoder_slope(W, A, X), gradient["W"])
    assert same(exact.printed_encoder_slope(W, A, X), network.printed_encoder_gradient(net, points))
    velocity = kernels.encoder_product(net, points, points - network.outputs(net, points)) / 2
    assert same(exact.velocity(W, A, X), velocity)
    assert exact.kernel_velocity(W, A, X, 2) == exact.velocity(W, A, X)


def test_outputs_must_be_rational() -> None:
    with pytest.raises(ValueError, match="square"):
        exact.outputs([row + row[:1] for row in W], [row + row[:1] for row in A], X)


def test_chi_square_tail_is_scipys() -> None:
    for x in (0.3, 4.0, 12.0):
        assert float(exact.chi_square_tail(arb(x))) == pytest.approx(stats.chi2.sf(x, 1))
