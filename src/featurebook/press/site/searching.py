"""Make the search index contain the words that readers see and type."""

import re
from typing import Any

from docutils import nodes
from sphinx.search.en import SearchEnglish
from sphinx.transforms.post_transforms import SphinxPostTransform

CELL = re.compile(r"(</(?:td|th|li|caption|summary)>|<br ?/?>)(?=\S)")
DOUBLED = re.compile(r"([chjkqvwx])\1$")


class English(SearchEnglish):
    """English with the stems that the search script uses.

    Sphinx's stemmer in Python leaves "grokk" of "grokking", the one in JavaScript "grok".
    """

    def stem(self, word: str) -> str:
        """A word's stem."""
        found = super().stem(word)
        return DOUBLED.sub(r"\1", found) if len(found) < len(word) else found


class CellsApart(SphinxPostTransform):
    """Insert a space after each table cell, since Sphinx indexes HTML without its tags."""

    default_priority = 220  # after all HTML is in its place
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Write it into the page's raw HTML, where it is invisible."""
        for raw in self.document.findall(nodes.raw):
            if "html" in raw.get("format", "").split():
                for text in raw.findall(nodes.Text):
                    text.parent.replace(text, nodes.Text(CELL.sub(r"\1 ", str(text))))
                raw.rawsource = CELL.sub(r"\1 ", raw.rawsource)
