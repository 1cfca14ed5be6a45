"""The linear model: closed forms against Monte Carlo, quadrature and training."""

from functools import partial

import numpy as np
import torch
from scipy import optimize, special

from featurebook.papers.universality_tradeoff import adversaries, pictures, probes, risks, training
from featurebook.papers.universality_tradeoff import linear as lin


def test_mixture_loss_against_monte_carlo() -> None:
    rng = np.random.default_rng(0)
    z, y = rng.chisquare(3, 400_000), rng.chisquare(2, (2, 400_000))
    t = 0.8 * 0.7**2 * z + np.array([0.5 * 1.2**2, 0.3])[:, None] * y
    expected = np.array([0.6, 0.4]) @ lin.logistic(t).mean(1)
    found = lin.mixture_loss(0.8, [0.5, 0.3], 3, 2, [0.6, 0.4], 0.7, [1.2, 1.0])
    assert np.isclose(found, expected, rtol=3e-3)


def test_losses_and_their_slopes_by_hand() -> None:
    assert np.allclose(lin.logistic([0, 1]), [np.log(2), np.log(1 + np.exp(-1))])
    assert np.allclose(lin.logistic_pull([0, 1]), [1 / 2, 1 / (1 + np.e)])
    assert np.allclose(lin.exponential([0, 2]), [1, np.exp(-2)])
    assert lin.PULLS["hinge"]([0.99, 1]).tolist() == [1, 0]
    for name, loss in (("logistic", lin.logistic), ("exponential", lin.exponential)):
        slope = (loss(0.7 + 1e-6) - loss(0.7 - 1e-6)) / 2e-6
        assert np.isclose(lin.PULLS[name](0.7), -slope, rtol=1e-8)


def test_chi_square_moments() -> None:
    x, w = lin.chi_square(3)
    assert np.allclose([w.sum(), w @ x, w @ x**2], [1, 3, 15])


def test_optimum_against_known_weights() -> None:
    assert np.allclose(lin.optimum(2, 2, [0.5, 0.5]), [1, 0.5, 0.5], atol=1e-4)
    assert np.allclose(lin.optimum(5, 5, [0.9, 0.1]), [1, 0.811, 0.189], atol=1e-3)
    assert np.allclose(lin.optimum(5, 5, [0.5, 0.5], 0.3), [0, 1, 1], atol=1e-4)
    assert np.allclose(lin.optimum(3, 5, [0.6, 0.4]), lin.optimum(3, 5, [0.6, 0.4], 1, 1, 8))
    assert np.allclose(lin.optimum(3, 5, [0.5, 0.5], budget=3 + 2 * 5), 1)
    uneven = lin.optimum(2, 5, [0.6, 0.4])
    assert np.isclose(uneven @ [2, 5, 5], 7)  # the budget is spent


def test_frontier_by_hand() -> None:
    assert lin.shared_first(6, 2, 4, 2, 0.5) == 0.625
    assert lin.shared_first(6, 2, 4, 1, 0.5) == 1


def test_slope_against_differences() -> None:
    s, q, T, alpha, step = 3, 2, 2.5, 0.6, 1e-4
    private, shared = lin.slope_in_alpha(alpha, s, q, T, lin.logistic_pull)

    def loss(a: float) -> float:
        return lin.mixture_loss(a, [(s + q - a * s) / (T * q)], s, q, [1.0])

    numeric = (loss(alpha + step) - loss(alpha - step)) / (2 * step)
    assert np.isclose(s * (private - shared), numeric, rtol=1e-4)
    assert np.isclose(lin.logistic_pull(0.7), special.expit(-0.7))


def test_leading_term_by_hand() -> None:
    assert lin.leading_squared(4, 2, 3, 0.25, 0.5) == 2.25 * 2.75
    assert np.isclose(lin.bound_factor(16), 17 / 8)
    assert np.isclose(lin.bound_factor(4) ** 2, lin.leading_squared(4, 1, 1, 0.5, 0.5) / 2)
    assert np.isclose(lin.radius(0.5, 0.3, 0.8, 0.1), np.sqrt(0.625 + 3))
    assert np.isclose(lin.deviation_term(50, 0.04), 8 * np.sqrt(2 * np.log(100) / 50))


