"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from featurebook.papers.universality_tradeoff import proof_pictures


@pytest.mark.parametrize(("s", "q", "T"), [(2, 3, 2), (3, 3, 4), (5, 2, 8)])
def test_the_loss_falls_until_shared_features_have_weight_one(s: int, q: int, T: int) -> None:
    loss = proof_pictures.along_the_budget(np.linspace(0, 1, 12), s, q, T)
    assert (np.diff(loss) < 0).all()


def test_the_mean_is_that_of_a_sample() -> None:
    rng = np.random.default_rng(0)
    x = 0.7 * rng.chisquare(3, 400_000) + 0.2 * rng.chisquare(4, 400_000)
    sampled = np.logaddexp(0, -x).mean()
    assert proof_pictures.mean_loss(0.7, 0.2, 3, 4) == pytest.approx(sampled, rel=5e-3)


def test_the_factor_is_larger_if_and_only_if_private_parts_weigh_more() -> None:
    for v1, s, q, T in ((0.9, 10, 10, 2), (0.5, 10, 10, 2), (0.8, 3, 9, 4), (0.2, 3, 9, 4)):
        rises = proof_pictures.factor(T, v1, s, q) > proof_pictures.factor(1, v1, s, q)
        assert rises == (T * (1 - v1) * s > v1 * q)


def test_the_pictures_are_drawn() -> None:
    assert len(proof_pictures.proof(3, 3).axes) == 2
    plt.close()
