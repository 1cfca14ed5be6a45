"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np

from featurebook.papers.ntk_autoencoders import proof_pictures

TIMES = np.linspace(0, 20, 161)


def test_the_error_falls_at_the_rate_of_the_smallest_eigenvalue() -> None:
    error, moved, least = proof_pictures.weakly_trained(3, 4, 200, TIMES, 0)
    assert least > 0
    assert (error <= np.exp(-2 * least * TIMES / 4) + 1e-9).all()
    assert (np.diff(error) < 0).all()
    assert moved[0] == 0


def test_wider_networks_move_less() -> None:
    narrow, wide = (proof_pictures.weakly_trained(3, 4, m, TIMES, 0)[1][-1] for m in (100, 1600))
    assert wide < narrow / 2


def test_the_share_that_may_flip_is_that_of_a_sample_and_below_its_bound() -> None:
    R = np.array([0.01, 0.1, 1.0])
    found = proof_pictures.flips(R)
    assert (found <= R * np.sqrt(2 / np.pi)).all()
    z = np.abs(np.random.default_rng(0).standard_normal(200_000))
    np.testing.assert_allclose(found, [(z <= r).mean() for r in R], atol=4e-3)


def test_the_pictures_are_drawn() -> None:
    assert len(proof_pictures.proof(0).axes) == 2
    plt.close()
