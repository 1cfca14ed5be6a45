"""The dependency graph of claims as SVG: text one can search, nodes that lead to their theorems.

Graphviz places it; this module draws it.
"""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import networkx as nx
import pygraphviz

from featurebook.press.claims.formulas import plain
from featurebook.press.claims.judgements import PALETTE, STATED, Entry
from featurebook.verdicts import MARKS, OUTCOMES, in_print

INCH = 72
"""Graphviz returns positions in points, which are our pixels, and takes sizes in inches."""
HEIGHT, MARGIN, LEGEND = 24, 26, 36
BETWEEN = 44  # between two parts
NEAREST = 12  # claims at most around one
RANKS, NODES = 34, 9  # between two columns, and between two boxes of one
CHARACTER, CHARACTERS = 7.2, 28  # width of one at the font size below, and the most in a node
SHAKEN = "#c0392b"
ARROW = "#9aa3af"
TITLE = "<title class='nohighlight'>"  # Sphinx fails where it would mark a found word in a title
COUNTED = {"Theorem": "Thm", "Equation": "Eq", "Figure": "Fig", "Definition": "Def"}
COUNTED |= {"Section": "Sec", "Assumption": "Asm", "Proposition": "Prop", "Remark": "Rem"}
SHORT = {f"{word}s": f"{short}s." for word, short in COUNTED.items()} | {"Lemmas": "Lems."}
SHORT |= {word: f"{short}." for word, short in COUNTED.items()}
SHORT |= {"Corollary": "Cor.", "Observation": "Obs.", ", corrected": "′"}


Place = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Positions of a part's boxes and arrows by Graphviz, in pixels from the upper left corner.

    Attributes:
        middles: of the boxes.
        routes: of the arrows: where each starts, three points for each of its Bézier curves, and
            where its head ends.
    """

    width: float
    height: float
    middles: dict[str, Place]
    routes: dict[tuple[str, str], list[Place]]


def resting(entries: Sequence[Entry]) -> nx.DiGraph:
    """An arrow from each claim to those that rest on it or correct it; no isolated nodes."""
    known = {e.claim.id for e in entries}
    arrows = [(name, e.claim.id) for e in entries for name in (*e.claim.rests_on, e.claim.corrects)]
    return nx.DiGraph((a, b) for a, b in arrows if a in known and a != b)


def around(graph: nx.DiGraph, name: str) -> list[str]:
    """A claim's neighbours: what it rests on, in several steps, and what rests on it directly."""
    if name not in graph:
        return []
    below = nx.single_source_shortest_path_length(graph.reverse(copy=False), name)
    steps = dict.fromkeys(graph.successors(name), 1) | below
    return sorted(steps, key=lambda n: (steps[n], n))[:NEAREST]


