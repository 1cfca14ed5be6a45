"""The occupied cones of the live figure, at the paper's values and against random kernels."""

import numpy as np
import pytest

from featurebook.papers.cone_sets import live


def test_at_the_papers_values():
    values = live.occupied(24, 20, 0.5 * 0.2 * 20**0.5, 2**0.5)
    assert values["chance"] == pytest.approx(0.023, abs=5e-4)
    assert np.ceil(values["enough"]) == 3059


def test_as_often_as_random_kernels():
    w = np.random.default_rng(0).normal(size=(4000, 6, 4))
    inside = (w[..., 0] > 0.8) & (w[..., 1:] <= 0.4).all(-1)
    assert live.occupied(6, 4, 0.8, 0.5)["chance"] == pytest.approx(inside.any(1).mean(), abs=0.02)


def test_what_the_story_says():
    shown = live.occupied(24, 20, 0.4472, 1.4142)
    below = shown["printed"] < shown["mean"]
    assert shown["height"][below.argmax()] == pytest.approx(1.3, abs=0.02)
    assert below[below.argmax() :].all()
