"""Recorded runs: kept with where and when, shown beside those computed here, never passed off."""

import itertools
import json
import os
from functools import partial

import nbformat
import pytest
import torch
from typer.testing import CliRunner

from featurebook import cli, core, verdicts
from featurebook.core import checkpoint
from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.claims import ledger
from featurebook.press.run import experiments, freshness, parameters, provenance, record, records
from featurebook.verdicts.claims import Claims

NONE = "No run at another scale has been recorded yet."


@pytest.fixture
def code(monkeypatch):
    codes = {}
    monkeypatch.setattr(experiments, "digest", lambda part, name: codes.get(name, "as it was"))
    return codes


@pytest.fixture
def toy(book, code, monkeypatch):
    claims = Claims("toy")

    @claims.experiment
    def sums(d):
        return [True] * d

    @claims.check("theorem-1")
    def theorem(sums):
        yield verdicts.everywhere(sums, what="sums <are> sums")

    monkeypatch.setattr(experiments, "checks_of", lambda part: claims)
    monkeypatch.setattr(experiments, "named", lambda *_: (["toy-theorem-1"], ["sums"]))
    return find_chapter(book, "toy")


def keep(chapter, resumed=False):
    values = parameters.final_values(chapter, "paper")
    run = experiments.Run(chapter, experiments.checks_of(chapter.part), values)
    list(run.steps(chapter.root / "state"))
    run.seconds["sums"] = 4321.0
    about = {"scale": "paper", "started": "2026-01-02 03:04:05 UTC", "resumed": resumed}
    return records.keep_experiments(run, about)


def test_without_a_record_there_is_one_plain_line(toy):
    table = records.table("toy")
    assert repr(table) == NONE
    assert table._html() == f"<p>{NONE}</p>"


def test_a_record_says_where_when_and_what(toy):
    kept = keep(toy)
    assert kept == toy.root / "records" / "toy" / "story.paper.json"
    record = json.loads(kept.read_text(encoding="utf-8"))
    assert record["parameters"]["d"] == 90
    assert record["verdicts"][0]["numbers"] == {"true": 90, "share": 1.0}
    now = verdicts.relabelled(verdicts.everywhere([True, False], what="sums"), "toy-theorem-1")
    table = records.Table(toy, {now.claim: now.as_dict()})
    (found,) = table.records
    about = table.about(found)
    assert "Scale paper, recorded 2026-01-02 03:04:05 UTC on CPU" in about
    assert f"commit {provenance.commit()}, in 4,321 s." in about
    assert "changed" not in about
    assert "interruption" not in about
    assert table.rows(found) == [(
        "toy-theorem-1", "✗ refuted: true in 1 of 2 cases: sums",
        "✓ holds: true in each of 90 cases: sums <are> sums",
    )]  # fmt: skip
    assert "sums &lt;are&gt; sums" in table._html()
    assert "each of 90" in repr(table)
    assert records.Table(toy, {}).rows(found) == []  # claims of other chapters
    settled = now.as_dict() | {"outcome": "trend", "measured": f"open {records.DECIDED}: more"}
    ((_, here, there),) = records.Table(toy, {now.claim: settled}).rows(found)
    assert here == f"{verdicts.MARKS['open']} open: the recorded run decides"
    assert there.startswith("✓ holds")


def test_parameters_other_than_the_scales_are_said(toy):
    kept = keep(toy)
    record = json.loads(kept.read_text(encoding="utf-8"))
    record["parameters"]["d"] = 50
    assert "Scale paper with d = 50, recorded" in records.Table(toy, {}).about(record)


def test_an_interruption_is_said(toy):
    keep(toy, resumed=True)
    table = records.table("toy")
    assert "in 4,321 s after an interruption" in table.about(table.records[0])


def test_a_changed_experiment_is_said_and_a_changed_check_is_not(toy, code):
    keep(toy)
    code["toy-theorem-1"] = "changed"
    assert "the code has changed since" not in repr(records.table("toy"))
    code["sums"] = "changed"
    assert "the code has changed since" in repr(records.table("toy"))
    assert "the code has changed since" in records.table("toy")._html()


def test_a_page_that_shows_records_depends_on_them(toy):
    before = freshness.key(toy, {})
    keep(toy)
    assert freshness.key(toy, {}) == before
    text = toy.notebook.read_text(encoding="utf-8") + "\n# %%\nshow.records('toy')\n"
    toy.notebook.write_text(text, encoding="utf-8")
    before = freshness.key(toy, {})
    (toy.root / "records" / "toy" / "story.paper.json").write_text("{}")
    after = freshness.key(toy, {})
    assert {part for part in after if after[part] != before[part]} == {"records"}
    assert freshness.same_numbers(before, after)


def test_the_ledger_shows_recorded_runs_and_depends_on_all(toy, code):
    keep(toy)
    (entry,) = ledger.recorded()
    assert (entry.claim.id, entry.outcome) == ("toy-theorem-1", "holds")
    assert entry.scale == "paper, recorded 2026-01-02"
    code["sums"] = "changed"
    (entry,) = ledger.recorded()
    assert entry.scale.endswith("(the code has changed)")
    text = toy.notebook.read_text(encoding="utf-8")
    toy.notebook.write_text(text + "\n# %%\nshow.entries()\n", encoding="utf-8")
    before = freshness.key(toy, {})
    (toy.root / "records" / "other.paper.json").write_text("{}")
    assert freshness.key(toy, {})["entries"] != before["entries"]


