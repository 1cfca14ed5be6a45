"""Pushes and parts of the gradient against the model's own push."""

import math

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import gradients, model, theory


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


def test_small_parts_are_smaller_than_what_cauchy_and_schwarz_allow(setting, trained_like):
    W, b, _, _ = trained_like
    found = gradients.small_parts(W, b, setting, generator(33, "t"), K=500, N=20)
    assert 0 <= found["E1 on atoms"] < found["E1 at most"]
    assert 0 <= found["E1 dense"] < found["E1 at most"]
    assert 0 < found["Φ"] < 1
