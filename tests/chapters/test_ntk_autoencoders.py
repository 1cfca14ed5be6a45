"""The chapter's mathematics against autograd, brute force and Monte Carlo."""

from math import cos, pi, sin

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from featurebook import core
from featurebook.chapters.ntk_autoencoders import (
    bounds,
    data,
    kernels,
    network,
    search,
    steps,
    tied,
)

REGIMES = list(network.GRADIENTS)


@pytest.fixture
def X() -> torch.Tensor:
    return data.sphere(5, 4, seed=0)


@pytest.fixture
def net() -> core.Params:
    return network.initial(core.generator(0, "test"), 4, 7)


def stacked(m: int, d: int = 4, count: int = 3) -> core.Params:
    return core.replicate(lambda g: network.initial(g, d, m), range(count), "test")


# Data


def test_samples_have_unit_norm() -> None:
    for points in (data.sphere(6, 3, 1), data.orthonormal(3, 5), data.pair(0.3), data.simplex(4)):
        assert_close(points.norm(dim=0), torch.ones(points.shape[1], dtype=torch.double))


def test_simplex_and_pair_have_the_cosines_asked_for() -> None:
    simplex = data.simplex(5)
    off = (simplex.T @ simplex)[~torch.eye(5, dtype=torch.bool)]
    assert_close(off, torch.full_like(off, -0.25))
    assert float(data.pair(0.3)[:, 0] @ data.pair(0.3)[:, 1]) == pytest.approx(0.3)


def test_spread_rows_leaves_out_parallel_rows() -> None:
    rows = np.array([[1.0, 0], [0, 2.0], [-3.0, 0], [1.0, 1.0]])
    assert data.spread_rows(rows, 4).shape == (2, 3)


def test_standardised_leaves_constant_features_finite() -> None:
    assert np.isfinite(data.standardised(np.array([[1.0, 2.0], [1.0, 4.0]]))).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda: data.sphere(0, 3, 0),
        lambda: data.orthonormal(4, 3),
        lambda: data.pair(1.0),
        lambda: data.simplex(1),
        lambda: data.spread_rows(np.eye(3), 4),
        lambda: data.unit_columns(torch.zeros(2, 1)),
        lambda: kernels.cosines(2 * torch.eye(2)),
        lambda: bounds.width(bounds.TABLE_1[0], kernels.geometry(data.pair(0.1)), delta=0.0),
    ],
)
def test_sizes_that_make_no_sense_are_refused(make) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"\w"):
        make()


# Network


@pytest.mark.parametrize("regime", REGIMES)
def test_gradients_are_those_of_autograd(regime: str, X: torch.Tensor, net: core.Params) -> None:
    auto, value = torch.func.grad_and_value(network.loss)(net, X)
    ours, ours_value = network.GRADIENTS[regime](net, X)
    trained = {"weak": ["W"], "decoder": ["A"], "joint": ["W", "A"]}[regime]
    for name in ("W", "A"):
        assert_close(ours[name], auto[name] if name in trained else torch.zeros_like(auto[name]))
    assert_close(ours_value, value)


def test_printed_gradient_differs_from_autograd(X: torch.Tensor, net: core.Params) -> None:
    auto = torch.func.grad(network.loss)(net, X)["W"]
    assert float((network.printed_encoder_gradient(net, X) - auto).norm() / auto.norm()) > 0.5


def test_ensemble_trains_as_each_network_alone(X: torch.Tensor) -> None:
    start = stacked(16)
    together = network.descend("joint", start, X, eta=0.5, steps=5, seeds=range(3))
    alone = network.descend(
        "joint", {k: v[1:2] for k, v in start.items()}, X, eta=0.5, steps=5, seeds=[1]
    )
    assert_close(together.params["W"][1:2], alone.params["W"])


def test_flow_is_the_limit_of_small_steps(X: torch.Tensor) -> None:
    start = stacked(64)
    flow = network.flow("joint", start, X, [0.0, 1.0], step=0.1)
    descent = network.descend("joint", start, X, eta=1e-3, steps=1000, seeds=range(3))
    assert_close(flow["error"][-1], descent.observed["error"][-1], rtol=1e-2, atol=0)


def test_flow_solves_one_neuron_exactly() -> None:
    one = torch.ones(1, 1, dtype=torch.double)
    start = {"W": torch.full((1, 1, 1), 0.5, dtype=torch.double), "A": one[None]}
    seen = network.flow("weak", start, one, [0.0, 3.0], step=0.1)  # u = w, du/dt = 1 - u
    assert float(seen["error"][-1]) == pytest.approx((0.5 * np.exp(-3.0)) ** 2, rel=1e-5)


