"""The curve of the live figure, which is found without a search, against the search."""

import pytest

from featurebook.papers.nuclear_norm import live, selection
from featurebook.papers.nuclear_norm.model import Task


@pytest.mark.parametrize(("r", "alpha"), [(1, 0.3), (10, 0.05), (10, 2.0), (60, 0.4)])
def test_a_weight_belongs_to_its_penalty(r, alpha):
    lam = live.penalty_of(Task(r, 5, 0.2), alpha)
    assert selection.invariant_weight(r, lam) == pytest.approx(alpha)


@pytest.mark.parametrize(("gamma", "survives"), [(0.3, False), (0.48, True)])
def test_survival_is_that_of_the_story(gamma, survives):
    assert (live.survival(0.1, gamma, 40, 176)["here"] > 1) == survives


def test_what_the_story_says():
    assert 0 < selection.smallest_lambda(Task(10, 28, 0.4)) < 0.01
    top = selection.largest_lambda(10) * (1 - 1e-9)
    assert selection.ratio(Task(10, 28, 0.44), top) < 1 < selection.ratio(Task(10, 28, 0.455), top)
