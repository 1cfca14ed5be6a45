"""The numbers of a figure: what is drawn is what the table says."""

import io

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.pylabtools import select_figure_formats
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.press.run import figure_data


def table(figure: Figure) -> pd.DataFrame:
    text = figure_data.as_csv(figure)
    assert text is not None
    return pd.read_csv(io.StringIO(text), keep_default_na=True)


def test_lines_keep_their_label_panel_and_numbers():
    left, right = Figure().subplots(1, 2)
    left.set_title("ours")
    left.loglog([1, 10], [3.25, 4], label="mean")
    right.plot([0, 1, 2], [5, 6, 7])
    found = table(left.figure)
    assert list(found) == list(figure_data.COLUMNS)
    one = found[found.panel == "1 ours"]
    assert one.series.tolist() == ["mean", "mean"]
    assert one[["x", "y"]].to_numpy().tolist() == [[1, 3.25], [10, 4]]
    two = found[found.panel.astype(str) == "2"]
    assert two.series.isna().all()
    assert two.y.tolist() == [5, 6, 7]


@pytest.mark.parametrize(
    ("label", "written"),
    [("=1+1", "'=1+1"), ("@home", "'@home"), ("+cmd", "'+cmd"), ("-1.5", "-1.5"), ("a=b", "a=b")],
)
def test_no_label_is_a_formula_to_a_spreadsheet(label, written):
    ax = Figure().subplots()
    ax.plot([0, 1], [0, 1], label=label)
    assert table(ax.figure).series.astype(str).tolist() == [written] * 2


def test_a_line_across_the_panel_has_one_coordinate():
    ax = Figure().subplots()
    ax.axhline(0.7)
    found = table(ax.figure)
    assert found.x.isna().all()
    assert set(found.y) == {0.7}


def test_points_bars_intervals_areas_and_steps():
    ax = Figure().subplots()
    ax.scatter([1, 2], [3, 4], c=[0.5, 0.25])
    ax.bar([0], [2.5], width=1, label="share")
    ax.vlines([4, 5], [0, 1], [2, 3])
    ax.fill_between([0, 1], [0, 0], [1, 2])
    ax.stairs([7, 8], [0, 1, 3])
    found = dict(list(table(ax.figure).groupby("kind")))
    assert found["points"][["x", "y", "value"]].to_numpy().tolist() == [[1, 3, 0.5], [2, 4, 0.25]]
    assert found["bar"][["x", "y"]].to_numpy().tolist() == [[-0.5, 0], [0.5, 2.5]]
    assert found["bar"].series.tolist() == ["share", "share"]
    assert found["interval"].part.tolist() == [1, 1, 2, 2]
    assert found["interval"][["x", "y"]].to_numpy().tolist() == [[4, 0], [4, 2], [5, 1], [5, 3]]
    assert {(1.0, 2.0), (0.0, 1.0)} <= set(zip(found["area"].x, found["area"].y, strict=True))
    assert found["steps"].x.tolist() == [0, 1, 3]
    assert found["steps"].y.tolist()[:2] == [7, 8]


@pytest.mark.parametrize("origin", ["upper", "lower"])
def test_a_map_says_what_each_place_shows(origin):
    ax = Figure().subplots()
    shown = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    ax.imshow(shown, origin=origin)
    for _, row in table(ax.figure).iterrows():
        assert shown[int(row.y), int(row.x)] == row.value


def test_a_mesh_is_given_at_its_centres():
    ax = Figure().subplots()
    ax.pcolormesh([0, 1, 2], [0, 2], np.array([[8.0, 9.0]]))
    found = table(ax.figure)
    assert found[["x", "y", "value"]].to_numpy().tolist() == [[0.5, 1, 8], [1.5, 1, 9]]


def test_photographs_words_and_crowds_have_no_table():
    figure = Figure()
    ax = figure.subplots()
    ax.imshow(np.zeros((2, 2, 3)))
    ax.text(0, 0, "words")
    assert figure_data.as_csv(figure) is None
    ax.plot(np.zeros(figure_data.LARGEST + 1))
    assert figure_data.as_csv(figure) is None


def test_the_colour_bar_is_no_panel():
    figure = Figure()
    ax = figure.subplots()
    figure.colorbar(ax.imshow(np.ones((2, 2))))
    assert len(table(figure)) == 4


def test_the_kernel_gives_every_figure_its_numbers_and_the_notebook_keeps_them_aside():
    shell = InteractiveShell()
    figure_data.load_ipython_extension(shell)
    select_figure_formats(shell, {"svg"})  # as the house style does, after the kernel's start
    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    data, _ = shell.display_formatter.format(figure)
    assert data["text/csv"].startswith("panel,series,kind,part,x,y,value\n1,,line,1,1,3,")
    assert "text/csv" not in shell.display_formatter.format("words")[0]
    styled = shell.display_formatter.format(pd.DataFrame({"a": [1]}).style)[0]
    assert " at 0x" not in styled["text/plain"]

    style = {"mystnb": {"figure": {"name": "toy-fig-a"}}}
    shown = new_output("display_data", data)
    notebook = new_notebook(cells=[new_code_cell("x", outputs=[shown], metadata=style)])
    figure_data.keep_aside(notebook)
    assert "text/csv" not in shown.data
    assert figure_data.of_notebook(notebook) == {"toy-fig-a": data["text/csv"]}
