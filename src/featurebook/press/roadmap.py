"""The claims of a chapter as a graph: what rests on what, and what came out."""

import networkx as nx
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from featurebook.press import claims
from featurebook.press.claims import Claim
from featurebook.press.layout import find_chapter, find_root
from featurebook.verdicts import COLOURS, MARKS, OUTCOMES

STATED = "#4b5563"


def draw(stem: str) -> Figure:
    """The graph of a chapter: claims in layers, arrows from a claim to what rests on it.

    Colours are the outcomes that the claims file expects (the build fails where a run differs).
    Only claims that rest on another, or that another rests on, are drawn.
    """
    found = claims.read(find_chapter(find_root(), stem).claims).claims
    graph = nx.DiGraph((name, c.id) for c in found for name in c.rests_on)
    graph.add_edges_from((c.corrects, c.id) for c in found if c.corrects)
    where = layered(graph)
    rows = 1 + max((y for _, y in where.values()), default=0)
    columns = 1 + max((x for x, _ in where.values()), default=0)
    figure = Figure(figsize=(max(7.2, 1.55 * columns), 0.62 * rows + 0.9), layout="constrained")
    ax = figure.subplots()
    for a, b in graph.edges:
        _arrow(ax, where[a], where[b])
    for claim in found:
        if claim.id in where:
            _node(ax, claim, *where[claim.id])
    ax.set(xlim=(-0.6, columns - 0.4), ylim=(rows - 0.4, -0.6))
    ax.set_axis_off()
    used = [o for o in OUTCOMES if any(c.expected == o for c in found)]
    handles = [
        Line2D([], [], marker="s", ls="none", color=COLOURS[o], label=f"{MARKS[o]} {o}")
        for o in used
    ]
    handles.append(Line2D([], [], marker="s", ls="none", color=STATED, label="stated"))
    figure.legend(handles=handles, ncols=len(handles), loc="outside lower center")
    return figure


def layered(graph: nx.DiGraph) -> dict[str, tuple[float, float]]:
    """Places of the nodes: layer (longest path from a source) by order within the layer.

    Within a layer nodes are ordered by the mean place of what they rest on, swept a few times, so
    that few arrows cross.
    """
    layers = [sorted(layer) for layer in nx.topological_generations(graph)]
    tallest = max(map(len, layers), default=0)
    place: dict[str, float] = {}

    def settle(layer: list[str]) -> None:
        gap = tallest / (len(layer) + 1)
        for k, node in enumerate(layer):
            place[node] = (k + 1) * gap - 0.5

    for layer in layers:
        settle(layer)
    for sweep in range(8):
        neighbours = graph.predecessors if sweep % 2 == 0 else graph.successors
        for layer in layers if sweep % 2 == 0 else layers[::-1]:
            means = {n: [place[m] for m in neighbours(n)] for n in layer}
            layer.sort(key=lambda n: sum(means[n]) / len(means[n]) if means[n] else place[n])
            settle(layer)
    return {n: (float(k), place[n]) for k, layer in enumerate(layers) for n in layer}


def _node(ax: Axes, claim: Claim, x: float, y: float) -> None:
    colour = COLOURS[claim.expected] if claim.expected else STATED  # type: ignore[index]
    mark = MARKS[claim.expected] + " " if claim.expected else ""  # type: ignore[index]
    ax.text(
        x, y, mark + short_number(claim.number), ha="center", va="center", fontsize=8, c="white",
        bbox={"boxstyle": "round,pad=0.35", "facecolor": colour, "edgecolor": "none"},
        fontfamily="DejaVu Sans",
    )  # fmt: skip


def _arrow(ax: Axes, a: tuple[float, float], b: tuple[float, float]) -> None:
    ax.add_patch(
        FancyArrowPatch(
            (a[0] + 0.3, a[1]), (b[0] - 0.36, b[1]), arrowstyle="-|>", mutation_scale=8,
            color="#9aa3af", linewidth=1, connectionstyle="arc3,rad=0.05", zorder=0,
        )
    )  # fmt: skip


def short_number(number: str) -> str:
    """A printed number short enough for a node of a graph."""
    for word, short in {
        "Proposition": "Prop.", "Theorem": "Thm.", "Corollary": "Cor.", "Definition": "Def.",
        "Assumption": "Ass.", "Observation": "Obs.", "Remark": "Rem.", "Figure": "Fig.",
        ", corrected": "′",
    }.items():  # fmt: skip
        number = number.replace(word, short)
    return number
