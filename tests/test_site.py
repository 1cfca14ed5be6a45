"""The built site in a real browser, from disk, with the network off."""

import csv
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlparse

import pytest
from pybtex.database import parse_file

from browsing import SITE, needs_browser, open_page, typeset
from featurebook.press.book.places import Chapter, Part, papers
from featurebook.press.claims import errata, ledger, statements
from featurebook.press.run import figure_data
from featurebook.press.site import lighten, publish
from runs import served

ROOT = Path(__file__).resolve().parents[1]
PAGES = ["index.html"]
PAGES += sorted(p.relative_to(SITE).as_posix() for p in SITE.glob("book/**/*.html"))
PAGES += sorted(p.relative_to(SITE).as_posix() for p in SITE.glob("notebooks/*/*.html"))
PARTS = papers(ROOT)
CHAPTERS = [c for part in PARTS for c in part.chapters]
of_part = pytest.mark.parametrize("part", PARTS, ids=lambda p: p.name)
of_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.address)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(len(PAGES) < 2, reason="the site is not built: make site"),
]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name in ("href", "src"):
            if value := given.get(name):
                self.links.append(value)
        for name in ("id", "name"):
            if value := given.get(name):
                self.ids.add(value)


@cache
def entries() -> list[ledger.Entry]:
    """Every statement of the built book with what came of it."""
    return ledger.collect(ROOT)


@cache
def _parse(page: Path) -> _Links:
    parser = _Links()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def broken_links(page: Path) -> list[str]:
    """The links of a page that lead to no file, or to no place in it; a line each."""
    found = []
    for link in _parse(page).links:
        if urlparse(link).scheme or link.startswith("//"):
            continue
        address, fragment = urldefrag(link)
        target = (page.parent / unquote(address.partition("?")[0])).resolve() if address else page
        if not target.exists():
            found.append(f"{page.name}: {link} leads nowhere")
        elif fragment and target.suffix == ".html" and unquote(fragment) not in _parse(target).ids:
            found.append(f"{page.name}: {link} leads to a page without that place")
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_internal_link_resolves(page: str) -> None:
    broken = broken_links(SITE / page)
    assert not broken, "\n".join(broken)


def test_a_broken_link_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text("<p id='here'>")
    (tmp_path / "a.html").write_text(
        "<a href='b.html#here'></a><a href='c.html'></a><a href='b.html#there'></a>"
        "<a href='#gone'></a><img src='x.svg'><a href='https://example.org/'></a>"
    )
    assert broken_links(tmp_path / "a.html") == [
        "a.html: c.html leads nowhere",
        "a.html: b.html#there leads to a page without that place",
        "a.html: #gone leads to a page without that place",
        "a.html: x.svg leads nowhere",
    ]


