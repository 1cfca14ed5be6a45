"""Live figures: their JavaScript computes what their Python computes, and their handles work."""

import importlib
import json
import math
import pkgutil
import re
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from matplotlib import pyplot as plt

from browsing import needs_browser
from featurebook import papers
from featurebook.live import Handle, Live
from featurebook.press.book.places import Part
from featurebook.press.book.places import papers as parts

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
SCRIPT = ROOT / "book" / "_static" / "live.js"
PLACES, MOST = 3, 100
"""Values of each handle on a grid, and combinations of them, drawn where there are more."""


def _found() -> dict[str, Live]:
    """Every live figure of the papers, as ``PART.FUNCTION``."""
    found = {}
    for part in pkgutil.iter_modules(papers.__path__):
        if (Path(papers.__path__[0]) / part.name / "live.py").is_file():
            module = importlib.import_module(f"{papers.__name__}.{part.name}.live")
            lives = [x for x in vars(module).values() if isinstance(x, Live)]
            found |= {f"{part.name}.{x.formula.__name__}": x for x in lives}
    return found


LIVES = _found()
of_live = pytest.mark.parametrize("name", LIVES)


def _places(handle: Handle) -> list[float]:
    """The ends of a handle's range, where it starts, and odd places between."""
    rng = np.random.default_rng(len(handle.name))
    if handle.log:
        between = np.exp(rng.uniform(math.log(handle.low), math.log(handle.high), PLACES))
    else:
        between = rng.uniform(handle.low, handle.high, PLACES)
    values = {handle.low, handle.high, handle.start, *map(float, between)}
    return sorted({round(v) for v in values} if handle.whole else values)


def grid(live: Live) -> list[dict[str, float]]:
    """Combinations of inputs: all, or `MOST` of them and the start."""
    names = [handle.name for handle in live.handles]
    every = list(product(*map(_places, live.handles)))
    if len(every) > MOST:
        chosen = np.random.default_rng(0).choice(len(every), MOST, replace=False)
        every = [every[k] for k in chosen]
    return [live.inputs(), *(live.inputs(**dict(zip(names, v, strict=True))) for v in every)]


def _numbers(values: dict[str, Any]) -> dict[str, list[float]]:
    return {k: [float(x) for x in np.ravel(np.asarray(v, float))] for k, v in values.items()}


@of_live
def test_a_live_figure_has_what_it_draws(name: str) -> None:
    live = LIVES[name]
    values = live.formula(**live.inputs())
    drawn = {n for p in live.panels for layer in p.layers for n in (layer.x, layer.y)}
    assert drawn | {fact.name for fact in live.facts} <= values.keys()
    for panel in live.panels:
        assert panel.drag in {"", *(handle.name for handle in live.handles)}
        for layer in panel.layers:
            assert np.size(values[layer.x]) == np.size(values[layer.y])
    assert all(math.isfinite(float(values[fact.name])) for fact in live.facts)
    figure = live.draw()
    assert len(figure.axes) == len(live.panels)
    plt.close(figure)


@of_live
def test_a_live_figures_start_is_seen(name: str) -> None:
    """Something of each layer is within its axes."""
    live = LIVES[name]
    values = live.formula(**live.inputs())
    for panel in live.panels:
        for layer in panel.layers:
            x, y = (np.ravel(np.asarray(values[n], float)) for n in (layer.x, layer.y))
            within = (panel.x.low <= x) & (x <= panel.x.high)
            within &= (panel.y.low <= y) & (y <= panel.y.high)
            assert within.any(), layer.label


@pytest.mark.parametrize("part", parts(ROOT), ids=lambda p: p.name)
def test_a_story_has_a_figure_that_computes(part: Part) -> None:
    story = part.chapters[0].notebook.read_text(encoding="utf-8")
    called = re.findall(r"show\.live\(live\.(\w+)", story)
    assert called, f"{part.name}: see CONTRIBUTING, 'A figure that computes'"
    module = importlib.import_module(f"{papers.__name__}.{part.name}.live")
    assert all(isinstance(getattr(module, name), Live) for name in called)


# In a real browser, without the site


COMPUTE = """
const [source, grid] = [arguments[1], arguments[2]];
const live = new Function(`${arguments[0]}; return live`)();
const formula = new Function(`return ${source}`)();
const text = (x) => (Number.isFinite(x) ? x : String(x));
return grid.map((inputs) => Object.fromEntries(Object.entries(formula(inputs, live.maths))
  .map(([name, values]) => [name, [values].flat().map(text)])));
"""


@pytest.mark.browser
@needs_browser
@of_live
def test_javascript_computes_what_python_computes(browser: Any, name: str) -> None:
    """To 1e-9, relative where a number is larger than 1."""
    live = LIVES[name]
    inputs = grid(live)
    browser.get("about:blank")
    source = live.script.read_text(encoding="utf-8").strip()
    theirs = browser.execute_script(COMPUTE, SCRIPT.read_text(encoding="utf-8"), source, inputs)
    named = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
    for given, found in zip(inputs, theirs, strict=True):
        ours = _numbers(live.formula(**given))
        assert found.keys() == ours.keys()
        for key, values in ours.items():
            them = [named.get(x, x) for x in found[key]]
            np.testing.assert_allclose(
                them, values, rtol=1e-9, atol=1e-9, err_msg=f"{key} at {given}"
            )


