"""No markup in code for names, punctuation and blanks.

They have the default colour of code, and their markup would be a third of a chapter's page.
"""

from typing import Any

from pygments.formatters import HtmlFormatter

PLAIN = ("n", "p", "w")


class Unmarked(HtmlFormatter):
    """Pygments' own formatter, without classes that change nothing."""

    def _get_css_classes(self, ttype: Any) -> str:
        found = str(super()._get_css_classes(ttype))
        return "" if found in PLAIN else found
