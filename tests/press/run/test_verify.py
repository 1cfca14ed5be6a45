"""Verification: a notebook's numbers against those of another execution of it."""

import base64
import io
import math
import shutil

import nbformat
import pytest
from PIL import Image
from rich.console import Console
from typer.testing import CliRunner

from featurebook import cli
from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import execute, freshness, parameters, slider, verify, workers
from featurebook.press.run.job import Job, State
from featurebook.verdicts import MIME

v4 = nbformat.v4


def notebook(path, *, mean=0.25, outcome="holds", printed="a is 1.5", about=None, rounding=0.0):
    verdict = {
        "claim": "toy-1", "outcome": outcome, "measured": "said", "samples": 10,
        "numbers": {"mean": mean, "high": "inf", "b_largest_difference": rounding},
        "cells": [{"label": "row 1", "ours": 2 * mean}],
    }  # fmt: skip
    stream = v4.new_output("stream", text=printed)
    clock = v4.new_code_cell("clock", outputs=[v4.new_output("stream", text=str(path))])
    clock.metadata.tags = ["nbval-ignore-output"]
    result = v4.new_output("execute_result", {MIME: verdict, "text/plain": f"said {path}"})
    made = v4.new_notebook(cells=[
        v4.new_markdown_cell("words"), v4.new_code_cell("a", outputs=[stream, result]), clock,
    ])  # fmt: skip
    if about is not None:
        made.metadata[freshness.METADATA] = about
    nbformat.write(made, path)
    return path


def differences(a, b):
    return {c.what: c.difference for c in verify.compare(a, b) if c.difference}


def test_every_outcome_number_and_print_is_compared(tmp_path):
    a, b = notebook(tmp_path / "a.ipynb"), notebook(tmp_path / "b.ipynb")
    assert {c.what for c in verify.compare(a, b)} == {
        "toy-1 outcome", "toy-1 sentence", "toy-1 samples", "toy-1 mean", "toy-1 high",
        "toy-1 b_largest_difference",
        "toy-1 row 1", "cell 2, output 1",
    }  # fmt: skip
    assert differences(a, b) == {}


def test_by_how_much_numbers_differ(tmp_path):
    a = notebook(tmp_path / "a.ipynb", printed="a is 1,000.5 of 0x7f12ab")
    b = notebook(tmp_path / "b.ipynb", mean=0.25 * (1 + 1e-8), printed="a is 1,001 of 0x7f12cd")
    found = differences(a, b)
    assert found == {
        "toy-1 mean": pytest.approx(1e-8), "toy-1 row 1": pytest.approx(1e-8),
        "cell 2, output 1": pytest.approx(0.5 / 1001),
    }  # fmt: skip


def test_rounding_errors_differ_by_what_they_differ(tmp_path):
    a = notebook(tmp_path / "a.ipynb", rounding=3e-16)
    b = notebook(tmp_path / "b.ipynb", rounding=5e-16)
    assert differences(a, b) == {"toy-1 b_largest_difference": pytest.approx(2e-16)}


def test_different_words_never_agree(tmp_path):
    a = notebook(tmp_path / "a.ipynb")
    b = notebook(tmp_path / "b.ipynb", outcome="refuted", printed="b is 1.5")
    assert differences(a, b) == {"toy-1 outcome": math.inf, "cell 2, output 1": math.inf}


def test_a_missing_value_does_not_agree(tmp_path):
    a, b = notebook(tmp_path / "a.ipynb"), tmp_path / "b.ipynb"
    nbformat.write(v4.new_notebook(), b)
    assert set(differences(a, b).values()) == {math.inf}
    assert len(differences(b, a)) == 9  # with the text


def shown(path, **data):
    """A notebook with one output, such as a table or a figure."""
    kept = {"text/csv": data.pop("csv")} if "csv" in data else {}
    data = {{"html": "text/html", "svg": "image/svg+xml", "png": "image/png"}[k]: v
            for k, v in data.items()}  # fmt: skip
    output = v4.new_output("display_data", data, metadata=kept)
    nbformat.write(v4.new_notebook(cells=[v4.new_code_cell("a", outputs=[output])]), path)
    return path


SVG = '<svg viewBox="0 0 100 50"><g id="m1"><path d="M {x} 20 L 3 4" class="{c}"/></g></svg>'


LETTER = '<svg viewBox="0 0 9 9"><use xlink:href="#DejaVuSans-{}" x="1"/></svg>'
COLOUR = '<svg viewBox="0 0 9 9"><path style="fill: #{}" d="M 1 2"/></svg>'
CLIP = '<svg viewBox="0 0 9 9"><path clip-path="url(#{})" d="M 1 2"/></svg>'


