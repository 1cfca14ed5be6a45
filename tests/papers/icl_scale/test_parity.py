"""The printed networks against enumeration, and the simulation against exact moments."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from featurebook.papers.icl_scale import parity, printed


def brute_margins(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """y g for every pair and every φ, by the definition."""
    d = b.shape[1]
    found = []
    for i, j in parity.pairs(d):
        z = np.zeros(d)
        z[[i, j]] = 1
        for signs in product([1, -1], repeat=d):
            phi = np.array(signs)
            g = sum(w * max(0.0, float(z * row @ phi)) for w, row in zip(a, b, strict=True))
            found.append(phi[i] * phi[j] * g)
    return np.array(found)


def test_printed_network_is_the_printed_example() -> None:
    a, b = parity.printed(8)
    rows = [f * np.array(row) / 2 for f, row in printed.EXAMPLE.values()]
    assert_allclose(b[:4], rows)
    assert_allclose(b[4:], -np.array(rows))
    assert list(a) == [*printed.EXAMPLE_WEIGHTS] * 2


def test_margins_against_the_definition() -> None:
    rng = np.random.default_rng(0)
    a, b = np.array([1.0, -1, 1]), rng.normal(size=(3, 4))
    brute = brute_margins(a, b).reshape(6, -1)
    fast = parity.margins(a, b)
    for row, four in zip(brute, fast, strict=True):
        assert_allclose(np.unique(row.round(12)), np.unique(four.round(12)))


@pytest.mark.parametrize("k", [2, 4, 8])
def test_margins_are_hamming_distances(k: int) -> None:
    found = parity.margins(*parity.printed(8, k))
    assert_allclose(found, np.repeat(parity.hamming(8, k.bit_length() - 1)[:, None], 4, 1))


def test_hamming_by_hand() -> None:
    assert list(parity.hamming(4, 2)) == [1, 1, 2, 2, 1, 1]
    assert list(parity.hamming(4, 1)) == [1, 0, 1, 1, 0, 1]


def test_losses_and_norm_of_the_printed_networks() -> None:
    for gamma in (0.1, 0.2):
        assert_allclose(parity.losses(*parity.printed(8, 2), 2, gamma), (0, 4 / 9))
        assert_allclose(parity.losses(*parity.printed(8, 4), 4, gamma), (0, 2 / 11))
        assert parity.norm(parity.printed(8)[1], gamma) == pytest.approx(48 / (4 * gamma**2))
    assert parity.loss_on_s2(64, 4) == pytest.approx(0.2388, abs=1e-4)


def test_losses_weigh_signs_by_their_chance() -> None:
    a, b = np.array([1.0]), np.array([[0.25, 0.25]])  # answers ½ at (1, 1), else 0
    assert_allclose(parity.losses(a, b, 2, 0.1)[0], 0.35 / 2 + 0.25 + 0.25 + 0.15)


def test_threshold_by_hand() -> None:
    assert parity.threshold(8, 0.1) == pytest.approx(0.15 / (28 * 0.35 + 0.15))


def test_moments_of_the_features() -> None:
    rng = np.random.default_rng(1)
    i, j = np.zeros(4, dtype=int), np.ones(4, dtype=int)
    phi = parity.draw_features(i, j, (20000,), 3, 0.2, rng).reshape(-1, 3)
    assert_allclose(phi.mean(0), [0.4, 0.4, 0], atol=0.02)
    assert_allclose((phi[:, 0] * phi[:, 1]).mean(), 0, atol=0.02)
    assert set(np.unique(phi)) == {-1.0, 1.0}


def test_effective_input_has_the_signal_on_the_task() -> None:
    rng = np.random.default_rng(2)
    tasks = np.tile([2, 0], (20000, 1))
    for flip, sign in ((0.0, 1), (1.0, -1)):
        eta, query = parity.effective_input(tasks, 4, 4, 0.2, flip, rng)
        slope = (eta * query).mean(0)
        assert_allclose(slope, sign * np.array([0.4, 0, 0.4, 0]), atol=0.02)
        assert_allclose(eta[:, 1].var(), 1 / 4, atol=0.01)


def test_output_against_the_definition() -> None:
    a, b = np.array([1.0, -1.0]), np.array([[1.0, 2], [3, -1]])
    eta = np.array([[0.5, 1.0]])
    assert_allclose(parity.output(a, b, eta, 0.25), [(2.5 - 0.5) / 0.5])
    assert_allclose(parity.output(a, -b, eta, 0.25), [0])
    assert_allclose(parity.output(a, -b * [[1], [-1]], eta, 0.25), [-0.5 / 0.5])


def test_output_of_long_prompts_is_the_margin() -> None:
    a, b = parity.printed(8)
    eta = 2 * 0.2 * np.array([[1.0, 0, 0, 0, 0, 0, 0, 1]])  # task (1, 8), φ = (1, 1)
    assert_allclose(parity.output(a, b, eta, 0.2), 3)


def test_draw_tasks_are_uniform_ordered_pairs() -> None:
    tasks = parity.draw_tasks(3, 6000, np.random.default_rng(3))
    assert (tasks[:, 0] != tasks[:, 1]).all()
    counts = np.bincount(3 * tasks[:, 0] + tasks[:, 1], minlength=9)
    assert_allclose(counts[counts > 0], 1000, atol=150)


def test_projection_has_the_rank_of_half_the_heads() -> None:
    for n in (1, 3):
        P = parity.projector(parity.printed(8, 2**n)[1])
        assert_allclose(P @ P, P, atol=1e-12)
        assert np.trace(P) == pytest.approx(n + 1)


def test_error_stays_below_the_bound_and_above_the_lower_one() -> None:
    rng = np.random.default_rng(4)
    a, b = parity.printed(8)
    error = np.abs(parity.epsilon(a, b, parity.draw_tasks(8, 300, rng), 64, 0.1, rng))
    assert 2 < parity.epsilon_bound(3, 64, 0.1, 0.1) / np.quantile(error, 0.9) < 12
    assert parity.epsilon_bound(3, 64, 0.1, 0.1) == pytest.approx(60 * np.sqrt(np.log(80) / 32))
    lower, actual = parity.error_below(2, 4096, 0.2, 400, rng)
    assert (lower <= actual + 1e-9).all()
    assert (lower > 0.05 * actual.max()).mean() > 0.2
    large = lower > 0.05 * actual.max()
    assert (actual[large] / lower[large]).min() == pytest.approx(1)  # it is attained


def test_error_of_equal_noise_is_zero() -> None:
    eta, shifted, query = parity.coupled(
        np.array([[0, 1]] * 5), 50, 4, 0.2, np.random.default_rng(5)
    )
    assert_allclose(eta[:, 2:], shifted[:, 2:])
    assert np.abs(shifted[:, :2] - 0.4 * query[:, :2]).max() < 0.8


def test_flipping_all_labels_changes_nothing() -> None:
    nets = [parity.printed(8, 2), parity.printed(8)]
    clean, flipped = (
        parity.flipped_accuracy(nets, 2, 64, 0.2, p, 2000, np.random.default_rng(6)) for p in (0, 1)
    )
    assert_allclose(clean, flipped, atol=0.03)
    assert clean[0] > clean[1] > 0.6


def test_accuracy_counts_ties_half() -> None:
    assert_allclose(parity.accuracy(np.ones(3), np.array([1.0, 0, -2])), [1, 0.5, 0])


@pytest.mark.parametrize("nu", [1, 2, 4])
def test_facts_about_active_heads(nu: int) -> None:
    assert all(parity.scale_facts(nu).values())


def test_facts_fail_for_networks_that_lack_them() -> None:
    a, b = parity.printed(8)
    idle = np.where(np.arange(len(a))[:, None] % 4 < 2, 0.0, b)  # two digits are not read
    found = list(parity.scale_facts(3, (a, idle)).values())
    assert found == [True, False, False, True]
    loud = b + np.where(a[:, None] > 0, 0.25 * np.arange(8), 0)  # positive heads answer at y = -1
    assert not parity.scale_facts(3, (a, loud))["positive heads silent at y = -1"]


def test_off_task_noise_is_independent_and_on_task_noise_is_not() -> None:
    assert parity.off_task_dependence(0.2) < 1e-15


def test_patterns_covered_by_hand() -> None:
    assert parity.patterns_covered((1, 1, 1), 1) == 3
    assert parity.patterns_covered((1, 1, -1), -1) == 2


def test_sizes_that_are_no_powers_of_two_are_refused() -> None:
    with pytest.raises(ValueError, match="power of two"):
        parity.digits(6)
    with pytest.raises(ValueError, match="power of two"):
        parity.printed(8, 3)


def test_loss_on_unimportant_tasks_by_hand() -> None:
    assert parity.loss_on_s2(8, 2) == pytest.approx(4 / 9)
    assert parity.loss_on_s2(8, 4) == pytest.approx(2 / 11)  # 4 of 22 pairs agree in two digits
    assert parity.loss_on_s2(8, 8) == 0


def test_coupled_noise_is_fresh_on_the_task_and_the_prompts_own_off_it() -> None:
    tasks = np.tile([1, 3], (4000, 1))
    eta, shifted, query = parity.coupled(tasks, 16, 6, 0.1, np.random.default_rng(7))
    noise = shifted[:, [1, 3]] - 0.2 * query[:, [1, 3]]
    assert_allclose(noise.mean(0), 0, atol=0.016)  # four standard errors
    assert_allclose(noise.var(0), 1 / 16, rtol=0.09)
    assert_allclose((shifted * query)[:, [1, 3]].mean(0), 0.2, atol=0.016)
    off = [0, 2, 4, 5]
    assert_allclose(shifted[:, off], eta[:, off])
    assert_allclose(eta[:, off].var(0), 1 / 16, rtol=0.09)
    assert_allclose((eta * query)[:, [1, 3]].mean(0), 0.2, atol=0.016)
    both = np.cov((eta * query)[:, [1, 3]].T)
    assert_allclose(both[0, 0] + both[1, 1] + 2 * both[0, 1], (2 - 16 * 0.1**2) / 16, rtol=0.09)
