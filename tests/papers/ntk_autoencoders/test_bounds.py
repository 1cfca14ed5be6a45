"""Radii, widths and certificates against brute force."""

from math import cos, pi, sin

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from featurebook import core
from featurebook.papers.ntk_autoencoders import adversaries, bounds, data, kernels, network, steps


def test_flip_potential_bounds_every_move() -> None:
    X, R = data.sphere(4, 3, 2), 0.3
    W = network.initial(core.generator(1, "flip"), 3, 40)["W"]
    before = (X.T @ W >= 0).double()
    most = bounds.flip_potential(W, X, R)
    for move in (
        adversaries.random_move(W, R, core.generator(2, "flip")),
        adversaries.nearest_crossing(W, X, R),
        adversaries.switch_on(W, X, R),
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