def test_flow_takes_each_network_where_it_goes_alone(X: torch.Tensor) -> None:
    start = stacked(16)
    together = network.flow("joint", start, X, [0.0, 1.0, 5.0], step=0.5)
    one = {name: p[1:2] for name, p in start.items()}
    alone = network.flow("joint", one, X, [0.0, 1.0, 5.0], step=0.5)
    assert_close(together["error"][:, 1:2], alone["error"])


@pytest.mark.parametrize("times", [[1.0, 2.0], [0.0, 0.0], [0.0, 2.0, 1.0]])
def test_flow_refuses_times_that_do_not_increase(times: list[float], X: torch.Tensor) -> None:
    with pytest.raises(ValueError, match="times"):
        network.flow("weak", stacked(8), X, times, step=0.1)


# Kernels


def test_kernels_are_products_of_jacobians(X: torch.Tensor, net: core.Params) -> None:
    jacobian = torch.func.jacrev(lambda p: network.outputs(p, X).T.reshape(-1))(net)
    J_W, J_A = (jacobian[k].reshape(20, -1) for k in ("W", "A"))
    H = torch.kron(kernels.decoder_kernel(net["W"], X), torch.eye(4, dtype=torch.double))
    assert_close(kernels.encoder_kernel(net, X, block=3), 4 * J_W @ J_W.T)
    assert_close(H, 4 * J_A @ J_A.T)


@pytest.mark.parametrize("regime", REGIMES)
def test_ensembles_are_their_networks_side_by_side(regime: str, X: torch.Tensor) -> None:
    nets = stacked(7)
    V = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(0), dtype=torch.double)
    together = (*network.GRADIENTS[regime](nets, X), kernels.PRODUCTS[regime](nets, X, V))
    largest = kernels.largest_eigenvalue(regime, nets, X)
    for r in range(3):
        net = {name: p[r] for name, p in nets.items()}
        alone = (*network.GRADIENTS[regime](net, X), kernels.PRODUCTS[regime](net, X, V[r]))
        assert_close(
            [alone[0]["W"], *alone[1:]], [together[0]["W"][r], *(x[r] for x in together[1:])]
        )
        assert_close(kernels.largest_eigenvalue(regime, net, X), largest[r])


@pytest.mark.parametrize("regime", ["weak", "joint"])
def test_products_agree_with_the_matrices(regime: str, X: torch.Tensor, net: core.Params) -> None:
    V = torch.randn(4, 5, generator=torch.Generator().manual_seed(0), dtype=torch.double)
    whole = kernels.KERNELS[regime](net, X) @ V.T.reshape(-1)
    assert_close(kernels.PRODUCTS[regime](net, X, V).T.reshape(-1), whole)


@pytest.mark.parametrize("regime", REGIMES)
def test_watch_sees_the_smallest_eigenvalue(regime: str, X: torch.Tensor) -> None:
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


def test_linear_prediction_is_exact_for_the_decoder(X: torch.Tensor) -> None:
    start = stacked(50, count=1)
    one = {k: v[0] for k, v in start.items()}
    eta = kernels.stable_step("decoder", start, X)
    run = network.descend("decoder", start, X, eta=eta, steps=20, seeds=[0])
    kernel = torch.kron(kernels.decoder_kernel(one["W"], X), torch.eye(4, dtype=torch.double))
    ahead = kernels.predicted_error(kernel, X - network.outputs(one, X), eta, range(21))
    assert_close(run.observed["error"][:, 0], ahead)


# Steps


@pytest.mark.parametrize("regime", ["weak", "joint"])
def test_a_step_is_the_sum_of_its_parts(regime: str, X: torch.Tensor, net: core.Params) -> None:
    terms = steps.change_terms(regime, net, X, eta=2.0)
    parts = sum(terms[k] for k in ("kernel", "flipped", "v2", "v3", "squared"))
    assert_close(parts, terms["total"])
    assert float(terms["parts"]) < 1e-24
    assert float(terms["flip_share"]) > 0  # else the flipped parts are not tested


# Bounds


