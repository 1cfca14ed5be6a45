"""Tables that pandas wrote, as a reader of a page or of the paper book wants them."""

import re
from html import unescape

from featurebook.press.site import heads

TABLE = re.compile(r"<table\b[^>]*>.*?</table>", re.DOTALL)
CELL = re.compile(r"(<(?P<name>t[dh])\b[^>]*>)(?P<text>[^<]*)(?=</(?P=name)>)")
ROW = re.compile(r"<tr\b[^>]*>\s*(?P<first><th\b[^>]*>(?P<label>[^<]*)</th>\s*)?")
POWER = re.compile(r"(?<![\w.])(?P<factor>\d+(?:\.\d+)?)e(?P<exponent>[+-]?\d+)(?![\w.])")
PADDED = re.compile(r"^(\s*-?\d+\.\d{4})00(?=\s*$)")
"""Six decimals, as pandas writes by default, of a number that was rounded to four."""
WORDS = {
    "NaN": "–",
    "nan": "–",
    "None": "–",
    "True": "yes",
    "False": "no",
    "inf": "∞",
    "-inf": "-∞",
}


def legible(markup: str) -> str:
    """Markup with its tables in a reader's terms.

    A first column that only counts the rows goes, and a second head that only names the first
    columns becomes part of the first; what is missing is a dash, a truth value yes or
    no, and ``2e-05`` a power of ten; names from code in heads, labels and what parameters mean
    become words or symbols. Whatever stands outside of tables stays as it is.
    """
    return TABLE.sub(lambda table: _table(table[0]), markup)


def _table(table: str) -> str:
    parameters = "knobs" in table.partition(">")[0]
    heads_merged = _with_one_head(_without_count(table))
    return CELL.sub(lambda cell: cell[1] + _shown(cell, parameters), heads_merged)


def _shown(cell: re.Match[str], parameters: bool) -> str:
    text = cell["text"].strip()
    shown = WORDS.get(text, POWER.sub(_power, PADDED.sub(r"\1", cell["text"])))
    if shown != cell["text"]:
        return shown
    if cell["name"] == "th":
        return heads.readable(text)
    return heads.with_symbols(shown) if parameters else shown


def _power(match: re.Match[str]) -> str:
    factor, exponent = match["factor"], int(match["exponent"])
    times = "" if float(factor) == 1 else f"{factor}·"
    return f"{times}10<sup>{exponent}</sup>"


def _without_count(table: str) -> str:
    """A table without its first column, if that has no head and counts 0, 1, 2, ..."""
    head, _, body = table.partition("<tbody>")
    labels = [row["label"] for row in ROW.finditer(body)]
    counts = bool(labels) and labels == [str(k) for k in range(len(labels))]
    heads = [row["label"] for row in ROW.finditer(head)]
    if not counts or any(h is None or unescape(h).strip() for h in heads):
        return table
    return ROW.sub(lambda row: row[0].removesuffix(row["first"]), table)


def _with_one_head(table: str) -> str:
    """A table whose second row of heads stands in the gaps of the first, with one row of them."""
    head, tag, body = table.partition("</thead>")
    rows = re.findall(r"<tr\b.*?</tr>", head, re.DOTALL)
    if len(rows) != 2 or "colspan" in head:
        return table
    first, second = ([(m["text"], m[0]) for m in CELL.finditer(row)] for row in rows)
    gaps = [
        not (unescape(a).strip() and unescape(b).strip())
        for (a, _), (b, _) in zip(first, second, strict=False)
    ]
    if len(first) != len(second) or not all(gaps):
        return table
    cells = [a if unescape(a[0]).strip() else b for a, b in zip(first, second, strict=True)]
    merged = "".join(f"{cell}</th>" for _, cell in cells)
    opening = rows[0][: rows[0].index(">") + 1]
    return head.replace(rows[0], f"{opening}{merged}</tr>").replace(rows[1], "") + tag + body
