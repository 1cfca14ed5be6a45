"""The helper that breaks every place of a formula: it finds them, names them, puts all back."""

import ast
import math
import sys
from functools import cached_property, lru_cache

import pytest

from mutants import Constant, Covered, assert_constant_noticed, breaks, survivors
from mutation import computing_with, plain, tree

SCALE = 3.0


def tail(x, rate=2):
    """Not 7."""
    if x < 0 and not math.isclose(rate, 3):
        return 1.0
    return 8 * math.exp(-(x**rate) / 8)


def summed(rows: list[int]) -> float:
    total = 0
    for row in rows:
        total += max(row, 1)
    return total


def scaled(x):
    return SCALE * x


def closed(k):
    def inner(x):
        return k * x + 5

    return inner


class Ball:
    radius = 3.0

    @property
    def volume(self):
        return 4 * math.pi * self.radius**3 / 3

    @cached_property
    def surface(self):
        return 4 * math.pi * self.radius**2


@lru_cache
def cached(n):
    return 7 * n


def endless(n):
    while n < 3:
        n += 1
    return n


def energy(x):
    return abs(x) + x.conjugate().conj()


def shaped(w):
    return w.sum(-1, keepdim=True) + w.shape[0]


def golden_tail():
    assert tail(1.0) == pytest.approx(8 * 0.8824969)
    assert tail(-1.0) == 1
    assert tail(2.0) == pytest.approx(4.85224528)


def names(function):
    return [name for name, _ in breaks(function)]


def test_every_kind_of_place_is_found():
    found = names(tail)
    assert {
        "x < 0 → x <= 0",
        "3 → 4",
        "x < 0 and (not math.isclose(rate, 3)) → x < 0 or not math.isclose(rate, 3)",
        "not math.isclose(rate, 3) → not not math.isclose(rate, 3)",
        "8 → 9",
        "8 → 9 (2)",
        "1.0 → 1.1",
        "x ** rate → x * rate",
        "2 → 3",
        "-x ** rate → +x ** rate",
    } <= set(found)
    assert len(found) == len(set(found))
    assert not any("7" in name for name in found)


def test_assignments_and_opposite_calls_are_broken():
    found = names(summed)
    assert "total += max(row, 1) → total -= max(row, 1)" in found
    assert "max(row, 1) → min(row, 1)" in found


def test_calls_that_can_be_left_out_are_left_out():
    assert "x.conjugate().conj() → +x.conjugate()" in names(energy)


def test_numbers_that_name_an_axis_are_left_alone():
    assert set(names(shaped)) == {
        "w.sum(-1, keepdim=True) + w.shape[0] → w.sum(-1, keepdim=True) - w.shape[0]",
        "w.sum(-1, keepdim=True) → w.mean(-1, keepdim=True)",
    }


def test_what_a_test_does_not_see_survives_and_the_function_is_as_before():
    found = survivors(Covered(tail, golden_tail), names(tail))
    assert "8 → 9" not in found
    assert "x < 0 → x <= 0" in found
    golden_tail()


def test_a_row_is_named_by_its_module_and_function():
    assert str(Covered(tail, golden_tail)) == "test_mutants.tail"


@pytest.mark.parametrize(
    ("function", "golden"),
    [
        (Ball.volume, lambda: Ball().volume == pytest.approx(36 * math.pi)),
        (Ball.__dict__["surface"], lambda: Ball().surface == pytest.approx(36 * math.pi)),
        (cached, lambda: (cached(3), cached(2)) == (21, 14)),
    ],
)
def test_properties_and_cached_functions_are_broken_and_mended(function, golden):
    covered = Covered(function, golden)
    assert survivors(covered, names(function)) == []
    assert golden()


def test_functions_with_surroundings_keep_them():
    inner = closed(2)
    other = tree(plain(inner))
    other.body = ast.parse("return k * x + 10").body
    with computing_with(other, inner):
        assert inner(1) == 12
    assert inner(1) == 7


def test_a_test_that_fails_by_itself_is_no_test():
    with pytest.raises(AssertionError, match="fails without any break"):
        survivors(Covered(tail, lambda: False), names(tail))


def test_a_break_that_computes_for_too_long_is_listed():
    covered = Covered(endless, lambda: endless(0) == 3)
    assert survivors(covered, ["n += 1 → n -= 1"], patience=0.2) == ["n += 1 → n -= 1"]
    assert survivors(covered, ["1 → 2"], patience=0.2) == []


def test_only_python_functions_are_broken():
    with pytest.raises(TypeError, match="no Python function"):
        names(math.sqrt)


def test_a_constant_is_broken_and_mended():
    here = sys.modules[__name__]
    assert_constant_noticed(Constant(here, "SCALE", 2, lambda: scaled(2) == 6))
    assert scaled(2) == 6
    with pytest.raises(AssertionError, match="no test notices SCALE times 2"):
        assert_constant_noticed(Constant(here, "SCALE", 2, lambda: True))
