"""What makes the built site pleasant to read: previews, short pages, little code in the way."""

from pathlib import Path
from typing import Any

import pytest

import measure_pages
from browsing import needs_browser
from featurebook.press.book.places import STORY as STORY_NAME
from featurebook.press.book.places import Chapter, chapters
from measure_pages import DESKTOP, PHONE, TARGET, open_at

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
CHAPTERS = [c for c in chapters(ROOT) if (SITE / c.page).is_file() and c.part.name != "book"]
SCREENS = 48
"""The most screens of a phone that a chapter takes."""
HIGHEST, HIGHEST_STORY = 30_000, 21_000
"""Pixels of a chapter, and of a story, on a desktop."""
CODE = 0.2
"""The largest share of a chapter's height that visible code takes."""
TOLD, BOXES = 0.6, 0.15
"""The smallest share of a story's height that is prose and figures, and the largest of boxes."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHAPTERS, reason="the site is not built: make site"),
    needs_browser,
]
of_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.address)
KINDS = {
    "theorem": 'a[data-preview]:not(.symbol, .term)[href^="training.html#cone_sets-theorem-1"]',
    "equation": 'a[data-preview][href$="#equation-cone-sets-eq-sigma"]',
    "citation": 'a[data-preview][href*="references.html#"]',
    "figure": 'a[data-preview][href*="#cone-sets-fig-"]',
    "symbol": "a.symbol[data-preview]",
    "word": "a.term[data-preview]",
}
"""A link of the story of cone sets for each kind of thing that has a preview."""
STORY = "notebooks/cone_sets/story.html"


def link_to(browser: Any, kind: str) -> Any:
    """The first visible link of a kind, in the middle of the window."""
    links = browser.find_elements("css selector", f"article {KINDS[kind]}")
    shown = [a for a in links if a.is_displayed()]
    assert shown, f"{STORY} has no link to a {kind}"
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", shown[0])
    return shown[0]


def preview(browser: Any, shown: bool = True) -> str:
    """What the preview says once it is shown, or nothing once it is not."""
    from selenium.webdriver.support.ui import WebDriverWait

    state = "return document.querySelector('#preview:popover-open')?.textContent ?? ''"
    found = WebDriverWait(browser, 10).until(
        lambda b: b.execute_script(state) if shown else not b.execute_script(state)
    )
    return found if isinstance(found, str) else ""


def escape(browser: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    ActionChains(browser).send_keys(Keys.ESCAPE).perform()


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_shows_what_it_leads_to_on_hover_and_escape_closes_it(
    browser: Any, kind: str
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    open_at(browser, SITE / STORY, DESKTOP)
    link = link_to(browser, kind)
    ActionChains(browser).move_to_element(link).perform()
    said = preview(browser)
    assert len(said.strip()) > len("Go there")
    run = browser.execute_script
    assert link.get_attribute("aria-describedby") == "preview"
    assert run("return document.querySelectorAll('#preview [id], #preview .math').length") == 0
    assert run("return document.querySelector('#preview a').href") == link.get_attribute("href")
    box, at = run(
        "const f = (e) => e.getBoundingClientRect().toJSON();"
        "return [f(document.querySelector('#preview')), f(arguments[0])]",
        link,
    )
    assert box["left"] >= 0
    assert box["right"] <= DESKTOP[0]
    assert box["top"] >= at["bottom"] - 1 or box["bottom"] <= at["top"] + 1
    escape(browser)
    preview(browser, shown=False)
    assert link.get_attribute("aria-describedby") is None


def test_a_theorem_comes_with_its_verdict_and_formulas(browser: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    open_at(browser, SITE / STORY, DESKTOP)
    ActionChains(browser).move_to_element(link_to(browser, "theorem")).perform()
    said = preview(browser)
    assert "Theorem 1" in said
    assert "refuted" in said
    assert browser.find_elements("css selector", "#preview math")
    ActionChains(browser).move_to_element(
        browser.find_element("css selector", "article h1")
    ).perform()
    preview(browser, shown=False)


def test_a_preview_follows_the_keyboard(browser: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    open_at(browser, SITE / STORY, DESKTOP)
    link = link_to(browser, "theorem")
    run = browser.execute_script
    run(  # as if one had come to the place before the link by keyboard
        "const before = document.createElement('button'); before.textContent = 'before';"
        "arguments[0].before(before); before.focus()",
        link,
    )
    ActionChains(browser).send_keys(Keys.TAB).perform()
    assert run("return document.activeElement") == link
    assert "refuted" in preview(browser)
    escape(browser)
    preview(browser, shown=False)
    assert run("return document.activeElement") == link
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    assert browser.current_url.endswith("training.html#cone_sets-theorem-1")


def tap(browser: Any, element: Any) -> None:
    at = browser.execute_script(
        "const r = arguments[0].getClientRects()[0];return [r.x + r.width / 2, r.y + r.height / 2]",
        element,
    )
    point = [{"x": at[0], "y": at[1]}]
    touch = "Input.dispatchTouchEvent"
    browser.execute_cdp_cmd(touch, {"type": "touchStart", "touchPoints": point})
    browser.execute_cdp_cmd(touch, {"type": "touchEnd", "touchPoints": []})


def test_the_first_tap_shows_and_the_second_goes_there(browser: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        open_at(browser, SITE / STORY, PHONE)
        link = link_to(browser, "theorem")
        tap(browser, link)
        assert "refuted" in preview(browser)
        assert browser.current_url.endswith("story.html")
        onward = browser.find_element("css selector", "#preview a.preview-onward")
        assert onward.size["height"] >= TARGET
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= PHONE[0]
        tap(browser, link)
        WebDriverWait(browser, 10).until(
            lambda b: b.current_url.endswith("training.html#cone_sets-theorem-1")
        )
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_a_figure_that_is_tapped_is_larger_than_the_phone_and_escape_closes_it(
    browser: Any,
) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    open_at(browser, SITE / STORY, PHONE)
    picture = browser.find_element("css selector", "article figure > img")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", picture)
    picture.click()
    large = browser.find_element("css selector", "dialog.enlarged[open] img")
    assert large.get_attribute("alt") == picture.get_attribute("alt")
    assert large.size["width"] > 2 * picture.size["width"]
    escape(browser)
    opened = "dialog.enlarged[open]"
    WebDriverWait(browser, 10).until(lambda b: not b.find_elements("css selector", opened))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_open_preview_has_no_serious_violation(browser: Any, theme: str) -> None:
    from axe_core_python.selenium import Axe
    from selenium.webdriver.common.action_chains import ActionChains

    open_at(browser, SITE / STORY, DESKTOP)
    browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    ActionChains(browser).move_to_element(link_to(browser, "theorem")).perform()
    preview(browser)
    options = {"runOnly": ["wcag2a", "wcag2aa"], "resultTypes": ["violations"]}
    found = Axe().run(browser, {"include": [["#preview"]]}, options)["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []


@of_chapter
def test_a_chapter_is_short_and_shows_little_code(browser: Any, chapter: Chapter) -> None:
    page = measure_pages.measure(browser, SITE, chapter.page)
    assert page.phone_screens <= SCREENS, f"{page.phone_screens:.1f} screens at 390 px"
    most = HIGHEST_STORY if chapter.name == STORY_NAME else HIGHEST
    high = page.screens * DESKTOP[1]
    assert high <= most, f"{high:.0f} px on a desktop, at most {most}"
    assert page.wider <= 0, f"{page.wider} px wider than a phone"
    assert page.small == (), "too small for a finger"
    assert page.code <= CODE, f"{page.code:.0%} of the page is code"
    assert page.scrolling == 0, f"{page.scrolling} blocks of code scroll sideways"
    assert page.formulas == 0, f"{page.formulas} formulas scroll on a desktop"
    assert page.fitting == 0, f"{page.fitting} formulas scroll on a phone though they fit"
    assert max(page.gaps, default=0) <= DESKTOP[1], "a verdict is further than a screen away"
    if chapter.name == STORY_NAME:  # told in prose and figures
        assert page.shares["prose"] + page.shares["figures"] >= TOLD, page.shares
        assert page.shares["boxes"] <= BOXES, page.shares


WITH_NARROW = [c.page for c in CHAPTERS if "<picture>" in (SITE / c.page).read_text("utf-8")]


def figure_with(browser: Any, selector: str) -> tuple[Any, Any]:
    """The first figure in view that has what the selector names, and its image, loaded."""
    from selenium.webdriver.support.ui import WebDriverWait

    figure = browser.find_element("css selector", f"article figure:has({selector})")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", figure)
    image = figure.find_element("css selector", "img")
    WebDriverWait(browser, 10).until(
        lambda b: b.execute_script("return arguments[0].naturalWidth > 0", image)
    )
    return figure, image


@pytest.mark.skipif(not WITH_NARROW, reason="no chapter was executed that has a wide figure")
def test_a_phone_shows_the_narrow_drawing_of_a_wide_figure(browser: Any) -> None:
    for size, is_narrow in ((PHONE, True), (DESKTOP, False)):
        open_at(browser, SITE / WITH_NARROW[0], size)
        figure, image = figure_with(browser, "> picture")
        shown = browser.execute_script("return arguments[0].currentSrc", image)
        assert shown.endswith("-narrow.svg") is is_narrow
        fits = "return arguments[0].scrollWidth <= arguments[0].clientWidth + 1"
        assert browser.execute_script(fits, figure)


def test_a_slider_moves_the_drawing_that_a_phone_shows(browser: Any) -> None:
    moving = [p for p in WITH_NARROW if 'class="slider"' in (SITE / p).read_text("utf-8")]
    figures = "picture ~ p.slider"
    for page in moving:
        open_at(browser, SITE / page, PHONE)
        if browser.find_elements("css selector", figures):
            figure, image = figure_with(browser, "picture):has(p.slider")
            slider = figure.find_element("css selector", "input")
            move = "arguments[0].value = 1; arguments[0].dispatchEvent(new Event('input'))"
            browser.execute_script(move, slider)
            shown = browser.execute_script("return arguments[0].parentElement.innerHTML", image)
            assert "-1-narrow.svg" in shown
            return
    pytest.skip("no chapter was executed that has a wide slider")


def test_a_claims_page_shows_what_its_links_lead_to(browser: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    open_at(browser, SITE / "claims" / "cone_sets-theorem-2-corrected.html", DESKTOP)
    link = browser.find_element("css selector", "ul.claims a[data-preview]")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
    ActionChains(browser).move_to_element(link).perform()
    said = preview(browser)
    assert link.text in said
    assert "$" not in said
    onward = browser.find_element("css selector", "#preview a.preview-onward")
    assert onward.get_attribute("href") == link.get_attribute("href")
