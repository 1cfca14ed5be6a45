"""Every formula of the part against a value that was computed another way."""

from fractions import Fraction
from functools import lru_cache
from math import comb, exp, log, pi, sqrt

import numpy as np
import pytest
import torch
from flint import arb
from scipy import integrate, stats

from featurebook import core
from featurebook.papers.gradient_features import (
    construction,
    data,
    lemmas,
    majority,
    maps,
    theory,
    xor_decay,
)

F = Fraction
ODD = data.Mixture(
    np.array([[1.0, 2, 0], [-1, 0.5, 2], [0, 0, -1]]), np.array([1.0, -1, 1]),
    np.array([0.5, 1.0, 2.0]), np.array([0.5, 0.3, 0.2]),
)  # fmt: skip
FAMILY = theory.Family(3, 1.5, 2.5, 0.7, 1.3, 0.9, 0.2, 0.01)


def test_mixture_against_quadrature() -> None:
    W = np.random.default_rng(0).normal(size=(20, 3))
    b = np.linspace(-2, 2, 20)
    assert np.allclose(maps.G_mixture(W, b, ODD), maps.G_mixture_quadrature(W, b, ODD), atol=1e-10)


def test_one_neuron_against_quadrature() -> None:
    W = np.random.default_rng(1).normal(size=(4, 3))
    found = [maps.G_neuron(w, 0.7, ODD) for w in W]
    assert np.allclose(found, maps.G_mixture_quadrature(W, 0.7, ODD), atol=1e-10)


def test_density() -> None:
    z = np.array([-1.0, 0.3])
    assert np.allclose(maps.phi(z), stats.norm.pdf(z))


def test_mixture_against_monte_carlo() -> None:
    X, y = ODD.draw(core.generator(0, "mc"), 100000)
    W = np.random.default_rng(0).normal(size=(5, 3))
    sampled = maps.G_points(W, 0.5, X.double().numpy(), y.double().numpy())
    assert np.allclose(maps.G_mixture(W, 0.5, ODD), sampled, atol=0.02)


def test_output_is_the_integral_of_the_gradient() -> None:
    # d/db E[y σ(w·x - b)] = -E[y 1(w·x > b)], and ⟨w, G⟩ - b E[y 1] is the output
    w = np.array([[0.3, -1.0, 0.8]])

    def active(b: float) -> float:
        z = (w @ ODD.means.T - b) / (ODD.sigma * np.linalg.norm(w))
        return float((ODD.weights * ODD.labels * stats.norm.cdf(z)).sum())

    found = maps.output_mixture(w, 0.4, ODD)[0]
    direct = float((w @ maps.G_mixture(w, 0.4, ODD)[0])[0]) - 0.4 * active(0.4)
    assert found == pytest.approx(direct, abs=1e-12)


def test_quadratic_against_the_half_circle() -> None:
    H = np.array([[1.0, 0.4], [0.4, -2.0]])
    for t in (0.1, 1.0, 4.0):
        w = 2 * np.array([[np.cos(t), np.sin(t)]])
        assert np.allclose(maps.G_quadratic(w, H)[0], maps.G_quadratic_plane(t, H), atol=1e-13)


def test_quadratic_by_hand() -> None:
    one = maps.G_quadratic(np.eye(1, 3), np.diag([1.0, 0, 0]))[0]
    assert np.allclose(one, [1 / (2 * sqrt(2 * pi)), 0, 0])
    # by quadrature over one normal: E[½(g² - 1) g 1(g > 0)]
    value, _ = integrate.quad(lambda g: (g * g - 1) / 2 * g * stats.norm.pdf(g), 0, 12)
    assert maps.G_quadratic_plane(0.0, np.diag([1.0, 0]))[0] == pytest.approx(value, abs=1e-9)


def test_cones_by_hand() -> None:
    G, D = np.array([[3.0, 4], [0, 0], [-1, 0]]), np.eye(2)
    assert np.allclose(maps.cosines(G, D), [[0.6, 0.8], [0, 0], [1, 0]])
    assert maps.in_cone(G, D, 0.3, 2.0).tolist() == [[False, True], [False, False], [False, False]]
    assert maps.in_cone(G, D, 0.3, 4.0)[0, 1]
    assert not maps.in_cone(G, D, 0.3, 6.0).any()
    assert np.allclose(maps.thresholds(np.array([[3.0, 4]]), [2.0]), [0.4])


