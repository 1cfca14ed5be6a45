"""Readable column headings for tables."""

import re
from collections.abc import Mapping
from functools import cache
from html.entities import codepoint2name
from importlib import import_module
from importlib.util import find_spec

WORDS = {
    "high": "interval to",
    "low": "interval from",
    "max": "largest",
    "min": "smallest",
    "off": "off by",
    "stderr": "standard error",
    "z": "z-score",
}
"""Replacements for whole headings and labels; ``_`` and ``^`` as in `with_symbols`."""

SHORT = {r", cos$": ", cosine", r" w/o ": " without ", r"&lt;=": "≤", r"&gt;=": "≥"}
"""Patterns of abbreviations and signs, and their replacements."""

GREEK = {codepoint2name[ord(letter)]: letter for letter in "αβγδεηθκλμνρστ"}
SPELLED = re.compile(rf"(?<!\w)({'|'.join(GREEK)})(?=[_\d]|\b)")
INDEX = re.compile(r"(?<!\w)((?:[^\W\d_]'?|max|min))_(\w+)")
DIGIT = re.compile(r"(?<![\w.])([a-zα-ω])(\d)(?!\w)")
RAISED = re.compile(r"\^(\([^)<]*\)|-?[\w.∞]*[\w∞](?:<sub>[^<]*</sub>)?)")
EQUALS = re.compile(r"(?<=\w)=(?=[\w.-])")


@cache
def of_page(page: str) -> Mapping[str, str]:
    """Replacements for headings and labels in a page's tables: the common ones and the paper's."""
    folder, _, address = page.partition("/")
    paper = f"featurebook.papers.{address.partition('/')[0]}"
    if folder != "notebooks" or find_spec(paper) is None:
        return WORDS
    return WORDS | getattr(import_module(paper), "HEADINGS", {})


def readable(head: str, words: Mapping[str, str]) -> str:
    """HTML of a heading or row label, from its escaped text."""
    text = words.get(head, head)
    for code, word in SHORT.items():
        text = re.sub(code, word, text)
    text = EQUALS.sub(" = ", SPELLED.sub(_greek, text))
    return with_symbols(text.replace(" = ", "\u00a0=\u00a0"))


def with_symbols(text: str) -> str:
    """A text with ``C_z``, ``c1`` and ``2^k`` set as subscripts and powers."""
    return RAISED.sub(_raised, INDEX.sub(r"\1<sub>\2</sub>", DIGIT.sub(r"\1_\2", text)))


def _greek(match: re.Match[str]) -> str:
    return GREEK[match[1]]


def _raised(match: re.Match[str]) -> str:
    return f"<sup>{match[1].replace('-', '−')}</sup>"
