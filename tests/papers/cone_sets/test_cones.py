"""Membership counted by hand; growth against the gradient descent that it describes."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from featurebook import core
from featurebook.papers.cone_sets import cones as cs
from featurebook.papers.cone_sets.data import PatchData
from featurebook.papers.cone_sets.network import loss


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


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


def test_growth_is_a_product_and_a_power():
    assert cs.growth(0.2, 1.0, 3).tolist() == pytest.approx([1, 1.8, 1.8 * 1.4])
    assert cs.growth(0.2, [1.0, 0.5], 4).shape == (2, 4)
    t = np.array([10_000, 100_000])
    slope = np.diff(np.log(cs.growth(0.1, 0.7, 100_000)[t - 1])) / np.log(10)
    assert slope.item() == pytest.approx(4 * 0.1 * 0.7, rel=1e-3)  # the error is O(1/t)


def test_a_small_kernel_grows_as_theorem_1_corrected_says():
    # One kernel along a feature of probability β, everything else 0, c0 → 0: the gradient of
    # the loss is -4 β w up to third order in w, whose relative size here is below 1e-6.
    data = PatchData(4, 3, eps=0.0, n_normal=1)
    images = torch.eye(4, dtype=torch.float64)[torch.tensor([[0, 1, 2], [0, 2, 3], [0, 3, 1]])]
    for feature, beta in ((0, 1.0), (1, 2 / 3)):
        assert data.beta[feature].item() == pytest.approx(beta)
        w = torch.zeros(1, 1, 4, dtype=torch.float64)
        w[0, 0, feature] = 1e-5
        run = core.train(
            partial(loss, c0=1e-12),
            {"w": w},
            images,
            steps=19,
            seeds=[0],
            data_dim=None,
            optimizer=partial(torch.optim.SGD, lr=1.0),
            schedule=core.inverse_time(0.2),
            observe=core.Observe(lambda p, k=feature: {"w": p["w"][:, 0, k]}, at=range(20)),
        )
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
    cone, data = cs.Cone(d=24, f_h=6.0, c1=0.95, radius=0.3), PatchData(24, 20, 0.001)
    table = cs.constraints(cone, data, 4000, 28, 0.01, [1, 10, 100])
    assert table.t.tolist() == [1, 10, 100]
    assert table["f_r <= c1 f_h"].all()
    assert table["(D.2)"].all()
    assert not cs.constraints(cone, data, 4000, 28, 0.95, [1])["(D.2)"].any()
    wide = cs.Cone(d=24, f_h=6.0, c1=0.95, radius=2.0, sharpening=0.0)
    assert not cs.constraints(wide, data, 4000, 28, 0.01, [1])["f_r <= c1 f_h"].any()
