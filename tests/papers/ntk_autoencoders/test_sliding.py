"""Neurons that gradient descent keeps on a hyperplane."""

import pytest
import torch

from featurebook.papers.ntk_autoencoders import kernels, network, sliding


def test_descent_pushes_six_neurons_back_from_both_sides() -> None:
    X, p = sliding.samples(), sliding.start()
    assert torch.allclose(X.T @ X, torch.tensor([[1.0, -0.6], [-0.6, 1.0]]).double())
    places = (p["W"][0].T @ X).round(decimals=12)
    on = {(r, i) for r, i in (places == 0).nonzero().tolist()}
    assert on == {(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, 1)}
    for side in (1e-6, -1e-6):
        nudged = p["W"].clone()
        for r, i in on:  # by a vector that is orthogonal to the other sample
            nudged[0, :, r] += side * torch.linalg.inv(X)[i]
        gradient, _ = network.GRADIENTS["weak"]({"W": nudged, "A": p["A"]}, X)
        pull = -gradient["W"][0].T @ X
        assert all(pull[r, i] * side < 0 for r, i in on)
    assert (places[[6, 7, 8, 9, 16, 17, 18, 19]] < 0).all()


@pytest.mark.parametrize("gate", [0.0, 1.0])
def test_gates_of_zero_and_one_give_the_kernel_beside_the_hyperplanes(gate: float) -> None:
    X, p = sliding.samples(), sliding.start()
    W = p["W"][0].clone()
    for r in range(6):
        W[:, r] += (2 * gate - 1) * 1e-6 * torch.linalg.inv(X)[r // 3]
    kernel = kernels.KERNELS["weak"]({"W": W, "A": p["A"][0]}, X)
    assert sliding.least([gate] * 6) == pytest.approx(float(kernels.smallest(kernel)), rel=1e-9)


def test_partly_open_gates_lower_the_least_eigenvalue() -> None:
    assert sliding.least([sliding.GATE] * 6) == pytest.approx(0.3 * (1 - 0.6**2), rel=1e-12)
