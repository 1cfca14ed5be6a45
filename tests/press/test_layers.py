"""Layered layouts of graphs."""

import os
import subprocess
import sys

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from featurebook.press.layers import layered


@given(st.sets(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=30))
def test_arrows_lead_to_later_layers_and_nothing_meets(pairs):
    graph = nx.DiGraph((f"n{min(a, b)}", f"n{max(a, b)}") for a, b in pairs if a != b)
    layout = layered(graph, row=1, lane=0.5)
    assert set(layout.places) == set(graph)
    assert set(layout.routes) == set(graph.edges)
    taken = [(k, y, 1.0) for k, y in layout.places.values()]
    lanes = set()
    for (a, b), route in layout.routes.items():
        start, end = layout.places[a][0], layout.places[b][0]
        assert [k for k, _ in route] == list(range(start + 1, end))
        lanes |= {(a, k, y) for k, y in route}
    taken += [(k, y, 0.5) for _, k, y in lanes]
    for i, (k, y, size) in enumerate(taken):
        assert size / 2 - 1e-9 <= y <= layout.height - size / 2 + 1e-9
        for other, at, its in taken[:i]:
            assert k != other or abs(y - at) >= (size + its) / 2 - 1e-9
    assert layered(graph, row=1, lane=0.5) == layout


def test_a_layout_does_not_depend_on_the_process():
    code = (
        "import networkx as nx; from featurebook.press.layers import layered;"
        "g = nx.gn_graph(40, seed=1).reverse(); g.add_edges_from([('x', 'y'), ('v', 'w')]);"
        "print(layered(nx.relabel_nodes(g, str)))"
    )

    def said(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True).stdout

    assert said("1").startswith("Layout(")
    assert said("1") == said("2")


def test_arrows_are_untangled_and_straight():
    graph = nx.DiGraph([("a", "z"), ("b", "y"), ("c", "x")])
    layout = layered(nx.compose(graph, nx.DiGraph([("a", "y"), ("b", "x")])))
    order = [sorted(column, key=lambda n: layout.places[n][1]) for column in ("abc", "xyz")]
    assert order in ([["a", "b", "c"], ["z", "y", "x"]], [["c", "b", "a"], ["x", "y", "z"]])
    chain = layered(nx.path_graph(5, create_using=nx.DiGraph))
    assert {y for _, y in chain.places.values()} == {0.5}
    assert chain.height == 1


def test_a_source_stands_near_what_it_leads_to():
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "d"), ("late", "d")])
    assert layered(graph).places["late"][0] == 2


def test_parts_fill_the_width_before_the_height():
    graph = nx.path_graph(6, create_using=nx.DiGraph)
    graph.add_edges_from([("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")])
    layout = layered(graph)
    assert layout.layers == 6
    assert layout.height == pytest.approx(3)
    assert layered(nx.DiGraph()).height == 0
