"""The book that TeX sets says what the site says, under the same numbers; its links lead on."""

import fcntl
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from featurebook.press.book.places import chapters, papers
from featurebook.press.pdf import typeset

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
PARTS = papers(ROOT)
ADDRESSES = [c.address for c in chapters(ROOT)]
AUX = ROOT / "_build" / "pdf" / "_build" / "latex" / "featurebook.aux"

NOT_ON_PAPER = (
    ".headerlink, .math, script, style, .tag_hide-input .cell_input, .tag_hide-input summary, svg,"
    ".chip, .figure-data, .tocsection, .onward, .show-code, figure.glued, .cell.check .cell_input,"
    "details.hide, details.offer, details.nearby, .verdict-source, .verdict-more > summary,"
    ".quick-run, .answer, .slider, .verdict-repeated, noscript"
)

pytestmark = [
    pytest.mark.tex,
    pytest.mark.xdist_group("tex"),  # one process sets the book, not two at once
    pytest.mark.skipif(
        bool(typeset.lacking()), reason=f"not installed: {', '.join(typeset.lacking())}"
    ),
    pytest.mark.skipif(not SITE.is_dir(), reason="the site is not built: make site"),
]


@pytest.fixture(scope="module")
def book(testrun_uid: str) -> PdfReader:
    """The PDF; building it fails on any complaint of TeX.

    The group keeps most tests in one process, not all of them: another one waits here.
    """
    with (ROOT / "_build" / "tex-tested").open("a+", encoding="utf-8") as note:
        fcntl.flock(note, fcntl.LOCK_EX)
        note.seek(0)
        run, _, made = note.read().partition(" ")
        if run != testrun_uid:
            made = str(typeset.build(ROOT))
            note.truncate(0)
            note.write(f"{testrun_uid} {made}")
    return PdfReader(made)


@cache
def labels() -> dict[str, tuple[str, str]]:
    """The number and destination of everything that TeX labelled."""
    label = re.compile(
        r"\\newlabel\{(.+?)\}\{\{(.*?)\}\{\w*\}\{.*\}\{([^{}]*)\}\{\}\}$", re.MULTILINE
    )
    found = label.findall(AUX.read_text(encoding="utf-8"))
    return {name: (number, place) for name, number, place in found}


@pytest.fixture(scope="module")
def pages(book: PdfReader) -> list[str]:
    """The text of every page, squeezed."""
    return [squeezed(page.extract_text()) for page in book.pages]


def squeezed(text: str) -> str:
    """Without what TeX puts its own way: blanks, hyphens, quotation marks, the forms of signs."""
    return re.sub(r"[\s’'‘“”\"\-–—\u00ad\ufe0e…]", "", text.replace("ﬁ", "fi").replace("ﬂ", "fl"))


def text_at(book: PdfReader, pages: list[str], name: str) -> str:
    """The text of the page of a label, and of the next."""
    place = book.named_destinations[labels()[name][1]]
    page = book.get_destination_page_number(place)
    assert page is not None
    return "".join(pages[page : page + 2])


def _page(address: str) -> str:
    return (SITE / "notebooks" / f"{address}.html").read_text(encoding="utf-8")


def test_theorems_have_the_numbers_of_the_site(book: PdfReader, pages: list[str]) -> None:
    heading = re.compile(
        r'<div class="proof [^"]*" id="([^"]+)">\s*<p class="admonition-title">'
        r'<span class="caption-number">([^<]*)</span>(\s*\()?'
    )
    for address in ADDRESSES:
        found = heading.findall(_page(address))
        # a story and the ledger may show what others state
        assert found or address.endswith(("/story", "/ledger")), address
        for name, number, title in found:
            said = squeezed(unescape(number + title))
            assert said in text_at(book, pages, f"notebooks/{address}:{name}"), name


