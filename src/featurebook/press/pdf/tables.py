"""Tables on paper: how wide each column is, and how large the letters."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docutils import nodes

SIZES = {"footnotesize": 112, "scriptsize": 135, "tiny": 175}
"""Letters per line of a table."""
BETWEEN = 2
"""Width of the space between two columns, in letters."""
TYPEWRITER = 1.2
"""Width of a letter of code, relative to one of text."""


class Column(NamedTuple):
    """A column: its longest cell and word in letters, whether it has only digits, its lines."""

    longest: int
    word: int
    figures: bool
    broken: bool


def layout(table: nodes.table) -> tuple[str, str]:
    """The letter size with which a table fits the line, and its columns in TeX.

    Columns that are narrower than their longest cell are ``\\words`` or ``\\figures`` with a share
    of the line, which ``preamble.tex`` defines.
    """
    columns = list(measured(table))
    longest, words = [c.longest for c in columns], [c.word for c in columns]
    between = BETWEEN * len(columns)
    fitting = (name for name, letters in SIZES.items() if sum(words) + between <= letters)
    size = next(fitting, "tiny")
    letters = SIZES[size]
    spec = ""
    for width, column in zip(fitted(longest, words, letters - between), columns, strict=True):
        if width >= column.longest and not column.broken:
            spec += "r" if column.figures else "l"
        else:
            spec += rf"\{'figures' if column.figures else 'words'}{{{width / letters:.4f}}}"
    return size, f"{{{spec}}}"


def measured(table: nodes.table) -> Iterator[Column]:
    """The columns of a table; a cell that spans several counts for none."""
    group = next(table.findall(nodes.tgroup))
    cells: list[list[nodes.entry]] = [[] for _ in range(int(group["cols"]))]
    filled = [0] * len(cells)  # rows that a cell above takes of each column
    for row in group.findall(nodes.row):
        entries = iter(row.findall(nodes.entry))
        column = 0
        while column < len(cells):
            entry = None if filled[column] else next(entries, None)
            if entry is None:
                filled[column] = max(0, filled[column] - 1)
                column += 1
                continue
            across = 1 + entry.get("morecols", 0)
            filled[column : column + across] = [entry.get("morerows", 0)] * across
            cells[column] += [entry] if across == 1 else []
            column += across
    for column_cells in cells:
        texts = [_letters(entry) for entry in column_cells]
        words = [word for text in texts for word in re.split(r"[\s\0-]+", text)]
        body = [e for e in column_cells if not isinstance(e.parent.parent, nodes.thead)]
        longest = max((len(text.replace("\0", "")) for text in texts), default=0)
        yield Column(
            max(1, longest),
            max(1, 0, *map(len, words)),
            all(map(_figures, body)),
            any("\n" in text for text in texts),
        )


def _letters(entry: nodes.Element) -> str:
    """A cell's text, with a zero where a word may break and its line breaks; code is longer."""
    found = ""
    for node in entry.findall():
        if isinstance(node, nodes.raw):
            found += "\n" if "newline" in node.astext() else "\0"
        elif isinstance(node, nodes.Text) and not isinstance(node.parent, nodes.raw):
            code = isinstance(node.parent, nodes.literal)
            # TeX breaks no line at a hyphen of a font for code
            found += str(node).replace("-", "m") if code else str(node)
            found += "m" * round((TYPEWRITER - 1) * len(node)) if code else ""
    return found


def _figures(entry: nodes.Element) -> bool:
    rest = re.sub("none|nan|inf|e", "", entry.astext().lower())
    return not any(letter.isalpha() for letter in rest)


def fitted(lines: Sequence[int], words: Sequence[int], room: float) -> list[float]:
    """Widths in letters: no column wider than its longest cell, together at most ``room``.

    The longer a column, the more it gets, by the root; words are broken only if nothing else helps.
    """

    def widths(level: float) -> list[float]:
        return [max(min(n, level * n**0.5), min(n, w)) for n, w in zip(lines, words, strict=True)]

    low, high = 0.0, max(lines) ** 0.5
    if sum(lines) <= room:
        return widths(high)
    for _ in range(50):
        level = (low + high) / 2
        low, high = (level, high) if sum(widths(level)) <= room else (low, level)
    return [w * min(1.0, room / sum(widths(low))) for w in widths(low)]
