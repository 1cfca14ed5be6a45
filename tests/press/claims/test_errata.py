"""Errata: what they say, how certain they call themselves, and what other programs get."""

import csv
import io
from dataclasses import replace

import pytest
from pybtex.database import parse_string

from featurebook.press.claims import errata
from made_up import INEQUALITY, entry, few


@pytest.fixture
def root(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "references.bib").write_text(
        "@misc{key, author = {Doe, Ann and Roe, Bob}, title = {On {Toys}}}"
    )
    (tmp_path / "CITATION.cff").write_text(
        'title: "toybook: a toy"\nauthors: [{name: the toy makers}]\ndate-released: "2031-02-03"\n'
    )
    return tmp_path


def certainty(numbers, parts=()):
    (found,) = errata.find([entry("1", "refuted", numbers=numbers, parts=list(parts))])
    return found.certainty


def test_certainty_follows_from_what_was_executed():
    assert certainty(INEQUALITY) == "computed"
    assert certainty({"smaller_at_worst": 1 + 1e-9, "larger_at_worst": 1.0}) == "close"
    assert certainty({"smaller_at_worst": "inf", "larger_at_worst": 1.0}) == "computed"
    assert certainty({"largest_difference": 0.75, "tolerance": 1e-12}) == "computed"
    assert certainty({"largest_difference": 1e-8, "tolerance": 1e-12}) == "close"
    assert certainty({"true": 0, "share": 0.0}) == "computed"
    assert certainty({"successes": 3, "low": 0.1, "high": 0.2, "claimed": 0.9}) == "counted"


def test_print_against_print_is_called_a_misprint():
    made = entry("1", "refuted", numbers=INEQUALITY)
    made = replace(made, claim=replace(made.claim, kind="misprint"))
    (found,) = errata.find([made])
    assert found.certainty == "misprint"


def test_misprints_follow_the_errors_and_our_text_is_nowhere():
    misprint = entry("8", "refuted", kind="misprint", note="a digit")
    ours = entry("9", "our text", note="perhaps the scan", number="Lemma 9")
    entries = [misprint, ours, *few()]
    errors, misprints = errata.apart(errata.find(entries))
    assert [x.entry.claim.id for x in errors] == ["toy-1"]
    assert [x.entry.claim.id for x in misprints] == ["toy-8"]
    page = errata.page(entries, "Toy")
    assert page.index("\n## Lemma 1\n") < page.index("\n## Misprints\n")
    assert page.index("\n## Misprints\n") < page.index("(erratum-toy-8)=\n### ")
    assert "toy-9" not in page + errata.as_csv(entries)


def test_only_the_parts_that_refute_make_it_certain():
    differs = {"largest_difference": 1.0, "tolerance": 1e-9}
    counted = {"successes": 3, "low": 0.1, "high": 0.2, "claimed": 0.9}

    def parts(one, other):
        return [{"outcome": one, "numbers": differs}, {"outcome": other, "numbers": counted}]

    assert certainty({}, parts("open", "refuted")) == "counted"
    assert certainty({}, parts("refuted", "refuted")) == "computed"


def test_what_rests_on_it_directly_and_through_others():
    (found,) = errata.find(few())
    assert [e.claim.id for e in found.corrections] == ["toy-1-corrected"]
    assert [e.claim.id for e in found.direct] == ["toy-2"]
    assert [e.claim.id for e in found.further] == ["toy-3"]


def test_the_page_has_all_that_an_author_asks_for():
    entries = [*few(), entry("5", "holds", note="x for u in *one* place")]
    page = errata.page(entries, "Toy")
    for part in (
        "Section 1", "a sign", r"text \<1>", "{prf:ref}`toy-1`",
        "../../notebooks/toy/story.html#verdict-toy-1'",
        "{prf:ref}`toy-1-corrected` (holds)", "**How certain**: computed",
        "{prf:ref}`toy-2` (holds); through these {prf:ref}`toy-3` (trend)",
        "`featurebook check toy`", "errata/toy.bib",
        r"`toy-5`: x for u in \*one\* place",
    ):  # fmt: skip
        assert part in page, part


def test_without_errata_the_page_says_so():
    assert "None." in errata.page([entry("2", "holds")], "Toy")


def test_the_table_has_a_row_for_each():
    (row,) = csv.DictReader(io.StringIO(errata.as_csv(few())))
    assert row["number"] == "Lemma 1"
    assert row["corrected"] == "text <1-corrected>"
    assert row["rests on it"] == "Lemma 2; Lemma 3"
    assert row["certainty"] == "computed"
    assert row["counterexample"] == "claims/toy-1.html"
    assert row["command"] == "featurebook run toy/story -o again.ipynb"


def test_formulas_are_set_on_the_page_and_plain_elsewhere(root):
    entries = [entry("1", "refuted", text=r"$x\le1$ for a_b.", note="$y$", numbers=INEQUALITY)]
    assert r"{prf:ref}`toy-1`: $x\le1$ for a\_b." in errata.page(entries, "Toy")
    (row,) = csv.DictReader(io.StringIO(errata.as_csv(entries)))
    assert (row["printed"], row["why"]) == ("x ≤ 1 for a_b.", "y")
    assert r"Printed: x ≤ 1 for a\_b." in errata.as_bibtex(entries, root)


def test_bibtex_parses_and_cites_paper_and_claim(root):
    sharp = entry("7", "refuted", note=r"100% of {x}_1 & \y", number="Lemma #7", numbers=INEQUALITY)
    found = parse_string(errata.as_bibtex([*few(), sharp], root), "bibtex").entries
    assert list(found) == ["toybook:toy-1", "toybook:toy-7"]
    fields = found["toybook:toy-1"].fields
    assert fields["title"] == "{Erratum to Lemma 1 of Doe and Roe, ``On {Toys}''}"
    assert fields["year"] == "2031"
    assert "Corrected: text <1-corrected>" in fields["note"]
    assert (
        r"100\% of \textbraceleft{}x\textbraceright{}\_1 \& "
        in found["toybook:toy-7"].fields["note"]
    )
    assert found["toybook:toy-1"].persons["author"][0].last_names == ["{the toy makers}"]
