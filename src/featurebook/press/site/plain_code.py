"""A Sphinx extension: no marks in code on names, punctuation and blanks.

They have the colour that code has anyway, and would make up a third of a chapter's page.
"""

from typing import Any

from pygments.formatters import HtmlFormatter
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

PLAIN = ("n", "p", "w")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    PygmentsBridge.html_formatter = Unmarked
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Unmarked(HtmlFormatter):
    """Pygments' own, without classes that change nothing."""

    def _get_css_classes(self, ttype: Any) -> str:
        found = str(super()._get_css_classes(ttype))
        return "" if found in PLAIN else found
