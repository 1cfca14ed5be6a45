"""Boxes folded to one line: a claim's name, its mark, and what was found."""

from collections.abc import Iterator
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform


class Fold(nodes.General, nodes.Element):
    """A box that opens."""


class Line(nodes.General, nodes.Element):
    """The visible line of a fold."""


class Picture(nodes.General, nodes.Element):
    """A figure of another page: its number is there, not here."""


class Words(nodes.General, nodes.Element):
    """Its caption."""


class WithoutLinks(SphinxPostTransform):
    """The line that opens a box contains no links: it is a single click target."""

    default_priority = 215  # after references are resolved and boxes folded
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Replace a link in such a line by its text."""
        for line in self.document.findall(Line):
            for link in list(line.findall(nodes.reference)):
                link.replace_self(nodes.inline("", "", *link.children, classes=["claim-number"]))


def add(app: Sphinx, node: type[nodes.Element], tag: str) -> None:
    """Tell Sphinx that a node is an HTML element; TeX sets what is inside."""

    def visit(self: Any, node: nodes.Element) -> None:
        self.body.append(self.starttag(node, tag))

    def depart(self: Any, node: nodes.Element) -> None:
        self.body.append(f"</{tag}>\n")

    app.add_node(node, html=(visit, depart), latex=(_nothing, _nothing))


def _nothing(self: Any, node: nodes.Node) -> None:
    pass


def ancestors(node: nodes.Node) -> Iterator[nodes.Element]:
    """The ancestors of a node, innermost first."""
    while (node := node.parent) is not None:
        yield node


def is_heading(node: nodes.Node) -> bool:
    """Whether a node is the title of a section."""
    return isinstance(node, nodes.title) and isinstance(node.parent, nodes.section)


def html(text: str, own: str = "") -> nodes.raw:
    """HTML as a node, and its replacement on the claim's own page."""
    return nodes.raw("", text, format="html", own=own)


def offer(summary: str, inside: str, kind: str = "") -> str:
    """HTML in a fold, such as how to cite."""
    classes = f"offer {kind}".strip()
    return f'<details class="{classes}"><summary>{summary}</summary>{inside}</details>\n'


def code(language: str, text: str) -> str:
    """Code as Sphinx writes it, so that it gets a button to copy it."""
    inside = escape(text.strip(), quote=False)
    return (
        f'<div class="highlight-{language} notranslate"><div class="highlight">'
        f"<pre>{inside}\n</pre></div></div>"
    )
