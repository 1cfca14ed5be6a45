"""Frames of the sliders: the curves that they draw, and axes that stay."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from featurebook.papers.icl_scale import noise, pictures
from featurebook.papers.icl_scale import regression as reg

LAM = reg.spectrum("1/i", 4)


def test_risks_by_rank_against_single_ones() -> None:
    risks = pictures.by_rank(LAM, 20, 8, 0.5, 0.25)
    last = noise.mean_flip_risk(LAM, reg.optimum(LAM, 20, 4), 8, 0.5, 0.25)
    assert risks[0] == pytest.approx(LAM.sum())
    assert risks[4] == pytest.approx(last)


def test_frame_of_a_flip_rate_marks_its_best_rank() -> None:
    for p, best in ((0.0, 4), (1.0, 0)):
        fig = pictures.flip_frame(LAM, 20, 16, p)
        (ax,) = fig.axes
        assert f"best rank {best}" in ax.get_title()
        assert ax.get_ylim() == (0, pytest.approx(1.05 * pictures.by_rank(LAM, 20, 16, 0, 1).max()))
    plt.close("all")


def test_panel_has_a_noise_level_each_and_splits_the_risk() -> None:
    fig = pictures.panel_frame(LAM, 20, 16, [0.0, 2.0], 5.0)
    assert [ax.get_title().splitlines()[0] for ax in fig.axes] == ["σ = 0", "σ = 2"]
    for ax in fig.axes:
        missed, let_in, risk = (np.asarray(line.get_ydata()) for line in ax.lines[:3])
        np.testing.assert_allclose(missed + let_in, risk)
        assert ax.get_ylim() == (0, 5)
    plt.close("all")
