"""The paper's formulas against autograd, closed forms against Monte Carlo, counts against sizes."""

import math
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from featurebook import core
from featurebook.chapters import cone_sets as cs
from featurebook.verdicts import clopper_pearson


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


@st.composite
def sizes(draw):
    d = draw(st.integers(2, 12))
    P = draw(st.integers(1, d))
    return d, P, draw(st.integers(1, P))


# the data


@given(sizes(), st.integers(0, 1000))
def test_the_features_of_an_image_differ_and_the_normal_ones_are_there(size, seed):
    d, P, n = size
    found = cs.PatchData(d, P, 0.01, n).draw_features(20, seeded(seed))
    assert found.shape == (20, P)
    for image in found.tolist():
        assert len(set(image)) == P
        assert set(range(n)) <= set(image) <= set(range(d))


@given(sizes())
def test_the_probabilities_sum_to_the_patches(size):
    d, P, n = size
    beta = cs.PatchData(d, P, 0.01, n).beta
    assert beta.sum().item() == pytest.approx(P, rel=1e-6)  # single precision
    assert ((beta >= 0) & (beta <= 1 + 1e-6)).all()


def test_every_feature_is_as_frequent_as_its_probability():
    data, draws = cs.PatchData(9, 5, n_normal=2), 20_000
    features = data.draw_features(draws, core.generator(0, "frequencies"))
    counts = features.flatten().bincount(minlength=9)
    assert counts[:2].tolist() == [draws, draws]
    for count in counts[2:].tolist():
        low, high = clopper_pearson(count, draws, 1 - 1e-4)
        assert low <= 3 / 7 <= high
    places = (features == 0).float().mean(0)  # a feature may stand in any patch
    assert (places - 1 / 5).abs().max() < 5 * (0.16 / draws) ** 0.5


def test_noise_has_the_norm_it_is_said_to_have():
    data = cs.PatchData(50, 10, eps=0.3)
    features = torch.zeros(4000, 1, dtype=torch.int64)
    noise = data.noisy(features, seeded()) - torch.nn.functional.one_hot(features, 50)
    # ‖ρ‖² = ε²/d χ²_d; the mean of 4000 of them has relative deviation sqrt(2/50/4000) = 0.3 %
    assert noise.square().sum(-1).mean().item() == pytest.approx(0.09, rel=0.016)
    assert torch.equal(
        cs.PatchData(50, 10, eps=0.0).noisy(features, seeded()),
        torch.nn.functional.one_hot(features, 50).float(),
    )


@pytest.mark.parametrize("replaced", [1, 3, 6])
def test_anomalies_replace_as_many_patches_as_they_say(replaced):
    data = cs.PatchData(8, 6, eps=0.0, n_normal=2)
    for kind in (data.semantic, data.non_semantic):
        images = kind(300, replaced, seeded(1))
        assert images.shape == (300, 6, 8)
        torch.testing.assert_close(images.norm(dim=-1), torch.ones(300, 6))
    whole = (data.non_semantic(300, replaced, seeded(1)) == 1).any(-1).sum(-1)
    assert (whole == 6 - replaced).all()
    features = data.semantic(300, replaced, seeded(1)).argmax(-1)
    # a replacement has an auxiliary feature, so only original patches have normal ones
    assert ((features < 2).sum(-1) <= 2).all()
    if replaced == 6:
        assert (features >= 2).all()
        assert features.unique().tolist() == [2, 3, 4, 5, 6, 7]


def test_drawing_with_replacement_repeats_features():
    data = cs.PatchData(20, 10, eps=0.0)
    features = cs.draw_with_replacement(data, 200, seeded()).argmax(-1)
    different = np.array([len(set(image)) for image in features.tolist()])
    # 10 draws from 10 miss (1 - 1/10)^10 of them: 6.51 different ones, deviation 0.95 each
    assert abs(different.mean() - 10 * (1 - 0.9**10)) < 5 * 0.95 / 200**0.5


