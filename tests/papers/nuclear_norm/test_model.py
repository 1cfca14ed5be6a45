"""The linear model against enumeration by convolution, quadrature, and numbers found by hand."""

from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from featurebook.papers.nuclear_norm import model, selection
from featurebook.papers.nuclear_norm.checks import statements
from featurebook.papers.nuclear_norm.model import Task

F = Fraction
SMALL = Task(1, 1, 0.2)
V = np.array([0.7, 0.4])


def mean(f, v=V, gamma=0.2):  # type: ignore[no-untyped-def]
    """E f(z_1, z_2) for one invariant and one environmental coordinate, by quadrature."""
    total = 0.0
    for chance, (low, high) in ((0.5 - gamma, (-1, 0)), (0.5 + gamma, (0, 1))):
        total += chance * integrate.dblquad(lambda b, a: f(a, b), 0, 1, low, high)[0]
    return total


def margin(a: float, b: float) -> float:
    return float(V @ [a, b])


def test_loss_and_pulls_against_quadrature() -> None:
    laws = SMALL.gammas, SMALL.counts
    assert_allclose(model.loss(V, *laws), mean(lambda a, b: np.log1p(np.exp(-margin(a, b)))))
    wrong = mean(lambda a, b: 1 / (1 + np.exp(margin(a, b))))
    assert_allclose(model.wrong(V, *laws), wrong)
    expected = [mean(lambda a, b, k=k: (a, b)[k] / (1 + np.exp(margin(a, b)))) for k in (0, 1)]
    assert_allclose(model.pulls(V, *laws), expected)


def test_the_quadrature_knows_where_it_fails() -> None:
    """Against the mean over draws: right where its error is small, absurd where it is not."""
    task = Task(100, 632, 0.4)
    every, ones = np.repeat(task.gammas, [task.r, task.q]), np.ones(task.r + task.q)
    start = np.random.default_rng([0, 2]).normal(size=task.r + task.q)
    rng = np.random.default_rng(1)
    z = rng.random((4000, len(every))) * np.where(
        rng.random((4000, len(every))) < 0.5 + every, 1, -1
    )
    for scale, resolved in ((1.0, False), (0.6, False), (0.4, True)):
        v = scale * start
        near = abs(model.loss(v, every, ones) - np.logaddexp(0, -z @ v).mean()) < 0.5
        assert (model.quadrature_error(v, every, ones) < model.LARGEST_ERROR) == resolved
        assert near or not resolved
    assert model.loss(start, every, ones) < -1e7  # a loss is positive
    one = model.quadrature_error(np.array([2.0]), np.array([0.5]), np.array([1.0]))
    mgf = [(1 - np.exp(-s)) / s for s in (2.0, 1.0)]
    assert_allclose(one, np.exp(-np.pi / 0.08) * mgf[0] + 2**-52 * mgf[1], rtol=1e-9)


def test_any_start_finds_the_minimum() -> None:
    task = Task(100, 632, 0.4)
    every, ones = np.repeat(task.gammas, [task.r, task.q]), np.ones(task.r + task.q)
    start = np.random.default_rng([0, 2]).normal(size=task.r + task.q)
    found, slope = model.minimise(0.1, every, ones, start)
    assert slope < 1e-14
    two = model.weight_decay(task, 0.1)
    assert_allclose(found, np.repeat(two, [task.r, task.q]), rtol=1e-9)


def test_curvature_is_the_slope_of_the_pulls() -> None:
    task, h = Task(3, 5, 0.3), 1e-5
    up = [model.pulls(V + h * e, task.gammas, task.counts) for e in np.eye(2)]
    down = [model.pulls(V - h * e, task.gammas, task.counts) for e in np.eye(2)]
    slope = -(np.array(up) - np.array(down)) / 2 / h * task.counts
    assert_allclose(model.curvature(V, task.gammas, task.counts), slope.T, rtol=1e-7)


def test_mgf_on_both_sides_of_the_series() -> None:
    for x in (0.0, 0.3, 0.499, 0.501, 2.0):
        found = [f[0].real for f in model.mgf(np.array([x + 0j]), 0.1)]
        for k, value in enumerate(found):
            up = integrate.quad(lambda z, k=k, x=x: z**k * np.exp(x * z), 0, 1)[0]
            down = integrate.quad(lambda z, k=k, x=x: z**k * np.exp(x * z), -1, 0)[0]
            assert value == pytest.approx(0.6 * up + 0.4 * down, rel=1e-12)


