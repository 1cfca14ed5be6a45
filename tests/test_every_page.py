"""Every page of the built site, opened once in a real browser: it renders, and works for all."""

import re
from typing import Any

import pytest

from browsing import needs_browser, open_page
from measure_pages import SMALL
from test_site import CHAPTERS, PAGES

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(len(PAGES) < 2, reason="the site is not built: make site"),
    needs_browser,
]
# One style sheet colours all pages; of chapters, stories have everything that is coloured.
IN_BOTH = [p for p in PAGES if not p.startswith("notebooks/") or p.endswith("/story.html")]
OF_CHAPTERS = {chapter.page for chapter in CHAPTERS}


@pytest.fixture(
    scope="module", params=[pytest.param(p, marks=pytest.mark.xdist_group(p)) for p in PAGES]
)
def page(request: pytest.FixtureRequest, browser: Any) -> str:
    """The page that is open; tests of it run one after the other, in the order of this file."""
    browser.get("about:blank")
    browser.get_log("browser")  # of the page before
    open_page(browser, request.param, 1300)
    return str(request.param)


def test_page_renders(browser: Any, page: str) -> None:
    run = browser.execute_script
    severe = [x for x in browser.get_log("browser") if x["level"] == "SEVERE"]
    assert severe == []
    assert run("return document.querySelectorAll('mjx-merror, .problematic').length") == 0
    unrendered = run(
        "return [...document.querySelectorAll('.math')].filter("
        "e => !e.querySelector('mjx-math') && e.textContent.includes('\\\\(')).length"
    )
    assert unrendered == 0
    broken = browser.execute_async_script(
        "const seen = [...document.images].map(async i => {"
        "i.loading = 'eager'; await i.decode().catch(() => 0);"
        "return i.naturalWidth ? [] : i.src });"
        "Promise.all(seen).then(all => arguments[0](all.flat()))"
    )
    assert broken == []
    text = run("return document.querySelector('article, main').innerText")
    prose = run(
        "const c = document.querySelector('article, main').cloneNode(true);"
        "c.querySelectorAll('pre, code').forEach(e => e.remove()); return c.textContent"
    )
    assert text.strip()
    assert not re.search(r"\{(prf:)?(ref|numref|eq|doc|cite|glue)[:\w]*\}`", prose)


def test_page_is_accessible(browser: Any, page: str) -> None:
    """No serious violation of WCAG A and AA, by axe-core, in light and dark."""
    from axe_core_python.selenium import Axe

    run = browser.execute_script
    run(  # at once: a colour in transition has no contrast of its own
        "const s = document.createElement('style'); s.textContent = '*{transition:none!important}';"
        "document.head.append(s);"
        # all code of a language is coloured alike: the first block stands for the others
        "const seen = new Set(); for (const e of document.querySelectorAll('div.highlight')) {"
        "const of = e.parentElement.className;"
        "if (seen.has(of)) e.dataset.same = ''; seen.add(of) }"
    )
    options = {"runOnly": ["wcag2a", "wcag2aa"], "resultTypes": ["violations"]}
    # docutils gives citations role=list, items none
    everything_but = {"exclude": [[".citation-list"], ["div.highlight[data-same]"]]}
    for theme in ("light", "dark") if page in IN_BOTH else ("light",):
        run("document.documentElement.dataset.theme = arguments[0]", theme)
        found = Axe().run(browser, everything_but, options)["violations"]
        serious = [
            f"{theme}, {v['id']}: {n['html'][:150]} {n['failureSummary'][-160:]}"
            for v in found
            if v["impact"] in ("serious", "critical")
            for n in v["nodes"][:3]
        ]
        assert not serious, "\n".join(serious)


def test_a_chapter_has_a_readers_comforts(browser: Any, page: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By

    if page not in OF_CHAPTERS:
        pytest.skip("not a chapter of a paper")
    run, all_of = browser.execute_script, browser.find_elements
    for what in (
        ".prev-next-area a.left-prev", ".prev-next-area a.right-next",
        "nav.page-toc a, .bd-toc-nav a", "div.cell_input button.copybtn",
    ):  # fmt: skip
        assert all_of(By.CSS_SELECTOR, what), f"no {what}"
    folded = all_of(By.CSS_SELECTOR, "details.hide.above-input")
    assert folded
    assert not any(f.get_attribute("open") for f in folded)
    folded[0].find_element(By.TAG_NAME, "summary").click()
    assert folded[0].get_attribute("open")
    button = all_of(By.CSS_SELECTOR, "button.show-code")[0]
    for shown in (True, False):
        run("arguments[0].scrollIntoView({block: 'center'})", button)  # not below the header
        button.click()
        assert all(bool(f.get_attribute("open")) == shown for f in folded)
    for what in ("div.proof[id] p.admonition-title:has(.headerlink)", "figure[id] figcaption p"):
        places = all_of(By.CSS_SELECTOR, what)
        if not places:  # not every chapter states something and draws something
            continue
        place = places[0]
        link = place.find_element(By.CSS_SELECTOR, ".headerlink")
        run("arguments[0].scrollIntoView({block: 'center'})", place)
        ActionChains(browser).move_to_element(place).perform()
        assert link.value_of_css_property("visibility") == "visible"
        link.click()
        assert run("return document.querySelector(location.hash) !== null")


def test_page_fits_a_phone(browser: Any, page: str) -> None:
    if page in OF_CHAPTERS:
        pytest.skip("test_reader measures chapters on a phone")
    browser.set_window_size(500, 1000)
    wide = "return [document.documentElement.scrollWidth - window.innerWidth, small]"
    wider, small = browser.execute_script(SMALL + wide)
    assert wider <= 1
    assert small == []
