"""Exact probabilities against counts, closed forms against what they describe."""

import math
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from featurebook import core
from featurebook.papers.cone_sets import theory as cs
from featurebook.papers.cone_sets.cones import Cone
from featurebook.papers.cone_sets.data import PatchData
from featurebook.papers.cone_sets.network import draw_kernels, error, gradient, loss, reconstruct
from featurebook.verdicts import clopper_pearson


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


@st.composite
def sizes(draw):
    d = draw(st.integers(2, 12))
    P = draw(st.integers(1, d))
    return d, P, draw(st.integers(1, P))


def covers(successes, trials, p):
    """Whether a count agrees with a probability; wrong by chance once in 10^5."""
    low, high = clopper_pearson(int(successes), trials, 1 - 1e-5)
    return low <= p <= high


def test_the_interval_of_these_tests_can_miss():
    assert covers(500, 1000, 0.5)
    assert not covers(500, 1000, 0.6)


@pytest.mark.parametrize(("d", "x"), [(2, 0.6), (3, 0.25), (8, 0.5), (24, 0.3), (5, 0.0)])
def test_sphere_tail(d, x):
    trials = 40_000
    u = torch.randn(trials, d, generator=core.generator(0, "sphere", d))
    hits = (u[:, 0] / u.norm(dim=1) > x).sum()
    assert covers(hits, trials, float(cs.sphere_tail(d, x)))


def test_sphere_tail_in_closed_form():
    x = np.linspace(0, 1, 7)
    np.testing.assert_allclose(cs.sphere_tail(2, x), np.arccos(x) / np.pi, atol=1e-12)
    np.testing.assert_allclose(cs.sphere_tail(3, x), (1 - x) / 2, atol=1e-12)  # Archimedes


@pytest.mark.parametrize(("d", "height", "f_r"), [(2, 0.5, 0.3), (4, 1.0, 0.8), (6, 1.2, 1.2)])
def test_cone_probability(d, height, f_r):
    # the cone of (the definition's) height c1 f_h and radius f_r at t = 1
    f_h = 2 * height
    cone = Cone(d=d, f_h=f_h, c1=0.5, sigma0=0.01, radius=f_r / f_h, sharpening=0.0)
    trials = 40_000
    w = draw_kernels(trials, d, 0.01, core.generator(1, "cones", d))["w"]
    hits = cone.members(w, 1)[:, -1].sum()
    assert covers(hits, trials, float(cs.cone_probability(d, height, f_r)))


@pytest.mark.parametrize("f_h", [4.0, 5.0, 6.5])
def test_norm_tail(f_h):
    w = draw_kernels(40_000, 24, 0.02, core.generator(2, "norms"))["w"]
    hits = (w.norm(dim=1) > 0.02 * f_h).sum()
    assert covers(hits, 40_000, float(cs.norm_tail(24, f_h)))


def test_gaussian_tail_bounds_hold_at_the_right_rate_only():
    x = np.linspace(0.2, 5, 50)
    exact = stats.norm.sf(x)
    low, high = cs.gaussian_tail_bounds(x, 0.5)
    assert (low <= exact).all()
    assert (exact <= high).all()
    assert (exact[x > 1] > cs.gaussian_tail_bounds(x, 1.0)[1][x > 1]).all()


@given(st.integers(2, 60), st.floats(0.3, 4.0), st.floats(0.1, 1.0))
def test_corrected_bounds_of_a_cone_hold_the_exact_probability(d, height, share):
    f_r = share * height
    low, high = cs.cone_bounds_corrected(d, height, f_r)
    exact = cs.cone_probability(d, height, f_r)
    assert low <= exact * (1 + 1e-12)
    assert exact <= high * (1 + 1e-12)


def test_printed_bounds_are_the_formulas_with_the_paper_rate():
    def tail(x):
        density = math.exp(-x * x) / math.sqrt(2 * math.pi)
        return x / (x * x + 1) * density, density / x

    (low_h, high_h), (low_r, high_r) = tail(2.0), tail(1.5)
    p1, p2 = cs.cone_bounds_printed(28, 2.0, 1.5)
    assert p1 == pytest.approx(low_h * (1 - high_r) ** 27)
    assert p2 == pytest.approx(high_h * (1 - low_r) ** 27)


@pytest.mark.parametrize(("C", "p"), [(28, 0.02), (200, 0.3)])
def test_tails_of_a_count_bound_the_binomial(C, p):
    lam = np.arange(1, int(C * p) + 5)
    assert (stats.binom.sf(np.ceil(C * p + lam) - 1, C, p) <= cs.upper_tail(C, p, lam)).all()
    assert (stats.binom.cdf(np.floor(C * p - lam), C, p) <= cs.lower_tail(C, p, lam)).all()


