"""The certificates against the floating-point formulas, enumeration and quadrature."""

from fractions import Fraction
from math import comb, exp, log, pi, sqrt

import numpy as np
import pytest
from flint import arb
from scipy import stats
from scipy.special import ndtr

from featurebook.papers.gradient_features import (
    construction,
    data,
    exact,
    lemmas,
    majority,
    maps,
    theory,
    xor_decay,
)

F = Fraction


def test_density() -> None:
    assert float(exact.normal_density(arb(3) / 2)) == pytest.approx(stats.norm.pdf(1.5), rel=1e-12)


def test_half_of_the_nice() -> None:
    """The share of `build` for the teacher of bias 0."""
    f = construction.one_line().family
    for power in (8, 10):
        mp = 10.0**power * f.p
        scale = theory.least_bias_scale(f, 10.0**power)
        opening = f.B_x1 / (sqrt(mp) * f.B_G * scale)
        mean = mp * (ndtr(1 + opening) - ndtr(1 - opening))
        half, ten = exact.half_of_the_nice(power)
        assert float(half) == pytest.approx(mean / 2, rel=1e-9)
        assert float(ten) == pytest.approx(10 * sqrt(mp), rel=1e-9)


def test_second_layer_by_hand() -> None:
    assert exact.second_layer([F(1), F(2)], 3, F(1, 2)) == [F(1, 2)] * 3
    for r in (1, 4, 64):
        assert exact.growth_of_norms(r) == (r, r)
        zero = construction.one_line(1e-9)
        family = construction.one_line().family
        args = (zero.u, zero.y, zero.chance, family, 1.25)
        built = [
            construction.build(
                construction.Teacher(np.ones(k), np.ones(k), *args), 1e5, np.random.default_rng(1)
            )
            for k in (1, r)
        ]
        assert built[1].norm_inf / built[0].norm_inf == pytest.approx(r)
        assert (built[1].norm_2 / built[0].norm_2) ** 2 == pytest.approx(r * r)


def test_steps() -> None:
    for r, m in ((2, 100), (60, 10**6)):
        family = theory.Family(r, 0.4, 0.4 * sqrt(r), 5.0, 20.0, 2.0, 0.1)
        assert float(exact.steps(r, m)) == pytest.approx(theory.steps(family, m, 0.1), rel=1e-9)


def test_middle_terms() -> None:
    for d in (100, 10**6):
        printed, right = (float(x) for x in exact.middle_terms(d))
        assert right == pytest.approx(theory.middle_term_mixture(d, 9, 3), rel=1e-9)
        assert printed * 2 * sqrt(d) == pytest.approx(right, rel=1e-9)
    assert float(exact.middle_terms(100, 4)[0]) == pytest.approx(
        4 / 3 * float(exact.middle_terms(100, 3)[0])
    )


def test_third_of_a_sure_neuron() -> None:
    """The neuron itself, by the closed form of G for any mixture."""
    d = 400
    bias = sqrt(d * log(log(d)))
    w = np.zeros(d)
    w[0], w[1] = 1.2 * bias / sqrt(d), sqrt(2)
    w[2] = sqrt(d - w[0] ** 2 - w[1] ** 2)
    mix = data.xor(d)
    G = maps.G_mixture(w[None], bias, mix)[0]
    assert abs(G @ np.eye(d)[1]) == pytest.approx(float(exact.third_of_sure(d)), rel=1e-9)


def test_size_of_a_sure_neuron() -> None:
    """The bound is near the neuron's own gradient, and above it on the whole range."""
    for d in (16, 100, 10**4):
        log_d = arb(d).log()
        bias, w = sqrt(d * log(log(d))), np.zeros(d)
        w[0] = 1.2 * bias / sqrt(d)
        w[2] = sqrt(d - w[0] ** 2)
        size = np.linalg.norm(maps.G_mixture(w[None], bias, data.xor(d))[0]) / sqrt(d)
        bound = float(exact.sure_size(log_d, log_d))
        rest = 1 / sqrt(8 * pi * d)
        assert bound == pytest.approx(stats.norm.cdf(sqrt(log(log(d))) / 5) / 4 + rest, rel=1e-12)
        assert bound - 2 * rest <= size <= bound <= float(exact.sure_size(log_d, 2 * log_d))


def test_xor_upper_bound() -> None:
    d, kappa, gamma = 1e16, 1 / sqrt(8 * pi), 1e-8
    delta = 4 / sqrt(d) * (sqrt(2 * gamma) * (sqrt(d / 8) + kappa) + kappa)
    eta = delta / (2 * stats.norm.pdf(sqrt(2 * log(log(d))) + 1))
    assert float(exact.xor_upper(16)) == pytest.approx(sqrt(2 / pi) * eta, rel=1e-11)
    assert exact.xor_upper(8) == 1
    assert xor_decay.decay(d)["p"] <= float(exact.xor_upper(16))
    assert float(exact.xor_claimed(16)) == pytest.approx(xor_decay.claimed(d), rel=1e-9)
    assert float(exact.short_neuron(arb(32))) == pytest.approx(exp(-2))
    for n in (1, 10, 100):
        assert stats.chi2.cdf(n / 2, n) <= float(exact.short_neuron(arb(n)))


def test_uniform_parities() -> None:
    ones = np.ones((1, 9), dtype=int)
    G = majority.enumerated(ones, F(0), 4)[0]
    assert exact.gradient_square(4, 9) == sum(g * g for g in G)
    assert exact.central(3) == F(20, 64)
    for k, d in ((2, 5), (4, 9), (6, 31), (10, 21)):
        assert exact.squared_coefficient(k, d) == majority.xi(k - 1, d) ** 2 * comb(d, k - 1)
        needed = k * k * d / float(majority.xi(k - 1, d)) ** 2
        printed = k**1.5 * d * comb(d, k - 1)
        assert float(exact.samples_over_printed(k, d, F(3, 2))) == pytest.approx(needed / printed)
        assert 0.3 <= float(exact.samples_over_printed(k, d, F(7, 2))) <= 2
    assert float(exact.central_ball(40)) == pytest.approx(float(exact.central(40)), rel=1e-9)


def test_a_neuron_that_is_active_once() -> None:
    """⟨w, x⟩ - b > 0 at x = (1, 1, 1) alone: (3 - 3/2)/8."""
    ones = np.ones(3, dtype=int)
    assert majority.expected_output(ones, F(3, 2), 2) == F(3, 16)


def test_constants_of_the_simple_data() -> None:
    four = data.xor(9)
    assert four.weights.tolist() == [0.25] * 4
    assert four.sigma.tolist() == [1.0] * 4
    assert four.labels.tolist() == [1.0, 1, -1, -1]
    line = construction.one_line()
    assert line.b.tolist() == [1.0]
    assert line.a.tolist() == [1.0]
    assert line.u.tolist() == [0.5, 1, 1.5, 2]
    assert line.chance.tolist() == [0.25] * 4
    assert line.norm == line.u @ line.chance
    assert line.family == theory.Family(1, 1.0, 1.0, 1.0, 1.25, 1.25, line.family.p)
    assert line.family.p == pytest.approx(stats.norm.sf(0.02), rel=1e-12)


def test_mean_of_signs_by_hand() -> None:
    """Of 5 and 40 signs: all thresholds between neighbouring values, against counting."""
    for n in (5, 40):
        for at in np.arange(n) / n + 0.01:
            expected = sum(comb(n, k) for k in range(n + 1) if abs(2 * k - n) > at * n) / 2**n
            assert lemmas.sign_mean_tail(n, at) == pytest.approx(expected, rel=1e-9)
