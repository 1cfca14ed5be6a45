"""Show what a sibling chapter computed, with a link, without computing it again.

``verdict`` shows a claim of another chapter in a line that opens, ``sibling-figure`` a figure, and
the role ``measured`` a number of a verdict::

    ```{verdict} cone_sets-theorem-1
    Optional: what was found, in a sentence.
    ```

    ```{sibling-figure} cone_sets-fig-gap
    Optional caption.
    ```

    {measured}`cone_sets-theorem-1 mean .3g`
"""

import base64
from functools import lru_cache
from html import escape
from pathlib import Path
from posixpath import dirname, relpath
from typing import Any

import nbformat
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective, SphinxRole

from featurebook.press.book.files import write_atomically
from featurebook.press.book.places import Chapter, papers
from featurebook.press.claims import statements
from featurebook.press.claims.found import UnknownError, number
from featurebook.press.claims.statements import Claim
from featurebook.press.run import drawn
from featurebook.press.site import folds, glossary, verdict_boxes
from featurebook.verdicts import MIME, slug

PICTURES = {"image/svg+xml": "svg", "image/png": "png"}
FOLDER = Path("book") / "_generated" / "siblings"
"""Where siblings' pictures are kept while the site is built."""


# What the chapters have


def find_claim(root: Path, name: str) -> tuple[Claim, Chapter]:
    """A claim and its chapter.

    Raises:
        UnknownError: if there is none, or no chapter states it.
    """
    for part in papers(root):
        for claim in statements.read(part.claims).claims:
            if claim.id == name:
                home = statements.homes(part).get(name)
                if home is None:
                    raise UnknownError(f"no chapter of {part.name} states the claim {name!r}")
                return claim, home
    raise UnknownError(f"no claim {name!r} in book/claims")


def find_verdict(chapter: Chapter, name: str) -> dict[str, Any] | None:
    """A claim's verdict in an executed chapter; None if it has none.

    Raises:
        UnknownError: if the chapter is not executed.
    """
    for cell in _cells(chapter):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if MIME in data and data[MIME]["claim"] == name:
                return dict(data[MIME])
    return None


def find_figure(root: Path, name: str) -> tuple[Chapter, dict[str, Any], str, str]:
    """A figure by name: its chapter, how its cell describes it, its kind, and the picture.

    Raises:
        UnknownError: if no chapter has such a figure, or it is not executed.
    """
    for part in papers(root):
        for chapter in part.chapters if name.startswith(f"{part.name}-") else []:
            if not chapter.executed.is_file():
                continue
            for cell in _cells(chapter):
                style = cell.metadata.get("mystnb", {})
                if style.get("figure", {}).get("name") == name:
                    for output in cell.get("outputs", []):
                        for mime, kind in PICTURES.items():
                            if mime in output.get("data", {}):
                                return chapter, style, kind, output["data"][mime]
    raise UnknownError(f"no executed chapter has a figure {name!r}")


def _cells(chapter: Chapter) -> list[nbformat.NotebookNode]:
    if not chapter.executed.is_file():
        raise UnknownError(f"{chapter.address} is not executed")
    drawn_at = drawn.path(chapter).stat().st_mtime_ns if drawn.path(chapter).is_file() else 0
    return _read(chapter, chapter.executed.stat().st_mtime_ns, drawn_at)


@lru_cache(maxsize=64)
def _read(chapter: Chapter, executed_at: int, drawn_at: int) -> list[nbformat.NotebookNode]:
    return list(drawn.shown(chapter).cells)


# What pages write


