"""Fractions and balls against doubles."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb
from scipy import stats

from featurebook.papers.ntk_autoencoders import (
    data,
    exact,
    kernels,
    network,
    steps,
    tied,
)

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
    velocity = kernels.encoder_operator(net, points)(points - network.outputs(net, points)) / 2
    assert same(exact.velocity(W, A, X), velocity)
    assert exact.kernel_velocity(W, A, X, 2) == exact.velocity(W, A, X)


def test_a_joint_step_is_that_of_the_network() -> None:
    net, points = doubles()
    eta = Fraction(1, 10)
    found = exact.joint_terms(W, A, X, eta)
    gradient, _ = network.joint_gradient(net, points)
    assert same(exact.decoder_slope(W, A, X), gradient["A"])
    after = {name: x - 0.1 * gradient[name] for name, x in net.items()}
    error = [(points - network.outputs(p, points)).square().sum() for p in (net, after)]
    assert float(found["total"]) == pytest.approx(float(error[1] - error[0]))
    assert found["total"] == found["kernel"] + found["cross"] + found["squared"]
    size = 4 * float(exact.loss(W, A, X)) / 2
    terms = steps.change_terms("joint", net, points, 0.1)
    assert float(found["kernel"]) == pytest.approx(size * float(terms["kernel"]))
    assert float(found["cross"]) == pytest.approx(size * float(terms["v2"] + terms["v3"]))
    with pytest.raises(ValueError, match="changes sides"):
        exact.joint_terms(W, A, X, Fraction(10))


def test_moments_of_the_tied_network() -> None:
    """By quadrature of |w|^2 relu(w_1)^2, and by Lemma 6.1's closed form."""
    g, mass = np.polynomial.hermite_e.hermegauss(20)
    mass = mass / mass.sum()
    plane = np.square(g)[:, None] * (np.square(g)[:, None] + np.square(g)) / 2
    assert float(exact.fourth_moment(2)) == pytest.approx(mass @ plane @ mass)
    assert exact.fourth_moment(4) == 3
    for d, m in ((1, 7), (5, 30), (10, 300)):
        assert exact.tied_error(d, m) == Fraction(2 * d + 3, m)
        assert float(exact.tied_error(d, m)) == pytest.approx(tied.expected_error(d, m))


def test_lemma_5_1_by_simulation() -> None:
    claimed, most = exact.two_orthonormal(4096, Fraction(1, 10**9))
    assert float(claimed) == pytest.approx(1 - 8 ** (-2 * np.log(4)) - 4096e-9)
    phi = np.maximum(np.random.default_rng(0).standard_normal((2, 400_000)), 0)
    part = np.square(phi[0] - phi[1]) / 2
    form = kernels.geometry(data.orthonormal(2, 2))
    assert part.mean() == pytest.approx(form.lambda_h, abs=0.005)
    assert float(most) == pytest.approx(part.var() / 4096 / (0.375 - form.lambda_h) ** 2, rel=0.02)


def test_outputs_must_be_rational() -> None:
    with pytest.raises(ValueError, match="square"):
        exact.outputs([row + row[:1] for row in W], [row + row[:1] for row in A], X)


def test_chi_square_tail_is_scipys() -> None:
    for x in (0.3, 4.0, 12.0):
        assert float(exact.chi_square_tail(arb(x))) == pytest.approx(stats.chi2.sf(x, 1))
