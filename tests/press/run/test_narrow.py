"""The drawing of a wide figure for a phone: letters of nine pixels, panels below each other."""

import re
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from featurebook import figures
from featurebook.press.run import narrow

PHONE = 342
"""Pixels of a figure on a phone 390 pixels wide."""


@pytest.fixture(autouse=True)
def house_style():
    with mpl.rc_context():
        figures.use_house_style()
        yield
        plt.close("all")


def frames(figure: Figure) -> np.ndarray:
    """Left, bottom, right and top of all axes in pixels, (A, 4)."""
    narrow.stack(figure)
    figure.draw_without_rendering()
    return np.array([ax.get_window_extent().extents for ax in figure.axes])


def test_a_figure_that_fits_has_no_other_drawing():
    figure, _ = plt.subplots(figsize=(figures.NARROW, 3))
    assert narrow.as_narrow_svg(figure) is None


def test_the_smallest_letters_are_nine_pixels_on_a_phone():
    figure, ax = plt.subplots()
    ax.plot([1, 2])
    svg = narrow.as_narrow_svg(figure)
    assert svg is not None
    width = float(re.search(r'width="([\d.]+)pt"', svg)[1])
    assert figures.SMALLEST * PHONE / width > 9
    assert figure.get_figwidth() == figures.WIDTH, "the figure itself stays as it was"


def test_labels_of_bars_and_formats_of_ticks_are_drawn_too():
    figure, ax = plt.subplots()
    ax.bar_label(ax.bar(["a", "b"], [1, 2]), label_type="center")
    ax.yaxis.set_major_formatter(lambda x, place: f"{x:.0f} loops")
    svg = narrow.as_narrow_svg(figure)
    assert svg is not None
    assert "<!-- 2 loops -->" in svg


def test_two_panels_go_below_each_other_and_both_name_their_axes():
    figure, (left, right) = plt.subplots(1, 2, sharey=True)
    left.set_ylabel("risk")
    high = figure.get_figheight()
    above, below = frames(figure)
    assert above[1] > below[3]
    assert above[0] == pytest.approx(below[0], abs=1)
    assert right.get_ylabel() == "risk"
    assert any(label.get_visible() for label in right.get_yticklabels())
    assert figure.get_figheight() == pytest.approx(2 * high)


def test_a_panel_takes_no_name_of_an_axis_that_it_does_not_share():
    figure, (left, right) = plt.subplots(1, 2)
    left.set_ylabel("points gained")
    right.plot([0.1, 0.8])
    frames(figure)
    assert right.get_ylabel() == ""


def test_columns_that_are_headed_stay_together():
    figure, axes = plt.subplots(2, 2, sharex=True, sharey="row")
    for ax, title in zip(axes[0], ("ours", "print"), strict=True):
        ax.set_title(title)
    axes[1, 0].set_ylabel("loss")
    tops = frames(figure)[:, 3]
    assert tops[0] > tops[2] > tops[1] > tops[3]
    assert axes[1, 1].get_ylabel() == "loss"


def test_rows_without_heads_stay_rows_and_get_names_below():
    figure, axes = plt.subplots(2, 2, sharex=True)
    axes[1, 0].set_xlabel("step")
    tops = frames(figure)[:, 3]
    assert tops.tolist() == sorted(tops, reverse=True)
    assert axes[0, 0].get_xlabel() == "step"


def test_four_small_panels_become_two_rows():
    figure, _ = plt.subplots(1, 4)
    found = frames(figure)
    assert len(set(found[:, 1].round())) == 2
    assert len(set(found[:, 0].round())) == 2


def test_pictures_without_ticks_stay_side_by_side():
    figure, axes = plt.subplots(2, 8)
    for ax in axes.flat:
        ax.set_axis_off()
    assert len(set(frames(figure)[:, 0].round())) == 8


def test_twins_and_colour_bars_go_with_their_panel():
    figure, (left, right) = plt.subplots(1, 2)
    twin = right.twinx()
    figure.colorbar(left.imshow([[0, 1], [1, 0]]), ax=left)
    found = dict(zip(figure.axes, frames(figure), strict=True))
    assert found[twin].tolist() == found[right].tolist()
    bar = next(ax for ax in figure.axes if ax not in (left, right, twin))
    middle = (found[bar][1] + found[bar][3]) / 2
    assert found[left][1] < middle < found[left][3]


def test_axes_that_were_put_by_hand_stay_where_they_are():
    figure = plt.figure(layout="none")
    figure.add_axes((0.1, 0.2, 0.3, 0.7))
    figure.add_axes((0.6, 0.2, 0.3, 0.7))
    found = frames(figure)
    assert found[0, 1] == found[1, 1]


def test_long_names_of_ticks_lean_and_a_long_legend_has_several_rows():
    figure, ax = plt.subplots()
    names = [f"a name that is long {k}" for k in range(5)]
    for name in names:
        ax.bar([name], [1], label=name)
    figure.legend(loc="outside lower center", ncols=5)
    ax.legend(ncols=3)
    narrow.stack(figure)
    figure.draw_without_rendering()
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {narrow.LEANING}
    (legend,) = figure.legends
    for one, room in ((legend, figure.bbox), (ax.get_legend(), ax.bbox)):
        assert one.get_window_extent().width <= room.width
        assert [text.get_text() for text in one.get_texts()] == names


def test_rows_of_pictures_keep_the_height_that_their_names_need():
    figure, axes = plt.subplots(3, 6, figsize=(figures.WIDTH, 3.9))
    for k, row in enumerate(axes):
        row[0].set_ylabel(f"k = {k}, key")
    for ax in axes.flat:
        ax.set(xticks=[], yticks=[])
    narrow.stack(figure)
    figure.draw_without_rendering()
    names = [row[0].yaxis.label.get_window_extent() for row in axes]
    assert all(above.y0 > below.y1 for above, below in pairwise(names))


def test_pictures_whose_titles_need_the_room_go_below_each_other():
    figure, axes = plt.subplots(1, 3, figsize=(figures.WIDTH, 2.9))
    for ax in axes:
        ax.set(xticks=[], yticks=[], title="a title of some length")
    lefts = frames(figure)[:, 0]
    assert len(set(lefts.round())) == 1


def test_the_figure_keeps_its_own_long_legend():
    figure, ax = plt.subplots(layout="constrained")
    for k in range(5):
        ax.plot([k, 1], label=f"a rather long name of line {k}")
    figure.legend(loc="outside lower center", ncols=5)
    assert narrow.as_narrow_svg(figure) is not None
    (legend,) = figure.legends
    assert legend._ncols == 5
