"""The built site: what it offers readers beside its text, and other programs."""

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from pybtex.database import parse_string

from browsing import SITE, needs_browser, open_page
from featurebook.press.book.places import Chapter
from featurebook.press.claims import statements
from runs import served
from test_site import (
    CHAPTERS,
    PAGES,
    PARTS,
    _parse,
    entries,
    of_chapter,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(len(PAGES) < 2, reason="the site is not built: make site"),
]


@pytest.mark.parametrize("page", ["book/index.html", "claims/gemfilter-gain.html"])
def test_a_page_has_an_icon(page: str) -> None:
    html = BeautifulSoup((SITE / page).read_text(encoding="utf-8"), "html.parser")
    (icon,) = html.select('link[rel~="icon"]')
    assert (SITE / page).parent.joinpath(str(icon["href"])).resolve().is_file()


@of_chapter
def test_a_chapter_says_its_time_needs_citation_and_command(chapter: Chapter) -> None:
    page = BeautifulSoup((SITE / chapter.page).read_text(encoding="utf-8"), "html.parser")
    top = page.select_one("h1 + .about-chapter")
    assert top is not None
    assert re.search(r"Part \d+, .*\d+ minutes? to read", top.get_text())
    assert "You should know" in top.get_text()
    assert parse_string(top.select("pre")[0].get_text(), "bibtex").entries
    link = top.select_one("a[download]")
    assert link is not None
    assert (SITE / chapter.page).parent.joinpath(str(link["href"])).resolve().is_file()
    judged = page.select("div.proof[id] > .verdict[id]")
    assert len(page.select("div.proof[id] > details.offer:not(.nearby)")) == len(judged)


@of_chapter
def test_a_chapter_carries_a_review_of_each_verdict_for_programs(chapter: Chapter) -> None:
    page = BeautifulSoup((SITE / chapter.page).read_text(encoding="utf-8"), "html.parser")
    own = [e for e in entries() if e.chapter == chapter.address]
    judged = [e for e in own if e.measured and e.outcome != "our text"]
    scripts = page.select('script[type="application/ld+json"]')
    assert len(scripts) == bool(judged)
    for script in scripts:
        reviews = [x for x in json.loads(script.get_text())["@graph"] if "reviewRating" in x]
        assert len(reviews) == len(judged)
        for review, entry in zip(reviews, judged, strict=True):
            assert review["reviewRating"]["alternateName"] == entry.outcome
            assert review["url"].endswith(f"/claims/{entry.claim.id}.html")
            assert "\\(" not in review["claimReviewed"]
            assert "$" not in review["claimReviewed"]


@pytest.mark.parametrize("page", ["book/index.html", "notebooks/book/ledger.html"])
@needs_browser
def test_claims_show_formulas_and_no_tex(browser: Any, page: str) -> None:
    open_page(browser, page, 1300)
    said = browser.execute_script(
        "const c = document.querySelector('article').cloneNode(true);"
        "c.querySelectorAll('code, pre, mjx-container, script').forEach(e => e.remove());"
        "return c.textContent"
    )
    assert not re.findall(r"\\[a-zA-Z]+|\$[^$\n]+\$|[_^]\{", said)


@needs_browser
@pytest.mark.parametrize("wanted", ["Theorem C.1", "Lemma B.18", "theorem 8.14"])
def test_the_number_of_a_theorem_leads_to_it_first(browser: Any, wanted: str) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    claims = [c for part in PARTS for c in statements.read(part.claims).claims]
    meant = {f"#{c.id}" for c in claims if c.number.lower().startswith(wanted.lower())}
    assert meant
    browser.get((SITE / "search.html").as_uri() + f"?q={wanted}")
    found = WebDriverWait(browser, 20).until(  # type: ignore[type-var]
        lambda b: b.find_elements(By.CSS_SELECTOR, "#search-results li a")
    )
    first = found[0].get_attribute("href")
    assert "#" + first.partition("#")[2] in meant
    assert f"> {wanted.lower()}" in found[0].text.lower()


@needs_browser
def test_excerpts_of_the_search_show_formulas(browser: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    with served(SITE) as port:
        browser.get(f"http://127.0.0.1:{port}/search.html?q=eigenvalue")
        run = browser.execute_script
        excerpts = "document.querySelector('#search-results')"
        set_ = f"return {excerpts}.querySelectorAll('p.context mjx-container').length"
        WebDriverWait(browser, 20).until(lambda b: run(set_) > 0)  # type: ignore[type-var]
        said = run(f"return {excerpts}.textContent")
    assert "eigenvalue" in said
    assert not re.findall(r"\\[(\[a-zA-Z]+", said)


@needs_browser
def test_the_contents_follow_a_jump_into_a_section(browser: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    chapter = max(CHAPTERS, key=lambda c: len(statements.labels(c)))
    last = statements.labels(chapter)[-1]
    open_page(browser, chapter.page, 1400)
    run = browser.execute_script
    run("location.hash = arguments[0]", last)
    section = run("return document.getElementById(arguments[0]).closest('section').id", last)
    marked = (
        "return [...document.querySelectorAll('#pst-page-toc-nav a[aria-current]')]"
        ".map(a => a.hash.slice(1))"
    )
    WebDriverWait(browser, 20).until(lambda b: run(marked) == [section])  # type: ignore[type-var]


@needs_browser
def test_the_page_for_lost_readers_finds_its_way_from_any_depth(browser: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    with served(SITE) as port:
        browser.get(f"http://127.0.0.1:{port}/notebooks/gone/for/good.html")
        run = browser.execute_script
        assert run("return document.querySelector('h1').textContent") == (
            "There is no page at this address"
        )
        assert run("return document.styleSheets.length") == 1
        links = run("return [...document.links].map(a => a.pathname)")
        run("document.querySelector('input').value = 'absorption'; document.forms[0].submit()")
        WebDriverWait(browser, 20).until(  # type: ignore[type-var]
            lambda b: b.current_url.endswith("/search.html?q=absorption")
        )
    assert links
    assert all((SITE / link.lstrip("/")).is_file() for link in links)


def test_the_feed_and_the_crate_lead_to_what_is_there() -> None:
    feed = ElementTree.parse(SITE / "errata.atom").getroot()
    links = [x.get("href", "") for x in feed.iter("{http://www.w3.org/2005/Atom}link")]
    assert len(links) > 2
    for link in [x for x in links if not x.startswith("http")]:
        page, _, place = link.partition("#")
        assert (SITE / page).is_file()
        assert not place or place in _parse(SITE / page).ids
    crate = json.loads((SITE / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    (whole,) = (x for x in crate["@graph"] if x["@id"] == "./")
    assert len(whole["hasPart"]) > len(CHAPTERS)
    assert all((SITE / x["@id"]).is_file() for x in whole["hasPart"])


def test_figures_are_numbered_by_part() -> None:
    for k, part in enumerate(PARTS, start=1):
        pages = [(SITE / c.page).read_text(encoding="utf-8") for c in part.chapters]
        found = [n for text in pages for n in re.findall(r'caption-number">Fig\. ([\d.]+)', text)]
        assert found == [f"{k}.{n}" for n in range(1, len(found) + 1)]
