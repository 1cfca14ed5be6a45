"""The whole book as one PDF: all pages as a single one, printed by Chromium.

``python -m featurebook.press.pdf`` writes ``_build/featurebook.pdf``. Chromium and not TeX prints
it, so that verdicts, tables and graphs, which are HTML, are in it as on the site.
"""

import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

from featurebook.press import site
from featurebook.press.layout import BookError, find_root

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 600
STYLE = """<style>
@page { size: A4; margin: 18mm 16mm 20mm; @bottom-center { content: counter(page); } }
@media print { h1 { break-before: page; } }
</style>"""


def build(root: Path) -> Path:
    """Print the executed book.

    Returns:
        The PDF.

    Raises:
        BookError: if there is no Chromium, or it prints nothing.
        BuildError: as `site.build` does.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise BookError(f"Chromium prints the PDF, and there is none: {', '.join(BROWSERS)}")
    site.prepare(root)
    site.bind(root, "singlehtml")
    page = root / "_build" / "singlehtml" / "book" / "index.html"
    text = for_print(page.read_text(encoding="utf-8"))
    page.with_name("print.html").write_text(text, encoding="utf-8")
    target = root / "_build" / f"{site.title(root)}.pdf"
    target.unlink(missing_ok=True)
    print_page(browser, page.with_name("print.html"), target)
    return target


def for_print(text: str) -> str:
    """The single page with links that lead to places in it, or to the web, and to nothing else."""
    known = set(re.findall(r'\bid=["\']([^"\']+)', text))

    def lead(match: re.Match[str]) -> str:
        address = unescape(match["address"])
        if re.match(r"(?:https?|mailto):", address):
            return match[0]
        fragment = address.rpartition("#")[2] if "#" in address else ""
        return f' href="#{fragment}"' if fragment in known else ""

    body = text.index("<body")
    linked = re.sub(r'(?<=<a)(?P<before>[^>]*?) href=["\'](?P<address>[^"\']*)["\']',
                    lambda m: m["before"] + lead(m), text[body:])  # fmt: skip
    return text[:body].replace("</head>", f"{STYLE}</head>") + linked


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
    """Print the book; 2 for what the user can mend, 1 for a book that does not build."""
    try:
        print(build(find_root()).relative_to(Path.cwd()))
    except (BookError, site.BuildError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, BookError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