def test_best_tasks_is_the_minimum() -> None:
    T = np.linspace(0.5, 9, 4001)
    f = lin.leading_squared(T, 2, 3, 0.8, 0.1)
    assert np.isclose(T[f.argmin()], lin.best_tasks(2, 3, 0.8, 0.1), atol=3e-3)


def test_ends_of_the_integral_of_the_mean_norm() -> None:
    for scale, n in (
        (1e-3, 2),
        (100, 50),
    ):  # each end counts in one
        exact = np.sqrt(2 * scale) * np.exp(special.gammaln((n + 1) / 2) - special.gammaln(n / 2))
        assert np.isclose(lin.mean_norm([scale], [n]), exact, rtol=1e-8, atol=0)


def test_mean_norm_against_the_chi_law() -> None:
    exact = np.sqrt(2) * np.exp(special.gammaln(2.5) - special.gammaln(2))
    assert np.isclose(lin.mean_norm([1], [4]), exact, rtol=1e-6)
    rng = np.random.default_rng(1)
    x = 0.5 * rng.chisquare(3, 400_000) + 2 * rng.chisquare(2, 400_000)
    assert np.isclose(lin.mean_norm([0.5, 2], [3, 2]), np.sqrt(x).mean(), rtol=3e-3)


def test_survival_against_the_exponential_law() -> None:
    # chi-square with 2 degrees is exponential: Pr[aZ + bY > x] has two terms
    a, b, x = 0.7, 0.4, 2.0
    exact = (a * np.exp(-x / (2 * a)) - b * np.exp(-x / (2 * b))) / (a - b)
    assert np.isclose(lin.survival(x, a, b, 2, 2), exact, rtol=1e-8)
    assert np.isclose(lin.survival(x, a, 0, 2, 2), np.exp(-x / (2 * a)))
    assert np.isclose(lin.survival(x, 0, b, 2, 2), np.exp(-x / (2 * b)))
    b = 0.05
    exact = (a * np.exp(-x / (2 * a)) - b * np.exp(-x / (2 * b))) / (a - b)
    assert np.isclose(lin.survival(x, a, b, 2, 2), exact, rtol=1e-8)
    assert np.isclose(lin.survival(x, b, a, 2, 2), exact, rtol=1e-8)


def test_cka_in_closed_form() -> None:
    a, b = np.r_[np.ones(3), np.full(2, 1 / 2)], np.r_[np.ones(3), np.full(2, 1 / 4)]
    assert np.isclose(lin.cka(a, b), lin.cka_of_mixtures(2, 4, 3, 2))
    rows = [lin.cka_of_mixtures(1, T, 5, 5) for T in (2, 4, 8)]
    assert np.allclose(rows, [0.949, 0.858, 0.789], atol=5e-4)
    rng = np.random.default_rng(2)
    z = rng.normal(size=(20000, 5)) + 3
    turn = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    found = lin.cka_of_features(z * np.sqrt(a), z * np.sqrt(b) @ turn)
    assert np.isclose(found, lin.cka(a, b), atol=5e-3)


def test_regularisation_by_hand() -> None:
    assert np.isclose(lin.after_regularisation(4, 0.5, 5), (0.5 + 0.5 / np.sqrt(5)) ** 2)
    assert lin.after_regularisation(4, 5, 5) == 1
    assert np.isclose(lin.after_from_superposed(4, 0.5, 5), 0.462, atol=5e-4)
    assert lin.after_from_superposed(4, 1.5, 1) == 1  # there is room for more than P_1 needs


def test_regularisation_by_training() -> None:
    for make, formula in (
        (lin.diagonal, lin.after_regularisation), (lin.superposed, lin.after_from_superposed)
    ):  # fmt: skip
        start = torch.tensor(make(2, 2, 3))
        moved = training.regularise(start, 2, 2, 0.4, seeds=[0, 1], steps=40)
        reached = training.block_means(moved, 2, 2, 1)
        assert np.allclose(reached, [1, formula(3, 0.4, 2)], atol=2e-3)
        assert (moved - start).norm(dim=(1, 2)).max() <= 0.4 + 1e-6


def test_superposed_and_diagonal_have_the_budget() -> None:
    for make in (lin.diagonal, lin.superposed):
        A = make(2, 3, 4)
        assert np.isclose((A**2).sum(), 5)
        assert np.isclose(np.linalg.norm(A, 2), 1)
        assert np.allclose((A**2).sum(0), np.r_[1, 1, np.full(12, 0.25)])


