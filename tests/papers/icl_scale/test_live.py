"""The crossing by the quadratic formula, against the search for it."""

import math

import pytest

from featurebook.papers.icl_scale import live, noise, regression


@pytest.mark.parametrize(
    ("N", "M", "sigma", "low", "high"),
    [(20, 32, 0.5, 2, 8), (20, 4, 0.5, 2, 8), (200, 500, 0.0, 1, 16), (5, 100, 3.0, 0, 3)],
)
def test_risks_cross_where_the_search_says(N, M, sigma, low, high):
    lam = regression.spectrum("1/i", live.D)
    expected = noise.crossing(lam, N, M, sigma, low, high, "exact")
    found = live.crossing(lam, N, M, sigma, low, high)
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_equal_ranks_do_not_cross():
    assert math.isnan(live.flips(0.2, 0.5, 16, 20, 4, 4)["crossing"])


def test_what_the_story_says():
    best = [live.flips(p, 0.5, 32, 20, 2, 8)["best"] for p in (0.25, 0.42, 0.5, 1)]
    assert (best[0], best[-1]) == (16, 0)
    assert best == sorted(best, reverse=True)
    assert live.flips(0.25, 0.5, 4, 20, 2, 8)["crossing"] == 0
    assert 0.49 < live.flips(0.25, 0.5, 1000, 20, 2, 8)["crossing"] < 0.5
