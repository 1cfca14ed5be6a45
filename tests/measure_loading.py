"""How soon the built pages are there, and what they load: a table of the worst of each kind.

``python tests/measure_loading.py [SITE]`` opens every page of a site, ``_build/html`` unless given,
from a server on this machine and with nothing cached. Sizes are those of files as a host sends
them, compressed. It needs Chromium and its driver, and a second for each page.
"""

import gzip
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import unquote, urlparse

from browsing import chromium
from featurebook.press.site import serve
from measure_pages import DESKTOP, PHONE, SMALL

WORST = 20
"""Pages of each kind in the table."""
COMPRESSED = (".html", ".css", ".js", ".svg", ".json")
"""Files that hosts compress."""
LOAD = """
const done = arguments[0], found = {};
const loaded = () => [performance.getEntriesByType("navigation"),
  performance.getEntriesByType("resource")].flat().map((e) => e.name);
const quiet = async () => {
  for (let seen = 0; seen !== loaded().length;) {
    seen = loaded().length;
    await new Promise((later) => setTimeout(later, 250));
  }
};
new PerformanceObserver((list) => { found.painted = list.getEntries().at(-1).startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
(async () => {
  await (window.MathJax?.startup?.promise ?? Promise.resolve());
  await quiet();
  found.ready = performance.getEntriesByType("navigation")[0].loadEventEnd;
  found.elements = document.querySelectorAll("*").length;
  found.first = loaded();
  for (const image of document.images) image.loading = "eager";
  await window.MathJax?.startup?.document?.lazyTypesetAll?.();
  await quiet();
  found.whole = loaded();
  done(found);
})();
"""


@dataclass(frozen=True)
class Loading:
    """What loading a page took.

    Attributes:
        first: bytes before anybody scrolls.
        whole: bytes with what scrolling down the page fetches.
        ready: milliseconds to the load event.
        painted: milliseconds to the largest contentful paint.
        elements: before anybody scrolls.
        wider: pixels by which the page is wider than a phone.
        small: what a finger meets on a phone and is too low for it.
    """

    address: str
    first: int
    whole: int
    ready: float
    painted: float
    elements: int
    wider: int
    small: int

    @property
    def kind(self) -> str:
        """Story, chapter, claim, or page of the book."""
        folder, _, name = self.address.partition("/")
        if folder != "notebooks" or name.startswith("book/"):
            return "claim" if folder == "claims" else "page of the book"
        return "story" if name.endswith("/story.html") else "chapter"


@cache
def sent(file: Path) -> int:
    """The bytes of a file as hosts send it."""
    content = file.read_bytes() if file.is_file() else b""
    return len(gzip.compress(content)) if file.suffix in COMPRESSED else len(content)


def measure(browser: Any, site: Path, home: str, address: str) -> Loading:
    """Load a page of a site that is served at ``home``."""
    _resize(browser, DESKTOP)
    browser.get(f"{home}/{address}")
    found: Mapping[str, Any] = browser.execute_async_script(LOAD)
    _resize(browser, PHONE)
    root = "document.documentElement"
    wider, small = browser.execute_script(
        f"{SMALL} return [{root}.scrollWidth - {root}.clientWidth, small.length]"
    )

    def size(addresses: list[str]) -> int:
        return sum(sent(site / unquote(urlparse(a).path).lstrip("/")) for a in {*addresses})

    return Loading(
        address,
        size(found["first"]),
        size(found["whole"]),
        found["ready"],
        found.get("painted", 0),
        found["elements"],
        wider,
        small,
    )


def _resize(browser: Any, size: tuple[int, int]) -> None:
    about = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", about)


def table(kind: str, pages: list[Loading]) -> str:
    """The heaviest pages of a kind, a row each, and the median of all."""
    rows = [
        f"| {kind}, {len(pages)} | first, kB | whole, kB | load, ms | paint, ms | elements "
        "| wider, px | too small |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for p in sorted(pages, key=lambda p: -p.first)[:WORST]:
        rows.append(
            f"| {p.address} | {p.first / 1e3:.0f} | {p.whole / 1e3:.0f} | {p.ready:.0f} "
            f"| {p.painted:.0f} | {p.elements:,} | {p.wider} | {p.small} |"
        )
    middle = (median(getattr(p, x) for p in pages) for x in ("first", "whole", "ready", "painted"))
    first, whole, ready, painted = middle
    rows.append(
        f"| median | {first / 1e3:.0f} | {whole / 1e3:.0f} | {ready:.0f} | {painted:.0f} | | | |"
    )
    return "\n".join(rows)


def main(site: Path) -> None:
    """Print a table for each kind of page."""
    server = serve.server(site, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}"
    pages: dict[str, list[Loading]] = {}
    with chromium() as browser:
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        for file in sorted(site.rglob("*.html")):
            if "_static" not in file.parts:
                page = measure(browser, site, home, file.relative_to(site).as_posix())
                pages.setdefault(page.kind, []).append(page)
    for kind, found in pages.items():
        print(table(kind, found), end="\n\n")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "_build/html").resolve())
