"""Sweeps: which runs a grid is, how they end, and what is left in the folder."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from distributed import LocalCluster
from hypothesis import given
from hypothesis import strategies as st

from featurebook.press.book.files import alone
from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import clusters, grid, parameters, results, sweep

CELL = """
# %%
import os, pathlib, signal
from IPython.display import display

dead = pathlib.Path("dead")
if d == 17 and not dead.exists():
    dead.touch()
    os.kill(os.getppid(), signal.SIGKILL)  # the worker that runs this notebook
verdict = {"claim": "toy-theorem-1", "outcome": "holds", "measured": "", "samples": 1,
           "numbers": {"twice": 2 * d, "top": "inf"}, "cells": []}
display({"application/vnd.featurebook.verdict+json": verdict}, raw=True)
"""


@pytest.fixture
def toy(book):
    chapter = find_chapter(book, "toy")
    chapter.notebook.write_text(chapter.notebook.read_text(encoding="utf-8") + CELL)
    return chapter


# the grid


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("d=24,48,96", [24, 48, 96]),
        ("d=3..6", [3, 4, 5, 6]),
        ("d=1..2,9", [1, 2, 9]),
        ("d=7", [7]),
        ("eps=1e-3,0", [0.001, 0.0]),
        ("rule=inverse, constant", ["inverse", "constant"]),
        ("fast=true,false", [True, False]),
        ("sizes=[20,40],[3]", [[20, 40], [3]]),
    ],
)
def test_values_of_an_axis(toy, text, values):
    assert grid.read_axes(toy.part, [text]) == {text.partition("=")[0]: values}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["d=9..3"], "no values"),
        (["d="], "no values"),
        (["d"], "write NAME=VALUE"),
        (["d=[1"], "cannot be read"),
        (["dd=1,2"], "did you mean 'd'"),
        (["d=1..200"], "d = 101: out of range"),
        (["d=1..1000000000000"], "more than 100,000 values"),
        ([f"d=1..{10**30}"], "more than 100,000 values"),
        (["sizes=20,40"], "sizes = 20: must be list"),
        (["d=1", "d=2"], "d is given twice"),
        (["rule=!!python/object/apply:os.getpid []"], "cannot be read"),
    ],
)
def test_a_bad_axis_is_refused(toy, settings, message):
    with pytest.raises(BookError, match=message.replace("[", r"\[")):
        grid.read_axes(toy.part, settings)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_the_grid_is_the_whole_product(lengths):
    axes = {f"x{k}": list(range(n)) for k, n in enumerate(lengths)}
    found = grid.every_combination(axes)
    assert len(found) == np.prod(lengths)
    assert len({tuple(p.items()) for p in found}) == len(found)


def test_side_by_side():
    assert grid.side_by_side({"a": [1, 2], "b": [3, 4], "c": [5]}) == [
        {"a": 1, "b": 3, "c": 5}, {"a": 2, "b": 4, "c": 5},
    ]  # fmt: skip
    with pytest.raises(BookError, match="a has 2, b has 3"):
        grid.side_by_side({"a": [1, 2], "b": [3, 4, 5], "c": [6]})


def test_each_set_of_values_runs_once():
    assert grid.runs({"a": 1, "b": 2}, [{"a": 3}, {"b": 2}, {"a": 3}]) == [
        {"a": 3, "b": 2}, {"a": 1, "b": 2},
    ]  # fmt: skip


def test_the_name_of_a_run_depends_on_its_values_alone():
    assert results.name_of({"a": 1, "b": [2]}) == results.name_of({"b": [2], "a": 1})
    assert results.name_of({"a": 1}) != results.name_of({"a": 1.5})


# the table


def result(d, **more):
    numbers = {"mean": 3.0 * d, "high": "inf"}
    verdict = {"claim": "toy-1", "outcome": "holds", "samples": d, "numbers": numbers}
    verdict |= {"measured": "1 = 1", "cells": []}
    return {
        "status": "done", "chapter": "toy", "scale": "quick",
        "parameters": {"d": d, "sizes": [1, 2]},
        "key": {"code": "c"}, "verdicts": [verdict], "seconds": 1.5, "started": "now",
        "provenance": {"device": "an abacus", "commit": "abc"}, **more,
    }  # fmt: skip


def failed(d):
    return result(d, status="failed", error="thirteen", verdicts=[])


def test_the_table_has_one_row_per_run_and_one_column_per_number(tmp_path):
    (tmp_path / "runs").mkdir()
    for d, r in {1: result(1), 2: result(2), 13: failed(13)}.items():
        (tmp_path / "runs" / f"{d}.json").write_text(json.dumps(r))
    (tmp_path / "runs" / "3.json").write_text('{"status": "do')  # half a file is no result
    table = pd.read_parquet(results.write_table(tmp_path))
    table = table.sort_values("d", ignore_index=True)
    assert list(table.d) == [1, 2, 13]
    assert list(table.status) == ["done", "done", "failed"]
    assert list(table.error) == ["", "", "thirteen"]
    assert list(table["toy-1.mean"])[:2] == [3, 6]
    assert np.isnan(table["toy-1.mean"][2])
    assert table["toy-1.high"][0] == np.inf
    assert table["toy-1.outcome"][0] == "holds"
    assert json.loads(table.sizes[0]) == [1, 2]
    assert set(table.device) == {"an abacus"}


# running


def plan(chapter, folder, *settings):
    chosen = grid.every_combination(grid.read_axes(chapter.part, settings))
    values = grid.runs(parameters.final_values(chapter), chosen)
    return sweep.plan(chapter, values, "quick", folder)


def test_a_sweep_survives_a_failed_run_and_a_dead_worker_and_goes_on(toy, tmp_path):
    folder = tmp_path / "mes résultats"
    runs = plan(toy, folder, "d=5,13,17")
    seen = []

    def watch(p):
        seen.append((p.done, p.running, p.failed))

    with clusters.local_cluster(3) as client:
        assert client.scheduler.address.startswith("tcp://127.0.0.1:")
        workers = client.scheduler_info(n_workers=-1)["workers"]
        assert len(workers) == 3
        assert all(address.startswith("tcp://127.0.0.1:") for address in workers)

        progress = sweep.sweep(runs, folder, client, watch)
        assert (progress.done, progress.failed, progress.kept) == (2, 1, 0)
        assert seen[-1] == (2, 0, 1)
        assert (toy.root / "dead").exists()  # a worker did die
        (error,) = progress.errors
        assert "ZeroDivisionError" in error
        table = pd.read_parquet(folder / results.TABLE).set_index("d")
        assert table.status.to_dict() == {5: "done", 13: "failed", 17: "done"}
        assert table["toy-theorem-1.twice"][[5, 17]].tolist() == [10, 34]
        bad = folder / "runs" / f"{table.run[13]}.partial.ipynb"
        assert str(bad) in table.error[13]
        assert "d is 13" in bad.read_text(encoding="utf-8")
        assert (folder / "runs" / f"{table.run[5]}.ipynb").exists()

        longer = plan(toy, folder, "d=5,6,17")
        with clusters.running_cluster(client.scheduler.address) as same:
            progress = sweep.sweep(longer, folder, same, watch)
        assert (progress.kept, progress.done, progress.failed) == (2, 1, 0)
        assert len(pd.read_parquet(folder / results.TABLE)) == 4


def test_ctrl_c_keeps_what_was_done_and_resume_goes_on(toy, tmp_path):
    with toy.notebook.open("a", encoding="utf-8") as notebook:
        notebook.write(
            "\nimport time\nwhile d == 2 and not pathlib.Path('go on').exists():\n"
            "    time.sleep(0.1)\n"
        )
    folder = tmp_path / "mine"
    command = [Path(sys.executable).parent / "featurebook", "sweep", "toy", "-p", "d=1..3"]
    command += ["--out", folder, "--workers", "1"]
    first = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    end = time.monotonic() + 120
    while len(results.read_folder(folder)) < 1 and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(1)  # so that d = 2 runs
    os.killpg(first.pid, signal.SIGINT)
    said = first.communicate(timeout=60)[1].decode()
    assert (first.returncode, said) == (130, "interrupted; what was finished is kept\n")
    assert pd.read_parquet(folder / results.TABLE).d.tolist() == [1]

    (toy.root / "go on").touch()
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "holds results: --resume continues them" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    again = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=120)
    assert again.returncode == 0, again.stderr
    assert "3 runs, varying d" in again.stdout
    assert re.search(r"\b2 +0 +0 +1 +0\b", again.stdout), again.stdout
    assert sorted(pd.read_parquet(folder / results.TABLE).d) == [1, 2, 3]


def test_what_counts_as_missing(toy, tmp_path):
    (tmp_path / "runs").mkdir()
    runs = plan(toy, tmp_path, "d=1..4")
    assert sweep.missing(tmp_path, runs) == runs

    def write(run, **more):
        text = json.dumps(result(1) | {"key": run.key} | more)
        run.job.output.with_suffix(".json").write_text(text)

    write(runs[0])
    write(runs[1], status="failed")
    write(runs[2], key=runs[2].key | {"code": "another"})
    assert sweep.missing(tmp_path, runs) == runs[1:]
    write(runs[1], key=runs[1].key | {"text": "another"})  # no number depends on them
    assert sweep.missing(tmp_path, runs) == runs[2:]
    runs[0].job.output.with_suffix(".json").write_text('{"status": "do')
    assert sweep.missing(tmp_path, runs) == [runs[0], *runs[2:]]


def test_two_sweeps_at_once_into_one_folder(toy, tmp_path):
    with (
        alone(tmp_path, "mine"),
        pytest.raises(BookError, match="another sweep is writing to"),
    ):
        sweep.sweep(plan(toy, tmp_path, "d=1"), tmp_path, None, lambda _: None)
    assert not (tmp_path / results.TABLE).exists()


def test_a_folder_that_cannot_be_written_to(toy, tmp_path):
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "sweep"
    with pytest.raises(BookError, match=r"cannot write to .*file"):
        sweep.sweep(plan(toy, folder, "d=1"), folder, None, lambda _: None)


@pytest.mark.parametrize(
    ("address", "open_to_others"),
    [("x:y", True), ("tcp://10.0.0.1:8786", True), ("tls://10.0.0.1:8786", False),
     ("tcp://127.0.0.1:8786", False)],
)  # fmt: skip
def test_no_scheduler_there(monkeypatch, capsys, address, open_to_others):
    def silent(*_, **__):
        raise TimeoutError

    monkeypatch.setattr(clusters, "Client", silent)
    with (
        pytest.raises(BookError, match="no Dask scheduler answers"),
        clusters.running_cluster(address),
    ):
        pass
    assert ("is not encrypted" in capsys.readouterr().out) == open_to_others


def test_as_many_workers_as_cores_and_memory_allow(monkeypatch):
    memory = pd.Series({"available": 5 * 2**30})
    monkeypatch.setattr(clusters.torch.cuda, "device_count", lambda: 0)
    monkeypatch.setattr(clusters.dask.system, "CPU_COUNT", 64)
    monkeypatch.setattr(clusters.distributed.system, "MEMORY_LIMIT", 2**40)
    monkeypatch.setattr(clusters.psutil, "virtual_memory", lambda: memory)
    assert clusters.default_workers() == 2
    memory["available"] = 2**20
    assert clusters.default_workers() == 1
    memory["available"] = 2**39
    assert clusters.default_workers() == 64
    monkeypatch.setattr(clusters.distributed.system, "MEMORY_LIMIT", 7 * 2**30)  # of a container
    assert clusters.default_workers() == 3
    monkeypatch.setattr(clusters.torch.cuda, "device_count", lambda: 4)
    assert clusters.default_workers() == 4


def test_a_grid_without_end_is_refused_at_once():
    axes = {"a": list(range(100_000)), "b": list(range(512)), "c": list(range(16))}
    with pytest.raises(BookError, match="100,000 x 512 x 16 values are 819,200,000 runs"):
        grid.every_combination(axes)


def test_planning_takes_time_in_proportion_to_the_runs():
    every = [{"seed": k} for k in range(50_000)]
    start = time.monotonic()
    assert len(grid.runs({"d": 3}, every + every)) == 50_000
    assert time.monotonic() - start < 10  # comparing each with each takes half an hour


def test_a_scheduler_that_wants_a_key_is_one_line(monkeypatch):
    with (
        pytest.raises(BookError, match=r"no Dask scheduler answers at tls://127\.0\.0\.1:1: ") as e,
        clusters.running_cluster("tls://127.0.0.1:1"),
    ):
        pass
    assert "\n" not in str(e.value)


def test_a_scheduler_without_workers_is_said_soon(monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 1)
    with LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        with pytest.raises(BookError, match="has no workers"), clusters.running_cluster(address):
            pass


SEE = """
from featurebook.press.run import clusters, sweep
import dask
def seen():
    return [dask.config.get(f"distributed.{name}") for name in
            ("comm.require-encryption", "worker.preload", "worker.memory.terminate")]
