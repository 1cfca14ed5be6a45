"""Kernels against Jacobians, limits against Monte Carlo."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from featurebook import core
from featurebook.papers.ntk_autoencoders import data, kernels, network

Stacked = Callable[..., core.Params]
REGIMES = list(network.GRADIENTS)


def test_kernels_are_products_of_jacobians(X: torch.Tensor, net: core.Params) -> None:
    jacobian = torch.func.jacrev(lambda p: network.outputs(p, X).T.reshape(-1))(net)
    J_W, J_A = (jacobian[k].reshape(20, -1) for k in ("W", "A"))
    H = torch.kron(kernels.decoder_kernel(net["W"], X), torch.eye(4, dtype=torch.double))
    assert_close(kernels.encoder_kernel(net, X, block=3), 4 * J_W @ J_W.T)
    assert_close(H, 4 * J_A @ J_A.T)


@pytest.mark.parametrize("regime", REGIMES)
def test_ensembles_are_their_networks_side_by_side(
    regime: str, X: torch.Tensor, stacked: Stacked
) -> None:
    nets = stacked(7)
    V = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(0), dtype=torch.double)
    together = (*network.GRADIENTS[regime](nets, X), kernels.OPERATORS[regime](nets, X)(V))
    largest = kernels.largest_eigenvalue(regime, nets, X)
    for r in range(3):
        net = {name: p[r] for name, p in nets.items()}
        alone = (*network.GRADIENTS[regime](net, X), kernels.OPERATORS[regime](net, X)(V[r]))
        assert_close(
            [alone[0]["W"], *alone[1:]], [together[0]["W"][r], *(x[r] for x in together[1:])]
        )
        assert_close(kernels.largest_eigenvalue(regime, net, X), largest[r])


@pytest.mark.parametrize("regime", ["weak", "joint"])
def test_products_agree_with_the_matrices(regime: str, X: torch.Tensor, net: core.Params) -> None:
    V = torch.randn(4, 5, generator=torch.Generator().manual_seed(0), dtype=torch.double)
    whole = kernels.KERNELS[regime](net, X) @ V.T.reshape(-1)
    assert_close(kernels.OPERATORS[regime](net, X)(V).T.reshape(-1), whole)


@pytest.mark.parametrize("regime", REGIMES)
def test_watch_sees_the_smallest_eigenvalue(regime: str, X: torch.Tensor, stacked: Stacked) -> None:
    start = stacked(30)
    seen = kernels.watch(regime, start, X)(start)
    kernel = kernels.KERNELS[regime]({name: p[1] for name, p in start.items()}, X)
    assert_close(seen["least"][1], torch.linalg.eigvalsh(kernel)[0])
    assert float(seen["max_r"].max()) == 0


def test_power_iteration_finds_the_largest_eigenvalue(X: torch.Tensor, net: core.Params) -> None:
    exact = torch.linalg.eigvalsh(kernels.joint_kernel(net, X))[-1]
    found = kernels.largest_eigenvalue("joint", net, X, iterations=300)
    assert_close(found, exact, rtol=1e-3, atol=0)


def test_limits_agree_with_monte_carlo() -> None:
    X = data.sphere(4, 3, 5)
    w = torch.randn(3, 400_000, generator=core.generator(0, "mc"), dtype=torch.double)
    on, Phi = (X.T @ w >= 0).double(), torch.relu(X.T @ w)
    assert_close(X.T @ X * (on @ on.T) / 400_000, kernels.G_limit(X), rtol=0, atol=5e-3)
    assert_close(Phi @ Phi.T / 400_000, kernels.H_limit(X), rtol=0, atol=8e-3)


def test_the_gap_of_the_limits() -> None:
    rho = torch.linspace(-1, 1, 21, dtype=torch.double)
    gap = (1 - rho**2).clamp(min=0).sqrt() / (2 * np.pi)
    assert_close(kernels.h(rho) - kernels.g(rho), gap)


def test_orthonormal_moment_norm_against_the_full_matrix() -> None:
    n = 7
    first, second, third, fourth = 1 / np.sqrt(2 * np.pi), 0.5, 2 / np.sqrt(2 * np.pi), 1.5
    diagonal = fourth + (n - 1) * second**2
    other = 2 * third * first + (n - 2) * second * first**2
    matrix = np.full((n, n), other) + np.eye(n) * (diagonal - other)
    assert kernels.orthonormal_moment_norm(n) == pytest.approx(np.linalg.norm(matrix, 2))


def test_wedge_moment_has_the_right_trace() -> None:
    x, y = data.pair(0.4).T
    moment = kernels.orthant_second_moment(x, y)
    assert float(moment.trace()) == pytest.approx(2 * (np.pi - np.arccos(0.4)) / (2 * np.pi))


def test_linear_prediction_is_exact_for_the_decoder(X: torch.Tensor, stacked: Stacked) -> None:
    start = stacked(50, count=1)
    one = {k: v[0] for k, v in start.items()}
    eta = kernels.stable_step("decoder", start, X)
    run = network.descend("decoder", start, X, eta=eta, steps=20, seeds=[0])
    kernel = torch.kron(kernels.decoder_kernel(one["W"], X), torch.eye(4, dtype=torch.double))
    ahead = kernels.predicted_error(kernel, X - network.outputs(one, X), eta, range(21))
    assert_close(run.observed["error"][:, 0], ahead)


def test_samples_must_have_unit_norm_up_to_rounding() -> None:
    X = torch.eye(2, dtype=torch.float64)
    assert float(kernels.cosines(X * (1 + 4e-10)).diagonal().max()) == 1
    with pytest.raises(ValueError, match="unit norm"):
        kernels.cosines(X * (1 + 6e-10))


def test_estimates_over_a_wedge_against_loops() -> None:
    rho, d, count = 0.5, 3, 4000
    w = torch.randn(d, count, generator=core.generator(0, "wedge"), dtype=torch.double)
    found = kernels.wedge_estimates(rho, w)
    x, y = np.array([1.0, 0, 0]), np.array([rho, (1 - rho**2) ** 0.5, 0])
    stein, inner, trace = [], [], []
    for v in w.numpy().T:
        a, b = v @ x, v @ y
        both = a >= 0 and b >= 0
        slopes = x * (a >= 0) * max(b, 0) + y * (b >= 0) * max(a, 0)
        stein.append(v * max(a, 0) * max(b, 0) - slopes)
        inner.append(np.outer(v, v) * both)
        trace.append(both * (v @ v - d))
    share = np.mean([x.any() for x in inner])
    second = np.mean(inner, 0)
    for name, value, terms in (
        ("A-1", np.mean(stein, 0), stein),
        ("A-2", second - share * np.eye(d), inner),
        ("A-3", [np.mean(trace)], np.array(trace)[:, None]),
    ):
        gap, five = found[name]
        np.testing.assert_allclose(gap, np.abs(value), atol=1e-12)
        np.testing.assert_allclose(five, 5 * np.std(terms, 0) / count**0.5, rtol=1e-3)
    gap, five = found["A-2-corrected"]
    assert bool((gap <= five).all())
    exact = second - np.asarray(kernels.orthant_second_moment(torch.tensor(x), torch.tensor(y)))
    np.testing.assert_allclose(gap, np.abs(exact), atol=1e-12)
