"""The map of a chapter's claims."""

import networkx as nx
import yaml
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch

from featurebook.press import roadmap
from featurebook.verdicts import COLOURS


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25))
def test_arrows_lead_to_later_layers_and_no_two_nodes_meet(pairs):
    graph = nx.DiGraph((f"n{min(a, b)}", f"n{max(a, b)}") for a, b in pairs if a != b)
    places = roadmap.layered(graph)
    assert set(places) == set(graph)
    assert len(set(places.values())) == len(places)
    for a, b in graph.edges:
        assert places[a][0] < places[b][0]
    assert roadmap.layered(graph) == places


def entry(name, number, kind, expected, **more):
    return {"id": name, "number": number, "kind": kind, "text": "t", "expected": expected} | more


def test_the_figure_has_a_box_for_each_linked_claim_in_its_colour(book):
    claims = [
        entry("toy-d", "Definition 1", "definition", None),
        entry("toy-t", "Theorem 2", "theorem", "refuted", rests_on=["toy-d"]),
        entry("toy-c", "Theorem 2, corrected", "corrected", "holds", corrects="toy-t"),
        entry("toy-alone", "Remark 7", "remark", "trend"),
    ]
    (book / "book" / "claims" / "toy.yaml").write_text(
        yaml.safe_dump({"paper": "p", "claims": claims})
    )
    figure = roadmap.draw("toy")
    (ax,) = figure.axes
    boxes = {t.get_text(): to_hex(t.get_bbox_patch().get_facecolor()) for t in ax.texts}
    assert boxes == {
        "Def. 1": roadmap.STATED, "✗ Thm. 2": COLOURS["refuted"], "✓ Thm. 2′": COLOURS["holds"],
    }  # fmt: skip
    assert sum(isinstance(p, FancyArrowPatch) for p in ax.patches) == 2
    figure.draw_without_rendering()


def test_claims_that_rest_on_nothing_make_an_empty_map(book):
    assert len(roadmap.draw("toy").axes[0].texts) == 0
