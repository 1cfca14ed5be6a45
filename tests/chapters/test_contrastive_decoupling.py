"""The chapter on feature decoupling: identities against autograd and brute force, closed forms
against Monte Carlo, and that every network trains."""

import math

import numpy as np
import pytest
import torch
from scipy import stats

from featurebook.chapters.contrastive_decoupling import (
    deep,
    gradients,
    measures,
    model,
    photographs,
    theory,
)
from featurebook.core import generator

torch.set_num_threads(1)


@pytest.fixture
def setting():
    return model.sparse_coding(8, 64)


def test_hadamard_dictionary_is_flat_and_orthonormal():
    M = model.hadamard_dictionary(5, 32, seed=3).double()
    torch.testing.assert_close(M.T @ M, torch.eye(5, dtype=torch.float64), atol=1e-6, rtol=0)
    assert torch.allclose(M.abs(), torch.full_like(M, 32**-0.5))


@pytest.mark.parametrize(("d", "d1"), [(3, 12), (9, 8), (0, 8), (2, 0)])
def test_hadamard_dictionary_refuses_bad_sizes(d, d1):
    with pytest.raises(ValueError, match="power of two"):
        model.hadamard_dictionary(d, d1)


@pytest.mark.parametrize(("d", "C_z"), [(2, 1.0), (16, 20.0), (16, -1.0)])
def test_code_probability_refuses_what_is_none(d, C_z):
    with pytest.raises(ValueError, match="no probability"):
        model.code_probability(d, C_z)


def test_samples_have_the_models_moments(setting):
    x, z, noise = model.sample(generator(0, "t"), setting, 40_000)
    assert set(z.unique().tolist()) == {-1.0, 0.0, 1.0}
    assert (z != 0).float().mean() == pytest.approx(setting.p, rel=0.05)
    covariance = x.T.double() @ x.double() / len(x)
    exact = theory.covariance(setting.M, setting.p, setting.sigma**2)
    assert (covariance - exact).abs().max() < 0.01
    torch.testing.assert_close(x, z @ setting.M.T + noise)


def test_correlated_noise_has_its_covariance(setting):
    world = model.with_correlated_noise(setting, 0.6)
    assert world.spikes is not None
    covariance = world.sigma**2 * torch.eye(64) + world.spikes @ world.spikes.T
    place = torch.arange(64)
    wanted = setting.sigma**2 * 0.6 ** (place[:, None] - place).abs()
    torch.testing.assert_close(covariance, wanted, atol=1e-5, rtol=1e-4)


def test_random_mask_is_fair_signs():
    signs = model.random_mask(generator(1, "t"), 1000, 37)
    assert signs.shape == (1000, 37)
    assert set(signs.unique().tolist()) == {-1, 1}
    assert abs(signs.float().mean()) < 0.02
    assert (signs.float().T @ signs.float() / 1000 - torch.eye(37)).abs().max() < 0.2


@pytest.mark.parametrize("bias", [0.0, 0.3])
def test_push_is_minus_the_gradient(setting, bias):
    g = generator(2, "t")
    W = torch.randn(5, 64, generator=g, dtype=torch.float64).requires_grad_()
    x, x_n = (model.sample(g, setting, n)[0].double() for n in (7, 4))
    signs, b = model.random_mask(g, 7, 64), torch.full((5,), bias, dtype=torch.float64)
    batch = torch.stack([x, signs.double()])
    f, f_other, f_n = (model.features(W, b, a) for a in (x * (1 + signs), x * (1 - signs), x_n))
    loss = model.contrastive_loss(f, f_other, f_n, tau=0.7)
    (gradient,) = torch.autograd.grad(loss, W)
    with torch.no_grad():
        pushed, value = model.push(W, b, model.masked_views(W, batch), x_n, tau=0.7)
    torch.testing.assert_close(pushed, -gradient)
    torch.testing.assert_close(value, loss.detach())