@pytest.mark.browser
@needs_browser
def test_javascript_writes_numbers_as_python_does(browser: Any) -> None:
    from featurebook.live import written

    numbers = [0, 1, -1, 0.12345, -12.5, 99999, 123456.7, -1e-5, 3.0001e-4, 2e30, 1e5, 9999.96]
    browser.get("about:blank")
    found = browser.execute_script(
        "const live = new Function(`${arguments[0]}; return live`)();"
        "return arguments[1].map(live.written)",
        SCRIPT.read_text(encoding="utf-8"),
        numbers,
    )
    assert found == [written(x) for x in numbers]


# On the built site


PAGES = sorted(
    p.relative_to(SITE).as_posix()
    for p in SITE.glob("notebooks/*/*.html")
    if 'class="live"' in p.read_text(encoding="utf-8")
)
"""The pages with a live figure; none before the site is built."""
of_page = pytest.mark.parametrize("page", PAGES)


def _query(browser: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(browser.current_url).query)


def _state(browser: Any) -> dict[str, Any]:
    return browser.execute_script(
        "return Object.fromEntries(Object.entries(live.drawn).map(([n, d]) => [n, d.inputs]))"
    )


@pytest.mark.browser
@needs_browser
@of_page
def test_a_live_figure_answers_to_keys_and_numbers_and_keeps_its_address(
    browser: Any, page: str
) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    browser.set_window_size(1200, 900)
    browser.get((SITE / page).as_uri())
    start = _state(browser)
    for place in browser.find_elements("css selector", "div.live"):
        name = place.get_attribute("data-name")
        first = json.loads(place.get_attribute("data-spec"))["handles"][0]
        assert (
            not place.find_element("xpath", "..").find_element("css selector", "img").is_displayed()
        )
        pictures = place.find_elements("css selector", "svg[role=img]")
        before = [p.get_attribute("innerHTML") for p in pictures]
        slider = place.find_element("css selector", "input[type=range]")
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", slider)
        at_end = first["start"] > (first["low"] + first["high"]) / 2
        slider.send_keys(*[Keys.ARROW_LEFT if at_end else Keys.ARROW_RIGHT] * 12)
        assert _state(browser)[name] != start[name]
        assert [p.get_attribute("innerHTML") for p in pictures] != before
        box = place.find_element("css selector", "input[type=number]")
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys("9" * 9, Keys.TAB)
        assert _state(browser)[name][first["name"]] == first["high"]
        key = f"{name.rpartition('-fig-')[2]}.{first['name']}"
        WebDriverWait(browser, 5).until(lambda b, k=key: k in _query(b))
    wanted = _state(browser)
    browser.get(browser.current_url)
    assert _state(browser) == wanted
    for button in browser.find_elements("css selector", ".live-ends button"):
        browser.execute_script("arguments[0].click()", button)
    assert _state(browser) == start


@pytest.mark.browser
@needs_browser
@of_page
def test_a_live_figure_is_a_picture_on_paper(browser: Any, page: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get((SITE / page).as_uri())
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for place in browser.find_elements("css selector", "div.live"):
            assert not place.is_displayed()
            picture = place.find_element("xpath", "..").find_element("css selector", "img")
            browser.execute_script("arguments[0].scrollIntoView()", picture)
            WebDriverWait(browser, 20).until(lambda _, p=picture: p.is_displayed())
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.browser
@needs_browser
@of_page
def test_a_finger_finds_the_handles(browser: Any, page: str) -> None:
    """On a phone each input is 44 pixels high, and nothing is wider than the page."""
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        browser.get((SITE / page).as_uri())
        sizes = browser.execute_script(
            "return [...document.querySelectorAll('.live :is(input, button, a)')]"
            ".map((e) => Math.min(e.offsetHeight, e.offsetWidth))"
        )
        assert min(sizes) >= 44
        assert browser.execute_script(
            "return [...document.querySelectorAll('.live')]"
            ".every((e) => e.scrollWidth <= e.clientWidth && e.clientWidth <= innerWidth)"
        )
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.browser
@needs_browser
@of_page
def test_a_figure_can_be_dragged(browser: Any, page: str) -> None:
    """Where a panel has a handle, the mouse sets it along the axis."""
    from selenium.webdriver.common.action_chains import ActionChains

    browser.set_window_size(1200, 900)
    browser.get((SITE / page).as_uri())
    start = _state(browser)
    for place in browser.find_elements("css selector", "div.live"):
        name = place.get_attribute("data-name")
        panel = json.loads(place.get_attribute("data-spec"))["panels"][-1]
        if not panel["drag"]:
            continue
        picture = place.find_elements("css selector", "svg[role=img]")[-1]
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", picture)
        for away in (-60, 60):
            ActionChains(browser).move_to_element(picture).click_and_hold().move_by_offset(
                away, 0
            ).release().perform()
            low = _state(browser)[name][panel["drag"]]
            assert low != start[name][panel["drag"]]
            start[name] = _state(browser)[name]
