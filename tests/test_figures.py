"""The house style: distinct colours, the same bytes for the same figure."""

import io

import matplotlib as mpl
import pytest
import torch
from matplotlib.figure import Figure

from featurebook import compare, figures


@pytest.fixture(autouse=True)
def _own_settings():
    with mpl.rc_context():
        yield


def drawn():
    figure = Figure()
    ax = figure.subplots()
    ax.plot([1, 2], [3, 4], label="a")
    ax.fill_between([1, 2], [0, 1], [3, 4], clip_on=True)
    ax.plot([1], [2], **figures.PAPER)
    raw = io.BytesIO()
    figure.savefig(raw, format="svg", metadata={"Date": None})
    return raw.getvalue()


def test_the_same_figure_gives_the_same_bytes():
    figures.use_house_style()
    assert drawn() == drawn()


def test_each_concept_has_a_colour_of_its_own():
    found = figures.colours("normal", "semantic", "non-semantic")
    assert list(found) == ["normal", "semantic", "non-semantic"]
    assert len(set(found.values())) == 3
    assert found == figures.colours("normal", "semantic", "non-semantic")
    assert figures.colours("normal")["normal"] == found["normal"]


def test_more_concepts_than_one_can_tell_apart_are_refused():
    names = [f"k{k}" for k in range(10)]
    assert len(set(figures.colours(*names).values())) == 10
    with pytest.raises(ValueError, match="11 concepts"):
        figures.colours(*names, "one more")


def test_panels_are_lettered():
    axes = Figure().subplots(1, 3)
    figures.label_panels(axes)
    assert [ax.get_title(loc="left") for ax in axes] == ["(a)", "(b)", "(c)"]


def test_styles_tell_apart_without_colour():
    found = figures.styles("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
    assert len({(s["linestyle"], s["marker"]) for s in found.values()}) == 10
    assert found["b"]["color"] == figures.colours("a", "b")["b"]


@pytest.mark.parametrize(("centre", "middle"), [("mean", [2.0, 5.0]), ("median", [1.0, 4.0])])
def test_a_band_is_the_middle_and_the_range(centre, middle):
    ax = Figure().subplots()
    y = torch.tensor([[0.0, 1.0, 5.0], [3.0, 4.0, 8.0]])
    drawn = figures.band(ax, [1, 2], y, label="runs", centre=centre, color="red")
    assert (list(drawn.get_ydata()), drawn.get_label()) == (middle, "runs")
    heights = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (0, 8)
    figures.band(ax, [1, 2], [7.0, 8.0])  # one run


def test_printed_numbers_stand_beside_ours():
    ax = Figure().subplots()
    cells = compare.beside({"a": 1.0, "b": 9.0}, {"a": [0.9, 1.1], "b": [5.0]})
    figures.beside(ax, cells)
    assert [t.get_text() for t in ax.get_xticklabels()] == ["a", "b"]
    assert [str(t) for t in ax.get_legend_handles_labels()[1]] == ["paper", "ours"]
    assert list(ax.lines[-1].get_ydata()) == [1.0, 9.0]
    figures.beside(ax, cells, at=[0.2, 1.2], label="other", paper=None)
    assert ax.get_legend_handles_labels()[1] == ["paper", "ours", "other"]


def test_bounds_have_the_style_that_judges_them():
    ax = Figure().subplots()
    figures.bound(ax, [1, 2], {"exact": [1, 2], "printed": [0, 1], "ours": [3, 4]}, lw=1)
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--", "-."]
    assert ax.lines[1].get_color() == figures.JUDGED["printed"]
    assert len({line.get_color() for line in ax.lines}) == 3


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_labels_of_lines_do_not_touch(scale):
    figure = Figure(figsize=(5, 3), layout="constrained")
    ax = figure.subplots()
    for k, end in enumerate([1.0, 1.01, 1.02, 50.0]):
        ax.plot([1, 2, 3], [1, 1, end], label=f"line {k}")
    ax.plot([1, 2], [1, 1], label="_hidden")
    ax.plot([1, 2, 3], [1, 2, float("nan")], label="broken off")
    ax.set_yscale(scale)
    figures.label_lines(ax)
    figure.draw_without_rendering()
    assert [t.get_text() for t in ax.texts] == [f"line {k}" for k in range(4)] + ["broken off"]
    boxes = [t.get_window_extent() for t in ax.texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i] if a.x0 == b.x0)
    assert [t.get_color() for t in ax.texts[:4]] == [line.get_color() for line in ax.lines[:4]]


def test_a_label_keeps_its_height_beside_lines_that_end_elsewhere():
    ax = Figure(figsize=(5, 3), layout="constrained").subplots()
    ax.plot([0, 1, 9], [1, 1, 1], label="long")
    ax.plot([0, 1], [1, 1.01], label="short")
    figures.label_lines(ax)
    assert [t.get_position()[1] for t in ax.texts] == pytest.approx([0, 0], abs=1e-6)


def test_the_label_of_a_line_that_ends_early_stands_beside_the_line_that_goes_on():
    figure = Figure(figsize=(5, 3), layout="constrained")
    ax = figure.subplots()
    ax.plot([0, 4, 9], [1, 1, 2], label="long")
    ax.plot([0, 3], [1.5, 1], label="short")
    figures.label_lines(ax)
    figure.draw_without_rendering()
    level = ax.transData.transform((3.2, 1))[1]
    _, box = (t.get_window_extent() for t in ax.texts)
    assert not box.y0 < level < box.y1
    assert abs((box.y0 + box.y1) / 2 - level) < 2 * box.height


def test_no_lines_no_labels():
    ax = Figure().subplots()
    figures.label_lines(ax)
    assert not ax.texts


def test_labels_of_several_lines_are_told_apart():
    figure = Figure(figsize=(5, 3), layout="constrained")
    ax = figure.subplots()
    for k, name in enumerate(["mean\ncosine", "features\ncovered", "one"]):
        ax.plot([1, 2], [0, 1 + 0.01 * k], label=name)
    figures.label_lines(ax)
    figure.draw_without_rendering()
    low, middle, high = (t.get_window_extent() for t in ax.texts)
    assert middle.y0 - low.y1 > 0.25 * low.height  # half a line
    assert high.y0 > middle.y1


def test_no_letter_that_is_shown_is_tiny():
    figure = Figure(figsize=(5, 3))
    ax = figure.subplots()
    ax.plot([1], [2], label="a")
    ax.set_xticks([1], ["one"], fontsize=7)
    ax.set_title("large", fontsize=14)
    ax.legend(fontsize=8)
    assert figures.legible(figure) is figure
    figure.draw_without_rendering()
    assert ax.get_xticklabels()[0].get_fontsize() == figures.SMALLEST
    assert ax.get_legend().get_texts()[0].get_fontsize() == figures.SMALLEST
    assert ax.title.get_fontsize() == 14


def test_labels_over_lines_have_a_rim_and_those_on_colours_none():
    figure = Figure(figsize=(5, 3))
    lines, image = figure.subplots(1, 2)
    image.imshow([[0, 1]])
    texts = [ax.text(0, 0, "a", color=c) for ax in (lines, image) for c in ("black", "white")]
    figures.legible(figure)
    assert [bool(text.get_path_effects()) for text in texts] == [True, False, False, False]
