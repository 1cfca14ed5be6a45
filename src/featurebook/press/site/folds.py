"""Boxes of which a reader sees a line: what a claim is called, its mark, and what was found."""

from collections.abc import Sequence
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform


class Fold(nodes.General, nodes.Element):
    """A box that opens."""


class Line(nodes.General, nodes.Element):
    """The line of a fold."""


class WithoutLinks(SphinxPostTransform):
    """What opens a box leads nowhere else: a line is one thing to press. Links are inside."""

    default_priority = 215  # after references are resolved and boxes folded
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Leave of a link in a line its words."""
        for line in self.document.findall(Line):
            for link in list(line.findall(nodes.reference)):
                link.replace_self(nodes.inline("", "", *link.children, classes=["claim-number"]))


def add(app: Sphinx, node: type[nodes.Element], tag: str) -> None:
    """Tell Sphinx that a node is an HTML element; TeX sets what is inside."""

    def visit(self: Any, node: nodes.Node) -> None:
        self.body.append(f"<{tag}>\n")

    def depart(self: Any, node: nodes.Node) -> None:
        self.body.append(f"</{tag.partition(' ')[0]}>\n")

    app.add_node(node, html=(visit, depart), latex=(_nothing, _nothing))


def _nothing(self: Any, node: nodes.Node) -> None:
    pass


def in_a_line(mark: str, found: str, said: Sequence[nodes.Node] = ()) -> nodes.inline:
    """A verdict's mark, and what was found.

    Args:
        mark, found: as `featurebook.press.claims.found.in_a_line` has them.
        said: paragraphs whose content stands there in place of what was found.
    """
    words = [child for block in said for child in block.children]
    return nodes.inline(
        "",
        "",
        nodes.Text(" "),
        nodes.raw("", f"{mark} ", format="html"),
        *(words or [nodes.raw("", found, format="html")]),
        classes=["found"],
    )


def folded(heading: nodes.Element, mark: str, found: str, inside: Sequence[nodes.Node]) -> Fold:
    """A box with a verdict as a line that opens."""
    heading += in_a_line(mark, found)
    return Fold("", Line("", heading), *inside)