def test_xor_components_are_those_of_the_mixture() -> None:
    d, b, sigma = 9, 4.0, 1.3
    w = np.random.default_rng(0).normal(size=9)
    G = maps.G_mixture(w[None], b, data.xor(d, sigma))[0]
    rest = np.linalg.norm(w[2:])
    found = xor_decay.components(w[0], w[1], rest, d, b, sigma)
    assert np.allclose(found, [G[0], G[1], np.linalg.norm(G[2:]) * np.sign(found[2])], atol=1e-12)


@lru_cache
def xor_neurons() -> tuple[np.ndarray, np.ndarray]:
    """⟨w, D_1⟩ and ⟨w, D_3⟩ of random neurons, (N, 2), and their gradients for d = 100."""
    w = np.random.default_rng(0).normal(size=(30000, 100))
    return w[:, :2], maps.G_mixture(w, sqrt(100 * log(log(100))), data.xor(100))


def test_decay_against_random_neurons() -> None:
    d = 100.0
    found = xor_decay.decay(d)
    w, G = xor_neurons()
    lll = log(log(d))
    b = sqrt(d * lll)
    hit = maps.in_cone(G, np.eye(1, 100), 0.1, 2.0).mean()
    sure = (w[:, 0] * 10 >= 1.2 * b) & (np.abs(w[:, 1]) * 10 <= sqrt(2) * b / sqrt(lll))
    assert found["p"] == pytest.approx(hit, rel=0.1)
    assert found["sure"] == pytest.approx(sure.mean(), rel=0.1)
    assert found["third"] == pytest.approx(np.median(np.abs(G[sure, 1])), rel=0.1)
    cone = maps.cosines(G[sure], np.eye(1, 100))[:, 0] > 0.9
    assert found["share"] == pytest.approx(cone.mean(), rel=0.1)


def test_decay_in_high_dimension_is_that_of_a_finer_grid() -> None:
    assert xor_decay.decay(1e8)["p"] == pytest.approx(5.815e-4, rel=0.03)


def test_claimed_decay_by_hand() -> None:
    lll = log(log(100))
    assert xor_decay.claimed(100) == pytest.approx(0.26947473066)
    by_hand = 1 / (sqrt(lll) * 1.5 * log(100) ** (18 * 2.25 / 25))
    assert xor_decay.claimed(100, 1.5) == pytest.approx(by_hand)


def test_law_of_the_decay_by_hand() -> None:
    p = xor_decay.decay(1e4)["p"]
    low, high = xor_decay.law_sides(np.array([4.0]))
    assert low == pytest.approx([0.04, 10 * p])
    assert high == pytest.approx([10 * p, 0.11])


def test_prescription_by_hand() -> None:
    f = FAMILY
    assert theory.width(f, 0.5) == pytest.approx(
        (3 * 1.5 * 1.3) ** 4 * (0.7 / 0.9) ** 2 / (0.2 / 16)
    )
    b = 0.9**0.25 * 2.5 * 0.7**0.75 / sqrt(4.5)
    assert theory.bias(f) == pytest.approx(b)
    # (B.122): both sides with this bias
    assert 1.3 * 2.5**2 * 0.49 / b**2 == pytest.approx(4.5 * 1.3 * sqrt(0.7 / 0.9))
    T = (sqrt(3) * 2.5 * 0.7 * 1.3 / 100**0.25 + 500 * b) * (
        sqrt(log(500)) / sqrt(0.63) + 1 / (1.3 * 100**0.25)
    )  # m = 500, mp = 100
    assert theory.steps(f, 500, 0.25) == pytest.approx(4 * T)
    assert theory.least_bias_scale(f, 500) == pytest.approx(1.3 / 100**0.25 * sqrt(0.7 / 0.9))
    how = theory.prescription(f, 500, 0.25, sigma_w=0.2, d=4, slope=0.5)
    assert how["T"] == pytest.approx(4 * T)
    assert how["T"] * how["eta"] * 1.3 * 100**0.25 == pytest.approx(1)
    assert how["eta1"] == pytest.approx(how["eta"] * min(1, b) / 0.5 / (1.3 * 0.2 * 2 + b))
    # σ_a = b̃/(|ℓ'| η1 B_G B_ε)
    scale = b / (0.5 * how["eta1"] * 0.9 * theory.least_bias_scale(f, 500))
    assert how["sigma_a"] == pytest.approx(scale)


