"""Data, network, first step and trainings against definitions."""

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from featurebook import core
from featurebook.papers.gradient_features import data, experiments, maps, network, one_step, theory


def test_mixtures_have_their_moments() -> None:
    mix = data.easy_and_hard(4, 0.5, 3.0, 0.5)
    X, y = mix.draw(core.generator(0, "x"), 4, 20000)
    assert X.shape == (4, 20000, 4)
    assert float(X.square().sum(-1).mean()) == pytest.approx(9 + 4 * 0.25, rel=0.02)
    pair = X[..., 0].abs() > 1.5
    assert float(pair.float().mean()) == pytest.approx(0.5, abs=0.02)
    assert float((torch.sign(X[..., 0]) == y)[pair].float().mean()) > 0.99
    assert mix.weights.sum() == pytest.approx(1)
    assert data.orthogonal(5, 3, 2.0).labels.tolist() == [1, -1, 1]
    assert np.allclose(data.orthogonal(5, 3, 2.0, 0.7).directions, np.eye(3, 5))
    four = data.xor(9)
    assert np.allclose(np.linalg.norm(four.means, axis=1), 3)
    assert four.labels.tolist() == [1, 1, -1, -1]
    assert np.allclose(four.means[0] + four.means[1], 0)


def test_what_never_happens_has_no_first_time() -> None:
    reached = torch.tensor([[0, 0, 1], [0, 1, 0], [0, 1, 1]], dtype=torch.bool)
    assert experiments.first_time(reached, [0, 5, 20]).tolist() == [np.inf, 5, 0]


@pytest.mark.parametrize("r", [1, 3])
def test_parity_draws_its_support(r: int) -> None:
    law = data.Parity(3 * r + 2, 3, r, 0.1, 0.3)
    X, y, chance = law.support()
    assert chance.sum() == pytest.approx(1)
    assert (law.label(torch.tensor(X)).numpy() == y).all()
    sampled, labels = law.draw(core.generator(0, "p"), 60000)
    assert bool((law.label(sampled) == labels).all())
    W = np.random.default_rng(0).normal(size=(6, law.d))
    exact = maps.G_points(W, 0.5, X, y, chance)
    found = maps.G_points(W, 0.5, sampled.double().numpy(), labels.double().numpy())
    assert np.allclose(exact, found, atol=0.02)
    assert np.allclose(np.linalg.norm(law.directions, axis=1), 1)


def test_linear_data() -> None:
    X, y = data.linear_support(4, 0.6, 0.8)
    assert X.shape == (12, 4)
    assert np.allclose(y @ X / 12, [0.6, 0, 0, 0])
    assert np.allclose(np.linalg.norm(X, axis=1), 1)
    X, y = data.one_sided_noise(core.generator(0, "n"), 20000, 3)
    assert bool((X[:, 0] * y >= 0.5).all())
    assert float(X[y > 0, 1].std()) == pytest.approx(3, rel=0.03)
    assert float(X[y < 0, 1].std()) == pytest.approx(0.3, rel=0.03)


def start(d: int = 5, m: int = 4) -> core.Params:
    return network.symmetric(core.generator(0, "i"), d, m, sigma_a=2.0, sigma_w=0.5, b=0.3)


def test_symmetric_start() -> None:
    p = start(50, 400)
    X = torch.randn(10, 50)
    assert float(network.output(p, X).abs().max()) < 1e-3
    assert float(p["a"].std()) == pytest.approx(2, rel=0.1)
    assert float(p["W"].std()) == pytest.approx(0.5, rel=0.03)
    assert p["b"][:800].tolist() == pytest.approx([0.3] * 400 + [-0.3] * 400)
    assert bool((p["a"][:800] == -p["a"][800:]).all() and (p["W"][:800] == p["W"][800:]).all())


def test_gradient_is_autograd() -> None:
    g = core.generator(1, "g")
    p = {k: v.double() + torch.randn(v.shape, generator=g) for k, v in start().items()}
    p = {k: v.requires_grad_() for k, v in p.items()}
    X, y = torch.randn(300, 5, generator=g), torch.sign(torch.randn(300, generator=g))
    batch = X.double(), y.double()
    network.hinge(p, batch).backward()
    by_hand, loss = network.gradient({k: v.detach() for k, v in p.items()}, batch)
    assert torch.allclose(by_hand["a"], p["a"].grad)
    assert torch.allclose(by_hand["W"], p["W"].grad)
    assert float(loss) == pytest.approx(float(network.hinge(p, batch).detach()))
    assert float(by_hand["b"].abs().max()) == 0
    frozen, _ = network.gradient({k: v.detach() for k, v in p.items()}, batch, frozen=True)
    assert float(frozen["W"].abs().max()) == 0
    assert torch.allclose(frozen["a"], p["a"].grad)


