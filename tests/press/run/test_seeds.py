"""Other seeds: what is run, what is kept, and what is said of it."""

import json
from dataclasses import replace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.claims import errata, ledger
from featurebook.press.run import freshness, seeds
from featurebook.press.run.seeds import Tally
from featurebook.verdicts import MIME, everywhere, relabelled
from made_up import few


@pytest.fixture
def toy(book):
    chapter = find_chapter(book, "toy")
    text = chapter.notebook.read_text()
    before = "d: int = "
    assert before in text
    chapter.notebook.write_text(text.replace(before, f"seed: int = 3  # [0, 1000000]\n{before}", 1))
    return chapter


def executed(job, truth):
    """As if the job had run, and its verdict had come out so."""
    verdict = relabelled(everywhere([truth], what="w"), "toy-theorem-1").as_dict()
    notebook = new_notebook(
        cells=[new_code_cell("x", outputs=[new_output("display_data", {MIME: verdict})])],
        metadata={freshness.METADATA: {"started": "2026-01-01 00:00:00 UTC"}},
    )
    job.output.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, job.output)


def test_a_chapter_gets_eight_other_seeds_and_a_cheap_one_sixteen(toy):
    jobs = seeds.plan(toy)
    assert [job.values["seed"] for job in jobs] == [1000 * k for k in range(1, 9)]
    assert len({job.output for job in jobs}) == 8
    assert len(seeds.plan(toy, 3)) == 3
    cheap = new_notebook(metadata={freshness.METADATA: {"seconds": 19.0}})
    nbformat.write(cheap, toy.executed)
    assert len(seeds.plan(toy)) == 16


def test_a_chapter_without_a_seed_is_left_out(book):
    assert seeds.plan(find_chapter(book, "toy")) == []


def test_what_came_out_is_kept_and_not_computed_again(toy):
    jobs = seeds.plan(toy, 3)
    for job, truth in zip(jobs, (True, True, False), strict=True):
        executed(job, truth)
    assert seeds.keep(toy, jobs) == {"toy-theorem-1": ["holds", "holds", "refuted"]}
    record = json.loads(toy.seeds.read_text())
    assert record["seeds"] == [1000, 2000, 3000]
    (tally,) = seeds.read(toy).values()
    assert tally.words("holds") == "varies over 3 other seeds (holds 2, refuted 1)"
    assert seeds.plan(toy, 3) == []

    toy.notebook.write_text(toy.notebook.read_text() + "\n# %%\nd + 1\n")
    (tally,) = seeds.read(toy).values()
    assert tally.words("holds") == "varies over 3 other seeds (holds 2, refuted 1) (earlier code)"
    assert len(seeds.plan(toy)) == 8


def test_a_record_is_made_longer_by_what_it_lacks(toy):
    for count, truth in ((2, True), (3, False)):
        jobs = seeds.plan(toy, count)
        assert len(jobs) == {2: 2, 3: 1}[count]
        for job in jobs:
            executed(job, truth)
        seeds.keep(toy, jobs)
    assert json.loads(toy.seeds.read_text())["seeds"] == [1000, 2000, 3000]
    (tally,) = seeds.read(toy).values()
    assert tally.outcomes == ("holds", "holds", "refuted")
    assert seeds.plan(toy, 2) == []


def test_a_damaged_record_is_made_again(toy):
    toy.seeds.parent.mkdir(parents=True)
    whole = [job.values for job in seeds.plan(toy, 2)]
    toy.seeds.write_text("[]")
    assert [job.values for job in seeds.plan(toy, 2)] == whole


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"computation": "x", "outcomes": 3}'])
def test_a_damaged_record_is_named(toy, text):
    toy.seeds.parent.mkdir(parents=True)
    toy.seeds.write_text(text)
    with pytest.raises(BookError, match=r"toy/seeds/story.json is no record of seeds"):
        seeds.read(toy)


def test_the_ledger_and_errata_say_how_often():
    tally = Tally(("refuted",) * 7 + ("holds",), outdated=False)
    said = "varies over 8 other seeds (refuted 7, holds 1)"
    entries = [replace(e, tally=tally) if e.outcome == "refuted" else e for e in few()]
    assert said in ledger.ClaimTable(entries, {"toy": "Toy"})._repr_html_()
    assert said in errata.page(entries, "toy")
    found = json.loads(ledger.as_json(entries))["claims"][0]["tally"]
    assert found == {"outcomes": ["refuted"] * 7 + ["holds"], "outdated": False}


def test_the_ledger_counts_how_claims_were_decided():
    tally = Tally(("holds", "holds"), outdated=False)
    by = {
        "2": {"attack": {"starts": 3}, "tally": tally},
        "3": {"certificate": "proved on the page"},
    }
    entries = [replace(e, **by.get(e.claim.id.removeprefix("toy-"), {})) for e in few()]
    assert ledger.hardness(entries).loc["in total"].tolist() == [4, 1, 1, 0, 1, 1]


def test_what_was_decided_without_rounding_is_called_so():
    entries = [
        replace(e, certificate="proved by exact arithmetic") if e.outcome == "refuted" else e
        for e in few()
    ]
    (erratum,) = errata.find(entries)
    assert erratum.certainty == "decided"


def test_a_verdict_that_differs_is_settled_as_mixed_and_keeps_its_own(toy, monkeypatch):
    monkeypatch.setenv("FEATUREBOOK_ROOT", str(toy.root))
    verdict = relabelled(everywhere([True], what="w"), "toy-theorem-1")
    assert seeds.settled(toy.address, [verdict]) == [verdict]  # no record

    jobs = seeds.plan(toy, 2)
    for job in jobs:
        executed(job, True)
    seeds.keep(toy, jobs)
    assert seeds.settled(toy.address, [verdict]) == [verdict]

    executed(jobs[1], False)
    toy.seeds.unlink()
    seeds.keep(toy, jobs)
    (found,) = seeds.settled(toy.address, [verdict])
    assert (found.outcome, found.reason) == ("mixed", "seeds differ")
    assert found.measured.startswith("holds here; varies over 2 other seeds (holds 1, refuted 1);")

    executed(jobs[0], False)  # the others agree among themselves, and not with this one
    toy.seeds.unlink()
    seeds.keep(toy, jobs)
    (other,) = seeds.settled(toy.address, [verdict])
    assert other.measured.startswith("holds here; differs with 2 other seeds (refuted 2);")
    executed(jobs[0], True)

    notebook = nbformat.read(jobs[0].output, 4)
    notebook.cells[0].outputs[0].data[MIME] = found.as_dict()
    nbformat.write(notebook, jobs[0].output)
    toy.seeds.unlink()
    assert seeds.keep(toy, jobs) == {"toy-theorem-1": ["holds", "refuted"]}  # its own outcome


def test_settling_verdicts_does_not_outdate_their_record(toy):
    text = toy.notebook.read_text() + "\n# %%\nprint(d)\n"
    toy.notebook.write_text(text)
    before = freshness.computation(toy)
    toy.notebook.write_text(f'{text}display(*show.settled("toy/story", [found]))\n')
    assert freshness.computation(toy) == before
    toy.notebook.write_text(f'{text}display(*show.settled("toy/story", [check(d)]))\n')
    assert freshness.computation(toy) != before
