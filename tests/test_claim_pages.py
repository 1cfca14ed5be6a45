"""The built claims' pages, the finder and the ledger, in a browser."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from browsing import needs_browser
from featurebook.press.book.places import papers
from featurebook.press.claims import statements
from measure_pages import DESKTOP, PHONE, TARGET

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
CLAIMS = SITE / "claims"
PAGES = {
    "refuted": "cone_sets-theorem-1",
    "with displays and a proof": "feature_emergence-claim-1",
    "figure": "fourier_circuits-figure-4-2a",
    "definition": "cone_sets-definition-contains",
}
HEAVIEST = 100_000
"""Bytes of a claim's page with its style sheet and scripts."""
SOON = 1.0
"""Seconds until the ledger can be used, on an idle core."""

pytestmark = pytest.mark.skipif(not CLAIMS.is_dir(), reason="the site is not built: make site")
browsed = pytest.mark.browser


@cache
def known() -> list[statements.Claim]:
    return [c for part in papers(ROOT) for c in statements.read(part.claims).claims]


def opened(browser: Any, page: str, size: tuple[int, int] = DESKTOP) -> None:
    resize = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", resize)
    browser.get((SITE / page).as_uri())


def test_every_claim_has_a_page_and_no_other_has_one() -> None:
    assert {p.stem for p in CLAIMS.glob("*.html")} == {"index", *(c.id for c in known())}


def test_no_page_is_heavy() -> None:
    static = [SITE / "_static" / name for name in ("claim.js", "finder.js")]
    around = sum(f.stat().st_size for f in (CLAIMS / "claim.css", *static))
    heavy = {p.name: p.stat().st_size + around for p in CLAIMS.glob("*.html")}
    heavy.pop("index.html")
    assert {name: size for name, size in heavy.items() if size > HEAVIEST} == {}
    assert not any("mathjax" in p.read_text(encoding="utf-8") for p in CLAIMS.glob("*.html"))


def test_every_formula_is_set() -> None:
    """Docutils reads all that the book writes; else a page has characters or TeX instead."""
    for claim in known():
        page = (CLAIMS / f"{claim.id}.html").read_text(encoding="utf-8")
        prose = re.sub(r"<pre\b.*?</pre>|<meta[^>]*>", "", page, flags=re.DOTALL)
        assert 'class="math' not in prose, claim.id
        assert not re.search(r"\\[(\[]|\\[a-z]{2,}", prose), claim.id
        if "$" in claim.text:
            assert "<math" in prose, claim.id


def test_every_link_of_the_claims_pages_leads_somewhere() -> None:
    ids: dict[Path, set[str]] = {}
    lost = set()
    for claim in known():
        page = (CLAIMS / f"{claim.id}.html").read_text(encoding="utf-8")
        for link in re.findall(r"""<a [^>]*href=["']([^"':]+)["']""", page):
            where, _, place = link.partition("#")
            target = (CLAIMS / where).resolve() if where else CLAIMS / f"{claim.id}.html"
            if target not in ids:
                found = target.read_text(encoding="utf-8") if target.is_file() else ""
                ids[target] = set(re.findall(r"""\bid=["']([^"']+)["']""", found))
            row = target.name == "ledger.html" and place.startswith("claim-")
            if not target.is_file() or (place and not row and place not in ids[target]):
                lost.add(f"{claim.id}: {link}")
    assert lost == set()


@browsed
@needs_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("claim", PAGES.values(), ids=PAGES)
def test_a_page_is_accessible(browser: Any, claim: str, theme: str) -> None:
    from axe_core_python.selenium import Axe

    opened(browser, f"claims/{claim}.html")
    browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    found = Axe().run(browser, {}, {"runOnly": ["wcag2a", "wcag2aa"]})["violations"]
    assert [(v["id"], v["nodes"][0]["html"][:150]) for v in found] == []


@browsed
@needs_browser
@pytest.mark.parametrize("claim", PAGES.values(), ids=PAGES)
def test_a_page_fits_a_phone_and_a_finger(browser: Any, claim: str) -> None:
    opened(browser, f"claims/{claim}.html", PHONE)
    run = browser.execute_script
    root = "document.documentElement"
    assert run(f"return {root}.scrollWidth <= {root}.clientWidth + 1")
    small = run(
        "return [...document.querySelectorAll('button, header a, summary')].filter("
        f"e => e.getBoundingClientRect().height < {TARGET} - 0.5).map(e => e.textContent)"
    )
    assert small == []
    assert not [x for x in browser.get_log("browser") if x["level"] == "SEVERE"]


@browsed
@needs_browser
def test_the_counterexample_can_be_copied(browser: Any) -> None:
    opened(browser, f"claims/{PAGES['refuted']}.html")
    copied = browser.execute_async_script(
        "const done = arguments[0];"
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (t) => done(t)}});"
        "document.querySelector('#instance button').click();"
    )
    names: dict[str, Any] = {}
    exec(copied, names)
    assert names["instance"]


def found(browser: Any, query: str) -> list[str]:
    """The addresses that the finder has for a query, the best first."""
    ask = "const d = arguments[1]; finder.find(arguments[0]).then(f => d(f.map(x => x.href)))"
    return list(browser.execute_async_script(ask, query))