def test_minimum_has_no_slope_and_known_values() -> None:
    v, residual = model.minimise(0.1, *(t := Task(10, 28, 0.3)).gammas.reshape(1, 2), t.counts)
    assert residual < 1e-13
    assert_allclose(v, [0.29434107, 0.16193452], atol=1e-8)
    assert model.weight_decay(t, 0.1) == pytest.approx(tuple(v), rel=1e-9)


def by_convolution(n: int, law: np.ndarray) -> np.ndarray:
    total = np.ones(1)
    for _ in range(n):
        total = np.convolve(total, law)
    return total


def test_accuracy_by_irwin_hall() -> None:
    """P[Σ of 12 uniforms > 6 + 3] in closed form, and a shift by a constant."""
    found = model.log_positive([1.0], np.array([0.5]), np.array([12]), above=9.0)
    assert np.exp(found) == pytest.approx(stats.irwinhall(12).sf(9.0), rel=1e-8)


def tail_exactly(v, gammas, counts, above):  # type: ignore[no-untyped-def]
    """P[Y > above] as volumes of corners of cubes, in fractions."""
    every = [(F(w), F(g)) for w, g, n in zip(v, gammas, counts, strict=True) for _ in range(n)]
    total = F(0)
    for signs in product((1, -1), repeat=len(every)):
        chance = prod((F(1, 2) + s * g for s, (_, g) in zip(signs, every, strict=True)), start=F(1))
        sides = [s * w for s, (w, _) in zip(signs, every, strict=True) if w]
        low = sum((w for w in sides if w < 0), F(0))  # Y - low is a sum over [0, |w|]
        corners = [(F(1), F(above) - low)]
        for w in map(abs, sides):
            corners += [(-sign, at - w) for sign, at in corners]
        below = sum((sign * max(at, F(0)) ** len(sides) for sign, at in corners), F(0))
        volume = prod(map(abs, sides), start=F(1)) * factorial(len(sides))
        total += chance * (1 - below / volume)
    return total


@pytest.mark.parametrize(
    ("v", "gammas", "counts", "above"),
    [
        ((F(1, 2), F(-1)), (F(1, 2), F(1, 2)), (2, 3), 0),
        ((F(1), F(-3, 4)), (F(-1, 2), F(3, 10)), (2, 2), 0),
        ((F(1, 4), F(2)), (F(1, 2), F(-2, 5)), (2, 2), F(1, 2)),
        ((F(30), F(-45)), (F(1, 2), F(1, 2)), (1, 2), F(29)),
        ((F(1), F(1, 3)), (F(1, 2), F(1, 4)), (3, 2), F(7, 2)),
        ((F(1, 1000), F(1, 500)), (F(-2, 5), F(-1, 4)), (3, 2), F(-1, 2000)),
        ((F(1), F(0), F(5)), (F(-1, 2), F(1, 2), F(1, 2)), (3, 2, 0), F(-1, 10)),
    ],
)  # fmt: skip
def test_tails_are_volumes(v, gammas, counts, above) -> None:  # type: ignore[no-untyped-def]
    exact = tail_exactly(v, gammas, counts, above)
    floats = [np.array([float(x) for x in row]) for row in (v, gammas)]
    found = model.log_positive(*floats, np.array(counts), above=float(above))
    assert found == pytest.approx(np.log(float(exact)), rel=1e-7)


def test_what_is_never_positive_has_no_tail() -> None:
    for gamma in (0.5, -0.5):
        assert model.log_positive([-gamma], np.array([gamma]), np.array([3])) == -np.inf
    gammas, counts = np.array([0.5, -0.5]), np.array([2, 1])
    assert model.log_positive([-1.0, 2.0], gammas, counts) == -np.inf
    assert model.log_positive([-1.0, 2.0], np.array([0.5, -0.45]), counts) > -5
    assert model.log_positive([-1.0, 2.0], gammas, counts, above=-0.5) > -5


