"""Rounding bounds: true, not idle, and their constants."""

import numpy as np
import pytest

from featurebook.papers.looped_transformers import experiments, rounding


def test_unit_roundoff_and_gamma() -> None:
    assert rounding.unit_roundoff(np.float64) == 2.0**-53
    assert rounding.unit_roundoff(np.float32) == 2.0**-24
    assert rounding.gamma(3, 0.1) == pytest.approx(0.3 / 0.7)


def by_hand() -> tuple[np.ndarray, np.ndarray, float, np.ndarray]:
    """x₁ = (1, -2), y₁ = -3; q = (-1, 1), α = -2: |score| parts 1 + 2 + 6 = 9."""
    return np.array([[1.0, -2.0]]), np.array([-3.0]), -2.0, np.array([-1.0, 1.0])


def test_sizes_by_hand() -> None:
    np.testing.assert_array_equal(rounding.sizes(*by_hand()), [9.0, 18.0])


def test_layer_bound_by_hand() -> None:
    """n = 1, d = 2: γ of 5 roundings."""
    expected = 5 * 2.0**-24 / (1 - 5 * 2.0**-24)
    found = rounding.layer_bound(*by_hand(), np.float32)
    np.testing.assert_allclose(found, [9 * expected, 18 * expected])


def test_loop_bound_by_hand() -> None:
    """One loop with η = 1/10: γ of 7 roundings, and the rounding of the sum."""
    X, y, alpha, q = by_hand()
    u, after = 2.0**-53, np.array([0.5, 0.25])
    own = 7 * u / (1 - 7 * u) * 0.1 * np.array([9.0, 18.0]) + u * after
    states = np.stack([q, after, after])
    bounds = rounding.loop_bound(X, y, alpha, states, 0.1, np.float64)
    assert bounds[0] == 0
    assert bounds[1] == pytest.approx(np.linalg.norm(own), rel=1e-8, abs=0)
    # n < d: the kernel keeps earlier errors, with the factor 1; 1 - 0.1·5 = 0.5 is smaller
    again = np.array([0.5 + 0.5 + 6.0, 2 * 7.0])
    second = 7 * u / (1 - 7 * u) * 0.1 * again + u * after
    assert bounds[2] == pytest.approx(bounds[1] + np.linalg.norm(second), rel=1e-8, abs=0)


def test_loop_bound_grows_with_the_largest_factor() -> None:
    """λ = 4, η = 1: what came before is multiplied by 3."""
    X, states = np.array([[2.0]]), np.zeros((3, 1))
    bounds = rounding.loop_bound(X, np.array([1.0]), 1.0, states, 1.0, np.float64)
    assert bounds[2] == pytest.approx(4 * bounds[1], rel=1e-8, abs=0)


@pytest.fixture(scope="module")
def table():  # type: ignore[no-untyped-def]
    return experiments.rounding_table(1, 3, [np.float64, np.float32])


def test_bounds_hold_and_are_within_a_thousand(table) -> None:  # type: ignore[no-untyped-def]
    assert (table[["layer_of_bound", "loop_of_bound"]] <= 1).all(axis=None)
    gaussian = table[table.case == "Gaussian"]
    assert (gaussian[["layer_of_bound", "loop_of_bound"]] > 1e-3).all(axis=None)


def test_errors_are_of_the_size_of_the_type(table) -> None:  # type: ignore[no-untyped-def]
    typical = table.groupby("dtype").loop.median()
    assert 1e-18 < typical["float64"] < 1e-14
    assert 1e-9 < typical["float32"] < 1e-5
    assert len(table) == 2 * table.case.nunique()
