"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import binom

from featurebook.papers.gradient_features import proof_pictures


def test_the_mean_of_neurons_near_a_threshold_is_as_near_to_the_teacher() -> None:
    thresholds, z = np.random.default_rng(0).normal(1, 0.5, 50), np.linspace(-3, 5, 300)
    for within in (0.1, 0.3):
        lines, error = proof_pictures.imitators(1.0, thresholds, within, z)
        assert 0 < len(lines) < 50
        assert error.max() <= within


def test_few_nice_neurons_are_as_rare_as_chernoff_says() -> None:
    for m, p in ((100, 0.4), (1000, 0.1)):
        assert binom.cdf(m * p / 4, m, p / 2) <= np.exp(-m * p / 16)


def test_the_pictures_are_drawn() -> None:
    assert len(proof_pictures.proof(0.2, 0).axes) == 2
    plt.close()
