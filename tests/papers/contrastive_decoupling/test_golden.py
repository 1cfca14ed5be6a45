"""Every closed form and measure against values computed another way: quadrature, enumeration,
explicit sums, published laws. `test_breaks` breaks the formulas and asks that these notice."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from scipy import integrate, stats

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import (
    augmentations,
    deep,
    exact,
    experiments,
    gradients,
    measures,
    model,
    photographs,
    theory,
)

DOUBLE = torch.float64


# --- the model ------------------------------------------------------------------------------------


def golden_model_constants():
    log_d = 3.4657359027997265  # of 32
    assert model.code_probability(32) == pytest.approx(math.log(log_d) / 32, rel=1e-12)
    assert model.code_probability(32, 3.0) == pytest.approx(3 * math.log(log_d) / 32, rel=1e-12)
    assert model.noise_variance(32) == pytest.approx(log_d**0.5 / 32, rel=1e-12)
    assert model.noise_variance(32, 2.0) == pytest.approx(2 * log_d**0.5 / 32, rel=1e-12)


def golden_push():
    """One positive, one negative, one neuron, by hand."""
    W, b = torch.tensor([[1.0, 2.0]], dtype=DOUBLE), torch.tensor([0.5], dtype=DOUBLE)
    u, v, n = 1.0, 3.0, 2.0  # ⟨w, x⁺⟩, ⟨w, x⁺⁺⟩, ⟨w, x_n⟩
    x_plus = torch.tensor([[-1.0, 1.0]], dtype=DOUBLE)
    views = (torch.tensor([[u]], dtype=DOUBLE), torch.tensor([[v]], dtype=DOUBLE), x_plus)
    negatives = torch.tensor([[0.0, 1.0]], dtype=DOUBLE)
    pushed, loss = model.push(W, b, views, negatives, tau=2.0)
    f, g, h = u - 0.5, v - 0.5, n - 0.5
    ell = math.exp(f * g / 2) / (math.exp(f * g / 2) + math.exp(f * h / 2))
    assert float(loss) == pytest.approx(-2 * math.log(ell), rel=1e-12)
    expected = ((1 - ell) * g - (1 - ell) * h) * x_plus
    torch.testing.assert_close(pushed, expected)


def golden_printed_schedule():
    start = math.sqrt(2 * math.log(16) / 16)
    one, rule = torch.ones(1), model.printed_schedule(16, t1=2)
    b = rule(torch.zeros(1), one, one, torch.tensor(2), torch.tensor(0.1))
    assert float(b) == pytest.approx(start, rel=1e-6)
    b = rule(b, one, one, torch.tensor(3), torch.tensor(0.1))
    assert float(b) == pytest.approx(start * (1 + 0.1 / 16), rel=1e-6)
    grown = rule(b, one, 1.2 * one, torch.tensor(4), torch.tensor(0.1))
    assert float(grown) == pytest.approx(1.2 * float(b), rel=1e-6)


def golden_ramp():
    recipe = model.Recipe(0.1, 0.1, 0.0, 0.4, 10, 30, 40)
    rule, norm = model.ramp(recipe), torch.tensor([2.0])
    for t, share in ((5, 0.0), (14, 0.25), (19, 0.5), (29, 1.0), (39, 1.0)):
        b = rule(torch.zeros(1), norm, norm, torch.tensor(float(t)), torch.tensor(0.1))
        assert float(b) == pytest.approx(0.4 * share * 2, abs=1e-6)
    jump = model.ramp(model.Recipe(0.1, 0.1, 0.0, 0.4, 10, 10, 40))  # all at once
    for t, share in ((9, 0.0), (10, 1.0)):
        b = jump(torch.zeros(1), norm, norm, torch.tensor(float(t)), torch.tensor(0.1))
        assert float(b) == pytest.approx(0.4 * share * 2, abs=1e-6)


# --- theory ---------------------------------------------------------------------------------------


def golden_pull_error():
    M, p = model.hadamard_dictionary(3, 16).double(), 0.2
    pull = theory.decoupled(theory.covariance(M, p, 0.7))
    g = generator(40, "t")
    W = torch.randn(200, 16, generator=g, dtype=DOUBLE)
    W = W / W.norm(dim=1, keepdim=True)
    dense = torch.linalg.qr(M, mode="complete")[0][:, 3:]
    seen = torch.cat([W @ pull @ M - p * W @ M, W @ pull @ dense], 1).abs()
    worst = theory.worst_pull_error(pull, M, p)
    assert (seen <= worst + 1e-12).all()
    torch.testing.assert_close(worst, torch.full((16,), p * 3 / 16, dtype=DOUBLE))


def golden_decoupled():
    masks = theory.all_masks(6)
    Sigma = theory.covariance(
        torch.linalg.qr(torch.randn(6, 2, generator=generator(1, "t")))[0], 0.3, 0.5
    )
    moment = sum(torch.outer(2 * a, 2 - 2 * a) for a in masks) / 64 * Sigma
    torch.testing.assert_close(theory.decoupled(Sigma), moment)


def golden_covariance():
    M = model.hadamard_dictionary(1, 2)
    Sigma = theory.covariance(M, 0.3, 0.5)
    sign = float(M[0, 0] * M[1, 0]) * 2
    torch.testing.assert_close(
        Sigma,
        torch.tensor([[0.65, 0.15 * sign], [0.15 * sign, 0.65]], dtype=DOUBLE),
        atol=1e-7,
        rtol=0,
    )


def golden_growth_factors():
    """One population step of the linear network, by its second moment."""
    d, d1, p, eta, lam, N = 3, 16, 0.2, 0.5, 0.1, 9
    M = model.hadamard_dictionary(d, d1).double()
    P = p * M @ M.T
    step = torch.eye(d1, dtype=DOUBLE) * (1 - eta * lam) + eta * 0.9 * (
        P - torch.diag(P.diagonal())
    )
    values = torch.linalg.eigvalsh(step)
    keep, lose = theory.growth_factors(d, d1, p, eta, lam, N)
    assert keep == pytest.approx(float(values[-1]), abs=1e-6)
    assert lose == pytest.approx(float(values[0]), abs=1e-6)


def golden_luck():
    c1, c2 = theory.luck(0.01, 0.01)
    assert c1 == pytest.approx(2.0198, rel=1e-12)
    assert c2 == pytest.approx(2.0197, rel=1e-12)
    assert (theory.GAMMA, theory.C0) == (0.01, 0.01)


def golden_share_window():
    for gamma, c0 in ((0.01, 0.01), (0.005, 3.0)):
        x, (c1, c2) = gamma * c0, theory.luck(gamma, c0)
        needs, allows = theory.share_window(gamma, c0)
        assert math.sqrt(c1 * needs / 2) == pytest.approx(1 + x, rel=1e-12)
        assert math.sqrt(c2 * allows / 2) == pytest.approx(1 - x, rel=1e-12)


def golden_log_lucky():
    """By the F law of Z₁² / mean of the other Z², exactly; beyond 10⁶ by the Gaussian tail."""
    for d in (50, 1000, 100_000):
        level = 2.02 * math.log(d) / d
        tail = stats.f.sf(level * (d - 1) / (1 - level), 1, d - 1)
        expected = 1.01 * math.log(d) + math.log(tail)
        assert theory.log_lucky(math.log(d), 2.02)[0] == pytest.approx(expected, abs=1e-6)
    expected = 101 + math.log(2 * stats.norm.sf(math.sqrt(202.0)))
    assert theory.log_lucky(100.0, 2.02)[0] == pytest.approx(expected, abs=1e-6)
    expected = 1.2 * 20 + math.log(2 * stats.norm.sf(math.sqrt(60.0)))
    assert theory.log_lucky(20.0, 3.0, c0=0.2)[0] == pytest.approx(expected, abs=1e-6)
    just_below = theory.log_lucky(math.log(0.9999e6), 2.02)[0]  # still by the Beta law
    level = 2.02 * math.log(0.9999e6) / 0.9999e6
    tail = stats.f.sf(level * 999_899 / (1 - level), 1, 999_899)
    assert just_below == pytest.approx(1.01 * math.log(0.9999e6) + math.log(tail), abs=1e-5)


def golden_normal():
    t = torch.tensor([-1.0, 0.0, 0.7, 2.5], dtype=DOUBLE)
    np.testing.assert_allclose(theory.normal_density(t), stats.norm.pdf(t), rtol=1e-12)
    np.testing.assert_allclose(theory.normal_tail(t), stats.norm.sf(t), rtol=1e-10)


def soft(u, b):
    return math.copysign(max(abs(u) - b, 0.0), u)


def golden_mean_soft_threshold():
    for a, s, b in ((0.4, 0.5, 0.3), (-1.0, 0.3, 0.2), (0.1, 1.0, 0.8)):
        args = {"points": [(b - a) / s, (-b - a) / s], "limit": 200}
        value = integrate.quad(
            lambda z, a=a, s=s, b=b: soft(a + s * z, b) * stats.norm.pdf(z), -12, 12, **args
        )[0]
        tensors = (torch.tensor(x, dtype=DOUBLE) for x in (a, s))
        assert float(theory.mean_soft_threshold(*tensors, b)) == pytest.approx(value, abs=1e-8)


def one_case():
    g = generator(41, "t")
    w, v, Mz = (torch.randn(6, generator=g, dtype=DOUBLE) for _ in range(3))
    keep = torch.tensor([1.0, 0, 1, 1, 0, 0], dtype=DOUBLE)
    return w, v, 0.4 * Mz[None], keep[None]


def golden_gated_noise():
    """By quadrature over the noise itself, of which the mask lets two coordinates through."""
    w, v, mz = (
        torch.tensor(x, dtype=DOUBLE) for x in ([0.8, -0.5, 0.7], [0.3, 0.9, 2], [0.4, 0, 1])
    )
    keep = torch.tensor([[1, 1, 0], [0, 1, 1], [0, 0, 0]], dtype=DOUBLE)
    b, sigma = 0.5, 0.4
    for kept, found in zip(keep, theory.gated_noise(w, v, b, mz[None], keep, sigma), strict=True):
        at = [i for i in range(3) if kept[i]]
        if not at:
            assert float(found) == 0
            continue
        (w1, w2), (v1, v2), (z1, z2) = (t[at].tolist() for t in (w, v, mz))

        def inner(x1, w1=w1, w2=w2, v1=v1, v2=v2, z1=z1, z2=z2):
            ends = sorted(
                (e / 2 - w1 * (z1 + sigma * x1) - w2 * z2) / (w2 * sigma) for e in (b, -b)
            )
            x2 = np.concatenate(
                [np.linspace(*side, 4001) for side in ((-9, ends[0]), (ends[1], 9))]
            )
            x2 = x2.reshape(2, -1)
            heights = 2 * sigma * (v1 * x1 + v2 * x2) * stats.norm.pdf(x1) * stats.norm.pdf(x2)
            return integrate.simpson(heights, x=x2).sum()

        outer = np.linspace(-9, 9, 361)
        value = integrate.trapezoid([inner(x1) for x1 in outer], outer)
        assert abs(value) > 0.01
        assert float(found) == pytest.approx(value, rel=1e-6)


def golden_masked_noise_push():
    """Given the mask, ⟨2Dξ, v⟩ is regressed on ⟨w, 2Dξ⟩; two one-dimensional integrals."""
    (w, v, Mz, keep), b, sigma = one_case(), 0.5, 0.3
    Dw, Ew = (keep * w)[0], ((1 - keep) * w)[0]
    a, a_other = 2 * float(Dw @ Mz[0]), 2 * float(Ew @ Mz[0])
    s, s_other = 2 * sigma * float(Dw.norm()), 2 * sigma * float(Ew.norm())
    points = [(b - a) / s, (-b - a) / s]
    slope = 4 * sigma**2 * float(Dw @ v) / s  # Cov(⟨2Dξ, v⟩, Z) for ⟨w, 2Dξ⟩ = s Z
    gate = integrate.quad(
        lambda z: (abs(a + s * z) >= b) * slope * z * stats.norm.pdf(z),
        -12,
        12,
        points=points,
        limit=200,
    )[0]
    points = [(b - a_other) / s_other, (-b - a_other) / s_other]
    h = integrate.quad(
        lambda z: soft(a_other + s_other * z, b) * stats.norm.pdf(z),
        -12,
        12,
        points=points,
        limit=200,
    )[0]
    found = theory.masked_noise_push(w, v, b, Mz, keep, sigma)
    assert float(found[0]) == pytest.approx(gate * h, rel=1e-6)
    fires = stats.norm.sf((b - a) / s) + stats.norm.cdf((-b - a) / s)
    assert float(theory.masked_firing(w, b, Mz, keep, sigma)[0]) == pytest.approx(fires, rel=1e-9)


def golden_plain_noise_push():
    (w, v, Mz, _), b, sigma = one_case(), 0.5, 0.3
    a, s = float(w @ Mz[0]), sigma * float(w.norm())
    slope = sigma**2 * float(w @ v) / s
    value = integrate.quad(
        lambda z: soft(a + s * z, b) * slope * z * stats.norm.pdf(z),
        -12, 12, points=[(b - a) / s, (-b - a) / s], limit=200,
    )[0]  # fmt: skip
    assert float(theory.plain_noise_push(w, v, b, Mz, sigma)[0]) == pytest.approx(value, rel=1e-6)


def golden_wide_push():
    """Both sides of the limit of Lemma D.3 (b) by quadrature over the two views and over S, S̄."""
    for alpha, b, sigma in ((0.8, 0.4, 0.25), (0.5, 0.3, 0.6)):
        expected = wide_push_by_quadrature(alpha, b, sigma)
        found = theory.wide_push(torch.tensor([alpha], dtype=DOUBLE), b, sigma)[:, 0]
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def wide_push_by_quadrature(alpha, b, sigma):
    sd, normal = math.sqrt(2) * sigma, stats.norm
    edges = [(b - alpha) / sd, (-b - alpha) / sd]
    h = integrate.quad(
        lambda z: soft(alpha + sd * z, b) * normal.pdf(z), -12, 12, points=edges, limit=200
    )[0]
    fires = normal.sf(edges[0]) + normal.cdf(edges[1])
    fires_x = normal.sf((b - alpha) / sigma) + normal.cdf((-b - alpha) / sigma)
    q = normal.sf(edges[0]) ** 2 + normal.cdf(edges[1]) ** 2
    t = (alpha - b) / 2
    a3 = integrate.quad(lambda s: 2 * s**2 * normal.pdf(s, scale=sigma), t, 12 * sigma)[0]
    a4 = sigma**2 * normal.sf(t / sigma)  # S and S̄ are independent, of variance σ²
    L3, L4 = math.sqrt((a3 + a4) / sigma**2), 2 * normal.sf(t / sigma)
    return [
        abs(h * fires - alpha * fires_x),
        abs(h * fires - (alpha - b) * q),
        alpha * (L3 + L4),
        (alpha - b) * q,
    ]


def golden_linear_bound():
    """R² of the best linear map of x, from the covariance of x and of y = ⟨w*, z⟩."""
    M, p, sigma2 = model.hadamard_dictionary(3, 8).double(), 0.2, 0.6
    w = torch.tensor([1.0, -0.5, 2.0], dtype=DOUBLE)
    cross = p * M @ w
    explained = cross @ torch.linalg.solve(theory.covariance(M, p, sigma2), cross)
    assert float(explained / (p * w @ w)) == pytest.approx(theory.linear_bound(p, sigma2), abs=1e-6)


def golden_arcsine():
    """Sheppard: two Gaussians of correlation r have one sign with probability ½ + arcsin(r)/π."""
    for r2 in (0.1, 0.5, 0.9):
        r = math.sqrt(r2)
        both = stats.multivariate_normal([0, 0], [[1, r], [r, 1]]).cdf([0, 0])
        assert theory.arcsine_accuracy(r2) == pytest.approx(2 * both, abs=1e-4)


def golden_loss_floor():
    """All codes of two atoms against all pairs of negatives, listed."""
    p, codes = 0.3, [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]

    def chance(z):
        return math.prod(p / 2 if a else 1 - p for a in z)

    def alike(z, other):
        return all(a == 0 or a == c for a, c in zip(z, other, strict=True))

    total = sum(
        chance(z) * chance(n) * chance(k) * math.log(1 + alike(z, n) + alike(z, k))
        for z in codes for n in codes for k in codes
    )  # fmt: skip
    assert theory.loss_floor(2, p, 2) == pytest.approx(total, rel=1e-9)
    deep_code = stats.binom.pmf(np.arange(41), 40, 0.3)  # beyond twelve atoms nothing is counted
    q = (0.15) ** np.arange(41)
    ones = deep_code[:13] @ (q[:13] * math.log(2))
    assert theory.loss_floor(40, 0.3, 1) == pytest.approx(ones, rel=1e-9)


def golden_no_atom():
    for d, C_z in ((64, 1.0), (1000, 2.0)):
        p = C_z * math.log(math.log(d)) / d
        value = float(theory.no_atom(math.log(d), C_z)[()])
        assert value == pytest.approx((1 - p) ** d, rel=1e-9)
    assert float(theory.no_atom(29.9, 2.0)[()]) == pytest.approx(29.9**-2.0, rel=1e-6)
    assert float(theory.no_atom(200.0, 2.0)[()]) == pytest.approx(200.0**-2.0, rel=1e-12)


def golden_losses_without_atoms():
    for d in (20, 100):
        p = math.log(math.log(d)) / d
        empty = (1 - p) ** d
        found = float(theory.empty_code_loss(math.log(d), 1.0)[()])
        assert found == pytest.approx(empty * math.log(1 + d**2), rel=1e-9)
        found = float(theory.any_weights_bound(math.log(d), 1.0)[()])
        assert found == pytest.approx(0.5 * empty * math.log((1 + d**2) / 2), rel=1e-9)


def golden_psi():
    """Step 1 of the price of decay is attained where all gaps are equal: q = N e^-u."""
    for u, N in ((1.0, 5), (4.0, 30)):
        q = N * math.exp(-u)
        y = q / (1 + q)
        assert float(theory.psi(y, N)) == pytest.approx(y * u, rel=1e-12)
        smaller, larger = theory.held_up(torch.full((N,), u, dtype=DOUBLE))
        assert float(smaller) == pytest.approx(y * u, rel=1e-9)
        assert float(larger) == pytest.approx(y * u, rel=1e-9)
    gaps = torch.tensor([0.3, 2.0, -1.0], dtype=DOUBLE)
    weights = torch.exp(-gaps) / (1 + torch.exp(-gaps).sum())
    assert float(theory.held_up(gaps)[0]) == pytest.approx(float(weights @ gaps), rel=1e-12)


def golden_psi_rises():
    """ψ increases up to 1 - 1/e if N is at least 27, not at 26."""
    top, step = 1 - math.exp(-1), 1e-6
    assert theory.psi(top, 27) > theory.psi(top - step, 27)
    assert theory.psi(top, 26) < theory.psi(top - step, 26)


def golden_balance():
    """Against autograd: ⟨W, -∇L⟩ of the loss, and the loss itself."""
    g = generator(42, "t")
    W = torch.randn(4, 6, generator=g, dtype=DOUBLE).requires_grad_()
    x, x_n = (torch.randn(n, 6, generator=g, dtype=DOUBLE) for n in (9, 3))
    loss = model.contrastive_loss(x @ W.T, x @ W.T, x_n @ W.T, tau=1.0)
    (gradient,) = torch.autograd.grad(loss, W)
    found = theory.balance((x @ W.T).detach(), (x_n @ W.T).detach())
    assert found["growth"] == pytest.approx(-float((W.detach() * gradient).sum()), rel=1e-9)
    assert found["loss"] == pytest.approx(loss.item(), rel=1e-9)
    ell = model.softmax_weights(*(a.detach() @ W.detach().T for a in (x, x, x_n)), tau=1.0)
    assert found["missing"] == pytest.approx(float(1 - ell[:, 0].mean()), rel=1e-9)


# --- exact arithmetic -----------------------------------------------------------------------------


def golden_exact_bounds():
    log_size = 3 * math.log(10)
    for C_z, C_sigma in ((1.0, 1.0), (2.0, 0.5)):
        share = 1 / (C_sigma * log_size**0.5 + C_z * math.log(log_size))
        found = float(exact.decay_price([3], C_z, C_sigma)[0])
        assert found == pytest.approx(log_size * share, rel=1e-9)
        any_weights = float(theory.any_weights_bound(log_size, C_z)[()])
        assert float(exact.any_weights_loss([3], C_z)[0]) == pytest.approx(any_weights, rel=1e-9)
        heard = 1 - float(theory.no_atom(log_size, C_z)[()])
        assert float(exact.accuracy_of_the_better([3], C_z)[0]) == pytest.approx(
            heard / 2, rel=1e-9
        )
    assert float(exact.decay_price([1], 0.01, 0.01)[0]) == pytest.approx(math.log(10), rel=1e-9)


def golden_exact_shares():
    needs, allows = exact.share_bounds((1, 50), (10, 2000))
    window = [theory.share_window(g / 1e4, c / 1e3) for g in (1, 50) for c in (10, 2000)]
    np.testing.assert_allclose([float(a) for a in needs], [w[0] for w in window], rtol=1e-12)
    np.testing.assert_allclose([float(a) for a in allows], [w[1] for w in window], rtol=1e-12)


def golden_biased_pull():
    left, printed = exact.biased_pull([Fraction(1, 2), Fraction(2)])
    for b, pulled, wrong in zip((0.5, 2.0), left, printed, strict=True):
        value = integrate.quad(lambda u, b=b: 2 * (u - b) * u * stats.norm.pdf(u), b, 12)[0]
        assert float(pulled) == pytest.approx(value, rel=1e-8)
        value = integrate.quad(lambda u: 2 * u * u * stats.norm.pdf(u), b, 12)[0]
        assert float(wrong) == pytest.approx(value, rel=1e-8)


# --- gradients ------------------------------------------------------------------------------------


def golden_push_on_atom():
    """Every event of Lemma D.3 from its definition, with x less the atom written out."""
    world = model.sparse_coding(8, 64)
    g, n, b = generator(43, "t"), 3000, 0.35
    M, z_j = world.M.double(), 1 - 2 * torch.randint(0, 2, (n,), generator=g)
    _, z, noise = model.sample(g, world, n)
    z[:, 0] = z_j
    x, signs = z.double() @ M.T + noise, model.random_mask(g, n, 64).double()
    w = 0.7 * M[:, 0] + 0.09 * torch.randn(64, generator=g, dtype=DOUBLE)
    found = gradients.push_on_atom(w, b, M[:, 0], (x, z_j.double(), signs), world.sigma)
    rest = x - torch.outer(z_j.double(), M[:, 0])
    alpha, alpha_bar = float(w @ M[:, 0]), (-signs * M[:, 0]) @ w
    S, S_bar = z_j * (rest @ w), z_j * ((-signs * rest) @ w)
    events = {
        1: b - alpha <= S,
        2: b - alpha_bar <= S_bar,
        3: (S_bar + alpha_bar).abs() >= (alpha - b) / 2,
        4: (alpha - b) / 2 <= S,
    }
    assert all(0.02 < float(e.double().mean()) < 0.98 for e in events.values())
    noise2 = world.sigma**2 * float(w @ w)

    def root(i, k):
        return math.sqrt(float((S_bar**2 * (events[i].double() + events[k])).mean()) / noise2)

    plus, other = (x * (1 + signs)) @ w, (x * (1 - signs)) @ w
    both = (plus.abs() >= b) & (other.abs() >= b) & (plus * other > 0)
    left = torch.sign(other) * (other.abs() - b).clamp_min(0) * (plus.abs() >= b) * z_j
    expected = {
        "alpha": alpha,
        "q": float(both.double().mean()),
        "left": float(left.mean()),
        "spread": float(alpha_bar.square().mean().sqrt()),
        "L1": root(1, 2),
        "L2": float(events[1].double().mean()),
        "L3": root(3, 4),
        "L4": float(events[3].double().mean()),
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-5, abs=1e-9), name


def golden_bias_push():
    """Against the finite difference of the loss in a common factor of all biases."""
    world, N, beta, seed = model.sparse_coding(8, 64), 6, 0.3, 3
    W = 0.6 * torch.randn(5, 64, generator=generator(44, "t"))
    g = generator(seed, "footnote 4")
    x, x_n = (model.sample(g, world, n)[0].double() for n in (4000, N))
    Wd, norm = W.double(), W.double().norm(dim=1)

    def loss(beta):
        f, f_n = (model.features(Wd, beta * norm, a) for a in (x, x_n))
        return float(model.contrastive_loss(f, f, f_n, tau=1.0))

    def loss_of_first_view(step):
        f = model.features(Wd, (beta + step) * norm, x)
        other, f_n = (model.features(Wd, beta * norm, a) for a in (x, x_n))
        return float(model.contrastive_loss(f, other, f_n, tau=1.0))

    assert loss(beta) == pytest.approx(loss_of_first_view(0.0), rel=1e-12)
    slope = (loss_of_first_view(1e-4) - loss_of_first_view(-1e-4)) / 2e-4  # Σ_i ‖w_i‖ ∂L/∂b_i
    equal = W / W.norm(dim=1, keepdim=True)  # norms 1: the mean over neurons is slope / m
    Wd, norm = equal.double(), torch.ones(5, dtype=DOUBLE)
    slope = (loss_of_first_view(1e-4) - loss_of_first_view(-1e-4)) / 2e-4
    found = gradients.bias_push(equal, world, False, beta, N, seed)
    assert found == pytest.approx(-slope / 5 / world.p, rel=1e-3)


def golden_singleton_pushes():
    """At a large weight with few negatives alike the push is small; Ψ is most of it at a small."""
    world = model.sparse_coding(8, 64)
    batch = gradients.draw(generator(5, "E5"), world, 4000, 16)
    size = math.sqrt(0.6 / 3)
    W, b = size * world.M.T.repeat(3, 1), torch.full((24,), 0.4 * size)
    pushed, _ = model.push(W, b, model.masked_views(W, (batch.x, batch.signs)), batch.x_n, tau=1.0)
    psi, whole = gradients.singleton_pushes(world, 5, 0.6, 16)
    assert whole == pytest.approx(float((pushed * W).sum(1).mean()) / size**2, rel=1e-4)
    part = gradients.gradient_parts(W, b, torch.arange(24) % 8, batch)
    assert psi == pytest.approx(float(part["psi"].mean()) / size, rel=1e-4)


# --- measures -------------------------------------------------------------------------------------


def tiny_probe():
    g = generator(45, "t")
    M = torch.linalg.qr(torch.randn(6, 2, generator=g))[0]
    z = torch.tensor([[1.0, 0], [0, -1], [1, 1], [0, 0], [-1, 0]])
    noise = 0.3 * torch.randn(5, 6, generator=g)
    return M, measures.Probe(z @ M.T + noise, noise, z, torch.tensor([1.0, 2.0]), 1)


def golden_cosine_to_noise():
    """By hand over the test rows, for a linear network and for one whose bias silences rows."""
    probe = tiny_probe()[1]
    W = torch.randn(3, 6, generator=generator(46, "t"))
    for bias in (0.0, 0.25):
        b, cosines = torch.full((3,), bias), []
        for x, xi in zip(probe.x[1:], probe.noise[1:], strict=True):
            f, h = ([soft(float(w @ a), bias) for w in W] for a in (x, xi))
            norms = math.hypot(*f) * math.hypot(*h)
            if norms > 0:
                cosines.append(sum(p * q for p, q in zip(f, h, strict=True)) / norms)
        assert len(cosines) > 1
        found = measures.cosine_to_noise(W, b, probe)
        assert found == pytest.approx(float(np.mean(cosines)), abs=1e-5)
    quiet = measures.Probe(probe.x, probe.x, probe.z, probe.signal, 1)
    assert measures.cosine_to_noise(W, torch.zeros(3), quiet) == pytest.approx(1, abs=1e-5)


def golden_shares():
    M = torch.eye(4)[:, :2]
    W = torch.tensor([[3.0, 0, 4, 0], [1, 1, 1, 1], [2, 0.5, 0, 0]])
    assert measures.shares(W, M).tolist() == pytest.approx([9 / 25, 0.5, 1.0])
    assert float(measures.total_share(W, M)) == pytest.approx(15.25 / 33.25)
    assert measures.coherences(W, M).tolist() == pytest.approx([9 / 25, 0.25, 4 / 4.25])
    assert int(measures.covered(W, M)) == 1
    just = torch.tensor([[0.0, 1.0, 0.98, 0.0], [1.0, 0, 0, 1.02]])
    assert int(measures.covered(just, M)) == 1  # more than half of the norm, not less


def golden_likeness():
    W = torch.tensor([[1.0, 0], [3.0, 4.0]])
    others = torch.tensor([[0.0, -2.0], [5.0, 5.0]])
    assert measures.likeness(W, others) == pytest.approx((0.5**0.5 + 7 / 5 / 2**0.5) / 2, abs=1e-6)


def golden_plain_loss():
    probe = tiny_probe()[1]
    W = torch.randn(3, 6, generator=generator(46, "t"))
    f, f_n = probe.x[:3] @ W.T, probe.x[3:5] @ W.T
    total = 0.0
    for a in f:
        e = [math.exp(float(a @ a)), *(math.exp(float(a @ n)) for n in f_n)]
        total -= math.log(e[0] / sum(e)) / 3
    assert measures.plain_loss(W, probe, 3, 2) == pytest.approx(total, rel=1e-4)


# --- supervision, images --------------------------------------------------------------------------


def golden_supervised_step():
    """Against autograd on the half squared error with decay."""
    g = generator(47, "t")
    recipe = model.Recipe(0.3, 0.7, 0.05, 0.4, 2, 4, 8)
    W, A = (
        torch.randn(3, 6, generator=g, dtype=DOUBLE),
        torch.randn(2, 3, generator=g, dtype=DOUBLE),
    )
    x, y = (
        torch.randn(7, 6, generator=g, dtype=DOUBLE),
        torch.randn(7, 2, generator=g, dtype=DOUBLE),
    )
    b = torch.full((3,), 0.4, dtype=DOUBLE)
    for t, eta in ((1.0, 0.3), (5.0, 0.7)):
        params = {"W": W, "A": A, "b": b, "t": torch.tensor([t], dtype=DOUBLE)}
        Wg, Ag = W.clone().requires_grad_(), A.clone().requires_grad_()
        loss = ((model.soft_threshold(x @ Wg.T, b) @ Ag.T - y) ** 2).sum(1).mean() / 2
        decay = 0.05 / 2 * (Wg.square().sum() + Ag.square().sum())
        slopes = torch.autograd.grad(loss + decay, (Wg, Ag))
        steps, value = experiments.supervised_back(params, (x, y), recipe)
        torch.testing.assert_close(steps["W"], eta * slopes[0])
        torch.testing.assert_close(steps["A"], eta * slopes[1])
        assert float(value) == pytest.approx(float(loss), rel=1e-12)


def golden_kurtosis():
    """Of responses ±1 it is -2; of ±1 once in ten and else 0 it is 10 - 3."""
    patches = torch.zeros(20, 2)
    patches[:, 0] = torch.tensor([1.0, -1.0]).repeat(10)
    patches[0, 1], patches[1, 1] = 1.0, -1.0
    found = photographs.excess_kurtosis(torch.eye(2), patches)
    assert found.tolist() == pytest.approx([-2.0, 7.0])


def golden_density():
    r = torch.tensor([[1.0, 2.0], [3.0, 0.0], [5.0, 0.0]])
    assert deep.lifetime_density(r).tolist() == pytest.approx([27 / 35, 1 / 3])
    a = r[:, :, None, None].expand(3, 2, 2, 2).clone()
    a[0, 0] = torch.tensor([[2.0, 0.0], [2.0, 0.0]])
    found = deep.firing(a)
    assert found["density"] == pytest.approx((27 / 35 + 1 / 3) / 2)
    assert found["active"] == pytest.approx(14 / 24)
    assert found["above 1/5"] == pytest.approx(3 / 6)  # 1 of 5 is not more than a fifth


def golden_colour():
    image = torch.tensor([0.2, 0.5, 0.9])[None, :, None, None].expand(1, 3, 2, 2)
    assert float(augmentations.saturation(image)) == pytest.approx(0.7)
    expected = [0.3 * 0.2 + 0.59 * 0.5 + 0.11 * 0.9, -0.3, 0.9 - 0.35]
    assert augmentations.mean_colour(image)[0].tolist() == pytest.approx(expected, abs=1e-6)


GOLDEN = [value for name, value in list(globals().items()) if name.startswith("golden_")]


@pytest.mark.parametrize("check", GOLDEN, ids=lambda f: f.__name__)
def test_golden_value(check):
    check()
