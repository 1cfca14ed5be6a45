"""The helper that breaks formulas: it notices, it names survivors, it puts everything back."""

import math
import sys
from functools import cached_property, lru_cache

import pytest

from featurebook.verdicts import inequality
from mutation import Mutation, assert_noticed, broken, survivors

SCALE = 3.0


def area(r):
    """2 pi is not in here."""
    return math.pi * r**2


def tail(x, rate=2):
    if x < 0:
        return 1.0
    return 8 * math.exp(-(x**rate) / 8)


def scaled(x):
    return SCALE * x


def closed(k):
    def inner(x):
        return k * x + 5

    return inner


class Ball:
    radius = 2.0

    @property
    def volume(self):
        return 4 * math.pi * self.radius**3 / 3

    @cached_property
    def surface(self):
        return 4 * math.pi * self.radius**2


@lru_cache
def cached(n):
    return 7 * n


def golden_area():
    assert area(1.0) == pytest.approx(math.pi)
    assert area(2.0) == pytest.approx(12.566371)


def weak_area():
    assert area(1.0) == pytest.approx(math.pi)


def golden_tail():
    assert tail(4.0) == pytest.approx(8 * math.exp(-2))
    assert tail(-1) == 1


HERE = sys.modules[__name__]


@pytest.mark.parametrize(
    "mutation",
    [
        Mutation(area, 2, 1.5, golden_area),
        Mutation(area, "r ** 2", "r", golden_area),
        Mutation(area, "r ** 2", "nonsense", golden_area),
        Mutation(tail, 8, 7 / 8, golden_tail),
        Mutation(tail, 8, 7 / 8, golden_tail, occurrence=1),
        Mutation(tail, 2, 1.5, golden_tail),  # a default
        Mutation(Ball.volume, 3, 1.1, lambda: Ball().volume == 4 * math.pi * 8 / 3),
        Mutation(Ball.__dict__["surface"], 4, 2, lambda: Ball().surface == 16 * math.pi),
        Mutation(cached, 7, 2, lambda: cached(3) == 21),
        Mutation(becomes=2, check=lambda: scaled(2) == 6, module=HERE, name="SCALE"),
        Mutation(area, 2, 1.5, lambda: inequality(area(2.0), 13)),
    ],
    ids=str,
)
def test_what_is_broken_is_noticed_and_mended(mutation):
    assert_noticed(mutation)
    golden_area()
    golden_tail()
    assert (Ball().volume, cached(3), scaled(2)) == (4 * math.pi * 8 / 3, 21, 6)


def test_a_survivor_is_named_with_its_line():
    with pytest.raises(AssertionError) as caught:
        assert_noticed(Mutation(area, 2, 1.5, weak_area))
    said = str(caught.value)
    assert "SURVIVED: test_mutation.area: 2 times 1.5" in said
    assert "return math.pi * r ** 3" in said
    assert "weak_area passes" in said


def test_a_check_that_fails_by_itself_is_no_check():
    with pytest.raises(AssertionError, match="fails without any mutation"):
        assert_noticed(Mutation(area, 2, 1.5, lambda: False))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Mutation(area, 5, 2, golden_area), "0 such numbers; the function has 2"),
        (Mutation(area, 2, 2, golden_area, occurrence=1), "1 such numbers"),
        (Mutation(area, "r ** 4", "r", golden_area), "no such text"),
    ],
)
def test_what_is_not_in_the_source_is_said(wrong, message):
    with pytest.raises(ValueError, match=message):
        assert_noticed(wrong)


def test_only_python_functions_are_broken():
    with pytest.raises(TypeError, match="no Python function"):
        assert_noticed(Mutation(math.sqrt, 2, 2, golden_area))


def test_functions_with_surroundings_keep_them():
    inner = closed(2)
    with broken(Mutation(inner, 5, 2)) as line:
        assert line == "return k * x + 10"
        assert inner(1) == 12
    assert inner(1) == 7


def test_all_numbers_of_a_function_at_once():
    assert survivors(area, golden_area) == []
    assert survivors(area, weak_area) == [
        "test_mutation.area: 2 times 1.1: return math.pi * r ** 2.2"
    ]
    left = survivors(tail, lambda: tail(4.0) == 8 * math.exp(-2))
    assert [line.partition(": ")[2][:5] for line in left] == ["0 tim", "1.0 t"]
    assert survivors(tail, lambda: tail(4.0) == 8 * math.exp(-2), skip=(0, 1.0)) == []