def test_figures_and_equations_have_the_numbers_of_the_site(
    book: PdfReader, pages: list[str]
) -> None:
    figure = re.compile(r'<figure [^>]*id="([^"]+)".*?"caption-number">Fig. ([\d.]+) <', re.DOTALL)
    equation = re.compile(r'id="equation-([^"]+)">\s*<span class="eqno">\((\d+)\)<')
    numbers = {k.rpartition(":")[2]: v[0] for k, v in labels().items() if "equation:" in k}
    for address in ADDRESSES:
        for name, number in figure.findall(_page(address)):
            assert labels()[f"notebooks/{address}:{name}"][0] == number
            assert f"Fig.{number}:" in text_at(book, pages, f"notebooks/{address}:{name}")
        for name, number in equation.findall(_page(address)):
            assert numbers[next(k for k in numbers if k.replace("_", "-") == name)] == number


def test_references_are_resolved_and_links_lead_somewhere(
    book: PdfReader, pages: list[str]
) -> None:
    marks = [page.replace("?open", "") for page in pages]  # the mark may follow a question
    assert not any("??" in page for page in marks)
    links = list(_links(book))
    assert len(links) > 1000
    assert {str(link) for link in links} <= set(book.named_destinations)


def _links(book: PdfReader) -> Iterator[Any]:
    for page in book.pages:
        for annotation in page.get("/Annots") or []:
            link = annotation.get_object()
            place = link.get("/Dest") or link.get("/A", {}).get("/D")
            if place is not None:
                yield place


def test_the_outline_has_every_chapter_and_the_last_pages_every_work(
    book: PdfReader, pages: list[str]
) -> None:
    titles = list(_titles(book.outline))
    for page in ("book/notation", "book/references", *(f"notebooks/{s}" for s in ADDRESSES)):
        html = (SITE / f"{page}.html").read_text(encoding="utf-8")
        (title,) = re.findall(r"<h1>([^<]*)", html)[:1]
        assert unescape(title) in titles
    works = len(re.findall(r"(?m)^@", (ROOT / "book" / "references.bib").read_text()))
    begins = book.named_destinations[labels()["book/references::doc"][1]]
    first = book.get_destination_page_number(begins)
    assert first is not None
    listed = "".join(pages[first:])
    assert set(re.findall(r"\[(\d+)\]", listed)) >= {str(k + 1) for k in range(works)}


def _titles(outline: Any) -> Iterator[str]:
    for entry in outline:
        if isinstance(entry, list):
            yield from _titles(entry)
        else:
            yield entry.title


def test_verdicts_are_printed(pages: list[str]) -> None:
    everything = "".join(pages)
    for address in ADDRESSES:
        for name in re.findall(r'<div id="verdict-([^"]+)" class="verdict', _page(address)):
            assert f"notebooks/{address}:verdict-{name}" in labels()
            assert squeezed(name) in everything


def test_what_the_site_says_is_there(pages: list[str]) -> None:
    everything = "".join(pages)
    gone = {}
    for page in ("book/rerun", "book/notation", *(f"notebooks/{s}" for s in ADDRESSES)):
        said = list(_said(page))
        lost = [line for line in said if line not in everything]
        away = [x for x in lost if not _over_two_pages(x, everything)]
        gone |= {page: away} if len(away) > len(said) / 1000 else {}
    assert gone == {}


def _over_two_pages(line: str, everything: str) -> bool:
    """Whether a line is there in pieces: between them are a foot and a head, or a mark."""
    cuts = (*range(1, 12), *range(len(line) - 12, len(line)))
    return (line[:12] in everything and line[-12:] in everything) or any(
        line[:k] in everything and line[k:] in everything for k in cuts if 0 < k < len(line)
    )


def _said(page: str) -> Iterator[str]:
    """The lines of a page that paper has too, squeezed."""
    html = BeautifulSoup((SITE / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
    article = html.select_one("article.bd-article")
    assert article is not None
    for tag in article.select(NOT_ON_PAPER):
        tag.decompose()
    lines = (line for text in article.strings for line in text.split("\n"))
    yield from (words for line in lines if len(words := squeezed(line)) > 3)