@browsed
@needs_browser
@pytest.mark.parametrize(
    ("query", "wanted", "within"),
    [
        ("Figure 4.2", "claims/fourier_circuits-figure-4-2a.html", 3),
        ("figure C.4 (a)", "claims/fourier_circuits-figure-4-2a.html", 1),
        ("grokking", "notebooks/fourier_circuits/story.html", 3),
        ("groking", "notebooks/fourier_circuits/story.html", 3),
        ("2402.09469", "notebooks/fourier_circuits/story.html", 1),
        ("arXiv:1911.11983", "notebooks/ntk_autoencoders/story.html", 1),
        ("Nguyen Hegde", "notebooks/ntk_autoencoders/story.html", 1),
        ("thm 1 refuted cone", "claims/cone_sets-theorem-1.html", 1),
        ("lemma B.18", "claims/gradient_features-lemma-b-18.html", 1),
        ("nuclaer nrom", "notebooks/nuclear_norm/story.html", 1),
    ],
)
def test_the_finder_knows_numbers_names_and_misspelt_words(
    browser: Any, query: str, wanted: str, within: int
) -> None:
    opened(browser, "book/rerun.html")
    assert wanted in found(browser, query)[:within]


@browsed
@needs_browser
def test_every_number_is_found(browser: Any) -> None:
    """Each claim is among those that its own number finds, also one of several numbers."""
    opened(browser, "book/rerun.html")
    numbers = [c for c in known() if re.search(r"\d", c.number) and not c.ours]
    ask = (
        "const [asked, done] = arguments;"
        "Promise.all(asked.map(([q]) => finder.find(q))).then(all => done("
        "all.map((f, k) => f.some(x => x.id === asked[k][1]) ? '' : asked[k][1]).filter(Boolean)))"
    )
    asked = [[n, c.id] for c in numbers for n in {c.number, _first(c.number)}]
    assert len(asked) > 800
    assert browser.execute_async_script(ask, asked) == []


def _first(number: str) -> str:
    """The first number of several in the singular: "Figures 4.2 (a), C.2 (a)" is "Figure 4.2"."""
    several = re.match(r"(Figure|Table|Lemma|Theorem|Equation)s ([A-Z]?\.?\d[\d.]*)", number)
    return f"{several[1]} {several[2].rstrip('.')}" if several else number


@browsed
@needs_browser
@pytest.mark.parametrize(
    ("page", "box"),
    [("book/index.html", "form.finder"), ("claims/cone_sets-theorem-1.html", "form.finder"),
     ("notebooks/cone_sets/story.html", "#pst-search-dialog form")],
)  # fmt: skip
def test_what_one_types_shows_claims_that_arrows_reach(browser: Any, page: str, box: str) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    opened(browser, page)
    if "dialog" in box:
        browser.find_element("tag name", "body").send_keys(Keys.CONTROL, "k")
    field = WebDriverWait(browser, 10).until(
        lambda b: b.find_element("css selector", f"{box} input[type=search]")
    )
    field.send_keys("Figure 4.2")
    links = WebDriverWait(browser, 10).until(
        lambda b: b.find_elements("css selector", f"{box} + .finds:not([hidden]) a")
    )
    assert "Figures 4.2" in links[0].text
    field.send_keys(Keys.ARROW_DOWN)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    WebDriverWait(browser, 10).until(lambda b: "/claims/fourier_circuits-fig" in b.current_url)


@browsed
@needs_browser
def test_the_search_page_begins_with_the_claims(browser: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get((SITE / "search.html").as_uri() + "?q=Figure%204.2")
    first = WebDriverWait(browser, 20).until(
        lambda b: b.find_elements("css selector", ".found-first a")
    )
    assert "fourier_circuits-figure-4-2" in first[0].get_attribute("href")


@browsed
@needs_browser
def test_the_ledger_opens_at_once_and_makes_rows_when_seen(browser: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    times = []
    for _ in range(3):  # the machine may be busy
        opened(browser, "notebooks/book/ledger.html")
        entry = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
        times.append(browser.execute_script(f"return {entry}") / 1000)
    assert min(times) < SOON, times
    rows = "return document.querySelectorAll('tr[data-verdict]').length"
    few = browser.execute_script(rows)
    assert 0 < few < 200
    browser.execute_script("window.scrollTo(0, document.body.scrollHeight)")
    WebDriverWait(browser, 20).until(lambda b: b.execute_script(rows) > few)


@browsed
@needs_browser
def test_the_address_of_the_ledger_has_its_filter(browser: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    count = "return document.querySelector('.ledger-filter output')?.textContent"
    browser.get("about:blank")
    place = (SITE / "notebooks/book/ledger.html").as_uri()
    browser.get(f"{place}#kind=theorem&verdict=refuted&text=absorb")
    WebDriverWait(browser, 20).until(lambda b: b.execute_script(count))
    row = "return [...document.querySelectorAll('tr[data-verdict]')].map(r => r.id)"
    WebDriverWait(browser, 20).until(
        lambda b: b.execute_script(row) == ["claim-cone_sets-theorem-1"]
    )
    browser.get("about:blank")
    browser.get(f"{place}#claim-cone_sets-e26")
    WebDriverWait(browser, 20).until(lambda b: b.execute_script(row) == ["claim-cone_sets-e26"])
