r"""Formulas of TeX in one line of Unicode: ``\lambda_{\min}\le\tfrac12`` is λ_min ≤ ½.

Fractions, roots and indices get the parentheses that a line of text needs: a reader must
see how far a fraction, a root or an index reaches.
"""

import re
from collections.abc import Iterator

from docutils.utils.math import tex2unichar

TABLES = ("alpha", "bin", "rel", "ord", "op", "open", "close", "fence", "punct")
SYMBOLS = {
    name: sign for table in TABLES for name, sign in getattr(tex2unichar, f"math{table}").items()
}
SYMBOLS |= {sign: sign for sign in "{}%$_&#"}
SYMBOLS |= dict.fromkeys(("|", "Vert", "lVert", "rVert"), "‖")
SYMBOLS |= dict.fromkeys(("mid", "vert", "lvert", "rvert"), "|")
SYMBOLS |= {"le": "≤", "ge": "≥", "ne": "≠", "to": "→", "dots": "…", "ldots": "…", "cdots": "⋯"}
SYMBOLS |= {"top": "ᵀ", "epsilon": "ϵ", "colon": ":", "prime": "′", "backslash": "\\"}
SYMBOLS |= {"bmod": " mod "}
TRIGONOMETRIC = ("cos", "sin", "tan", "arccos", "arcsin", "arctan", "cosh", "sinh", "tanh")
LIMITS = ("min", "max", "sup", "inf", "lim", "limsup", "liminf")
OTHERS = ("log", "ln", "exp", "det", "dim", "ker", "deg", "arg", "gcd", "Pr")
WORDS = (*LIMITS, *TRIGONOMETRIC, *OTHERS)
MATH_FONTS = ("bf", "rm", "it", "sf", "cal", "scr", "tt", "frak", "op")
FONTS = (*(f"math{font}" for font in MATH_FONTS), "boldsymbol", "bm", "operatorname", "vec")
FONTS += ("text", "textit", "textbf", "textrm")
ACCENTS = {"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304", "dot": "\u0307", "ddot": "\u0308"}
ACCENTS |= {"widehat": "\u0302", "widetilde": "\u0303", "overline": "\u0305"}
SIZES = [f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r")]
STYLES = ("displaystyle", "textstyle", "limits", "nolimits")
SILENT = ("left", "right", "middle", "!", *SIZES, *STYLES)
SPACES = [",", ";", ":", " ", "quad", "qquad", ">", "enspace"]
FRACTIONS = (r"\frac", r"\tfrac", r"\dfrac")
HALVES = {("1", "2"): "½", ("1", "3"): "⅓", ("2", "3"): "⅔", ("1", "4"): "¼", ("3", "4"): "¾"}
MATRICES = {"b": ("[", "]"), "p": ("(", ")"), "v": ("|", "|"), "B": ("{", "}")}
DOUBLE = dict(zip("CHNPQRZE1", "ℂℍℕℙℚℝℤ𝔼𝟙", strict=True))
ABOVE = dict(zip("0123456789+-=()nitkTᵀ*′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵗᵏᵀᵀ*′", strict=True))
BELOW = dict(zip("0123456789+-=()aeijkmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))

AFTER, WORD, ENDS = "\0", "\1", "\2"
"""Placeholders until the neighbours are known: after a fraction, beside a word such as log, where
an index or a root ends that has no parentheses."""
GROUP = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|⟨[^⟨⟩]*⟩|⌊[^⌊⌋]*⌋|‖[^‖]*‖|\|[^|]*\|")
INDEX = re.compile(rf"[_^](?:□|[^□{ENDS}]*{ENDS})")
LOW, HIGH = "".join(BELOW.values()), "".join(ABOVE.values())
LETTER = "(?:[^\\W\\d_]|□)[\u0302-\u0308]*"
FACTOR = re.compile(rf"[\w√(\[{{⟨{WORD}]")
"""The beginning of a factor that directly follows a fraction."""


def unicode(tex: str) -> str:
    """A formula in one line."""
    said = _sequence(iter(re.findall(r"\\[A-Za-z]+|\\.|\s+|.", tex)))
    said = re.sub(AFTER, lambda found: _times(said, found.end()), said)
    said = re.sub(rf"{ENDS}(?![{re.escape(LOW + HIGH)}])(?=[^\W_]|√)", " ", said).replace(ENDS, "")
    said = re.sub(f"{WORD}+", lambda found: _beside(said, *found.span()), said)
    said = re.sub(r"(?<=[(\[{⟨⌊⌈]) +| +(?=[)\]},⟩⌋⌉])", "", said)
    said = re.sub(r"([(\[{⟨]|[=<>≤≥∈,] ) *([+±∓]) +(?=[\w√(])", r"\1\2", said)  # no sum
    return re.sub(r" +", " ", said).strip()


def _times(said: str, end: int) -> str:
    """The separator between a fraction that ends there and what follows it."""
    after = said[end : end + 1]
    if after in ("‖", "|"):
        return " ⋅ " if after and said[:end].count(after) % 2 == 0 else ""
    if after in ("∑", "∏", "∫", "𝔼"):
        return " "
    return " ⋅ " if FACTOR.match(after) else ""


def _beside(said: str, start: int, end: int) -> str:
    """The separator between a word such as log and its neighbour."""
    before, after = said[:start], said[end : end + 1]
    opens = before[-1:] in ("‖", "|") and before.count(before[-1]) % 2 == 1
    joined = opens or re.search(r"(?:^|[\s(\[{⟨/])$", before) or not re.match(r"[^\W_]|[√¬]", after)
    return "" if joined else " "


def _sequence(tokens: Iterator[str], words: bool = False) -> str:
    """The text up to the end, or to the brace that closes a group; blanks count in words."""
    said, start = "", 0
    for token in tokens:
        if token == "}":
            break
        if token in ("^", "_"):
            said = said.rstrip(f" {WORD}") + _script(token, _argument(tokens))
        elif token in FRACTIONS:
            said += _before(said, fraction := _fraction(tokens))
            start, said = len(said), said + fraction
            if re.search(rf"(?:/ *|{WORD}|{WORD}[a-z]+[{re.escape(HIGH)}]+|𝔼)$", said[:start]):
                said = f"{said[:start]}({fraction})"
        elif token == "/" and said.endswith(AFTER):
            said = f"{said[:start]}({said[start:]})/"
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
    if token in FRACTIONS:
        return _fraction(tokens)
    return _sequence(tokens, words) if token == "{" else _said(token, tokens).strip()


def _said(token: str, tokens: Iterator[str]) -> str:
    """The text of one token, with its arguments."""
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
        return WORD + name + WORD
    if name in FONTS:
        font = _argument(tokens, words=name.startswith("text"))
        apart = name in ("operatorname", "mathrm") and len(font) > 1
        return WORD + font + WORD if apart else font
    if name in ("mathbb", "mathds"):
        return "".join(DOUBLE.get(c, c) for c in _argument(tokens))
    if name in ACCENTS:
        return "".join(c + ACCENTS[name] for c in _argument(tokens))
    return _function(name, tokens)


def _function(name: str, tokens: Iterator[str]) -> str:
    if name == "begin":
        return _environment(tokens)
    if name in ("binom", "tbinom", "dbinom"):
        return f"C({_argument(tokens)}, {_argument(tokens)})"
    if name == "pmod":
        return f" (mod {_argument(tokens)})"
    if name == "sqrt":
        inside = _argument(tokens).strip()
        short = re.fullmatch(rf"\d+|{LETTER}[{re.escape(LOW)}]*|.", inside)
        return f"√{inside}{ENDS}" if short else "√" + _bracketed(inside)
    sign = SYMBOLS.get(name, name)
    apart = name in tex2unichar.mathrel or name in tex2unichar.mathbin or sign in "≤≥≠→"
    return f" {sign} " if apart else sign


def _spaced(token: str) -> str:
    return f" {token} " if token in "=<>+" else f"{token} " if token == "," else token


def _script(sign: str, text: str) -> str:
    """An index or exponent: in Unicode's letters where they exist, else with ``_`` and ``^``."""
    table = ABOVE if sign == "^" else BELOW
    bare = re.sub(r"[ \0-\2]", "", text.replace("−", "-"))
    word = re.fullmatch(r"[A-Za-z]{2,}", bare)
    if bare and not word and all(c in table for c in bare):
        return "".join(table[c] for c in bare)
    alone = len(bare) == 1 or (word and sign == "_")
    return f"{sign}{bare}{ENDS}" if alone else sign + _bracketed(text.strip())


# fractions


def _fraction(tokens: Iterator[str]) -> str:
    above, below = _argument(tokens).strip(), _argument(tokens).strip()
    if above in ("d", "∂") and re.match(rf"{above}\w", below):
        return f"{above}/{below} "
    half = HALVES.get((above, below))
    return half or f"{_closed(above, _product)}/{_closed(below, _single)}{AFTER}"


def _before(said: str, fraction: str) -> str:
    """The separator between a factor and a fraction after it that begins with a digit."""
    if not re.match(r"[\d½⅓⅔¼¾]", fraction) or not re.search(r"[\w)\]⟩‖*]$", said):
        return ""
    if re.search(r"[∑∏∫]\S*$", said):
        return " "
    opens = said.endswith("‖") and said.count("‖") % 2
    return "" if opens or said.endswith("𝔼") else " ⋅ "


def _closed(text: str, whole: re.Pattern[str]) -> str:
    """A side of a fraction, in parentheses unless its signs are those of ``whole``."""
    return text if whole.fullmatch(INDEX.sub("", _grouped(text))) else f"({text})"


def _bracketed(text: str) -> str:
    return text if text[:1] + _grouped(text) == "(□" else f"({text})"


def _grouped(text: str) -> str:
    """A text with □ for everything in brackets."""
    last = ""
    while text != last:
        text, last = GROUP.sub("□", text), text
    return text


_product = re.compile(rf"[^\s/+−±∓⋅×,;:=<>≤≥…⋯∑∏∫{WORD}]+")
"""A side above the line: factors; groups are □."""
_single = re.compile(rf"√?(?:\d[\d.,]*|{LETTER})[{re.escape(LOW + HIGH)}!{ENDS}]*")
"""A side below the line: one number, letter or group."""


# environments


def _environment(tokens: Iterator[str]) -> str:
    r"""What stands between ``\begin{...}`` and ``\end{...}``, row by row."""
    name = _argument(tokens).strip(WORD).rstrip("*")
    if name in ("array", "alignedat"):
        _argument(tokens)
    rows = [[_sequence(iter(cell)).strip() for cell in row] for row in _rows(tokens)]
    rows = [row for row in rows if any(row)]
    if name == "cases":
        return "{" + "; ".join(map(_case, rows)) + "}"
    if "matrix" in name or name == "array":
        left, right = MATRICES.get(name[0], ("", ""))
        return left + "; ".join(", ".join(row) for row in rows) + right
    said = ""
    for row in (" ".join(filter(None, row)) for row in rows):
        goes_on = not said or said[-1] in ",;.:" or re.match(r"\s*[=<>≤≥+−]", row)
        said += row if not said else f" {row}" if goes_on else f"; {row}"
    return said


def _case(row: list[str]) -> str:
    value, *condition = (cell.rstrip(",") for cell in row)
    said = " ".join(condition)
    return " ".join(filter(None, (value, "for" if re.match(r"\W|\w\b", said) else "", said)))


def _rows(tokens: Iterator[str]) -> list[list[list[str]]]:
    """The tokens of an environment by row and cell."""
    rows: list[list[list[str]]] = [[[]]]
    inside = 0
    for token in tokens:
        if token == r"\end" and not inside:
            _argument(tokens)
            break
        inside += (token in ("{", r"\begin")) - (token in ("}", r"\end"))
        if token == "&" and not inside:
            rows[-1].append([])
        elif token == r"\\" and not inside:
            rows.append([[]])
        else:
            rows[-1][-1].append(token)
    return rows