def test_first_step_is_a_step_with_weight_decay() -> None:
    p, eta = {k: v.double() for k, v in start().items()}, 0.7
    X, y = torch.randn(30, 5).double(), torch.sign(torch.randn(30)).double()
    grads, _ = network.gradient(p, (X, y))
    found = network.first_step(p, X, y, eta)
    for k in ("a", "W"):  # θ - η(∇ + θ/η) = -η∇
        assert torch.allclose(found[k], -eta * grads[k])
    G = maps.G_points(p["W"].numpy(), p["b"].numpy(), X.numpy(), y.numpy())
    assert np.allclose(found["W"].numpy(), eta * p["a"].numpy()[:, None] * G)


def test_exact_first_step_is_the_limit_of_samples() -> None:
    p, mix = start(), data.xor(5)
    exact = network.first_step_exact(p, mix, 0.5)
    sampled = network.first_step(p, *mix.draw(core.generator(0, "s"), 200000), 0.5)
    for k in ("a", "W"):
        assert torch.allclose(exact[k], sampled[k], atol=0.02)


def test_controls_keep_norms() -> None:
    p = network.first_step_exact(start(), data.xor(5), 0.5)
    q = network.randomised(p, core.generator(0, "c"))
    assert torch.allclose(p["W"].norm(dim=1), q["W"].norm(dim=1), atol=1e-6)
    assert torch.equal(q["W"][:8], -q["W"][8:])
    assert not torch.allclose(p["W"], q["W"])


def test_algorithm_1_is_plain_descent() -> None:
    mix, seeds = data.xor(5), [0, 1]
    nets = experiments.after_first_step(mix, 3, seeds, c_b=0.5, kappa=1.0, B_G=0.5)
    batches = [mix.draw(core.generator(9, "fixed"), 8)]

    def same(_: torch.Generator, *shape: int) -> tuple[torch.Tensor, torch.Tensor]:
        X, y = batches[0]
        return X.expand(*shape, 5), y.expand(*shape)

    run = network.algorithm_1(
        network.stack(nets), same, eta=0.1, steps=2, batch=8, seeds=seeds, test=batches[0],
        observe_at=[0, 1, 2],
    )  # fmt: skip
    alone = nets[1]
    for _ in range(2):
        grads, _ = network.gradient(alone, batches[0])
        alone = {k: alone[k] - 0.1 * grads[k] for k in alone}
    assert torch.allclose(run.params["W"][1], alone["W"], atol=1e-6)
    assert run.observed["loss"].shape == (3, 2)
    seen = network.observed(network.stack([alone]), batches[0])
    assert float(run.observed["error"][2, 1]) == pytest.approx(float(seen["error"][0]))


def test_effective_thresholds_are_those_that_kappa_asks_for() -> None:
    mix = data.xor(20)
    (p,) = experiments.after_first_step(mix, 300, [0], c_b=0.5, kappa=3.0, B_G=0.7)
    start_ = network.symmetric(
        core.generator(0, "init"), 20, 300, sigma_a=1.0, sigma_w=20**-0.5, b=1.0
    )
    b = 0.5 * 2**0.5
    assert p["b"].abs().tolist() == pytest.approx([b] * 1200)
    G = maps.G_mixture(p["W"][:0].numpy(), 0.0, mix)
    assert G.shape == (0, 20)
    g = start_["a"][:300].abs().double().numpy()
    W0 = start_["W"][:300].double().numpy()
    size = np.linalg.norm(maps.G_mixture(W0, b, mix), axis=1)
    theta = maps.thresholds(p["W"][:300].double().numpy(), b)
    assert np.allclose(theta, 3.0 * 0.7 / (g * size), rtol=1e-3)


def test_verbatim_run_is_short_and_learns() -> None:
    family = theory.Family(2, 1.25, 1.25 * 2**0.5, 0.25, 2**0.5, 0.8, 1.0)
    run, how = experiments.verbatim(200, 0.5, [0], family, d=6, side=1.2, sigma_w=1e-3, most=80)
    assert run.steps[-1] == 80
    assert float(run.observed["loss"].min()) < 0.5
    assert how["T"] > 80