def test_bound_of_the_good_network() -> None:
    by_hand = 3 * 1.5 * (1.69 * 0.7 / (10 * 0.9 * 0.3) + 1.3 * sqrt(0.02) + 0.3)
    assert float(theory.good_network_bound(FAMILY, 500, 0.3)) == pytest.approx(by_hand)
    # B_ε of the theorem makes the first term and the last equal
    B = theory.least_bias_scale(FAMILY, 500)
    assert pytest.approx(B) == 1.69 * 0.7 / (10 * 0.9 * B)


def test_too_few_nice() -> None:
    by_hand = sum(comb(40, i) * 0.1**i * 0.9 ** (40 - i) for i in range(2))
    assert float(theory.too_few_nice(40, 0.2)) == pytest.approx(by_hand)
    assert float(theory.too_few_nice(400, 0.2)) == pytest.approx(stats.binom(400, 0.1).cdf(19))
    assert float(theory.too_few_bound(40, 0.2)) == pytest.approx(exp(-0.5))
    assert theory.empty_bound(25.0) == pytest.approx(exp(-2.4))
    # 0.48 is 2φ(1) = 0.4839 less what the curvature takes, and no more than 1% below it
    assert 0.99 < -np.log(theory.empty_bound(1.0)) / (2 * stats.norm.pdf(1)) < 1
    inside = stats.norm.cdf(1.1) - stats.norm.cdf(0.9)
    assert theory.nearly_right(100, 0.1, 1.0) == pytest.approx((1 - inside) ** 100)
    assert theory.nearly_right(100, 0.1, 2.0) == pytest.approx(
        (1 - stats.norm.cdf(0.55) + stats.norm.cdf(0.45)) ** 100
    )


def test_teacher_loss_of_mixtures() -> None:
    s = 3.0
    f, _ = integrate.quad(lambda g: (g - s) * stats.norm.pdf(g), s, 14)
    assert float(theory.shortfall(s)) == pytest.approx(f, rel=1e-6)
    assert float(theory.shortfall_ball(arb(3))) == pytest.approx(f, rel=1e-6)
    short, _ = integrate.quad(lambda g: min(1, (-g - s) / s) * stats.norm.pdf(g), -15, -s)
    assert theory.teacher_loss(s) == pytest.approx(short, rel=1e-5)
    loss, printed = theory.teacher_loss_ball(1024, 8)
    root = sqrt(8 * log(1024))
    assert float(loss) == pytest.approx(theory.teacher_loss(root), rel=1e-3, abs=0)
    assert float(printed) == pytest.approx(
        float(theory.teacher_loss_printed(1024, 8)), rel=1e-9, abs=0
    )
    assert float(printed) == pytest.approx(3 / 2**80 + 4 / 2**62 / root, rel=1e-9, abs=0)
    assert float(theory.teacher_loss_corrected(1024, 8, 3)) == pytest.approx(
        3 * float(theory.shortfall(root)) / root, rel=1e-9, abs=0
    )
    assert float(theory.teacher_loss_simple(1024, 8, 3)) == pytest.approx(
        3 / 2**40 / sqrt(2 * pi) / root**3, rel=1e-9, abs=0
    )
    for bound in (theory.teacher_loss_simple, theory.teacher_loss_corrected):  # r = 2 unless said
        assert float(bound(1024, 8)) == pytest.approx(float(bound(1024, 8, 4)) / 2, rel=1e-9, abs=0)
    assert float(theory.tail_ball(arb(2))) == pytest.approx(stats.norm.sf(2))
    # the parts that a far reach changes
    near, _ = integrate.quad(lambda g: max(0, 1 - max(s + g, 0) / s) * stats.norm.pdf(g), -14, 0)
    assert theory.teacher_loss(s, 3.0) == pytest.approx(near, rel=1e-5)


