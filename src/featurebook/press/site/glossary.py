"""The glossary's terms: in a chapter, the first use of each links to its definition."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import dirname, relpath
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from featurebook.press.site import folds, source
from featurebook.verdicts import MEANING, OUTCOMES

PAGE = "book/glossary"
VERBATIM = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw)
BESIDE = (nodes.reference, nodes.caption, nodes.legend, nodes.table, folds.Fold, folds.Words)
SKIPPED = (*VERBATIM, *BESIDE)
"""Nodes in which words do not become links, nor do they in section titles."""
DROPDOWN = "dropdown_main"
"""The same for the dropdowns of sphinx-design."""


@dataclass(frozen=True)
class Term:
    """A word of the glossary, and its anchor there."""

    word: str
    anchor: str


def read(text: str) -> dict[str, list[Term]]:
    """The words of every labelled section of the glossary, by part.

    A section is labelled ``(glossary-STEM)=``; words stand at the beginning of a line of a fenced
    ``glossary``, several before one meaning, which is indented.
    """
    return {stem: _terms(section) for stem, section in source.labelled(text, "glossary").items()}


def _terms(section: str) -> list[Term]:
    listed = section.partition("```{glossary}\n")[2].partition("\n```")[0]
    words = [x for x in listed.splitlines() if x and not x.startswith(" ")]
    return [Term(word, anchor(word)) for word in words]


def anchor(word: str) -> str:
    """The anchor that Sphinx gives a word of a glossary."""
    return "term-" + re.sub(r"[^A-Za-z0-9._]+", "-", word).strip("-")


def words_of_verdicts() -> str:
    """Outcomes, reasons and certificates with what they mean, as a MyST glossary."""
    entries = [f"{word}\n  {_sentence(meaning)}\n" for word, meaning in MEANING.items()]
    return "\n".join(["```{glossary}", *entries, "```\n"])


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


class Terms(SphinxPostTransform):
    """Turn the first use of each word into a link."""

    default_priority = 216  # after boxes are folded
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Make the links of a chapter."""
        part = chapter_of(self.env.docname)
        waiting = {t.word: t.anchor for t in _of_book(Path(self.app.srcdir)).get(part, ())}
        page = self.app.builder.get_relative_uri(self.env.docname, PAGE)
        for text in list(self.document.findall(nodes.Text)) if waiting else ():
            if not any(map(_is_skipped, folds.ancestors(text))):
                text.parent.replace(text, linked(str(text), waiting, page))


def chapter_of(docname: str) -> str:
    """The part of a chapter's page; empty for another page."""
    folder, _, address = docname.partition("/")
    return address.partition("/")[0] if folder == "notebooks" else ""


@cache
def _of_book(root: Path) -> dict[str, list[Term]]:
    return read(source.whole(root, PAGE))


def _is_skipped(node: nodes.Element) -> bool:
    return folds.is_heading(node) or isinstance(node, SKIPPED) or node.tagname == DROPDOWN


def linked(text: str, waiting: dict[str, str], page: str) -> list[nodes.Node]:
    """A text with the first use of each word as a link to ``page``.

    Args:
        waiting: the anchors of the words that were not used yet; those that are linked go.
    """
    found: list[nodes.Node] = []
    end = 0
    while match := _first(waiting, text, end):
        place = waiting[match[0]]
        for other in [w for w, a in waiting.items() if _same(a, place)]:
            del waiting[other]
        to = f"{page}#{place}"
        link = nodes.reference("", match[0], refuri=to, internal=True, classes=["term"])
        found += [nodes.Text(text[end : match.start()]), link]
        end = match.end()
    return [*found, nodes.Text(text[end:])]


def _first(words: Iterable[str], text: str, start: int) -> re.Match[str] | None:
    names = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{names})(?![\w-])").search(text, start) if names else None


def _same(one: str, other: str) -> bool:
    """Whether two anchors belong to a word and its plural."""
    return one.removesuffix("s") == other.removesuffix("s")


def meaning(reason: str, here: str) -> str:
    """Where a verdict's reason is explained, relative to the current page; empty if nowhere."""
    if reason not in MEANING or reason in OUTCOMES:
        return ""
    page = relpath(f"{PAGE}.html", dirname(here) or ".")  # a PDF has no addresses
    return f"{page}#{anchor(reason)}"