class _Directive(SphinxDirective):
    required_arguments = 1
    has_content = True

    @property
    def root(self) -> Path:
        return Path(self.env.srcdir)

    def run(self) -> list[nodes.Node]:
        try:
            return self.shown(self.arguments[0])
        except UnknownError as error:
            message = self.state.document.reporter.warning(str(error), line=self.lineno)
            return [message]

    def shown(self, name: str) -> list[nodes.Node]:
        """The nodes that replace the directive."""
        raise NotImplementedError

    def depends_on(self, chapter: Chapter) -> None:
        """Let this page be rebuilt when the chapter is."""
        for file in (chapter.executed, chapter.notebook, chapter.part.claims):
            self.env.note_dependency(str(file))

    def parsed(self, text: str) -> list[nodes.Node]:
        """MyST as nodes."""
        inside = nodes.Element()
        inside.document = self.state.document
        self.state.nested_parse(StringList(text.splitlines(), self.name), 0, inside)
        return inside.children

    def address(self, chapter: Chapter) -> str:
        """A sibling's page, from this one."""
        folder = self.env.docname.rpartition("/")[0]
        return f"{relpath(f'notebooks/{chapter.address}', folder or '.')}.html"


class VerdictOf(_Directive):
    """A claim from another chapter: its number, text, verdict, and a link."""

    def shown(self, name: str) -> list[nodes.Node]:
        claim, home = find_claim(self.root, name)
        self.depends_on(home)
        (heading,) = self.parsed(f"{{prf:ref}}`{name}`")[:1]
        heading["classes"].append("admonition-title")
        text = nodes.container("", *self.parsed(claim.statement), classes=["statement-text"])
        found = find_verdict(home, name)
        fold = folds.Fold("", folds.Line("", heading), text, classes=["fold"])
        box = nodes.container("", fold, classes=["proof", "glued"])
        if found is None and claim.expected is not None:
            raise UnknownError(f"{home.address} shows no verdict of {name}")
        if found is not None:
            box["classes"].append(f"verdict-{slug(found['outcome'])}")
            said = self.parsed("\n".join(self.content))
            heading += verdict_boxes.in_a_line(claim, found, said)
            why = glossary.meaning(found["reason"], self.env.docname)
            fold += verdict_boxes.box(claim, found, home=self.address(home), meaning=why)
        where = f'<a href="{self.address(home)}#{name}">{escape(home.title)}</a>'
        where += f" · {own_page(self.env.docname, name)}"
        onward = f'<p class="onward">Statement and check: {where}</p>'
        fold += folds.html(onward)
        return [box]


def own_page(here: str, claim: str) -> str:
    """A link to a claim's page, as HTML, since that is no page of Sphinx and not in the PDF."""
    return f'<a href="{relpath(f"claims/{claim}.html", dirname(here) or ".")}">its page</a>'


class SiblingFigure(_Directive):
    """A figure of another chapter, with its caption or the one given."""

    option_spec = {"alt": directives.unchanged}  # noqa: RUF012

    def shown(self, name: str) -> list[nodes.Node]:
        chapter, style, kind, picture = find_figure(self.root, name)
        self.depends_on(chapter)
        file = self.root / FOLDER / f"{name}.{kind}"
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, _bytes(kind, picture))
        said = "\n".join(self.content).strip() or style["figure"].get("caption", "")
        alt = self.options.get("alt") or style.get("image", {}).get("alt", "")
        image = nodes.image(uri=f"/{(FOLDER / file.name).as_posix()}", alt=alt)
        words = folds.Words("", *self.parsed(f"{said} ({{numref}}`{name}`)"))
        return [folds.Picture("", image, words, classes=["glued"], figure=name)]


def _bytes(kind: str, picture: str) -> bytes:
    if kind == "svg":
        return picture.encode("utf-8")
    return base64.b64decode(picture)


class Measured(SphinxRole):
    """A number from a verdict: ``CLAIM NAME FORMAT``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The number as text."""
        name, _, what = self.text.partition(" ")
        try:
            _, home = find_claim(Path(self.env.srcdir), name)
            for file in (home.executed, home.notebook):
                self.env.note_dependency(str(file))
            found = find_verdict(home, name)
            if found is None:
                raise UnknownError(f"{home.address} shows no verdict of {name}")
            return [nodes.inline("", number(what, found), classes=["measured"])], []
        except UnknownError as error:
            message = self.inliner.reporter.warning(str(error), line=self.lineno)
            return [], [message]
