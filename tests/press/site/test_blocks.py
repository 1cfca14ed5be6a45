"""What a statement's block has below its verdict."""

import re

import pytest

from featurebook.press.claims.graph import around, resting
from featurebook.press.run.tallies import Tally
from featurebook.press.site import blocks
from made_up import few


def test_a_statement_has_the_claims_around_it_in_a_fold() -> None:
    own = {e.claim.id: e for e in few()}
    maps = [blocks.nearby(name, own) for name in ("toy-1", "toy-3")]
    assert [set(re.findall(r"#(toy-[\w-]+)'", found)) for found in maps] == [
        {"toy-1", "toy-2", "toy-1-corrected"},
        {"toy-1", "toy-2", "toy-3"},
    ]
    assert [found.count("stroke='currentColor' stroke-width='2'") for found in maps] == [1, 1]
    assert blocks.nearby("toy-4", own) == "", "it stands alone"


def test_the_nearest_claims_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = resting(few())
    assert around(graph, "toy-3") == ["toy-3", "toy-2", "toy-1"]
    monkeypatch.setattr("featurebook.press.claims.graph.NEAREST", 2)
    assert around(graph, "toy-3") == ["toy-3", "toy-2"]
    assert around(graph, "toy-4") == []


def test_a_verdict_says_what_other_seeds_and_machines_gave() -> None:
    others = Tally(("refuted", "holds"), outdated=False)
    machines = Tally(("refuted",) * 6, outdated=False)
    seeds, settings = (
        "varies over 2 other seeds (refuted 1, holds 1)",
        "same under 6 of 6 settings of the machine",
    )
    assert blocks.repeated("refuted", others, machines) == f"{seeds}; {settings}"
    assert blocks.repeated("refuted", None, machines) == settings
    assert blocks.repeated("refuted", others, None) == seeds
    assert blocks.repeated("refuted", None, None) == ""
