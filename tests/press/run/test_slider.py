"""Sliders: one picture for each value, their numbers in one table."""

import csv
import io

import pytest
from IPython.core.interactiveshell import InteractiveShell
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.figures import legible
from featurebook.press import show
from featurebook.press.run import figure_data, slider


def draw(slope: float) -> Figure:
    figure, ax = plt.subplots(num=f"of {slope}")
    ax.plot([0, 1], [0, slope], label="line")
    return figure


def test_each_value_has_its_picture_and_its_numbers():
    shown = show.slider(draw, [0.5, 2, 3], label="gain κ", start=1)
    assert shown.values == ["0.5", "2", "3"]
    assert len(set(shown.frames)) == 3
    assert shown._repr_svg_() == shown.frames[1]
    assert all(frame.count("<svg") == 1 for frame in shown.frames)
    assert not plt.get_fignums()
    rows = list(csv.DictReader(io.StringIO(figure_data.slider_as_csv(shown))))
    assert [row["panel"] for row in rows[::2]] == [f"gain κ = {v}: 1" for v in ("0.5", "2", "3")]
    assert [float(row["y"]) for row in rows] == [0, 0.5, 0, 2, 0, 3]


def test_the_same_values_give_the_same_bytes():
    with plt.rc_context({"svg.hashsalt": "featurebook"}):  # as the house style sets it
        first, again = (show.slider(draw, [1, 2], label="s").as_dict() for _ in range(2))
    assert first == again


@pytest.mark.parametrize("dpi", ["figure", 160])
def test_a_frame_is_what_matplotlib_saves(dpi):
    def heat(scale: float) -> Figure:
        figure, (left, right) = plt.subplots(1, 2, layout="constrained", figsize=(5, 2))
        shown = left.imshow([[0, scale], [scale, 1]], rasterized=True)
        figure.colorbar(shown, ax=left)
        right.loglog([1, 10], [1, scale], label=r"$\alpha$")
        right.legend()
        return figure

    with plt.rc_context({"svg.hashsalt": "featurebook", "savefig.dpi": dpi}):
        shown = show.slider(heat, [2, 30], label="s")
        for scale, frame in zip((2, 30), shown.frames, strict=True):
            text = io.StringIO()
            legible(heat(scale)).savefig(text, format="svg", metadata={"Date": None})
            plt.close("all")
            assert text.getvalue() == frame


@pytest.mark.parametrize(
    ("values", "start", "said"),
    [
        ([1], 0, "1 values, but a slider has 2 to 40"),
        (range(41), 0, "41 values, but a slider has 2 to 40"),
        ([1, 2], 2, "start = 2, but there are 2 values"),
        ([1, 1.00001], 0, "equal values among 1, 1"),
    ],
)
def test_invalid_sliders_are_refused(values, start, said):
    with pytest.raises(ValueError, match=said):
        show.slider(lambda _: Figure(), values, label="s", start=start)


def test_the_notebook_keeps_the_pictures_aside():
    shell = InteractiveShell.instance()
    figure_data.load_ipython_extension(shell)
    data, _ = shell.display_formatter.format(show.slider(draw, [1, 2], label="s"))
    assert {"image/svg+xml", "text/csv", slider.MIME} <= set(data)
    output = new_output("execute_result", data=data)
    named = {"mystnb": {"figure": {"name": "toy-fig-slope"}}}
    notebook = new_notebook(cells=[new_code_cell(outputs=[output], metadata=named)])
    figure_data.keep_aside(notebook)
    assert slider.MIME not in output.data
    assert figure_data.sliders(notebook)["toy-fig-slope"]["values"] == ["1", "2"]
    assert "s = 2: 1" in figure_data.of_notebook(notebook)["toy-fig-slope"]