def test_an_interrupted_record_keeps_its_state_and_goes_on(toy, monkeypatch):
    monkeypatch.setenv(checkpoint.FOLDER, "")
    folders, claims = [], Claims("toy")

    @claims.experiment
    def trained(d):
        folders.append(os.environ[checkpoint.FOLDER])
        os.makedirs(folders[-1], exist_ok=True)
        if len(folders) == 1:
            raise KeyboardInterrupt
        return d

    monkeypatch.setattr(experiments, "checks_of", lambda part: claims)
    monkeypatch.setattr(experiments, "named", lambda chapter, claims: ([], ["trained"]))
    call = partial(CliRunner().invoke, cli.app, ["record", "toy"])
    assert call().exit_code == 130
    assert checkpoint.FOLDER not in os.environ  # what runs next in this process keeps no state
    assert not (toy.root / "records").exists()
    result = call()
    assert result.exit_code == 0, result.output
    assert folders[0] == folders[1]
    assert not os.path.exists(folders[0])
    (record,) = records.read(toy)
    assert record["resumed"] is True


@pytest.mark.parametrize("text", ["{", '{"scale": "paper"}'])
def test_a_damaged_record_is_one_line_and_is_put_aside_by_a_new_one(toy, text):
    place = records.path(toy, "paper")
    place.parent.mkdir(parents=True)
    place.write_text(text)
    with pytest.raises(BookError) as error:
        records.read(toy)
    assert "\n" not in str(error.value)
    assert "featurebook record toy/story --scale paper records it again" in str(error.value)
    record.record(toy, "paper", [], [])
    assert [r["scale"] for r in records.read(toy)] == ["paper"]
    assert place.with_name("story.paper.damaged-1.json").read_text() == text


def test_a_record_without_experiments_is_refused_with_how_to_make_it_again(toy):
    place = keep(toy)
    record = json.loads(place.read_text(encoding="utf-8"))
    del record["experiments"], record["checks"]
    place.write_text(json.dumps(record | {"computation": "3b1f"}), encoding="utf-8")
    with pytest.raises(BookError) as error:
        records.read(toy)
    remedy = "featurebook record toy/story --scale paper records it again"
    assert str(error.value) == f"{place}: experiments: Field required; {remedy}"


def test_a_record_of_another_chapter_is_refused(toy):
    keep(toy)
    place = records.path(toy, "paper")
    place.write_text(place.read_text().replace("toy/story", "other/story"))
    with pytest.raises(BookError, match="a record of other/story at scale paper"):
        records.read(toy)


def test_trainings_go_on_where_a_runner_asks_for_it(tmp_path, monkeypatch):
    monkeypatch.setenv(checkpoint.FOLDER, str(tmp_path / "state"))

    def program(steps_allowed):
        """Two trainings in a row, killed after that many calls of the step size."""
        monkeypatch.setattr(checkpoint, "_trainings", itertools.count())
        calls = itertools.count()

        def schedule(t):
            if next(calls) > steps_allowed:
                raise KeyboardInterrupt
            return 0.1 / t

        def train(target):
            return core.train(
                lambda p, x: ((p["w"] - x) ** 2).sum(), {"w": torch.zeros(2, 3)},
                torch.full((2, 1, 3), target), steps=50, seeds=[0, 1],
                optimizer=partial(torch.optim.SGD, lr=0.1, momentum=0.9), schedule=schedule,
            ).params["w"]  # fmt: skip

        return train(1.0), train(2.0), next(calls)

    with pytest.raises(KeyboardInterrupt):
        program(125)  # in the middle of the second
    assert len(list((tmp_path / "state").iterdir())) == 2
    first, second, calls_resumed = program(10**6)
    monkeypatch.setenv(checkpoint.FOLDER, str(tmp_path / "other"))
    unbroken_first, unbroken_second, calls_unbroken = program(10**6)
    assert torch.equal(first, unbroken_first)
    assert torch.equal(second, unbroken_second)
    assert calls_resumed < calls_unbroken


def test_every_verdict_of_a_notebook_is_put_beside_the_recorded_ones(toy):
    keep(toy)
    now = verdicts.relabelled(
        verdicts.everywhere([True, False], what="shown by display"), "toy-theorem-1"
    )
    empty = records.Table(toy, {})._repr_mimebundle_()
    assert "shown by display" not in empty["text/html"]
    shown = [nbformat.v4.new_output("display_data", b) for b in (now._repr_mimebundle_(), empty)]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", outputs=shown)])
    records.add_verdicts(notebook, toy)
    first, second = (o.data["text/html"] for o in notebook.cells[0].outputs)
    assert first == now._repr_mimebundle_()["text/html"]
    assert "shown by display" in second
    assert "true in each of 90" in second
