"""Place a directed graph in layers, so that arrows run forward and few of them cross (Sugiyama)."""

import itertools
from bisect import bisect_right, insort
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
from sklearn.isotonic import isotonic_regression

Node = Hashable
Place = tuple[int, float]
"""Layer, and height of the middle within it."""

SWEEPS = 12


@dataclass(frozen=True)
class Layout:
    """Where nodes and arrows go.

    Attributes:
        places: of every node.
        routes: of every edge: the places that it passes between its ends, one in each layer;
            those from one node share them.
        height: from 0, of all of it.
    """

    places: dict[Node, Place]
    routes: dict[tuple[Node, Node], list[Place]]
    height: float

    @property
    def layers(self) -> int:
        return 1 + max((layer for layer, _ in self.places.values()), default=-1)


def layered(graph: nx.DiGraph, row: float = 1.0, lane: float = 0.4) -> Layout:
    """Lay out a graph without cycles; what is not connected lies below or beside each other.

    Args:
        graph: nodes and edges; the order of its nodes decides nothing but ties.
        row: height of a node, with the space to the next one.
        lane: height of an arrow that passes a layer.
    """
    parts = [_part(graph, nodes) for nodes in nx.weakly_connected_components(graph)]
    first = {n: k for k, n in enumerate(graph)}
    parts.sort(key=lambda part: (-len(part), first[next(iter(part))]))
    pieces = [_connected(part, row, lane) for part in parts]
    widest = max((piece.layers for piece in pieces), default=0)
    places: dict[Node, Place] = {}
    routes: dict[tuple[Node, Node], list[Place]] = {}
    left, top, height = 0, 0.0, 0.0
    for piece in pieces:  # like words in lines
        if left + piece.layers > widest:
            left, top = 0, height
        places |= {n: (k + left, y + top) for n, (k, y) in piece.places.items()}
        for edge, route in piece.routes.items():
            routes[edge] = [(k + left, y + top) for k, y in route]
        left += piece.layers
        height = max(height, top + piece.height)
    return Layout(places, routes, height)


def _part(graph: nx.DiGraph, nodes: set[Node]) -> nx.DiGraph:
    """Some nodes in the order of the graph; a view of it would have the order of the set."""
    part = nx.DiGraph()
    part.add_nodes_from(n for n in graph if n in nodes)
    part.add_edges_from((a, b) for a, b in graph.edges if a in nodes)
    return part


def _connected(graph: nx.DiGraph, row: float, lane: float) -> Layout:
    layer = _layers(graph)
    chains = {
        (a, b): [a, *((a, k) for k in range(layer[a] + 1, layer[b])), b] for a, b in graph.edges
    }  # arrows from the same node share a lane until they part
    full = nx.DiGraph()
    full.add_nodes_from(graph)
    for chain in chains.values():
        nx.add_path(full, chain)
    size = {n: row if n in graph else lane for n in full}
    depth = {n: layer[n] if n in graph else n[1] for n in full}
    columns: list[list[Node]] = [[] for _ in range(max(depth.values()) + 1)]
    for n in nx.dfs_preorder_nodes(full.to_undirected()):
        columns[depth[n]].append(n)
    columns = _untangled(columns, full)
    y = _heights(columns, full, size)
    return Layout(
        {n: (depth[n], y[n]) for n in graph},
        {e: [(depth[n], y[n]) for n in chain[1:-1]] for e, chain in chains.items()},
        max(y[n] + size[n] / 2 for n in full),
    )


def _layers(graph: nx.DiGraph) -> dict[Node, int]:
    """As early as what precedes a node allows, or as late, where that shortens its arrows."""
    layer: dict[Node, int] = {}
    order = list(nx.topological_sort(graph))
    for n in order:
        layer[n] = max((layer[p] + 1 for p in graph.predecessors(n)), default=0)
    for n in reversed(order):
        if graph.out_degree(n) > graph.in_degree(n):
            layer[n] = min(layer[s] for s in graph.successors(n)) - 1
    return layer


def _untangled(columns: list[list[Node]], graph: nx.DiGraph) -> list[list[Node]]:
    """The best order within the columns of those that sweeps over them meet.

    A sweep orders each column by the mean place of the neighbours in the one before.
    """
    best, fewest = columns, _crossings(columns, graph)
    for sweep in range(SWEEPS):
        columns = [list(c) for c in columns]
        forward = sweep % 2 == 0
        walk = columns if forward else columns[::-1]
        neighbours: Callable[[Node], Sequence[Node]] = (
            graph.predecessors if forward else graph.successors
        )
        for before, column in itertools.pairwise(walk):
            at = {n: k for k, n in enumerate(before)}
            own = {n: k * len(before) / len(column) for k, n in enumerate(column)}
            column.sort(key=lambda n: _mean([at[m] for m in neighbours(n)], own[n]))
        if (number := _crossings(columns, graph)) < fewest:
            best, fewest = columns, number
    return best


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _crossings(columns: Sequence[Sequence[Node]], graph: nx.DiGraph) -> int:
    total = 0
    for one, other in itertools.pairwise(columns):
        at = {n: k for k, n in enumerate(other)}
        ends: list[int] = []
        for n in one:
            aims = sorted(at[m] for m in graph.successors(n))
            total += sum(len(ends) - bisect_right(ends, aim) for aim in aims)
            for aim in aims:
                insort(ends, aim)
    return total


def _heights(
    columns: Sequence[Sequence[Node]], graph: nx.DiGraph, size: dict[Node, float]
) -> dict[Node, float]:
    """Each node as near to the middle of its neighbours as its order and size let it be."""
    offset: dict[Node, float] = {}
    y: dict[Node, float] = {}
    for column in columns:
        edge = 0.0
        for n in column:
            offset[n] = y[n] = edge + size[n] / 2
            edge += size[n]
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 == 0 else columns[::-1]:
            aims = [
                _mean([y[m] for m in (*graph.predecessors(n), *graph.successors(n))], y[n])
                for n in column
            ]
            shift = np.array(aims) - [offset[n] for n in column]
            for n, by in zip(column, isotonic_regression(shift), strict=True):
                y[n] = offset[n] + float(by)
    top = min(y[n] - size[n] / 2 for n in y)
    return {n: y[n] - top for n in y}
