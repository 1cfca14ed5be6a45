"""The dependency graph of claims as SVG: text one can search, nodes that lead to their theorems."""

import html
import re
from collections.abc import Sequence

import networkx as nx

from featurebook.press.entries import PALETTE, STATED, Entry
from featurebook.press.layers import Layout, Place, layered
from featurebook.verdicts import MARKS, OUTCOMES

COLUMN, ROW, LANE, HEIGHT, MARGIN = 200, 32, 11, 24, 26
LEVEL = 160  # as long as the longest node; in the rest of a column arrows bend
LEGEND = 36
BETWEEN = 44  # between two chapters
CHARACTER, CHARACTERS = 7.2, 20  # width of one at the font size below, and the most in a node
SHAKEN = "#c0392b"
ARROW = "#9aa3af"
SHORT = {
    "Theorems": "Thms.", "Equations": "Eqs.", "Figures": "Figs.",
    "Proposition": "Prop.", "Theorem": "Thm.", "Corollary": "Cor.", "Definition": "Def.",
    "Assumption": "Ass.", "Observation": "Obs.", "Remark": "Rem.", "Figure": "Fig.",
    "Equation": "Eq.", "Section": "Sec.", ", corrected": "′",
}  # fmt: skip


class ClaimGraph:
    """What rests on what, in layers from left to right; shows as SVG in a notebook.

    Only claims that rest on another, or that another rests on, are drawn.
    """

    def __init__(self, entries: Sequence[Entry], title: str) -> None:
        self.entries = {e.claim.id: e for e in entries}
        self.title = title
        self.tip = "tip-" + re.sub(r"\W+", "-", title.lower())
        self.graph = nx.DiGraph((name, e.claim.id) for e in entries for name in e.claim.rests_on)
        self.graph.add_edges_from(
            (e.claim.corrects, e.claim.id) for e in entries if e.claim.corrects
        )
        self.graph.remove_nodes_from([n for n in self.graph if n not in self.entries])
        self.graph.remove_nodes_from(list(nx.isolates(self.graph)))
        self.layouts: dict[str, Layout] = {}
        self.tops: dict[str, float] = {}
        self.height = float(LEGEND)
        chapters = dict.fromkeys(e.chapter for n, e in self.entries.items() if n in self.graph)
        for stem in chapters:
            arrows = [(a, b) for a, b in self.graph.edges if self.entries[a].chapter == stem]
            self.layouts[stem] = layered(nx.DiGraph(arrows), ROW, LANE)
            self.tops[stem] = self.height + BETWEEN * (len(chapters) > 1)
            self.height = self.tops[stem] + self.layouts[stem].height
        self.width = MARGIN + COLUMN * max((p.layers for p in self.layouts.values()), default=0)

    def __repr__(self) -> str:
        return f"{self.title}: {len(self.graph)} claims, {self.graph.number_of_edges()} arrows"

    def _repr_html_(self) -> str:
        return framed(self.svg(), self.title)

    def svg(self) -> str:
        """The picture alone."""
        label = html.escape(self.title, quote=True)
        arrows = "".join(self._arrow(a, b) for a, b in self.graph.edges)
        nodes = "".join(self._node(n) for n in self.graph)
        width, height = max(self.width, 6 * 110), self.height + MARGIN
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' "
            f"width='{width:.0f}' height='{height:.0f}' role='group' aria-label='{label}'>"
            f"<title>{label}</title><defs><marker id='{self.tip}' viewBox='0 0 8 8' refX='8' "
            "refY='4' markerWidth='7' markerHeight='7' orient='auto'><path d='M0 0 8 4 0 8z' "
            f"fill='{ARROW}'/></marker></defs><g font-family='sans-serif' font-size='12'>"
            f"{self._legend()}{self._names()}{arrows}{nodes}</g></svg>"
        )

    def places(self) -> dict[str, tuple[float, float]]:
        """Upper left corners in pixels; no two nodes overlap, and chapters lie below each other."""
        return {n: self._corner(self._place(n), self.entries[n].chapter) for n in self.graph}

    def _place(self, name: str) -> Place:
        return self.layouts[self.entries[name].chapter].places[name]

    def _corner(self, place: Place, stem: str) -> tuple[float, float]:
        layer, middle = place
        return MARGIN + layer * COLUMN, self.tops[stem] + middle - HEIGHT / 2

    def _legend(self) -> str:
        """What the colours and frames say, of those that there are."""
        drawn = [self.entries[n] for n in self.graph]
        used = [s for s in (*OUTCOMES, STATED) if any(e.outcome == s for e in drawn)]
        parts, x = [], float(MARGIN)
        for state in used:
            text = f"{MARKS[state]} {state}" if state in MARKS else state
            parts.append(_box(x, 4, _width(text), text, PALETTE[state]))
            x += _width(text) + 8
        if any(e.shaken for e in drawn):
            text = "rests on a refuted claim"
            parts.append(_box(x, 4, _width(text), text, "none", SHAKEN, "currentColor"))
        return "".join(parts)

    def _names(self) -> str:
        """The chapters' names above their parts, where there are several."""
        return "".join(
            f"<text x='{MARGIN}' y='{top - 8:.0f}' font-size='13' font-weight='bold' "
            f"fill='currentColor'>{stem}</text>"
            for stem, top in self.tops.items()
            if len(self.tops) > 1
        )

    @staticmethod
    def _text(entry: Entry) -> str:
        mark = f"{MARKS[entry.outcome]} " if entry.outcome in MARKS else ""
        text = f"{mark}{short_number(entry.claim.number)}"
        return text if len(text) <= CHARACTERS else text[: CHARACTERS - 1].rstrip(" ,") + "…"

    def _node(self, name: str) -> str:
        entry = self.entries[name]
        why = "; rests on a refuted claim" if entry.shaken else ""
        about = html.escape(f"{entry.claim.number}: {entry.claim.text} ({entry.outcome}{why})")
        x, y = self._corner(self._place(name), entry.chapter)
        text, frame = self._text(entry), SHAKEN if entry.shaken else ""
        box = _box(x, y, _width(text), text, PALETTE[entry.outcome], frame)
        return f"<a href='{entry.link}'><title>{about}</title>{box}</a>"

    def _arrow(self, one: str, other: str) -> str:
        """From box to box, level past the columns between them."""
        start, end = self.entries[one], self.entries[other]
        x, y = self._corner(self._place(one), start.chapter)
        path = f"M{x + _width(self._text(start)):.0f} {y + HEIGHT / 2:.0f}"
        x, y = x + LEVEL, y + HEIGHT / 2
        path += f"H{x:.0f}"
        for place in (*self.layouts[start.chapter].routes[one, other], self._place(other)):
            to_x, to_y = self._corner(place, start.chapter)
            to_y += HEIGHT / 2
            middle = (x + to_x) / 2
            path += f"C{middle:.0f} {y:.0f} {middle:.0f} {to_y:.0f} {to_x - 1:.0f} {to_y:.0f}"
            if place != self._place(other):
                x, y = to_x + LEVEL, to_y
                path += f"H{x:.0f}"
        style = " stroke-dasharray='3 3'" if end.claim.corrects == one else ""
        return (
            f"<path d='{path}' fill='none' stroke='{ARROW}'{style} marker-end='url(#{self.tip})'/>"
        )


def framed(svg: str, title: str) -> str:
    """A picture in a frame that scrolls and zooms."""
    label = html.escape(title, quote=True)
    return f"<div class='claim-graph' role='group' aria-label='{label}' tabindex='0'>{svg}</div>"


def short_number(number: str) -> str:
    """A printed number short enough for a node of a graph."""
    for word, short in SHORT.items():
        number = number.replace(word, short)
    return number


def _width(text: str) -> float:
    return CHARACTER * len(text) + 14


def _box(
    x: float, y: float, width: float, text: str, fill: str, frame: str = "", colour: str = "white"
) -> str:
    edge = f" stroke='{frame}' stroke-width='2.5' stroke-dasharray='4 2'" if frame else ""
    return (
        f"<rect x='{x:.0f}' y='{y:.0f}' rx='5' width='{width:.0f}' height='{HEIGHT}' "
        f"fill='{fill}'{edge}/><text x='{x + width / 2:.0f}' y='{y + 16:.0f}' "
        f"text-anchor='middle' fill='{colour}'>{html.escape(text)}</text>"
    )
