"""A Sphinx extension: what stands below a chapter's title, and how to cite a verdict.

Where the chapter belongs, how long it takes to read, what one should know, how to cite it and how
to run it; and in each statement that was judged, how to cite that. All of it follows from the
notebooks, ``book/parts.yaml`` and ``CITATION.cff``; on paper it is left out.
"""

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from featurebook.press.book.places import Chapter, chapters
from featurebook.press.claims import citing
from featurebook.press.claims.judgements import Entry
from featurebook.press.site import background, glue, landing, publish, reviews
from featurebook.verdicts import OUTCOMES

ONWARD = re.compile(r'(<p class="onward">(?:(?!</p>).)*#claim-(?P<claim>[\w.-]+)"[^>]*>[^<]*</a></p>)')
"""The last line of a statement: links, the last of them to its row of the ledger."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("html-page-context", _furnish, priority=560)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _furnish(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    root = Path(app.srcdir)
    found = next((c for c in chapters(root) if pagename == f"notebooks/{c.address}"), None)
    if found is None or not found.part.claims.is_file() or app.builder.name != "html":
        return
    home, pathto = publish.home(), context["pathto"]
    book, site = citing.about_book(root), home.site if home else ""
    notebook = pathto(f"_sources/notebooks/{found.address}.ipynb", resource=True)
    story = pathto(f"notebooks/{found.part.chapters[0].address}")
    top = top_of(found, book, site, notebook, story)
    body = context["body"].replace("</h1>", f"</h1>\n{top}", 1)
    own = {e.claim.id: e for e in reviews.entries(root) if e.outcome in OUTCOMES}
    context["body"] = with_citations(body, own, book, citing.works(root), site)


def top_of(chapter: Chapter, book: Mapping[str, Any], site: str, notebook: str, story: str) -> str:
    """What stands below the title of a chapter, as HTML.

    Args:
        book: as `citing.about_book` has it.
        site: address of the published book, or empty.
        notebook, story: addresses of the executed notebook and of the part's first chapter.
    """
    title = glue.title(chapter)
    file = f"{chapter.part.name}-{chapter.name}.ipynb"
    run = f"featurebook run {chapter.address} -o again.ipynb"
    return (
        f'<div class="about-chapter">\n<p>{place_of(chapter)}</p>\n'
        f"<p>{_needed(chapter, story)}</p>\n"
        + _fold("Cite this chapter", _code("bibtex", citing.of_chapter(chapter.address, title, book, site)))
        + _fold(
            "Run this chapter",
            f"<p>In a clone of the book, after <code>make book</code>:</p>{_code('bash', run)}"
            f'<p>Or take <a href="{escape(notebook)}" download="{file}">the executed notebook</a>'
            f" (.ipynb). <code>featurebook show {chapter.address}</code> lists its parameters.</p>",
        )
        + "</div>\n"
    )


def place_of(chapter: Chapter) -> str:
    """Which part and which of its chapters this is, and how long it takes to read."""
    own = chapter.part.chapters
    k = own.index(chapter)
    which = f"its story, and {len(own) - 1} more chapters" if k == 0 else f"chapter {k + 1} of {len(own)}"
    return f"Part {landing.number(chapter.part)}, {which} · {landing.minutes(chapter)} minutes to read"


def _needed(chapter: Chapter, story: str) -> str:
    needs = [escape(words) for words in background.of_part(chapter.part).needed(chapter)]
    if chapter != chapter.part.chapters[0]:
        needs.insert(0, f'<a href="{escape(story)}">the story of this part</a>')
    return f"You should know: {citing.listed(needs)}." if needs else ""


def with_citations(
    body: str,
    own: Mapping[str, Entry],
    book: Mapping[str, Any],
    works: Mapping[str, citing.Work],
    site: str,
) -> str:
    """A page's HTML with BibTeX, folded, at the end of every statement that was judged."""

    def offer(match: re.Match[str]) -> str:
        entry = own.get(match["claim"])
        if entry is None:
            return match[0]
        text = citing.of_verdict(entry, book, works, site)
        return match[0] + _fold("cite", _code("bibtex", text))

    return ONWARD.sub(offer, body)


def _fold(summary: str, inside: str) -> str:
    return f'<details class="offer"><summary>{summary}</summary>{inside}</details>\n'


def _code(language: str, text: str) -> str:
    """Code as Sphinx writes it, so that it gets a button to copy it."""
    inside = escape(text.strip(), quote=False)
    return (
        f'<div class="highlight-{language} notranslate"><div class="highlight">'
        f"<pre>{inside}\n</pre></div></div>"
    )
