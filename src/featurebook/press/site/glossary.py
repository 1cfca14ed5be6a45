"""The glossary's words: the first use of each in a chapter of its part leads to its meaning."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from featurebook.verdicts import MEANING, OUTCOMES

TOKEN = re.compile(
    r'<(?P<closed>span|div|mjx-container) class="math.*?</(?P=closed)>'
    r"|<(?P<end>/?)(?P<tag>[a-zA-Z][\w-]*)[^>]*>|(?P<text>[^<]+)",
    re.DOTALL,
)
SKIPPED = (
    "a", "h1", "h2", "h3", "h4", "figcaption", "nav", "pre", "code", "script", "style", "svg",
    "summary", "button", "label", "table", "details",
)  # fmt: skip
"""Inside of these a word is not made a link."""
REASON = re.compile(r"<summary.*?</summary>|(?<=\()(?P<reason>[a-z ]+)(?=\)</strong>)", re.DOTALL)
"""A verdict's reason, outside of lines that open, which are links to nowhere else."""


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
    parts = re.split(r"^\(glossary-(\w+)\)=$", text, flags=re.MULTILINE)[1:]
    return {stem: _terms(section) for stem, section in zip(parts[::2], parts[1::2], strict=True)}


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


def linked(body: str, terms: Sequence[Term], page: str) -> str:
    """A chapter's HTML with the first use of each word as a link to ``page``."""
    waiting = {t.word: t.anchor for t in terms}
    depth = 0

    def link(match: re.Match[str]) -> str:
        word = match[0]
        if word not in waiting:
            return word
        place = waiting.pop(word)
        for other in [w for w, a in waiting.items() if _same(a, place)]:
            del waiting[other]
        return f'<a class="term" href="{page}#{place}">{word}</a>'

    def visit(token: re.Match[str]) -> str:
        nonlocal depth
        if token["tag"] in SKIPPED:
            depth += -1 if token["end"] else 1
        if token["text"] and not depth and waiting:
            names = "|".join(sorted(map(re.escape, waiting), key=len, reverse=True))
            return re.sub(rf"(?<![\w-])(?:{names})(?![\w-])", link, token[0])
        return token[0]

    return TOKEN.sub(visit, body)


def _same(one: str, other: str) -> bool:
    """Whether two anchors are of a word and its plural."""
    return one.removesuffix("s") == other.removesuffix("s")


def with_reasons(body: str, page: str) -> str:
    """A page's HTML whose verdicts lead from their reason to what it means."""
    known = set(MEANING) - set(OUTCOMES)

    def link(match: re.Match[str]) -> str:
        reason = match["reason"]
        if reason not in known:
            return match[0]
        return f'<a class="term" href="{page}#{anchor(reason)}">{escape(reason)}</a>'

    return REASON.sub(link, body)