if __name__ == "__main__":
    print(seen())
    with clusters.local_cluster(1) as client:
        assert client.submit(seen).result() == seen()
        print(seen())
    print(seen())
"""


def test_a_users_settings_of_dask_do_not_reach_the_cluster_here(tmp_path):
    folder = tmp_path / ".config" / "dask"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(
        "distributed: {worker: {preload: [no_such_module], memory: {terminate: 0.01}}}"
    )
    (tmp_path / "see.py").write_text(SEE)
    command = [sys.executable, str(tmp_path / "see.py")]
    own = {"HOME": str(tmp_path), "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "True"}
    environment = {**os.environ, **own}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr
    before, within, after = found.stdout.splitlines()
    assert before == after == "[True, ['no_such_module'], 0.01]"
    assert within == "[None, [], 0.95]"


def test_a_users_broken_file_for_dask_is_named(book, tmp_path):
    folder = tmp_path / ".config" / "dask"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text("- a")
    command = [Path(sys.executable).parent / "featurebook", "sweep", "toy", "-p", "d=1..2"]
    environment = {**os.environ, "HOME": str(tmp_path)}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert found.returncode == 2
    assert len(found.stderr.splitlines()) == 1
    assert f"{folder / 'mine.yaml'}' is malformed" in found.stderr
