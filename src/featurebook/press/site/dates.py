"""A work of unknown date is cited by its authors alone.

sphinxcontrib-bibtex writes "Doe and Roe [n.d.]", with the link on "n.d.".
"""

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

UNKNOWN = "n.d."


class Undated(SphinxPostTransform):
    """Remove missing dates from citations."""

    default_priority = 50  # after references are resolved

    def run(self, **_: Any) -> None:
        """Remove "n.d." from every citation."""
        for link in list(self.document.findall(nodes.reference)):
            if link.astext() == UNKNOWN:
                link.parent.children = _bare(link)
            elif link.astext().endswith(f", {UNKNOWN}"):
                said = link.astext().removesuffix(f", {UNKNOWN}")
                link.children = [nodes.inline("", said)]


def _bare(link: nodes.reference) -> list[nodes.Node]:
    """Move a link from a missing date to the authors before it."""
    around = list(link.parent.children)
    at = around.index(link)
    before = "".join(n.astext() for n in around[:at]).removesuffix("[").strip()
    after = "".join(n.astext() for n in around[at + 1 :]).removeprefix("]")
    link.children = [nodes.inline("", before)]
    return [link, *([nodes.Text(after)] if after else [])]
