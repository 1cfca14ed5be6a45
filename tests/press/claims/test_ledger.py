"""The ledger, its graph and its exports, from claims and verdicts made up here."""

import json
from dataclasses import replace
from typing import Any

import pytest

from featurebook.press.claims import ledger, ledger_json
from featurebook.press.claims.graph import HEIGHT, ClaimGraph
from featurebook.press.claims.judgements import STATED, Entry, shaken_claims
from featurebook.press.claims.statements import Claim
from featurebook.press.run.seeds import Tally


def entry(name: str, outcome: str, shaken: bool = False, **more: Any) -> Entry:
    expected = None if outcome == STATED else "holds"
    claim = Claim(f"toy-{name}", f"Lemma {name}", "lemma", f"text <{name}>", expected, **more)
    cells = [
        {"label": "a", "paper": 2.0, "ours": 1.0, "low": 0.5, "high": 1.5, "agrees": False},
        {"label": "b", "paper": 4.0, "ours": 5.0, "low": 3.0, "high": 7.0, "agrees": True},
    ]
    return Entry(
        "toy/story", "key", claim, outcome, "measured & counted", {"gap": 0.1}, 3,
        cells if name == "1" else [], [], "", "quick", "CPU", shaken,
    )  # fmt: skip


@pytest.fixture
def entries() -> list[Entry]:
    return [
        entry("1", "refuted", note="a sign", place="Section 1"),
        entry("1-corrected", "holds", corrects="toy-1"),
        entry("2", "holds", shaken=True, rests_on=("toy-1",)),
        entry("3", "trend", rests_on=("toy-2",)),
        entry("4", STATED),
    ]


def test_counts_by_outcome_and_in_total(entries: list[Entry]) -> None:
    counts = ledger.counts(entries)
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


def test_scores_count_coverage_and_relative_difference(entries: list[Entry]) -> None:
    row = ledger.scores(ledger.cells(entries)).iloc[0]
    assert row["numbers"] == 2
    assert row["share covered"] == 0.5
    assert row["median relative difference"] == pytest.approx((0.5 + 0.25) / 2)


def test_a_label_that_names_a_table_is_its_score_and_runs_have_their_own(
    entries: list[Entry],
) -> None:
    cells = [{**c, "label": f"Table {k} a"} for c, k in zip(entries[0].cells, (3, 12), strict=True)]
    again = replace(entries[0], cells=cells, scale="paper, recorded 2026-01-02")
    table = ledger.scores(ledger.cells([entries[0], again]))
    assert table.number.tolist() == ["Lemma 1", "Table 3", "Table 12"]
    assert table.run.tolist() == ["quick", *["paper, recorded 2026-01-02"] * 2]


def test_table_escapes_and_links_to_the_statement_above_its_verdict(entries: list[Entry]) -> None:
    page = ledger.ClaimTable(entries, {"toy": "Toy"})._repr_html_()
    assert "text &lt;1&gt;" in page
    assert "text <1>" not in page
    assert "../toy/story.html#toy-1'" in page
    assert "#verdict-toy-1" not in page  # it stands right below: one link is enough
    assert "<tr id='claim-toy-1' data-verdict=" in page
    assert page.count("<tbody data-part='Toy'>") == 1
    assert page.count("<code>featurebook check toy</code>") == 1


def test_json_fits_its_schema(entries: list[Entry]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    document = json.loads(ledger_json.as_json(entries, {}))
    jsonschema.validate(document, ledger_json.SCHEMA)
    document["claims"][0]["outcome"] = "maybe"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, ledger_json.SCHEMA)


def test_graph_nodes_do_not_overlap_and_lead_to_theorems(entries: list[Entry]) -> None:
    many = [entry(str(k), "holds", rests_on=("toy-1",)) for k in range(10, 40)]
    graph = ClaimGraph([*entries, *many], "A graph")
    places = list(graph.places().values())
    for k, (x, y) in enumerate(places):
        for other_x, other_y in places[:k]:
            assert x != other_x or abs(y - other_y) >= HEIGHT
    page = graph._repr_html_()
    assert "href='../toy/story.html#toy-2'" in page
    assert page.count("<a ") == len(places)
    assert page.count("stroke='#c0392b'") == 2  # the one shaken claim, and the legend
    assert "toy-4" not in page  # connected to nothing


def test_parts_lie_below_each_other_with_their_names(entries: list[Entry]) -> None:
    others = [replace(e, chapter="other/story", claim=_of_other(e.claim)) for e in entries]
    graph = ClaimGraph([*entries, *others], "Two parts")
    places = graph.places()
    first = max(y for n, (_, y) in places.items() if n.startswith("toy"))
    second = min(y for n, (_, y) in places.items() if n.startswith("other"))
    assert first + HEIGHT < second
    page = graph._repr_html_()
    assert ">toy</text>" in page
    assert ">other</text>" in page
    assert ">toy</text>" not in ClaimGraph(entries, "One")._repr_html_()


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
