"""Trained models: shapes, gradients and closed forms."""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from featurebook import core
from featurebook.papers.icl_scale import attention, gpt, parity
from featurebook.papers.icl_scale import regression as reg

LAM = np.array([1.0, 0.5, 0.2])


def test_population_loss_is_that_of_regression() -> None:
    p = attention.factors(core.generator(0, "t"), 3, 1.0)
    mask = torch.tensor([[1.0, 1.0, 0.0]], dtype=torch.float64)
    U = attention.key_query(p, mask[0]).numpy()
    assert np.linalg.matrix_rank(U) == 2
    found = attention.population_loss(p, mask, torch.from_numpy(LAM), 7)
    assert float(found) == pytest.approx(reg.loss(U, 1.0, LAM, 7))
    found = attention.population_loss({**p, "u": 1.5 * p["u"]}, mask, torch.from_numpy(LAM), 7)
    assert float(found) == pytest.approx(reg.loss(U, 1.5, LAM, 7))


def test_training_finds_the_closed_form() -> None:
    found = attention.train_population(LAM, 20, [1, 3], steps=250, seeds=range(2)).numpy()
    for k, r in enumerate((1, 3)):
        target = np.diag(reg.optimum(LAM, 20, r))
        assert np.abs(found[k] - target).max() < 0.02


def test_training_on_prompts_lowers_the_loss_and_shares_starts() -> None:
    options = {"batch": 16, "seeds": range(2)}
    U0, u0 = attention.train_on_prompts("linear", LAM, 20, [1, 3], steps=0, **options)
    U, u = attention.train_on_prompts("linear", LAM, 20, [1, 3], steps=60, **options)

    def losses(U: torch.Tensor, u: torch.Tensor) -> list[float]:
        flat = (u[..., None, None] * U).flatten(0, 1).double().numpy()
        return [reg.loss(W, 1.0, LAM, 20) for W in flat]

    assert max(losses(U, u)) < min(losses(U0, u0))
    assert_close(U0[0, 0] + 0, U0[0, 0])
    assert np.linalg.matrix_rank(U[0, 0].numpy(), tol=1e-6) == 1


def test_linear_prediction_is_that_of_the_matrices() -> None:
    g = core.generator(1, "t")
    x, y, x_q, _ = attention.regression_prompts(g, (4,), 5, torch.from_numpy(LAM))
    U, u = torch.randn(3, 3, generator=g, dtype=torch.float64), torch.tensor(1.7)
    found = attention.linear_prediction(U, u, x, y, x_q)
    for k in range(4):
        E = reg.prompt(x[k].numpy(), y[k].numpy(), x_q[k].numpy())
        whole = reg.attention(E, *reg.blocks(U.numpy(), 1.7), 5)[3, 5]
        assert float(found[k]) == pytest.approx(whole, rel=1e-6)


@pytest.mark.parametrize("kind", ["linear", "softmax"])
def test_sensitivity_is_the_squared_gradient(kind: str) -> None:
    g = core.generator(2, "t")
    x, y, x_q, _ = attention.regression_prompts(g, (6,), 5, torch.from_numpy(LAM))
    U, u = torch.randn(3, 3, generator=g, dtype=torch.float64), torch.tensor(1.3).double()
    y.requires_grad_()
    (grad,) = torch.autograd.grad(attention.PREDICTIONS[kind](U, u, x, y, x_q).sum(), y)
    found = attention.sensitivity(kind, U, u, x, x_q)
    assert_close(found, grad.square().sum(-1).mean())


def test_score_norms_split_the_row() -> None:
    g = core.generator(3, "t")
    x, _, x_q, _ = attention.regression_prompts(g, (2,), 5, torch.from_numpy(LAM))
    U = torch.diag(torch.tensor([1.0, 2.0, 0.0], dtype=torch.float64))
    relevant, rest = attention.score_norms(U, x, x_q, 2)
    row = (x @ U @ x_q[..., None])[..., 0] / 5
    assert_close(relevant, row.norm(dim=-1))
    assert_close(rest, torch.zeros(2, dtype=torch.float64))


def test_parity_population_against_enumeration() -> None:
    table = attention.parity_table(4, 2, 0.2, 0.3)
    assert_close(table[2].sum(), torch.tensor(1.0))
    a, b = np.array([1.0, -1.0]), np.array([[0.1, 0.3, -0.2, 0.5], [0.4, -0.3, 0.2, -0.1]])
    B = torch.diag_embed(torch.from_numpy(b)).float()
    first, second = parity.losses(a, b, 2, 0.2)
    found = attention.parity_population({"B": B}, table, 0.01)
    expected = 0.7 * first + 0.3 * second + 0.01 * (b**2).sum()
    assert float(found) == pytest.approx(expected, rel=1e-6)


