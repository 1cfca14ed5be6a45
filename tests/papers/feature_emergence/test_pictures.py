"""Drawings keep their numbers."""

import numpy as np
import pandas as pd
import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from featurebook import figures
from featurebook.core import generator
from featurebook.papers.feature_emergence import data, pictures


@pytest.fixture(autouse=True)
def _no_figure_is_left_open():
    yield
    plt.close("all")


def test_marks_of_a_sign_are_one_path_of_their_own_shape_and_keep_their_numbers() -> None:
    ax = Figure().subplots()
    place = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 9.0]])
    pictures.signs(ax, place, np.array([True, False, True]), 3.0)
    dots, crosses = (patch.get_path().vertices for patch in ax.patches)
    assert [len(dots), len(crosses)] == [2 * 2, 1 * 4]  # a stroke per dot, two per cross
    assert np.allclose(dots[::2], place[[0, 2]])
    assert np.allclose(crosses.mean(0), place[1])
    assert np.ptp(crosses, axis=0).min() > 0.1  # can be told from a dot
    drawn = np.concatenate([c.get_offsets() for c in ax.collections])
    assert np.array_equal(np.sort(drawn, axis=0), place)
    assert ax.get_ylim()[1] >= 9


def test_methods_differ_by_more_than_colour() -> None:
    rows = [(name, step, 0, 0.5) for name in pictures.METHODS for step in (1, 2)]
    curves = pd.DataFrame(rows, columns=["method", "step", "seed", "test accuracy"])
    ax = Figure().subplots()
    pictures.learning_curves(ax, curves, figures.colours(*pictures.METHODS))
    assert len({line.get_marker() for line in ax.lines}) == len(pictures.METHODS)


def test_a_few_samples_show_relevant_patterns_with_structure_only() -> None:
    k, draw = 5, generator(0, "emerging")
    kinds = {
        "with structure": data.parity_mixture(30, k),
        "without": data.uniform(30, k, data.odd(k)),
    }
    samples = {name: data.draw(draw, dist, 5000) for name, dist in kinds.items()}
    with_structure, without = pictures.emerging(samples, k, 5000).axes
    heights = [
        np.concatenate([bars.get_data().values for bars in ax.patches])
        for ax in (with_structure, without)
    ]
    assert heights[0][:k].min() > 3 * np.abs(heights[0][k:]).max()
    assert np.abs(heights[1][:k]).max() < 2 * np.abs(heights[1][k:]).max()
    x, y = samples["without"]
    assert heights[1] == pytest.approx((y[:, None] * x).mean(0).numpy(), abs=1e-6)


def test_a_comb_marks_the_counts_with_the_wrong_sign() -> None:
    counts, y = torch.tensor([0, 0, 1, 1, 2, 2]), torch.tensor([-1.0, -1, 1, 1, -1, -1])
    g = torch.tensor([-2.0, -1, 0.5, 0.7, 0.2, 0.4])
    (ax,) = pictures.comb(g, counts, y, "κ").axes
    lines = {line.get_label(): line.get_xydata().tolist() for line in ax.lines}
    assert np.allclose(lines["network, right sign"], [[0, -1.5], [1, 0.6]])
    assert np.allclose(lines["network, wrong sign"], [[2, 0.3]])
    assert np.allclose(lines["label"], [[0, -1], [1, 1], [2, -1]])