@pytest.mark.parametrize(
    ("d", "P", "eps", "n"), [(4, 5, 0.0, 1), (4, 3, 0.0, 4), (4, 3, 0.0, 0), (4, 3, -0.1, 1)]
)
def test_images_that_cannot_be_are_refused(d, P, eps, n):
    with pytest.raises(ValueError, match=r"n_normal = |eps = "):
        cs.PatchData(d, P, eps, n)


def test_replaced_patches_round_down():
    assert [cs.replaced_patches(P, 0.1) for P in (20, 29, 30)] == [4, 4, 5]


# the network


def test_the_activation_by_pieces():
    u = torch.tensor([-1.0, 0.0, 0.2, 0.4, 0.41, 3.0])
    torch.testing.assert_close(cs.sigma(u, 0.4), torch.tensor([0.0, 0.0, 0.05, 0.2, 0.41, 3.0]))
    torch.testing.assert_close(cs.sigma_prime(u, 0.4), torch.tensor([0.0, 0.0, 0.5, 1.0, 1.0, 1.0]))


def by_loops(w, images, c0):
    """(4), (5) and (7), kernel by kernel."""
    total = 0.0
    for z in images:
        image = np.zeros_like(z)
        for kernel in w:
            u = z @ kernel
            p = int(u.argmax())
            s = u[p] if u[p] > c0 else max(u[p], 0.0) ** 2 / (2 * c0)
            image[p] += s * kernel
        total += ((image - z) ** 2).sum()
    return total / len(images)


# c0 decides the piece of the activation that excitations meet: linear, both, quadratic
THRESHOLDS = st.sampled_from([1e-9, 0.01, 0.3, 50.0])


@given(sizes(), st.integers(1, 9), st.integers(1, 6), THRESHOLDS, st.integers(0, 10**6))
def test_the_gradient_of_proposition_3_1_is_that_of_autograd(size, C, N, c0, seed):
    d, P, n = size
    g = seeded(seed)
    images = cs.PatchData(d, P, 0.1, n).draw(N, g).double()
    w = torch.randn(C, d, generator=g, dtype=torch.float64)
    by_autograd, value = torch.func.grad_and_value(cs.loss)({"w": w}, images, c0)
    by_hand, same = cs.gradient({"w": w}, images, c0)
    # double precision; relative to the size of the terms that cancel
    scale = 1 + by_autograd["w"].abs().max().item()
    torch.testing.assert_close(by_hand["w"], by_autograd["w"], rtol=0, atol=1e-11 * scale)
    assert same.item() == pytest.approx(value.item(), rel=1e-10, abs=1e-10)
    assert value.item() == pytest.approx(by_loops(w.numpy(), images.numpy(), c0), rel=1e-10)
    assert cs.error({"w": w}, images, c0).item() == pytest.approx(value.item() / (P * d))


def test_the_gradient_works_in_an_ensemble():
    data = cs.PatchData(6, 4)
    seeds = [4, 1]
    params = core.replicate(partial(cs.draw_kernels, 5, 6, 0.5), seeds, "init")
    images = core.replicate(partial(data.draw, 7), seeds, "data")
    together, values = core.per_network(partial(cs.gradient, c0=0.01), 0, 0)(params, images)
    for k in range(2):
        alone, value = cs.gradient({"w": params["w"][k]}, images[k], 0.01)
        torch.testing.assert_close(together["w"][k], alone["w"])
        torch.testing.assert_close(values[k], value)


def two_replicas(d, P, C, N, dtype=torch.float64):
    g = seeded(5)
    images = torch.stack([cs.PatchData(d, P, 0.1, 1).draw(N, g) for _ in range(2)]).to(dtype)
    return {"w": torch.randn(2, C, d, generator=g).to(dtype)}, images