def test_flip_potential_bounds_every_move() -> None:
    X, R = data.sphere(4, 3, 2), 0.3
    W = network.initial(core.generator(1, "flip"), 3, 40)["W"]
    before = (X.T @ W >= 0).double()
    most = bounds.flip_potential(W, X, R)
    for move in (
        bounds.random_move(W, R, core.generator(2, "flip")),
        bounds.nearest_crossing(W, X, R),
        bounds.switch_on(W, X, R),
    ):
        assert bool(((move - W).norm(dim=0) <= R + 1e-9).all())
        after = (X.T @ move >= 0).double()
        flips = (after[:, None] * after[None] - before[:, None] * before[None]).abs().sum(-1)
        assert bool((flips <= most + 1e-12).all())


def test_two_by_two_violates_the_printed_lemma_only() -> None:
    M = torch.tensor([[1.0, -1], [1, 1]], dtype=torch.double)
    step = 0.1 * torch.tensor([[1.0, 0], [1, 1]], dtype=torch.double)
    X = data.orthonormal(2, 2)
    change = kernels.spectral_norm(
        kernels.decoder_kernel(M + step, X) - kernels.decoder_kernel(M, X)
    )
    R, norm_Phi = float(step.norm()), float(kernels.spectral_norm(torch.relu(M)))
    assert float(change) > bounds.lemma_52_printed(1.0, 2**0.5, 2, R)
    assert float(change) <= bounds.lemma_52_corrected(1.0, norm_Phi, 2, R)


@pytest.mark.parametrize("regime", ["weak", "joint"])
def test_the_flow_itself_violates_the_printed_lemma(regime: str) -> None:
    X, times = data.orthonormal(2, 2), [0, 0.1, 0.4, 0.8]
    M = torch.tensor([[1.0, -1], [1, 1]], dtype=torch.double)
    start = {"W": M[None] / 2, "A": M[None]}
    coarse, fine = (
        network.flow(regime, start, X, times, step=h, observe=lambda p: {"W": p["W"]})["W"][:, 0]
        for h in (0.02, 0.01)
    )
    assert float((coarse - fine).abs().max()) < 1e-7  # far below the notebook's slack of 1e-5
    norm_W, norm_Phi = (float(kernels.spectral_norm(v)) for v in (M / 2, torch.relu(M / 2)))
    for W in fine[1:]:
        R = float((W - M / 2).norm())
        change = float(
            kernels.spectral_norm(kernels.decoder_kernel(W, X) - kernels.decoder_kernel(M / 2, X))
        )
        assert change > bounds.lemma_52_printed(1.0, norm_W, 2, R) + 1e-5
        assert change < bounds.lemma_52_corrected(1.0, norm_Phi, 2, R)


def test_spectra_of_two_samples() -> None:
    for psi in (0.01, 0.3, 1.0, pi / 2):
        shape = kernels.geometry(data.pair(cos(psi)))
        assert 2 * pi * shape.lambda_0 == pytest.approx(psi + (pi - psi) * (1 - cos(psi)))
        by_hand = pi * (1 - cos(psi)) - (sin(psi) - psi * cos(psi))
        assert 2 * pi * shape.lambda_h == pytest.approx(by_hand, rel=1e-9)
    kappa = pi / 2 + 2 / (3 * pi)
    shape = kernels.geometry(data.pair(cos(0.01)))
    left = shape.lambda_h / shape.lambda_0 / (pi / 2 * 0.01) - (1 - kappa * 0.01)
    assert 0 < left < 4 * 0.01**2  # the next term is positive: the slope falls short by less


def test_norms_of_a_step_are_those_of_claim_c_8(X: torch.Tensor, net: core.Params) -> None:
    m, eta = net["W"].shape[1], 0.1
    after = net["A"] - eta * network.joint_gradient(net, X)[0]["A"]
    Phi = kernels.features(net["W"], X)
    sizes = [kernels.spectral_norm(v) for v in (Phi, net["A"], after)]
    sizes[0] = sizes[0] / kernels.spectral_norm(X)
    found = steps.step_parts("joint", net, X, eta)["norms"]
    assert_close(found, torch.stack(sizes) / (2 * m**0.5))


def test_table_1_has_the_printed_exponents() -> None:
    shape = kernels.Geometry(n=3, d=2, separation=0.5, lambda_0=0.1, lambda_h=0.05, lambda_n=2,
                             norm_h=1)  # fmt: skip
    found = bounds.table_1(shape, delta=0.5).set_index(["regime", "reference", "outputs"]).width
    weak = 3**5 * 2**4 * 2 / (0.1**4 * 0.5**3)
    joint = 3 * 2 * 2**3 / (0.1**4 * 0.5**2)
    assert found["weak", "This work", "multiple"] == pytest.approx(weak)
    assert found["joint", "This work", "multiple"] == pytest.approx(joint)
    implicit = found["joint", "Du et al. 2018", "single"]
    assert implicit == pytest.approx(3**6 * np.log(implicit / 0.5) / (0.1**4 * 0.5**3))