def test_ball_of_the_teacher_is_its_definition() -> None:
    loss, _ = theory.teacher_loss_ball(2, arb(1) / 10)
    s = sqrt(log(2) / 10)
    f = theory.shortfall(np.array([1, 2, 6]) * s)
    assert float(loss) == pytest.approx((f[0] - f[1] - f[2]) / s)


def test_rates_of_mixtures() -> None:
    assert theory.error_mixture(100, 10, 3) == pytest.approx(sqrt(2) * 3 / 100**3.2)
    s = sqrt(10 * log(100))
    assert theory.middle_term_mixture(100, 10, 3) == pytest.approx(
        3 / s * 20 * sqrt(2 * 100.0 ** -(9 - 1.5))
    )
    assert theory.least_dimension(288) == 2219
    assert theory.least_dimension(10) == 36  # 10 log 35 = 35.55 > 35, 10 log 36 = 35.8 < 36


def test_parity_teacher() -> None:
    for k in (3, 5):
        a, _b = theory.teacher_neurons(k)
        assert len(a) == 3 * (k + 1)
        assert (a**2).sum() == pytest.approx(6 * k * (k + 1))
        heads = np.arange(k + 1)
        u = (2 * heads - k) / sqrt(k)
        assert np.allclose(theory.teacher_parity(u, k), (-1.0) ** (k - heads))
        assert float(theory.teacher_parity(0.0, k)) == pytest.approx(0)
    assert np.allclose(theory.teacher_parity(np.array([-2, 0, 2]) / sqrt(2), 2, -1), [1, -1, 1])
    u = np.random.default_rng(0).normal(size=(30, 3))
    bent, slope, shift = theory.rewritten_teacher(u, 5)
    assert np.allclose(bent + slope * u.sum(1) + 3 * shift, theory.teacher_parity(u, 5).sum(1))


def test_rates_of_parities() -> None:
    assert theory.error_parity(100, 9, 3, 5) == pytest.approx(
        18 * 6 * 2 * sqrt(5) * 10 * sqrt(2 / 100.0**7) / 2 * 1
    )
    assert theory.fixed_features_floor(16, 1, 4, 2.0) == pytest.approx(0)
    assert theory.fixed_features_floor_printed(3, 4, 2.0) == pytest.approx(0.5 - 0.5 / sqrt(2))


def test_tails_of_sums() -> None:
    w, p, t = np.array([[1.0, 2.0]]), np.array([0.25]), np.array([2.0])
    tail, bound = theory.bernstein_sides(w, p, t)
    assert tail[0] == pytest.approx(0.375)  # φ_2 ≠ 0, and φ_1 is 0 or of the same sign
    assert bound[0] == pytest.approx(2 * exp(-2 / (2.5 + 4 / 3)))
    tail, bound = theory.hoeffding_sides(w, t)
    assert tail[0] == pytest.approx(0.5)
    assert bound[0] == pytest.approx(2 * exp(-0.4))


def test_character_energy_by_hand() -> None:
    X = 1.0 - 2 * ((np.arange(8)[:, None] >> np.arange(3)) & 1)
    features = np.stack([X[:, 0] * X[:, 1], X[:, 2]], 1)
    assert theory.character_energy(features, 2) == pytest.approx((1 / 3, 2 / 3))
    assert theory.character_energy(features, 1) == pytest.approx((1 / 3, 2 / 3))
    majority_of_3 = np.sign(X.sum(1))[:, None]  # ½(x_1 + x_2 + x_3 - x_1 x_2 x_3)
    assert theory.character_energy(majority_of_3, 1) == pytest.approx((1 / 4, 1 / 3))


