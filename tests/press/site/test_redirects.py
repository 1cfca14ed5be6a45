"""Old addresses lead to the page that has the place now."""

import json
import re
from html import unescape

import pytest

from featurebook.press.site import redirects


@pytest.fixture
def site(book):
    (book / "_toc.yml").write_text(
        "root: book/index\nparts:\n  - chapters:\n    - file: notebooks/toy/story\n"
        "      sections: [{file: notebooks/toy/proofs}, {file: notebooks/toy/more}]\n"
        "    - file: notebooks/book/ledger\n"
    )
    pages = {
        "toy/story": ["toy-theorem-1", "both"],
        "toy/proofs": ["toy-lemma-2", "verdict-toy-lemma-2", "toy-fig-a", "both"],
        "toy/more": [],
        "book/ledger": ["claims"],
    }
    site = book / "_build" / "html"
    for name, ids in pages.items():
        (site / "notebooks" / name).parent.mkdir(parents=True, exist_ok=True)
        inside = "".join(f'<p id="{i}"></p>' for i in ids)
        text = f'<nav id="sidebar"></nav><article>{inside}</article>'
        (site / "notebooks" / f"{name}.html").write_text(text)
    return site


def said(site, name):
    page = (site / "notebooks" / f"{name}.html").read_text()
    return page, json.loads(unescape(re.findall(r'data-places="([^"]*)"', page)[0]))


def test_every_place_has_one_page_and_what_is_unknown_gets_to_the_story(book, site):
    redirects.write(book, site)
    page, places = said(site, "toy")
    assert places == {
        "toy/story.html": ["toy-theorem-1", "both"],
        "toy/proofs.html": ["toy-lemma-2", "verdict-toy-lemma-2", "toy-fig-a"],
        "toy/more.html": [],
    }
    assert 'data-start="toy/story.html"' in page
    assert '<a href="toy/story.html">' in page
    assert 'content="0; url=toy/story.html"' in page
    page, places = said(site, "ledger")
    assert ('data-start="book/ledger.html"' in page, places) == (True, {})


def test_what_was_written_is_taken_away_again(book, site):
    before = sorted(site.rglob("*"))
    redirects.write(book, site)
    assert sorted(site.rglob("*")) != before
    redirects.remove(book, site)
    assert sorted(site.rglob("*")) == before
