"""How long the built pages are, what fills them, and how far verdicts are from theorems.

``python tests/measure_pages.py [SITE]`` prints a table of all pages as Markdown; SITE is
``_build/html`` unless given. It needs Chromium and its driver, as the browser tests do.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from browsing import chromium, typeset

DESKTOP, PHONE = (1400, 900), (390, 844)
"""Width and height of a screen in pixels."""
TARGET = 44
"""Pixels that a finger needs."""

MEASURE = """
const article = document.querySelector("article");
const shown = (e) => e.checkVisibility({ visibilityProperty: true });  // folded: hidden
const text = article.cloneNode(true);
text.querySelectorAll("pre, script, style, svg, mjx-assistive-mml").forEach((e) => e.remove());
const code = [...article.querySelectorAll("div.highlight")].filter(shown);
const top = (e) => e.getBoundingClientRect().top;
const moves = (e) => shown(e) && e.clientWidth && e.scrollWidth > e.clientWidth + 1;
const scrolls = (e) => moves(e) && getComputedStyle(e).overflowX !== "visible";
const formulas = [...article.querySelectorAll(".math")].filter(scrolls);
const drawn = (e) => e.querySelector("mjx-math")?.offsetWidth ?? 0;
return {
  height: article.offsetHeight,
  words: text.textContent.split(/\\s+/).filter(Boolean).length,
  code: code.reduce((sum, e) => sum + e.offsetHeight, 0),
  scrolling: code.filter((e) => {
    const pre = e.querySelector("pre");
    return pre && pre.scrollWidth > pre.clientWidth + 1;
  }).length,
  gaps: [...article.querySelectorAll("div.proof[id]")].filter((e) => e.querySelector(".verdict"))
    .map((e) => Math.round(top(e.querySelector(".verdict")) - top(e))),
  formulas: formulas.length,
  fitting: formulas.filter((e) => drawn(e) <= e.clientWidth).length,
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
FILLED = ("prose", "figures", "boxes")
"""Those that the table has."""


@dataclass(frozen=True)
class Page:
    """What was measured of a page.

    Attributes:
        address: its place in the site.
        words: outside of code.
        screens: its text's height in screens of 900 pixels, 1,400 wide.
        phone_screens: the same on a phone, 844 high and 390 wide.
        code: the share of the height that visible code takes, from 0 to 1.
        scrolling: visible blocks of code that are wider than their place, at 1,400 pixels.
        gaps: pixels from the top of each statement to its verdict.
        wider: pixels by which the page is wider than a phone.
        formulas: formulas that scroll sideways, at 1,400 pixels.
        fitting: formulas that scroll on a phone though they fit.
        shares: of the height, at 1,400 pixels, that each kind of `SHARES` takes.
    """

    address: str
    words: int
    screens: float
    phone_screens: float
    code: float
    scrolling: int
    gaps: tuple[int, ...]
    wider: int
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
    wide = browser.execute_script(MEASURE)
    shares = browser.execute_script(SHARES)
    open_at(browser, site / address, PHONE)
    narrow = browser.execute_script(MEASURE)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return Page(
        address,
        wide["words"],
        wide["height"] / DESKTOP[1],
        narrow["height"] / PHONE[1],
        wide["code"] / wide["height"],
        wide["scrolling"],
        tuple(wide["gaps"]),
        narrow["wider"],
        wide["formulas"],
        narrow["fitting"],
        shares,
    )


def table(pages: list[Page]) -> str:
    """A row for each page, and one for all."""
    rows = [
        "| page | words | screens | phone | prose | figures | boxes | code | wide code "
        "| verdict after, median | most |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    gaps = [gap for page in pages for gap in page.gaps]
    for p in pages:
        rows.append(
            f"| {p.address.removesuffix('.html')} | {p.words:,} | {p.screens:.1f} "
            f"| {p.phone_screens:.1f} | {_filled([p])} "
            f"| {p.code:.1%} | {p.scrolling} | {_gaps(p.gaps)} |"
        )
    high = sum(p.screens for p in pages)
    code = sum(p.code * p.screens for p in pages) / high
    rows.append(
        f"| all {len(pages)} | {sum(p.words for p in pages):,} | {high:.1f} "
        f"| {sum(p.phone_screens for p in pages):.1f} | {_filled(pages)} | {code:.1%} "
        f"| {sum(p.scrolling for p in pages)} | {_gaps(gaps)} |"
    )
    return "\n".join(rows)


def _filled(pages: list[Page]) -> str:
    """The shares of prose, figures and boxes."""
    high = sum(p.screens for p in pages)
    shares = (sum(p.shares[k] * p.screens for p in pages) / high for k in FILLED)
    return " | ".join(f"{share:.1%}" for share in shares)


def _gaps(gaps: tuple[int, ...] | list[int]) -> str:
    return f"{median(gaps):.0f} px | {max(gaps)} px" if gaps else "|"


def main(site: Path) -> None:
    """Print the table of a built site."""
    found = [*site.glob("book/**/*.html"), *site.glob("notebooks/*/*.html")]
    names = sorted(p.relative_to(site).as_posix() for p in found)
    with chromium() as browser:
        print(table([measure(browser, site, name) for name in names]))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "_build/html").resolve())
