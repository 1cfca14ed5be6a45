"""A Sphinx extension: theorems bear the numbers that their papers print.

sphinx-proof counts directives through the book; a reader who has the paper open wants "Theorem 2"
to be the paper's Theorem 2. So headings of claims, and references to them, show the ``number`` of
the claims file.
"""

import re
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from featurebook.press import claims
from featurebook.press.layout import chapters

COUNTED = (
    r"(?:Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Remark|Observation"
    r"|Conjecture|Example) [\d.]+"
)
"""What sphinx-proof writes for a reference, with its own number."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("html-page-context", _renumber)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _renumber(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    if "body" in context:
        context["body"] = renumbered(context["body"], numbers(Path(app.srcdir)))


def numbers(root: Path) -> dict[str, str]:
    """The printed number of every claim of the book, by id."""
    files = [claims.read(c.claims) for c in chapters(root) if c.claims.is_file()]
    return {claim.id: claim.number for file in files for claim in file.claims}


def renumbered(body: str, known: dict[str, str]) -> str:
    """A page's HTML with the book's own numbers of claims replaced by the papers'."""

    def heading(match: re.Match[str]) -> str:
        number = known.get(match["id"])
        return f"{match['start']}{escape(number)} {match['end']}" if number else match[0]

    def reference(match: re.Match[str]) -> str:
        number = known.get(match["id"])
        return f"{match['start']}{escape(number)}{match['end']}" if number else match[0]

    body = re.sub(
        r'(?P<start><div class="proof [^"]*" id="(?P<id>[^"]+)">\s*<p class="admonition-title">'
        r'<span class="caption-number">)[^<]*(?P<end></span>)',
        heading,
        body,
    )
    return re.sub(
        rf'(?P<start><a class="reference internal" href="[^"]*#(?P<id>[^"]+)">){COUNTED}'
        r"(?P<end></a>)",
        reference,
        body,
    )
