"""Step sizes and the steps at which to look."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from featurebook.core import inverse_time, log_spaced


def test_schedules_at_the_first_updates():
    assert [inverse_time(0.6)(t) for t in (1, 2, 6)] == pytest.approx([0.6, 0.3, 0.1])


@given(st.integers(1, 10**6), st.integers(1, 60))
def test_log_spaced(steps, points):
    found = log_spaced(steps, points)
    assert found[0] == 0
    assert all(a < b for a, b in pairwise(found))
    assert len(found) <= points + 1
    assert all(isinstance(t, int) for t in found)
    if points > 1:
        assert found[1] == 1
        assert found[-1] == steps


def test_log_spaced_is_dense_at_the_start_and_even_on_a_logarithmic_axis():
    assert log_spaced(1000, 4) == [0, 1, 10, 100, 1000]
    assert log_spaced(3, 30) == [0, 1, 2, 3]


@pytest.mark.parametrize("steps", [0, -5])
def test_log_spaced_of_no_steps_is_the_start(steps):
    assert log_spaced(steps) == [0]
