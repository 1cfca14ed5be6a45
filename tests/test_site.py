"""The built site in a real browser, from disk, with the network off."""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import pytest

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
PAGES = ["index.html"]
PAGES += sorted(p.relative_to(SITE).as_posix() for p in SITE.glob("book/**/*.html"))
PAGES += sorted(p.relative_to(SITE).as_posix() for p in SITE.glob("notebooks/*.html"))
DRIVER = shutil.which("chromedriver")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(len(PAGES) < 2, reason="the site is not built: make site"),
]
needs_browser = pytest.mark.skipif(
    DRIVER is None,
    reason="no chromedriver: apt-get install chromium chromium-driver (or your system's packages)",
)


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
def _parse(page: Path) -> _Links:
    parser = _Links()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


@pytest.mark.parametrize("page", PAGES)
def test_every_internal_link_resolves(page: str) -> None:
    path = SITE / page
    for link in _parse(path).links:
        if urlparse(link).scheme or link.startswith("//"):
            continue
        address, fragment = urldefrag(link)
        target = (path.parent / unquote(address.partition("?")[0])).resolve() if address else path
        assert target.exists(), f"{page}: {link} leads nowhere"
        if fragment and target.suffix == ".html":
            assert unquote(fragment) in _parse(target).ids, f"{page}: no {link}"


@pytest.mark.parametrize("page", PAGES)
def test_page_fetches_nothing_from_the_network(page: str) -> None:
    source = (SITE / page).read_text(encoding="utf-8")
    fetched = re.findall(r'<(?:script|img|iframe)[^>]+src="(https?:[^"]+)"', source)
    fetched += re.findall(
        r'<link[^>]+rel="(?:stylesheet|preload)"[^>]+href="(https?:[^"]+)"', source
    )
    assert fetched == []


@pytest.mark.parametrize("page", PAGES)
def test_page_has_no_path_of_this_machine(page: str) -> None:
    source = (SITE / page).read_text(encoding="utf-8")
    for private in (str(ROOT), str(Path.home())):
        assert len(private) < 3 or private not in source


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ):  # fmt: skip
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def _open(browser: object, page: str, width: int) -> None:
    browser.set_window_size(width, 1000)  # type: ignore[attr-defined]
    browser.get((SITE / page).as_uri())  # type: ignore[attr-defined]
    browser.set_script_timeout(60)  # type: ignore[attr-defined]
    browser.execute_async_script(  # type: ignore[attr-defined]
        "const done = arguments[0];"
        "(window.MathJax?.startup?.promise ?? Promise.resolve()).then(() => done());"
    )


@needs_browser
@pytest.mark.parametrize("page", PAGES)
def test_page_renders(browser: object, page: str) -> None:
    _open(browser, page, 1300)
    run = browser.execute_script  # type: ignore[attr-defined]
    severe = [x for x in browser.get_log("browser") if x["level"] == "SEVERE"]  # type: ignore[attr-defined]
    assert severe == []
    assert run("return document.querySelectorAll('mjx-merror, .problematic').length") == 0
    unrendered = run(
        "return [...document.querySelectorAll('.math')].filter("
        "e => !e.querySelector('mjx-container') && e.textContent.includes('\\\\(')).length"
    )
    assert unrendered == 0
    broken = run(
        "return [...document.images].filter(i => i.complete && i.naturalWidth === 0)"
        ".map(i => i.src)"
    )
    assert broken == []
    text = run("return document.querySelector('article, main').innerText")
    prose = run(
        "const c = document.querySelector('article, main').cloneNode(true);"
        "c.querySelectorAll('pre, code').forEach(e => e.remove()); return c.textContent"
    )
    assert text.strip()
    assert not re.search(r"\{(prf:)?(ref|numref|eq|doc|cite|glue)[:\w]*\}`", prose)


@needs_browser
@pytest.mark.parametrize("page", PAGES)
def test_page_fits_a_phone(browser: object, page: str) -> None:
    _open(browser, page, 500)
    run = browser.execute_script  # type: ignore[attr-defined]
    assert run("return document.documentElement.scrollWidth <= window.innerWidth + 1")


@needs_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_page_is_accessible(browser: object, page: str, theme: str) -> None:
    """No serious violation of WCAG A and AA, by axe-core."""
    from axe_core_python.selenium import Axe

    _open(browser, page, 1300)
    run = browser.execute_script  # type: ignore[attr-defined]
    run(  # at once: a colour in transition has no contrast of its own
        "const s = document.createElement('style'); s.textContent = '*{transition:none!important}';"
        "document.head.append(s); document.documentElement.dataset.theme = arguments[0]",
        theme,
    )
    options = {"runOnly": ["wcag2a", "wcag2aa"], "resultTypes": ["violations"]}
    everything_but = {"exclude": [[".citation-list"]]}  # docutils gives it role=list, items none
    found = Axe().run(browser, everything_but, options)["violations"]
    serious = [
        f"{v['id']}: {n['html'][:150]} {n['failureSummary'][-160:]}"
        for v in found
        if v["impact"] in ("serious", "critical")
        for n in v["nodes"][:3]
    ]
    assert not serious, "\n".join(serious)


@needs_browser
def test_ledger_filters_its_claims(browser: object) -> None:
    _open(browser, "notebooks/ledger.html", 1300)
    run = browser.execute_script  # type: ignore[attr-defined]
    rows = "[...document.querySelectorAll('table.ledger tbody tr')].filter(r => !r.hidden)"
    everything = run(f"return {rows}.length")
    run(
        "const s = document.querySelectorAll('.ledger-filter select')[2]; s.value = 'refuted';"
        "s.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    shown = run(f"return {rows}.map(r => r.dataset.verdict)")
    assert 0 < len(shown) < everything
    assert set(shown) == {"refuted"}


@pytest.mark.parametrize("page", PAGES)
def test_page_is_light(page: str) -> None:
    """Under 2 MB with its pictures, without MathJax and the theme, which all pages share."""
    path = SITE / page
    pictures = {
        (path.parent / unquote(link)).resolve()
        for link in _parse(path).links
        if link.endswith((".svg", ".png"))
    }
    size = path.stat().st_size + sum(p.stat().st_size for p in pictures)
    assert size < 2e6, f"{page}: {size / 1e6:.1f} MB"


def test_ledger_json_fits_its_schema() -> None:
    import json

    import jsonschema

    document = json.loads((SITE / "ledger.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, json.loads((SITE / "ledger.schema.json").read_text()))
    assert document["claims"]


@needs_browser
def test_search_finds_a_theorem_from_disk(browser: object) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get((SITE / "search.html").as_uri() + "?q=absorption")  # type: ignore[attr-defined]
    found = WebDriverWait(browser, 20).until(  # type: ignore[type-var]
        lambda b: b.find_elements(By.CSS_SELECTOR, "#search-results a")  # type: ignore[attr-defined]
    )
    assert any("cone_sets" in a.get_attribute("href") for a in found)
