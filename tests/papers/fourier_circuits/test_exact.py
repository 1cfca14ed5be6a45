"""Whole numbers and polynomials."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from featurebook.papers.fourier_circuits import exact, theory


def test_whole_circuit_is_certified() -> None:
    U, W = exact.whole_circuit()
    assert U.shape == (6, 2, 3)
    assert exact.normalized_margin_squared(U, W) == theory.gamma_squared(2, 3) == Fraction(1, 162)


def test_margins_by_hand() -> None:
    U, W = np.array([[[1, 0]]], dtype=object), np.array([[3, 1]], dtype=object)
    assert exact.margins(U, W) == ([2, 0], [2, 0])  # logits (3, 1) at 0, (0, 0) at 1
    U, W = np.array([[[1, 0, 0]]], dtype=object), np.array([[3, 1, 0]], dtype=object)
    assert exact.margins(U, W) == ([2, 0, 0], [5, 0, 0])
    with pytest.raises(ValueError, match="different norms"):
        exact.normalized_margin_squared(np.concatenate([U, 2 * U]), np.concatenate([W, W]))


def test_partial_terms_by_hand() -> None:
    u, w = np.array([[2, 0], [0, 1]], dtype=object), np.array([3, 5], dtype=object)
    # a = (0, 1) alone has both factors: 2² · 1 · w(1 - δ) / 4
    assert exact.partial_term(u, w, (2, 1)) == [5, 3]
    u, w = np.array([[1, 0, 0]], dtype=object), np.array([1, 2, 3], dtype=object)
    assert [3 * x for x in exact.partial_term(u, w, (1,))] == [1, 3, 2]  # w(-δ)


def test_sign_identity_and_cosines() -> None:
    assert exact.sign_coefficients(2) == ([0, 8, 0], [0, 8, 0])
    left, right = exact.sign_coefficients(4)
    assert left == right
    assert max(left) == 16 * 24
    assert exact.cosine_terms(3) == (0, 4)
    assert exact.cosine_terms(6) == (0, 32)  # six sines: 2 modulo 4, and not 2


def test_a_sum_of_neurons_in_quarter_turns() -> None:
    c1, c2, s1, s2 = sp.symbols("c1 c2 s1 s2")
    assert exact.neuron_sum([(0, 1)]) == -c1 * s2
    assert exact.neuron_sum([(2, 3), (-1, 0)]) == sp.expand(-c1 * s2 + s1 * c2)
    assert exact.neuron_sum([(0, 0, 0)]) == sp.expand((c1 + c2) ** 2 * sp.Symbol("c3"))


def test_flat_network_has_the_formula() -> None:
    for p in (3, 5):
        U, W = exact.flat_network(p)
        assert exact.normalized_margin_squared(U, W) == Fraction(1, 4 * (p - 1) ** 2)


def test_families() -> None:
    assert exact.even_family(2) == [(0, 0), (-1, -1)]
    assert exact.all_differences_forced(exact.even_family(4), 4)
    assert not exact.all_differences_forced([(0, 0), (1, 2)], 2)
    assert exact.collisions(4, 9, 3) == 144
    assert exact.collisions(2, 5, 2) == 0


def test_degenerate_networks_are_there() -> None:
    networks = exact.whole_networks(0, 2, 3)
    assert len(networks) == 7
    assert all(set(map(type, U.ravel())) == {int} for U, _ in networks)