class ClaimGraph:
    """What rests on what, from left to right; an SVG in a notebook.

    Only claims that rest on another, or that another rests on, are drawn.

    Args:
        centre: the claim that the picture is about, drawn with a frame.
    """

    def __init__(self, entries: Sequence[Entry], title: str, centre: str = "") -> None:
        self.entries = {e.claim.id: e for e in entries}
        self.title, self.centre = title, centre
        self.tip = "tip-" + re.sub(r"\W+", "-", title.lower())
        self.graph = resting(entries)
        self.layouts: dict[str, Layout] = {}
        self.tops: dict[str, float] = {}
        self.height = float(LEGEND)
        parts = dict.fromkeys(self._part(n) for n in self.entries if n in self.graph)
        for part in parts:
            arrows = [(a, b) for a, b in self.graph.edges if self._part(a) == part]
            widths = {n: _width(self.named(self.entries[n])) for pair in arrows for n in pair}
            self.layouts[part] = laid_out(widths, arrows)
            self.tops[part] = self.height + BETWEEN * (len(parts) > 1)
            self.height = self.tops[part] + self.layouts[part].height
        self.width = 2 * MARGIN + max((p.width for p in self.layouts.values()), default=0)

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
            f"{TITLE}{label}</title><defs><marker id='{self.tip}' viewBox='0 0 8 8' refX='8' "
            "refY='4' markerWidth='7' markerHeight='7' orient='auto'><path d='M0 0 8 4 0 8z' "
            f"fill='{ARROW}'/></marker></defs><g font-family='sans-serif' font-size='12'>"
            f"{self._legend()}{self._names()}{arrows}{nodes}</g></svg>"
        )

    def places(self) -> dict[str, Place]:
        """Upper left corners in pixels; no two nodes overlap, and parts lie below each other."""
        return {n: self._corner(n) for n in self.graph}

    def _part(self, name: str) -> str:
        return self.entries[name].part

    def _corner(self, name: str) -> Place:
        part = self._part(name)
        x, y = self.layouts[part].middles[name]
        return (
            MARGIN + x - _width(self.named(self.entries[name])) / 2,
            self.tops[part] + y - HEIGHT / 2,
        )

    def _legend(self) -> str:
        """A legend of the colours and frames that occur."""
        drawn = [self.entries[n] for n in self.graph]
        used = [s for s in (*OUTCOMES, STATED) if any(e.outcome == s for e in drawn)]
        parts, x = [], float(MARGIN)
        for state in used:
            text = f"{MARKS[state]} {in_print(state)}" if state in MARKS else state
            parts.append(_box(x, 4, _width(text), text, PALETTE[state]))
            x += _width(text) + 8
        if any(e.shaken for e in drawn):
            text = "rests on a refuted claim"
            parts.append(_box(x, 4, _width(text), text, "none", SHAKEN, "currentColor"))
        return "".join(parts)

    def _names(self) -> str:
        """The parts' names above them, where there are several."""
        return "".join(
            f"<text x='{MARGIN}' y='{top - 8:.0f}' font-size='13' font-weight='bold' "
            f"fill='currentColor'>{stem}</text>"
            for stem, top in self.tops.items()
            if len(self.tops) > 1
        )

    @staticmethod
    def named(entry: Entry) -> str:
        """A claim's mark and short number."""
        mark = f"{MARKS[entry.outcome]} " if entry.outcome in MARKS else ""
        text = f"{mark}{short_number(entry.claim.number)}"
        return text if len(text) <= CHARACTERS else text[: CHARACTERS - 1].rstrip(" ,") + "…"

    def _node(self, name: str) -> str:
        entry = self.entries[name]
        why = "; rests on a refuted claim" if entry.shaken else ""
        about = html.escape(
            f"{entry.claim.number}: {plain(entry.claim.text)} ({in_print(entry.outcome)}{why})"
        )
        x, y = self._corner(name)
        text, frame = self.named(entry), SHAKEN if entry.shaken else ""
        box = _box(x, y, _width(text), text, PALETTE[entry.outcome], frame)
        return f"<a href='{entry.link}'>{TITLE}{about}</title>{box}{self._ring(name)}</a>"

    def _ring(self, name: str) -> str:
        """A second frame around the claim that the picture is about."""
        if name != self.centre:
            return ""
        x, y = self._corner(name)
        width = _width(self.named(self.entries[name]))
        return (
            f"<rect x='{x - 4:.0f}' y='{y - 4:.0f}' rx='8' width='{width + 8:.0f}' "
            f"height='{HEIGHT + 8}' fill='none' stroke='currentColor' stroke-width='2'/>"
        )

    def _arrow(self, one: str, other: str) -> str:
        part = self._part(one)
        top = self.tops[part]
        start, *curve, tip = (
            f"{MARGIN + x:.0f} {top + y:.0f}" for x, y in self.layouts[part].routes[one, other]
        )
        path = f"M{start}C{' '.join(curve)}L{tip}"
        style = " stroke-dasharray='3 3'" if self.entries[other].claim.corrects == one else ""
        return (
            f"<path d='{path}' fill='none' stroke='{ARROW}'{style} marker-end='url(#{self.tip})'/>"
        )


def laid_out(widths: Mapping[str, float], arrows: Sequence[tuple[str, str]]) -> Layout:
    """Let Graphviz's ``dot`` place boxes of these widths, arrows leading to the right."""
    drawn = pygraphviz.AGraph(
        directed=True, rankdir="LR", ranksep=RANKS / INCH, nodesep=NODES / INCH
    )
    drawn.node_attr.update(shape="box", fixedsize=True, label="", height=HEIGHT / INCH)
    for name, width in widths.items():
        drawn.add_node(name, width=width / INCH)
    drawn.add_edges_from(arrows)
    drawn.layout(prog="dot")
    _, _, width, height = map(float, drawn.graph_attr["bb"].split(","))

    def place(pair: str) -> Place:
        x, y = map(float, pair.split(","))
        return x, height - y

    middles = {name: place(drawn.get_node(name).attr["pos"]) for name in widths}
    routes = {}
    for pair in arrows:
        tip, *curve = drawn.get_edge(*pair).attr["pos"].removeprefix("e,").split()
        routes[pair] = [*map(place, curve), place(tip)]
    return Layout(width, height, middles, routes)


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
