"""A tiny book is executed: what comes out, what stays where a cell fails, and what never leaks.

Each execution starts a kernel, which costs seconds; so these few tests look at much.
"""

import os
import shlex
import sys
from pathlib import Path

import nbformat
import pytest

from featurebook.press.book.files import outputs
from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import execute, freshness, parameters, workers
from featurebook.press.run.job import Job
from featurebook.verdicts import MIME


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


def job(chapter, *settings, output=None, scale="quick"):
    values = parameters.final_values(chapter, scale, settings=settings)
    return Job(chapter, values, scale, output or chapter.executed_at(scale))


def printed(path):
    cells = nbformat.read(path, as_version=4).cells
    return "".join(o.get("text", "") for c in cells for o in c.get("outputs", []))


def test_the_command_gives_the_same_values(toy):
    assert execute.command(job(toy)) == "featurebook run toy/story -o again.ipynb"
    settings = ["d=31", "eps=1e-3", "fast=true", "sizes=[4, 5]"]
    again = shlex.split(execute.command(job(toy, *settings, scale="tiny")))
    assert again[:5] == ["featurebook", "run", "toy/story", "--scale", "tiny"]
    assert again[-2:] == ["-o", "again.ipynb"]
    given = [word for word in again[5:-2] if word != "-p"]
    assert parameters.final_values(toy, "tiny", settings=given) == job(toy, *settings).values


def test_a_source_without_a_kernel_is_executed_as_python(toy):
    source = toy.notebook.read_text(encoding="utf-8")
    toy.notebook.write_text(source[source.index("# %%") :], encoding="utf-8")
    execute.execute(job(toy, scale="tiny"))


@pytest.fixture
def no_kernel(monkeypatch):
    def started(*_, **__):
        raise AssertionError("a kernel was started")

    monkeypatch.setattr(execute.papermill, "execute_notebook", started)


def test_executed_as_asked_and_kept_when_a_later_run_fails(book, toy):
    good = job(toy, "d=31", "eps=1e-3", scale="tiny")
    assert " " in str(good.output)
    assert not str(good.output).isascii()
    made = execute.execute(good)
    assert 0 < made.seconds < 60
    assert made.aside is None
    assert printed(good.output) == "d is 31 and eps is 0.001\n"
    assert [p.name for p in good.output.parent.iterdir()] == ["story.tiny.ipynb"]  # no litter

    about = nbformat.read(good.output, as_version=4).metadata[freshness.METADATA]
    assert (about["chapter"], about["scale"]) == ("toy/story", "tiny")
    assert about["parameters"] == {
        "d": 31, "eps": 0.001, "rule": "inverse", "fast": False, "sizes": [3],
    }  # fmt: skip
    assert freshness.stale_because(good.output, freshness.key(toy, good.values)) == ""
    other = job(toy, "d=32", scale="tiny")
    assert "parameters" in freshness.stale_because(good.output, freshness.key(toy, other.values))

    text = good.output.read_text(encoding="utf-8")
    for place in (book, book.parent, Path.home(), Path(sys.prefix), Path.cwd()):
        assert f"{place}/" not in text
        assert f'{place}"' not in text

    before = good.output.read_bytes()
    bad = job(toy, "d=13", scale="tiny")
    (state,) = workers.execute_all([bad], 1, lambda _: None)
    assert state.status == "failed"
    assert "toy/story: cell " in state.error
    assert "1 / (d - 13)" in state.error
    assert "ZeroDivisionError: division by zero" in state.error
    assert str(bad.partial) in state.error
    assert bad.output.read_bytes() == before
    assert "d is 13" in printed(bad.partial)