def test_soft_threshold_is_the_difference_of_two_relus():
    u = 2 * torch.randn(50, 3, generator=generator(24, "t"))
    b = torch.tensor([0.0, 0.5, 1.5])
    expected = torch.relu(u - b) - torch.relu(-u - b)
    torch.testing.assert_close(model.soft_threshold(u, b), expected)
    torch.testing.assert_close(model.soft_threshold(u, 0.3), u.sign() * (u.abs() - 0.3).relu())


def test_softmax_weights_sum_to_one_and_give_the_loss():
    g = generator(3, "t")
    f, f_p, f_n = (torch.randn(n, 4, generator=g) for n in (6, 6, 3))
    weights = model.softmax_weights(f, f_p, f_n, tau=0.5)
    torch.testing.assert_close(weights.sum(1), torch.ones(6))
    loss = model.contrastive_loss(f, f_p, f_n, tau=0.5)
    torch.testing.assert_close(-0.5 * weights[:, 0].log().mean(), loss)


def test_moment_over_all_masks_is_covariance_without_diagonal():
    Sigma = theory.covariance(model.hadamard_dictionary(2, 8), 0.2, 0.6)
    masks = theory.all_masks(8)
    moment = theory.mean_moment(Sigma, 2 * masks, 2 - 2 * masks, torch.full((256,), 1 / 256))
    torch.testing.assert_close(moment, theory.decoupled(Sigma))
    with pytest.raises(ValueError, match="n = 17"):
        theory.all_masks(17)


def test_stage_one_grows_at_the_exact_rate():
    setting = model.sparse_coding(8, 64)
    eta, lam = 0.05 / setting.p, 0.01
    recipe = model.Recipe(eta, eta, lam, 0.0, 99, 100, 20, norm=1e-3)
    run = model.train_encoder(
        model.draw_masked(setting, 2048, 64), model.masked_views, recipe,
        m=16, d1=64, seeds=[0, 1], observe_at=[0, 20],
    )  # fmt: skip
    keep, _ = theory.growth_factors(8, 64, setting.p, eta, lam, 64)
    on = (run.observed["W"] @ setting.M).norm(dim=(2, 3))
    assert on[1] / on[0] == pytest.approx(keep**20, rel=0.1)


def test_one_replica_of_an_ensemble_is_the_run_alone(setting):
    recipe = model.Recipe(0.1, 0.1, 0.01, 0.4, 3, 6, 8)
    draw = model.draw_plain(setting, 32, 8)
    both, alone = (
        model.train_encoder(draw, model.plain_views, recipe, m=4, d1=64, seeds=s)
        for s in ([0, 5], [5])
    )
    torch.testing.assert_close(both.params["W"][1], alone.params["W"][0])
    assert both.params["t"].flatten().tolist() == [8.0, 8.0]
    torch.testing.assert_close(both.params["b"], 0.4 * both.params["W"].norm(dim=2))


def test_printed_schedule_starts_at_t1_and_never_falls():
    rule = model.printed_schedule(16, t1=2)
    before, after, eta = torch.tensor([1.0, 1.0]), torch.tensor([1.1, 0.9]), torch.tensor(0.1)
    b = torch.zeros(2)
    assert rule(b, before, after, torch.tensor(1), eta).eq(0).all()
    b = rule(b, before, after, torch.tensor(2), eta)
    torch.testing.assert_close(b, math.sqrt(2 * math.log(16) / 16) * after)
    grown = rule(b, before, after, torch.tensor(3), eta)
    torch.testing.assert_close(grown, b * torch.tensor([1.1, 1 + 0.1 / 16]))
    capped = model.printed_schedule(16, 2, cap=0.0)(b, before, after, torch.tensor(3), eta)
    torch.testing.assert_close(capped, b)