def test_accuracy_of_diagonal_heads_is_that_of_parity() -> None:
    a, b = parity.printed(4)
    none = 0 * b[0]  # heads alternate in sign, so two positive ones do nothing
    rows = np.array([b[2], b[0], b[5], b[1], none, b[3], none, b[4]])
    B = torch.diag_embed(torch.from_numpy(rows))
    tasks = parity.draw_tasks(4, 3000, np.random.default_rng(0))
    found = attention.hidden_accuracy(B, tasks, 64, 0.2, np.random.default_rng(1))
    eta, query = parity.effective_input(tasks, 64, 4, 0.2, 0.0, np.random.default_rng(1))
    row = np.arange(3000)
    y = query[row, tasks[:, 0]] * query[row, tasks[:, 1]]
    expected = parity.accuracy(y, parity.output(a, b, eta, 0.2)).mean()
    assert found == pytest.approx(expected, abs=0.02)


def test_trained_heads_lower_the_objective() -> None:
    table = attention.parity_table(4, 2, 0.2, 0.1)
    _, before = attention.train_heads(4, table, decay=0.01, steps=1, seeds=range(2))
    _, after = attention.train_heads(4, table, decay=0.01, steps=60, seeds=range(2))
    assert (after < before).all()


# The small GPT


def test_a_gpt_is_causal_and_its_maps_are_distributions() -> None:
    g = core.generator(4, "t")
    size = gpt.Size(4, 2, 2)
    p = gpt.initial(g, size, 3)
    tokens, label = gpt.prompts(g, gpt.tasks(g, (5,), 3, 0.5), 6)
    assert tokens.shape == (5, 7, 5)
    assert set(label.tolist()) <= {-1.0, 1.0}
    logits, maps = gpt.forward(p, tokens, 2)
    assert logits.shape == (5,)
    assert maps.shape == (5, 2, 7, 7)
    assert_close(maps.sum(-1), torch.ones(5, 2, 7))
    assert float(maps.triu(1).abs().max()) == 0


def test_flips_negate_context_labels_only() -> None:
    w = torch.eye(3)[:1].expand(4, 3)
    clean, label = gpt.prompts(core.generator(5, "t"), w, 6, 0)
    flipped, same = gpt.prompts(core.generator(5, "t"), w, 6, 2)
    assert_close(label, same)
    assert_close(flipped[:, :2, 3], -clean[:, :2, 3])
    assert_close(flipped[:, 2:], clean[:, 2:])
    assert_close(torch.sign(clean[:, :6, 0]), clean[:, :6, 3])


def test_prior_tasks_come_with_their_share() -> None:
    w = gpt.tasks(core.generator(6, "t"), (2000,), 2, 0.3)
    assert float((w[:, 0] == 1).float().mean()) == pytest.approx(0.7, abs=0.04)
    assert_close(w.norm(dim=1), torch.ones(2000))


def test_groups_of_two_sentences() -> None:
    tokens, group = gpt.two_sentences(core.generator(7, "t"), 3, 8, 4)
    assert group.tolist() == [0, 1, 2, 3] * 2
    x, y = tokens[:, :8, :4], tokens[:, :8, 4]
    assert float(x[:, group % 2 == 0, 1:].abs().max()) == 0
    assert float(x[:, group % 2 == 1, 0].abs().max()) == 0
    assert_close(y[:, group == 0], torch.sign(x[:, group == 0, 0]))
    assert_close(y[:, group == 2], -torch.sign(x[:, group == 2, 0]))


def test_row_norms_by_hand() -> None:
    maps = torch.zeros(1, 2, 5, 5)
    maps[0, 0, -1, :4] = torch.tensor([3.0, 0, 0, 1])
    maps[0, 1, -1, :4] = torch.tensor([4.0, 2, 0, 0])
    assert_close(gpt.row_norms(maps, torch.arange(4)), torch.tensor([[5.0, 2, 0, 1]]))


def test_training_a_gpt_learns_the_prior() -> None:
    size = gpt.Size(4)
    p = gpt.train(size, dim=2, M=2, rho=0.05, steps=70, batch=64, seeds=range(2))
    w = torch.eye(2)[:1].expand(500, 2)
    assert float(gpt.accuracies(p, size, w, 2, [0], 0).max()) > 0.8
    assert gpt.parameters(p) == sum(x[0].numel() for x in p.values())


def test_a_gpt_begins_with_weights_of_variance_one_over_their_inputs() -> None:
    p = gpt.initial(core.generator(0, "t"), gpt.Size(64, 1, 2), 2)
    for name, fan in (("qkv0", 64), ("out0", 64), ("up0", 64), ("down0", 256)):
        assert float(p[name].std()) * fan**0.5 == pytest.approx(1, rel=0.04)
    assert float(p["embed"].std()) * 2 == pytest.approx(1, rel=0.15)
