"""Symbols of the notation page: read from its tables, linked at their first use."""

from pathlib import Path

import pytest
from docutils import nodes

from featurebook.press.book.places import papers
from featurebook.press.site import source, symbols

ROOT = Path(__file__).resolve().parents[3]
PAGE = """# Notation

(notation-common)=
## Common

| symbol | meaning |
| --- | --- |
| $t$, $s$ | time |

## Without a label

| idea | one |
| --- | --- |
| $q$ | nothing |

(notation-toy)=
## Toy

| paper | book | meaning |
| --- | --- | --- |
| $s$ | `s` | the share of $x_1$ |
| $\\mathbf{v}_k$ | `v` | a "feature" |
"""


def test_sections_give_their_symbols_with_meaning_and_anchor():
    known = symbols.read(PAGE)
    assert {k: [(s.tex, s.meaning) for s in v] for k, v in known.items()} == {
        "common": [("t", "time"), ("s", "time")],
        "toy": [("s", "the share of x₁"), (r"\mathbf{v}_k", 'a "feature"')],
    }
    assert [s.anchor for s in known["toy"]] == ["symbol-toy-1", "symbol-toy-2"]


def test_a_chapters_own_meaning_wins_and_pages_without_any_get_none():
    known = symbols.read(PAGE)
    assert [(s.tex, s.meaning) for s in symbols.of_part(known, "toy")][::2] == [
        ("s", "the share of x₁"), ("t", "time"),
    ]  # fmt: skip
    assert symbols.of_part(known, "ledger") == []


def test_only_the_first_use_is_linked_and_none_in_headings_links_or_captions():
    known = symbols.of_part(symbols.read(PAGE), "toy")
    v = nodes.math("", r"\mathbf v_k")
    page = nodes.section("", nodes.title("", "", v.deepcopy()))
    page += nodes.paragraph("", "", nodes.reference("", "", v.deepcopy(), refuri="x"))
    page += nodes.figure("", nodes.caption("", "", v.deepcopy()))
    page += nodes.paragraph("", "", v.deepcopy(), nodes.Text(" and "), v.deepcopy())
    symbols.linked(page, known, "../book/notation.html")
    (link,) = [x for x in page.findall(nodes.reference) if "symbol" in x["classes"]]
    assert page[-1][0] is link
    assert link["refuri"] == "../book/notation.html#symbol-toy-2"
    assert link["reftitle"] == 'a "feature" (notation)'
    assert link[0].astext() == v.astext()


def test_the_page_gets_an_anchor_at_each_symbol_of_its_section():
    page = nodes.section("", nodes.title("", "Notation"), ids=["notation"])
    for name, letters in {"common": "ts", "toy": "s"}.items():
        found = (nodes.math("", x) for x in letters)
        page += nodes.section("", *found, ids=[f"notation-{name}"])
    symbols.anchored(page, symbols.read(PAGE))
    anchors = [(x["ids"], x[0].astext()) for x in page.findall(nodes.inline)]
    assert anchors == [
        (["symbol-common-1"], "t"), (["symbol-common-2"], "s"), (["symbol-toy-1"], "s"),
    ]  # fmt: skip


@pytest.mark.parametrize("stem", [part.name for part in papers(ROOT)])
def test_every_part_has_symbols_that_a_tooltip_can_explain(stem):
    known = symbols.read(source.whole(ROOT, symbols.PAGE))
    assert known[stem]
    assert len({s.tex for s in known[stem]}) == len(known[stem])
    for symbol in known[stem]:
        assert symbol.meaning
        assert "\\" not in symbol.meaning
