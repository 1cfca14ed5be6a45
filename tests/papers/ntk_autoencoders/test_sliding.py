"""Neurons that gradient descent keeps on a hyperplane."""

import torch

from featurebook.papers.ntk_autoencoders import network, sliding


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
