"""Outcomes of figures and tables with further seeds, kept in the record of their scale."""

import pytest
from typer.testing import CliRunner

from featurebook.cli import app
from featurebook.press.book.places import find_chapter
from featurebook.press.run import experiments, parameters, record, records, seeded
from featurebook.verdicts.claims import Claims
from featurebook.verdicts.comparisons import inequality

IDS = ["toy-figure-1", "toy-figure-2"]


@pytest.fixture
def toy(book, monkeypatch):
    chapter = find_chapter(book, "toy")
    text = chapter.notebook.read_text(encoding="utf-8")
    chapter.notebook.write_text(text.replace("# %% tags=[\"parameters\"]\n",
        "# %% tags=[\"parameters\"]\nseed: int = 0  # of all draws [0, 100000]\n"))  # fmt: skip
    claims, codes, called = Claims("toy"), {}, []

    @claims.experiment
    def drawn(seed, d):
        called.append(seed)
        return seed + d

    @claims.check("figure-1")
    def figure_1(drawn):
        yield inequality(drawn, 1095, what=f"drawn {drawn}")

    @claims.check("figure-2")
    def figure_2(d):
        yield inequality(d, 100, what="no seed")

    monkeypatch.setattr(experiments, "checks_of", lambda part: claims)
    monkeypatch.setattr(experiments, "named", lambda *_: (IDS, ["drawn"]))
    monkeypatch.setattr(experiments, "digest", lambda part, name: codes.get(name, "same"))
    return chapter, claims, codes, called


def test_a_record_has_the_outcomes_of_further_seeds(toy):
    chapter, claims, _, called = toy
    record.record(chapter, "paper", [], [], IDS, 3)
    assert called == [0, 1000, 2000]
    (kept,) = records.read(chapter)
    assert list(kept["seeds"]) == ["1000", "2000"]
    of = [s["claims"]["toy-figure-1"]["outcome"] for s in kept["seeds"].values()]
    assert of == ["holds", "refuted"]
    assert "toy-figure-2" not in kept["seeds"]["1000"]["claims"]  # it needs no seed
    sizes = seeded.sizes(chapter, claims, kept["parameters"], "toy-figure-1")
    assert len(list(seeded.of_claim(chapter.part, kept, "toy-figure-1", sizes))) == 2
    assert list(seeded.of_claim(chapter.part, kept, "toy-figure-1", "others")) == []
    kept["parameters"]["seed"] = 2000  # then its seed 2000 is no further one
    assert len(list(seeded.of_claim(chapter.part, kept, "toy-figure-1", sizes))) == 1


def test_it_is_resumed_seed_by_seed(toy):
    chapter, _, codes, called = toy
    record.record(chapter, "paper", [], [], IDS, 2)
    (first,) = records.read(chapter)
    record.record(chapter, "paper", [], [], IDS, 3)
    assert called == [0, 1000, 2000]
    (kept,) = records.read(chapter)
    assert kept | {"seeds": first["seeds"]} == first  # its date and seconds are the run's
    codes["toy-figure-1"] = "changed"
    record.record(chapter, "paper", [], [], IDS, 2)
    (kept,) = records.read(chapter)
    codes_of = [s["claims"]["toy-figure-1"]["code"] for s in kept["seeds"].values()]
    assert codes_of == ["changed", "same"]
    values = kept["parameters"]
    wanted = seeded.sizes(chapter, toy[1], values, "toy-figure-1")
    current = [now for _, now in seeded.of_claim(chapter.part, kept, "toy-figure-1", wanted)]
    assert current == [True, False]


def test_outcomes_at_other_sizes_are_computed_again(toy):
    chapter, claims, _, called = toy
    record.record(chapter, "paper", [], [], IDS, 2)
    record.record(chapter, "paper", [], ["d=91"], IDS, 2)
    assert called == [0, 1000, 0, 1000]
    kept = records.read(chapter)[0]
    assert seeded.lacking(chapter, claims, kept, IDS, 2) == {}
    lacking = seeded.lacking(chapter, claims, kept, IDS, 4)
    assert lacking == {2000: ["toy-figure-1"], 3000: ["toy-figure-1"]}


def test_the_records_own_seed_is_not_tried_twice():
    assert seeded.further({"seed": 1000}, 3) == [2000, 3000]
    assert seeded.further({"seed": 0}, 1) == []


def test_titles_are_compared_without_their_numbers():
    assert seeded.key_of_part("mean 0.998 of 5") == seeded.key_of_part("mean −1,2.7·10⁻⁵ of 16")
    assert seeded.key_of_part("order") != seeded.key_of_part("gap")
    for one, other in (("k = 13: power", "k = 14: power"), ("Table 1, order", "Table 2, order")):
        assert seeded.key_of_part(one) != seeded.key_of_part(other)


def test_a_chapter_without_checks_is_refused_in_a_line(book):
    result = CliRunner().invoke(app, ["record", "toy"])
    assert result.exit_code == 2
    assert "toy/story has no checks that could be recorded" in result.stderr
    assert parameters.final_values(find_chapter(book, "toy"), "paper")["d"] == 90
