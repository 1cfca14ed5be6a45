"""Results that lie on this machine: which are taken, which are kept."""

import os

import numpy as np
import pytest

from featurebook.verdicts import saving, shelf
from featurebook.verdicts.claims import Claims


@pytest.fixture
def ran():
    """The names of the experiments that ran."""
    return []


@pytest.fixture
def walks(ran):
    claims = Claims("walks")

    @claims.experiment
    def steps(n: int, seed: int):
        ran.append("steps")
        return np.random.default_rng(seed).standard_normal(n)

    @claims.experiment
    def end(steps):
        ran.append("end")
        return steps.sum()

    return claims


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A shelf for two experiments at n = 3 and seed 0, on which everything is slow."""
    files = {name: tmp_path / f"{name}.npz" for name in ("steps", "end")}
    shelf.Shelf({"n": 3, "seed": 0}, files).write(tmp_path / "shelf.json")
    monkeypatch.setenv(shelf.VARIABLE, str(tmp_path / "shelf.json"))
    monkeypatch.setattr(shelf, "SLOW", -1.0)
    return tmp_path


def test_a_result_is_kept_and_what_it_needs_does_not_run_again(walks, ran, folder):
    first = walks.at(n=3, seed=0, more=1)["end"]
    assert ran == ["steps", "end"]
    assert walks.at(n=3, seed=0)["end"] == first
    assert ran == ["steps", "end"]
    assert sorted(p.name for p in folder.glob("*.npz")) == ["end.npz", "steps.npz"]
    assert shelf.seconds_of(folder / "end.npz") >= 0


def test_other_values_are_computed_and_change_nothing(walks, ran, folder):
    first = walks.at(n=3, seed=0)["end"]
    assert walks.at(n=3, seed=1)["end"] != first
    assert walks.at(n=4, seed=0)["steps"].shape == (4,)
    assert ran == ["steps", "end", "steps", "end", "steps"]
    assert walks.at(n=3, seed=0)["end"] == first


def test_nothing_is_kept_that_is_fast_large_or_no_data(walks, folder, monkeypatch):
    monkeypatch.setattr(shelf, "SLOW", 60.0)
    walks.at(n=3, seed=0)["end"]
    monkeypatch.setattr(shelf, "SLOW", -1.0)
    monkeypatch.setattr(shelf, "LARGEST_KEPT", 23)  # three numbers are 24 bytes
    walks.at(n=3, seed=0)["steps"]
    assert shelf.computed(folder / "object.npz", object)
    assert not list(folder.glob("*.npz"))


def test_a_damaged_result_is_computed_again(walks, ran, folder):
    (folder / "steps.npz").write_bytes(b"no archive")
    found = walks.at(n=3, seed=0)["steps"]
    assert ran == ["steps"]
    assert (saving.load(folder / "steps.npz") == found).all()


def test_without_a_shelf_everything_runs(walks, ran, folder, monkeypatch):
    monkeypatch.delenv(shelf.VARIABLE)
    for _ in range(2):
        walks.at(n=3, seed=0)["steps"]
    assert ran == ["steps", "steps"]
    assert not list(folder.glob("*.npz"))


def test_what_was_taken_is_noted(walks, folder):
    note = folder / "shelf.json"
    walks.at(n=3, seed=0)["end"]
    assert shelf.taken(note) == []
    walks.at(n=3, seed=0)["end"]
    assert shelf.taken(note) == ["end"]


def test_a_shelf_that_has_gone_holds_nothing(walks, ran, folder):
    (folder / "shelf.json").unlink()
    for _ in range(2):
        walks.at(n=3, seed=0)["steps"]
    assert ran == ["steps", "steps"]


def test_results_of_other_code_go_after_a_month(walks, folder):
    old, young = folder / "steps.0123.npz", folder / "steps.4567.npz"
    for file in (old, young):
        file.write_bytes(b"")
    os.utime(old, (0, 0))
    walks.at(n=3, seed=0)["steps"]
    assert not old.exists()
    assert young.exists()
