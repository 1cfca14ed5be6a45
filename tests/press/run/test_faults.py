"""What goes wrong, caused on purpose: what is said, what is kept, what is tried again."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from featurebook.press.book.files import alone, write_atomically
from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import execute, freshness, parameters, workers
from featurebook.press.run.job import ExecutionError, Job
from runs import FEATUREBOOK, family, printed, runs, small_disk, wait_for, with_cell


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


def job(toy, folder, name="out.ipynb"):
    return Job(toy, parameters.final_values(toy), "quick", folder / name)


# the runner


@pytest.mark.parametrize(
    ("stop", "single"),
    [(signal.SIGKILL, True), (signal.SIGKILL, False), (signal.SIGTERM, True),
     (signal.SIGTERM, False), (signal.SIGINT, False)],
)  # fmt: skip
def test_a_runner_that_is_stopped_leaves_nothing_running_and_can_go_on(toy, stop, single):
    if not single:
        with_cell(toy, "import featurebook")  # so that its kernel is a fork
    # On a busy machine a notebook is not saved after each cell, but after one that took a while.
    with_cell(toy, "import pathlib, time\ntime.sleep(0 if pathlib.Path('pid').exists() else 6)")
    with_cell(
        toy,
        "import os, pathlib, time\npathlib.Path('pid').write_text(str(os.getpid()))\n"
        "while not pathlib.Path('go on').exists():\n    time.sleep(0.1)",
    )
    command = [str(FEATUREBOOK), "run", "toy"]
    runner = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    note = toy.root / "pid"
    wait_for(lambda: note.exists() and note.read_text())
    started = family(runner.pid)
    assert int(note.read_text()) in started
    start = time.monotonic()
    if single:
        os.kill(runner.pid, stop)  # so that the others must notice
    else:
        os.killpg(runner.pid, stop)  # as a terminal does at Ctrl-C, or timeout(1)
    said = runner.communicate(timeout=30)[1]
    wait_for(lambda: not any(runs(pid) for pid in started), 20)
    assert time.monotonic() - start < 20
    if stop == signal.SIGINT:
        assert runner.returncode == 130
        assert said == "interrupted; what was finished is kept\n"
    assert "d is 24" in printed(toy.executed.with_name("story.partial.ipynb"))
    assert not toy.executed.exists()

    (toy.root / "go on").touch()
    again = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert again.returncode == 0, again.stderr
    assert toy.executed.exists()
    assert not toy.executed.with_name("story.partial.ipynb").exists()


def test_a_killed_process_of_the_pool_costs_its_own_chapter_only(toy, tmp_path):
    with_cell(toy, "import os\nif d == 7:\n    os.kill(os.getppid(), 9)")
    jobs = [
        Job(
            toy, parameters.final_values(toy, settings=[f"d={d}"]), "quick", tmp_path / f"{d}.ipynb"
        )
        for d in (7, 8)
    ]
    states = workers.execute_all(jobs, 2, lambda _: None)
    assert [s.status for s in states] == ["failed", "done"]
    assert "its process ended early (exit code -9)" in states[0].error


def test_what_goes_wrong_is_said_though_a_job_has_just_ended(toy, tmp_path, monkeypatch):
    class Ended:
        pid, exitcode = 2**22 + 1, 0  # no process has so high a number

        def start(self):
            pass

        def is_alive(self):
            return True

    def watch(states):
        raise RuntimeError("the real error")

    monkeypatch.setattr(workers, "_process", lambda *_: Ended())
    with pytest.raises(RuntimeError, match="the real error"):
        workers.execute_all([job(toy, tmp_path)], 1, watch)


def test_jobs_with_two_folders_for_temporary_files_share_a_lock(toy, tmp_path, monkeypatch):
    wanted = job(toy, tmp_path)
    with alone(wanted.output, "mine"):
        monkeypatch.setenv("TMPDIR", str(tmp_path / "elsewhere"))
        monkeypatch.setattr("tempfile.tempdir", None)
        with pytest.raises(BookError, match="by another run; wait"):
            execute.execute(wanted)
    assert list(tmp_path.glob(".*.lock")) == []  # nothing stays beside the output


# files


def test_a_full_disk_is_named_and_leaves_no_half_notebook(toy, tmp_path):
    with_cell(toy, "print('x' * 100_000)")
    with small_disk(tmp_path / "small disk", "16k") as disk:
        with pytest.raises(BookError, match=r"cannot write to .*small disk: No space left"):
            execute.execute(job(toy, disk))
        assert not (disk / "out.ipynb").exists()
        with pytest.raises(OSError, match="No space left"):
            write_atomically(disk / "big.json", "x" * 100_000)
        assert [p.name for p in disk.iterdir() if "big" in p.name] == []


def test_an_old_file_survives_a_write_that_fails(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    write_atomically(path, "old")

    def full(self, *_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, "new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_path_with_spaces_braces_and_other_letters(toy, tmp_path):
    folder = tmp_path / "où {d} ça"
    execute.execute(job(toy, folder, "résultat {d}.ipynb"))
    assert [p.name for p in folder.iterdir()] == ["résultat {d}.ipynb"]


@pytest.mark.parametrize("text", ["", "{", "{}", "[]", "null", '{"metadata": 3}', "\0\1\2"])
def test_a_corrupt_executed_notebook_is_executed_again(toy, text):
    toy.executed.write_text(text)
    assert freshness.stale_because(toy.executed, freshness.key(toy, {})) != ""


def test_a_truncated_executed_notebook_is_executed_again(toy):
    whole = json.dumps(nbformat.v4.new_notebook(metadata={freshness.METADATA: {"key": {}}}))
    for length in range(len(whole)):
        toy.executed.write_text(whole[:length])
        assert freshness.stale_because(toy.executed, {"code": "0"}) == "unreadable"


def test_a_warning_tells_no_folder_of_this_machine(toy, tmp_path):
    with_cell(
        toy,
        "import warnings, featurebook.press.book.places as places\n"
        "warnings.warn_explicit('careful', UserWarning, places.__file__, 3)\n"
        "import os; print(os.path.join(os.getcwd(), 'here'))",
    )
    execute.execute(job(toy, tmp_path))
    assert "featurebook/press/book/places.py:3: UserWarning" in printed(tmp_path / "out.ipynb")
    text = (tmp_path / "out.ipynb").read_text(encoding="utf-8")
    assert "here" in text
    for folder in (toy.root, Path(execute.provenance.PACKAGE).parent, Path(sys.prefix)):
        assert f"{folder}/" not in text


# training


def test_a_training_that_diverges_says_where(toy, tmp_path):
    with_cell(
        toy,
        "import torch\nfrom functools import partial\nfrom featurebook import core\n"
        "core.train(lambda p, x: ((p['w'] - x) ** 2).sum(), {'w': torch.ones(1, 2)},\n"
        "           torch.zeros(1, 1, 2), steps=2000, seeds=[7],\n"
        "           optimizer=partial(torch.optim.SGD, lr=9.0))",
    )
    with pytest.raises(ExecutionError, match=r"(?s)NonFiniteLossError: .*step.*seed") as error:
        execute.execute(job(toy, tmp_path))
    assert "Traceback" not in str(error.value)
