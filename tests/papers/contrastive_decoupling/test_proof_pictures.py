"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from featurebook.papers.contrastive_decoupling import model, proof_pictures, theory


def test_two_views_leave_no_noise() -> None:
    whole, masked = proof_pictures.moments(6, 32)
    M = model.hadamard_dictionary(6, 32).double()
    signal = model.code_probability(6) * M @ M.T
    torch.testing.assert_close(masked, signal - signal.diag().diag(), rtol=0, atol=1e-12)
    assert whole.diag().min() > model.noise_variance(6)


@pytest.mark.parametrize("masked", [True, False])
def test_lengths_are_those_of_the_matrices(masked: bool) -> None:
    d, d1, steps = 4, 16, 7
    matrix = proof_pictures.moments(d, d1)[1 if masked else 0]
    M = model.hadamard_dictionary(d, d1).double()
    grown = torch.linalg.matrix_power(torch.eye(d1, dtype=M.dtype) + matrix, 2 * steps)
    on = torch.trace(M.T @ grown @ M).item()
    signal, noise = proof_pictures.lengths(d, d1, steps, masked)
    assert signal[-1] == pytest.approx(on, rel=1e-6)
    assert noise[-1] == pytest.approx(torch.trace(grown).item() - on, rel=1e-6)


def test_the_masked_growth_is_that_of_stage_one() -> None:
    on, off = theory.growth_factors(32, 256, model.code_probability(32), 1.0, 0.0, 10**12)
    signal, noise = proof_pictures.lengths(32, 256, 1, True)
    assert signal[1] == pytest.approx(32 * on**2, rel=1e-9)
    assert noise[1] == pytest.approx(224 * off**2, rel=1e-9)
    assert noise[1] < noise[0], "masked noise does not grow"


def test_one_atom_wins_the_race_and_without_a_bias_none_does() -> None:
    start = np.array([1.0, 0.85, 0.5])
    still = proof_pictures.race(start, 0.05, 0.01, np.zeros(50))[-1]
    np.testing.assert_allclose(still / still[0], start)
    rising = proof_pictures.race(start, 0.05, 0.01, np.linspace(0, 0.9, 160))[-1]
    assert (rising[1:] < 0.4 * rising[0]).all()


def test_the_pictures_are_drawn() -> None:
    assert len(proof_pictures.proof().axes) == 4
    plt.close()
