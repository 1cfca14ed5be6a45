"""Beside each statement, the claims that it rests on and that rest on it, as a folded map."""

import re

from featurebook.press.claims.graph import around, resting
from featurebook.press.site import neighbours
from made_up import few

ONWARD = '<p class="onward"><a href="e.html#erratum-toy-{0}">erratum</a> · '
ONWARD += '<a href="../../claims/toy-{0}.html">its page</a></p>'


def test_a_statement_has_the_claims_around_it_in_a_fold():
    page = "".join(f"<div>{ONWARD.format(name)}</div>" for name in ("1", "3", "4", "other"))
    shown = neighbours.with_maps(page, few(), "toy")
    maps = re.findall(r'<details class="offer nearby">.*?</details><!-- nearby -->', shown)
    assert [set(re.findall(r"#(toy-[\w-]+)'", found)) for found in maps] == [
        {"toy-1", "toy-2", "toy-1-corrected"},
        {"toy-1", "toy-2", "toy-3"},
    ]
    assert "<div>" + ONWARD.format("4") + "</div>" in shown  # it stands alone
    assert "<div>" + ONWARD.format("other") + "</div>" in shown
    assert [found.count("stroke='currentColor' stroke-width='2'") for found in maps] == [1, 1]
    assert neighbours.with_maps(shown, few(), "toy") == shown


def test_the_nearest_claims_come_first():
    graph = resting(few())
    assert around(graph, "toy-3") == ["toy-3", "toy-2", "toy-1"]
    assert around(graph, "toy-3", most=2) == ["toy-3", "toy-2"]
    assert around(graph, "toy-4") == []