def test_what_a_reader_wrote_into_an_executed_notebook_is_put_aside(toy):
    done = job(toy, scale="tiny")
    execute.execute(done)
    notebook = nbformat.read(done.output, as_version=4)
    notebook.cells.append(nbformat.v4.new_markdown_cell("MY NOTES"))
    nbformat.write(notebook, done.output)
    mine = done.output.read_bytes()
    (state,) = workers.execute_all([done], 1, lambda _: None)
    assert state.status == "done"
    aside = Path(state.aside)
    assert aside.name == "story.tiny.edited-1.ipynb"
    assert aside.read_bytes() == mine
    assert "MY NOTES" not in done.output.read_text()
    done.output.write_text("no notebook at all, but somebody's")
    assert execute.execute(done).aside == aside.with_name("story.tiny.edited-2.ipynb")
    assert execute.execute(done).aside is None  # nobody touched it


def test_chapters_run_side_by_side_and_one_that_fails_stops_no_other(toy, tmp_path, monkeypatch):
    toy.notebook.write_text(
        toy.notebook.read_text().replace(
            'print("d is"', 'import os; print(os.environ["OMP_NUM_THREADS"], "threads;", "d is"'
        ) + "\n# %%\nif d == 7:\n    os.kill(os.getpid(), 9)\n"
    )  # fmt: skip
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    jobs = [job(toy, f"d={d}", output=tmp_path / f"{d}.ipynb") for d in (7, 20)]
    seen = []
    states = workers.execute_all(jobs, 2, lambda s: seen.append([(x.status, x.cell) for x in s]))
    assert [s.status for s in states] == ["failed", "done"]
    assert "toy/story: the kernel died" in states[0].error
    assert str(tmp_path / "7.partial.ipynb") in states[0].error
    assert "d is 7 " in printed(tmp_path / "7.partial.ipynb")
    assert not (tmp_path / "7.ipynb").exists()
    assert printed(tmp_path / "20.ipynb").startswith("1 threads; d is 20")
    assert states[1].seconds > 0
    assert any(status == "running" and cell > 0 for state in seen for status, cell in state)
    assert "OMP_NUM_THREADS" not in os.environ  # of this process


def test_a_folder_that_cannot_be_written_is_named_before_anything_runs(toy, tmp_path, no_kernel):
    taken = tmp_path / "file"
    taken.write_text("")
    with pytest.raises(BookError, match=r"cannot write to .*file") as error:
        execute.execute(job(toy, output=taken / "out.ipynb"))
    assert "\n" not in str(error.value)


def test_structured_outputs_are_found_in_order(tmp_path):
    v4 = nbformat.v4
    notebook = v4.new_notebook(cells=[
        v4.new_code_cell("a", outputs=[v4.new_output("display_data", {MIME: {"n": 1}})]),
        v4.new_markdown_cell("b"),
        v4.new_code_cell("c", outputs=[
            v4.new_output("stream", text=MIME),
            v4.new_output("execute_result", {MIME: {"n": 2}, "text/plain": "2"}),
        ]),
    ])  # fmt: skip
    assert outputs(notebook, MIME) == [{"n": 1}, {"n": 2}]


def test_changed_words_are_put_into_an_executed_notebook(toy):
    done = job(toy, "d=31", scale="tiny")
    execute.execute(done)
    text = toy.notebook.read_text(encoding="utf-8")
    words = text.replace("## The only result", "## Another heading").replace(
        'print("d is"', '# say it\nprint("d is"'
    )
    toy.notebook.write_text(words, encoding="utf-8")
    key = freshness.key(toy, done.values)
    assert freshness.stale_because(done.output, key) == freshness.ONLY_WORDS
    execute.put_text(done)
    assert freshness.stale_because(done.output, key) == ""
    assert printed(done.output) == "d is 31 and eps is 0.01\n"
    said = "".join(c.source for c in nbformat.read(done.output, as_version=4).cells)
    assert "## Another heading" in said
    assert "# say it" in said
    assert said.count("d = 31") == 1  # what papermill put in stays
    toy.notebook.write_text(words.replace("eps is", "ε is"), encoding="utf-8")
    now = freshness.key(toy, done.values)
    assert freshness.stale_because(done.output, now) != freshness.ONLY_WORDS
