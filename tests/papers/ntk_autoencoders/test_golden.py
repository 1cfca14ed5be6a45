"""Every formula against a value computed another way; `test_breaks` breaks them in turn."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import acos, cos, exp, log, pi, sqrt

import numpy as np
import pytest
import torch
from flint import arb
from scipy import integrate, stats

from featurebook import core
from featurebook.papers.ntk_autoencoders import (
    bounds,
    data,
    exact,
    experiments,
    kernels,
    network,
    orthonormal,
    search,
    tied,
)

SHAPE = kernels.Geometry(
    n=3, d=2, separation=0.5, lambda_0=0.1, lambda_h=0.05, lambda_n=2.0, norm_h=1.5
)


def by_angle(integrand, rho: float) -> float:  # type: ignore[no-untyped-def]
    """The mean of a function of two angles to a Gaussian vector, by quadrature."""
    theta = acos(rho)
    knots = [pi / 2, 3 * pi / 2, theta + pi / 2, theta - pi / 2, theta + 3 * pi / 2]
    found, _ = integrate.quad(
        lambda t: integrand(cos(t), cos(t - theta)), 0, 2 * pi, points=[k % (2 * pi) for k in knots]
    )
    return found / (2 * pi)


@pytest.mark.parametrize("rho", [-0.8, -0.1, 0.0, 0.3, 0.95])
def test_g_is_the_probability_that_both_are_on(rho: float) -> None:
    check_g(rho)


def check_g(rho: float = 0.3) -> None:
    both = by_angle(lambda a, b: float(a >= 0 and b >= 0), rho)
    assert float(kernels.g(torch.tensor(rho, dtype=torch.double))) == pytest.approx(rho * both)


@pytest.mark.parametrize("rho", [-0.8, -0.1, 0.0, 0.3, 0.95])
def test_h_is_the_mean_product_of_two_relus(rho: float) -> None:
    check_h(rho)


def check_h(rho: float = 0.3) -> None:
    mean = 2 * by_angle(lambda a, b: max(a, 0) * max(b, 0), rho)  # E‖w‖² = 2 in the plane
    assert float(kernels.h(torch.tensor(rho, dtype=torch.double))) == pytest.approx(mean)


def test_bernstein_radius_solves_the_tail() -> None:
    m, delta = 500, 0.1
    t = bounds.bernstein_radius(SHAPE, m, delta)
    variance, size = SHAPE.d * SHAPE.lambda_n**2, SHAPE.d * SHAPE.lambda_n
    tail = 2 * SHAPE.n * SHAPE.d * exp(-m * t**2 / 2 / (variance + size * t / 3))
    assert tail == pytest.approx(delta)


def test_bernstein_width_is_the_smallest() -> None:
    m = bounds.bernstein_width(SHAPE, 0.1)
    assert bounds.bernstein_radius(SHAPE, m, 0.1) <= SHAPE.lambda_0 / 4
    assert bounds.bernstein_radius(SHAPE, m - 1, 0.1) > SHAPE.lambda_0 / 4


def test_decoder_width_is_chebyshevs() -> None:
    fourth, _ = integrate.quad(lambda z: z**4 * stats.norm.pdf(z), 0, np.inf)  # E φ⁴
    variance = SHAPE.n**2 * fourth  # of one neuron, at most
    asked = variance / ((SHAPE.lambda_h / 4) ** 2 * 0.1)
    assert bounds.decoder_width(SHAPE, 0.1) == pytest.approx(asked, abs=1.5)


def test_encoder_perturbations_count_the_pairs() -> None:
    X, R = data.sphere(3, 2, 5), 0.4
    W = network.initial(core.generator(3, "pairs"), 2, 9)["W"]
    z = X.T @ W
    total, squares = 0.0, 0.0
    for i in range(3):
        for j in range(3):
            loose = (torch.minimum(z[i], z[j]) >= -R).sum() - (torch.minimum(z[i], z[j]) >= R).sum()
            total += 2 / 9 * float(loose)
            squares += (2 / 9 * float(loose) * float((X[:, i] @ X[:, j]).abs())) ** 2
    assert bounds.encoder_perturbation(W, X, R) == pytest.approx(total)
    assert bounds.encoder_perturbation_sharp(W, X, R) == pytest.approx(sqrt(squares))


def test_lemma_52_is_reached_by_one_neuron() -> None:
    w, R = 1.7, 0.6  # X = (1, 1): λ_n = 2, and both bounds are equalities
    X = torch.ones(1, 2, dtype=torch.double)
    W = torch.tensor([[w, -1.0]], dtype=torch.double)
    moved = torch.tensor([[w + R, -1.0]], dtype=torch.double)
    change = kernels.decoder_kernel(moved, X) - kernels.decoder_kernel(W, X)
    size = float(kernels.spectral_norm(change))
    assert bounds.lemma_52_printed(2.0, w, 2, R) == pytest.approx(size)
    assert bounds.lemma_52_corrected(2.0, sqrt(2) * w, 2, R) == pytest.approx(size)
    assert experiments.perturbation(X, W, moved)[2] == pytest.approx(size)


@cache
def tight_weak_flow() -> tuple[kernels.Geometry, float, float, float]:
    """n = 1, d = 2, an eighth of the neurons on and along ±(1, 1): geometry, λ_min(G), error, how
    far the fastest neuron moves."""
    root = sqrt(2.0)
    A = torch.tensor([[1.0, -1, 1, 1] + [1] * 12, [1, -1, -1, -1] + [1] * 12], dtype=torch.double)
    W = torch.tensor([[3.0, 3, root, root] + [-1] * 12, [0.0] * 16], dtype=torch.double)
    X = torch.tensor([[1.0], [0.0]], dtype=torch.double)
    seen = network.flow("weak", {"W": W[None], "A": A[None]}, X, [0.0, 100.0], step=1.0)
    least = float(kernels.smallest(kernels.encoder_kernel({"W": W, "A": A}, X)))
    return kernels.geometry(X), least, float(seen["error"][0]), float(seen["max_r"][-1])


def test_weak_radius_is_reached() -> None:
    shape, least, error, moved = tight_weak_flow()
    assert least == pytest.approx(shape.lambda_0 / 2)
    assert moved == pytest.approx(bounds.weak_radius(shape, 16, error, factor=2), rel=1e-4)


@cache
def decoder_flow() -> tuple[kernels.Geometry, float, float, float]:
    """Decoder training on a sample that stands there twice: geometry, error, movement, ‖Φ‖."""
    X = torch.tensor([[1.0, 1.0], [0.0, 0.0]], dtype=torch.double)
    W = torch.tensor([[0.5, 0.5, -1], [0, 1, 0]], dtype=torch.double)
    start = {"W": W[None], "A": torch.ones(1, 2, 3, dtype=torch.double)}
    seen = network.flow("decoder", start, X, [0.0, 100.0], step=0.5)
    H = kernels.decoder_kernel(W, X)
    rate = float(torch.linalg.eigvalsh(H)[-1])
    shape = kernels.Geometry(2, 2, 0.0, 2 * rate, 0.0, 2.0, 0.0)  # λ_0/2 is the rate
    Phi = float(kernels.spectral_norm(kernels.features(W, X)))
    return shape, float(seen["error"][0]), float(seen["A"][-1]), Phi


def test_joint_radius_is_reached() -> None:
    shape, error, moved, Phi = decoder_flow()
    most = bounds.joint_radius(shape, 3, error, Phi / sqrt(shape.lambda_n), factor=2)
    assert moved == pytest.approx(most, rel=1e-4)


def test_path_radius_is_reached() -> None:
    shape, error, moved, _ = decoder_flow()
    assert moved == pytest.approx(bounds.path_radius(2, shape.lambda_0, error), rel=1e-4)


@cache
def certificate_numbers() -> tuple[core.Params, torch.Tensor, float, float, float, float]:
    """A network and data, with μ, ϱ, ‖Φ‖ and λ_n as the page defines them."""
    X = data.sphere(2, 4, 1)
    net = network.initial(core.generator(0, "golden"), 4, 4000)
    x, W, A = X.numpy(), net["W"].numpy(), net["A"].numpy()
    Phi = np.maximum(x.T @ W, 0)
    sizes = np.linalg.svd(Phi)[1]
    error = float(np.linalg.norm(x - A @ Phi.T / sqrt(16000)))
    lambda_n = float(np.linalg.norm(x, 2)) ** 2
    return net, X, float(sizes[-1]) ** 2 / 8000, error, float(sizes[0]), lambda_n


def test_joint_certificate_is_that_of_the_page() -> None:
    net, X, mu, error, Phi, lambda_n = certificate_numbers()
    beta = sqrt(4) * error / (sqrt(4000) * mu)
    norm_A = float(np.linalg.norm(net["A"].numpy(), 2))
    R_w = beta * sqrt(lambda_n) * (norm_A + beta * Phi) / (1 - beta**2 * lambda_n)
    R_a = beta * (Phi + sqrt(lambda_n) * R_w)
    P = sqrt(lambda_n) / 4000 * (2 * Phi + sqrt(lambda_n) * R_w) * R_w
    found = bounds.joint_certificate(net, X)
    assert [found.rate, found.perturbation] == pytest.approx([mu, P])
    assert [found.radius_encoder, found.radius_decoder] == pytest.approx([R_w, R_a])


def test_path_certificate_is_that_of_the_page() -> None:
    net, X, mu, error, Phi, lambda_n = certificate_numbers()
    R = sqrt(4 / mu) * error
    P = sqrt(lambda_n) / 4000 * (2 * Phi + sqrt(lambda_n) * R) * R
    found = bounds.path_certificate(net, X)
    assert [found.rate, found.perturbation, found.radius_encoder] == pytest.approx([mu, P, R])


def test_weak_certificate_is_that_of_the_page() -> None:
    net, X, _, error, _, lambda_n = certificate_numbers()
    mu = float(kernels.smallest(kernels.encoder_kernel(net, X))) / 2
    R = 4 * sqrt(lambda_n) * error / (sqrt(4000) * mu)
    found = bounds.weak_certificate(net, X)
    assert [found.rate, found.radius_encoder] == pytest.approx([mu, R])
    assert found.perturbation == pytest.approx(bounds.encoder_perturbation_sharp(net["W"], X, R))


def test_widths_of_the_table() -> None:
    n, d, lambda_n, lambda_0, delta, apart = 3, 2, 2.0, 0.1, 0.5, 0.5
    weak, joint = n**5 * lambda_n / (lambda_0**4 * delta**3), n * lambda_n**3 / lambda_0**4
    expected = {
        0: n**6 / (lambda_0**4 * delta**3), 1: weak, 2: weak * d**4, 3: joint,
        5: n**8 / apart**4, 6: n**8 * d / apart**4, 7: joint / delta**2, 8: joint * d / delta**2,
    }  # fmt: skip
    for row, value in expected.items():
        assert bounds.width(bounds.TABLE_1[row], SHAPE, delta) == pytest.approx(value), row
    repaired = n * d * lambda_n**2 * SHAPE.norm_h / (SHAPE.lambda_h**4 * delta)
    assert bounds.width(bounds.REPAIRED, SHAPE, delta) == pytest.approx(repaired)


def test_routes_meet_their_own_conditions() -> None:
    m = bounds.weak_route_width(SHAPE, 0.2)
    moved = 2 * 2 * sqrt(2.0 / m) * sqrt(2 * 3 / 0.2) / 0.1  # factor · d √(λ_n/m) ‖E‖ / λ_0
    assert moved == pytest.approx(0.1 * 0.2 / (8 * 3**2 * 2))
    m = bounds.joint_route_width(SHAPE, 0.2)
    alpha = 2 * sqrt(2 * 2.0 / m) * sqrt(1.5 * 3 / 0.2) / 0.1
    R_w = alpha * 2 * sqrt(m) * (1 + alpha) / (1 - alpha**2)
    assert 2.0 / m * (4 * sqrt(m) + R_w) * R_w == pytest.approx(0.1 / 4, rel=1e-6)


def check_geometry() -> None:
    """Two samples at the cosine 0.6: λ_n = 1.6, and the spectra of (1, ±ρ) pairs."""
    shape = kernels.geometry(data.pair(0.6))
    assert shape.lambda_n == pytest.approx(1.6)
    assert shape.separation == pytest.approx(sqrt(0.8))
    angle = acos(0.6)
    g = 0.6 * (pi - angle) / (2 * pi)
    h = g + 0.8 / (2 * pi)
    assert shape.lambda_0 == pytest.approx(0.5 - g)
    assert (shape.lambda_h, shape.norm_h) == pytest.approx((0.5 - h, 0.5 + h))


def test_geometry() -> None:
    check_geometry()


def check_tied() -> None:
    """One neuron in two dimensions by hand, and the spread of the initial weights."""
    params = {"W": torch.tensor([[1.0], [2.0]]).double()}
    X = torch.tensor([[1.0], [1.0]]).double()
    assert tied.outputs(params, X).T.tolist() == [[3.0, 6.0]]
    assert float(tied.loss(params, X)) == (4 + 25) / 2
    assert float(tied.gradient(params, X)[1]) == (4 + 25) / 2
    drawn = tied.initial(core.generator(0, "tied"), 50, 400, 4.0)["W"]
    assert float(drawn.std()) == pytest.approx(2, rel=0.03)
    mean, error = tied.sampled_error(3, 30, 4.0, 1.0, 4000, core.generator(0, "tied error"))
    assert abs(mean - tied.expected_error(3, 30, 4.0, 1.0)) < 4 * error
    means = [
        tied.sampled_error(3, 30, 4.0, 1.0, 200, core.generator(s, "tied"))[0] for s in range(200)
    ]
    assert float(np.std(means)) == pytest.approx(error * sqrt(20), rel=0.25)


def test_tied() -> None:
    check_tied()


def test_small_formulas_by_hand() -> None:
    assert bounds.chi_square_radius(4, exp(-4)) == pytest.approx(4 + 2 * 4 + 8)
    assert bounds.chi_square_radius(9, exp(-1)) == pytest.approx(9 + 2 * 3 + 2)
    assert bounds.moment_bound(2, 3.0, 1.0) == pytest.approx(20 * sqrt(3))
    assert bounds.closing_sum(3, 5, Fraction(9, 7), Fraction(1, 3)) == Fraction(-1, 2)
    assert bounds.mutual_radii(0.5, 1.0, 2.0) == pytest.approx((4 / 3, 5 / 3))
    assert bounds.pair_crossover() == pytest.approx(-cos(1.16556118))


def test_separation_sides_are_those_of_the_geometry() -> None:
    X = data.sphere(4, 3, 7)
    for sign in (1, -1):
        signed = X * torch.tensor([sign, 1.0, 1.0, 1.0])
        shape = kernels.geometry(signed)
        lines = min(kernels.geometry(signed * torch.tensor(s)).separation
                    for s in product((1.0, -1.0), repeat=4))  # fmt: skip
        smaller, larger = bounds.separation_sides(signed)
        assert float(smaller) == pytest.approx(lines / 1600)
        assert float(larger) == pytest.approx(shape.lambda_0)


def test_hexagon_has_no_least_eigenvalue() -> None:
    angles = torch.arange(6, dtype=torch.double) * pi / 3
    for turn in (0.0, 0.1):
        angles[5] = 5 * pi / 3 + turn
        X = torch.stack([angles.cos(), angles.sin()])
        signs = torch.tensor([1.0, -1] * 3, dtype=torch.double) / sqrt(6)
        smaller, larger = exact.near_hexagon(arb(turn))
        assert float(smaller) == pytest.approx(kernels.geometry(X).separation / 3600)
        assert float(larger) == pytest.approx(float(signs @ kernels.G_limit(X) @ signs), abs=1e-12)
        assert float(larger) >= kernels.geometry(X).lambda_0 - 1e-12
    regular = kernels.geometry(data.near_hexagon(3, 0.0))
    assert (regular.separation, regular.lambda_0) == pytest.approx((1, 0), abs=1e-12)
    near = [kernels.geometry(data.near_hexagon(3, size)).lambda_0 for size in (1e-2, 1e-3)]
    assert 0 < 5 * near[1] < near[0] < 1e-2


def test_orthonormal_moments() -> None:
    first, third = 1 / sqrt(2 * pi), 2 / sqrt(2 * pi)  # E φ, E φ³; E φ² = 1/2, E φ⁴ = 3/2
    for n in (2, 7):
        entry = 2 * third * first + (n - 2) * first**2 / 2
        top = 1.5 + (n - 1) / 4 + (n - 1) * entry
        assert kernels.orthonormal_moment_norm(n) == pytest.approx(top)
        assert float(exact.orthonormal_moment(n)) == pytest.approx(top)


def test_wedge_moment_by_quadrature() -> None:
    x, y = data.pair(0.4).T
    found = kernels.orthant_second_moment(x, y).numpy()
    theta = acos(0.4)
    for (i, j), f in {
        (0, 0): lambda t: cos(t) ** 2,
        (0, 1): lambda t: cos(t) * np.sin(t),
        (1, 1): lambda t: np.sin(t) ** 2,
    }.items():
        inside, _ = integrate.quad(f, theta - pi / 2, pi / 2)
        assert found[i, j] == pytest.approx(2 * inside / (2 * pi))


def test_tied_error_by_hand() -> None:
    for d, m, sigma2, norm in ((5, 20, 2.0, 1.0), (3, 30, 1.5, 2.0), (1, 1, 0.5, 1.0)):
        lemma = (sigma2 / 2 - 1) ** 2 * norm**2 + (2 * d + 3) * (sigma2 * norm) ** 2 / (4 * m)
        assert tied.expected_error(d, m, sigma2, norm) == pytest.approx(lemma)
    assert tied.expected_error(10, 100) == pytest.approx(0.23)  # (2d + 3)/m
    s = sqrt(40 / 4)  # with √(md): the mean output is s/2 times x
    by_hand = 1 - s + s**2 * (39 / 160 + 6 / 80)
    assert tied.expected_error(4, 40, 1.0, 1.0, sqrt(160)) == pytest.approx(by_hand)


def test_search_wants_nine_of_ten(monkeypatch: pytest.MonkeyPatch) -> None:
    check_search(monkeypatch)


def check_search(monkeypatch: pytest.MonkeyPatch | None = None) -> None:
    shares = dict(zip(search.WIDTHS, (0.5, 0.89, 0.9, 1.0), strict=False))
    patch = monkeypatch or pytest.MonkeyPatch()
    with patch.context() as p:
        p.setattr(search, "share_keeping_rate", lambda _r, _p, m, **_: np.array([shares[m]]))
        found = search.smallest_width("weak", torch.zeros(1, 2, 2), seeds=1, c=1.0, error=0.1)
    assert found[0] == search.WIDTHS[2] == 8


def test_rates_and_slopes() -> None:
    shape, eta = kernels.Geometry(2, 5, 1.0, 0.4, 0.1, 1.0, 1.0), 0.5
    exactly = (1 - eta * 0.4 / 10) ** torch.arange(50, dtype=torch.double)
    error = torch.stack([exactly, exactly * 1.0001 ** torch.arange(50)], dim=1)
    assert experiments.keeps_rate(error, eta, shape).tolist() == [True, False]
    falling = torch.exp(-0.3 * torch.arange(200, dtype=torch.double))[:, None]
    assert experiments.late_slope(falling) == pytest.approx(-0.3)
    first = torch.tensor([2.0], dtype=torch.double)
    assert float(bounds.descent_bound(0.25, [0, 2], first)[1]) == pytest.approx(2 * 0.5625)
    assert float(bounds.flow_bound(0.5, [0, 2], first)[1]) == pytest.approx(2 * exp(-1))


def test_slope_shortfall_is_nearly_reached() -> None:
    psi = [0.004, 0.002]
    shapes = [kernels.geometry(data.pair(cos(a))) for a in psi]
    ratios = [g.lambda_h / g.lambda_0 for g in shapes]
    short = 1 - (log(ratios[0]) - log(ratios[1])) / log(2)
    assert 0.98 < short / experiments.slope_shortfall(psi) < 1


def test_decoder_errors_and_last_crossing() -> None:
    X = data.pair(0.95)
    start = core.replicate(lambda g: network.initial(g, 2, 400), range(2), "crossing")
    eta = kernels.stable_step("decoder", start, X)
    run = network.descend("decoder", start, X, eta=eta, steps=40, seeds=range(2))
    ahead = experiments.decoder_errors(start, X, eta, range(41))
    torch.testing.assert_close(ahead, run.observed["error"])
    each = experiments.decoder_errors(start, X.expand(2, 2, 2), eta, range(41))
    torch.testing.assert_close(each, ahead)
    rate = 0.5
    last = experiments.last_crossing(start, X, eta, rate)
    error = experiments.decoder_errors(start, X, eta, range(last + 20))
    over = error > bounds.descent_bound(eta * rate / 4, range(last + 20), error[0])
    assert bool(over[last:].all())
    assert not bool(over[int(0.8 * last)].all())


def test_truncated_normal_of_wide_networks() -> None:
    check_wide()


def check_wide() -> None:
    reach, m, count = 0.3, 4000, 300
    nets = [orthonormal.wide(1, m, reach, s) for s in range(count)]
    on = np.array([int(net.on.sum()) for net in nets])
    total = np.array([float(net.total.sum()) for net in nets])
    near = np.concatenate([row[0] for net in nets for row in net.near])
    mean = sqrt(2 / pi)  # of |z|; its variance is 1 - 2/π
    assert abs(on.mean() / m - 0.5) < 5 * 0.5 / sqrt(count * m)
    assert abs(total.sum() / on.sum() - mean) < 5 * sqrt((1 - mean**2) / on.sum())
    spread = (total - on * mean).std(ddof=1) / sqrt(m / 2 * (1 - mean**2))
    assert 0.8 < spread < 1.25
    half = stats.norm.cdf(reach) - 0.5
    assert stats.kstest(near[::50], lambda z: (stats.norm.cdf(z) - 0.5) / half).pvalue > 1e-4
