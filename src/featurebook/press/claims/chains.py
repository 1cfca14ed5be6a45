"""The map of claims as a list, for pages too narrow for the picture."""

import html

from featurebook.press.claims.graph import ClaimGraph


def listed(drawn: ClaimGraph) -> str:
    """A line for each claim that others rest on: the claim, and those that its arrows lead to."""
    graph = drawn.graph
    order = [name for name in drawn.entries if name in graph and graph.out_degree(name)]
    lines = (
        f"{_link(drawn, name)} → {', '.join(_link(drawn, after) for after in graph[name])}"
        for name in order
    )
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f"<ul class='claim-chains'>{items}</ul>"


def _link(drawn: ClaimGraph, name: str) -> str:
    entry = drawn.entries[name]
    return f"<a href='{entry.link}'>{html.escape(drawn.named(entry))}</a>"