def test_the_corrected_norm_bound_holds_and_the_printed_one_is_another():
    d = 24
    f_h = np.linspace(d**0.5 + 0.01, (2 * d) ** 0.5 - 0.01, 40)
    assert (cs.norm_tail(d, f_h) <= cs.p0_corrected(d, f_h)).all()
    # as printed, without the square, it is far below the truth there
    assert cs.p0_printed(d, 5.0) == pytest.approx(2 * math.exp(-(19**2) / 192))


def test_filtering_of_random_patches():
    assert cs.filtering_level(101, 0.5) == pytest.approx(1.0)
    assert cs.filtering_level(101, 0.1) == pytest.approx(1.0)
    assert cs.filtering_failure(0.5) == pytest.approx(math.exp(-2))


@pytest.mark.parametrize(("d", "P", "n"), [(6, 4, 2), (9, 9, 1), (8, 3, 1), (24, 20, 2)])
def test_gaps_of_a_perfect_dictionary(d, P, n):
    data = PatchData(d, P, eps=0.0, n_normal=n)
    params, trials = {"w": torch.eye(d)}, 4000
    assert error(params, data.draw(50, seeded()), 1e-9).item() == 0
    for kind, gap in zip(
        ("semantic", "non_semantic"), cs.perfect_dictionary_gaps(data), strict=True
    ):
        images = getattr(data, kind)(trials, 1, core.generator(3, kind, d))
        off = (reconstruct(params["w"], images, 1e-9) - images).square().mean((1, 2))
        deviation = off.std().item() / trials**0.5
        assert abs(off.mean().item() - gap) < 5 * deviation + 1e-7 * gap
        assert deviation < 0.1 * gap  # so that the line above says something


@given(sizes(), st.integers(1, 12), st.integers(0, 1000))
def test_single_feature_optimum(size, C, seed):
    d, P, n = size
    C = min(C, d)
    assume(n < d)
    data = PatchData(d, P, eps=0.0, n_normal=n)
    best = cs.single_feature_optimum(data, C)
    # kernels on the first C features, the normal ones first: the energy missed is exact
    missed = data.beta[C:].sum().item() / (P * d)
    assert best == pytest.approx(missed, abs=1e-6)
    images = data.draw(10, seeded(seed))
    off = (reconstruct(torch.eye(d)[:C], images, 1e-9) - images).square().mean((1, 2))
    lost = (images.argmax(-1) >= C).float().sum(1) / (P * d)
    torch.testing.assert_close(off, lost)


@pytest.mark.parametrize(
    ("beta", "decay", "dead"), [(1.0, 0.4, False), (0.5, 0.4, False), (0.5, 2.5, True)]
)
def test_weight_decay_leaves_a_kernel_at_its_norm(beta, decay, dead):
    # one kernel, alone: half of the images have its feature, or all
    images = torch.eye(2, dtype=torch.float64)[torch.tensor([[0], [0 if beta == 1 else 1]])]
    w = torch.tensor([[[0.5, 0.0]]], dtype=torch.float64)
    run = core.train(
        partial(loss, c0=1e-12), {"w": w}, images, steps=180, seeds=[0], data_dim=None,
        optimizer=partial(torch.optim.SGD, lr=0.2, weight_decay=decay),
        gradient=partial(gradient, c0=1e-12),
    )  # fmt: skip
    expected = cs.decayed_norm(beta, decay, 1.0)
    assert (expected == 0) == dead
    # linear convergence: 180 steps at rate 0.2 · (0.5 at least, and more) leave less than 1e-7
    assert run.params["w"].norm().item() == pytest.approx(expected, abs=1e-7)


def test_decay_scales_with_the_entries_of_the_mean():
    assert cs.decayed_norm(1.0, 0.001, 480) == pytest.approx(cs.decayed_norm(1.0, 0.48, 1))
    assert cs.decayed_norm(0.5, 0.001, 4000) == 0


def test_the_best_theta_makes_the_level_of_theorem_3_lowest():
    for d in (6, 24, 1000):
        best = float(cs.best_theta(d))
        assert 2 * best == pytest.approx(1 / (best * (d - 1) ** 0.5))
        around = cs.filtering_level(d, best * np.linspace(0.5, 2, 301))
        assert cs.filtering_level(d, best) <= around.min() + 1e-12
