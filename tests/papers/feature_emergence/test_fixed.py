"""Fixed features that suffice where a second background pattern is rare."""

import math
from fractions import Fraction

import numpy as np

from featurebook.papers.feature_emergence import fixed


def test_few_features_answer_and_stay_in_their_size() -> None:
    answers, labels, others, norm = fixed.trial(np.random.default_rng(1), 20, 5)
    assert np.allclose(answers[others <= 1], labels[others <= 1])
    assert (abs(answers) <= np.maximum(2 * others - 1, 1) + 1e-9).all()
    count, most = fixed.size(20, 5)
    inputs = np.eye(20)[:3]
    assert fixed.features(inputs, 5).shape == (3, count)
    assert abs(fixed.features(inputs, 5)).max() <= 1
    assert norm <= most + 1e-9
    alternating = np.array([-1.0, 1, -1, 1, -1, 1])
    w = fixed.weights(np.eye(20), np.arange(20) >= 5, alternating)
    assert math.isclose(w @ w, most)


def test_printed_bound_is_rounded_down() -> None:
    bound = fixed.printed_bound(Fraction(1, 2), 145, 65, 9)
    exact = (1 - math.sqrt(2 * 145 * 65) / 2**9) / 2
    assert exact - 1 / 2**9 <= bound <= exact


def test_mean_root_against_a_sum() -> None:
    draws = ((0, 0.64), (1, 0.32), (2, 0.04))  # two draws with probability 2p = 0.2
    mean = sum(p / math.sqrt(math.comb(3 + s, 3)) for s, p in draws)
    assert math.isclose(fixed.mean_root(5, 3, 0.1), mean)
