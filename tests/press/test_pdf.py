"""The book on one page leads only to itself and to the web, and is printed whole or not at all."""

import re
import shutil

import pytest

from featurebook.press import pdf
from featurebook.press.layout import BookError

BROWSER = next(filter(None, map(shutil.which, pdf.BROWSERS)), None)
PAGE = """<html><head><title>T</title><link rel="stylesheet" href="../_static/a.css?v=1"></head>
<body><nav><a href="toy.html">menu</a></nav><article class="bd-article">{}</article>
{}</body></html>"""
FIRST = """<h1 id="same">Landing</h1><img src="../_images/a.svg">
<a href="#same">here</a> <a href="../notebooks/toy.html#toy-1">there</a>
<a href="../notebooks/toy.html">the chapter</a> <a href="https://example.org/x#y">the web</a>
<a href="../errata.csv">a file</a> <a href="../notebooks/toy.html#gone">nowhere</a>"""
SECOND = """<h1 id="same">Toy</h1><p id="toy-1">x</p><a href="../book/index.html#same">back</a>
<svg><marker id="tip"/><path marker-end="url(#tip)"/></svg>"""


@pytest.fixture
def built(tmp_path):
    pages = {
        "book/index": PAGE.format(FIRST, ""),
        "notebooks/toy": PAGE.format(SECOND, '<script src="../_static/mathjax/x.js?v=2"></script>'),
    }
    for name, text in pages.items():
        path = tmp_path / "html" / f"{name}.html"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return tmp_path / "html"


@pytest.fixture
def page(built, tmp_path):
    return pdf.joined(built, ["book/index", "notebooks/toy"], tmp_path / "pdf")


def test_links_lead_to_the_same_place_on_the_one_page_or_to_the_web(page):
    assert re.findall(r'<a href="([^"]*)"', page) == [
        "#book/index:same", "#notebooks/toy:toy-1", "#notebooks/toy:", "https://example.org/x#y",
        "#book/index:same",
    ]  # fmt: skip
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(set(ids)) == len(ids)
    assert {link[1:] for link in re.findall(r'<a href="(#[^"]*)"', page)} <= set(ids)
    assert "a file" in page
    assert "menu" not in page


def test_pictures_styles_and_formulas_are_found_from_the_new_place(page):
    for file in ("_images/a.svg", "_static/a.css", "_static/mathjax/x.js"):
        assert f'"../html/{file}"' in page
    assert 'id="tip"' in page  # the arrows of a graph name it


def test_the_order_is_that_of_the_contents(tmp_path):
    (tmp_path / "_toc.yml").write_text(
        "root: book/index\nparts:\n  - chapters: [{file: book/a}]\n"
        "  - chapters: [{file: notebooks/b, sections: [{file: book/c}]}]\n"
    )
    assert pdf.order(tmp_path) == ["book/index", "book/a", "notebooks/b", "book/c"]


def test_what_is_missing_is_said(book, monkeypatch, capsys):
    monkeypatch.setattr(pdf.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert pdf.main() == 2
    assert capsys.readouterr().err == "the site is not built: featurebook build\n"
    monkeypatch.setattr(pdf.shutil, "which", lambda _: None)
    with pytest.raises(BookError, match="Chromium prints the PDF, and there is none"):
        pdf.build(book)


def test_a_browser_that_prints_nothing_is_reported(tmp_path):
    (tmp_path / "page.html").write_text("<p>x</p>")
    with pytest.raises(BookError, match="printed nothing"):
        pdf.print_page(shutil.which("true") or "", tmp_path / "page.html", tmp_path / "book.pdf")


@pytest.mark.browser
@pytest.mark.skipif(BROWSER is None, reason="no Chromium: apt-get install chromium")
def test_chromium_prints_pages_and_links(page, tmp_path):
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "print.html").write_text(page)
    pdf.print_page(str(BROWSER), tmp_path / "pdf" / "print.html", tmp_path / "book.pdf")
    content = (tmp_path / "book.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", content)) == 2
    assert content.count(b"/Subtype /Link") == 5
    assert b"https://example.org/x" in content
