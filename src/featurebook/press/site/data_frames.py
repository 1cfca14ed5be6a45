"""Tables by pandas, made readable for the site and the PDF."""

import re
from collections.abc import Mapping
from html import unescape

from featurebook.press.site import column_headings

TABLE = re.compile(r"<table\b[^>]*>.*?</table>", re.DOTALL)
CELL = re.compile(r"(<(?P<name>t[dh])\b[^>]*>)(?P<text>[^<]*)(?=</(?P=name)>)")
ROW = re.compile(r"<tr\b[^>]*>\s*(?P<first><th\b[^>]*>(?P<label>[^<]*)</th>\s*)?")
POWER = re.compile(r"(?<![\w.])(?P<factor>\d+(?:\.\d+)?)e(?P<exponent>[+-]?\d+)(?![\w.])")
PADDED = re.compile(r"^(\s*-?\d+\.\d{4})00(?=\s*$)")
"""Pandas' default of six decimals, for a number that was rounded to four."""
WORDS = {
    "NaN": "–",
    "nan": "–",
    "None": "–",
    "True": "yes",
    "False": "no",
    "inf": "∞",
    "-inf": "-∞",
}

SPREADS = {("lowest", "highest"), ("smallest", "largest")}
"""Names of the columns that are merged into the cell of a mean."""


def legible(markup: str, page: str = "") -> str:
    """Markup with its tables in a reader's terms.

    A first column that only counts rows is dropped, and a second heading that only names the first
    columns is merged into the first; a mean with its lowest and highest value is one column; what
    is missing is a dash, a truth value yes or no, and ``2e-05`` a power of ten; names from code in
    headings, labels and meanings of parameters become words or symbols. Text outside of
    tables is unchanged.
    """
    words = column_headings.of_page(page)
    return TABLE.sub(lambda table: _table(table[0], words), markup)


def _table(table: str, words: Mapping[str, str]) -> str:
    opening = table.partition(">")[0]
    sign = "" if "knobs" in opening else "^" if "dataframe" in opening else None
    heads_merged = _with_spreads(_with_one_head(_without_count(table)))
    return CELL.sub(lambda cell: cell[1] + _shown(cell, sign, words), heads_merged)


def _shown(cell: re.Match[str], sign: str | None, words: Mapping[str, str]) -> str:
    """A cell's content; its symbols are set as such below a heading with a ``sign``."""
    text = cell["text"].strip()
    shown = WORDS.get(text, POWER.sub(_power, PADDED.sub(r"\1", cell["text"])))
    if shown != cell["text"]:
        return shown
    if cell["name"] == "th":
        return column_headings.readable(text, words)
    return column_headings.with_symbols(shown) if sign is not None and sign in shown else shown


def _power(match: re.Match[str]) -> str:
    factor, exponent = match["factor"], int(match["exponent"])
    times = "" if float(factor) == 1 else f"{factor}·"
    return f"{times}10<sup>{exponent}</sup>"


def _without_count(table: str) -> str:
    """A table without its first column, if that has no head and counts 0, 1, 2, ...

    Some of the numbers may be missing where a second column labels the rows.
    """
    head, _, body = table.partition("<tbody>")
    labels = [row["label"] for row in ROW.finditer(body)]
    counts = bool(labels) and labels == [str(k) for k in range(len(labels))]
    if re.search(r"<th\b[^>]*>\s*</th>\s*<th\b[^>]*>\s*label\s*</th>", head):
        counts = all(str(label).isdecimal() for label in labels)
    heads = [row["label"] for row in ROW.finditer(head)]
    if not counts or any(h is None or unescape(h).strip() for h in heads):
        return table
    return ROW.sub(lambda row: row[0].removesuffix(row["first"]), table)


def _with_spreads(table: str) -> str:
    """A table with each mean and its range in one cell: ``mean (lowest to highest)``."""
    head, tag, body = table.partition("</thead>")
    rows = [list(CELL.finditer(row)) for row in re.findall(r"<tr\b.*?</tr>", head, re.DOTALL)]
    groups = [cell for cell in rows[0] if "colspan" in cell[1]] if rows else []
    if len(rows) < 2 or not groups or not all('colspan="3"' in g[1] for g in groups):
        return table
    start = len(rows[0]) - len(groups)  # the columns of labels
    parts = [cell["text"].strip() for cell in rows[1][start:]]
    low_high = tuple(parts[1:3])
    if low_high not in SPREADS or parts != ["mean", *low_high] * len(groups):
        return table
    names = [unescape(cell["text"]).strip() for cell in rows[-1][:start]]
    kept = [f"<th>{name}</th>" for name in names]
    kept += [f"<th>{g['text'].strip()}, mean ({' to '.join(low_high)})</th>" for g in groups]
    merged = re.sub(
        r"(?P<mean><td\b[^>]*>[^<]*)</td>\s*<td\b[^>]*>(?P<low>[^<]*)</td>"
        r"\s*<td\b[^>]*>(?P<high>[^<]*)</td>",
        "\\g<mean> (\\g<low>\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}\\g<high>)</td>",
        body,
    )
    opening = head[: head.index("<tr")]
    return f"{opening}<tr>{''.join(kept)}</tr>{tag}{merged}"


def _with_one_head(table: str) -> str:
    """A table with its two heading rows, the second filling the gaps of the first, merged."""
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
