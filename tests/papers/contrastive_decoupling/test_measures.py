"""What a network has learnt: measures of weights that are known."""

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import deep, encoders, measures, model


def test_networks_are_the_ends_of_a_run(setting):
    recipe = model.Recipe(0.1, 0.1, 0.01, 0.4, 3, 6, 8)
    draw = model.draw_plain(setting, 16, 8)
    run = encoders.train_encoder(draw, model.plain_views, recipe, m=4, d1=64, seeds=[3, 4])
    (first, W, b), (second, _, _) = measures.networks(run)
    assert (first, second) == (3, 4)
    torch.testing.assert_close(W, run.params["W"][0])
    torch.testing.assert_close(b, 0.4 * W.norm(dim=1))


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


def test_probes_recover_a_linear_label():
    g = generator(8, "t")
    f = torch.randn(600, 4, generator=g)
    y = f @ torch.tensor([1.0, -2.0, 0.0, 0.5])
    assert measures.ridge_r2(f, y, 300) > 0.999
    assert measures.logistic_accuracy(f, y, 300) > 0.97
    assert measures.ridge_r2(torch.randn(600, 4, generator=g), y, 300) < 0.1


def test_firing_measures_of_known_responses():
    a = torch.zeros(10, 1, 2, 2)
    a[0] = 1.0
    found = deep.firing(a)
    assert found["active"] == pytest.approx(0.1)
    assert found["density"] == pytest.approx(0.1)
    assert found["single units"] == pytest.approx(0.1)
    assert found["above 1/5"] == pytest.approx(0.1)
