"""A real browser for tests: without a window, and without a network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

DRIVER = shutil.which("chromedriver")
PATIENCE = 300
"""Seconds for one script in a page; the ledger is long, and machines are at times busy."""
SITE = Path(__file__).resolve().parents[1] / "_build" / "html"

needs_browser = pytest.mark.skipif(
    DRIVER is None,
    reason="no chromedriver: apt-get install chromium chromium-driver (or your system's packages)",
)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser whose log can be read."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    ):  # fmt: skip
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    browser.command_executor.client_config.timeout = PATIENCE + 60
    browser.set_script_timeout(PATIENCE)
    try:
        yield browser
    finally:
        browser.quit()


def open_page(browser: Any, page: str, width: int) -> None:
    """Open a page of the built site in a window of some width, all its formulas set."""
    browser.set_window_size(width, 1000)
    browser.get((SITE / page).as_uri())
    typeset(browser)


def typeset(browser: Any) -> None:
    """Wait until the page is there, behind a redirect too, and its formulas are set."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 30).until(
        lambda b: b.execute_script(
            "return document.readyState === 'complete'"
            " && !document.querySelector('meta[http-equiv=\"Refresh\" i]')"
            " && (!document.querySelector('.math') || !!window.MathJax?.startup?.promise)"
        )
    )
    browser.execute_async_script(
        "const done = arguments[0];"
        "(window.MathJax?.startup?.promise ?? Promise.resolve())"
        ".then(() => window.MathJax?.startup?.document?.lazyTypesetAll()).then(() => done());"
    )