def test_accuracy_by_convolution() -> None:
    task, h = Task(4, 6, 0.3), 1 / 200
    cells = round(1 / h)
    one, two = np.full(cells, h), np.concatenate([np.full(cells, 0.8 * h), np.full(cells, 0.2 * h)])
    r, u = by_convolution(4, one), by_convolution(6, two)
    at_r = (np.arange(len(r)) + 2) * h
    at_u = (np.arange(len(u)) + 3) * h - 6
    total = (r[:, None] * u * (at_r[:, None] * 1.5 + at_u > 1e-9)).sum()
    assert model.accuracy([1.5, 1.0], task.ood, task.counts) == pytest.approx(total, abs=2e-3)
    mirrored = model.accuracy([-1.5, -1.0], task.ood, task.counts)
    assert mirrored == pytest.approx(1 - total, abs=2e-3)


def test_tail_stays_below_chernoff() -> None:
    task = Task(40, 176, 0.48)
    v = model.weight_decay(task, 1.0)
    exact = model.log_positive(v, task.ood, task.counts)
    assert exact == pytest.approx(-82.593424, abs=1e-5)
    assert exact < model.chernoff(v, task.ood, task.counts) < -77


def test_lambda_0_and_scales() -> None:
    assert model.lambda_0(Task(40, 176, 0.48)) == pytest.approx(0.5695858045418942, rel=1e-12)
    assert model.lambda_0(Task(9, 4, 0.4)) == pytest.approx(
        3 * (0.5 / (1 + np.exp(2 / 3)) + np.exp(-1) / 4 + np.exp(-0.32) / 2), rel=1e-12
    )
    assert model.decay_scale(25) == pytest.approx(5 * np.exp(-1))
    assert model.hoeffding_denominator(100, 1041, 0.31) == pytest.approx((4749.32, 4564), abs=0.2)


def test_ratio_bound_against_integrals() -> None:
    """Means of e^(±xz) and z e^(±xz) over [0, 1] in place of their closed forms."""
    x, p = 0.1, 0.9
    up = integrate.quad(lambda t: np.exp(x * t), 0, 1)[0]
    down = integrate.quad(lambda t: np.exp(-x * t), 0, 1)[0]
    up_first = integrate.quad(lambda t: t * np.exp(x * t), 0, 1)[0]
    down_first = integrate.quad(lambda t: t * np.exp(-x * t), 0, 1)[0]
    expected = 0.5 * (p + (1 - p) * up) / (p * down * down_first - (1 - p) * up_first)
    assert model.ratio_bound(x, p - 0.5) == pytest.approx(expected, rel=1e-10)


def test_second_moment_by_hand() -> None:
    found = Task(1, 2, 0.2).second_moment
    assert_allclose(np.diag(found), [1 / 3, 1 / 3, 1 / 3])
    assert_allclose(found[0, 1:], 0.1)
    assert found[1, 2] == pytest.approx(0.04)


def test_penalty_is_the_trace_of_the_root() -> None:
    for task in (SMALL, Task(3, 7, 0.45)):
        for a, b in ((1.0, 0.3), (0.2, 0.9)):
            w = np.repeat([a, b], [task.r, task.q])
            eigen = np.linalg.eigvalsh(w[:, None] * task.second_moment * w)
            assert selection.penalty(task, a, b) == pytest.approx(np.sqrt(abs(eigen)).sum())
            h = 1e-6
            slopes = [
                (selection.penalty(task, a + h, b) - selection.penalty(task, a - h, b)) / 2 / h,
                (selection.penalty(task, a, b + h) - selection.penalty(task, a, b - h)) / 2 / h,
            ]
            assert_allclose(selection.penalty_slopes(task, a, b), slopes, rtol=1e-7)


def test_threshold_is_where_the_direct_solution_turns() -> None:
    task = Task(4, 8, 0.3)
    edge = selection.smallest_lambda(task)
    assert edge == pytest.approx(0.0054053, abs=1e-7)
    assert selection.minimise(task, 0.98 * edge)[1] > 1e-4
    assert selection.minimise(task, 1.02 * edge)[1] < 1e-9
    top = selection.largest_lambda(4)
    assert min(selection.minimise(task, 0.97 * top)[:1]) > 1e-3
    assert max(selection.minimise(task, 1.01 * top)) < 1e-6


