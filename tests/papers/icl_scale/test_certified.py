"""Certified networks against floating point, and the exact optimiser against scipy."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from featurebook.papers.icl_scale import certified, parity

NETWORKS = {
    "d2": (certified.cheap_d2(), 4, Fraction(1)),
    "d4": (certified.cheap_d4(), 6, Fraction(269, 36)),
    "d4 full": (certified.cheap_d4_four_heads(), 4, Fraction(19, 2)),
    "d8": (certified.cheap_from_simplex(4, [Fraction(1, 2)] * 2), 8, Fraction(14)),
    "d16": (certified.cheap_from_simplex(8, [Fraction(5, 4)]), 10, Fraction(64)),
    "four": (certified.four_heads(8), 4, Fraction(280)),
    "subsets 8": (certified.by_subsets(8), 7, Fraction(36)),
    "subsets 16": (certified.by_subsets(16), 8, Fraction(96)),
}


def as_floats(net: certified.Network) -> tuple[np.ndarray, np.ndarray]:
    a = np.array([float(w) for w, _ in net.heads])
    return a, np.array([[[float(x) for x in r] for r in rows] for _, rows in net.heads])


@pytest.mark.parametrize("name", NETWORKS)
def test_costs_heads_and_least_margins(name: str) -> None:
    net, heads, cost = NETWORKS[name]
    assert (len(net.heads), net.cost, net.least_margin()) == (heads, cost, 1)
    assert {a for a, _ in net.heads} == {-1, 1}


@pytest.mark.parametrize("name", ["d8", "four", "subsets 8"])
def test_margins_against_floating_point(name: str) -> None:
    net = NETWORKS[name][0]
    a, B = as_floats(net)
    diagonals = np.diagonal(B, axis1=1, axis2=2)
    assert_allclose([float(x) for x in net.margins()], parity.margins(a, diagonals).ravel())


def test_margins_of_full_matrices_against_floating_point() -> None:
    net = certified.cheap_d4_four_heads()
    a, B = as_floats(net)
    phi = np.array([[1 - 2 * ((n >> (3 - p)) & 1) for p in range(4)] for n in range(16)])
    expected = []
    for i, j in parity.pairs(4):
        before = (B[:, i] + B[:, j]) @ phi.T
        expected += list((a @ np.maximum(before, 0)) * phi[:, i] * phi[:, j])
    assert_allclose([float(x) for x in net.margins()], expected)


@pytest.mark.parametrize("nu", [1, 2, 3])
def test_printed_network_is_that_of_parity(nu: int) -> None:
    net = certified.printed(nu)
    _, B = as_floats(net)
    expected = parity.printed(2**nu)
    assert sorted(map(tuple, np.diagonal(B, axis1=1, axis2=2))) == sorted(map(tuple, expected[1]))
    assert (net.cost, net.least_margin()) == (Fraction(2**nu * nu * (nu + 1), 2), 1)


def test_four_heads_for_all_sizes() -> None:
    assert all(certified.four_heads(d).least_margin() == 1 for d in (2, 4, 16))


def test_sperner_numbers() -> None:
    assert [certified.sperner(2**n) for n in range(1, 7)] == [2, 4, 5, 6, 7, 8]
    assert [certified.width(t) for t in range(1, 6)] == [comb(t, t // 2) for t in range(1, 6)]


def test_best_of_sign_heads() -> None:
    assert certified.best_of_sign_heads(2, 2) == 2
    assert certified.best_of_sign_heads(4, 3) == 12
    assert certified.best_of_sign_heads(4, 2) is None


def by_scipy(demands: np.ndarray) -> float:
    found = minimize(
        lambda c: c @ c,
        np.ones(3),
        method="SLSQP",
        bounds=[(0, None)] * 3,
        constraints={"type": "ineq", "fun": lambda c: demands @ c - 1},
    )
    return float(found.fun)


def test_least_square_against_scipy() -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        demands = rng.integers(-1, 4, (4, 3))
        found = certified._least_square([tuple(map(int, row)) for row in demands], 3)
        if found is not None:
            square = float(sum(x * x for x in found))
            assert square == pytest.approx(by_scipy(demands), rel=1e-5)


def test_covering_by_signs() -> None:
    assert certified.printed(3).covers_by_signs()
    assert NETWORKS["subsets 8"][0].covers_by_signs()
    without = certified.Network(NETWORKS["subsets 8"][0].heads[1:])  # one negative head fewer
    assert not without.covers_by_signs()
    assert not certified.four_heads(4).covers_by_signs()  # zero loss, but not by signs


def test_small_printed_network_keeps_some_digits() -> None:
    a, b = parity.printed(8, 4)
    net = certified.printed(3, kept=2)
    weights, B = as_floats(net)
    mine = sorted((w, *np.diag(M)) for w, M in zip(weights, B, strict=True))
    assert mine == sorted((w, *row) for w, row in zip(a, b, strict=True))
    assert net.least_margin() == 0


def test_activity_asks_less_than_signs() -> None:
    net = certified.four_heads(4)
    assert net.answers_by_activity()
    assert not net.covers_by_signs()
    assert not certified.Network(net.heads[:2]).answers_by_activity()
