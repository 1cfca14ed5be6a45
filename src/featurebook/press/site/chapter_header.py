"""A Sphinx extension: what stands below a chapter's title, and how to cite a verdict.

Where the chapter belongs, how long it takes to read and what one should know; on the site also how
to cite it, how to run it, and in each statement that was judged how to cite that. All of it follows
from the notebooks, ``book/claims/PART.yaml`` and ``CITATION.cff``.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from featurebook.press.book.places import Chapter, chapters
from featurebook.press.claims import citing, grades
from featurebook.press.claims.formulas import as_html
from featurebook.press.claims.judgements import Entry
from featurebook.press.run import pictures
from featurebook.press.site import background, glue, landing, publish, reviews
from featurebook.verdicts import OUTCOMES

BLOCK = re.compile(
    r'id="verdict-(?P<claim>[^"]+)"(?:(?!id="verdict-).)*?<p class="onward">.*?</p>', re.DOTALL
)
"""From a verdict to the last line of its block, the links that lead on."""
TOP = "about-chapter"
"""The class of what stands below a title."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_transform(Tops)
    app.connect("html-page-context", _furnish, priority=560)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def of_page(root: Path, page: str) -> Chapter | None:
    """The chapter of a paper's part that a page shows, if it does."""
    found = (c for c in chapters(root) if page == f"notebooks/{c.address}")
    return next((c for c in found if c.part.claims.is_file()), None)


class Tops(SphinxTransform):
    """Below a chapter's title: its place in the book, the time it takes, what it needs."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Put it there, on the site and on paper."""
        root = Path(self.app.srcdir)
        chapter = of_page(root, self.env.docname)
        title = next(iter(self.document.findall(nodes.title)), None)
        if chapter is None or title is None:
            return
        self.env.note_dependency(str(chapter.part.claims))
        top = nodes.container("", nodes.paragraph("", place_of(chapter)), classes=[TOP])
        if needed := self._needed(chapter):
            top += nodes.paragraph("", "You should know: ", *needed, nodes.Text("."))
        top += self._experiments(chapter)
        if lacking := pictures.without(chapter.executed):
            what = (
                f"Computed without {pictures.kinds(lacking)}: {pictures.STAND_IN} stand in, or a "
            )
            said = f"{what}result is left out."
            top += nodes.paragraph("", "", nodes.strong("", said))
        title.parent.insert(title.parent.index(title) + 1, top)

    def _experiments(self, chapter: Chapter) -> list[nodes.Node]:
        """On a story, how its part's figures and tables came out, and the page that shows them."""
        page = f"beside/{chapter.part.name}"
        if chapter != chapter.part.chapters[0] or page not in self.env.found_docs:
            return []
        found = list(grades.of_part(chapter.part).values())
        link = addnodes.pending_xref(
            "", nodes.inline("", "Figures and tables, paper beside ours"), refdomain="std",
            reftype="doc", reftarget=f"/{page}", refexplicit=True, refwarn=True,
            refdoc=self.env.docname,
        )  # fmt: skip
        return [
            nodes.paragraph("", "", link, nodes.Text(f": {', '.join(grades.in_words(found))}."))
        ]

    def _needed(self, chapter: Chapter) -> list[nodes.Node]:
        words = list(background.of_part(chapter.part).needed(chapter))
        story = chapter.part.chapters[0]
        if chapter == story:
            return [nodes.Text(citing.listed(words))] if words else []
        link = addnodes.pending_xref(
            "", nodes.inline("", "the story of this part"), refdomain="std", reftype="doc",
            reftarget=f"/notebooks/{story.address}", refexplicit=True, refwarn=True,
            refdoc=self.env.docname,
        )  # fmt: skip
        before = ", " if len(words) > 1 else " and "
        return [link, *([nodes.Text(before + citing.listed(words))] if words else [])]


def place_of(chapter: Chapter) -> str:
    """Which part and which of its chapters this is, and how long it takes to read."""
    own = chapter.part.chapters
    k = own.index(chapter)
    more = "1 more chapter" if len(own) == 2 else f"{len(own) - 1} more chapters"
    which = f"chapter {k + 1} of {len(own)}" if k else f"its story, and {more}"
    time = landing.minutes(chapter)
    lasts = "1 minute" if time == 1 else f"{time} minutes"
    return f"Part {landing.number(chapter.part)}, {which} · {lasts} to read"


def _furnish(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    root = Path(app.srcdir)
    found = of_page(root, pagename)
    if found is None or app.builder.name != "html":
        return
    home, book = publish.home(), citing.about_book(root)
    site = home.site if home else ""
    notebook = context["pathto"](f"_sources/notebooks/{found.address}.ipynb", resource=True)
    entries = reviews.entries(root)
    looks = first_looks([e for e in entries if e.chapter == found.address])
    body = with_offers(context["body"], found, book, site, notebook, looks)
    own = {e.claim.id: e for e in entries if e.outcome in OUTCOMES}
    context["body"] = with_citations(body, own, book, citing.works(root), site)


def first_looks(own: Sequence[Entry]) -> str:
    """What a chapter changed after a first look at the numbers, in one fold; empty if nothing."""
    changed = "".join(
        f'<li><a href="#{escape(e.claim.id)}">{escape(e.claim.number)}</a>: '
        f"{as_html(e.claim.first_look)}</li>"
        for e in own
        if e.claim.first_look
    )
    return _fold("Changed after a first look", f"<ul>{changed}</ul>") if changed else ""


def with_offers(
    body: str,
    chapter: Chapter,
    book: Mapping[str, Any],
    site: str,
    notebook: str,
    more: str = "",
) -> str:
    """A page's HTML with how to cite and to run the chapter, folded, below its title.

    Args:
        book: as `citing.about_book` has it.
        site: address of the published book, or empty.
        notebook: address of the executed notebook.
        more: HTML to stand behind these two.
    """
    bibtex = citing.of_chapter(chapter.address, glue.title(chapter), book, site)
    file = f"{chapter.part.name}-{chapter.name}.ipynb"
    run = f"featurebook run {chapter.address} -o again.ipynb"
    offers = _fold("Cite this chapter", _code("bibtex", bibtex)) + _fold(
        "Run this chapter",
        f"<p>In a clone of the book, after <code>make book</code>:</p>{_code('bash', run)}"
        f'<p>Or take <a href="{escape(notebook)}" download="{file}">the executed notebook</a>'
        f" (.ipynb). <code>featurebook show {chapter.address}</code> lists its parameters.</p>",
    )
    top = re.compile(rf'<div class="{TOP}[^>]*>(?:(?!</div>).)*', re.DOTALL)
    return top.sub(lambda match: match[0] + offers + more, body, count=1)


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

    return BLOCK.sub(offer, body)


def _fold(summary: str, inside: str) -> str:
    return f'<details class="offer"><summary>{summary}</summary>{inside}</details>\n'


def _code(language: str, text: str) -> str:
    """Code as Sphinx writes it, so that it gets a button to copy it."""
    inside = escape(text.strip(), quote=False)
    return (
        f'<div class="highlight-{language} notranslate"><div class="highlight">'
        f"<pre>{inside}\n</pre></div></div>"
    )
