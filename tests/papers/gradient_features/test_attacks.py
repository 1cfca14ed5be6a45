"""Golden values of what the part's attacks compare, found by hand or by brute force."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from featurebook.papers.gradient_features import construction, lemmas, linear


@pytest.mark.parametrize(("k", "p_A"), [(3, 0.25), (3, 0.1), (5, 0.25)])
def test_least_loss_without_bias_against_a_grid(k: int, p_A: float) -> None:
    """Over slopes α = -β by symmetry, at all inputs one by one."""
    signs = 1.0 - 2 * ((np.arange(2**k)[:, None] >> np.arange(k)) & 1)
    u, y = signs.sum(1), signs.prod(1)

    def loss(slope: float) -> float:
        structured = np.maximum(1 - slope * k, 0)
        return 2 * p_A * structured + (1 - 2 * p_A) * np.maximum(1 - y * slope * u, 0).mean()

    grid = min(loss(x / 2520) for x in range(-2520, 2521))
    assert_allclose(construction.least_loss_without_bias(k, p_A), grid, atol=1e-9)


def test_slopes_of_one_neuron_by_hand() -> None:
    """x = 1, y = 1, a = 0.1, w = 0.5, b = -0.2, η = 0.5: a, w -> a + η(w + 0.2), w + ηa."""
    p = {"a": [0.1], "W": [[0.5]], "b": [-0.2], "X": [[1.0]], "y": [1.0]}
    found, bound = lemmas.slope_sums({k: torch.tensor(v).double() for k, v in p.items()}, 0.5, 3)
    a2, w2 = 0.1 + 0.5 * 0.7, 0.5 + 0.5 * 0.1
    a3 = a2 + 0.5 * (w2 + 0.2)
    assert_allclose(found[:, 0], [0.1, 0.1 + a2, 0.1 + a2 + a3])
    assert_allclose(bound[:, 0], found[:, 0])


def test_a_satisfied_or_sleeping_neuron_stays() -> None:
    p = {"a": [4.0, 1.0], "W": [[1.0], [-1.0]], "b": [0.0, 0.0], "X": [[1.0]], "y": [1.0]}
    found, bound = lemmas.slope_sums({k: torch.tensor(v).double() for k, v in p.items()}, 0.5, 3)
    assert_allclose(found, [[4.0, 1.0], [8.0, 2.0], [12.0, 3.0]])
    assert_allclose(bound[1], [8.5, 2.5])


def test_second_layer_sides_are_steps_of_the_majorant() -> None:
    case = Fraction(2), Fraction(5), Fraction(1, 4), Fraction(1)
    step = lemmas.majorant(4, *case) - lemmas.majorant(3, *case)
    found = lemmas.second_layer_sides(np.array([2.0, 4.0, 1.0, np.log10(0.25), 1.0]))
    assert_allclose(found, [float(step), 3 * (2 + 4 + 1 + 0.25)])


def test_frozen_sides_by_hand() -> None:
    """One feature 1, a = 0, a* = 1: L = log 2/4, one step of 1/L times the slope 1/2."""
    p = {k: torch.tensor(v).double() for k, v in (("h", [[1.0]]), ("a", [0.0]), ("star", [1.0]))}
    best, bound = lemmas.frozen_sides(p)
    after = 2 / np.log(2)
    wanted = np.log2(1 + 2**-after) - np.log2(1.5)
    assert_allclose([float(best), float(bound)], [wanted, np.log(2) / 4], rtol=1e-6)


def test_floor_of_linear_models() -> None:
    """A constant feature sees no parity: ½ - 0 and loss 1; the parity itself is fitted by B = 1."""
    X = 1.0 - 2 * ((np.arange(8)[:, None] >> np.arange(3)) & 1)
    floor, least = linear.linear_floor(np.ones((8, 1)), X, 3, 1.0, steps=50)
    assert_allclose([floor, least], [0.5, 1.0], atol=1e-12)
    floor, least = linear.linear_floor(X.prod(1, keepdims=True), X, 3, 0.5, steps=50)
    assert_allclose([floor, least], [0.25, 0.5], atol=1e-12)
