"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from featurebook.papers.icl_scale import proof_pictures
from featurebook.papers.icl_scale import regression as reg

LAM = reg.spectrum("1/i", 6)


@pytest.mark.parametrize("r", [1, 3, 6])
def test_the_gains_of_the_first_directions_are_the_least_loss(r: int) -> None:
    assert -proof_pictures.gains(LAM, 20)[:r].sum() == pytest.approx(reg.least_loss(LAM, 20, r))


def test_gains_fall_with_the_direction() -> None:
    assert (np.diff(proof_pictures.gains(LAM, 20)) < 0).all()


def test_noise_of_the_further_directions_is_the_gap() -> None:
    s = np.array([1.0, -2.0, 0, 0, 0, 0])
    gap = reg.gap(s, LAM, 20, 16, 0.7, 2, 5)
    let_in = proof_pictures.noise_let_in(LAM, 20)[2:5].sum()
    assert gap == pytest.approx(((s**2 * LAM).sum() + 0.7**2) / 16 * let_in)


def test_the_pictures_are_drawn() -> None:
    assert len(proof_pictures.proof(LAM, 20, 2).axes) == 2
    plt.close()
