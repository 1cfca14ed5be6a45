"""What a budget of time is spent on."""

import subprocess
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from featurebook.cli import app
from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import experiments, recording, records
from featurebook.press.run.recording import Planned


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


@pytest.mark.parametrize(
    ("said", "seconds"), [("90s", 90), ("8min", 480), ("1.5h", 5400), ("2 h", 7200)]
)
def test_a_budget_is_a_span_of_time(said, seconds):
    assert recording.seconds_of(said) == seconds


@pytest.mark.parametrize("said", ["", "8", "-1h", "0min", "two hours", "1d", "nan s", "1e3s"])
def test_a_malformed_span_of_time_is_refused(said):
    with pytest.raises(BookError, match="not a span of time, such as 90s"):
        recording.seconds_of(said)


def test_a_run_is_lacking_until_it_is_recorded_by_the_present_code(toy, monkeypatch):
    (lacking,) = recording.plan([toy], "paper")
    assert (lacking.chapter, lacking.seconds) == (toy, None)
    assert lacking.words == "never recorded, cost unknown"
    values = {"d": 90, "eps": 1e-3, "rule": "inverse", "fast": False, "sizes": [20, 40]}
    record = {"scale": "paper", "parameters": values, "seconds": 12.0}
    monkeypatch.setattr(records, "read", lambda chapter: [record])
    monkeypatch.setattr(experiments, "is_current", lambda part, record: True)
    assert recording.plan([toy], "paper") == []
    monkeypatch.setattr(experiments, "is_current", lambda part, record: False)
    (lacking,) = recording.plan([toy], "paper")
    assert lacking.words == "12 s, as measured earlier"
    (other,) = recording.plan([toy], "paper", ["eps=0.002", "unknown=1"])
    assert other.seconds is None


def test_a_scale_that_changes_nothing_needs_no_run(toy):
    (toy.notebook.parent / "paper.yaml").write_text("d: 24\n")
    assert recording.plan([toy], "paper") == []


def test_known_costs_come_first_and_the_cheapest_of_them(toy):
    runs = [Planned(toy, None, 1.0), Planned(toy, 9.0, 1.0), Planned(toy, 2.0, 50.0)]
    assert [p.seconds for p in sorted(runs, key=lambda p: p.order)] == [2.0, 9.0, None]


def test_a_budget_too_short_for_each_run_is_refused_before_any(toy):
    with pytest.raises(BookError, match="of 5 s is too short; the shortest run took 9 s"):
        list(recording.run([Planned(toy, 9.0, 1.0)], "paper", 5.0))


def test_a_run_that_would_not_fit_is_left_and_one_that_is_cut_off_says_so(toy, monkeypatch):
    called = []

    def ran(command, timeout, check):
        called.append(command[3:])
        if len(called) == 2:
            raise subprocess.TimeoutExpired(command, timeout)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, "run", ran)
    runs = [Planned(toy, 2.0, 1.0), Planned(toy, 900.0, 1.0), Planned(toy, None, 1.0)]
    ended = [how for _, how in recording.run(runs, "paper", 60.0, ["d=91"])]
    assert ended[:2] == ["recorded in 0 s", "left for the next call: it would not fit the budget"]
    assert "continues from there" in ended[2]
    assert called[0] == ["record", "toy/story", "--scale", "paper", "-p", "d=91"]


def test_the_command_needs_a_name_or_a_budget(toy):
    result = CliRunner().invoke(app, ["record"])
    assert result.exit_code == 2
    assert "--budget" in result.stderr
    assert CliRunner().invoke(app, ["record", "--budget", "soon"]).exit_code == 2


def test_a_cost_that_is_not_known_is_estimated_by_recorded_runs(toy, monkeypatch):
    monkeypatch.setattr(recording, "_quick", lambda chapter: 4.0)
    record = {"scale": "paper", "parameters": {"d": 1}, "seconds": 12.0}
    monkeypatch.setattr(records, "read", lambda chapter: [record])
    (lacking,) = recording.plan([toy], "paper")
    assert lacking.cost == 12.0
    assert lacking.words == (
        "never recorded; quick takes 4 s, recorded runs 3 times that: about 12 s"
    )


def test_further_seeds_are_planned_where_the_first_is_recorded(toy, monkeypatch):
    values = {"d": 90, "eps": 1e-3, "rule": "inverse", "fast": False, "sizes": [20, 40]}
    record = {"scale": "paper", "parameters": values, "seconds": 12.0}
    record["seeds"] = {"1000": {"seconds": 5.0}}
    monkeypatch.setattr(records, "read", lambda chapter: [record])
    monkeypatch.setattr(experiments, "is_current", lambda part, record: True)
    monkeypatch.setattr(recording, "_seeds", lambda *_: 3)
    (lacking,) = recording.plan([toy], "paper", (), ["toy-figure-1"], 5)
    assert lacking.words == "3 further seeds, 15 s, as measured earlier"