def test_majority_against_enumeration() -> None:
    for k, d in ((1, 5), (3, 5), (3, 7), (5, 7)):
        assert majority.xi(k, d) == majority.coefficient(k, d)
        assert exp(majority.log_xi(k, d)) == pytest.approx(abs(float(majority.xi(k, d))))
    assert majority.coefficient(1, 3) == F(1, 2)
    assert majority.coefficient(3, 3) == F(-1, 2)
    assert majority.xi_printed(3, 7) == F(-20, 15 * 64)
    assert majority.xi_printed(1, 5) == F(6, 16)
    with pytest.raises(ValueError, match="odd"):
        majority.xi(2, 5)
    with pytest.raises(ValueError, match="odd"):
        majority.xi(1, 4)
    assert majority.fall(4, 9) == F(3, 5) == -majority.xi(5, 9) / majority.xi(3, 9)
    W = np.array([[1, 1, -1, 1, 1, -1, 1], [1, -1, -1, 1, 1, -1, 1]])
    for k in (2, 4):
        assert (majority.gradient(W, k) == majority.enumerated(W, F(1, 3), k)).all()
        printed = majority.gradient(W, k, printed=True)
        assert (printed[:, :k] == 2 * majority.gradient(W, k)[:, :k]).all()
        assert (np.abs(printed) == abs(majority.xi(k - 1, 7))).all()
        assert (majority.counted(W[1], k) == majority.enumerated(W, F(0), k)[1]).all()
    wide = np.ones((1, 13), dtype=int)
    assert (majority.counted(wide[0], 2) == majority.enumerated(wide, F(0), 2)[0]).all()
    G = majority.gradient(np.ones((1, 7), dtype=int), 4)[0].astype(float)
    assert majority.norm(4, 7) == pytest.approx(np.linalg.norm(G))
    assert majority.cosine(4, 7) == pytest.approx(abs(G[:4].sum()) / 2 / np.linalg.norm(G))
    w = np.array([1, -1, 1, 1, -1])
    assert majority.expected_output(w, F(1, 3), 2) == -majority.xi(1, 5) / 2
    assert majority.samples_ratio(4, 33, 1.5) == pytest.approx(
        4**0.5 / float(majority.xi(3, 33)) ** 2 / comb(33, 3)
    )


def test_enumerated_gradient_by_hand() -> None:
    # d = 3, k = 2, w = 1: active on 111, 11-, 1-1, -11 with y = 1, 1, -1, -1
    G = majority.enumerated(np.ones((1, 3), dtype=int), F(0), 2)[0]
    assert list(G) == [F(2, 8), F(2, 8), F(-2, 8)]


def test_construction_in_the_limit() -> None:
    for bias in (1.0, 1e-9):
        teacher = construction.one_line(bias)
        built = construction.build(teacher, 1e10, np.random.default_rng(0), keep=True)
        assert built.loss == pytest.approx(teacher.loss(teacher.output()), abs=5e-3)
    assert construction.one_line().loss(construction.one_line().output()) == pytest.approx(0.625)
    assert construction.one_line(0.0).loss(construction.one_line(0.0).output()) == pytest.approx(
        0.125
    )
    parity = construction.biased_parity()
    assert parity.chance.sum() == pytest.approx(1)
    assert parity.loss(parity.output()) == pytest.approx(0, abs=1e-12)
    built = construction.build(parity, 1e3, np.random.default_rng(0))
    assert built.bound == pytest.approx(690.871, rel=1e-5)  # B_ε = B_b/2
    built = construction.build(parity, 1e10, np.random.default_rng(0), keep=True)
    assert built.loss < 0.05


def test_construction_draws_the_law_of_the_whole_network() -> None:
    teacher, m, sizes, losses = construction.one_line(), 2000, [], []
    f, rng = teacher.family, np.random.default_rng(0)
    B = theory.least_bias_scale(f, m)
    eps = f.B_x1 * f.B_b / (sqrt(m * f.p) * f.B_G * B)
    for _ in range(300):
        w, g = rng.normal(size=m), rng.normal(size=m)
        length = g[w > 0.02] * 1.25 / 1.25 / B  # ‖w^(1)‖/b̃ on neurons that see all x
        chosen = length[np.abs(length - 1) <= eps]
        output = np.maximum(np.outer(teacher.u, chosen) - 1, 0).mean(1)
        sizes.append(len(chosen))
        losses.append(teacher.loss(output))
    built = [construction.build(teacher, m, np.random.default_rng(s)) for s in range(300)]
    assert np.mean([b.sizes[0] for b in built]) == pytest.approx(np.mean(sizes), rel=0.06)
    assert np.mean([b.loss for b in built]) == pytest.approx(np.mean(losses), rel=1e-9, abs=0.003)
    one = built[0]
    assert one.norm_2 == pytest.approx(one.sizes[0] ** -0.5)
    assert one.norm_inf == pytest.approx(1 / one.sizes[0])
    assert one.bound == pytest.approx(0.625 + float(theory.good_network_bound(f, m, B)))
    assert f.p == pytest.approx(stats.norm.sf(0.02))