def _random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def _is_nearest(W: torch.Tensor, found: torch.Tensor, others: torch.Tensor) -> bool:
    """What is nearest to W in a convex set has all of the set on its other side."""
    return bool((((W - found) * (others - found)).sum((-2, -1)) <= 1e-9).all())


def test_projection_onto_the_norms_is_the_nearest() -> None:
    W = 3 * _random(40, 4, 6)
    W[20:] /= 10
    found = training.onto_norms(W, 3.0)
    assert torch.linalg.matrix_norm(found, 2).max() <= 1 + 1e-9
    assert (found**2).sum((1, 2)).max() <= 3 + 1e-9
    assert np.allclose((found[:20] ** 2).sum((1, 2)), 3)
    assert _is_nearest(W, found, found[:, None])
    assert torch.allclose(training.onto_norms(found, 3.0), found)
    lone = torch.diag(torch.tensor([3.0, 0.2], dtype=torch.float64))
    assert torch.allclose(training.onto_norms(lone, 1.5).diagonal(), lone.diagonal().clamp(max=1))


def test_projection_onto_the_neighbourhood_is_the_nearest() -> None:
    start = torch.tensor(lin.diagonal(1, 1, 3))
    W = start + _random(40, 4, 4) * torch.linspace(0.02, 4, 40)[:, None, None]
    found = training.onto_neighbourhood(W, start, 0.5)
    assert torch.linalg.matrix_norm(found, 2).max() <= 1 + 1e-9
    assert (found - start).norm(dim=(1, 2)).max() <= 0.5 + 1e-9
    assert np.isclose((found[-1] - start).norm(), 0.5)
    assert _is_nearest(W, found, found[:, None])
    assert torch.allclose(training.onto_neighbourhood(found, start, 0.5), found, atol=1e-7)


def test_pairs_have_one_task_each() -> None:
    raw = [x[0] for x in training.draw(2, 3, 4, 200, torch.Generator().manual_seed(0), 2)]
    z, plus = training.pairs(raw, torch.tensor(2.0), 2, 3)
    assert z.shape == (200, 2 + 3 * 3 + 4)
    assert torch.equal(z[:, :11], plus[:, :11])
    assert not torch.equal(z[:, 11:], plus[:, 11:])
    first, second = (z[:, 2:5] != 0).any(1), (z[:, 5:8] != 0).any(1)
    assert (first ^ second).all()
    assert 60 < int(first.sum()) < 140
    assert not z[:, 8:11].any()
    assert torch.allclose(z[:, 2:8].abs().sum(1), raw[1][:, 2:].abs().sum(1))
    for x in (raw[1], raw[2]):
        assert abs(float(x.var()) - 1) < 0.15


def test_gradient_is_that_at_the_projection() -> None:
    raw = tuple(x[0] for x in training.draw(1, 2, 1, 30, torch.Generator().manual_seed(1), 1))
    V = (2 * _random(5, 6)).requires_grad_()  # s = 1, two private features of two tasks, a spurious
    project = partial(training.onto_norms, budget=3)
    p = {"V": V, "tasks": torch.tensor(2.0)}
    training.loss(p, raw, 1, 2, project).backward()
    W = project(V.detach())
    z, plus = training.pairs(raw, p["tasks"], 1, 2)
    t = ((z @ W.T) * (plus @ W.T)).sum(1)
    pull = torch.sigmoid(-t)[:, None] / 30
    by_hand = -((z @ W.T * pull).T @ plus + (plus @ W.T * pull).T @ z)
    assert torch.allclose(V.grad, by_hand)
    M = torch.linalg.qr(_random(6, 6))[0]  # a dictionary moves nothing: P(VM) = P(V)M
    assert torch.allclose(project(V.detach() @ M), W @ M)


def test_training_finds_the_weights() -> None:
    W = training.pretrain([1, 2, 3], 2, 2, seeds=[0, 5], steps=150)
    assert W.shape == (3, 2, 8, 12)
    assert (W**2).sum((2, 3)).max() <= 4 + 1e-9
    found = training.block_means(W, 2, 2, 3).numpy()
    wanted = [[1, 1, 0, 0], [1, 0.5, 0.5, 0], [1, 1 / 3, 1 / 3, 1 / 3]]
    assert np.allclose(found, np.array(wanted)[:, None], atol=0.02)
    alone = training.pretrain([3], 2, 2, seeds=[5], steps=150)
    assert torch.allclose(alone[0, 0], W[2, 1])