def test_masked_noise_push_against_monte_carlo(setting):
    g, n, bias = generator(4, "t"), 40_000, 0.35
    w = torch.randn(64, generator=g, dtype=torch.float64)
    v = torch.randn(64, generator=g, dtype=torch.float64)
    w = w / w.norm()
    keep = model.random_bits(g, 1, 64).double().expand(n, 64)
    Mz = (model.sample_codes(g, 1, 8, 0.5) @ setting.M.T).double().expand(n, 64)
    noise = setting.sigma * torch.randn(n, 64, generator=g, dtype=torch.float64)
    u, u_other = (2 * k * (Mz + noise) @ w for k in (keep, 1 - keep))
    drawn = model.soft_threshold(u_other, bias) * (u.abs() >= bias) * (2 * keep * noise @ v)
    exact = theory.masked_noise_push(w, v, bias, Mz[:1], keep[:1], setting.sigma)[0]
    assert abs(drawn.mean() - exact) < 5 * drawn.std() / math.sqrt(n)


def test_plain_noise_push_against_monte_carlo(setting):
    g, n, bias = generator(5, "t"), 40_000, 0.5
    w = torch.randn(64, generator=g, dtype=torch.float64) / 8
    x, z, noise = (a.double() for a in model.sample(g, setting, n))
    drawn = model.soft_threshold(x @ w, bias) * (noise @ w)
    exact = theory.plain_noise_push(w, w, bias, z @ setting.M.double().T, setting.sigma).mean()
    assert abs(drawn.mean() - exact) < 5 * drawn.std() / math.sqrt(n)


def test_mean_soft_threshold_against_monte_carlo():
    a, s = torch.tensor([0.0, 0.4, -1.0]).double(), torch.tensor([1.0, 0.5, 0.3]).double()
    normal = torch.randn(400_000, 1, generator=generator(6, "t"), dtype=torch.float64)
    drawn = model.soft_threshold(a + s * normal, 0.3)
    assert torch.all((drawn.mean(0) - theory.mean_soft_threshold(a, s, 0.3)).abs() < 5e-3)


def planted_push(setting, alpha, bias, n=40_000):
    g = generator(30, "t")
    atom = setting.M[:, 0]
    _, z, noise = model.sample(g, setting, n)
    z[:, 0] = 1 - 2 * torch.randint(0, 2, (n,), generator=g)
    rest = torch.randn(64, generator=g)
    rest = rest - (rest @ atom) * atom
    w = alpha * atom + math.sqrt(1 - alpha**2) * rest / rest.norm()
    sample = (z @ setting.M.T + noise, z[:, 0], model.random_mask(g, n, 64).float())
    return gradients.push_on_atom(w, bias, atom, sample, setting.sigma)


def test_push_on_atom_without_bias_is_alpha(setting):
    found = planted_push(setting, 0.8, 0.0)
    assert found["alpha"] == pytest.approx(0.8, abs=1e-5)
    assert abs(found["left"] - 0.8) < 5 * found["error"]  # E[⟨w, x⁺⁺⟩ z_j] = α
    assert found["agree"] == 1


def test_push_on_atom_grows_with_the_atom(setting):
    weak, strong = planted_push(setting, 0.2, 0.5), planted_push(setting, 0.95, 0.5)
    assert 0 < weak["left"] < strong["left"]
    assert weak["L2"] < strong["L2"]
    assert strong["L4"] < weak["L4"]


@pytest.fixture
def trained_like(setting):
    """Weights near singletons, biases, their atoms and a batch."""
    g = generator(31, "t")
    W = setting.M.T.repeat(2, 1) + 0.05 * torch.randn(16, 64, generator=g)
    batch = gradients.draw(g, setting, 300, 20)
    return W, 0.4 * W.norm(dim=1), gradients.own_atoms(W, setting.M)[0], batch