def png(grey):
    file = io.BytesIO()
    Image.new("RGB", (4, 4), (grey, grey, grey)).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ({"html": "<b>refuted</b> by 2"}, {"html": "<b>holds</b> by 2"}, math.inf),
        ({"html": "<td>1</td><td>2.5</td>"}, {"html": "<td>1</td><td>2</td>"}, 0.2),
        ({"html": "<td id='T_1a2b3_row0'>1</td>"}, {"html": "<td id='T_ffff0_row0'>1</td>"}, 0),
        ({"html": "<p>error 3e-16</p>"}, {"html": "<p>error 5e-16</p>"}, 2e-16),
        ({"svg": SVG.format(x=10, c="a")}, {"svg": SVG.format(x=15, c="a")}, 0.05),
        ({"svg": SVG.format(x=10, c="a")}, {"svg": SVG.format(x=10, c="b")}, math.inf),
        ({"svg": SVG.format(x=10, c="a")}, {"svg": '<svg viewBox="0 0 100 50"></svg>'}, math.inf),
        ({"svg": SVG.replace("m1", "m2")}, {"svg": SVG}, 0),
        ({"svg": LETTER.format("4B")}, {"svg": LETTER.format("42")}, math.inf),
        ({"svg": COLOUR.format("d55e00")}, {"svg": COLOUR.format("0072b2")}, math.inf),
        ({"svg": CLIP.format("p0123456789")}, {"svg": CLIP.format("pabcdef6789")}, 0),
        ({"png": png(0)}, {"png": png(51)}, 0.15),  # three colours of four channels, a fifth each
        ({"png": png(0)}, {"html": "<p>blank</p>"}, math.inf),
        ({"svg": "<svg/>", "csv": "x\n1.0\n"}, {"svg": "<svg/>", "csv": "x\n2.0\n"}, 0.5),
    ],
)
def test_what_a_reader_sees_is_compared(tmp_path, before, now, expected):
    a, b = shown(tmp_path / "a.ipynb", **before), shown(tmp_path / "b.ipynb", **now)
    found = max(differences(a, b).values(), default=0)
    assert found == (pytest.approx(expected) if math.isfinite(expected) else expected)


def test_the_text_is_compared(tmp_path):
    a, b = tmp_path / "a.ipynb", tmp_path / "b.ipynb"
    for path, text in ((a, "It is refuted."), (b, "It holds.")):
        nbformat.write(v4.new_notebook(cells=[v4.new_markdown_cell(text)]), path)
    assert differences(a, b) == {"cell 1, text": math.inf}
    assert differences(a, a) == {}


def test_each_picture_of_a_slider_is_compared(tmp_path):
    paths = tmp_path / "a.ipynb", tmp_path / "b.ipynb"
    for path, last in zip(paths, (30, 35), strict=True):
        carried = {slider.MIME: {"frames": [SVG.format(x=x, c="a") for x in (10, 20, last)]}}
        output = v4.new_output("display_data", {"image/svg+xml": SVG}, metadata=carried)
        nbformat.write(v4.new_notebook(cells=[v4.new_code_cell("a", outputs=[output])]), path)
    name = "cell 1, output 1, slider's picture 3"
    assert differences(*paths) == {name: pytest.approx(0.05)}


def test_a_picture_inside_a_drawing_is_compared_by_its_pixels(tmp_path):
    drawing = '<svg viewBox="0 0 9 9"><image xlink:href="data:image/png;base64,\n{}"/></svg>'
    a = shown(tmp_path / "a.ipynb", svg=drawing.format(png(0)))
    b = shown(tmp_path / "b.ipynb", svg=drawing.format(png(51)))
    assert list(differences(a, b).values()) == [pytest.approx(0.15)]


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


def about(toy, **more):
    values = parameters.final_values(toy)
    return {
        "chapter": "toy/story", "scale": "quick", "parameters": values, "seconds": 1,
        "started": "then",
        "key": freshness.key(toy, values),
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (None, "was not executed by featurebook run"),
        ({"chapter": "gone"}, "no part or chapter 'gone'"),
        ({"parameters": {"d": 3}}, "ran before the chapter had eps, rule"),
        ({"parameters": {"dd": 3}}, "unknown parameter 'dd'"),
    ],
)
def test_a_notebook_that_cannot_be_repeated_is_refused(book, toy, tmp_path, more, message):
    path = notebook(tmp_path / "a.ipynb", about=more if more is None else about(toy, **more))
    with pytest.raises(BookError, match=message):
        verify.again(path, book)


def test_what_changed_since_is_said(book, toy, tmp_path):
    key = about(toy)["key"] | {"versions": "torch 0", "code": "0"}
    path = notebook(tmp_path / "a.ipynb", about=about(toy, key=key))
    job, before = verify.again(path, book)
    assert verify.changed_since(before, job) == ["code", "versions"]


