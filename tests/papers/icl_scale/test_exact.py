"""Crossings in fractions."""

from fractions import Fraction

import numpy as np
import pytest

from featurebook.papers.icl_scale import exact, noise
from featurebook.papers.icl_scale import regression as reg


def test_difference_is_that_of_the_mean_risks() -> None:
    for p, N, M, r, r2 in [(0.25, 20, 16, 2, 8), (0.75, 3, 2, 1, 2), (0.0, 1000, 64, 0, 5)]:
        lam = reg.spectrum("1/i", 8)
        risks = [noise.mean_flip_risk(lam, reg.optimum(lam, N, x), M, 0.0, p) for x in (r, r2)]
        found = float(exact.rank_difference(8, N, M, Fraction(p), r, r2))
        assert found == pytest.approx(risks[1] - risks[0], rel=1e-11)


def test_one_direction_by_hand() -> None:
    # λ = tr D = 1, N = M = 1: v = 1/3, and at p = 0 it is 2/9 + 4/9 - 1
    assert exact.direction(Fraction(1), Fraction(1), 1, 1, Fraction(0)) == Fraction(-1, 3)
    assert exact.direction(Fraction(1), Fraction(1), 1, 1, Fraction(1)) == Fraction(1)


def test_crossing_is_where_the_sign_changes() -> None:
    at = noise.crossing(reg.spectrum("1/i", 8), 20, 16, 0.0, 2, 8, "exact")
    signs = [np.sign(float(exact.rank_difference(8, 20, 16, Fraction(at) + e, 2, 8)))
             for e in (Fraction(-1, 10**9), Fraction(1, 10**9))]  # fmt: skip
    assert signs == [-1, 1]
