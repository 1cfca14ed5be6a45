"""Experiments run without a notebook, kept as data, and judged again by today's checks."""

import shutil

import pytest
import torch

from featurebook.press.book.places import find_chapter
from featurebook.press.run import experiments, records
from featurebook.verdicts.claims import Claims
from featurebook.verdicts.comparisons import inequality

CELLS = """

# %%
from featurebook.papers.toy import checks

study = checks.claims.at(**globals())

# %%
study["drawn"]

# %%
show.judge(study, "bound")
"""


@pytest.fixture
def computed():
    return []


def paper(computed, limit=1.0):
    claims = Claims("toy")

    @claims.experiment
    def sample(d):
        computed.append("sample")
        return torch.ones(d)

    @claims.experiment
    def drawn(sample):
        computed.append("drawn")
        return {"mean": sample.mean()}

    @claims.experiment
    def foreign():
        return print

    @claims.check("bound")
    def bound(sample, foreign):
        yield inequality(sample.max(), limit, what="largest entry")

    return claims


@pytest.fixture
def toy(book, monkeypatch, computed):
    chapter = find_chapter(book, "toy")
    source = chapter.notebook.read_text(encoding="utf-8").replace("1 / (d - 13)", "")
    chapter.notebook.write_text(source + CELLS, encoding="utf-8")
    codes = {}
    monkeypatch.setattr(experiments, "digest", lambda part, name: codes.get(name, "as it was"))
    monkeypatch.setattr(experiments, "checks_of", lambda part: paper(computed))
    return chapter, codes


def run_of(chapter, claims, d=24, **more):
    return experiments.Run(chapter, claims, {"d": d}, **more)


def recorded(chapter, claims, folder):
    run = run_of(chapter, claims)
    list(run.steps(folder))
    records.keep_experiments(
        run, {"scale": "paper", "resumed": False, "started": "2026-01-02 03:04:05 UTC"}
    )
    (record,) = records.read(chapter)
    return record


def test_what_a_chapter_draws_and_judges_is_run_once(toy, tmp_path, computed):
    chapter, codes = toy
    claims = paper(computed)
    run = run_of(chapter, claims)
    assert [n for n, _ in run.steps(tmp_path)] == ["foreign", "sample", "drawn", "toy-bound"]
    assert computed == ["sample", "drawn"]
    again = run_of(chapter, claims)
    list(again.steps(tmp_path))
    assert computed == ["sample", "drawn"]
    assert again.seconds["sample"] == run.seconds["sample"]  # those of its true cost
    list(run_of(chapter, claims, d=25).steps(tmp_path))
    assert computed == ["sample", "drawn"] * 2
    codes["sample"] = "changed"
    list(run_of(chapter, claims).steps(tmp_path))
    assert computed == [*["sample", "drawn"] * 2, "sample"]


def test_what_a_record_keeps_is_not_run_again(toy, tmp_path, computed):
    chapter, _ = toy
    recorded(chapter, paper(computed), tmp_path)
    shutil.rmtree(chapter.root / "_build" / "experiments")
    computed.clear()
    files = {"sample": (records.folder(chapter, "paper") / "sample.npz", 12.5)}
    run = run_of(chapter, paper(computed), record=files)
    list(run.steps(tmp_path))
    assert computed == ["drawn"]
    assert run.seconds["sample"] == 12.5  # what it took when it was run


def test_a_further_seed_runs_what_its_claims_ask_for(toy, tmp_path, computed):
    chapter, _ = toy
    run = run_of(chapter, paper(computed), only=["toy-bound"])
    assert [n for n, _ in run.steps(tmp_path)] == ["foreign", "sample", "toy-bound"]
    assert not run.file("sample").is_file()  # it was quick


def test_a_record_keeps_what_a_file_can_hold(toy, tmp_path, computed):
    chapter, _ = toy
    record = recorded(chapter, paper(computed), tmp_path)
    kept = {name for name, of in record["experiments"].items() if of["bytes"]}
    assert kept == {"sample", "drawn"}
    assert record["verdicts"][0]["outcome"] == "holds"
    folder = records.folder(chapter, "paper")
    study = experiments.study_of(chapter, paper(computed), record, folder)
    assert float(study["drawn"]["mean"]) == 1.0
    assert experiments.is_current(chapter.part, record)


def test_the_smallest_experiments_are_kept_first(toy, tmp_path, computed, monkeypatch):
    chapter, _ = toy
    monkeypatch.setattr(experiments, "LARGEST", 600)
    record = recorded(chapter, paper(computed), tmp_path)
    sizes = [of["bytes"] for of in record["experiments"].values()]
    assert sorted(size is None for size in sizes) == [False, True, True]


def test_a_changed_check_is_called_again_on_what_was_kept(toy, tmp_path, computed, monkeypatch):
    chapter, codes = toy
    record = recorded(chapter, paper(computed), tmp_path)
    folder = records.folder(chapter, "paper")
    stricter = Claims("toy", paper(computed, limit=0.5).experiments)

    @stricter.check("bound")
    def bound(sample):
        yield inequality(sample.max(), 0.5, what="largest entry")

    monkeypatch.setattr(experiments, "checks_of", lambda part: stricter)
    (same,) = experiments.judge_again(chapter, record, folder).values()
    assert same["outcome"] == "holds"
    codes["toy-bound"] = "changed"
    computed.clear()
    (again,) = experiments.judge_again(chapter, record, folder).values()
    assert again["outcome"] == "refuted"
    assert computed == []


def test_a_changed_experiment_is_not_judged_again(toy, tmp_path, computed):
    chapter, codes = toy
    record = recorded(chapter, paper(computed), tmp_path)
    codes |= {"sample": "changed", "toy-bound": "changed"}
    (again,) = experiments.judge_again(chapter, record, records.folder(chapter, "paper")).values()
    assert again is None
    assert not experiments.is_current(chapter.part, record)
    now = {"toy-bound": record["verdicts"][0]}
    ((_, _, said),) = records.Table(chapter, now).rows(record)
    assert said.endswith(records.EARLIER)


def test_a_verdict_says_what_the_recorded_run_found(toy, tmp_path, computed):
    chapter, _ = toy
    recorded(chapter, paper(computed), tmp_path)
    (line,) = records.lines_on(chapter, "toy-bound")
    assert line.startswith("Recorded at scale paper: ✓ holds: ")
    assert "(2026-01-02, CPU" in line
    assert line.endswith(" 0 s)")
    assert records.lines_on(chapter, "toy-theorem-1") == []
