"""Live figures in a notebook: a picture, and what the site needs kept aside."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel, written
from featurebook.papers.universality_tradeoff.live import WHO_PAYS
from featurebook.press import show
from featurebook.press.run import figure_data, living


def parabola(a: float, n: int) -> dict:
    return {"x": [0, 1, n], "y": [0, a, a * n], "top": a * n, "here": n}


LIVE = Live(
    parabola,
    (Handle("a", "slope a", 0.1, 10, 1, log=True), Handle("n", "end n", 1, 9, 2, whole=True)),
    (
        Panel(
            Axis("x", 0, 9),
            Axis("y", 0, 9),
            (
                Layer("x", "y", "line"),
                Layer("x", "y", "bars", "bars"),
                Layer("here", "top", "end", "points"),
            ),
            drag="n",
        ),
    ),
    (Fact("top", "highest"),),
)


def test_the_picture_is_that_of_the_start():
    shown = show.live(LIVE, a=2)
    (axes,) = shown.figure.axes
    assert list(axes.lines[0].get_ydata()) == [0, 2, 4]
    assert axes.get_xlim() == (0, 9)
    assert "slope a = 2 · end n = 2" in shown.figure.get_suptitle()
    assert "highest: 4" in shown.figure.get_suptitle()


@pytest.mark.parametrize(
    ("given", "said"),
    [({"b": 1}, "no handle b; there are a, n"), ({"a": 11}, "a = 11, but it goes from 0.1 to 10")],
)
def test_an_invalid_start_is_refused(given, said):
    with pytest.raises(ValueError, match=said):
        show.live(LIVE, **given)


def test_the_notebook_keeps_the_formula_aside():
    shell = InteractiveShell.instance()
    figure_data.load_ipython_extension(shell)
    data, _ = shell.display_formatter.format(show.live(WHO_PAYS, s=7))
    assert {"image/svg+xml", "text/csv", living.MIME} <= set(data)
    output = new_output("execute_result", data=data)
    named = {"mystnb": {"figure": {"name": "toy-fig-live"}}}
    notebook = new_notebook(cells=[new_code_cell(outputs=[output], metadata=named)])
    figure_data.keep_aside(notebook)
    assert living.MIME not in output.data
    told = figure_data.lives(notebook)["toy-fig-live"]
    assert {h["name"]: h["start"] for h in told["handles"]}["s"] == 7
    assert told["script"] == WHO_PAYS.script.read_text(encoding="utf-8")
    assert "risk of the probe" in figure_data.of_notebook(notebook)["toy-fig-live"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.12345, "0.1235"),
        (1234567.0, "1.235·10⁶"),
        (-0.00001234, "−1.234·10⁻⁵"),
        (9999.96, "10000"),
        (-1e30, "−10³⁰"),
        (float("inf"), "∞"),
        (float("nan"), "none"),
    ],
)
def test_numbers_are_written_in_four_digits(value, said):
    assert written(value) == said
