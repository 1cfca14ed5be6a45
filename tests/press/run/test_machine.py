"""Faults of the machine: killed records and sweeps, full and read-only disks, memory, the clock."""

import os
import signal
import subprocess
import time
import unicodedata
from pathlib import Path

import nbformat
import psutil
import pytest
from typer.testing import CliRunner

from featurebook import cli
from featurebook.press.book.places import find_chapter, find_root
from featurebook.press.run import clusters, execute, freshness, parameters, results, sweep, workers
from featurebook.press.run.job import ExecutionError, Job
from runs import FEATUREBOOK, family, printed, remount, runs, small_disk, wait_for, with_cell

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


def start(*words):
    return subprocess.Popen(
        [str(FEATUREBOOK), *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


# sweeps


def test_a_sweep_whose_runner_is_killed_leaves_nothing_running(toy, tmp_path):
    with_cell(
        toy,
        "import os, pathlib, time\npathlib.Path('pid').write_text(str(os.getpid()))\n"
        "while True:\n    time.sleep(0.1)",
    )
    runner = start("sweep", "toy", "-p", "d=1,2", "--workers", "1", "--out", str(tmp_path / "o"))
    note = toy.root / "pid"
    wait_for(lambda: note.exists() and note.read_text(), 120)
    started = family(runner.pid)
    assert int(note.read_text()) in started
    runner.kill()
    wait_for(lambda: not any(runs(pid) for pid in started), 30)


def test_a_real_chapter_is_swept_though_a_worker_is_killed(tmp_path, monkeypatch):
    monkeypatch.setenv("FEATUREBOOK_ROOT", str(ROOT))
    chapter = find_chapter(find_root(), "cone_sets/occupancy")
    given = [{**parameters.final_values(chapter, "tiny"), "seed": k} for k in (0, 1)]
    planned = sweep.plan(chapter, given, "tiny", tmp_path)
    victims = []

    def watch(progress):
        if progress.running and not victims:
            kernels = [p for p in family(os.getpid()) if _is_kernel(p)]
            victims.extend(psutil.Process(p).ppid() for p in kernels[:1])
            for pid in victims:
                os.kill(pid, signal.SIGKILL)

    with clusters.local_cluster(2) as client:
        progress = sweep.sweep(planned, tmp_path, client, watch)
    assert victims
    assert (progress.done, progress.failed) == (2, 0), progress.errors
    table = results.table(results.read_folder(tmp_path))
    assert table["cone_sets-lemma-3-1a.outcome"].tolist() == ["our text"] * 2


def _is_kernel(pid):
    try:
        return any("ipykernel" in word for word in psutil.Process(pid).cmdline())
    except psutil.NoSuchProcess:
        return False


# memory


def test_a_limit_on_memory_is_named(toy, tmp_path):
    with_cell(
        toy,
        "import resource, torch\nlimit = 16 * 2**30\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\ntorch.empty(20 * 2**30)",
    )
    job = Job(toy, parameters.final_values(toy), "quick", tmp_path / "out.ipynb")
    with pytest.raises(ExecutionError, match="out of memory, try smaller parameters"):
        execute.execute(job)
    assert "d is 24" in printed(job.partial)


# one clone


def test_a_read_only_checkout_can_be_read_and_says_what_it_cannot_write(toy, tmp_path, monkeypatch):
    with small_disk(tmp_path / "disk", "10m") as disk:
        copied = disk / "book"
        subprocess.run(["cp", "-r", str(toy.root), str(copied)], check=True)
        remount(disk, "ro")
        monkeypatch.setenv("FEATUREBOOK_ROOT", str(copied))
        invoke = CliRunner().invoke
        for words in (["list"], ["show", "toy"], ["list", "--stale"]):
            assert invoke(cli.app, words).exit_code == 0
        for words in (["run", "toy"], ["build"]):
            said = invoke(cli.app, words)
            assert said.exit_code == 1
            assert "Read-only file system" in said.stderr
            assert len(said.stderr.splitlines()) == 1, said.stderr
        mine = invoke(cli.app, ["run", "toy", "-o", str(tmp_path / "mine.ipynb")])
        assert mine.exit_code == 0, mine.stderr
        remount(disk, "rw")


# the clock


def test_a_clock_that_is_set_back_makes_no_time_negative_and_hides_no_change(
    toy, tmp_path, monkeypatch
):
    job = Job(toy, parameters.final_values(toy), "quick", tmp_path / "out.ipynb")
    seen = []
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 86_400 * len(seen))  # a day at each look
    (state,) = workers.execute_all([job], 1, lambda states: seen.append(states[0].seconds))
    monkeypatch.undo()
    assert state.status == "done"
    assert min(seen) >= 0
    assert 0 < max(seen) < 3600
    about = nbformat.read(job.output, as_version=4).metadata[freshness.METADATA]
    assert about["seconds"] > 0
    source = toy.notebook.read_text(encoding="utf-8")
    toy.notebook.write_text(source.replace("1 / (d - 13)", "2 / (d - 13)"), encoding="utf-8")
    os.utime(toy.notebook, (10**9, 10**9))  # 2001, before the execution
    key = freshness.key(toy, job.values)
    assert freshness.stale_because(job.output, key) == "changed: text, cells"


# another system


def test_no_two_files_differ_in_case_or_in_how_letters_are_composed():
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True)
    if listed.returncode:
        pytest.skip("no git repository")
    names = listed.stdout.decode().split("\0")[:-1]
    alike = {unicodedata.normalize("NFC", name).casefold() for name in names}
    assert len(names) > 100
    assert len(alike) == len(names)
    assert not [name for name in names if set(name) & set('<>:"|?*\\')]