def test_parts_sum_to_the_push_with_the_signs_mended_only(setting, trained_like):
    W, b, own, batch = trained_like
    part = gradients.gradient_parts(W, b, own, batch)
    views = model.masked_views(W, (batch.x, batch.signs))
    pushed, _ = model.push(W, b, views, batch.x_n, tau=1.0)
    torch.testing.assert_close(part["whole"], pushed, atol=1e-6, rtol=1e-4)
    along = {k: (part[k] * setting.M.T[own]).sum(1) for k in ("cross", "noise", "whole")}
    mended = part["psi"] + part["phi"] + along["cross"] + along["noise"]
    torch.testing.assert_close(mended, along["whole"], atol=1e-6, rtol=1e-4)
    printed = part["psi printed"] + part["phi printed"] + along["cross"] + along["noise"]
    assert (printed - along["whole"]).abs().max() > 0.1 * along["whole"].abs().max()


def test_mean_parts_is_the_mean(trained_like):
    W, b, own, batch = trained_like
    once, twice = (gradients.mean_parts(W, b, own, [batch] * k) for k in (1, 2))
    torch.testing.assert_close(once["cross"], twice["cross"])


def test_comparator_costs_the_trivial_loss_where_nothing_fires_and_less_where_atoms_do(setting):
    quiet, g = model.SparseCoding(setting.M, 0.2, 1e-3), generator(32, "t")
    W, batches = 2 * setting.M.T, [gradients.draw(g, quiet, 100, 20) for _ in range(40)]

    def loss(bias, kappa):
        b = torch.full((8,), bias)
        return sum(gradients.comparator_loss(W, b, batch, kappa) for batch in batches) / 40

    assert loss(9.0, 1.0) == pytest.approx(math.log(21), rel=1e-5)
    assert theory.loss_floor(8, 0.2, 20) < loss(0.5, 4.0) < math.log(21)


def test_temperature_is_the_unit_of_the_squared_norm(setting):
    one = model.Recipe(0.5, 0.5, 0.01, 0.3, 3, 6, 9)
    four = model.Recipe(0.5, 0.5, 0.01, 0.3, 3, 6, 9, norm=0.2, tau=4.0)
    draw = model.draw_masked(setting, 32, 8)
    a, b = (
        model.train_encoder(draw, model.masked_views, r, m=4, d1=64, seeds=[0]) for r in (one, four)
    )
    torch.testing.assert_close(b.params["W"], 2 * a.params["W"])
    torch.testing.assert_close(b.params["loss"], 4 * a.params["loss"])


def test_networks_are_the_ends_of_a_run(setting):
    recipe = model.Recipe(0.1, 0.1, 0.01, 0.4, 3, 6, 8)
    draw = model.draw_plain(setting, 16, 8)
    run = model.train_encoder(draw, model.plain_views, recipe, m=4, d1=64, seeds=[3, 4])
    (first, W, b), (second, _, _) = measures.networks(run)
    assert (first, second) == (3, 4)
    torch.testing.assert_close(W, run.params["W"][0])
    torch.testing.assert_close(b, 0.4 * W.norm(dim=1))


def test_loss_floor_against_monte_carlo():
    d, p, n_negatives, n = 6, 0.2, 20, 4000
    g = generator(7, "t")
    z = model.sample_codes(g, n, d, p)
    negatives = model.sample_codes(g, n * n_negatives, d, p).view(n, n_negatives, d)
    alike = ((negatives == z[:, None]) | (z[:, None] == 0)).all(2).sum(1)
    drawn = torch.log1p(alike.double())
    assert abs(drawn.mean() - theory.loss_floor(d, p, n_negatives)) < 5 * drawn.std() / math.sqrt(n)


def test_empty_code_loss_is_part_of_the_floor():
    d = 64
    part = float(theory.empty_code_loss(math.log(d), 1.0)[()])
    p = model.code_probability(d)
    assert part == pytest.approx((1 - p) ** d * math.log(1 + d**2))
    assert part < theory.loss_floor(d, p, d**2)