def test_probe_in_ball_against_a_direct_solver() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(5, 6, 4)), rng.normal(size=(5, 6))
    free = np.array([np.linalg.lstsq(a, b, rcond=None)[0] for a, b in zip(X, y, strict=True)])
    assert np.allclose(probes.in_ball(X, y, np.full(5, 1e3)), free)
    radius = np.linalg.norm(free, axis=1) / 2
    u = probes.in_ball(X, y, radius)
    assert np.allclose(np.linalg.norm(u, axis=1), radius)
    slope = np.einsum("nmk,nm->nk", X, y - np.einsum("nmk,nk->nm", X, u))
    cosine = (slope * u).sum(1) / np.linalg.norm(slope, axis=1) / radius
    assert np.allclose(cosine, 1)  # the gradient points outward: u is the minimiser


def test_risks_in_known_cases() -> None:
    rng = np.random.default_rng(4)
    assert probes.target_risks(4, 3, 3, 0.5, 6, 0, 20, rng).max() < 1e-9
    # no shrinkage for one task: the smallest interpolator sees a random subspace
    risk = probes.target_risks(1, 4, 4, 0.5, 2, 0, 4000, rng).mean()
    assert np.isclose(risk, 6 / 8, atol=0.015)
    out = probes.outside_risks(4, 4, 0.7, 4000, 0, 5, rng)
    assert np.allclose(out, 0.3, atol=0.01)
    noisy = probes.target_risks(1, 3, 3, 0.5, 600, 1.0, 100, rng).mean()
    assert noisy < 6 / 600 * 1.3
    seen = probes.average_risks(2, 8, 2, 2, 0.5, 3000, 0, 5, rng)
    assert np.allclose(seen, 0.75 * 0.5, atol=0.02)
    assert np.allclose((probes.unit_blocks(7, 3, 0.4, rng) ** 2).sum(1), 0.4)


def test_risks_against_a_solver_of_their_own() -> None:
    T, s, q, v1, m, tau = 4.0, 2, 3, 0.7, 4, 0.8
    found = probes.target_risks(T, s, q, v1, m, tau, 6, np.random.default_rng(11))
    outside = probes.outside_risks(s, q, v1, m, tau, 6, np.random.default_rng(12))
    rng = np.random.default_rng(11)
    u = np.hstack([probes.unit_blocks(6, s, v1, rng), probes.unit_blocks(6, q, 1 - v1, rng)])
    z = rng.normal(size=(6, m, s + q))
    y = np.einsum("nmk,nk->nm", z, u) + tau * rng.normal(size=(6, m))
    half = np.r_[1, 1, 0.5, 0.5, 0.5]  # 1/√T
    for i in range(6):
        w = _in_ball(z[i] * half, y[i], np.sqrt(0.7 + 4 * 0.3))
        assert np.isclose(found[i], ((half * w - u[i]) ** 2).sum(), rtol=1e-5)
    rng = np.random.default_rng(12)
    u, z = probes.unit_blocks(6, s, v1, rng), rng.normal(size=(6, m, s))
    y = np.einsum("nmk,nk->nm", z, u) + np.sqrt(0.3 + 0.64) * rng.normal(size=(6, m))
    for i in range(6):
        w = _in_ball(z[i], y[i], np.sqrt(0.7))
        assert np.isclose(outside[i], ((w - u[i]) ** 2).sum() + 0.3, rtol=1e-5)


def _in_ball(X: np.ndarray, y: np.ndarray, radius: float) -> np.ndarray:
    """Least squares in a ball by normal equations and a root in the ridge."""
    free = np.linalg.lstsq(X, y, rcond=None)[0]
    if free @ free <= radius**2:
        return free

    def ridge(log: float) -> np.ndarray:
        return np.linalg.solve(X.T @ X + np.exp(log) * np.eye(X.shape[1]), X.T @ y)

    log = optimize.brentq(lambda x: ridge(x) @ ridge(x) - radius**2, -30, 30, xtol=1e-12)
    return ridge(log)


