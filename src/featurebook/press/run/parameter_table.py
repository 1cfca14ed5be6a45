"""A chapter's parameters as a table, for its last section and for the command line."""

import html
from typing import Any

from rich.table import Table
from rich.text import Text

from featurebook.press.book.places import SCALES, Chapter
from featurebook.press.run import parameters

WIDE = 130
"""Terminal width from which types and ranges get separate columns."""


class ParameterTable:
    """A chapter's parameters as a table in a notebook."""

    def __init__(self, chapter: Chapter) -> None:
        self.parameters = parameters.read(chapter.notebook)
        self.scales = {scale: parameters.at_scale(chapter, scale) for scale in SCALES}

    def rows(self) -> list[tuple[str, ...]]:
        """Name, meaning, type, range, and the value at each scale."""
        values = {
            p.name: [_short(self.scales[s].get(p.name, p.default)) for s in SCALES]
            for p in self.parameters.values()
        }
        return [
            (p.name, p.help, p.type, p.allowed, *values[p.name]) for p in self.parameters.values()
        ]

    def table(self, width: int) -> Table:
        """For a terminal; types and ranges have separate columns if it is wide."""
        wide = width >= WIDE
        head = ("parameter", "meaning", *(("type", "range") if wide else ()), *SCALES)
        found = Table(*head, box=None, pad_edge=False)
        for name, meaning, kind, allowed, *values in self.rows():
            limits = f" ({kind}{', ' * bool(allowed)}{allowed})"
            cells = (name, meaning, kind, allowed) if wide else (name, meaning + limits)
            found.add_row(*map(Text, (*cells, *values)))
        return found

    def _repr_html_(self) -> str:
        head = ("parameter", "meaning", "type", "range", *SCALES)
        lines = ["<table class='knobs'><thead><tr>"]
        lines += [f"<th>{h}</th>" for h in head] + ["</tr></thead><tbody>"]
        for row in self.rows():
            cells = "".join(f"<td>{html.escape(x)}</td>" for x in row[1:])
            lines.append(f"<tr><td><code>{row[0]}</code></td>{cells}</tr>")
        return "".join(lines) + "</tbody></table>"

    def __repr__(self) -> str:
        return "\n".join("  ".join(row) for row in self.rows())


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{len(value)} values" if isinstance(value, list) else text
