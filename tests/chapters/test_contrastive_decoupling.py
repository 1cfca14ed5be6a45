"""The chapter on feature decoupling: identities against autograd and brute force, closed forms
against Monte Carlo, and that every network trains."""

import math

import numpy as np
import pytest
import torch

from featurebook.chapters.contrastive_decoupling import deep, measures, model, photographs, theory
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
        photographs.random_patches([torch.zeros(1, 4, 9)], 5, 10, 0)


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


def test_paper_architecture_has_the_papers_size():
    network = deep.wide_resnet(34, 5)
    assert sum(name.endswith(".a") for name in network.shapes) == 15
    assert network.width == 320
    with pytest.raises(ValueError, match="6 n"):
        deep.wide_resnet(33, 5)


@pytest.mark.parametrize(
    "augment", [deep.random_crop, deep.colour_distortion, deep.flip_crop_and_colour, deep.same]
)
def test_augmentations_keep_shape_and_range(augment):
    x = torch.rand(5, 3, 16, 16, generator=generator(11, "t"))
    y = augment(generator(12, "t"), x)
    assert y.shape == x.shape
    assert y.min() >= 0
    assert y.max() <= 1


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
    a = torch.rand(1, 3, 1, 1).expand(10, 3, 2, 2)
    assert torch.allclose(deep.lifetime_density(a), torch.ones(3, dtype=torch.float64))


def test_neighbours_and_linear_probe_find_clusters():
    g = generator(13, "t")
    y = torch.arange(60) % 3
    h = 10 * torch.nn.functional.one_hot(y, 3).float() + torch.randn(60, 3, generator=g)
    assert (deep.nearest_neighbours(h[:40], y[:40], h[40:]) == y[40:]).all()
    assert (deep.linear_probe(h[:40], y[:40], h[40:]) == y[40:]).all()
