"""The lines below a chapter's title.

Where the chapter belongs, how long it takes to read and what one should know; on the site also how
to cite and to run it. All of it follows from the notebooks, ``book/claims/PART.yaml`` and
``CITATION.cff``.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

from featurebook.press.book.places import Chapter, chapters
from featurebook.press.claims import citing, grades
from featurebook.press.claims.formulas import as_html
from featurebook.press.claims.judgements import Entry
from featurebook.press.run import pictures
from featurebook.press.site import background, folds, landing, publish, reviews

TOP = "about-chapter"
"""The CSS class of the lines below a title."""


def of_page(root: Path, page: str) -> Chapter | None:
    """The chapter of a paper's part that a page shows, if it does."""
    found = (c for c in chapters(root) if page == f"notebooks/{c.address}")
    return next((c for c in found if c.part.claims.is_file()), None)


class Tops(SphinxTransform):
    """Below a chapter's title: its place in the book, the time it takes, what it needs."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Insert it, on the site and on paper."""
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
            said = f"Computed without {pictures.kinds(lacking)}: {pictures.STAND_IN}."
            top += nodes.paragraph("", "", nodes.strong("", said))
        title.parent.insert(title.parent.index(title) + 1, top)

    def _experiments(self, chapter: Chapter) -> list[nodes.Node]:
        """On a story, the grades of its part's figures and tables, and the page that shows them."""
        page = f"beside/{chapter.part.name}"
        if chapter != chapter.part.chapters[0] or page not in self.env.found_docs:
            return []
        found = list(grades.of_part(chapter.part).values())
        link = self._link("Figures and tables, paper beside ours", f"/{page}")
        return [
            nodes.paragraph("", "", link, nodes.Text(f": {', '.join(grades.in_words(found))}."))
        ]

    def _needed(self, chapter: Chapter) -> list[nodes.Node]:
        words = list(background.of_part(chapter.part).needed(chapter))
        story = chapter.part.chapters[0]
        if chapter == story:
            return [nodes.Text(citing.listed(words))] if words else []
        link = self._link("the story of this part", f"/notebooks/{story.address}")
        before = ", " if len(words) > 1 else " and "
        return [link, *([nodes.Text(before + citing.listed(words))] if words else [])]

    def _link(self, words: str, page: str) -> addnodes.pending_xref:
        return addnodes.pending_xref(
            "",
            nodes.inline("", words),
            refdomain="std",
            reftype="doc",
            reftarget=page,
            refexplicit=True,
            refwarn=True,
            refdoc=self.env.docname,
        )


def place_of(chapter: Chapter) -> str:
    """Which part and which of its chapters this is, and how long it takes to read."""
    own = chapter.part.chapters
    k = own.index(chapter)
    more = "1 more chapter" if len(own) == 2 else f"{len(own) - 1} more chapters"
    which = f"chapter {k + 1} of {len(own)}" if k else f"its story, and {more}"
    time = landing.minutes(chapter)
    lasts = "1 minute" if time == 1 else f"{time} minutes"
    return f"Part {landing.number(chapter.part)}, {which} · {lasts} to read"


class Offers(SphinxPostTransform):
    """On the site: how to cite and to run the chapter, and what it changed."""

    default_priority = 220
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Add it below what `Tops` made."""
        root = Path(self.app.srcdir)
        chapter = of_page(root, self.env.docname)
        if chapter is None:
            return
        own = [e for e in reviews.entries(root) if e.chapter == chapter.address]
        up = "../" * self.env.docname.count("/")
        offered = folds.html(offers(chapter, up) + first_looks(own))
        for top in self.document.findall(nodes.container):
            if TOP in top["classes"]:
                top += offered


def first_looks(own: Sequence[Entry]) -> str:
    """What a chapter changed after a first look at the numbers, in one fold; empty if nothing."""
    changed = "".join(
        f'<li><a href="#{escape(e.claim.id)}">{escape(e.claim.number)}</a>: '
        f"{as_html(e.claim.first_look)}</li>"
        for e in own
        if e.claim.first_look
    )
    return folds.offer("Changed after a first look", f"<ul>{changed}</ul>") if changed else ""


def offers(chapter: Chapter, up: str) -> str:
    """How to cite and to run a chapter, folded.

    Args:
        up: the way from the page to the site's root.
    """
    home, book = publish.home(), citing.about_book(chapter.root)
    site = home.site if home else ""
    bibtex = citing.of_chapter(chapter.address, chapter.title, book, site)
    notebook = f"{up}_sources/notebooks/{chapter.address}.ipynb"
    file = f"{chapter.part.name}-{chapter.name}.ipynb"
    run = f"featurebook run {chapter.address} -o again.ipynb"
    return folds.offer("Cite this chapter", folds.code("bibtex", bibtex)) + folds.offer(
        "Run this chapter",
        f"<p>In a clone of the book, after <code>make book</code>:</p>{folds.code('bash', run)}"
        f'<p>Or download <a href="{escape(notebook)}" download="{file}">the executed notebook</a>'
        f" (.ipynb). <code>featurebook show {chapter.address}</code> lists its parameters.</p>",
    )
