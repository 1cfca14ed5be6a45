"""Symbols of the notation page: read from its tables, linked at their first use."""

from pathlib import Path

import pytest

from featurebook.press.book.places import papers
from featurebook.press.site import pages, symbols

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


def math(tex: str) -> str:
    return f'<span class="math notranslate nohighlight">\\({tex}\\)</span>'


def test_sections_give_their_symbols_with_meaning_and_anchor():
    known = symbols.read(PAGE)
    assert {k: [(s.tex, s.meaning) for s in v] for k, v in known.items()} == {
        "common": [("t", "time"), ("s", "time")],
        "toy": [("s", "the share of x₁"), (r"\mathbf{v}_k", 'a "feature"')],
    }
    assert symbols.short_names(PAGE) == {"common": "Common", "toy": "Toy"}
    assert [s.anchor for s in known["toy"]] == ["symbol-toy-1", "symbol-toy-2"]


def test_a_chapters_own_meaning_wins_and_pages_without_any_get_none():
    known = symbols.read(PAGE)
    assert [(s.tex, s.meaning) for s in symbols.of_part(known, "toy")][::2] == [
        ("s", "the share of x₁"), ("t", "time"),
    ]  # fmt: skip
    assert symbols.of_part(known, "ledger") == []


def test_only_the_first_use_is_linked_and_none_in_headings_links_or_captions():
    known = symbols.of_part(symbols.read(PAGE), "toy")
    v = math(r"\mathbf v_k")
    body = f"<h2>{v}</h2><p><a href='x'>{v}</a></p><figcaption>{v}</figcaption><p>{v} and {v}</p>"
    found = symbols.linked(body, known, "../book/notation.html")
    title = "a &quot;feature&quot; (notation)"
    link = f'<a class="symbol" href="../book/notation.html#symbol-toy-2" title="{title}">{v}</a>'
    assert found == body.replace(f"<p>{v} and", f"<p>{link} and")


def test_the_page_gets_an_anchor_at_each_symbol_of_its_section():
    known = symbols.read(PAGE)
    part = '<span id="notation-{0}"></span><table>{1}</table>'
    body = part.format("common", math("t") + math("s")) + part.format("toy", math("s"))
    found = symbols.anchored(body, known)
    for tex, anchor in (("t", "symbol-common-1"), ("s", "symbol-common-2"), ("s", "symbol-toy-1")):
        assert f'<span id="{anchor}">{math(tex)}</span>' in found
    assert "symbol-toy-2" not in found


@pytest.mark.parametrize("stem", [part.name for part in papers(ROOT)])
def test_every_part_has_symbols_that_a_tooltip_can_explain(stem):
    known = symbols.read(pages.whole(ROOT, pages.NOTATION))
    assert known[stem]
    assert len({s.tex for s in known[stem]}) == len(known[stem])
    for symbol in known[stem]:
        assert symbol.meaning
        assert "\\" not in symbol.meaning
