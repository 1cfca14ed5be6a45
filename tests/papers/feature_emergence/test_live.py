"""The floors of the live figure, against the bounds of the checks."""

import pytest

from featurebook.papers.feature_emergence import hardness, live


@pytest.mark.parametrize(("N", "B", "k"), [(20, 0.5, 5), (1000, 1.0, 9), (7, 3.0, 3)])
def test_floors_are_the_bounds(N, B, k):
    printed, sharper = live.floor_of(N, B, k, 16 * k, 0.3)
    assert printed == pytest.approx(0.3 * max(0, hardness.printed_bound(N, B, k)))
    assert sharper == pytest.approx(0.3 * max(0, hardness.parseval_bound(N, B, 16 * k, k)))


def test_the_size_that_halves_the_floor():
    values = live.fixed_features(1, 9, 2.0, 0.4, 0.1)
    again = live.fixed_features(values["needed"], 9, 2.0, 0.4, 0.1)
    assert again["here"] == pytest.approx(0.2)


def test_what_the_story_says():
    fifteen, seventeen = (live.fixed_features(1, k, 1.0, 0.5, 0.1) for k in (15, 17))
    assert seventeen["needed"] == 16 * fifteen["needed"]
    assert seventeen["width"] < 5 * fifteen["width"]
