"""Verdicts as JSON-LD: one script a page, plain words, a stated scale."""

import json
import re
from pathlib import Path

import pytest
from pybtex.database import parse_string

from featurebook.press.claims import citing
from featurebook.press.site import reviews
from featurebook.verdicts import MEANING, OUTCOMES
from made_up import entry

ROOT = Path(__file__).resolve().parents[3]
BOOK = {"authors": [{"name": "we"}], "date-released": "2031-01-02"}
WORK = "@article{key, author = {Doe, Ann}, title = {On {T}oys}, year = {2030}}"
KNOWN = dict(parse_string(WORK, "bibtex").entries)


def graph(*own, site=""):
    found = reviews.document(own, KNOWN, BOOK, site)
    assert found["@context"] == "https://schema.org"
    return found["@graph"]


def test_a_review_says_what_is_claimed_by_whom_and_how_far_it_stands() -> None:
    claim = entry("1", "refuted", text=r"$x\le1$, and <b>.", measured="3 > 1")
    who, document, review = graph(claim, site="https://x.org/")
    assert who == {"@type": "Organization", "@id": "#book", "name": "we"}
    assert document["name"] == "On Toys"
    assert document["author"] == [{"@type": "Person", "name": "Ann Doe"}]
    assert review["@type"] == "ClaimReview"
    assert review["claimReviewed"] == "x ≤ 1, and <b>."
    assert review["itemReviewed"]["appearance"]["@id"] == document["@id"]
    assert review["author"]["@id"] == who["@id"]
    assert review["url"] == "https://x.org/claims/toy-1.html"
    rating = review["reviewRating"]
    assert rating["worstRating"] == 1 == rating["ratingValue"]
    assert (rating["bestRating"], rating["alternateName"]) == (5, "refuted")
    assert rating["ratingExplanation"] == MEANING["refuted"]


def test_where_the_address_is_not_known_it_is_relative_to_the_page() -> None:
    assert graph(entry("1", "holds"))[-1]["url"] == "../../claims/toy-1.html"


def test_a_finding_of_ours_appears_in_no_paper() -> None:
    _, review = graph(entry("1", "holds", ours=True))
    assert "appearance" not in review["itemReviewed"]


def test_the_script_cannot_be_left_from_within() -> None:
    text = reviews.script([entry("1", "holds", text="</script><b>&")], KNOWN, BOOK, "")
    assert text.count("<") == 2
    body = re.search(r"<script[^>]*>(.*)</script>", text)[1]
    assert json.loads(body)["@graph"][-1]["claimReviewed"] == "</script><b>&"


def test_the_scale_orders_all_outcomes_and_the_page_for_authors_says_it() -> None:
    assert set(reviews.SCALE.values()) == {1, 2, 3, 4, 5}
    assert set(reviews.SCALE) == set(OUTCOMES) - {"our text"}
    page = (ROOT / "book" / "authors.md").read_text(encoding="utf-8")
    for outcome, value in reviews.SCALE.items():
        assert f"| {outcome} | {value} |" in page


@pytest.mark.parametrize("key", ["shi_2024", "wen_li_2021"])
def test_a_thesis_is_a_thesis(key: str) -> None:
    kind = reviews._document(key, citing.works(ROOT)[key])["@type"]
    assert (kind == "Thesis") == (key == "shi_2024")