def test_construction_with_a_constant_and_overwriting() -> None:
    teacher = construction.one_line()
    far = construction.build(teacher, 1e6, np.random.default_rng(0), c=20.0)
    near = construction.build(teacher, 1e6, np.random.default_rng(0))
    B = theory.least_bias_scale(teacher.family, 1e6)
    ratio = stats.norm.pdf(B / 20) / 20 / stats.norm.pdf(B)
    assert far.sizes[0] / near.sizes[0] == pytest.approx(ratio, rel=0.2)
    two = construction.Teacher(
        np.array([2.0, -1.0]),
        np.ones(2),
        teacher.u,
        teacher.y,
        teacher.chance,
        teacher.family,
        1.25,
    )
    added, over = (
        construction.build(two, 1e6, np.random.default_rng(0), add=a) for a in (True, False)
    )
    assert added.norm_inf == pytest.approx(1 / added.sizes[0])
    assert over.loss > 1 > added.loss


def test_families_of_the_constructions() -> None:
    f = construction.biased_parity(5, 64, 0.25).family
    assert (f.r, f.B_a1, f.B_b) == (18, 2 * sqrt(5), 6 / sqrt(5))
    assert f.B_a2 == pytest.approx(sqrt(180))
    assert (f.B_x1, f.B_G, f.p) == (8, sqrt(5) / 4, 1)
    teacher = construction.biased_parity(3, 16, 0.125)
    law = data.Parity(5, 3, 1, 0.125, 0.25)
    X, y, chance = law.support()
    for u, label, p in zip(teacher.u, teacher.y, teacher.chance, strict=True):
        same = np.isclose(X @ law.directions[0], u) & (y == label)
        doubled = p + teacher.chance[np.isclose(teacher.u, u)].sum() - p
        assert chance[same].sum() == pytest.approx(doubled)
    f = construction.one_line().family
    assert (f.r, f.B_a1, f.B_b, f.B_x1, f.B_G) == (1, 1, 1, 1.25, 1.25)


def test_descent_on_linear_functions() -> None:
    g = torch.tensor([[1.0, 0], [0, 2.0]], dtype=torch.float64)
    p = {
        "g": g,
        "theta": torch.tensor([1.0, 1]),
        "star": torch.tensor([0.0, 3]),
        "eta": torch.tensor(0.5),
    }
    left, right = lemmas.descent_sides(p)
    # θ_1 = (1, 1), θ_2 = (0.5, 1): losses 1 and 2; at θ*: 0 and 6
    assert float(left) == pytest.approx((1 + 2 - 6) / 2)
    assert float(right) == pytest.approx(9 / 2 + sqrt(2) * 1.5 + 0.5 * 2.5)
    assert float(lemmas.descent_sides(p, 0.5)[1]) == pytest.approx(9 / 2 + sqrt(2) * 1.5 + 0.625)


def test_smooth_descent_by_hand() -> None:
    one = torch.ones(1, 1, dtype=torch.float64)
    p = {"h": one, "a": torch.zeros(1).double(), "star": torch.ones(1).double()}
    left, right = lemmas.smooth_sides(p, 1, first=1)
    exact = lemmas.smooth_counterexample()
    assert float(left) == pytest.approx(float(exact[0]))
    assert float(right) == pytest.approx(float(exact[1]), rel=1e-6)
    assert float(exact[0]) == pytest.approx(1 - np.log2(1.5))
    assert float(exact[1]) == pytest.approx(log(2) / 8)
    left, right = lemmas.smooth_counterexample(3)
    second = 0.025 + 0.05 / (1 + 2**0.025)  # a^(3), after a^(1) = 0 and a^(2) = η/2
    values = [np.log2(1 + 2**-a) for a in (0, 0.025, second)]
    assert float(left) == pytest.approx(sum(values) / 3 - np.log2(1 + 2**-0.05))
    assert float(right) == pytest.approx(0.05**2 / (6 * 0.05))
    left, _ = lemmas.smooth_sides(p, 1)
    a = 0.5 / (log(2) / 4)  # one step of size 1/L along the slope 1/2
    assert float(left) == pytest.approx(np.log2(1 + 2**-a) - np.log2(1.5), abs=1e-6)
    assert float(lemmas.logistic(torch.tensor(-1.0))) == pytest.approx(np.log2(3))


