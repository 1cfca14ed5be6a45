"""What claims say, with their formulas, for each place that shows it.

A claim's text is plain sentences with formulas between dollar signs and code between backticks;
nothing else in it means markup, except for references such as ``{prf:ref}`id```.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from docutils.utils.math import tex2unichar

PIECE = re.compile(
    r"(?<!\\)\$(?P<tex>[^$]+?)(?<!\\)\$|`(?P<code>[^`]+)`|\{(?P<role>[\w:]+)\}`(?P<said>[^`]+)`"
)
MATH = r'<span class="math notranslate nohighlight">\({}\)</span>'
"""What MathJax sets."""
SYMBOLS = {
    name: sign
    for table in ("mathalpha", "mathbin", "mathrel", "mathord", "mathop", "mathopen", "mathclose",
                  "mathfence", "mathpunct")
    for name, sign in getattr(tex2unichar, table).items()
} | {
    "|": "‖", "lVert": "‖", "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|", "vert": "|",
    "{": "{", "}": "}", "%": "%", "$": "$", "_": "_", "&": "&", "#": "#", "le": "≤", "ge": "≥",
    "ne": "≠", "to": "→", "dots": "…", "ldots": "…", "cdots": "⋯", "top": "ᵀ", "epsilon": "ϵ",
    "colon": ":", "mid": "|", "prime": "′", "backslash": "\\",
}  # fmt: skip
WORDS = (
    "min", "max", "sup", "inf", "lim", "log", "ln", "exp", "cos", "sin", "tan", "arccos",
    "arcsin", "arctan", "cosh", "sinh", "tanh", "det", "dim", "ker", "deg", "arg", "gcd", "Pr",
    "limsup", "liminf",
)  # fmt: skip
FONTS = (
    "mathbf", "boldsymbol", "bm", "mathrm", "mathit", "mathsf", "mathcal", "mathscr", "mathtt",
    "text", "textit", "textbf", "textrm", "operatorname", "mathop", "vec", "mathfrak",
)  # fmt: skip
ACCENTS = {"tilde": "\u0303", "widetilde": "\u0303", "hat": "\u0302", "widehat": "\u0302",
           "bar": "\u0304", "overline": "\u0305", "dot": "\u0307", "ddot": "\u0308"}  # fmt: skip
SILENT = (
    "left", "right", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr", "big",
    "Big", "bigg", "Bigg", "displaystyle", "textstyle", "limits", "nolimits", "middle", "!",
)  # fmt: skip
SPACES = [",", ";", ":", " ", "quad", "qquad", ">", "enspace"]
HALVES = {("1", "2"): "½", ("1", "3"): "⅓", ("2", "3"): "⅔", ("1", "4"): "¼", ("3", "4"): "¾"}
AFTER = "\0"
"""Stands after a fraction until it is known what follows."""
DOUBLE = dict(zip("CHNPQRZE1", "ℂℍℕℙℚℝℤ𝔼𝟙", strict=True))
ABOVE = dict(zip("0123456789+-=()nitkTᵀ*′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵗᵏᵀᵀ*′", strict=True))
BELOW = dict(zip("0123456789+-=()aeijkmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))


def plain(text: str) -> str:
    """Text without any markup, for tooltips, CSV, JSON and BibTeX: its formulas as Unicode."""

    def bare(piece: re.Match[str]) -> str:
        return unicode(piece["tex"]) if piece["tex"] else piece["code"] or piece["said"]

    return PIECE.sub(bare, text)


def as_html(text: str, links: Mapping[str, str] = MappingProxyType({})) -> str:
    """Text as HTML for a page that has MathJax; ``links`` has the HTML of what it may refer to."""

    def shown(piece: re.Match[str]) -> str:
        if piece["tex"]:
            return MATH.format(html.escape(piece["tex"]))
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
    kept = re.split(r"(<code.*?</code>|<span class=\"math.*?</span>|<[^>]+>)", markup, flags=re.S)
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


# TeX to Unicode


def unicode(tex: str) -> str:
    r"""A formula in one line of Unicode: ``\lambda_{\min}\le\tfrac12`` is λ_min ≤ ½."""
    said = _sequence(iter(re.findall(r"\\[A-Za-z]+|\\.|\s+|.", tex)))
    said = re.sub(rf"{AFTER}(?=[\w√∑∏∫(])", " ", said).replace(AFTER, "")
    said = re.sub(r"(?<=[(\[{⟨⌊⌈]) +| +(?=[)\]},⟩⌋⌉])| +(?=\()(?<=[a-z] )", "", said)
    return re.sub(r" +", " ", said).strip()


def _sequence(tokens: Iterator[str], words: bool = False) -> str:
    """What is said up to the end, or to the brace that closes a group; blanks count in words."""
    said = ""
    for token in tokens:
        if token == "}":
            break
        if token in ("^", "_"):
            said = said.rstrip() + _script(token, _argument(tokens))
        elif token == "-":
            sided = re.search(r"[^\s(\[{=<>≤≥≈∼∈,|‖+−⋅×]\s*$", said)
            said += "-" if words else " − " if sided else "−"
        elif not token.isspace():
            said += _said(token, tokens)
        elif words:
            said += " "
    return said


def _argument(tokens: Iterator[str], words: bool = False) -> str:
    token = next((t for t in tokens if not t.isspace()), "")
    return _sequence(tokens, words) if token == "{" else _said(token, tokens).strip()


def _said(token: str, tokens: Iterator[str]) -> str:
    """What one token says, with its arguments."""
    if token == "{":
        return _sequence(tokens)
    if not token.startswith("\\"):
        return {"~": " ", "'": "′", "&": " "}.get(token, _spaced(token))
    name = token[1:]
    if name in SPACES or name == "\\":
        return " "
    if name in SILENT:
        return ""
    if name in WORDS:
        return f" {name} "
    if name in FONTS:
        return _argument(tokens, words=name.startswith("text"))
    if name in ("mathbb", "mathds"):
        return "".join(DOUBLE.get(c, c) for c in _argument(tokens))
    if name in ACCENTS:
        return "".join(c + ACCENTS[name] for c in _argument(tokens))
    return _function(name, tokens)


def _function(name: str, tokens: Iterator[str]) -> str:
    if name in ("frac", "tfrac", "dfrac"):
        above, below = _argument(tokens).strip(), _argument(tokens).strip()
        return HALVES.get((above, below), f"{_closed(above)}/{_closed(below)}{AFTER}")
    if name in ("binom", "tbinom", "dbinom"):
        return f"C({_argument(tokens)}, {_argument(tokens)})"
    if name == "sqrt":
        inside = _argument(tokens).strip()
        return f"√{inside}" if re.fullmatch(r"\d+|.", inside) else f"√({inside})"
    sign = SYMBOLS.get(name, name)
    apart = name in tex2unichar.mathrel or name in tex2unichar.mathbin or sign in "≤≥≠→"
    return f" {sign} " if apart else sign


def _spaced(token: str) -> str:
    return f" {token} " if token in "=<>+" else f"{token} " if token == "," else token


def _script(sign: str, text: str) -> str:
    """An index or exponent: by letters that Unicode has, or by ``_`` and ``^``."""
    table = ABOVE if sign == "^" else BELOW
    bare = text.replace("−", "-").replace(" ", "")
    word = re.fullmatch(r"[A-Za-z]{2,}", bare)
    if bare and not word and all(c in table for c in bare):
        return "".join(table[c] for c in bare)
    alone = len(bare) == 1 or (word and sign == "_")
    return f"{sign}{bare}" if alone else f"{sign}({text.strip()})"


def _closed(text: str) -> str:
    """A side of a fraction, in parentheses where a reader could take it apart."""
    return text if re.fullmatch(r"\w+|[^\s+−/]{1,3}|√?\([^()]*\)", text) else f"({text})"