@pytest.mark.parametrize("size", [1, 300, 2000, 10**9])
def test_the_gradient_in_parts_is_that_of_the_whole(monkeypatch, size):
    params, images = two_replicas(6, 4, 5, 7)
    expected, value = torch.func.vmap(torch.func.grad_and_value(partial(cs.loss, c0=0.3)))(
        params, images
    )
    monkeypatch.setattr(cs, "PART_BYTES", size)
    found, same = cs.gradient(params, images, 0.3)
    torch.testing.assert_close(found["w"], expected["w"], rtol=0, atol=1e-12)
    torch.testing.assert_close(same, value)


@pytest.mark.parametrize(("d", "P", "C", "N"), [(6, 4, 5, 7), (5, 1, 3, 512), (9, 9, 12, 3)])
def test_the_compiled_gradient_is_that_of_autograd(d, P, C, N):
    # as for the compiler, then run by torch: needs no C++ compiler
    torch.compiler.reset()
    params, images = two_replicas(d, P, C, N)
    plain = partial(cs.loss, c0=0.3)
    expected, value = torch.func.vmap(torch.func.grad_and_value(plain))(params, images)
    compiled = torch.compile(partial(cs.gradient, c0=0.3), backend="aot_eager", fullgraph=True)
    found, same = compiled(params, images)
    torch.testing.assert_close(found["w"], expected["w"], rtol=0, atol=1e-12)
    torch.testing.assert_close(same, value)


def test_of_equal_patches_one_wins():
    torch.compiler.reset()
    params, images = two_replicas(6, 4, 5, 7)
    images[:, :, 2] = images[:, :, 1]
    plain = partial(cs.loss, c0=0.3)
    expected, _ = torch.func.vmap(torch.func.grad_and_value(plain))(params, images)
    gradient = partial(cs.gradient, c0=0.3)
    compiled = torch.compile(gradient, backend="aot_eager", fullgraph=True)
    for found, _ in (gradient(params, images), compiled(params, images)):
        torch.testing.assert_close(found["w"], expected["w"], rtol=0, atol=1e-12)


def test_the_gradient_takes_replicas_that_share_their_images():
    params, images = two_replicas(6, 4, 5, 7)
    found, value = cs.gradient(params, images[0], 0.3)
    for k, w in enumerate(params["w"]):
        alone, same = cs.gradient({"w": w}, images[0], 0.3)
        torch.testing.assert_close(found["w"][k], alone["w"])
        torch.testing.assert_close(value[k], same)