def test_tickets_are_what_they_say() -> None:
    mix = data.xor(20)
    (p,) = experiments.after_first_step(mix, 200, [0], c_b=0.5, kappa=2.0, B_G=0.7)
    D = mix.directions[::2]
    found = experiments.tickets(p, D, 6, 2.0, core.generator(0, "t"))
    assert {k: len(v) for k, v in found.items()} == {"ticket": 24, "random": 24, "losers": 24}
    W = p["W"].double().numpy()
    cosine = W @ D.T / np.linalg.norm(W, axis=1, keepdims=True)
    chosen = found["ticket"].numpy()
    assert (p["b"][found["ticket"]] > 0).all()
    assert (np.abs(cosine[chosen]).max(1) > 0.95).all()
    assert (np.abs(cosine[found["losers"].numpy()]).max(1) < 0.8).all()
    for j, rows in enumerate(chosen.reshape(4, 6)):
        assert (np.sign(cosine[rows, j % 2]) == (1 if j < 2 else -1)).all()


def test_fixed_features_learn_the_structured_half() -> None:
    law = data.Parity(8, 3)
    X, y = law.draw(core.generator(0, "t"), 500)
    for kind in ("random features", "ntk"):
        run = experiments.train_fixed(
            kind, 40, law, [0], eta=1.0, steps=60, batch=64, test={"all": (X, y)}
        )
        assert float(run.observed["all"][0]) == 1
        assert 0.2 < float(run.observed["all"][1]) < 0.8
    assert experiments.random_features_error(data.xor(20), 50, 500, 0) < 0.2


def test_algorithm_6_first_step_is_the_coefficient() -> None:
    found = one_step.algorithm_6(9, 2, 32, 100000, 1000, 100, 0)
    W, signs = found["W"].numpy(), found["signs"].numpy()
    # η = 1/(k|ξ_1|) makes |w| on the parity 1/(2k)
    assert np.abs(np.abs(W[:, :2]) - 0.25).max() < 0.05
    assert np.abs(np.abs(found["a1"].numpy()) - 0.25).max() < 0.1
    assert found["losses"][0] == pytest.approx(1)
    assert found["losses"][-1] < 0.5
    assert one_step.linear_grid(2).tolist() == [-0.5, 0.0, 0.5]
    assert signs.shape == (64, 9)


def test_algorithm_6_with_the_expected_gradient() -> None:
    found = one_step.algorithm_6_exact(33, 4, 100, 2000, 1500, 0, rate=10.0)
    assert found["error"] < 0.05
    assert one_step.untrained_parity(33, 4, 100, 2000, 1500, 0, rate=10.0)["error"] > 0.4
    assert one_step.parity_step_size(33, 4) == pytest.approx(1 / (4 * 0.004514514))


def test_cost_against_a_counter() -> None:
    d, m, batch = 24, 5, 40
    params = network.symmetric(core.generator(0, "x"), d, m, sigma_a=0.1, sigma_w=0.1, b=0.1)
    X, y = torch.randn(batch, d), torch.ones(batch)
    with FlopCounterMode(display=False) as counter:
        network.gradient(params, (X, y))
    flops, held = network.cost(d, m, batch)
    # the counter also sees the two products with a, 2 (4m) batch each
    assert counter.get_total_flops() == flops + 2 * 2 * 4 * m * batch
    assert held == 4 * (3 * 4 * m * d + batch * d + 3 * batch * 4 * m)


def test_multi_index_target_and_training() -> None:
    X = torch.randn(200000, 3, generator=core.generator(0, "x"))
    y = one_step.multi_index_target(X)
    assert float(y.mean()) == pytest.approx(0, abs=0.02)
    assert float(y.square().mean()) == pytest.approx(1, rel=0.05)
    assert float(one_step.multi_index_target(torch.tensor([2.0, 3.0]))) == pytest.approx(
        (6 + 0.5 * 3 * 8) / 2**0.5
    )
    found = one_step.algorithm_7(6, 40, 20000, 2000, 0, descent=[0, 50])
    plain = one_step.algorithm_7(6, 40, 20000, 2000, 0, train_W=False)
    assert np.median(found["inside"]) > 0.9
    assert found["descent"][1] < found["descent"][0]
    assert found["descent"][0] == pytest.approx(1, abs=0.3)
    assert found["mse"] < plain["mse"]
    assert found["smoothness"] > 0
    signs = one_step.algorithm_7(6, 40, 2000, 500, 0, descent=[0], a_start="signs")
    assert signs["descent"][0] > 2
