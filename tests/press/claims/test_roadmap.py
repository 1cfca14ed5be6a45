"""The map of a chapter's claims."""

import re

import pytest

from featurebook.press.book.places import BookError
from featurebook.press.claims import roadmap
from featurebook.press.claims.judgements import PALETTE
from stating import state


def entry(name, number, kind, expected, **more):
    return {"id": name, "number": number, "kind": kind, "text": "t", "expected": expected} | more


def test_the_map_has_a_box_for_each_linked_claim_in_its_colour(book):
    claims = [
        entry("toy-d", "Definition 1", "definition", None),
        entry("toy-t", "Theorem 2", "theorem", "refuted", rests_on=["toy-d"]),
        entry("toy-c", "Theorem 2, corrected", "corrected", "holds", corrects="toy-t"),
        entry("toy-r", "Corollary 3", "corollary", "trend", rests_on=["toy-t"]),
        entry("toy-alone", "Remark 7", "remark", "trend"),
    ]
    state(book, *claims)
    svg = roadmap.draw("toy").data
    box = r"<a href=.{4}toy/story.html#(toy-\w).>.*?fill=.(#\w+).(.*?)/><text[^>]*>([^<]*)<"
    boxes = {name: (fill, text) for name, fill, _, text in re.findall(box, svg)}
    assert boxes == {
        "toy-d": (PALETTE["stated"], "Def. 1"),
        "toy-t": (PALETTE["refuted"], "✗ Thm. 2"),
        "toy-c": (PALETTE["holds"], "✓ Thm. 2′"),
        "toy-r": (PALETTE["trend"], "↗ Cor. 3"),
    }
    assert [name for name, _, frame, _ in re.findall(box, svg) if "dash" in frame] == ["toy-r"]
    assert svg.count("marker-end") == 3
    assert "rests on a refuted claim<" in svg  # the legend


def test_claims_that_rest_on_nothing_make_an_empty_map(book):
    assert "<a " not in roadmap.draw("toy").data


def test_an_unknown_chapter_is_named(book):
    with pytest.raises(BookError, match="nowhere"):
        roadmap.draw("nowhere")
