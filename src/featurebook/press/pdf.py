"""The whole book as one PDF: all pages of the built site on a single one, printed by Chromium.

``python -m featurebook.press.pdf`` writes ``_build/featurebook.pdf``. Chromium and not TeX prints
it, so that verdicts, tables and graphs, which are HTML, are in it as on the site.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import yaml
from bs4 import BeautifulSoup, Tag

from featurebook.press import site
from featurebook.press.layout import BookError, find_root

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 1800
STYLE = """
@page { size: A4; margin: 18mm 16mm 20mm; @bottom-center { content: counter(page); } }
@media print {
  .page + .page { break-before: page; }
  .page h1 { display: block !important; }
}
"""


def build(root: Path) -> Path:
    """Print the built site.

    Returns:
        The PDF.

    Raises:
        BookError: if there is no site, no Chromium, or nothing comes out.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise BookError(f"Chromium prints the PDF, and there is none: {', '.join(BROWSERS)}")
    if not site.index(root).is_file():
        raise BookError("the site is not built: featurebook build")
    folder = root / "_build" / "pdf"
    folder.mkdir(exist_ok=True)
    page = folder / "print.html"
    page.write_text(joined(site.index(root).parent, order(root), folder), encoding="utf-8")
    target = root / "_build" / f"{site.title(root)}.pdf"
    target.unlink(missing_ok=True)
    print_page(browser, page, target)
    return target


def order(root: Path) -> list[str]:
    """The book's pages in the order of ``_toc.yml``, as Sphinx names them."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    return [toc["root"], *_files(toc)]


def _files(part: dict[str, list[dict[str, object]]]) -> list[str]:
    found = []
    for key in ("parts", "chapters", "sections"):
        for entry in part.get(key, []):
            found += [str(entry["file"])] if "file" in entry else []
            found += _files(entry)  # type: ignore[arg-type]
    return found


def joined(built: Path, names: list[str], folder: Path) -> str:
    """The articles of all pages as one page that lies in ``folder``.

    Links lead to places on it or to the web; what leads to another file becomes plain text.
    """
    pages = {n: _soup(built / f"{n}.html") for n in names}
    articles = {n: soup.select_one("article.bd-article") for n, soup in pages.items()}
    shown = {n: article for n, article in articles.items() if article is not None}
    places = {n: {str(t["id"]) for t in a.find_all(id=True)} | {""} for n, a in shown.items()}
    for name, article in shown.items():
        for tag in article.find_all(href=True):
            _lead(tag, built / f"{name}.html", built, places)
    for name, article in shown.items():  # after the links, which look for the old names
        for tag in article.find_all(id=True):
            if tag.find_parent("svg") is None:
                tag["id"] = f"{name}:{tag['id']}"
    for name, soup in pages.items():
        for attribute in ("src", "href"):
            for tag in soup.find_all(["img", "script", "link"], attrs={attribute: True}):
                if not urlparse(str(tag[attribute])).scheme:
                    file = (built / f"{name}.html").parent / str(tag[attribute]).partition("?")[0]
                    tag[attribute] = Path(os.path.relpath(file, folder)).as_posix()
    head = max((_head(soup) for soup in pages.values()), key=len)  # one that sets formulas
    body = "".join(f'<div class="page" id="{n}:">{shown[n].decode_contents()}</div>' for n in shown)
    return (
        f'<!DOCTYPE html>\n<html lang="en" data-theme="light"><head><meta charset="utf-8" />{head}'
        f'<style>{STYLE}</style></head><body><main class="bd-main"><div class="bd-content">'
        f'<div class="bd-article-container"><article class="bd-article">{body}</article></div>'
        "</div></main></body></html>"
    )


def _soup(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def _head(soup: BeautifulSoup) -> str:
    """A page's title, styles, and what sets formulas."""
    kept = soup.select("head > title, link[rel=stylesheet]")
    kept += [s for s in soup.find_all("script") if "mathjax" in str(s).lower()]
    return "".join(map(str, kept))


def _lead(tag: Tag, page: Path, built: Path, places: dict[str, set[str]]) -> None:
    """Let a link of a page lead to the same place on the joined page, or nowhere."""
    address, fragment = urldefrag(str(tag["href"]))
    if urlparse(address).scheme:
        return
    target = (page.parent / unquote(address)).resolve() if address else page.resolve()
    name = re.sub(r"\.html$", "", os.path.relpath(target, built.resolve()))
    if unquote(fragment) in places.get(name, ()):
        tag["href"] = f"#{name}:{unquote(fragment)}"
    else:
        del tag["href"]


def print_page(browser: str, page: Path, target: Path) -> None:
    """Print a page from disk once its formulas are set.

    Raises:
        BookError: if no PDF comes out.
    """
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--no-pdf-header-footer", "--generate-pdf-document-outline",
        "--virtual-time-budget=600000", f"--print-to-pdf={target}", page.as_uri(),
    ]  # fmt: skip
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise BookError(f"{browser} did not print within {SECONDS} s") from None
    if not target.is_file():
        last = (result.stderr.strip().splitlines() or ["no message"])[-1]
        raise BookError(f"{browser} printed nothing: {last}")


def main() -> int:
    """Print the book; exit code 2, with a line, where it cannot be."""
    try:
        print(os.path.relpath(build(find_root())))
    except BookError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
