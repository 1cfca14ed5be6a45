"""How long a built page is, what fills it, and how far verdicts are from theorems."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from browsing import typeset

DESKTOP, PHONE = (1400, 900), (390, 844)
"""Width and height of a screen in pixels."""
TARGET = 44
"""Pixels that a finger needs."""

SMALL = f"""
const inText = (e) => {{
  const around = e.matches("a") && e.closest("p, li, td, th, dt, dd, figcaption, .verdict");
  return around && around.textContent.trim().length > e.textContent.trim().length + 3;
}};
const tooLow = (e) => {{
  const {{ width, height }} = e.getBoundingClientRect();
  return width && height && height < {TARGET} - 0.5;
}};
const met = "a[href], button, summary, input, select, .toctree-toggle";
const small = [...document.querySelectorAll(met)]
  .filter((e) => e.checkVisibility({{ visibilityProperty: true }}) && tooLow(e) && !inText(e))
  .filter((e) => !e.closest(".skip-link"))
  .map((e) => e.outerHTML.slice(0, 90).toWellFormed());
"""
"""What a finger meets that is too low for it; links in sentences may be, as WCAG has it."""
MEASURE = """
const article = document.querySelector("article");
const shown = (e) => e.checkVisibility({ visibilityProperty: true });  // folded: hidden
const code = [...article.querySelectorAll("div.highlight")].filter(shown);
const top = (e) => e.getBoundingClientRect().top;
const moves = (e) => shown(e) && e.clientWidth && e.scrollWidth > e.clientWidth + 1;
const scrolls = (e) => moves(e) && getComputedStyle(e).overflowX !== "visible";
const formulas = [...article.querySelectorAll(".math")].filter(scrolls);
const drawn = (e) => e.querySelector("mjx-math")?.offsetWidth ?? 0;
return {
  height: article.offsetHeight,
  code: code.reduce((sum, e) => sum + e.offsetHeight, 0),
  scrolling: code.filter((e) => {
    const pre = e.querySelector("pre");
    return pre && pre.scrollWidth > pre.clientWidth + 1;
  }).length,
  gaps: [...article.querySelectorAll("div.proof[id]")].filter((e) => e.querySelector(".verdict"))
    .map((e) => Math.round(top(e.querySelector(".verdict")) - top(e))),
  formulas: formulas.length,
  fitting: formulas.filter((e) => drawn(e) <= e.clientWidth).length,
  small,
  wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
};
"""
SHARES = """
const article = document.querySelector("article");
const KINDS = {
  boxes: "div.proof, .cell_output:has(.verdict)", figures: "figure",
  prose: "p, ul, ol, dl, blockquote, table, div.math, h1, h2, h3, h4",
  code: "div.cell_input, div.highlight, details.hide", exercises: "div.admonition",
};
const found = [];
const read = (e) => {
  if (!e.checkVisibility() || !e.offsetHeight) return;
  const kind = Object.keys(KINDS).find((k) => e.matches(KINDS[k]));
  if (kind) found.push([kind, e.getBoundingClientRect().top]);
  else if (e.children.length) [...e.children].forEach(read);
  else found.push(["others", e.getBoundingClientRect().top]);
};
read(article);
const end = article.getBoundingClientRect().bottom;
const shares = { prose: 0, figures: 0, boxes: 0, exercises: 0, code: 0, others: 0 };
found.forEach(([kind, top], k) => {  // a gap belongs to what is above it
  shares[kind] += ((found[k + 1]?.[1] ?? end) - top) / article.offsetHeight;
});
return shares;
"""
"""The shares of a page's height that prose and so on take."""


@dataclass(frozen=True)
class Page:
    """What was measured of a page.

    Attributes:
        screens: its text's height in screens of 900 pixels, 1,400 wide.
        phone_screens: the same on a phone, 844 high and 390 wide.
        code: the share of the height that visible code takes, from 0 to 1.
        scrolling: visible blocks of code that are wider than their place, at 1,400 pixels.
        gaps: pixels from the top of each statement to its verdict.
        wider: pixels by which the page is wider than a phone.
        formulas: formulas that scroll sideways, at 1,400 pixels.
        small: what a finger meets on a phone and is lower than `TARGET`.
        fitting: formulas that scroll on a phone though they fit.
        shares: of the height, at 1,400 pixels, that each kind of `SHARES` takes.
    """

    screens: float
    phone_screens: float
    code: float
    scrolling: int
    gaps: tuple[int, ...]
    wider: int
    small: tuple[str, ...]
    formulas: int
    fitting: int
    shares: dict[str, float]


def open_at(browser: Any, page: Path, size: tuple[int, int]) -> None:
    """Open a page in a window of that size, with all of its formulas set."""
    resize = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", resize)
    browser.get(page.as_uri())
    typeset(browser)


def measure(browser: Any, site: Path, address: str) -> Page:
    """Measure one page of a built site."""
    open_at(browser, site / address, DESKTOP)
    wide = browser.execute_script(SMALL + MEASURE)
    shares = browser.execute_script(SHARES)
    open_at(browser, site / address, PHONE)
    narrow = browser.execute_script(SMALL + MEASURE)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return Page(
        wide["height"] / DESKTOP[1],
        narrow["height"] / PHONE[1],
        wide["code"] / wide["height"],
        wide["scrolling"],
        tuple(wide["gaps"]),
        narrow["wider"],
        tuple(narrow["small"]),
        wide["formulas"],
        narrow["fitting"],
        shares,
    )
