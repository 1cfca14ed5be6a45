"""Data, mask, network and training: identities against autograd and the exact growth."""

import math
from dataclasses import replace
from functools import partial

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import encoders, experiments, model, theory


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


def test_correlated_noise_has_no_subnormal_factor():
    factor = model.with_correlated_noise(model.sparse_coding(8, 256), 0.5).spikes
    assert not ((factor != 0) & (factor.abs() < torch.finfo(torch.float32).tiny)).any()


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


def test_stage_one_grows_at_the_exact_rate():
    setting = model.sparse_coding(8, 64)
    eta, lam = 0.05 / setting.p, 0.01
    recipe = model.Recipe(eta, eta, lam, 0.0, 99, 100, 20, norm=1e-3)
    run = encoders.train_encoder(
        model.draw_masked(setting, 2048, 64), model.masked_views, recipe,
        m=16, d1=64, seeds=[0, 1], observe_at=[0, 20],
    )  # fmt: skip
    keep, _ = theory.growth_factors(8, 64, setting.p, eta, lam, 64)
    on = (run.observed["W"] @ setting.M).norm(dim=(2, 3))
    assert on[1] / on[0] == pytest.approx(keep**20, rel=0.1)


def test_a_random_byte_gives_eight_signs_lowest_bit_first():
    words = torch.randint(-(2**63), 2**63 - 1, (2,), generator=generator(9, "t"))
    bits = [(byte >> k) & 1 for byte in words.view(torch.uint8).tolist() for k in range(8)]
    mask = model.random_mask(generator(9, "t"), 5, 20)
    assert mask.dtype == torch.int8
    assert mask.flatten().tolist() == [2 * bit - 1 for bit in bits[:100]]
    assert torch.equal(model.random_bits(generator(9, "t"), 5, 20), mask > 0)


def test_inputs_alone_are_those_with_their_codes(setting):
    for world in (setting, model.with_correlated_noise(setting, 0.5)):
        x = model.sample_x(generator(8, "t"), world, 50)
        assert torch.equal(x, model.sample(generator(8, "t"), world, 50)[0])


@pytest.mark.parametrize("printed", [False, True])
@pytest.mark.parametrize("batches", ["mask", "plain", "two masks", "supervised"])
def test_an_update_of_several_networks_is_that_of_each(setting, batches, printed):
    recipe, g = model.Recipe(0.3, 0.7, 0.05, 0.4, 2, 4, 8), generator(7, "t")
    draw, views = {
        "mask": (model.draw_masked, model.masked_views),
        "plain": (model.draw_plain, model.plain_views),
        "two masks": (experiments.draw_two_masks, experiments.two_masks),
        "supervised": (model.draw_plain, None),
    }[batches]
    batch = draw(setting, 12, 5)(g, 3)
    params = model.start(recipe, 4, setting.d1, [0, 1, 2])
    params["b"] = 0.02 * torch.rand(3, 4, generator=g)
    params["t"] = torch.tensor([[1.0], [3.0], [6.0]])
    if views is None:
        params["A"] = torch.randn(3, 2, 4, generator=g)
        update = partial(experiments.supervised_back, recipe=recipe)
        batch = batch[0], torch.randn(3, 12, 2, generator=g)
    else:
        rule = model.printed_schedule(8, t1=3) if printed else model.ramp(recipe)
        update = partial(model.step_back, views=views, rule=rule, recipe=recipe)
    together, each = update(params, batch), torch.vmap(update)(params, batch)
    assert together[0].keys() == each[0].keys()
    for name, step in each[0].items():
        torch.testing.assert_close(together[0][name], step)
    torch.testing.assert_close(together[1], each[1])


def test_one_replica_of_an_ensemble_is_the_run_alone(setting):
    recipe = model.Recipe(0.1, 0.1, 0.01, 0.4, 3, 6, 8)
    draw = model.draw_plain(setting, 32, 8)
    both, alone = (
        encoders.train_encoder(draw, model.plain_views, recipe, m=4, d1=64, seeds=s)
        for s in ([0, 5], [5])
    )
    torch.testing.assert_close(both.params["W"][1], alone.params["W"][0])
    assert both.params["t"].flatten().tolist() == [8.0, 8.0]
    torch.testing.assert_close(both.params["b"], 0.4 * both.params["W"].norm(dim=2))


def test_recipes_on_the_same_batches_are_those_alone(setting):
    long = model.Recipe(0.1, 0.2, 0.01, 0.4, 3, 6, 8)
    recipes = {"long": long, "short": replace(long, steps=5, lam=0.0, norm=0.3, beta_end=0.2)}
    draw, common = model.draw_masked(setting, 32, 8), {"m": 4, "d1": 64, "seeds": [0, 5]}
    at = {"long": [0, 4, 8], "short": [1, 5]}
    together = encoders.train_encoders(draw, model.masked_views, recipes, observe_at=at, **common)
    for name, recipe in recipes.items():
        alone = encoders.train_encoder(
            draw, model.masked_views, recipe, observe_at=at[name], **common
        )
        assert together[name].steps == alone.steps == tuple(at[name])
        for got, expected in (
            (together[name].params, alone.params),
            (together[name].observed, alone.observed),
        ):
            assert got.keys() == expected.keys()
            for key, x in expected.items():
                torch.testing.assert_close(got[key], x)


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


def test_mean_soft_threshold_against_monte_carlo():
    a, s = torch.tensor([0.0, 0.4, -1.0]).double(), torch.tensor([1.0, 0.5, 0.3]).double()
    normal = torch.randn(400_000, 1, generator=generator(6, "t"), dtype=torch.float64)
    drawn = model.soft_threshold(a + s * normal, 0.3)
    assert torch.all((drawn.mean(0) - theory.mean_soft_threshold(a, s, 0.3)).abs() < 5e-3)


def test_temperature_is_the_unit_of_the_squared_norm(setting):
    one = model.Recipe(0.5, 0.5, 0.01, 0.3, 3, 6, 9)
    four = model.Recipe(0.5, 0.5, 0.01, 0.3, 3, 6, 9, norm=0.2, tau=4.0)
    draw = model.draw_masked(setting, 32, 8)
    a, b = (
        encoders.train_encoder(draw, model.masked_views, r, m=4, d1=64, seeds=[0])
        for r in (one, four)
    )
    torch.testing.assert_close(b.params["W"], 2 * a.params["W"])
    torch.testing.assert_close(b.params["loss"], 4 * a.params["loss"])
