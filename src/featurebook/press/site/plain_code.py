"""No marks in code on names, punctuation and blanks.

They have the colour that code has anyway, and would make up a third of a chapter's page.
"""

from typing import Any

from pygments.formatters import HtmlFormatter

PLAIN = ("n", "p", "w")


class Unmarked(HtmlFormatter):
    """Pygments' own, without classes that change nothing."""

    def _get_css_classes(self, ttype: Any) -> str:
        found = str(super()._get_css_classes(ttype))
        return "" if found in PLAIN else found
