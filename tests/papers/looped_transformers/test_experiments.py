"""The runs behind Figure 8.1 and the variations."""

from fractions import Fraction

import numpy as np
import pytest

from featurebook.papers.looped_transformers import data, experiments, randmat
from featurebook.papers.looped_transformers.attention import LoopedTransformer, prompt


def test_trial_curves_agree_until_rounding() -> None:
    computed, exact, kappa = experiments.trial_curves(0, 12, 3, 4, 60)
    assert computed.shape == exact.shape == (4, 61)
    above = exact > -50
    np.testing.assert_allclose(computed[above], exact[above], atol=1e-4)
    assert computed.min() > -80 > exact.min() or exact.min() > -80
    np.testing.assert_allclose(computed[:, 0], 0.0, atol=1e-12)
    assert (kappa > 1).all()


def test_log_mean() -> None:
    logs = np.log([[1.0, 2.0], [3.0, 6.0]])
    np.testing.assert_allclose(experiments.log_mean(logs), np.log([2.0, 4.0]))
    np.testing.assert_allclose(experiments.log_mean(logs, axis=1), np.log([1.5, 4.5]))
    np.testing.assert_allclose(experiments.log_mean(logs - 2000), np.log([2.0, 4.0]) - 2000)


def test_loops_to() -> None:
    falling = np.array([0.0, -1.0, -3.0])
    assert experiments.loops_to(falling, -2.0) == pytest.approx(1.5)
    assert experiments.loops_to(falling, 0.0) == 0.0
    assert experiments.loops_to(falling, -9.0) == float("inf")


def test_crossings_against_a_plain_count() -> None:
    rng = data.generator(0, "c")
    above, own = experiments.crossings(rng, 8, 3, trials=5, repetitions=30, T=60)
    again = data.generator(0, "c")

    lam = randmat.eigenvalues(again, 150, 8, 3)
    weight = data.sphere(again, 150, 3) ** 2
    count = 0
    for r in range(30):
        part = slice(5 * r, 5 * r + 5)
        rest = 1 - lam[part] / lam[part, -1:]
        kappa = lam[part, -1] / lam[part, 0]
        mean = [(weight[part] * rest ** (2 * t)).sum(1).mean() for t in range(61)]
        count += any(m > np.exp(-t / kappa.mean()) * (1 + 1e-9) for t, m in enumerate(mean))
    assert above.sum() == count > 0
    assert not own.any()


def test_along_loops_is_the_distance_of_the_estimate() -> None:
    rng = np.random.default_rng(0)
    X, theta = data.gaussian(rng, 3, 6, 2)
    y = np.einsum("kij,kj->ki", X, theta)
    net = LoopedTransformer.gradient_descent(6, 2)
    errors = experiments.along_loops(net, prompt(X, y, 2.0), [0.1, 0.1], theta)
    np.testing.assert_allclose(errors[0], 1.0)
    first = 0.1 * np.einsum("kij,ki->kj", X, y)
    np.testing.assert_allclose(errors[1], np.linalg.norm(first - theta, axis=1))


def test_one_loop_solves_the_task_by_hand() -> None:
    """x₁ = (1, 2, 2), θ* = e₁: the answer is (1, 2, 2), right for (-7, 4, 4)/9 as well."""
    x, task = data.exact(np.array([[1.0, 2.0, 2.0]])), data.exact(np.array([1.0, 0.0, 0.0]))
    other = np.array([Fraction(-7, 9), Fraction(4, 9), Fraction(4, 9)])
    answer, errors = experiments.one_loop(x, [task, other])
    assert answer.tolist() == [1, 2, 2]
    assert errors == [0, 0]
    with pytest.raises(ValueError, match="different labels"):
        experiments.one_loop(x, [task, -task])


def test_gaps_against_averages_of_powers() -> None:
    """The vertical gap from sums, and the loops saved by a plain search along the curve."""
    vertical, saved = experiments.gaps(data.generator(0, "g"), 12, 2, 300, [3, 7], 1e-2)
    again = data.generator(0, "g")
    lam = randmat.eigenvalues(again, 300, 12, 2)
    weight = data.sphere(again, 300, 2) ** 2
    rest = 1 - lam / lam[:, -1:]
    mean = [np.log((weight * rest ** (2 * t)).sum(1)).mean() for t in range(61)]
    kappa = (lam[:, -1] / lam[:, 0]).mean()
    np.testing.assert_allclose(vertical, [-3 / kappa - mean[3], -7 / kappa - mean[7]])
    crossing = np.interp(np.log(1e2), -np.array(mean), np.arange(61))
    assert saved == pytest.approx(kappa * np.log(1e2) - crossing)
