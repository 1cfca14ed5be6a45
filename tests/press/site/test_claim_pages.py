"""A page for each claim: its box is the chapter's, its links lead where the chapter's led."""

from fractions import Fraction
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from featurebook.press.claims import changes
from featurebook.press.claims.judgements import STATED
from featurebook.press.site import claim_boxes, claim_pages
from made_up import entry, few

BOX = """<div class="proof lemma verdict-refuted docutils container" id="toy-1">
<p class="admonition-title"><span class="caption-number">Lemma 1</span> (Sums)</p>
<div class="statement-text"><p>Let <span class="math notranslate">\\(x\\)</span> be as in
<a data-preview class="symbol" href="../../book/notation.html#x">x</a>, <a href="#toy-4">here</a>.
</p></div>
<div id="verdict-toy-1" class="verdict verdict-refuted"><strong>refuted</strong>
<details class="verdict-more"><summary>numbers and check</summary><div class="verdict-source">\
<p><code>featurebook check toy-1</code></p><pre>@claims.check("1")
</pre></div></details></div><p class="onward"><a href="two.html#toy-2">instead: Lemma 2</a> · \
<a href="../../claims/toy-1.html">its page</a></p>\
<details class="offer nearby"><summary>rests on</summary><svg></svg></details><!-- nearby -->\
<details class="offer"><summary>cite</summary><pre>@misc{}</pre></details>
</div>
<p><em>Proof.</em> First.</p>
<p>Then. <span class="math notranslate">\\(\\square\\)</span></p>
<p>Something else.</p>
"""
TITLE = '<p class="admonition-title">'
FOLDED = (
    BOX.replace(TITLE, f'<details class="fold">\n<summary>\n{TITLE}')
    .replace("(Sums)</p>", "(Sums)</p>\n</summary>")
    .replace("\n</div>\n<p><em>", "\n</details>\n</div>\n<p><em>")
)
PAGE = "<html><head><title>A toy &#8212; book</title></head><body>{}</body></html>"


@pytest.mark.parametrize("box", [BOX, FOLDED])
def test_a_box_is_cut_out_with_its_proof(box: str) -> None:
    cut = claim_boxes.cuts(PAGE.format(box), "notebooks/toy/story.html")["toy-1"]
    soup = BeautifulSoup(cut.box, "html.parser")
    assert "Sums" not in cut.box
    assert [a["href"] for a in soup.select("a")] == [
        "../book/notation.html#x",
        "../notebooks/toy/story.html#toy-4",
        "../notebooks/toy/two.html#toy-2",
    ]
    assert "<a data-preview" in cut.box
    for gone in ("rests on", "cite", "fold", "its page"):
        assert gone not in cut.box
    assert cut.box.count("<div") == cut.box.count("</div>")
    assert cut.box.count("<details") == cut.box.count("</details>") == 1
    assert soup.select_one("details[open] pre.copied") is not None
    assert "Then." in cut.proof
    assert "Something else" not in cut.proof


def test_an_instance_is_python_with_exact_fractions() -> None:
    instance = {"x": ["1/2", 3, [0.5, "inf"]], "f_h'": {"n": "-2/7"}}
    names: dict[str, object] = {}
    exec(claim_pages.as_code(instance), names)
    assert names["instance"] == {
        "x": [Fraction(1, 2), 3, [0.5, "inf"]], "f_h'": {"n": Fraction(-2, 7)}
    }  # fmt: skip
    assert "Fraction" not in claim_pages.as_code({"x": 1})


def test_the_instance_is_that_of_the_part_that_decides() -> None:
    good = {"outcome": "holds", "instance": {"x": 1}}
    bad = {"outcome": "refuted", "instance": {"x": 2}}
    assert claim_pages.instance(entry("1", "refuted", parts=[good, bad])) == {"x": 2}
    assert claim_pages.instance(entry("1", "refuted", parts=[{"outcome": "refuted"}])) == {}


@pytest.fixture
def pages(book: Path, monkeypatch: pytest.MonkeyPatch) -> claim_pages.Pages:
    (book / "CITATION.cff").write_text(
        "cff-version: 1.2.0\nmessage: m\ntitle: 'Toys: a book'\nversion: '1'\n"
        "date-released: 2026-11-20\nauthors:\n  - name: the toymakers\n"
    )
    (book / changes.FILE).write_text("- {date: '2026-11-20', claim: toy-1, what: new, digest: a}\n")
    return claim_pages.Pages(book, book, few(), {"toy/story": "A toy"})


def test_a_page_says_what_rests_on_the_claim_what_holds_instead_and_its_history(
    pages: claim_pages.Pages,
) -> None:
    refuted = pages.entries["toy-1"]
    page = pages.page(refuted, claim_boxes.Cut("<p>the box</p>", ""))
    soup = BeautifulSoup(page, "html.parser")
    said = {s["id"]: s.get_text(" ", strip=True) for s in soup.select("section")}
    assert "the box" in page
    assert "a sign" in said["why"]
    assert "text <1-corrected>" in said["instead"]
    assert "Lemma 2" in said["rests"]
    assert "1-corrected" not in said["rests"]
    assert "2026-11-20: found not to hold as printed." in said["history"]
    assert "@misc{Toys:toy-1," in said["cite"]
    assert "claims/toy-1.html" in said["cite"]
    links = {a["href"] for a in soup.select("a")}
    assert {"toy-2.html", "../notebooks/toy/story.html#toy-1"} <= links


def test_a_definition_has_no_verdict_and_nothing_to_check(pages: claim_pages.Pages) -> None:
    definition = entry("4", STATED, measured="")
    page = pages.page(definition, claim_boxes.Cut("", ""))
    sections = BeautifulSoup(page, "html.parser").select("section")
    assert [s["id"] for s in sections] == ["cite"]


def test_the_list_has_all_claims(pages: claim_pages.Pages) -> None:
    links = BeautifulSoup(pages.index(), "html.parser").select("main li > a")
    assert [a["href"] for a in links] == [f"{e.claim.id}.html" for e in few()]