@pytest.mark.parametrize(
    ("change", "tolerance", "code"), [(0.0, "0", 0), (1e-8, "1e-6", 0), (1e-8, "1e-9", 1)]
)
def test_the_exit_code_says_whether_it_agrees(toy, tmp_path, monkeypatch, change, tolerance, code):
    path = notebook(tmp_path / "a.ipynb", about=about(toy))

    def pretend(jobs, workers, watch, *_):
        assert jobs[0].output.parent == toy.root / "_build" / "verify"
        notebook(jobs[0].output, mean=0.25 * (1 + change), about=about(toy))
        return [State(jobs[0], "done", seconds=1.0)]

    monkeypatch.setattr(workers, "execute_all", pretend)
    result = CliRunner().invoke(cli.app, ["verify", str(path), "--tolerance", tolerance])
    assert result.exit_code == code, result.output
    agreeing = 6 if code else 8
    assert f"{agreeing} of 8 agree to {float(tolerance):g}" in result.output
    assert "toy-1 mean" in result.stdout


def test_a_real_execution_is_verified_and_a_clock_is_not(toy, tmp_path):
    made = tmp_path / "a.ipynb"
    execute.execute(Job(toy, parameters.final_values(toy, settings=["d=31"]), "quick", made))
    result = CliRunner().invoke(cli.app, ["verify", str(made)])
    assert result.exit_code == 0, result.output
    assert "2 of 2 agree to 1e-06; 2 are equal" in result.stdout

    text = toy.notebook.read_text(encoding="utf-8")
    toy.notebook.write_text(text.replace("1 / (d - 13)", "__import__('time').time()"))
    shutil.rmtree(toy.root / "_build")
    result = CliRunner().invoke(cli.app, ["verify", str(made)])
    assert result.exit_code == 1
    assert "changed since: cells" in result.stdout
    assert "1 of 2 agree" in result.stderr


@pytest.mark.parametrize(
    ("before", "now", "apart"),
    [
        ("at most 2·10⁻¹⁵ apart", "at most 2.1·10⁻¹⁵ apart", 1e-16),
        ("2.0·10⁶ steps", "2.1·10⁶ steps", 0.1 / 2.1),
        ("2·10⁻¹⁵", "2·10⁻³", 1.0),
    ],
)
def test_powers_in_sentences_are_numbers(before, now, apart):
    found = verify._difference("toy sentence", {"toy sentence": before}, {"toy sentence": now})
    assert found == (pytest.approx(apart, rel=0.01), apart < 1e-9)


@pytest.mark.parametrize("tolerance", ["inf", "nan", "-1", "-inf"])
def test_a_tolerance_with_which_all_agrees_is_refused(book, tolerance):
    result = CliRunner().invoke(cli.app, ["verify", "toy", "--tolerance", tolerance])
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr


def page(path, *cells):
    """A notebook of cells of text, and of code that has printed."""
    made = [
        v4.new_markdown_cell(cell) if isinstance(cell, str)
        else v4.new_code_cell(cell[0], outputs=[v4.new_output("stream", text=cell[1])])
        for cell in cells
    ]  # fmt: skip
    nbformat.write(v4.new_notebook(cells=made), path)
    return path


FIVE = ("One\n\ntwo\n\nthree", ("a", "1"), ("b", "2"), "Four", ("c", "3"))


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (("New", *FIVE), {"new cell 1, text"}),
        ((("new", "0"), *FIVE), {"new cell 1, output 1"}),
        (FIVE[:2] + FIVE[3:], {"cell 3, output 1"}),
        (("One\n\nand\n\ntwo\n\nthree", *FIVE[1:]), {"cell 1, text"}),
        ((*FIVE[:2], ("b, edited", "2.5"), *FIVE[3:]), {"cell 3, output 1"}),
        ((*FIVE[:4], ("c", "4")), {"cell 5, output 1"}),
    ],
)
def test_cells_and_lines_are_aligned_before_they_are_compared(tmp_path, now, expected):
    a, b = page(tmp_path / "a.ipynb", *FIVE), page(tmp_path / "b.ipynb", *now)
    assert set(differences(a, b)) == expected


def test_what_is_rounding_is_said_to_be(tmp_path):
    a, b = (notebook(tmp_path / f"{x}.ipynb", rounding=x) for x in (2e-15, 2.1e-15))
    (row,) = [row for row in verify.compare(a, b) if row.difference]
    assert row.difference == pytest.approx(1e-16)
    assert "1e-16, rounding" in drawn(verify.table([row], 1e-6))
    c = notebook(tmp_path / "c.ipynb", mean=0.25 * (1 + 1e-12))
    assert not any(row.rounding for row in verify.compare(a, c) if "mean" in row.what)


def drawn(table):
    console = Console(file=io.StringIO(), width=200)
    console.print(table)
    return console.file.getvalue()


def test_a_book_that_is_read_only_is_verified_elsewhere(toy, tmp_path):
    path = notebook(tmp_path / "a.ipynb", about=about(toy))
    job, _ = verify.again(path, toy.root)
    assert job.output == toy.root / "_build" / "verify" / "a.ipynb"
    shutil.rmtree(toy.root / "_build")
    (toy.root / "_build").write_text("nobody can make a folder of that name")
    job, _ = verify.again(path, toy.root)
    assert not job.output.is_relative_to(toy.root)
    assert job.output.parent.is_dir()
    job.output.parent.rmdir()
