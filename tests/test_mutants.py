"""The helper that breaks every place of a formula: it finds them, names them, puts all back."""

import math

import pytest

from mutants import Covered, breaks, survivors

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
