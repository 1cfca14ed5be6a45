"""Formulas as MathML, which browsers typeset themselves: for pages that load no MathJax."""

import re
from functools import cache
from html import escape, unescape

from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml

from featurebook.press.claims.in_unicode import unicode

SET = re.compile(
    r'<(?P<tag>span|div) class="(?:amsmath )?math[^>]*>(?P<tex>.*?)</(?P=tag)>', re.DOTALL
)
"""A formula in a built page, where MathJax looks for it."""
NUMBER = re.compile(r'<span class="eqno">.*?</span>', re.DOTALL)
DELIMITERS = re.compile(r"^\s*\\[(\[]|\\[)\]]\s*$")
ENVIRONMENT = re.compile(r"\\(?:begin|end)\{(?:split|equation\*?)\}")
"""Environments that affect nothing outside them."""
FENCE = re.compile(r"<mo(?: class=\"mathopen\")?(>[|‖⟨⟩⌊⌋⌈⌉]</mo>)")
"""What would grow with its content, as it does in TeX only after ``\\left``."""
GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
ACCENTS = "hat|widehat|tilde|widetilde|bar|overline|dot|ddot|check"
SPELLINGS = (
    (re.compile(r"\\(?:big|Big|bigg|Bigg|textstyle|displaystyle)(?![A-Za-z])"), " "),
    (re.compile(r"\\dots(?![A-Za-z])"), r"\\ldots "),
    (re.compile(r"\\vec(?![A-Za-z])"), r"\\mathbf"),  # as _config.yml tells MathJax
    (re.compile(r"\\([dt]?frac)\s*(\d)\s*(\d|[A-Za-z]|\\[A-Za-z]+)"), r"\\\1{\2}{\3}"),
    (re.compile(r"\\([dt]?frac)\s*(\d)(?=\{)"), r"\\\1{\2}"),
    (
        re.compile(
            rf"\\(?:{ACCENTS})\s*(?:{GROUP}|\\[A-Za-z]+(?:\s*{GROUP}|\s+[A-Za-z])?|[A-Za-z])"
            r"(?=\s*[_^])"
        ),
        r"{\g<0>}{}",
    ),  # else docutils sets an index below the accent
)
"""Commands that the book uses and docutils does not know, with equivalents that it does."""


def in_page(markup: str) -> str:
    """A page's HTML with its formulas as MathML."""
    return SET.sub(lambda found: _shown(NUMBER.sub("", found["tex"])), markup)


def _shown(inside: str) -> str:
    tex = unescape(re.sub(r"<[^>]+>", "", inside)).strip()
    return of_tex(DELIMITERS.sub("", tex), block=tex.startswith((r"\[", r"\begin")))


@cache
def of_tex(tex: str, block: bool = False) -> str:
    """A formula as MathML; one that docutils does not know is in Unicode."""
    for pattern, instead in ((ENVIRONMENT, ""), *SPELLINGS):
        tex = pattern.sub(instead, tex)
    try:
        found = tex2mathml(tex.strip(), as_block=block)
    except MathError:
        return f"<span>{escape(unicode(tex))}</span>"
    found = re.sub(r">\s+<", "><", found).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    found = re.sub(r"<mo[^>]*>/</mo>", '<mo lspace="0" rspace="0">/</mo>', found)
    return found if r"\left" in tex else FENCE.sub(r'<mo stretchy="false"\1', found)
