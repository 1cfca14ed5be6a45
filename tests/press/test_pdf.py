"""The book on one page leads only to itself and to the web, and is printed whole or not at all."""

import shutil

import pytest

from featurebook.press import pdf
from featurebook.press.layout import BookError

BROWSER = next(filter(None, map(shutil.which, pdf.BROWSERS)), None)
PAGE = """<html><head><link href="style.css"></head><body>
<h1 id="toy-1">One</h1><p id='document-book/notation'>x</p>
<a class="a" href="book/index.html#toy-1">in the page</a>
<a href='cone_sets.html#toy-1'>written by hand</a>
<a href="#document-book/notation">a document</a>
<a href="https://example.org/x#toy-1" rel="x">the web</a>
<a href="../errata.csv">a file</a>
<a href="notebooks/gone.html#gone">nowhere</a>
</body></html>"""


def test_links_lead_into_the_page_or_to_the_web():
    found = pdf.for_print(PAGE)
    assert found.count('href="#toy-1"') == 2
    assert 'href="#document-book/notation"' in found
    assert 'href="https://example.org/x#toy-1"' in found
    assert "errata.csv" not in found
    assert "gone.html" not in found
    assert '<link href="style.css">' in found
    assert found.index("@page") < found.index("</head>")


def test_without_chromium_it_says_so(book, monkeypatch):
    monkeypatch.setattr(pdf.shutil, "which", lambda _: None)
    with pytest.raises(BookError, match="Chromium prints the PDF, and there is none"):
        pdf.build(book)


def test_a_browser_that_prints_nothing_is_reported(tmp_path):
    (tmp_path / "page.html").write_text("<p>x</p>")
    with pytest.raises(BookError, match="printed nothing"):
        pdf.print_page(shutil.which("true") or "", tmp_path / "page.html", tmp_path / "book.pdf")


@pytest.mark.browser
@pytest.mark.skipif(BROWSER is None, reason="no Chromium: apt-get install chromium")
def test_chromium_prints_pages_and_links(tmp_path):
    (tmp_path / "page.html").write_text(pdf.for_print(PAGE))
    pdf.print_page(str(BROWSER), tmp_path / "page.html", tmp_path / "book.pdf")
    content = (tmp_path / "book.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/Subtype /Link") == 4
    assert b"https://example.org/x" in content
