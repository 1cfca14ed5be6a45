"""The three coordinates of the live figure, against a neuron in all dimensions."""

import numpy as np
import pytest

from featurebook.papers.gradient_features import data, live, maps


@pytest.mark.parametrize(("bias", "angle", "tilt"), [(0.0, 30.0, 0.2), (1.5, -70.0, 0.6)])
def test_three_coordinates_are_enough(bias, angle, tilt):
    d = 30
    small = live.neuron(angle, tilt, d)[0]
    other = np.random.default_rng(0).normal(size=d - 2)
    w = np.r_[small[:2], small[2] * other / np.linalg.norm(other)]
    G = maps.G_mixture_quadrature(w[None], bias * d**0.5, data.xor(d))[0]
    values = live.bunches(bias, angle, tilt, d, 0.05)
    assert values["size"] == pytest.approx(np.linalg.norm(G))
    assert values["here"] == pytest.approx(np.degrees(np.arctan2(G[1], G[0])))
    assert values["alike"] == pytest.approx(np.abs(G[:2]).max() / np.linalg.norm(G))


def test_what_the_story_says():
    before, after = (live.bunches(bias, 30, 0.2, 100, 0.05) for bias in (0, 3))
    assert after["share"] == pytest.approx(75, abs=1)
    assert before["size"] / after["size"] == pytest.approx(10, abs=1)
    assert np.all(np.diff(before["gradient"]) < 0)  # it turns backwards
