"""Tables that pandas wrote, as a reader of a page or of the paper book wants them."""

import re
from html import unescape

TABLE = re.compile(r"<table\b[^>]*>.*?</table>", re.DOTALL)
CELL = re.compile(r"(<(?P<name>t[dh])\b[^>]*>)(?P<text>[^<]*)(?=</(?P=name)>)")
ROW = re.compile(r"<tr\b[^>]*>\s*(?P<first><th\b[^>]*>(?P<label>[^<]*)</th>\s*)?")
POWER = re.compile(r"(?<![\w.])(?P<factor>\d+(?:\.\d+)?)e(?P<exponent>[+-]?\d+)(?![\w.])")
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

    A first column that only counts the rows goes; what is missing is a dash, a truth value yes or
    no, and ``2e-05`` a power of ten. Whatever stands outside of tables stays as it is.
    """
    return TABLE.sub(lambda table: CELL.sub(_cell, _without_count(table[0])), markup)


def _cell(match: re.Match[str]) -> str:
    text = match["text"].strip()
    return match[1] + WORDS.get(text, POWER.sub(_power, match["text"]))


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
