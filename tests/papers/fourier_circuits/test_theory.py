"""Closed forms against numbers found in other ways."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from featurebook.papers.fourier_circuits import theory

GAMMA = {
    (2, 5): 3.0429030973e-02, (2, 47): 8.6303091909e-04, (3, 5): 9.375e-03,
    (3, 97): 2.0135309278e-05, (4, 7): 1.3659755535e-03, (5, 5): 1.3888888889e-03,
    (5, 23): 1.1934085658e-05,
}  # fmt: skip


def test_gamma_table() -> None:
    for (k, p), value in GAMMA.items():
        assert theory.gamma(k, p) == pytest.approx(value, rel=1e-9)
    assert theory.gamma(3, 7) == pytest.approx(3 / 16 / (7 * 6))  # Lemma C.11


def test_gamma_from_the_inequalities() -> None:
    """By the chain of the proof: k!/((p-1)p^k) · 2 (z/(k+1))^((k+1)/2) with z = p/2."""
    for k, p in GAMMA:
        z = p / 2
        chain = 2 * math.factorial(k) / ((p - 1) * p**k) * (z / (k + 1)) ** ((k + 1) / 2)
        assert theory.gamma(k, p) == pytest.approx(chain, rel=1e-13)
        assert float(theory.gamma_squared(k, p)) == pytest.approx(chain**2, rel=1e-13)


def test_even_gamma_is_the_same_at_both_kinds_of_frequency() -> None:
    for k, p in [(2, 2), (2, 6), (3, 4), (4, 8)]:
        tau = theory.even_class_weights(k, p)
        assert tau.sum() == pytest.approx(1)
        hat = np.fft.fft(tau).real
        size = math.factorial(k) / p**k
        half = size * (1 - hat[p // 2]) / p * (p / (k + 1)) ** ((k + 1) / 2)
        assert theory.gamma_even(k, p) == pytest.approx(half, rel=1e-12)
        if p > 2:
            pair = 2 * size * (1 - hat[1]) / p * (p / 2 / (k + 1)) ** ((k + 1) / 2)
            assert theory.gamma_even(k, p) == pytest.approx(pair, rel=1e-12)
    assert theory.gamma_even(2, 4) / theory.gamma(2, 4) == pytest.approx(1.1082, abs=5e-5)
    assert theory.largest_margin(2, 4) == theory.gamma_even(2, 4)
    assert theory.largest_margin(2, 5) == theory.gamma(2, 5)


def test_amplitude_is_that_of_a_neuron_of_norm_one() -> None:
    for k, p in [(2, 5), (3, 7)]:
        wave = np.cos(2 * np.pi * np.arange(p) / p) * theory.amplitude(k, p)
        assert (k + 1) * (wave**2).sum() == pytest.approx(1)


def test_widths_by_hand() -> None:
    assert [theory.printed_width(k, 3) for k in (2, 3, 4, 5)] == [8, 32, 128, 512]
    assert theory.printed_width(4, 47) == 2944
    assert [theory.sign_sum(k) for k in (1, 2, 3)] == [2, 8, 48]


def test_loss_bound_by_hand() -> None:
    g = theory.gamma(2, 5)
    wanted = math.log(1 + 4 * math.exp(-8 * g)) + 0.1 * 4
    assert theory.loss_bound(2, 5, 2.0, 0.1, 2.0) == pytest.approx(wanted)
    assert theory.loss_bound(2, 5, 0.0, 0.1, 1.0) == pytest.approx(math.log(5))


@pytest.mark.parametrize("share", [0.7, 0.1, 1e-3])
def test_minimum_against_a_search(share: float) -> None:
    for k, p in [(2, 7), (3, 5)]:
        g = theory.gamma(k, p)
        found = minimize_scalar(
            lambda t, g=g, p=p: math.log1p((p - 1) * math.exp(-t)) + share * t, bounds=(0, 40),
            method="bounded", options={"xatol": 1e-12},
        )  # fmt: skip
        rho, loss = theory.minimum(k, p, share * g)
        assert loss == pytest.approx(found.fun, rel=1e-10)
        assert rho == pytest.approx((found.x / g) ** (1 / (k + 1)), rel=1e-5)
        searched = theory.minimum_by_search(k, p, share * g, k + 1)
        assert searched[0] == pytest.approx(rho, rel=1e-5)
        assert searched[1] == pytest.approx(loss, rel=1e-10)


def test_critical_penalties() -> None:
    for k, p in [(2, 7), (3, 5)]:
        c = theory.critical_penalty(k, p)
        assert theory.minimum(k, p, 1.0001 * c) == (0.0, math.log(p))
        rho, loss = theory.minimum(k, p, 0.99 * c)
        assert rho > 0
        assert loss < math.log(p)
        assert theory.minimum_by_search(k, p, 1.01 * c, k + 1)[0] == 0
    first_power = {(2, 23): 0.242, (3, 11): 0.321, (3, 97): 0.187, (4, 47): 0.263}
    for (k, p), c in first_power.items():
        assert theory.minimum_by_search(k, p, 1.01 * c, 1)[0] == 0
        assert theory.minimum_by_search(k, p, 0.98 * c, 1)[0] > 0


def test_mean_largest_share_against_draws() -> None:
    for p, value in [(11, 0.457), (23, 0.2745), (47, 0.1624), (97, 0.0929)]:
        assert theory.mean_largest_share(p) == pytest.approx(value, abs=5e-4)
    draws = np.random.default_rng(0).exponential(size=(20000, 5))
    share = (draws.max(1) / draws.sum(1)).mean()
    assert theory.mean_largest_share(11) == pytest.approx(share, abs=0.01)