def test_smallest_minimiser_of_dependent_columns() -> None:
    rng = np.random.default_rng(13)
    X, y = rng.normal(size=(3, 6, 4)), rng.normal(size=(3, 6))
    X[:, :, 3] = X[:, :, 0]
    free = np.array([np.linalg.lstsq(a, b, rcond=None)[0] for a, b in zip(X, y, strict=True)])
    assert np.allclose(probes.in_ball(X, y, np.full(3, 9.0)), free)
    short = probes.in_ball(X, y, np.full(3, 0.1))
    assert np.allclose(short[:, 0], short[:, 3])
    assert np.allclose(np.linalg.norm(short, axis=1), 0.1)


def test_worst_interpolator_of_two_features_by_hand() -> None:
    # one label, T = 4: the null space is a line, and the true predictor lies on the border
    rng = np.random.default_rng(14)
    u = rng.choice([-1, 1], size=(20000, 2)) * np.sqrt([0.6, 0.4])
    z = rng.normal(size=(20000, 2)) * [1, 0.5]
    null = np.stack([-z[:, 1], z[:, 0]], 1) / np.linalg.norm(z, axis=1, keepdims=True)
    off = 2 * np.abs((null * u / [1, 0.5]).sum(1)) * np.linalg.norm(null * [1, 0.5], axis=1)
    found = probes.worst_interpolators(4, 1, 1, 0.6, 1, 20000, rng)
    assert np.isclose(found.mean(), np.sqrt(2 / np.pi) * off.mean(), rtol=0.02)


def test_worst_interpolator_fits_and_is_worse() -> None:
    rng = np.random.default_rng(5)
    worst = probes.worst_interpolators(4, 3, 3, 0.5, 3, 300, rng).mean()
    least = np.sqrt(2 / np.pi * probes.target_risks(4, 3, 3, 0.5, 3, 0, 300, rng)).mean()
    assert least < worst < np.sqrt(2 / np.pi) * 2 * lin.radius(0.5, 0.5, 1, 0.25)
    # one feature each, one label, T = 1: the worst is the mirror image, 2 |part| away
    u = probes.worst_interpolators(1, 1, 1, 0.5, 1, 20000, np.random.default_rng(6)).mean()
    assert np.isclose(u, np.sqrt(2 / np.pi) * 2 * 2 / np.pi, rtol=0.02)


def test_two_tasks_against_the_chi_square_programme() -> None:
    two = adversaries.TwoTasks([0.6, 0.4], 1.0, [1.0, 1.0], nodes=30)
    a = np.array([0.9, 0.5, 0.3])
    direct = lin.mixture_loss(a[0], a[1:], 1, 1, [0.6, 0.4], nodes=60)
    assert np.isclose(float(two.loss(torch.tensor(np.diag(np.sqrt(a))))), direct, rtol=1e-5)
    best = lin.optimum(1, 1, [0.6, 0.4])
    assert np.isclose(
        two.programme(), lin.mixture_loss(best[0], best[1:], 1, 1, [0.6, 0.4]), rtol=1e-4
    )
    eye = torch.eye(3, dtype=torch.float64)
    assert np.isclose(float(two.feasible(5 * eye).norm()) ** 2, 2)
    assert torch.equal(two.feasible(0.5 * eye), 0.5 * eye)
    lone = torch.diag(torch.tensor([1.05, 0.2, 0.1], dtype=torch.float64))
    assert np.isclose(float(torch.linalg.matrix_norm(two.feasible(lone), 2)), 1)
    rare = adversaries.TwoTasks([0.999, 0.001], 1.0, [1.0, 1.0])
    kept = torch.diag(torch.tensor([1.0, 1, 0], dtype=torch.float64))
    assert np.isclose(rare.programme(), float(rare.loss(kept)), atol=1e-9)
    even, odd = two.split(torch.tensor([0.2, 0.8, 0.1], dtype=torch.float64))
    assert float(even) < float(odd)
    shifted = lin.logistic(0.5 * lin.chi_square(2)[0] + 0.1) @ lin.chi_square(2)[1]
    assert np.isclose(float(even), shifted, rtol=1e-6)


def test_sides_of_the_attacks() -> None:
    private, shared = adversaries.slope_sides(np.array([0.5, 3, 2, 2.0, 0]))
    assert np.allclose([private, shared], lin.slope_in_alpha(0.5, 3, 2, 2, lin.logistic_pull, 12))
    low, high = adversaries.dominance_sides(np.array([0.5, 2, 3.0, 1.0]))
    assert np.isclose(low, lin.survival(2, 0.5, 0.5, 2, 2), rtol=1e-6)
    assert np.isclose(high, lin.survival(2, 1, 1 / 3, 2, 2), rtol=1e-6)