def test_bound_for_any_weights_is_below_its_binomial_form_and_tends_to_one():
    for d in (20, 100):
        counts = np.arange(d**2 + 1)
        mean = stats.binom.pmf(counts, d**2, 0.5) @ np.log1p(counts)
        bound = float(theory.any_weights_bound(math.log(d), 1.0)[()])
        exact = 0.5 * (1 - model.code_probability(d)) ** d * mean
        assert exact * 0.99 < bound < exact
    assert float(theory.any_weights_bound(1e8, 1.0)[()]) == pytest.approx(1, abs=1e-6)
    assert float(theory.any_weights_bound(1e8, 2.0)[()]) < 1e-6


@pytest.mark.parametrize(("scale", "bias"), [(0.1, 0.0), (0.6, 0.0), (0.6, 0.4), (3.0, 1.0)])
def test_masked_loss_without_atoms_is_above_the_bound_for_any_weights(setting, scale, bias):
    g, n, n_negatives = generator(34, "t"), 4000, 40
    W = scale * torch.randn(6, 64, generator=g)
    x, x_n = (model.sample_noise(g, setting, k) for k in (n, n_negatives))
    signs, b = model.random_mask(g, n, 64), torch.full((6,), bias)
    f, f_other, f_n = (model.features(W, b, y) for y in (x * (1 + signs), x * (1 - signs), x_n))
    loss = float(model.contrastive_loss(f, f_other, f_n, tau=1.0))
    assert loss > 0.5 * math.log((n_negatives + 1) / 2)


def test_no_atom_is_the_probability_of_an_empty_code():
    p = model.code_probability(64, 2.0)
    assert float(theory.no_atom(math.log(64), 2.0)[()]) == pytest.approx((1 - p) ** 64)
    assert float(theory.no_atom(400.0, 2.0)[()]) == pytest.approx(400.0**-2)


def test_log_lucky_exact_and_gaussian_branches_meet():
    below, above = theory.log_lucky([math.log(0.999e6), math.log(1.001e6)], c=2.02)
    assert below == pytest.approx(above, abs=0.01)


def test_printed_constants_leave_no_share():
    needs, allows = theory.share_window(0.01, 0.01)
    assert needs == pytest.approx(0.990395, abs=1e-6)
    assert allows == pytest.approx(0.990048, abs=1e-6)


def test_bites_says_from_where():
    log_d = np.array([1.0, 5.0, 10.0, 100.0])
    assert theory.bites("c", log_d, log_d > 0, what="w").outcome == "holds"
    assert theory.bites("c", log_d, log_d > 50, what="w").outcome == "vacuous"
    assert theory.bites("c", log_d, log_d < 50, what="w").outcome == "inconclusive"


def test_above_asks_for_the_whole_interval():
    assert theory.above("c", [1.0, 1.1, 0.9], what="w").outcome == "trend"
    assert theory.above("c", [1.0, -1.0, 0.5], what="w").outcome == "inconclusive"


def test_measures_of_perfect_singletons(setting):
    W = setting.M.T.repeat(2, 1)
    assert measures.covered(W, setting.M) == 8
    assert measures.coherences(W, setting.M).min() == pytest.approx(1, abs=1e-5)
    assert measures.total_share(W, setting.M) == pytest.approx(1, abs=1e-5)


def test_anatomy_of_perfect_singletons(setting):
    W, probe = 2 * setting.M.T, measures.probe_data(setting, 50, 500, seed=0)
    found = measures.anatomy(W, torch.full((8,), 0.4), setting, probe)
    for name in ("F_j", "max F_j"):
        assert found[name] == pytest.approx(4, rel=1e-4)
    assert found["own weight"] == pytest.approx(2, rel=1e-4)
    assert found["least / largest"] == pytest.approx(1)
    assert found["off-atom rms / |w|"] < 1e-3
    assert found["heard"] == found["z ≠ 0"]


def test_small_parts_are_smaller_than_what_cauchy_and_schwarz_allow(setting, trained_like):
    W, b, _, _ = trained_like
    found = gradients.small_parts(W, b, setting, generator(33, "t"), K=500, N=20)
    assert 0 <= found["E1 on atoms"] < found["E1 at most"]
    assert 0 <= found["E1 dense"] < found["E1 at most"]
    assert 0 < found["Φ"] < 1


