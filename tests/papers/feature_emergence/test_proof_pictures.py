"""What the pictures of the proofs draw is what the proofs say."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest

from featurebook.papers.feature_emergence import hardness, proof_pictures


@pytest.mark.parametrize("k", [3, 5, 9])
def test_the_ramps_add_up_to_any_label_of_the_count(k: int) -> None:
    rng = np.random.default_rng(k)
    labels = rng.choice([-1.0, 1.0], k + 1)
    np.testing.assert_allclose(proof_pictures.ramps(labels, np.arange(k + 1.0)), labels, atol=1e-12)


def test_features_capture_no_more_than_their_number() -> None:
    each, by_size = proof_pictures.captured(10, 3, 16, 0)
    assert len(each) == math.comb(10, 3)
    assert by_size.sum() == pytest.approx(16), "signs have norm one, so Parseval is an equality"
    assert by_size[3] == pytest.approx(each.sum())
    assert each.min() <= 16 / math.comb(10, 3)


@pytest.mark.parametrize("k", [5, 7, 11, 21])
def test_half_of_the_floor_takes_exponentially_many_features(k: int) -> None:
    assert hardness.printed_bound(4**k // 8, 1.0, k) == pytest.approx(0.5)
    assert 2 * math.comb(16 * k, k) >= 4**k


def test_the_pictures_are_drawn() -> None:
    for figure in (
        proof_pictures.counting(5),
        proof_pictures.budget(8, 3, 6, 0),
        proof_pictures.separation((5, 300), 0.1),
    ):
        assert figure.axes
        plt.close(figure)
