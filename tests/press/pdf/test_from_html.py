"""Notebooks' HTML becomes nodes that TeX can set, with nothing lost and no dead link."""

from dataclasses import replace

import pandas as pd
import pytest
from docutils import nodes

from featurebook import verdicts
from featurebook.press.pdf import from_html
from featurebook.verdicts.verdict import badge


def parsed(markup, known=("a.html#x",)):
    return from_html.parsed(markup, lambda address: f"%{address}" if address in known else None)


def test_a_verdict_keeps_its_place_outcome_and_words():
    verdict = verdicts.relabelled(verdicts.everywhere([True, False], what="a < b & c"), "toy-claim")
    (box,) = parsed(verdict._repr_mimebundle_()["text/html"])
    assert box["classes"] == ["verdict-refuted"]
    assert [t["ids"] for t in box.findall(nodes.target)] == [["verdict-toy-claim"]]
    assert box.astext() == "✗ refuted true in 1 of 2 cases: a < b & c toy-claim"
    assert [n.astext() for n in box.findall(nodes.literal)] == ["toy-claim"]


def test_a_data_frame_is_a_table_with_its_spans():
    index = pd.MultiIndex.from_product([["u", "v"], [1, 2]], names=["letter", "digit"])
    frame = pd.DataFrame({("one", "p"): range(4), ("one", "q"): range(4)}, index)
    (table,) = parsed(f"<div><style>td {{}}</style>{frame.to_html(notebook=True)}</div>")
    entries = list(table.findall(nodes.entry))
    assert [(e.astext(), e["morecols"]) for e in entries if "morecols" in e] == [("one", 1)]
    assert [(e.astext(), e["morerows"]) for e in entries if "morerows" in e] == [("u", 1), ("v", 1)]
    assert next(table.findall(nodes.tgroup))["cols"] == 4
    assert len(list(next(table.findall(nodes.tbody)).findall(nodes.row))) == 4
    assert "td {" not in table.astext()


def test_what_styles_set_apart_on_the_site_is_apart_here():
    row = "<tr><th>name<code>run</code></th></tr>"
    caption, table = parsed(f"<table><caption>What</caption><tbody>{row}</tbody></table>")
    assert (caption.astext(), table.astext().strip()) == ("What", "name run")


def test_links_lead_on_or_are_plain_text():
    (paragraph,) = parsed("<p>see <a href='a.html#x'><b>here</b></a> or <a href='b.csv'>it</a></p>")
    (link,) = paragraph.findall(nodes.reference)
    assert (link["refuri"], link.astext()) == ("%a.html#x", "here")
    assert paragraph.astext() == "see here or it"


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ("plain", ["plain"]),
        ("a<p>b</p> <div>c <p>d</p></div>", ["a", "b", "c", "d"]),
        ("<script>x</script><style>y</style><!-- z -->", []),
        ("<p> a\n  b </p>", ["a b"]),
    ],
)
def test_blocks_come_in_order_and_machinery_is_left_out(markup, said):
    assert [node.astext() for node in parsed(markup)] == said


def test_a_drawing_is_kept_whole():
    (drawing,) = parsed("<div><svg aria-label='A map'><title>t</title><g/></svg></div>")
    assert isinstance(drawing, from_html.Drawing)
    assert drawing["label"] == "A map"
    assert drawing["svg"].startswith("<svg")
    assert "<title>t</title>" in drawing["svg"]


def test_a_verdict_on_paper_has_its_numbers_and_no_code():
    verdict = verdicts.combine(
        [verdicts.inequality([1.0], [2.0], what="one"), verdicts.everywhere([True], what="two")]
    )
    data = replace(verdict, claim="toy-1", source="def check(): ...").as_dict()
    found = parsed(badge(data, r"So it is: <span class='math'>\(x_1\)</span>."))
    text = [node.astext() for node in found[0].findall(nodes.paragraph)]
    assert text[0].startswith("✓ holds So it is: x_1.")
    assert len(text) == 4, "the sentence, its numbers, and a line for each part"
    assert not {"numbers and check", "def check(): ..."} & set(text)
    assert next(iter(found[0].findall(nodes.math))).astext() == "x_1"
