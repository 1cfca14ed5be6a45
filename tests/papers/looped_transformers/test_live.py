"""The error of the live figure, against the loop itself."""

import numpy as np
import pytest

from featurebook.papers.looped_transformers import live


@pytest.mark.parametrize(("kappa", "reach", "d"), [(20, 1.0, 4), (3, 1.9, 2), (100, 0.3, 7)])
def test_the_error_is_that_of_gradient_descent(kappa, reach, d):
    values = live.loops(kappa, reach, 10, d)
    lam, theta, task = kappa ** -np.linspace(0, 1, d), np.zeros(d), np.full(d, d**-0.5)
    for t in range(11):
        assert values["error"][t] == pytest.approx(abs(theta @ task - 1))
        theta = theta - reach * lam * (theta - task)
    assert values["here"] == values["error"][10]


def test_loops_for_one_per_cent():
    values = live.loops(30, 1.0, 0, 4)
    assert (1 - 1 / 30) ** values["sharp loops"] == pytest.approx(0.01)
    assert np.exp(-values["printed loops"] / 60) == pytest.approx(0.01)


def test_what_the_story_says():
    printed, faster, stopped, lost = (live.loops(20, x, 200, 4)["here"] for x in (1, 1.9, 2, 2.05))
    assert faster < printed < 0.2 < stopped < 0.3 < lost