def test_divergent_step_by_hand() -> None:
    best, least = lemmas.divergent_step(2, 2)
    a = 2 * (0.75 * 0.5 - 0.25 * 0.5) / 2
    loss = 0.75 * np.log2(1 + 2 ** (-2 * a)) + 0.25 * np.log2(1 + 2 ** (2 * a))
    assert float(best) == pytest.approx(min(1, loss))
    assert float(least) == pytest.approx(-0.75 * np.log2(0.75) - 0.25 * np.log2(0.25))
    best, _ = lemmas.divergent_step(3, 2, printed=False)
    a, L = 0.0, log(2)
    for _ in range(2):
        a += 2 * (0.75 / (1 + 4**a) - 0.25 / (1 + 4**-a)) / L
    loss = 0.75 * np.log2(1 + 4**-a) + 0.25 * np.log2(1 + 4**a)
    assert float(best) == pytest.approx(min(loss, 1), rel=1e-12)
    best, _ = lemmas.divergent_step(2, 1, printed=False)  # one step of size 4/log 2 along 1/4
    a = 1 / log(2)
    loss = 0.75 * np.log2(1 + 2**-a) + 0.25 * np.log2(1 + 2**a)
    assert float(best) == pytest.approx(loss, rel=1e-12)
    assert float(lemmas.divergent_step(2)[0]) == 1  # thrown out: the start is the best
    far, _ = lemmas.divergent_step(3, 6)
    a = 6 * 0.25 / 2
    a += 6 * (0.75 / (1 + 2 ** (6 * a)) - 0.25 / (1 + 2 ** (-6 * a))) / 3
    loss = 0.75 * np.log2(1 + 2 ** (-6 * a)) + 0.25 * np.log2(1 + 2 ** (6 * a))
    assert loss < 1
    assert float(far) == pytest.approx(loss, rel=1e-12)


def test_drift_by_simulation() -> None:
    a, w, eta = 0.0, 1.0, 1 / 5000
    for _ in range(49):
        a, w = a + eta * (w - 0.1), w + eta * a
    assert float(lemmas.drift(50)) == pytest.approx(w - 1, rel=1e-9)
    assert float(lemmas.drift_printed(50)) == pytest.approx(50 * eta**2 * 1.1)
    assert float(lemmas.drift_corrected(50)) == pytest.approx(1.2 * (50 * eta) ** 2 * 1.1)
    assert float(lemmas.ball(F(2, 5))) == pytest.approx(0.4)


def test_majorant_by_hand() -> None:
    # |a_t| <= |a_{t-1}| + ηZ + u² Σ_{l <= t-2}|a_l|, with equality; u = ηB
    a, Z, u, B = F(1, 2), F(3), F(1, 5), F(2)
    terms = [a, a + u / B * Z]
    for _ in range(5):
        terms.append(terms[-1] + u / B * Z + u**2 * sum(terms[:-1]))
    for t in range(1, 8):
        assert lemmas.majorant(t, a, Z, u, B) == sum(terms[:t])
        assert lemmas.majorant_closed(t, a, Z, u, B) == sum(terms[:t])
    left, right = lemmas.drift_sides(np.array([0.5, 3.0, -1.0, 0.6]))  # t = 6, B = 1
    h = lemmas.majorant(5, F(1, 2), F(3), F(1, 10), F(1))
    assert left == pytest.approx(float(h) / 10)
    assert right == pytest.approx(1.2 * (0.6 * 0.5 + 0.36 * 3))


def test_loss_gap_by_hand() -> None:
    p = {
        "a": torch.tensor([0.5]), "W": torch.tensor([[1.0, 0]]), "V": torch.tensor([[2.0, 0]]),
        "b": torch.tensor([0.5]), "X": torch.tensor([[1.0, 0]]), "y": torch.tensor([20.0]),
    }  # fmt: skip
    left, right = lemmas.loss_gap_sides({k: v.double() for k, v in p.items()})
    assert left.tolist() == pytest.approx([0.5, 1.5])
    assert right.tolist() == pytest.approx([0.5, 2.5])
    for a, gap, slope in ((0.7, 0.65, 0.0), (0.63, 0.63, 1.5)):  # outputs 1.05 and 0.945 of V
        more = {**p, "a": torch.tensor([a])}
        left, _ = lemmas.loss_gap_sides({k: v.double() for k, v in more.items()})
        assert left.tolist() == pytest.approx([gap, slope])
    twice = {**p, **{k: torch.cat([p[k], p[k]]) for k in ("a", "W", "V", "b")}}
    _, right = lemmas.loss_gap_sides({k: v.double() for k, v in twice.items()})
    assert right.tolist() == pytest.approx([1.0, 2.5, 2.5])  # √(1/2) √2


