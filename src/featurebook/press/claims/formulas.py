"""What claims say, with their formulas, for each place that shows it.

A claim's text is plain sentences with formulas between dollar signs and code between backticks;
nothing else in it means markup, except for references such as ``{prf:ref}`id```.
"""

import html
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from featurebook.press.claims.in_unicode import unicode

PIECE = re.compile(
    r"(?<!\\)\$(?P<tex>[^$]+?)(?<!\\)\$|`(?P<code>[^`]+)`|\{(?P<role>[\w:]+)\}`(?P<said>[^`]+)`"
)
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
    """Text as HTML; ``links`` has that of what it may refer to, ``math`` makes that of formulas."""

    def shown(piece: re.Match[str]) -> str:
        if piece["tex"]:
            return math(piece["tex"])
        if piece["code"]:
            return f"<code>{html.escape(piece['code'])}</code>"
        return links.get(piece["said"], piece["said"])

    return _pieces(text, html.escape, shown)


def as_myst(text: str) -> str:
    """Text for a MyST page: its formulas, code and references; no other character is markup."""
    return _pieces(text, lambda words: re.sub(r"([\\`*_\[\]<$|])", r"\\\1", words), lambda p: p[0])


def _pieces(text: str, words: Callable[[str], str], piece: Callable[[re.Match[str]], str]) -> str:
    found, end = "", 0
    for match in PIECE.finditer(text):
        found += words(text[end : match.start()]) + piece(match)
        end = match.end()
    return found + words(text[end:])


SCRIPT = re.compile(
    r"(?<![A-Za-z_])(?P<letter>(?:Pr|[A-Za-zα-ωΑ-Ω])(?:'|&#x27;)?)_(?P<low>\{[^}]*\}|\([^()]*\)|[A-Za-z0-9α-ω]{1,4})"
    r"(?![A-Za-z0-9_])|\^(?P<high>\{[^}]*\}|\([^()]{1,14}\)|[−-]?\d+/\d+|[−-]?[A-Za-z0-9]+)"
)
"""A letter's subscript, or an exponent, in a verdict's sentence: f_h, λ_min, d^(1/4), m^-1/2."""


def as_scripts(markup: str) -> str:
    """HTML with its sub- and superscripts set as such; tags, code and formulas stay as they are."""
    code = r"<(?:code|pre)\b.*?</(?:code|pre)>"
    math = r'<span class="math.*?</span>|<math\b.*?</math>'
    kept = re.split(rf"({code}|{math}|<[^>]+>)", markup, flags=re.DOTALL)
    return "".join(SCRIPT.sub(_set("<{}>{}</{}>"), x) if x[:1] != "<" else x for x in kept)


def scripts_as_myst(text: str) -> str:
    """`as_myst` of a sentence of a verdict, with its sub- and superscripts as roles."""
    found, end = "", 0
    for match in SCRIPT.finditer(text):
        found += as_myst(text[end : match.start()]) + _set("{{{0}}}`{1}`")(match)
        end = match.end()
    return found + as_myst(text[end:])


def _set(form: str) -> Callable[[re.Match[str]], str]:
    def shown(found: re.Match[str]) -> str:
        tag, script = ("sup", found["high"]) if found["high"] else ("sub", found["low"])
        return (found["letter"] or "") + form.format(tag, script.strip("{}()"), tag)

    return shown
