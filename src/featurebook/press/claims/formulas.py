"""The text of claims, with formulas, in each format that shows it.

A claim's text is plain sentences with formulas between dollar signs and code between backticks;
nothing else in it means markup, except for references such as ``{prf:ref}`id```.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar

from featurebook.press.claims.in_unicode import unicode

PIECE = re.compile(
    r"(?<!\\)\$(?P<tex>[^$]+?)(?<!\\)\$|`(?P<code>[^`]+)`|\{(?P<role>[\w:]+)\}`(?P<said>[^`]+)`"
)
T = TypeVar("T")
MATH = r'<span class="math notranslate nohighlight">\({}\)</span>'
"""What MathJax sets."""


def plain(text: str) -> str:
    """Text without any markup, for tooltips, CSV, JSON and BibTeX: its formulas as Unicode."""

    def bare(piece: re.Match[str]) -> str:
        return unicode(piece["tex"]) if piece["tex"] else piece["code"] or piece["said"]

    return PIECE.sub(bare, text)


def for_mathjax(tex: str) -> str:
    """A formula as HTML for a page that has MathJax."""
    return MATH.format(html.escape(tex))


def as_html(
    text: str,
    links: Mapping[str, str] = MappingProxyType({}),
    math: Callable[[str], str] = for_mathjax,
) -> str:
    """Text as HTML; ``links`` has the HTML of references, ``math`` makes that of formulas."""

    def shown(piece: re.Match[str]) -> str:
        if piece["tex"]:
            return math(piece["tex"])
        if piece["code"]:
            return f"<code>{html.escape(piece['code'])}</code>"
        return links.get(piece["said"], piece["said"])

    return "".join(divided(PIECE, text, html.escape, shown))


def as_myst(text: str) -> str:
    """Text for a MyST page: its formulas, code and references; no other character is markup."""
    return "".join(divided(PIECE, text, _plain_myst, lambda piece: piece[0]))


def _plain_myst(words: str) -> str:
    return re.sub(r"([\\`*_\[\]<$|])", r"\\\1", words)


SCRIPT = re.compile(
    r"(?<![A-Za-z_])(?P<letter>(?:Pr|[A-Za-zα-ωΑ-Ω])'?)_(?P<low>\{[^}]*\}|\([^()]*\)|[A-Za-z0-9α-ω]{1,4})"
    r"(?![A-Za-z0-9_])|\^(?P<high>\{[^}]*\}|\([^()]{1,14}\)|[−-]?\d+/\d+|[−-]?[A-Za-z0-9]+)"
)
"""A subscript or exponent in a verdict's sentence: f_h, λ_min, d^(1/4), m^-1/2."""


def as_scripts(text: str) -> str:
    """A sentence of a verdict as HTML, with its sub- and superscripts."""
    return "".join(divided(SCRIPT, text, html.escape, _set("<{0}>{1}</{0}>", html.escape)))


def scripts_as_myst(text: str) -> str:
    """The sentence as MyST."""
    return "".join(divided(SCRIPT, text, as_myst, _set("{{{0}}}`{1}`", str)))


def _set(form: str, words: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    def shown(found: re.Match[str]) -> str:
        letter, tag, script = script_of(found)
        return letter + form.format(tag, words(script))

    return shown


def script_of(found: re.Match[str]) -> tuple[str, str, str]:
    """The parts of a match of `SCRIPT`: the letter before it, "sup" or "sub", and the script."""
    tag, script = ("sup", found["high"]) if found["high"] else ("sub", found["low"])
    return found["letter"] or "", tag, script.strip("{}()")


def divided(
    pattern: re.Pattern[str],
    text: str,
    words: Callable[[str], T],
    piece: Callable[[re.Match[str]], T],
) -> Iterator[T]:
    """A text's matches converted by ``piece``, and the text between them by ``words``, in order."""
    end = 0
    for match in pattern.finditer(text):
        yield words(text[end : match.start()])
        yield piece(match)
        end = match.end()
    yield words(text[end:])
