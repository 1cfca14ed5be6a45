"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from featurebook.papers.nuclear_norm import model, proof_pictures, selection

TASK = model.Task(10, 28, 0.3)


def test_the_slopes_at_zero_are_pull_and_price() -> None:
    lam, small = 0.1, 1e-5
    alpha = selection.invariant_weight(TASK.r, lam)
    change = proof_pictures.objectives(TASK, lam, alpha, np.array([small]))
    pull = TASK.q * TASK.gamma * selection.invariant_wrong(TASK.r, lam)
    assert change["weight decay"][0] / small == pytest.approx(-pull, rel=1e-3)
    price = proof_pictures.price(TASK)
    assert change["nuclear norm"][0] / small == pytest.approx(lam * price - pull, rel=1e-3)
    assert pull / (lam * price) == pytest.approx(selection.ratio(TASK, lam), rel=1e-9)


def test_weight_decay_wants_environmental_features_and_the_nuclear_norm_does_not() -> None:
    alpha, beta = selection.invariant_weight(10, 0.1), np.linspace(0, 0.1, 20)[1:]
    change = proof_pictures.objectives(TASK, 0.1, alpha, beta)
    assert change["weight decay"].min() < 0 < change["nuclear norm"].min()


def test_the_pictures_are_drawn() -> None:
    assert len(proof_pictures.two_halves(TASK, 0.1).axes) == 2
    plt.close()
