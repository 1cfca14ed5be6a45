"""The short form of the looped transformer, its training, and the best weights."""

import numpy as np
import pytest
import torch

from featurebook import core
from featurebook.papers.looped_transformers import data, theory, trained
from featurebook.papers.looped_transformers.attention import LoopedTransformer, mask, prompt


def prompts() -> tuple[torch.Tensor, torch.Tensor]:
    return trained.grams(data.generator(0, "prompts"), 200, 8, 3)


def test_short_form_is_the_looped_transformer() -> None:
    rng = np.random.default_rng(0)
    X, theta = data.gaussian(rng, 1, 6, 3)
    y = np.einsum("kij,kj->ki", X, theta)
    Q, P = rng.standard_normal((4, 4)), rng.standard_normal((4, 4))
    full = np.concatenate([X[0], y[0][:, None]], axis=1)
    G = torch.tensor(full.T @ full / 6)
    params = {"Q": torch.tensor(Q), "P": torch.tensor(P)}
    answers = trained.answers(params, G, 3)
    net = LoopedTransformer(Q, P / 6, mask(6))
    for t, answer in enumerate(answers):
        expected = net(prompt(X[0], y[0], 1.0), [1.0] * t)
        np.testing.assert_allclose(answer, expected, rtol=1e-9)


def test_answers_are_linear_in_the_query() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((5, 2)), rng.standard_normal(5)
    net = LoopedTransformer(rng.standard_normal((3, 3)), rng.standard_normal((3, 3)), mask(5))
    one, three = (net(prompt(X, y, a), [0.1] * 3) for a in (1.0, 3.0))
    np.testing.assert_allclose(three, 3 * one)


def test_grams_are_those_of_prompts() -> None:
    G, theta = prompts()
    W = G[:, :3, :3]
    torch.testing.assert_close(G[:, :3, 3], (W @ theta[..., None])[..., 0])
    torch.testing.assert_close(G[:, 3, 3], (G[:, :3, 3] * theta).sum(1))
    torch.testing.assert_close(W.mean(0), torch.eye(3), atol=0.15, rtol=0)


def test_construction_is_descent_with_the_step_eta_over_n() -> None:
    G, theta = prompts()
    lam, v = np.linalg.eigh(G[:, :3, :3].double().numpy())
    weight = np.einsum("kij,ki->kj", v, theta.double().numpy()) ** 2
    errors = trained.errors(trained.construction(3, 0.4), G, theta, 2)
    np.testing.assert_allclose(errors[2], (weight * (1 - 0.4 * lam) ** 4).sum(1), rtol=1e-4)
    own = trained.descent_errors(G, theta, 2)
    np.testing.assert_allclose(own[2], (weight * (1 - lam / lam[:, -1:]) ** 4).sum(1), atol=1e-12)


def test_loss_is_the_mean_of_the_errors() -> None:
    G, theta = prompts()
    params = trained.construction(3, 0.4, label=1.2)
    value = trained.loss(params, (G, theta), 2)
    mean, median = trained.mean_and_median(params, G, theta, 2)
    assert mean[2] == pytest.approx(float(value), rel=1e-4)
    assert median[2] == pytest.approx(float(trained.errors(params, G, theta, 2)[2].quantile(0.5)))
    assert float(value) == pytest.approx(float(trained.errors(params, G, theta, 2)[2].mean()), 1e-4)


@pytest.mark.parametrize("label", [True, False])
def test_best_weights_by_brute_force(label: bool) -> None:
    G, theta = prompts()
    found = trained.best_weights(G, theta, 2, label=label)
    grid = [
        (float(trained.errors(trained.construction(3, e, c), G, theta, 2)[2].mean()), e, c)
        for e in np.linspace(0.3, 1.0, 29)
        for c in (np.linspace(0.9, 1.6, 29) if label else [1.0])
    ]
    error, eta, c = min(grid)
    assert found[2] <= error + 1e-6
    assert found[2] == pytest.approx(error, rel=5e-3)
    assert found[0] == pytest.approx(eta, abs=0.05)
    assert found[1] == pytest.approx(c, abs=0.05)


def test_measures_of_weights() -> None:
    params = {k: p[None] for k, p in trained.construction(3, 0.4, label=1.5).items()}
    assert trained.label_weight(params).item() == pytest.approx(1.5)
    assert trained.step_size(params).item() == pytest.approx(0.4)


def test_sheared_weights_give_the_same_answers() -> None:
    rng = np.random.default_rng(2)
    Q, P, s = rng.standard_normal((4, 4)), rng.standard_normal((4, 4)), rng.standard_normal(3)
    G, _ = prompts()
    both = [
        trained.answers({"Q": torch.tensor(q), "P": torch.tensor(p)}, 0.1 * G.double(), 3)[-1]
        for q, p in ((Q, P), trained.sheared(Q, P, s))
    ]
    torch.testing.assert_close(*both)


