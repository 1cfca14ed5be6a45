"""Verification: a notebook's numbers against those of another execution of it."""

import math
import shutil

import nbformat
import pytest
from typer.testing import CliRunner

from featurebook import cli
from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import execute, freshness, parameters, verify
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
        "toy-1 outcome", "toy-1 samples", "toy-1 mean", "toy-1 high", "toy-1 b_largest_difference",
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


def test_other_words_never_agree(tmp_path):
    a = notebook(tmp_path / "a.ipynb")
    b = notebook(tmp_path / "b.ipynb", outcome="refuted", printed="b is 1.5")
    assert differences(a, b) == {"toy-1 outcome": math.inf, "cell 2, output 1": math.inf}


def test_what_is_missing_does_not_agree(tmp_path):
    a, b = notebook(tmp_path / "a.ipynb"), tmp_path / "b.ipynb"
    nbformat.write(v4.new_notebook(), b)
    assert set(differences(a, b).values()) == {math.inf}
    assert len(differences(b, a)) == 7


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


def test_what_is_no_notebook_is_refused(book, tmp_path):
    (tmp_path / "a.ipynb").write_text("{")
    for name in ("a.ipynb", "nowhere.ipynb"):
        with pytest.raises(BookError, match="no notebook that can be read"):
            verify.again(tmp_path / name, book)


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

    def pretend(jobs, workers, watch):
        jobs[0].output.parent.mkdir(parents=True)
        notebook(jobs[0].output, mean=0.25 * (1 + change), about=about(toy))
        return [State(jobs[0], "done", seconds=1.0)]

    monkeypatch.setattr(execute, "execute_all", pretend)
    result = CliRunner().invoke(cli.app, ["verify", str(path), "--tolerance", tolerance])
    assert result.exit_code == code, result.output
    agreeing = 5 if code else 7
    assert f"{agreeing} of 7 agree to {float(tolerance):g}" in result.output
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