def test_probes_recover_a_linear_label():
    g = generator(8, "t")
    f = torch.randn(600, 4, generator=g)
    y = f @ torch.tensor([1.0, -2.0, 0.0, 0.5])
    assert measures.ridge_r2(f, y, 300) > 0.999
    assert measures.logistic_accuracy(f, y, 300) > 0.97
    assert measures.ridge_r2(torch.randn(600, 4, generator=g), y, 300) < 0.1


def test_whitened_patches_are_white():
    g = generator(9, "t")
    x = torch.randn(5000, 6, generator=g) @ torch.randn(6, 6, generator=g)
    white = photographs.whitened(x, floor=0.0, ridge=1e-9).double()
    torch.testing.assert_close(
        white.T @ white / 5000, torch.eye(6, dtype=torch.float64), atol=1e-3, rtol=0
    )


def test_patches_refuse_small_images():
    with pytest.raises(ValueError, match="do not fit"):
        photographs.random_patches(torch.zeros(1, 1, 4, 9), 5, 10, 0)


def test_patches_are_cut_from_the_images_in_turn():
    images = torch.arange(2 * 3 * 6 * 7, dtype=torch.float32).view(2, 3, 6, 7)
    patches = photographs.random_patches(images, 3, 8, seed=0)
    assert patches.shape == (8, 3, 3, 3)
    for k, patch in enumerate(patches):
        found = images[k % 2].unfold(1, 3, 1).unfold(2, 3, 1).permute(1, 2, 0, 3, 4)
        assert (found == patch).flatten(2).all(2).sum() == 1


def test_chroma_share_is_nothing_for_grey_and_all_for_colour_differences():
    grey = torch.rand(1, 1, 4).expand(1, 3, 4).reshape(1, 12)
    difference = torch.cat([torch.ones(1, 4), -torch.ones(1, 4), torch.zeros(1, 4)], 1)
    shares = photographs.chroma_share(torch.cat([grey, difference]))
    torch.testing.assert_close(shares, torch.tensor([0.0, 1.0]))


@pytest.mark.parametrize(
    ("network", "size"),
    [
        (deep.small_net(3, 8), 12),
        (deep.alexnet(3, 0.05), 32),
        (deep.wide_resnet(10, 1, base=4), 32),
    ],
)
def test_every_network_trains_with_and_without_labels(network, size):
    g = generator(10, "t")
    x, y = torch.rand(12, 3, size, size, generator=g), torch.arange(12) % 3
    common = {"seeds": [0, 1], "steps": 2, "batch_size": 6}
    run = deep.contrastive_training(network, x, deep.crop_and_colour, **common)
    layers = deep.layers_of(network, deep.one(run.params, 1), x)
    assert layers[-1].shape == (12, network.width)
    assert all(layer.isfinite().all() for layer in layers)
    run = deep.supervised_training(network, x, y, deep.same, **common)
    assert run.params["classifier"].shape == (2, 3, network.width)
    run = deep.adversarial_training(network, x, deep.crop_and_jitter, **common)
    assert all(value.isfinite().all() for value in run.params.values())


def forward_without_numbers(network, size):
    """Shapes of all activations for two images, on a device that computes nothing."""
    params = {name: torch.empty(shape, device="meta") for name, shape in network.shapes.items()}
    return [
        tuple(a.shape) for a in network.forward(params, torch.empty(2, 3, size, size).to("meta"))
    ]


def test_paper_architecture_has_the_papers_size():
    network = deep.wide_resnet(34, 5)
    assert sum(name.endswith(".a") for name in network.shapes) == 15
    assert 11e6 < sum(math.prod(shape) for shape in network.shapes.values()) < 12e6
    assert forward_without_numbers(network, 32) == [
        (2, 80, 32, 32),
        (2, 160, 16, 16),
        (2, 320, 8, 8),
        (2, 320),
    ]
    with pytest.raises(ValueError, match="6 n"):
        deep.wide_resnet(33, 5)