def test_near_the_superposed_optimum() -> None:
    near = adversaries.NearSuperposed(4, 1, 0.6, spare=1)
    assert np.isclose(float(near.most), lin.after_from_superposed(4, 0.6, 1))
    for raw in near.starts(0, 5):
        W = near.feasible(raw)
        assert torch.linalg.matrix_norm(W, 2) <= 1 + 1e-12
        assert torch.linalg.norm(W - near.start) <= 0.6 + 1e-12
    angle = np.pi / 3 - 2 * np.arcsin(0.3)  # the row of P, turned towards P_1
    row = np.r_[0, np.cos(angle), np.full(3, np.sin(angle) / np.sqrt(3))]
    best = torch.tensor(np.stack([np.eye(5)[0], row, np.zeros(5)]))
    assert torch.allclose(near.feasible(best), best)
    assert torch.isclose(*near.sides(best))


def test_bounds_and_simulations_have_their_shapes() -> None:
    rows = risks.worst_against_bounds([1, 4], 3, 3, (2, 4), 20, np.random.default_rng(0))
    assert np.allclose(rows["printed"][0], 4 * np.sqrt(3) + lin.deviation_term(2, 0.05))
    twice = 2 * lin.radius(0.5, 0.5, 1, 0.25) * lin.mean_norm([1, 0.25], [3, 3]) / 2
    assert np.isclose(rows["twice R_m"][3], twice)
    first = probes.worst_interpolators(1, 3, 3, 0.5, 2, 20, np.random.default_rng(0)).mean()
    assert rows["worst"][0] == first
    found = risks.simulated([1, 3], 3, 3, (0.5,), 4, 0.0, 10, 2, 0)
    assert found.shape == (1, 2, 2, 2)
    assert risks.gap_at((2, 200), 4, 3, 3, 1.0, 40, 3, 0).mean(0).argmax() == 0
    high, low = (
        probes.target_risks(T, 3, 3, 0.5, 2, 1.0, 40, np.random.default_rng([0, 6, 0, 0, T]))
        for T in (4, 1)
    )
    assert risks.gap_at((2,), 4, 3, 3, 1.0, 40, 1, 0)[0, 0] == high.mean() - low.mean()


def test_gains_against_differences() -> None:
    at, step = np.array([0.8, 0.5, 0.3]), 1e-5
    found = lin.marginal_gains(at, 3, 2, (0.7, 0.3), sigma_S=0.6)
    for j, price in enumerate((3, 2, 2)):
        more, less = (at + sign * step * np.eye(3)[j] for sign in (1, -1))
        loss = [lin.mixture_loss(a[0], a[1:], 3, 2, (0.7, 0.3), 0.6) for a in (more, less)]
        assert np.isclose(found[j], (loss[1] - loss[0]) / (2 * step * price), rtol=1e-6)


def test_gains_of_unit_deviations() -> None:
    at = [0.8, 0.5, 0.3]
    plain, said = (lin.marginal_gains(at, 3, 2, (0.7, 0.3), *x) for x in ((), (1.0,)))
    assert np.array_equal(plain, said)


def test_one_shared_feature_against_a_projection() -> None:
    rng = np.random.default_rng(7)
    T, q, m = 3.0, 20, 8
    z = rng.normal(size=(4000, m, 1 + q)) * np.r_[1, np.full(q, 1 / np.sqrt(T))]
    inside = np.linalg.solve(z @ z.mT, z[:, :, :1])  # (Z Zᵀ)⁻¹ Z e_1
    direct = 1 - (z[:, :, :1] * inside).sum((1, 2))
    law = probes.lost_part(T, q, m, 4000, rng)
    assert np.isclose(direct.mean(), law.mean(), rtol=0.03)
    worst = probes.worst_interpolators(T, 1, q, 1.0, m, 300, rng).mean()
    bound = probes.one_shared(T, q, m, 4000, rng)
    assert np.isclose((bound**2).mean(), 8 / np.pi * law.mean(), rtol=0.03)
    assert worst < bound.mean()