def test_ratios_of_the_table() -> None:
    cases = (((10, 0.3), (0.677, 0.548)), ((40, 0.48), (1.143, 1.095)))
    for (r, gamma), expected in cases:
        task = Task(r, round(1.01 * r / gamma**2), gamma)
        found = [selection.ratio(task, lam) for lam in (1e-3, 0.1)]
        assert_allclose(found, expected, atol=1e-3)


def test_largest_gamma_is_the_border() -> None:
    edge = selection.largest_gamma(10, 40, 0.1)
    assert selection.ratio(Task(10, 40, edge), 0.1) == pytest.approx(1.0, abs=1e-6)


def test_free_weights_find_the_two_values() -> None:
    task = Task(2, 3, 0.3)
    free = selection.minimise_free(task, 1e-3, np.array([0.3, -0.2, 0.1, 0.5, -0.1]))
    assert_allclose(free, np.repeat(selection.minimise(task, 1e-3), [2, 3]), atol=2e-3)


def test_batches_move_towards_the_population() -> None:
    task = Task(4, 8, 0.3)
    w = selection.train_in_batches(task, 0.1, steps=100, batch=64, seeds=[0, 1])
    assert (w[:, :4].mean(1) > w[:, 4:].mean(1)).all()


def test_corners_of_the_boxes_that_are_searched() -> None:
    assert statements.any_task([0, 0, 0, 0]) == (Task(1, 1, 0.02), 1e-6)
    task, lam = statements.any_task([1, 1, 1, 1])
    assert (task.r, task.q) == (60, 200)
    assert (task.gamma, lam) == pytest.approx((0.495, 10))
    task, lam = statements.admissible([0, 0, 0, 0])
    assert task.r == 37
    assert lam == pytest.approx(np.sqrt(37) * np.exp(-np.sqrt(37) / 5))
    low = 3 / np.sqrt(37)
    assert task.gamma == pytest.approx(low + 0.001 * (0.5 - low))
    assert task.q == int(37 / task.gamma**2) + 1
    task, lam = statements.admissible([1, 1, 1, 1])
    assert (task.r, task.q) == (400, int(400 / task.gamma**2 * 3) + 1)
    assert lam == pytest.approx(100 * 20 * np.exp(-4))
    assert task.gamma == pytest.approx(0.15 + 0.999 * 0.35)


def test_sides_of_the_order() -> None:
    small, large = statements.order((Task(10, 28, 0.3), 0.1))
    alpha, beta = model.weight_decay(Task(10, 28, 0.3), 0.1)
    assert_allclose(small, [0, beta, beta])
    assert_allclose(large, [beta, alpha, 0.6 * alpha])


def test_sides_are_those_of_the_statements() -> None:
    task, lam = statements.admissible([0.0, 0.0, 0.0, 0.0])
    assert task.r == 37
    assert task.gamma > 3 / np.sqrt(37)
    assert task.q > 37 / task.gamma**2
    assert lam == pytest.approx(model.decay_scale(37))
    alpha, beta = model.weight_decay(task, lam)
    smaller, larger = statements.weights((task, lam))
    assert_allclose(smaller, [0, beta, alpha, 4 * task.gamma * alpha])
    assert_allclose(larger, [beta, alpha, 37**-0.5, 3 * beta])
    assert_allclose(statements.order((task, lam))[0], [0, beta, beta])
    assert_allclose(statements.order((task, lam))[1][2], 2 * task.gamma * alpha)
    assert statements.ood_exponent((task, lam))[0] == 3.7


def test_tails_by_hand() -> None:
    """Two environmental coordinates: no sign positive, or one and the negative one is larger."""
    bound, exact = statements.tail_environmental(2, 0.3)
    assert exact == pytest.approx(-np.log(0.2**2 + 0.2 * 0.8), rel=1e-4)
    assert bound == pytest.approx(0.09)
    bound, exact = statements.tail_invariant(10)
    assert exact == pytest.approx(-np.log(stats.irwinhall(10).cdf(2.5)), rel=1e-7)
    assert bound == 1.25


def test_invariant_support_is_best() -> None:
    found = statements.best_supports(Task(2, 2, 0.3), 2, 2.0)
    assert min(found, key=lambda k: found[k]) == (2, 0)
    assert found[2, 0] == pytest.approx(model.loss([np.sqrt(2)], np.array([0.5]), np.array([2])))