def test_without_shear_the_last_column_of_p_is_zero() -> None:
    params = trained.initial(3, core.generator(0, "init"))
    Q, P = trained.without_shear({k: p[None] for k, p in params.items()}, 0)
    np.testing.assert_allclose(P[:-1, -1], 0.0, atol=1e-12)
    np.testing.assert_allclose(P[:-1, :-1], params["P"][:-1, :-1])
    np.testing.assert_allclose(Q[-1], params["Q"][-1])


def test_training_reaches_the_best_step() -> None:
    """n = 8, d = 2, one loop: the best step has the error (d + 1)/(n + d + 1) = 3/11."""
    run = trained.train(8, 2, 1, steps=150, batch=64, seeds=[0, 1])
    G, theta = trained.grams(data.generator(5, "test"), 4000, 8, 2)
    for r in range(2):
        params = {k: p[r] for k, p in run.params.items()}
        reached = float(trained.errors(params, G, theta, 1)[1].mean())
        assert reached == pytest.approx(theory.one_step_optimum(8, 2)[1], rel=0.08)


def test_one_replica_trains_as_it_would_alone() -> None:
    both = trained.train(6, 2, 2, steps=5, batch=8, seeds=[3, 4]).params
    alone = trained.train(6, 2, 2, steps=5, batch=8, seeds=[4]).params
    torch.testing.assert_close(both["Q"][1], alone["Q"][0])


def test_initial_weights() -> None:
    draws = [trained.initial(3, core.generator(s, "init"))["Q"] for s in range(300)]
    stacked = torch.stack(draws)
    torch.testing.assert_close(stacked.mean(0), 0.3 * torch.eye(4), atol=0.02, rtol=0)
    assert stacked.std(0).mean() == pytest.approx(0.05, rel=0.1)


@pytest.mark.parametrize("T", [1, 3])
def test_gradient_is_that_of_automatic_differentiation(T: int) -> None:
    G, theta = (x.double().view(2, 100, *x.shape[1:]) for x in prompts())
    g = torch.Generator().manual_seed(0)
    params = {k: 0.3 * torch.randn(2, 4, 4, generator=g, dtype=torch.float64) for k in "QP"}
    found, value = trained.gradient(params, (G, theta), T)
    for r in range(2):
        one = {k: p[r].clone().requires_grad_() for k, p in params.items()}
        loss = trained.loss(one, (G[r], theta[r]), T)
        expected = torch.autograd.grad(loss, list(one.values()))
        torch.testing.assert_close([found[k][r] for k in one], list(expected))
        torch.testing.assert_close(value[r], loss)


def near_construction() -> dict[str, torch.Tensor]:
    """One network like a trained one: nearly diagonal, a drift of the query, and a shear."""
    g = torch.Generator().manual_seed(5)
    made = trained.construction(3, 0.2, label=1.2)
    made["P"][3, 3] = 0.03
    return {k: (x + 0.01 * torch.randn(4, 4, generator=g))[None].double() for k, x in made.items()}


def test_loop_comes_to_rest_where_it_is_said_to() -> None:
    G, theta = (x[:20] for x in prompts())
    params = near_construction()
    one = {k: x[0] for k, x in params.items()}
    seen = trained.errors(one, G, theta, 1200)[-1].numpy()
    kept = (
        np.linalg.eigvalsh(G[:, :3, :3].double().numpy())[:, 0] > 0.1
    )  # the others are still on their way
    assert kept.sum() > 5
    rest = trained.resting_errors(params, 0, theta)
    np.testing.assert_allclose(rest[kept], seen[kept], rtol=1e-3)


def test_net_label_weight_by_hand_and_in_the_loop() -> None:
    assert trained.net_label_weight(1.2, 0.25) == pytest.approx(1.2 / 1.3)
    made = trained.construction(3, 0.2, label=1.2)
    made["P"][3, 3] = 0.05
    params = {k: x[None].double() for k, x in made.items()}
    (weight,) = trained.net_label_weights(params)
    assert weight == pytest.approx(1.2 / (1 + 1.2 * 0.25))
    theta = prompts()[1][:4]
    np.testing.assert_allclose(
        trained.resting_errors(params, 0, theta), (weight - 1) ** 2, rtol=1e-6
    )


def test_the_step_falls_from_a_hundredth_to_zero_along_a_cosine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = {}
    monkeypatch.setattr(core, "train", lambda *given, **more: seen.update(more))
    trained.train(6, 2, 1, steps=40, batch=8, seeds=[0])
    rates = [float(seen["schedule"](t)) for t in (1, 11, 21, 31, 41)]
    half = 0.5**0.5
    assert rates == pytest.approx([0.01, 0.005 * (1 + half), 0.005, 0.005 * (1 - half), 0])
    assert seen["optimizer"].keywords == {"lr": 0.01}