def test_kernels_are_labelled_by_their_largest_component():
    w = torch.tensor([[[0.0, 3.0, 4.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]])
    feature, cosine = cs.label(w)
    assert feature[0, :2].tolist() == [2, 0]
    assert cosine[0].tolist() == pytest.approx([0.8, 1.0, 0.0])


def test_a_feature_is_covered_by_a_long_kernel_along_it():
    w = torch.eye(4)
    w[1] *= 0.4  # too short
    w[2, 3] = 1.0  # at 45 degrees to feature 2 and to feature 3
    assert cs.covered(w).item() == 2
    assert cs.covered(torch.stack([w, torch.eye(4)])).tolist() == [2, 4]


# cone sets


def test_membership_of_a_cone():
    cone = cs.Cone(d=3, f_h=2.0, c1=0.5, sigma0=0.1, radius=0.5, sharpening=0.0)
    # at t = 1: height 0.1, radius 0.1; at t = 2 twice that
    w = torch.tensor([[0.15, 0.05, 0.0], [0.15, 0.12, 0.0], [0.09, 0.0, 0.0], [0.3, 0.15, -9.0]])
    assert cone.members(w, 1).nonzero().tolist() == [[0, 0]]
    assert cone.members(w, 2).nonzero().tolist() == [[3, 0]]
    assert float(cs.Cone(d=3, f_h=2.0, sharpening=0.5).f_r(3)) == pytest.approx(1.0)


@given(st.integers(2, 10), st.integers(0, 5), st.integers(0, 1000))
def test_planted_kernels_occupy_every_cone(d, extra, seed):
    cone = cs.Cone(d=d, f_h=1.5 * d**0.5, c1=0.5)
    w = cs.plant(cone, d + extra, 0.8, seeded(seed))
    members = cone.members(w, 1)
    assert torch.equal(members[:d], torch.eye(d, dtype=torch.bool))
    assert not members[d:].any()
    assert (w.norm(dim=-1) <= cone.sigma0 * cone.f_h).all()


def test_too_few_kernels_cannot_be_planted():
    with pytest.raises(ValueError, match="C = 4 kernels cannot occupy d = 5"):
        cs.plant(cs.Cone(d=5, f_h=3.0), 4, 0.8, seeded())


# growth, by the dynamics it describes


def test_growth_is_a_product_and_a_power():
    assert cs.growth(0.2, 1.0, 3).tolist() == pytest.approx([1, 1.8, 1.8 * 1.4])
    assert cs.growth(0.2, [1.0, 0.5], 4).shape == (2, 4)
    t = np.array([10_000, 100_000])
    slope = np.diff(np.log(cs.growth(0.1, 0.7, 100_000)[t - 1])) / np.log(10)
    assert slope.item() == pytest.approx(4 * 0.1 * 0.7, rel=1e-3)  # the error is O(1/t)


def test_a_small_kernel_grows_as_theorem_1_corrected_says():
    # One kernel along a feature of probability β, everything else 0, c0 → 0: the gradient of
    # the loss is -4 β w up to third order in w, whose relative size here is below 1e-6.
    data = cs.PatchData(4, 3, eps=0.0, n_normal=1)
    images = torch.eye(4, dtype=torch.float64)[torch.tensor([[0, 1, 2], [0, 2, 3], [0, 3, 1]])]
    for feature, beta in ((0, 1.0), (1, 2 / 3)):
        assert data.beta[feature].item() == pytest.approx(beta)
        w = torch.zeros(1, 1, 4, dtype=torch.float64)
        w[0, 0, feature] = 1e-5
        run = core.train(
            partial(cs.loss, c0=1e-12), {"w": w}, images, steps=19, seeds=[0], data_dim=None,
            optimizer=partial(torch.optim.SGD, lr=1.0), schedule=core.inverse_time(0.2),
            observe=lambda p, k=feature: {"w": p["w"][:, 0, k]}, observe_at=range(20),
        )  # fmt: skip
        found = run.observed["w"][:, 0].numpy() / 1e-5
        np.testing.assert_allclose(found, cs.growth(0.2, beta, 20), rtol=1e-6)


def test_exit_time_is_the_first_time_below_the_cone():
    T = 500
    growth = cs.growth(0.2, 0.8, T)
    exit_ = cs.exit_time(0.2, 0.8, 1.0, 0.5, T)
    assert 1 < exit_ < T
    assert growth[exit_ - 1] < 0.5 * exit_
    assert (growth[: exit_ - 1] >= 0.5 * np.arange(1, exit_)).all()
    assert cs.exit_time(0.25, 1.0, 1.0, 0.5, T) is None  # growth (t): never below t/2
    assert cs.exit_time(0.2, 0.8, 0.4, 0.5, T) == 1


def test_constraints_hold_and_fail_where_they_should():
    cone, data = cs.Cone(d=24, f_h=6.0, c1=0.95, radius=0.3), cs.PatchData(24, 20, 0.001)
    table = cs.constraints(cone, data, 4000, 28, 0.01, [1, 10, 100])
    assert table.t.tolist() == [1, 10, 100]
    assert table["f_r <= c1 f_h"].all()
    assert table["(D.2)"].all()
    assert not cs.constraints(cone, data, 4000, 28, 0.95, [1])["(D.2)"].any()
    wide = cs.Cone(d=24, f_h=6.0, c1=0.95, radius=2.0, sharpening=0.0)
    assert not cs.constraints(wide, data, 4000, 28, 0.01, [1])["f_r <= c1 f_h"].any()


# probabilities, by Monte Carlo with exact intervals


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
    cone = cs.Cone(d=d, f_h=f_h, c1=0.5, sigma0=0.01, radius=f_r / f_h, sharpening=0.0)
    trials = 40_000
    w = cs.draw_kernels(trials, d, 0.01, core.generator(1, "cones", d))["w"]
    hits = cone.members(w, 1)[:, -1].sum()
    assert covers(hits, trials, float(cs.cone_probability(d, height, f_r)))


@pytest.mark.parametrize("f_h", [4.0, 5.0, 6.5])
def test_norm_tail(f_h):
    w = cs.draw_kernels(40_000, 24, 0.02, core.generator(2, "norms"))["w"]
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


# closed forms of the book


@pytest.mark.parametrize(("d", "P", "n"), [(6, 4, 2), (9, 9, 1), (8, 3, 1), (24, 20, 2)])
def test_gaps_of_a_perfect_dictionary(d, P, n):
    data = cs.PatchData(d, P, eps=0.0, n_normal=n)
    params, trials = {"w": torch.eye(d)}, 4000
    assert cs.error(params, data.draw(50, seeded()), 1e-9).item() == 0
    for kind, gap in zip(
        ("semantic", "non_semantic"), cs.perfect_dictionary_gaps(data), strict=True
    ):
        images = getattr(data, kind)(trials, 1, core.generator(3, kind, d))
        off = (cs.reconstruct(params["w"], images, 1e-9) - images).square().mean((1, 2))
        deviation = off.std().item() / trials**0.5
        assert abs(off.mean().item() - gap) < 5 * deviation + 1e-7 * gap
        assert deviation < 0.1 * gap  # so that the line above says something


@given(sizes(), st.integers(1, 12), st.integers(0, 1000))
def test_single_feature_optimum(size, C, seed):
    d, P, n = size
    C = min(C, d)
    assume(n < d)
    data = cs.PatchData(d, P, eps=0.0, n_normal=n)
    best = cs.single_feature_optimum(data, C)
    # kernels on the first C features, the normal ones first: the energy missed is exact
    missed = data.beta[C:].sum().item() / (P * d)
    assert best == pytest.approx(missed, abs=1e-6)
    images = data.draw(10, seeded(seed))
    off = (cs.reconstruct(torch.eye(d)[:C], images, 1e-9) - images).square().mean((1, 2))
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
        partial(cs.loss, c0=1e-12), {"w": w}, images, steps=800, seeds=[0], data_dim=None,
        optimizer=partial(torch.optim.SGD, lr=0.05, weight_decay=decay),
    )  # fmt: skip
    expected = cs.decayed_norm(beta, decay, 1.0)
    assert (expected == 0) == dead
    # linear convergence: 800 steps at rate 0.05 · (0.5 at least) leave e^-20
    assert run.params["w"].norm().item() == pytest.approx(expected, abs=1e-7)


def test_decay_scales_with_the_entries_of_the_mean():
    assert cs.decayed_norm(1.0, 0.001, 480) == pytest.approx(cs.decayed_norm(1.0, 0.48, 1))
    assert cs.decayed_norm(0.5, 0.001, 4000) == 0


# the paper's tables


def test_the_tables_have_every_row_once():
    tables = cs.tables()
    assert len(tables) == 88
    assert tables.table.value_counts().to_dict() == dict.fromkeys(range(1, 9), 11)
    assert set(tables.P) == set(range(20, 61, 4))
    assert not tables.duplicated(["table", "eps", "d", "P", "C"]).any()
    assert not tables.isna().any().any()


def test_printed_numbers_are_numbers_of_errors():
    tables = cs.tables()
    for name in ("NE", "SE", "NSE"):
        assert tables[name].between(0, 0.1).all()
        assert tables[f"{name}_std"].between(0, 0.05).all()
    assert (tables.d >= tables.P).all()
    first = tables.iloc[0]
    assert (first.d, first.P, first.C, first.NE, first.NSE_std) == (22, 20, 16, 0.0120, 0.0014)
