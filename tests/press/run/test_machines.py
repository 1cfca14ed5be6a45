"""Settings of the processor: what is called under them, what is kept, and what is said of it."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import featurebook
from featurebook.press.book.places import BookError, FailedError, find_chapter
from featurebook.press.run import experiments, machines
from featurebook.press.run.tallies import Tally
from featurebook.verdicts import everywhere

SETTINGS = [
    machines.Setting("default, 1 thread", {"OMP_NUM_THREADS": "1"}),
    machines.Setting("avx2, 2 threads", {"OMP_NUM_THREADS": "2"}),
]
CLAIM = "toy-theorem-1"


@pytest.fixture
def toy(book, monkeypatch):
    monkeypatch.setattr(experiments, "digest", lambda part, name: "as it was")
    return find_chapter(book, "toy")


def kept(toy, *outcomes):
    for plan, outcome in zip(machines.plan({CLAIM: toy}, SETTINGS), outcomes, strict=True):
        machines.keep(plan, {CLAIM: outcome})


def test_each_setting_names_its_kernels_and_threads():
    found = machines.of_processor()
    assert {of.environment["OMP_NUM_THREADS"] for of in found} == {"1", "2"}
    assert len({tuple(of.environment.values()) for of in found}) == len(found)


def test_another_interpreter_is_named_by_its_torch_and_runs_this_code():
    found = machines.of_python(Path(sys.executable))
    assert found.name == f"torch {torch.__version__}"
    asked = "import featurebook; print(featurebook.__file__)"
    said = subprocess.run(
        [found.python, "-c", asked], env=found.environment, capture_output=True, text=True
    )
    assert said.stdout.strip() == featurebook.__file__


def test_an_interpreter_without_torch_is_refused(tmp_path):
    (tmp_path / "python").write_text("#!/bin/sh\necho 'No module named torch' >&2; exit 1")
    (tmp_path / "python").chmod(0o755)
    for python in (tmp_path / "python", tmp_path / "none"):
        with pytest.raises(BookError, match=r"--python .*needs an interpreter with torch"):
            machines.of_python(python)


def test_only_what_the_record_lacks_is_planned(toy):
    assert [plan.setting for plan in machines.plan({CLAIM: toy}, SETTINGS)] == SETTINGS
    kept(toy, "holds", "holds")
    assert machines.plan({CLAIM: toy}, SETTINGS) == []
    assert machines.record(toy).every() == {CLAIM: Tally(("holds", "holds"), outdated=False)}


def test_outcomes_of_other_code_are_left_behind(toy, monkeypatch):
    kept(toy, "holds", "holds")
    monkeypatch.setattr(experiments, "digest", lambda part, name: "changed")
    assert machines.record(toy).every()[CLAIM].outdated
    assert len(machines.plan({CLAIM: toy}, SETTINGS)) == 2


def test_a_verdict_that_changes_with_the_setting_is_mixed(toy):
    verdict = everywhere([True], what="w")
    kept(toy, "holds", "refuted")
    found = machines.settled(toy, replace(verdict, claim=CLAIM))
    assert (found.outcome, found.reason) == ("mixed", "machines differ")
    assert "same under 1 of 2 settings of the machine" in found.detail
    assert list(machines.differing(toy)) == [CLAIM]


def test_a_verdict_without_a_record_stays_as_it_is(toy):
    verdict = everywhere([True], what="w")
    assert machines.settled(toy, verdict) is verdict


def test_words_count_the_settings():
    alike = machines.words(Tally(("holds",) * 6, outdated=False))
    assert alike == "same under 6 of 6 settings of the machine"
    differing = machines.words(Tally(("holds", "open"), outdated=True))
    assert differing.endswith("(holds 1, open 1) (earlier code)")


def test_a_process_that_gives_no_verdicts_is_named_by_its_setting(toy, monkeypatch):
    def failing(command, env, **_):
        assert env["OMP_NUM_THREADS"] == "1"
        assert command[-1] == CLAIM
        return type("Done", (), {"stdout": "", "stderr": "no memory"})

    monkeypatch.setattr(machines.subprocess, "run", failing)
    with pytest.raises(FailedError, match="default, 1 thread: no memory"):
        list(machines.run(machines.plan({CLAIM: toy}, SETTINGS)))


def test_outcomes_come_from_the_verdicts_of_the_process(toy, monkeypatch):
    said = json.dumps([{"claim": CLAIM, "outcome": "trend"}])
    done = type("Done", (), {"stdout": said, "stderr": ""})
    monkeypatch.setattr(machines.subprocess, "run", lambda *_, **__: done)
    found = {p.setting.name: o for p, o in machines.run(machines.plan({CLAIM: toy}, SETTINGS))}
    assert found == {setting.name: {CLAIM: "trend"} for setting in SETTINGS}
