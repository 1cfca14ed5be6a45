"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from featurebook import core
from featurebook.papers.fourier_circuits import circuits, proof_pictures, single, theory


@pytest.mark.parametrize(("k", "p"), [(2, 7), (3, 5)])
def test_the_shares_of_the_frequencies_add_up_to_the_margin(k: int, p: int) -> None:
    g = core.generator(k, p)
    u = torch.randn(k, p, generator=g, dtype=torch.float64)
    w = torch.randn(p, generator=g, dtype=torch.float64)
    margin = single.class_weighted_margin(u, w).item()
    assert proof_pictures.shares(u, w).sum() == pytest.approx(margin, rel=1e-12)


def test_a_cosine_neuron_has_the_largest_margin_in_one_share() -> None:
    phases = torch.tensor([0.3, 1.0]).double()
    u, w = single.cosine_neuron(2, phases, 11, theory.amplitude(2, 11))
    np.testing.assert_allclose(
        proof_pictures.shares(u, w) / theory.gamma(2, 11), [0, 1, 0, 0, 0], atol=1e-12
    )


def test_a_circuit_loses_nothing_and_a_noisy_one_does() -> None:
    _, ax = plt.subplots()
    largest, mean = proof_pictures.scores(ax, *circuits.network(*circuits.short(2), 7), (2, 3))
    assert largest == pytest.approx(mean, rel=1e-12)
    largest, mean = proof_pictures.scores(ax, *proof_pictures.a_network(2, 7, 0, 0.8), (2, 3))
    assert largest > mean
    plt.close()
    assert len(proof_pictures.four_steps(7, 0).axes) == 4
    plt.close()