def test_bernstein_width_inverts_its_radius() -> None:
    shape = kernels.geometry(data.sphere(3, 3, 2))
    m = bounds.bernstein_width(shape, 0.1)
    assert bounds.bernstein_radius(shape, m, 0.1) <= shape.lambda_0 / 4
    assert bounds.bernstein_radius(shape, m - 2, 0.1) > shape.lambda_0 / 4


def test_pair_crossover_is_where_the_eigenvalues_meet() -> None:
    shape = kernels.geometry(data.pair(bounds.pair_crossover()))
    assert shape.lambda_h == pytest.approx(shape.lambda_0, rel=1e-6)


def test_mutual_radii_solve_each_other() -> None:
    R_w, R_a = bounds.mutual_radii(0.3, norm_A=2.0, norm_W=5.0)
    assert pytest.approx(0.3 * (2.0 + R_a)) == R_w
    assert pytest.approx(0.3 * (5.0 + R_w)) == R_a
    assert bounds.mutual_radii(1.0, 2.0, 5.0) == (np.inf, np.inf)


def test_certificates_improve_with_width() -> None:
    X = data.orthonormal(2, 2)
    for make in (bounds.joint_certificate, bounds.weak_certificate):
        narrow, wide = (
            make(network.initial(core.generator(0, "c"), 2, m), X) for m in (256, 1 << 17)
        )
        assert wide.valid
        assert wide.perturbation < narrow.perturbation


# Tied weights and the search


def test_tied_gradient_is_that_of_autograd(X: torch.Tensor) -> None:
    params = tied.initial(core.generator(0, "tied"), 4, 9, 2.0)
    assert_close(tied.gradient(params, X)[0]["W"], torch.func.grad(tied.loss)(params, X)["W"])


@pytest.mark.parametrize("case", [(5, 20, 2.0, 1.0), (3, 30, 1.5, 2.0)])
def test_lemma_6_1_agrees_with_monte_carlo(case: tuple[int, int, float, float]) -> None:
    mean, stderr = tied.sampled_error(*case, 20_000, core.generator(0, "lemma 6.1"))
    assert abs(mean - tied.expected_error(*case)) < 5 * stderr


def test_other_scalings_agree_with_monte_carlo() -> None:
    case, divisor = (4, 40, 1.0, 1.0), 160**0.5
    mean, stderr = tied.sampled_error(*case, 20_000, core.generator(0, "scaling"), divisor)
    assert abs(mean - tied.expected_error(*case, divisor)) < 5 * stderr


@pytest.mark.parametrize("case", [(5, 20, 2.0, 1.0), (3, 30, 1.5, 2.0), (1, 1, 0.5, 1.0)])
def test_expected_error_is_the_formula_of_lemma_6_1(case: tuple[int, int, float, float]) -> None:
    d, m, sigma2, norm = case
    lemma = (sigma2 / 2 - 1) ** 2 * norm**2 + (2 * d + 3) * (sigma2 * norm) ** 2 / (4 * m)
    assert tied.expected_error(d, m, sigma2, norm) == pytest.approx(lemma)


def test_search_returns_a_width_of_its_grid() -> None:
    points = torch.stack([data.sphere(2, 3, s) for s in range(2)])
    found = search.smallest_width("joint", points, seeds=3, c=1.0, error=0.3)
    assert found.shape == (2,)
    assert set(found) <= {float(m) for m in search.WIDTHS}


def test_the_printed_routes_meet_their_own_conditions() -> None:
    shape = kernels.geometry(data.orthonormal(3, 4))
    m = bounds.weak_route_width(shape, 0.2)
    moved = bounds.weak_radius(shape, round(m), 2 * 3 / 0.2, factor=2)
    assert float(moved) == pytest.approx(shape.lambda_0 * 0.2 / (8 * 3**2 * 4), rel=1e-6)
    m = bounds.joint_route_width(shape, 0.2)
    alpha = float(bounds.joint_radius(shape, m, 1.5 * 3 / 0.2, 1.0, factor=2))
    R_w, _ = bounds.mutual_radii(alpha, 2 * m**0.5, 2 * m**0.5)
    change = bounds.lemma_52_printed(shape.lambda_n, 2 * m**0.5, m, R_w)
    assert change == pytest.approx(shape.lambda_0 / 4, rel=1e-6)