def test_rademacher_by_hand() -> None:
    one = {"X": torch.ones(1, 1), "W": torch.ones(1, 1), "b": -torch.ones(1)}
    assert [float(x) for x in lemmas.rademacher_sides(one)] == pytest.approx([2, 2])
    two = {"X": torch.tensor([[1.0], [-3.0]]), "W": torch.ones(1, 1), "b": torch.zeros(1)}
    left, right = lemmas.rademacher_sides(two, 1.0)
    assert float(left) == pytest.approx(0.5)
    assert float(right) == pytest.approx(sqrt(9 / 2))
    same = {"X": torch.ones(2, 1), "W": torch.ones(1, 1), "b": torch.zeros(1)}
    assert float(lemmas.rademacher_sides(same)[0]) == pytest.approx(0.5)  # E|ε_1 + ε_2|/2


def test_tails_against_scipy() -> None:
    n, z = np.array([50.0]), np.array([1.5])
    at = sqrt(2 * log(50)) + 1.5 / sqrt(2 * log(50))
    found, bound = lemmas.log_gaussian_maximum(n, z)
    assert found[0] == pytest.approx(log(1 - stats.norm.cdf(at) ** 50))
    assert bound[0] == -1.5
    found, bound = lemmas.log_chi_square(np.array([5.0]), z)
    assert found[0] == pytest.approx(log(stats.chi2(5).sf(5 + 2 * sqrt(7.5) + 3)))
    assert bound[0] == -1.5
    low, high = lemmas.log_tail_bounds(z)
    Q, density = stats.norm.sf(1.5), stats.norm.pdf(1.5)
    assert np.exp(low).ravel() == pytest.approx([1.5 / 3.25 * density, Q])
    assert np.exp(high).ravel() == pytest.approx([Q, density / 1.5])
    low, high = lemmas.log_density_bound(z)
    assert (exp(low[0]), exp(high[0])) == pytest.approx((density, 2 * Q**0.9))
    assert lemmas.sign_mean_tail(4, 0.5) == pytest.approx(2 / 16)
    assert lemmas.sign_mean_tail(4, 0.4) == pytest.approx(10 / 16)


def test_recurrence_by_hand() -> None:
    args = (F(1), F(2), F(1, 2), F(3))
    assert [lemmas.recurrence(*args, n) for n in (1, 2, 3, 4)] == [1, 2, F(25, 4), F(14)]
    for n in range(1, 7):
        assert lemmas.recurrence_closed(*args, n) == lemmas.recurrence(*args, n)
        assert lemmas.recurrence_closed(*args, n, 0) == lemmas.recurrence(*args, n)
    assert lemmas.recurrence_closed(F(1), F(0), F(1), F(0), 2, 0) == 0
    assert lemmas.recurrence_closed(F(1), F(0), F(1), F(0), 1, 0) == 0


@pytest.mark.parametrize("d", [10.0, 1e8])
def test_the_grid_has_the_law_of_the_rest_of_a_gaussian(d: float) -> None:
    u1, u3, rest, mass = xor_decay.grid(d, nodes=60)
    weight = mass / mass.sum()
    assert mass.sum() == pytest.approx(1 / 4, rel=1e-6)  # both are positive
    assert (weight * u1**2).sum() == pytest.approx(1, rel=2e-3)
    assert (weight * u3**2).sum() == pytest.approx(1, rel=2e-3)
    assert (weight * rest**2).sum() / (d - 2) == pytest.approx(1, abs=0.03 / sqrt(d))
    spread = (weight * (rest**2 - (d - 2)) ** 2).sum()
    assert spread == pytest.approx(2 * (d - 2), rel=0.02)
