"""What the chapters train, at sizes where one can count."""

import numpy as np
import pytest
import torch

from featurebook.papers.cone_sets import experiments
from featurebook.papers.cone_sets.cones import Cone, growth
from featurebook.papers.cone_sets.data import PatchData


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def test_gradient_descent_gives_every_step_from_the_first():
    # one kernel on a normal feature: β = 1, growth by 1 + 4a/s
    w = 1e-6 * torch.eye(4, dtype=torch.float64)[:1].expand(2, 1, 4)
    images = torch.eye(4, dtype=torch.float64)[torch.tensor([[0, 1], [2, 0]])].expand(2, 2, 2, 4)
    path = experiments.gradient_descent(w, images, a=0.1, c0=1e-12, T=5, seeds=[0, 1], device="cpu")
    assert path.shape == (5, 2, 1, 4)
    np.testing.assert_allclose(path[:, 1, 0, 0] / 1e-6, growth(0.1, 1.0, 5), rtol=1e-9)


def test_kernels_start_in_the_ball():
    cone = Cone(9, f_h=2.5)
    w = experiments.start_in_ball(cone, 500, seeded())
    norms = w.norm(dim=1) / (cone.sigma0 * cone.f_h)
    assert (norms <= 1 + 1e-12).all()
    assert (norms > 0.999).any()  # some were cut
    assert (norms < 0.999).any()  # some were not


def test_wins_count_kernels_of_the_cone_only():
    cone = Cone(3, f_h=2.0, sigma0=1.0, radius=0.4, sharpening=0.0)  # height 1, radius 0.8 at t = 1
    w = torch.tensor([[1.5, 0.7, 0.0], [1.5, 0.9, 0.0]])  # the second is in no cone
    near, far = [1.0, 0.0, 0.0], [0.0, 2.5, 0.0]  # the far patch excites more: 1.75 > 1.5
    images = torch.tensor([[near, [0.0, 1.0, 0.0]], [near, far], [[0.0, 0.0, 1.0], far]])
    assert experiments.wins_of_members(cone, w, images, 1).tolist() == [True, False]
    assert experiments.wins_of_members(cone, w[1:], images, 1).tolist() == []


def test_a_training_lowers_the_error_and_keeps_the_order():
    data = PatchData(6, 4)
    training = experiments.Training([3, 4], steps=150, n_train=200, n_test=200)
    start = training.train(data, 8, steps=0).params["w"]
    end = training.train(data, 8).params["w"]
    before, after = (training.errors(data, w, 2) for w in (start, end))
    assert list(after.index) == [3, 4]
    np.testing.assert_allclose(before, 1 / 6, rtol=0.01)  # an untrained network outputs nothing
    assert (after.NE < 0.7 * before.NE).all()
    assert (after.NE < after.NSE).all()


@pytest.mark.parametrize("longer", [0, 1])
def test_long_trainings_are_compiled(monkeypatch, longer):
    asked = []
    monkeypatch.setattr(
        experiments.core, "train", lambda *_, execution, **__: asked.append(execution)
    )
    steps = experiments.WORTH_COMPILING - 1 + longer
    experiments.Training([3], steps=steps, n_train=40).train(PatchData(6, 4), 8)
    assert [how.compiled for how in asked] == [bool(longer)]


def test_growth_of_kernels_has_a_shape_and_grows():
    seen = experiments.growth_of_kernels(3, steps=40, seeds=[0, 1], device="cpu", at=[0, 40])
    assert {k: tuple(x.shape) for k, x in seen.items()} == dict.fromkeys(
        ("norm", "cosine", "largest"), (2, 2, 3)
    )
    assert (seen["norm"][1] >= seen["norm"][0]).all()
    assert (seen["cosine"] <= 1 + 1e-6).all()


def test_ranks_are_compared_with_growth_and_not_with_size():
    norm = np.array([[[1.0, 2.0, 3.0, 9.0]], [[2.0, 4.0, 6.0, 9.5]]])  # grown by 1, 2, 3, 1/2
    assert experiments.rank_with_growth(norm[0], norm) == pytest.approx([-0.2])
