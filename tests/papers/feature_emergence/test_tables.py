"""The six methods side by side, small."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import data, judging, printed, tables

CPU = torch.device("cpu")


def test_six_methods_side_by_side() -> None:
    dist, flat = data.parity_mixture(30, 3), data.uniform(30, 3, {1, 3})
    setting = tables.Setting(dist, flat, 30, 2000, 400, 200, 100, 9.0, 1.0, 1.0, 1e-3)
    results = tables.with_structure(setting, [0, 1], CPU)
    flat_results = tables.without_structure(setting, [0, 1], CPU)
    end = results.curves[results.curves.step == 200].groupby("method")["test accuracy"].mean()
    assert end["Network"] > 0.95 > end["RF"] + 0.05
    ours = judging.by_seed(results, flat_results)
    cells = judging.cells(printed.words(1, "parity"), ours)
    assert len(cells) == 17
    by_label = cells.set_index("label").ours
    assert by_label["Network, test"] == pytest.approx(100 * end["Network"])
    assert by_label["Network, cos"] < 1
    assert (cells.low <= cells.ours).all()
    alone = tables.with_structure(replace(setting), [1], CPU).curves
    one = results.curves[results.curves.seed == 1]["test hinge"].to_numpy()
    assert np.allclose(one, alone["test hinge"].to_numpy(), rtol=0.05, atol=0.02)


@pytest.fixture(scope="module")
def small() -> tables.Setting:
    dist, flat = data.parity_mixture(20, 3), data.uniform(20, 3, {1, 3})
    return tables.Setting(dist, flat, 20, 600, 300, 60, 100, 9.0, 1.0, 1.0, 1e-3)


def test_the_network_alone_is_the_one_beside_the_others(small: tables.Setting) -> None:
    alone = tables.at_end(tables.network_alone(small, [0, 1], CPU))["Network"]
    beside = tables.with_structure(small, [0, 1], CPU, rescaled=True)
    assert np.allclose(alone, tables.at_end(beside.curves)["Network"])
    assert "One Step rescaled" in set(beside.curves.method)
    better = judging.surplus({(1, "parity"): beside})
    assert len(better) == 16
    assert better.ours.notna().sum() == 2
    excess = 86.4 - 84.0
    assert better["test - train, paper"].iloc[0] == pytest.approx(excess)


def test_rescaled_directions_suffice(small: tables.Setting) -> None:
    found = tables.after_each_step(replace(small, n=3000), 0)
    assert found["crossed"] == 0
    assert found["One Step rescaled"] > 0.95 > 0.875 + 0.06 > found["One Step"]


def test_floor_of_fixed_features(small: tables.Setting) -> None:
    mixtures = {alpha: data.independent_mixture(20, 3, 0.2, alpha) for alpha in (0.3, 0.7)}
    found = tables.floor(mixtures, replace(small, n=1000, steps=100), [0], CPU)
    assert (found["sharper bound"] <= found["RF"] + 2.6 * found["error"]).all()
    B = found.B.iloc[0]
    sharper = 1 - B * (40 / (1140 * 0.64**3)) ** 0.5
    assert found["sharper bound"].iloc[0] == pytest.approx(0.3 * sharper)
    assert found["printed bound"].iloc[0] == pytest.approx(0.3 * (1 - (80**0.5) * B / 8))


def test_lifted_cosines_fall_with_the_dimension() -> None:
    initial = torch.randn(2, 40, 20, generator=generator(0, "W"), dtype=torch.float64) / 3
    near, far = (tables.lifted(initial, [0, 1], d, 3) for d in (20, 2000))
    assert near.shape == (2,)
    assert (far > 0).all()
    assert (2 * far < near).all()