@pytest.mark.parametrize("page", PAGES)
def test_page_fetches_nothing_from_the_network(page: str) -> None:
    source = (SITE / page).read_text(encoding="utf-8")
    fetched = re.findall(r'<(?:script|img|iframe)[^>]+src="(https?:[^"]+)"', source)
    fetched += re.findall(
        r'<link[^>]+rel="(?:stylesheet|preload)"[^>]+href="(https?:[^"]+)"', source
    )
    assert fetched == []


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of the site as `featurebook serve` gives it, with its Content-Security-Policy."""
    with served(SITE) as port:
        yield f"http://127.0.0.1:{port}"


UNDER_POLICY = [
    "search.html",
    *(p.chapters[0].page for p in PARTS),
]


@needs_browser
@pytest.mark.parametrize("page", UNDER_POLICY)
def test_page_keeps_to_the_policy_of_its_server(browser: Any, address: str, page: str) -> None:
    browser.get(f"{address}/{page}")
    typeset(browser)
    said = [x["message"] for x in browser.get_log("browser") if x["level"] == "SEVERE"]
    assert [x for x in said if "favicon.ico" not in x] == []
    run = browser.execute_script
    assert run("return document.documentElement.dataset.theme") in ("light", "dark")
    run(
        "const s = document.createElement('script'); s.textContent = 'window.strange = 1';"
        "document.body.append(s); document.body.setAttribute('onclick', 'window.strange = 2');"
        "document.body.click()"
    )
    assert run("return window.strange") is None
    blocked = [x["message"] for x in browser.get_log("browser")]
    assert sum("Content Security Policy" in x for x in blocked) == 2


@needs_browser
def test_the_buttons_of_the_theme_work_without_scripts_in_the_page(
    browser: Any, address: str
) -> None:
    browser.get(f"{address}/{PARTS[0].chapters[0].page}")
    pressed = browser.execute_script(
        "const done = []; window.print = () => done.push('print');"
        "window.toggleFullScreen = () => done.push('fullscreen');"
        "document.querySelectorAll('[data-click]').forEach((b) => b.click()); return done.sort()"
    )
    assert pressed == ["fullscreen", "print"]


@needs_browser
def test_formulas_are_set_when_they_come_into_view(browser: Any) -> None:
    """The chapter with most formulas opens before its last is set, at the place asked for."""
    source = {c: (SITE / c.page).read_text(encoding="utf-8") for c in CHAPTERS}
    chapter = max(CHAPTERS, key=lambda c: source[c].count('class="math'))
    last = statements.labels(chapter)[-1]
    browser.set_window_size(1300, 1000)
    browser.get((SITE / chapter.page).as_uri() + f"#{last}")
    run = browser.execute_script
    run_later = browser.execute_async_script
    run_later(
        "const done = arguments[0], set = () => document.querySelector('mjx-math')"
        " ? done() : setTimeout(set, 100); MathJax.startup.promise.then(() => setTimeout(set, 500))"
    )
    found, ready = run(
        "const all = document.querySelectorAll('mjx-container');"
        "return [all.length, [...all].filter(e => e.querySelector('mjx-math')).length]"
    )
    assert 0 < ready < found / 2
    top = run("return document.getElementById(arguments[0]).getBoundingClientRect().top", last)
    assert 0 <= top < 900
    run_later("const done = arguments[0]; MathJax.startup.document.lazyTypesetAll().then(done)")
    assert run("return document.querySelectorAll('mjx-container:not(:has(mjx-math))').length") == 0


@needs_browser
def test_a_lightened_picture_looks_the_same(browser: Any, tmp_path: Path) -> None:
    import io

    import numpy as np
    from matplotlib.figure import Figure
    from PIL import Image

    figure = Figure(figsize=(5, 3))
    ax = figure.subplots()
    x = np.linspace(0, 1, 60)
    ax.scatter(x, np.sin(9 * x), s=4, alpha=0.5)
    ax.plot(x, x**2, "--", lw=3, label="$x^2$")
    ax.plot(x, -x, ".", ms=2)
    ax.plot([0.2, 0.2003], [0.8, 0.8], lw=9, solid_capstyle="round")
    ax.bar([0.5], [0.4], width=0.1, hatch="//", edgecolor="k")
    ax.imshow(np.eye(9), extent=(0.7, 0.9, -0.9, -0.5), aspect="auto")
    ax.set(title="a title", xlim=(0, 0.95), ylim=(-1, 1))
    ax.legend(loc="lower left")  # not over the dot
    whole, light = tmp_path / "whole.svg", tmp_path / "light.svg"
    figure.savefig(whole)
    light.write_text(lighten.lighter(whole.read_text(encoding="utf-8")), encoding="utf-8")
    assert light.stat().st_size < 0.8 * whole.stat().st_size
    seen = []
    for picture in (whole, light):
        browser.get(picture.as_uri())
        shot = Image.open(io.BytesIO(browser.get_screenshot_as_png()))
        seen.append(np.asarray(shot.convert("RGB")).astype(int))
    assert np.ptp(seen[0]) > 200  # there is a picture
    # the shade of an edge is off by a part; what is gone changes half of it and more
    assert np.abs(seen[0] - seen[1]).max() < 64


@needs_browser
def test_ledger_filters_its_claims(browser: Any) -> None:
    open_page(browser, "notebooks/book/ledger.html", 1300)
    run = browser.execute_script
    count = "return document.querySelector('.ledger-filter output').textContent"
    every = len(entries())
    assert run(count) == f"{every} of {every} claims"
    run(
        "const s = document.querySelectorAll('.ledger-filter select')[2]; s.value = 'refuted';"
        "s.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    refuted = sum(e.outcome == "refuted" for e in entries() if not e.claim.is_experiment)
    assert run(count) == f"{refuted} of {every} claims"
    rows = "[...document.querySelectorAll('tr[data-verdict]')]"
    assert set(run(f"return {rows}.map(r => r.dataset.verdict)")) == {"refuted"}
    assert run("return location.hash") == "#verdict=refuted"


@pytest.mark.parametrize("page", PAGES)
def test_page_is_light(page: str) -> None:
    """At most 1.5 MB with all it loads from disk: pictures, styles, scripts, fonts; not MathJax."""
    path = SITE / page
    loaded = {path, *_files(path, [k for k in _parse(path).links if _is_loaded(k)])}
    for sheet in [f for f in loaded if f.suffix == ".css"]:
        text = sheet.read_text(encoding="utf-8")
        loaded |= _files(sheet, re.findall(r"""(?:@import |url\()["']?([^"')]+)""", text))
    size = sum(f.stat().st_size for f in loaded if "mathjax" not in f.parts)
    assert size <= 1.5e6, f"{page}: {size / 1e6:.1f} MB"


def _is_loaded(link: str) -> bool:
    return urlparse(link).path.endswith((".svg", ".png", ".css", ".js", ".ico"))


def _files(page: Path, links: list[str]) -> set[Path]:
    found = {(page.parent / unquote(link.partition("?")[0])).resolve() for link in links}
    return {f for f in found if f.is_file()}


def test_ledger_json_fits_its_schema() -> None:
    import json

    import jsonschema

    document = json.loads((SITE / "ledger.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, json.loads((SITE / "ledger.schema.json").read_text()))
    assert document["claims"]


@needs_browser
def test_search_finds_a_theorem_from_disk(browser: Any) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get((SITE / "search.html").as_uri() + "?q=absorption")
    found = WebDriverWait(browser, 20).until(  # type: ignore[type-var]
        lambda b: b.find_elements(By.CSS_SELECTOR, "#search-results a")
    )
    assert any("notebooks/" in a.get_attribute("href") for a in found)


@of_chapter
def test_figures_offer_their_numbers_and_theorems_and_symbols_their_links(chapter: Chapter) -> None:
    page = SITE / chapter.page
    links = _parse(page).links
    tables = [link for link in links if "/_data/" in link and link.endswith(".csv")]
    assert len(set(tables)) == len(tables)
    for link in tables:
        lines = (page.parent / link).read_text(encoding="utf-8").splitlines()
        assert lines[0] == ",".join(figure_data.COLUMNS)
        assert len(lines) > 1
    for name in statements.labels(chapter):
        assert f"#{name}" in links, f"{chapter.address}: no permanent link to {name}"


SLIDERS = [
    p
    for p in PAGES
    if (SITE / p).exists() and 'class="slider"' in (SITE / p).read_text(encoding="utf-8")
]
"""The pages with a slider; none before the site is built."""


@needs_browser
@pytest.mark.parametrize("page", SLIDERS)
def test_a_slider_changes_its_picture(browser: Any, page: str) -> None:
    open_page(browser, page, 1400)
    found = browser.execute_async_script(
        """
        const done = arguments[0], seen = [];
        (async () => {
          for (const place of document.querySelectorAll("p.slider")) {
            const input = place.querySelector("input");
            const img = place.parentElement.querySelector("img");
            img.scrollIntoView();  // it is fetched when it comes near
            await img.decode();
            const before = img.clientHeight;
            for (const value of [input.max, input.min]) {
              input.value = value;
              input.dispatchEvent(new Event("input"));
              await img.decode();
              seen.push({
                hidden: place.hidden, width: img.naturalWidth, height: img.clientHeight / before,
                shown: place.querySelector("output").textContent, alt: img.alt, src: img.src,
                said: input.getAttribute("aria-valuetext"),
              });
            }
          }
          done(seen);
        })();
        """
    )
    assert found
    for state in found:
        assert not state["hidden"]
        assert state["width"] > 0
        assert abs(state["height"] - 1) < 0.02, "frames differ in size, so the page jumps"
        assert state["shown"] == state["said"]
        assert state["alt"].endswith(f"= {state['shown']}.")
    assert len({state["src"] for state in found}) == len(found)


PLAYERS = [p for p in SLIDERS if ">Play</button>" in (SITE / p).read_text(encoding="utf-8")]


@needs_browser
@pytest.mark.parametrize("page", PLAYERS)
def test_a_training_run_plays_from_its_first_step(browser: Any, page: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    open_page(browser, page, 1400)
    run = browser.execute_script
    at = (
        "const p = document.querySelector('p.slider:has(button)');"
        "const i = p.querySelector('input');"
        "return [i.value, i.max, p.parentElement.querySelector('img').src]"
    )
    press = "document.querySelector('p.slider button').click()"
    value, last, picture = run(at)
    assert value == "0"
    assert picture.endswith("-0.svg")
    run(press)
    WebDriverWait(browser, 60).until(lambda b: run(at)[0] == last)  # type: ignore[type-var]
    assert run("return document.querySelector('p.slider button').textContent") == "Play"
    assert run(at)[2] != picture


@of_part
def test_every_part_offers_numbers_of_figures_and_leads_to_the_notation(part: Part) -> None:
    links = [link for c in part.chapters for link in _parse(SITE / c.page).links]
    assert sum("/_data/" in link for link in links) > 3
    assert sum("notation.html#symbol-" in link for link in links) > 5


@of_part
def test_the_map_of_a_part_is_text_whose_nodes_lead_to_theorems(part: Part) -> None:
    source = (SITE / part.chapters[0].page).read_text(encoding="utf-8")
    _, _, after = source.partition('-fig-roadmap">')
    chart = after.partition("</figure>")[0]
    homes = statements.homes(part)
    linked = {
        f"../{homes[n].address}.html#{n}"
        for c in statements.read(part.claims).claims
        for n in (c.id, c.corrects, *c.rests_on)
        if n and (c.rests_on or c.corrects)
    }
    assert set(re.findall(r"<a [^>]*href='([^']+)'><title[^>]*>", chart)) == linked
    assert chart.count("<text ") >= len(linked)


@of_chapter
def test_the_command_that_repeats_a_chapter_stands_at_its_end(chapter: Chapter) -> None:
    source = (SITE / chapter.page).read_text(encoding="utf-8")
    _, _, card = source.partition("<table class='provenance'>")
    assert f"featurebook run {chapter.address}" in card.partition("</table>")[0]


@of_chapter
def test_a_statement_its_verdict_and_its_links_are_one_block(chapter: Chapter) -> None:
    from bs4 import BeautifulSoup

    page = BeautifulSoup((SITE / chapter.page).read_text(encoding="utf-8"), "html.parser")
    known = {c.id: c for c in statements.read(chapter.part.claims).claims}
    for name in statements.labels(chapter):
        box = page.find(id=name)
        assert box is not None
        verdict = box.find(id=f"verdict-{name}")
        assert (verdict is not None) == (known[name].expected is not None), name
        assert box.select_one(f"p.onward a[href$='claims/{name}.html']"), name
    for cell in page.select("div.cell.check"):
        code = cell.select_one("div.cell_input")
        assert code is None or "show.judge(" not in code.get_text()
        if "tag_show-input" not in cell.get_attribute_list("class"):
            assert code is None or code.find_parent("details", class_="hide")


@of_part
def test_the_sidebar_folds_a_parts_chapters_below_its_story(part: Part) -> None:
    from bs4 import BeautifulSoup

    page = BeautifulSoup((SITE / "book" / "rerun.html").read_text(encoding="utf-8"), "html.parser")
    sidebar = page.select_one("nav.bd-links")
    assert sidebar is not None
    story = sidebar.select_one(f"a[href$='{part.chapters[0].page}']")
    assert story is not None
    below = [a["href"] for a in story.parent.find("ul").find_all("a")]  # type: ignore[union-attr]
    assert [h.rpartition("/")[2] for h in below] == [f"{c.name}.html" for c in part.chapters[1:]]


@pytest.mark.parametrize("page", PAGES)
def test_page_says_what_it_is_to_other_programs(page: str) -> None:
    source = (SITE / page).read_text(encoding="utf-8")
    if "http-equiv" in source:  # the first page sends on to the landing page
        return
    for name in ("og:title", "og:description", "og:image"):
        assert re.search(rf'<meta property="{name}" content="[^"]+', source), f"{page}: no {name}"
    assert (SITE / publish.PREVIEW).is_file()


@needs_browser
def test_keys_turn_pages_and_search(browser: Any) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    find, wait = browser.find_element, WebDriverWait(browser, 20)  # type: ignore[attr-defined,type-var]
    open_page(browser, "book/rerun.html", 1300)
    find(By.TAG_NAME, "body").send_keys(Keys.ARROW_LEFT)
    wait.until(lambda b: b.current_url.endswith("notation.html"))
    find(By.TAG_NAME, "body").send_keys(Keys.CONTROL, "k")
    box = "dialog[open] input[type=search]"
    wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, box))
    find(By.CSS_SELECTOR, box).send_keys("absorption", Keys.ENTER)
    wait.until(lambda b: "search.html?q=absorption" in b.current_url)


@needs_browser
def test_on_paper_only_the_text_is_left(browser: Any) -> None:
    open_page(browser, PARTS[0].chapters[0].page, 900)
    command = browser.execute_cdp_cmd
    command("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = browser.execute_script(
            "return ['.bd-sidebar-primary', '.bd-sidebar-secondary', '.bd-header-article',"
            "'.prev-next-area', '.copybtn', 'p.figure-data', 'article figure', 'div.proof']"
            ".filter(s => [...document.querySelectorAll(s)].some(e => e.offsetParent !== null))"
        )
        faded = browser.execute_script(
            "dispatchEvent(new Event('beforeprint'));"
            "return [...document.querySelectorAll('details.hide > :not(summary)')]"
            ".filter(e => getComputedStyle(e).opacity !== '1' || !e.checkVisibility()).length"
        )
    finally:
        command("Emulation.setEmulatedMedia", {"media": ""})
    assert shown == ["article figure", "div.proof"]
    assert faded == 0, "code that is opened for the printer is not there yet"


def test_graphs_mark_what_rests_on_a_refuted_claim() -> None:
    found = {e.claim.id: e for e in entries()}
    stories = [SITE / "notebooks" / part.name / "story.html" for part in PARTS]
    source = "".join(story.read_text(encoding="utf-8") for story in stories)
    node = r"<a [^>]*href='[\w./]+#([^']+)'><title[^>]*>([^<]*)</title><rect ([^>]*)/>"
    nodes = re.findall(node, source)
    assert len(nodes) > len(PARTS)
    for name, title, box in nodes:
        assert found[name].shaken == ("stroke-dasharray" in box), name
        assert found[name].shaken == ("rests on a refuted claim" in title), name
    assert {name for name, *_ in nodes} >= {n for n, e in found.items() if e.shaken}


@of_part
def test_every_erratum_can_be_cited_and_found(part: Part) -> None:
    of_the_part = [e for e in entries() if e.part == part.name]
    refuted = [x.entry.claim.id for x in errata.find(of_the_part)]
    found = parse_file(str(SITE / "errata" / f"{part.name}.bib")).entries
    assert [key.partition(":")[2] for key in found] == refuted
    with (SITE / "errata.csv").open(encoding="utf-8", newline="") as table:
        rows = {
            row["id"]: row
            for row in csv.DictReader(table)
            if row["chapter"].startswith(f"{part.name}/")
        }
    assert list(rows) == refuted
    for row in rows.values():
        assert (SITE / row["counterexample"]).stem == row["id"]
        assert (SITE / row["counterexample"]).is_file()
        assert row["corrected"]
        assert row["certainty"] in errata.CERTAINTY
