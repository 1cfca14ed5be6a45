"""The notation page's symbols: in a chapter, the first use of each links to its row there."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from featurebook.press.book.places import papers
from featurebook.press.claims.formulas import plain
from featurebook.press.site import folds, glossary, source

PAGE = "book/notation"
COMMON = "common"
SKIPPED = (nodes.reference, nodes.caption, nodes.legend, folds.Words, folds.Line)
"""Nodes in which symbols do not become links, nor do they in section titles."""


@dataclass(frozen=True)
class Symbol:
    """A symbol of the notation page: its TeX, its meaning, and its anchor there."""

    tex: str
    meaning: str
    anchor: str


def read(notation: str) -> dict[str, list[Symbol]]:
    """The symbols of every labelled section of the notation page, by part.

    A section is labelled ``(notation-STEM)=``; each row of its first table has symbols in the first
    column and what they mean in the last.
    """
    return {stem: _symbols(stem, x) for stem, x in source.labelled(notation, "notation").items()}


def names_of_parts(root: Path) -> dict[str, str]:
    """A short name for each part: the heading of its section, where it has one."""
    text = source.whole(root, PAGE)
    called = dict(re.findall(r"^\(notation-(\w+)\)=\n## (.+)$", text, flags=re.MULTILINE))
    return {part.name: called.get(part.name, part.name) for part in papers(root)}


def _symbols(stem: str, section: str) -> list[Symbol]:
    table = section.partition("\n| ")[2].partition("\n\n")[0]
    found: list[Symbol] = []
    for row in table.splitlines():
        columns = [c.strip() for c in row.strip("| ").split(" | ")]
        for tex in re.findall(r"\$([^$]+)\$", columns[0]):
            found.append(
                Symbol(tex, plain(columns[-1]), f"symbol-{stem}-{len(found) + 1}".replace("_", "-"))
            )
    return found


def of_part(known: dict[str, list[Symbol]], name: str) -> list[Symbol]:
    """A part's own symbols, and the common ones to which it gives no other meaning."""
    own = known.get(name, [])
    taken = {_bare(s.tex) for s in own}
    return [*own, *(s for s in known.get(COMMON, []) if _bare(s.tex) not in taken)] if own else []


class Symbols(SphinxPostTransform):
    """Turn the first use of each symbol into a link, and give the notation page the anchors."""

    default_priority = 217  # after boxes are folded
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Make the links of a chapter, or the anchors of the notation page."""
        known, here = _of_book(Path(self.app.srcdir)), self.env.docname
        if here == PAGE:
            anchored(self.document, known)
        own = of_part(known, glossary.chapter_of(here))
        linked(self.document, own, self.app.builder.get_relative_uri(here, PAGE))


@cache
def _of_book(root: Path) -> dict[str, list[Symbol]]:
    return read(source.whole(root, PAGE))


def linked(document: nodes.Element, symbols: Sequence[Symbol], page: str) -> None:
    """Make the first use of each symbol in a document a link to ``page``."""
    for math, symbol in _first_uses(document, symbols):
        to, title = f"{page}#{symbol.anchor}", f"{symbol.meaning} (notation)"
        around = nodes.reference("", "", refuri=to, reftitle=title, internal=True)
        around["classes"].append("symbol")
        math.replace_self(around)
        around += math


def anchored(document: nodes.Element, known: dict[str, list[Symbol]]) -> None:
    """Give the notation page an anchor at each symbol of each section."""
    for section in list(document.findall(nodes.section)):
        for name in section["ids"]:
            own = known.get(name.removeprefix("notation-").replace("-", "_"), ())
            for math, symbol in _first_uses(section, own):
                around = nodes.inline(ids=[symbol.anchor])
                math.replace_self(around)
                around += math


def _first_uses(
    tree: nodes.Element, symbols: Sequence[Symbol]
) -> Iterable[tuple[nodes.math, Symbol]]:
    waiting = {_bare(s.tex): s for s in symbols}
    for math in list(tree.findall(nodes.math)):
        above = folds.ancestors(math)
        if any(isinstance(x, SKIPPED) or folds.is_heading(x) for x in above):
            continue
        if symbol := waiting.pop(_bare(math.astext()), None):
            yield math, symbol


def _bare(tex: str) -> str:
    """TeX without what is invisible: spaces, and braces around one letter."""
    return re.sub(r"\{(\w)\}", r"\1", re.sub(r"\s+", "", tex))