def test_twice_rademacher_against_signs_and_the_chi_law() -> None:
    chi = np.sqrt(2) * np.exp(special.gammaln(2.5) - special.gammaln(2))  # E of the norm in 4
    assert np.isclose(risks.twice_rademacher(1, 3, 1, 0.7, 9), 2 * chi / 3, rtol=1e-6)
    rng = np.random.default_rng(8)
    T, s, q, v1, m = 4, 2, 3, 0.8, 6
    z = rng.normal(size=(100_000, m, s + q)) * np.r_[1, 1, np.full(q, 0.5)]
    signs = rng.choice([-1.0, 1.0], size=(100_000, m, 1))
    best = np.linalg.norm((signs * z).sum(1), axis=1).mean() / m  # over the unit ball
    assert np.isclose(risks.twice_rademacher(T, s, q, v1, m), 2 * np.sqrt(1.6) * best, rtol=5e-3)
    rows = risks.worst_against_bounds([4], 3, 2, (2,), 5, rng)
    assert np.isclose(rows["twice R_m"][0], risks.twice_rademacher(4, 3, 2, 0.5, 2))


def test_sides_of_the_worst_minimiser() -> None:
    worst, bound = risks.worst_sides(np.array([40, 1, 40, 1, 29 / 39]), 40, 0)
    assert bound == risks.twice_rademacher(40, 1, 40, 1, 30)
    rng = np.random.default_rng([0, 9])
    assert worst == probes.worst_interpolators(40, 1, 40, 1, 30, 40, rng).mean()
    assert worst < bound < np.sqrt(2 / np.pi)
    assert risks.worst_sides(np.array([2, 2, 9, 0.3, 1]), 4, 0)[1] == risks.twice_rademacher(
        2, 2, 9, 0.3, 10
    )


def test_regularised_risks_are_paired() -> None:
    risk = risks.regularised(4, 0.6, 3, 2, 0.5, 4, 0.0, 300, 3, 0)
    assert (risk[:, 1] < risk[:, 0]).all()
    full = risks.regularised(4, 5.0, 3, 2, 0.5, 4, 0.0, 300, 2, 0)  # β = 1: as after one task
    for k in range(2):
        rng = np.random.default_rng([0, 10, k])
        assert full[k, 1] == probes.target_risks(1, 3, 2, 0.5, 4, 0.0, 300, rng).mean()
        rng = np.random.default_rng([0, 10, k])
        assert risk[k, 0] == probes.target_risks(4, 3, 2, 0.5, 4, 0.0, 300, rng).mean()
        rng = np.random.default_rng([0, 10, k])
        beta = (1 / 2 + 0.6 / np.sqrt(2)) ** 2
        assert risk[k, 1] == probes.target_risks(1 / beta, 3, 2, 0.5, 4, 0.0, 300, rng).mean()


def test_off_diagonal_by_hand() -> None:
    W = torch.tensor(np.stack([lin.superposed(2, 2, 2), lin.diagonal(2, 2, 2)[:4]]))
    assert np.allclose(training.off_diagonal(W, 2, 2, 2), [[0.5, 0], [0, 0]])
    W[1, 0, 2], W[1, 2, 3] = 0.3, 0.6  # S with P_1, and within P_1
    assert np.allclose(training.off_diagonal(W, 2, 2, 2)[1], [0, 0.6 / np.sqrt(2)])


def test_bars_are_intervals_of_the_means() -> None:
    for fig, share, m, rng in (
        (pictures.risk_frame(5, [1, 4], 3, 3, 30, 0), 0.5, 5, [0, 5]),
        (pictures.who_pays(0.8, [1, 4], 3, 3, 5, 0.5, 30, 0), 0.8, 5, [0, 8, 4]),
    ):
        place = 1 if share == 0.5 else 0  # noise ½, and the target
        random = np.random.default_rng(rng)
        risk = probes.target_risks(4, 3, 3, share, m, 0.5, 30, random)
        half = 2.0452 * risk.std(ddof=1) / np.sqrt(30)  # Student's t with 29 degrees of freedom
        (low, high) = fig.axes[0].collections[place].get_segments()[1][:, 1]
        assert np.allclose([low, high], [risk.mean() - half, risk.mean() + half], rtol=1e-4)
        assert any(np.isclose(line.get_ydata()[-1], risk.mean()) for line in fig.axes[0].lines)
        pictures.plt.close(fig)
