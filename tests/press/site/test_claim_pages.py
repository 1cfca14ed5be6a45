"""A page for each claim."""

from fractions import Fraction
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from featurebook.press.claims import changes
from featurebook.press.claims.judgements import STATED
from featurebook.press.site import claim_boxes, claim_pages
from made_up import entry, few


def test_an_instance_is_python_with_exact_fractions() -> None:
    instance = {"x": ["1/2", 3, [0.5, "inf"]], "f_h'": {"n": "-2/7"}}
    names: dict[str, object] = {}
    exec(claim_pages.as_code(instance), names)
    assert names["instance"] == {
        "x": [Fraction(1, 2), 3, [0.5, "inf"]], "f_h'": {"n": Fraction(-2, 7)}
    }  # fmt: skip
    assert "Fraction" not in claim_pages.as_code({"x": 1})


def test_the_instance_is_that_of_the_part_that_decides() -> None:
    good = {"outcome": "holds", "instance": {"x": 1}}
    bad = {"outcome": "refuted", "instance": {"x": 2}}
    assert claim_pages.instance(entry("1", "refuted", parts=[good, bad])) == {"x": 2}
    assert claim_pages.instance(entry("1", "refuted", parts=[{"outcome": "refuted"}])) == {}


@pytest.fixture
def pages(book: Path, monkeypatch: pytest.MonkeyPatch) -> claim_pages.Pages:
    (book / "CITATION.cff").write_text(
        "cff-version: 1.2.0\nmessage: m\ntitle: 'Toys: a book'\nversion: '1'\n"
        "date-released: 2026-11-20\nauthors:\n  - name: the toymakers\n"
    )
    (book / changes.FILE).write_text("- {date: '2026-11-20', claim: toy-1, what: new, digest: a}\n")
    return claim_pages.Pages(book, few(), {"toy/story": "A toy"})


def test_a_page_says_what_rests_on_the_claim_what_holds_instead_and_its_history(
    pages: claim_pages.Pages,
) -> None:
    refuted = pages.entries["toy-1"]
    page = pages.page(refuted, claim_boxes.Cut("<p>the box</p>", ""))
    soup = BeautifulSoup(page, "html.parser")
    said = {s["id"]: s.get_text(" ", strip=True) for s in soup.select("section")}
    assert "the box" in page
    assert "a sign" in said["why"]
    assert "text <1-corrected>" in said["instead"]
    assert "Lemma 2" in said["rests"]
    assert "1-corrected" not in said["rests"]
    assert "2026-11-20: found not to hold as printed." in said["history"]
    assert "@misc{Toys:toy-1," in said["cite"]
    assert "claims/toy-1.html" in said["cite"]
    links = {a["href"] for a in soup.select("a")}
    assert {"toy-2.html", "../notebooks/toy/story.html#toy-1"} <= links


def test_a_definition_has_no_verdict_and_nothing_to_check(pages: claim_pages.Pages) -> None:
    definition = entry("4", STATED, measured="")
    page = pages.page(definition, claim_boxes.Cut("", ""))
    sections = BeautifulSoup(page, "html.parser").select("section")
    assert [s["id"] for s in sections] == ["cite"]


def test_the_list_has_all_claims(pages: claim_pages.Pages) -> None:
    links = BeautifulSoup(pages.index(), "html.parser").select("main li > a")
    assert [a["href"] for a in links] == [f"{e.claim.id}.html" for e in few()]