def test_alexnet_has_five_convolutions_and_fits_small_images():
    shapes = forward_without_numbers(deep.alexnet(3), 32)
    assert [s[1] for s in shapes] == [64, 192, 384, 256, 256, 256]
    assert [s[2] for s in shapes[:-1]] == [32, 16, 8, 8, 8]


def test_attack_stays_within_its_radius_and_raises_the_loss():
    network = deep.small_net(3, 8)
    g = generator(20, "t")
    params = deep.he_init(g, deep.with_head(network))
    views = torch.rand(2, 12, 3, 12, 12, generator=g)
    moved = deep.attacked(network, params, views, 0.2, 0.05)
    assert torch.equal(moved[1], views[1])
    assert (moved[0] - views[0]).abs().max() <= 0.05 + 1e-6
    before, after = (deep.view_loss(network, params, v, 0.2) for v in (views, moved))
    assert after > before


def test_without_normalisation_activations_scale_with_the_input():
    network = deep.small_net(3, 8, deep.unchanged)
    g = generator(21, "t")
    params = deep.he_init(g, network.shapes)
    x = torch.rand(2, 3, 12, 12, generator=g)
    torch.testing.assert_close(
        network.forward(params, 3 * x)[-1], 3 * network.forward(params, x)[-1]
    )


@pytest.mark.parametrize(
    "augment",
    [deep.random_crop, deep.colour_distortion, deep.jitter, deep.flip_crop_and_jitter, deep.same],
)
def test_augmentations_keep_shape_and_range(augment):
    x = torch.rand(5, 3, 16, 16, generator=generator(11, "t"))
    y = augment(generator(12, "t"), x)
    assert y.shape == x.shape
    assert y.min() >= 0
    assert y.max() <= 1


def test_jitter_leaves_grey_grey():
    x = torch.rand(20, 1, 6, 6, generator=generator(22, "t")).expand(20, 3, 6, 6)
    y = deep.jitter(generator(23, "t"), x)
    assert deep.saturation(y).max() < 1e-5
    assert (y - x).abs().max() > 0.01


def test_firing_measures_of_known_responses():
    a = torch.zeros(10, 1, 2, 2)
    a[0] = 1.0
    found = deep.firing(a)
    assert found["active"] == pytest.approx(0.1)
    assert found["density"] == pytest.approx(0.1)
    assert found["single units"] == pytest.approx(0.1)
    assert found["above 1/5"] == pytest.approx(0.1)


def test_coloured_digits_do_not_tell_by_colour():
    ink = torch.zeros(400, 1, 8, 8)
    ink[:, :, 2:6, 2:6] = 1
    x = deep.coloured(ink, seed=0, size=16)
    assert x.shape == (400, 3, 16, 16)
    brighter = x[:, :, 6:10, 6:10].mean((1, 2, 3)) > x[:, :, :2].mean((1, 2, 3))
    assert 0.4 < brighter.float().mean() < 0.6


def test_nt_xent_is_least_for_equal_views():
    z = torch.eye(4)
    assert deep.nt_xent(z, z, 0.2) < deep.nt_xent(z, z.flip(0), 0.2)


def test_density_is_one_for_constant_responses():
    a = torch.rand(1, 3).expand(10, 3)
    assert torch.allclose(deep.lifetime_density(a), torch.ones(3, dtype=torch.float64))


def test_neighbours_and_linear_probe_find_clusters():
    g = generator(13, "t")
    y = torch.arange(60) % 3
    h = 10 * torch.nn.functional.one_hot(y, 3).float() + torch.randn(60, 3, generator=g)
    assert (deep.nearest_neighbours(h[:40], y[:40], h[40:]) == y[40:]).all()
    assert (deep.linear_probe(h[:40], y[:40], h[40:]) == y[40:]).all()
