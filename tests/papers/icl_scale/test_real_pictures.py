"""What the figures of language models draw."""

from collections.abc import Iterator

import matplotlib.pyplot as plt
import numpy as np
import pytest

from featurebook.papers.icl_scale import printed, real_pictures


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def test_a_panel_for_each_data_set_and_the_average() -> None:
    table = printed.figures().loc["5.2"]
    axes = real_pictures.published(table).axes
    assert [ax.get_title() for ax in axes] == [
        "QQP", "RTE", "SST-2", "Subj", "WNLI", "average"
    ]  # fmt: skip
    largest = axes[2].lines[3]
    assert largest.get_label() == "70 B"
    assert list(largest.get_ydata()) == [95.8, 94.4, 85.2, 37.3, 10.5]


def test_intervals_of_accuracies_stay_between_0_and_100() -> None:
    table = printed.figures().loc["5.2"].xs("SST-2", level="dataset")
    found = np.array([[1.0, 0.5], [0.9, 0.5]])
    (ax,) = real_pictures.flips(table, [0.0, 1.0], found, "ours").axes
    middle, caps, _ = ax.containers[0]
    np.testing.assert_allclose(middle.get_ydata(), [95, 50])
    assert max(cap.get_ydata().max() for cap in caps) == 100


def test_norms_by_order_part_and_label() -> None:
    rows = np.arange(2 * 3 * 2 * 4, dtype=float).reshape(2, 3, 2, 4)
    first, second = real_pictures.attention(rows).axes
    drawn = [line.get_ydata() for line in first.lines if len(line.get_ydata())]
    np.testing.assert_array_equal(drawn[1], rows[0, :, 0, 1])
    assert second.get_title() == "irrelevant first"


def test_a_cut_model_is_drawn_at_its_rank() -> None:
    cut = {8: np.array([[0.5, 0.6]])}
    above, below = real_pictures.ranks(np.full((3, 2), 40), 64, np.array([[0.9, 0.7]]), cut).axes
    np.testing.assert_allclose(below.lines[0].get_xydata(), [[8, 50], [64, 90]])
    assert len(above.lines[0].get_xdata()) == 3
