"""The dependency graph of claims as SVG: text one can search, nodes that lead to their theorems."""

import html
from collections.abc import Sequence

import networkx as nx

from featurebook.press.ledger import Entry, palette
from featurebook.press.roadmap import layered, short_number
from featurebook.verdicts import MARKS

COLUMN, ROW, HEIGHT, MARGIN = 190, 34, 24, 26
BETWEEN = 44  # between two chapters
CHARACTER = 7.2  # width of one, at the font size below


class ClaimGraph:
    """What rests on what, in layers from left to right; shows as SVG in a notebook."""

    def __init__(self, entries: Sequence[Entry], title: str) -> None:
        self.entries = {e.claim.id: e for e in entries}
        self.title = title
        self.graph = nx.DiGraph((name, e.claim.id) for e in entries for name in e.claim.rests_on)
        self.graph.add_edges_from(
            (e.claim.corrects, e.claim.id) for e in entries if e.claim.corrects
        )
        self.graph.remove_nodes_from([n for n in self.graph if n not in self.entries])

    def __repr__(self) -> str:
        return f"{self.title}: {len(self.graph)} claims, {self.graph.number_of_edges()} arrows"

    def _repr_html_(self) -> str:
        places = self.places()
        width = max((x for x, _ in places.values()), default=0) + COLUMN
        height = max((y for _, y in places.values()), default=0) + ROW + MARGIN
        arrows = "".join(self._arrow(places[a], places[b], a, b) for a, b in self.graph.edges)
        nodes = "".join(self._node(self.entries[n], *places[n]) for n in self.graph)
        label = html.escape(self.title, quote=True)
        return (
            f"<div class='claim-graph' role='group' aria-label='{label}' tabindex='0'>"
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' "
            f"width='{width:.0f}' height='{height:.0f}' role='group' aria-label='{label}'>"
            f"<title>{label}</title><defs><marker id='tip' viewBox='0 0 8 8' refX='8' refY='4' "
            "markerWidth='7' markerHeight='7' orient='auto'><path d='M0 0 8 4 0 8z' "
            f"fill='#9aa3af'/></marker></defs>{self._names(places)}{arrows}{nodes}</svg></div>"
        )

    def places(self) -> dict[str, tuple[float, float]]:
        """Upper left corners in pixels; no two nodes overlap, and chapters lie below each other."""
        found: dict[str, tuple[float, float]] = {}
        top = 0.0
        for stem in self._chapters():
            part = self.graph.subgraph(n for n in self.graph if self.entries[n].chapter == stem)
            columns: dict[float, list[str]] = {}
            raw = layered(part)
            for node, (x, _) in raw.items():
                columns.setdefault(x, []).append(node)
            tallest = max(map(len, columns.values()))
            for x, nodes in columns.items():
                nodes.sort(key=lambda n: raw[n][1])
                gap = ROW * tallest / len(nodes)
                for k, node in enumerate(nodes):
                    y = top + MARGIN + (k + 0.5) * gap - HEIGHT / 2
                    found[node] = (MARGIN + x * COLUMN, y)
            top += ROW * tallest + BETWEEN
        return found

    def _chapters(self) -> list[str]:
        return list(dict.fromkeys(e.chapter for n, e in self.entries.items() if n in self.graph))

    def _names(self, places: dict[str, tuple[float, float]]) -> str:
        """The chapters' names above their parts, where there are several."""
        tops = {
            stem: min(y for n, (_, y) in places.items() if self.entries[n].chapter == stem)
            for stem in self._chapters()
        }
        return "".join(
            f"<text x='{MARGIN}' y='{top - 8:.0f}' font-size='13' font-weight='bold' "
            f"fill='currentColor' font-family='sans-serif'>{stem}</text>"
            for stem, top in tops.items()
            if len(tops) > 1
        )

    @staticmethod
    def _text(entry: Entry) -> str:
        mark = f"{MARKS[entry.outcome]} " if entry.outcome in MARKS else ""
        return f"{mark}{short_number(entry.claim.number)}"[:19]

    def _node(self, entry: Entry, x: float, y: float) -> str:
        text = self._text(entry)
        width = min(CHARACTER * len(text) + 14, COLUMN - 36)
        edge = " stroke='#c0392b' stroke-width='2.5' stroke-dasharray='4 2'" if entry.shaken else ""
        why = "; rests on a refuted claim" if entry.shaken else ""
        about = html.escape(f"{entry.claim.number}: {entry.claim.text} ({entry.outcome}{why})")
        return (
            f"<a href='{entry.link}'><title>{about}</title>"
            f"<rect x='{x:.0f}' y='{y:.0f}' rx='5' width='{width:.0f}' height='{HEIGHT}' "
            f"fill='{palette()[entry.outcome]}'{edge}/><text x='{x + width / 2:.0f}' "
            f"y='{y + 16:.0f}' text-anchor='middle' font-size='12' fill='white' "
            f"font-family='sans-serif'>{html.escape(text)}</text></a>"
        )

    def _arrow(self, a: tuple[float, float], b: tuple[float, float], one: str, other: str) -> str:
        width = min(CHARACTER * len(self._text(self.entries[one])) + 14, COLUMN - 36)
        x0, y0, x1, y1 = a[0] + width, a[1] + HEIGHT / 2, b[0] - 1, b[1] + HEIGHT / 2
        middle = (x0 + x1) / 2
        corrects = self.entries[other].claim.corrects == one
        style = " stroke-dasharray='3 3'" if corrects else ""
        return (
            f"<path d='M{x0:.0f} {y0:.0f}C{middle:.0f} {y0:.0f} {middle:.0f} {y1:.0f} "
            f"{x1:.0f} {y1:.0f}' fill='none' stroke='#9aa3af'{style} marker-end='url(#tip)'/>"
        )
