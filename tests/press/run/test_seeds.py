"""Other seeds: what is run, what is kept, and what is said of it."""

import json
from dataclasses import replace

import nbformat
import pytest
from nbformat.v4 import new_notebook

from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.claims import errata, ledger, ledger_json
from featurebook.press.run import experiments, freshness, seeds
from featurebook.press.run.tallies import Tally
from featurebook.verdicts import everywhere, relabelled, undecided
from featurebook.verdicts.claims import Claims
from made_up import few

CELLS = """

# %%
from featurebook.papers.toy import checks

study = checks.claims.at(**globals())

# %%
show.judge(study, "theorem-1", "always")
"""


def paper():
    claims = Claims("toy")

    @claims.check("theorem-1")
    def theorem(seed):
        yield everywhere([seed < 3000], what="w")

    @claims.check("always")
    def always(d):
        yield everywhere([True], what="w")

    return claims


@pytest.fixture
def toy(book, monkeypatch):
    chapter = find_chapter(book, "toy")
    text = chapter.notebook.read_text().replace("1 / (d - 13)", "")
    before = "d: int = "
    assert before in text
    seeded = text.replace(before, f"seed: int = 3  # [0, 1000000]\n{before}", 1)
    chapter.notebook.write_text(seeded + CELLS)
    monkeypatch.setattr(experiments, "checks_of", lambda part: paper())
    return chapter


@pytest.fixture
def code(monkeypatch):
    codes = {}
    monkeypatch.setattr(experiments, "digest", lambda part, name: codes.get(name, "as it was"))
    return codes


def kept(chapter, count):
    for plan in seeds.plan(chapter, count):
        seeds.keep(plan, seeds.run(plan))


def test_a_chapter_gets_eight_other_seeds_and_a_cheap_one_sixteen(toy):
    plans = seeds.plan(toy)
    assert [plan.seed for plan in plans] == [1000 * k for k in range(1, 9)]
    assert len(seeds.plan(toy, 3)) == 3
    cheap = new_notebook(metadata={freshness.METADATA: {"seconds": 19.0}})
    nbformat.write(cheap, toy.executed)
    assert len(seeds.plan(toy)) == 16


def test_only_checks_that_need_a_seed_are_called(toy):
    assert {plan.claims for plan in seeds.plan(toy)} == {("toy-theorem-1",)}


def test_a_chapter_without_a_seed_is_left_out(book):
    assert seeds.plan(find_chapter(book, "toy")) == []


def test_what_came_out_is_kept_and_not_computed_again(toy, code):
    kept(toy, 3)
    record = json.loads(toy.seeds.read_text())
    outcomes = {"1000": "holds", "2000": "holds", "3000": "refuted"}
    assert record["claims"]["toy-theorem-1"]["outcomes"] == outcomes
    (tally,) = seeds.record(toy).differing().values()
    assert tally.words("holds") == "varies over 3 other seeds (holds 2, refuted 1)"
    assert seeds.plan(toy, 3) == []


def test_a_record_of_another_check_counts_as_older_and_is_made_again(toy, code):
    kept(toy, 3)
    code["toy-theorem-1"] = "changed"
    (tally,) = seeds.record(toy).every().values()
    assert tally.words("holds") == "varies over 3 other seeds (holds 2, refuted 1) (earlier code)"
    assert len(seeds.plan(toy)) == 8
    kept(toy, 1)
    (tally,) = seeds.record(toy).every().values()
    assert tally == Tally(("holds",), outdated=False)


def test_a_record_is_made_longer_by_what_it_lacks(toy, code):
    kept(toy, 2)
    assert [plan.seed for plan in seeds.plan(toy, 3)] == [3000]
    kept(toy, 3)
    (tally,) = seeds.record(toy).every().values()
    assert tally.outcomes == ("holds", "holds", "refuted")
    assert seeds.plan(toy, 2) == []


def test_a_check_that_fails_is_named_with_its_seed(toy, monkeypatch):
    claims = Claims("toy")

    @claims.check("theorem-1")
    def theorem(seed):
        yield everywhere([1 / 0], what="w")

    monkeypatch.setattr(experiments, "checks_of", lambda part: claims)
    with pytest.raises(RuntimeError, match="toy-theorem-1 with seed 1000: ZeroDivisionError"):
        seeds.run(seeds.plan(toy)[0])


def test_a_damaged_record_is_made_again(toy):
    toy.seeds.parent.mkdir(parents=True)
    whole = seeds.plan(toy, 2)
    toy.seeds.write_text("[]")
    said = seeds.mend(toy)
    assert "featurebook seeds toy/story computes it again; the damaged one is now" in said
    assert toy.seeds.with_name("story.damaged-1.json").read_text() == "[]"
    assert seeds.plan(toy, 2) == whole
    assert (seeds.mend(toy), seeds.record(toy).every()) == ("", {})


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"claims": 3}', '{"claims": {"a": {}}}',
     '{"claims": {"a": {"code": "c", "outcomes": {"x": "holds"}}}}',
     '{"claims": {"a": {"code": "c", "outcomes": {"1000": "perhaps"}}}}'],
)  # fmt: skip
def test_a_damaged_record_is_named(toy, text):
    toy.seeds.parent.mkdir(parents=True)
    toy.seeds.write_text(text)
    with pytest.raises(BookError, match=r"toy/seeds/story.json: .*seeds toy/story computes"):
        seeds.record(toy).claims()


def test_the_ledger_and_errata_say_how_often():
    tally = Tally(("refuted",) * 7 + ("holds",), outdated=False)
    said = "varies over 8 other seeds (refuted 7, holds 1)"
    entries = [replace(e, tally=tally) if e.outcome == "refuted" else e for e in few()]
    assert said in ledger.ClaimTable(entries, {"toy": "Toy"})._repr_html_()
    assert said in errata.page(entries, "toy")
    found = json.loads(ledger_json.as_json(entries, {}))["claims"][0]["tally"]
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


def test_a_verdict_that_differs_is_settled_as_mixed(toy, code, monkeypatch):
    monkeypatch.setenv("FEATUREBOOK_ROOT", str(toy.root))
    verdict = relabelled(everywhere([True], what="w"), "toy-theorem-1")
    assert seeds.settled(toy, verdict) == verdict  # no record
    kept(toy, 2)
    assert seeds.settled(toy, verdict) == verdict
    kept(toy, 3)
    mixed = seeds.settled(toy, verdict)
    assert (mixed.outcome, mixed.reason) == ("mixed", "seeds differ")
    assert mixed.measured.startswith("holds here; varies over 3 other seeds (holds 2, refuted 1)")
    unknown = undecided(verdict, "not judged", "needs MNIST")
    assert seeds.settled(toy, unknown) == unknown, "the seeds had what is lacking here"


@pytest.mark.parametrize(("seeds_said", "outcome"), [("open", "holds"), ("refuted", "mixed")])
def test_a_proof_is_unsettled_by_a_failure_alone(seeds_said, outcome):
    verdict = replace(everywhere([True], what="w"), certificate="proved on the page")
    tally = Tally(("holds", seeds_said), outdated=False)
    assert seeds._settled(verdict, tally).outcome == outcome
    assert seeds._settled(replace(verdict, certificate=""), tally).outcome == "mixed"


def test_older_seeds_that_agreed_with_each_other_unsettle_nothing(toy, code, monkeypatch):
    monkeypatch.setenv("FEATUREBOOK_ROOT", str(toy.root))
    kept(toy, 2)
    code["toy-theorem-1"] = "changed"
    verdict = relabelled(everywhere([False], what="w"), "toy-theorem-1")
    assert seeds.settled(toy, verdict) == verdict
