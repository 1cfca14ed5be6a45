"""The ledger, its graph and its exports, from claims and verdicts made up here."""

import json
from dataclasses import replace

import pytest

from featurebook.press.claims import ledger, ledger_json
from featurebook.press.claims.graph import HEIGHT, ClaimGraph
from featurebook.press.claims.judgements import STATED, shaken_claims
from featurebook.press.claims.statements import Claim
from featurebook.press.run.tallies import Tally
from made_up import entry, few

CELLS = [
    {"label": "a", "paper": 2.0, "ours": 1.0, "low": 0.5, "high": 1.5, "agrees": False},
    {"label": "b", "paper": 4.0, "ours": 5.0, "low": 3.0, "high": 7.0, "agrees": True},
]


def test_counts_by_outcome_and_in_total() -> None:
    counts = ledger.counts(few())
    assert counts.loc["toy", ["holds", "refuted", "trend", STATED]].tolist() == [2, 1, 1, 1]
    assert counts.loc["in total", "claims"] == 5


def test_what_rests_on_a_refuted_claim_is_shaken_but_not_its_correction() -> None:
    found = [
        Claim("a", "A", "lemma", "", "refuted"),
        Claim("b", "B", "lemma", "", "holds", ("a",)),
        Claim("c", "C", "theorem", "", "holds", ("b",)),
        Claim("d", "D", "corrected", "", "holds", (), corrects="a"),
        Claim("e", "E", "theorem", "", "holds", ("d",)),
    ]
    assert shaken_claims(found) == {"b", "c"}


def test_scores_count_coverage_and_relative_difference() -> None:
    row = ledger.scores(ledger.cells([entry("1", "refuted", cells=CELLS)])).iloc[0]
    assert row["numbers"] == 2
    assert row["share covered"] == 0.5
    assert row["median relative difference"] == pytest.approx((0.5 + 0.25) / 2)


def test_a_label_that_names_a_table_is_its_score_and_runs_have_their_own() -> None:
    first = entry("1", "refuted", cells=CELLS)
    cells = [{**c, "label": f"Table {k} a"} for c, k in zip(CELLS, (3, 12), strict=True)]
    again = replace(first, cells=cells, scale="paper, recorded 2026-01-02")
    table = ledger.scores(ledger.cells([first, again]))
    assert table.number.tolist() == ["Lemma 1", "Table 3", "Table 12"]
    assert table.run.tolist() == ["quick", *["paper, recorded 2026-01-02"] * 2]


def test_table_escapes_and_links_to_the_statement_above_its_verdict() -> None:
    page = ledger.ClaimTable(few(), {"toy": "Toy"})._repr_html_()
    assert "text &lt;1&gt;" in page
    assert "text <1>" not in page
    assert "../toy/story.html#toy-1'" in page
    assert "#verdict-toy-1" not in page  # it stands right below: one link is enough
    assert "<tr id='claim-toy-1' data-verdict=" in page
    assert page.count("<tbody data-part='Toy'>") == 1
    assert page.count("<code>featurebook check toy</code>") == 1


def test_json_fits_its_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    document = json.loads(ledger_json.as_json(few(), {}))
    jsonschema.validate(document, ledger_json.SCHEMA)
    document["claims"][0]["outcome"] = "maybe"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, ledger_json.SCHEMA)


def test_graph_nodes_lead_to_theorems() -> None:
    page = ClaimGraph(few(), "A graph")._repr_html_()
    assert "href='../toy/story.html#toy-2'" in page
    assert page.count("<a ") == 4
    assert page.count("stroke='#c0392b'") == 3  # the two shaken claims, and the legend
    assert "toy-4" not in page  # connected to nothing


def test_parts_lie_below_each_other_with_their_names() -> None:
    others = [replace(e, chapter="other/story", claim=_of_other(e.claim)) for e in few()]
    graph = ClaimGraph([*few(), *others], "Two parts")
    places = graph.places()
    first = max(y for n, (_, y) in places.items() if n.startswith("toy"))
    second = min(y for n, (_, y) in places.items() if n.startswith("other"))
    assert first + HEIGHT < second
    page = graph._repr_html_()
    assert ">toy</text>" in page
    assert ">other</text>" in page
    assert ">toy</text>" not in ClaimGraph(few(), "One")._repr_html_()


def _of_other(claim: Claim) -> Claim:
    def other(name: str) -> str:
        return name.replace("toy", "other")

    rests_on = tuple(map(other, claim.rests_on))
    return replace(claim, id=other(claim.id), rests_on=rests_on, corrects=other(claim.corrects))


def test_a_row_says_how_other_seeds_came_out_if_they_are_of_the_present_code() -> None:
    same = entry("1", "holds")
    for outdated in (False, True):
        tally = Tally(("holds",) * 8, outdated)
        shown = ledger.ClaimTable([replace(same, tally=tally)], {"toy": "Toy"})._repr_html_()
        assert ("same with 8 of 8 other seeds" in shown) == (not outdated)
