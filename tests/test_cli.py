"""The command: bad input is one clear line, exit code 2, and nothing is written."""

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from typer.testing import CliRunner

from conftest import TOY
from featurebook import cli, images
from featurebook.press.book import console
from featurebook.press.book.files import write_json
from featurebook.press.book.places import BookError, chapters, find_chapter, find_root
from featurebook.press.run import durations, freshness, parameters, refresh, workers
from featurebook.press.run.job import Job, State
from featurebook.press.run.parameter_table import ParameterTable
from featurebook.press.site import bind
from featurebook.verdicts import MIME


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    # The consoles look up the streams when they print, so the runner sees them; and do not wrap.
    monkeypatch.setattr(console.out, "_width", 200)
    monkeypatch.setattr(console.err, "_width", 200)


def call(*words):
    return CliRunner().invoke(cli.app, list(words))


def tree(root):
    return {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}


@pytest.fixture
def runs(book, monkeypatch):
    """The jobs that would be executed; no kernel starts."""
    found = []
    monkeypatch.chdir(book)

    def pretend(jobs, workers, watch, *_):
        found.extend(jobs)
        verdict = {"claim": "toy-theorem-1", "outcome": "holds", "measured": "1 = 1"}
        verdict |= {"numbers": {}, "samples": 1, "cells": []}
        shown = [new_output("display_data", {MIME: verdict})]
        for job in jobs:
            job.output.parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(new_notebook(cells=[new_code_cell("x", outputs=shown)]), job.output)
        states = [State(job, "done", seconds=1.0) for job in jobs]
        watch(states)
        return states

    monkeypatch.setattr(workers, "execute_all", pretend)
    return found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tyo"], "no part or chapter 'tyo'; did you mean 'toy'?"),
        (["toy", "-p", "dd=3"], "unknown parameter 'dd'; did you mean 'd'?"),
        (["toy", "-p", "d=big"], "d = 'big': must be int; allowed: 1 to 100"),
        (["toy", "-p", "d=101"], "d = 101: out of range; allowed: 1 to 100"),
        (["toy", "-p", "rule=none"], "rule = 'none': not allowed; allowed: inverse, constant"),
        (["toy", "--scale", "huge"], "no scale 'huge'; there are tiny, quick, paper"),
        (["toy", "-p", "d"], "write NAME=VALUE"),
        (["toy", "-f", "nowhere.yaml"], "nowhere.yaml: cannot be read"),
        (["toy", "-p", "d=3", "-p", "d=4"], "d is given twice"),
        (["toy", "-o", "notebooks/toy/story.py"], "must be a file name that ends in .ipynb"),
        (["toy", "-o", "notebooks/a folder.ipynb"], "must be a file name that ends in .ipynb"),
        (["toy", "-o", "\udcff.ipynb"], "choose a name of printable characters"),
        (["toy", "-o", ""], "must be a file name that ends in .ipynb"),
        (["toy", "-o", "_build/notebooks/toy/story.ipynb"], "the site shows that notebook"),
        (["toy", "-o", "notebooks/toy/mine.ipynb"], "notebooks/ has the book's sources"),
        (["toy", "-o", "_toc.yml"], "must be a file name that ends in .ipynb"),
        (["toy", "-p", "sizes=[]"], "must have at least one value"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(book, runs, words, message):
    (book / "notebooks" / "a folder.ipynb").mkdir()
    before = tree(book)
    result = call("run", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""
    assert tree(book) == before
    assert runs == []


def test_the_conditions_of_parameters_are_shown(book):
    source = find_chapter(book, "toy").notebook
    cell = '\n# %% tags=["conditions"]\nrequire(d >= max(sizes), "d >= sizes: room for all")\n'
    source.write_text(TOY + cell, encoding="utf-8")
    assert "d >= sizes: room for all" in call("show", "toy").stdout


def test_list_says_what_each_chapter_covers(book):
    result = call("list")
    assert result.exit_code == 0
    (line,) = [x for x in result.stdout.splitlines() if x.startswith("toy")]
    assert "A toy: what a chapter is made of" in line


def test_list_and_help_load_nothing_heavy():
    heavy = "{'torch', 'pandas', 'jupytext', 'papermill', 'matplotlib', 'IPython'}"
    code = (
        "import sys; from typer.testing import CliRunner; from featurebook.cli import app; "
        "r = [CliRunner().invoke(app, [x]) for x in ('list', '--help')]; "
        f"assert not any(x.exit_code for x in r); print({heavy} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


@pytest.mark.parametrize("module", ["run.workers", "run.shelved", "run.records", "claims.ledger"])
def test_who_starts_chapters_or_reads_what_they_found_loads_nothing_that_computes(module):
    heavy = "{'torch', 'scipy', 'matplotlib', 'seaborn', 'sympy', 'sklearn'}"
    code = f"import sys, featurebook.press.{module}; print({heavy} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


def test_a_package_that_is_not_installed_is_one_line(book):
    code = (
        "import sys; sys.modules['jupytext'] = None; from featurebook.cli import main; "
        "sys.argv = ['featurebook', 'run', 'toy/story']; main()"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.returncode == 2
    said = " ".join(found.stderr.split())
    assert "jupytext is not installed: pip install -e '.[press]' in the book's folder" in said
    assert "Traceback" not in said


def test_stale_says_which_chapters_are_not_fresh_and_why(book):
    result = call("list", "--stale", "toy")
    assert result.exit_code == 0
    (line,) = [x for x in result.stdout.splitlines() if x.startswith("toy")]
    assert line.rstrip().endswith("never executed")
    toy = find_chapter(book, "toy")
    notebook = nbformat.v4.new_notebook()
    notebook.metadata[freshness.METADATA] = {
        "key": freshness.key(toy, parameters.final_values(toy)),
    }
    freshness.seal(notebook)
    nbformat.write(notebook, toy.executed)
    assert "fresh" in call("list", "--stale").stdout
    (book / "notebooks" / "toy" / "story.py").write_text(TOY + "\n# %%\n1\n")
    assert "changed: text, cells" in call("list", "--stale").stdout


def test_show_has_every_parameter_and_section(book):
    result = call("show", "toy")
    assert result.exit_code == 0
    assert "The only result" in result.stdout
    for row in ParameterTable(find_chapter(book, "toy")).rows():
        (line,) = [x for x in result.stdout.splitlines() if x.startswith(f"{row[0]} ")]
        for cell in row:
            assert cell in line


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_what_show_prints_fits_the_terminal(book, monkeypatch, columns):
    monkeypatch.setattr(console.out, "_width", columns)
    result = call("show", "toy")
    assert max(map(len, result.stdout.splitlines()[:-3])) <= columns
    for name in ("d", "eps", "sizes"):
        assert [x for x in result.stdout.splitlines() if x.startswith(f"{name} ")]


def test_each_chapter_that_begins_and_ends_is_a_line(book, runs, monkeypatch):
    job = refresh.quick(chapters(book))[0]

    def pretend(jobs, workers, watch, *_):
        for status in ("waiting", "running", "running", "done"):
            watch([State(job, status, seconds=2.0)])
        return [State(job, "done", seconds=2.0)]

    monkeypatch.setattr(workers, "execute_all", pretend)
    lines = call("run", "toy").stdout.splitlines()
    told = [x.partition("  ")[2] for x in lines if "toy/story" in x and x[2] == x[5] == ":"]
    assert told == ["toy/story begins", "toy/story: 2 s, _build/notebooks/toy/story.ipynb"]


def test_a_notebook_that_is_not_there_is_said_not_to_exist(book, runs):
    for words in (["verify", "nope.ipynb"], ["verify", "toy"]):
        result = call(*words)
        assert result.exit_code == 2
        assert "does not exist" in result.stderr
    assert runs == []


def test_a_run_with_settings_says_the_values_and_goes_where_it_is_told(book, runs, tmp_path):
    target = tmp_path / "mine.ipynb"
    result = call("run", "toy", "-p", "d=31", "--scale", "paper", "-o", str(target))
    assert result.exit_code == 0, result.stderr
    (job,) = runs
    assert job.output == target
    assert job.values == {"d": 31, "eps": 1e-3, "rule": "inverse", "fast": False, "sizes": [20, 40]}
    assert "d = 31, eps = 0.001, rule = 'inverse'" in result.stdout
    assert "✓ holds        toy-theorem-1: 1 = 1\n" in result.stdout


@pytest.fixture
def other(book):
    """The book with a second chapter of the part, without the parameter eps."""
    text = TOY.replace("eps: float = 0.01  # noise level ε [0, 0.1]\n", "")
    (book / "notebooks" / "toy" / "other.py").write_text(text, encoding="utf-8")
    toc = (book / "_toc.yml").read_text()
    files = "{file: notebooks/toy/story, sections: [{file: notebooks/toy/other}]}"
    (book / "_toc.yml").write_text(toc.replace("{file: notebooks/toy/story}", files))
    return find_chapter(book, "toy/other")


def bound(root):
    page = root / "_build" / "html" / "index.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("first page")


def test_a_named_chapter_is_built_if_the_others_are_there(book, other, runs, monkeypatch):
    monkeypatch.setattr(bind, "build", bound)
    result = call("build", "toy/story")
    assert result.exit_code == 2
    assert result.stderr.startswith("the site needs toy/other too, which was never executed")
    assert runs == []
    assert call("build").exit_code == 0
    assert {job.chapter for job in runs} == {other, find_chapter(book, "toy/story")}
    runs.clear()
    assert "nothing has changed since the last build" in call("build").stdout
    assert runs == []
    assert call("build", "toy/other").exit_code == 0
    assert [job.chapter for job in runs] == [other]
    assert "toy/story" not in call("list", "toy/other").stdout


def test_the_longest_chapter_begins_first(book, other):
    jobs = [Job(c, {}, "quick", c.executed) for c in chapters(book)]
    for job, seconds in zip(jobs, (3.0, 70.0), strict=True):
        about = {freshness.METADATA: {"seconds": seconds}}
        nbformat.write(new_notebook(metadata=about), job.output)
    assert durations.longest_first(jobs)[0].chapter == other


def test_a_chapter_never_executed_here_takes_as_long_as_where_its_seeds_were_recorded(book, other):
    toy = find_chapter(book, "toy/story")
    assert durations.of(toy) == float("inf")
    write_json(toy.seeds, {"seconds": 12.5})
    assert (durations.of(toy), durations.of(other)) == (12.5, float("inf"))
    about = {freshness.METADATA: {"seconds": 3.0}}
    nbformat.write(new_notebook(metadata=about), toy.executed)
    assert durations.of(toy) == 3.0


def test_a_parameter_of_another_chapter_of_the_part_is_refused(book, other, runs):
    for command in ("run", "record"):
        result = call(command, "toy/other", "-p", "eps=0.02")
        assert result.exit_code == 2
        assert result.stderr == "toy/other has no parameter 'eps'; toy/story has it\n"
    assert runs == []
    assert call("run", "toy", "-p", "eps=0.02").exit_code == 0
    assert [job.chapter.address for job in runs] == ["toy/story"]


def test_a_run_of_ones_own_does_not_replace_the_books(book, runs):
    assert call("run", "toy", "-p", "d=31").exit_code == 0
    assert runs[0].output != find_chapter(book, "toy").executed


def test_all_chapters_are_run_and_unchanged_ones_are_kept(book, runs, monkeypatch):
    assert call("run", "--scale", "tiny").exit_code == 0
    assert [job.scale for job in runs] == ["tiny"]
    monkeypatch.setattr(freshness, "stale_because", lambda *_: "")
    result = call("run")
    assert "unchanged, kept" in result.stdout
    assert len(runs) == 1


@pytest.fixture
def reads_images(book, monkeypatch, tmp_path):
    """A chapter on images, executed with a folder of images that is then named no more."""
    toy = find_chapter(book, "toy")
    toy.notebook.write_text(f"{TOY}\n# %%\nfrom featurebook import images\n", encoding="utf-8")
    own = tmp_path / "images"
    own.mkdir()
    (own / images.MNIST_FILES["test"][0]).write_bytes(b"some")
    monkeypatch.setenv(images.DATA_VARIABLE, str(own))
    notebook = nbformat.v4.new_notebook()
    notebook.metadata[freshness.METADATA] = {
        "key": freshness.key(toy, parameters.final_values(toy)),
        "data": freshness.data_files(toy),
        "seconds": 71.4,
    }
    freshness.seal(notebook)
    nbformat.write(notebook, toy.executed)
    assert "unchanged, kept" in call("run").stdout
    monkeypatch.setenv(images.DATA_VARIABLE, str(tmp_path))


def test_images_that_are_gone_are_said_before_anything_runs(reads_images, runs):
    said = call("run").stdout
    assert "toy/story (quick): changed: data\n1 of 1 chapters will be executed" in said
    assert "last time 1 of them took 71 s" in said
    assert "t10k-images-idx3-ubyte.gz is gone\n  FEATUREBOOK_DATA names the folder" in said
    assert said.index("is gone") < said.index("begins" if "begins" in said else ": 1 s")
    assert len(runs) == 1


def test_on_a_terminal_it_is_asked_first(reads_images, runs, monkeypatch):
    monkeypatch.setattr(console.out, "_force_terminal", True)
    monkeypatch.setattr(refresh.sys, "stdin", type("T", (), {"isatty": lambda self: True})())
    answers = iter([False, True])
    monkeypatch.setattr(refresh.Confirm, "ask", lambda words, **_: next(answers))
    with pytest.raises(BookError, match="nothing was executed"):
        refresh.refresh(refresh.quick(chapters(find_root())), 1)
    assert runs == []
    refresh.refresh(refresh.quick(chapters(find_root())), 1)
    assert len(runs) == 1


def test_a_failed_run_is_exit_code_1_with_its_message(book, monkeypatch):
    monkeypatch.setattr(
        workers, "execute_all",
        lambda jobs, *_: [State(job, "failed", error="toy: cell 3 failed") for job in jobs],
    )  # fmt: skip
    result = call("run", "toy")
    assert result.exit_code == 1
    assert result.stderr.strip() == "toy: cell 3 failed"


def test_ctrl_c_is_exit_code_130(book, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "execute_all", interrupted)
    result = call("run", "toy")
    assert result.exit_code == 130
    assert "interrupted" in result.stderr
    assert "Traceback" not in result.output


def test_data_names_what_is_missing(book, tmp_path, monkeypatch):
    monkeypatch.setenv("FEATUREBOOK_DATA", str(tmp_path))
    result = call("data")
    assert result.exit_code == 1
    assert f"folder: {tmp_path} (from FEATUREBOOK_DATA)" in result.stdout
    assert len(result.stderr.strip().splitlines()) == 4  # two data sets, two splits each


def test_the_package_runs_as_the_command():
    found = subprocess.run(
        [sys.executable, "-m", "featurebook", "--help"], capture_output=True, text=True, check=True
    )
    assert "run" in found.stdout
