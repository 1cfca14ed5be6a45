"""Words of the glossary: read from its page, linked at their first use."""

from pathlib import Path

from featurebook.press.book.places import papers
from featurebook.press.site import glossary, pages
from featurebook.verdicts import MEANING

ROOT = Path(__file__).resolve().parents[3]
PAGE = """# Glossary

(glossary-common)=
## Common

No words.

(glossary-toy)=
## Toy

```{glossary}
NE
  An error, *normal*.

orphan
orphans
  Nobody's kernel.

One Step
  A rival.
```
"""


def linked(body: str) -> str:
    return glossary.linked(body, glossary.read(PAGE)["toy"], "g.html")


def test_sections_give_their_words_with_the_anchors_of_sphinx():
    known = glossary.read(PAGE)
    assert known["common"] == []
    assert [(t.word, t.anchor) for t in known["toy"]] == [
        ("NE", "term-NE"), ("orphan", "term-orphan"), ("orphans", "term-orphans"),
        ("One Step", "term-One-Step"),
    ]  # fmt: skip


def test_the_first_use_of_a_word_or_its_plural_is_a_link():
    body = "<p>Two orphans, an orphan. NE, and NE. One Step.</p>"
    found = linked(body)
    assert found.count("<a ") == 3
    assert 'Two <a class="term" href="g.html#term-orphans">orphans</a>, an orphan.' in found
    assert '<a class="term" href="g.html#term-NE">NE</a>, and NE.' in found
    assert 'href="g.html#term-One-Step"' in found


def test_headings_links_code_formulas_and_parts_of_words_are_left_alone():
    for body in (
        "<h2>NE</h2>", "<a href='x'>NE</a>", "<pre>NE</pre>", "<code>NE</code>", "<p>NEW, GENE</p>",
        '<span class="math notranslate nohighlight">\\(NE\\)</span>', '<img alt="NE">',
        "<td><table><tr><td>NE</td></tr></table></td>",
    ):  # fmt: skip
        assert linked(body) == body
    assert "term-NE" in linked("<a><code>NE</code></a> NE")


def test_a_verdict_leads_from_its_reason_to_what_it_means():
    verdict = "<strong>? open (not seen)</strong>"
    link = '<a class="term" href="g.html#term-not-seen">not seen</a>'
    assert glossary.with_reasons(verdict, "g.html") == verdict.replace("not seen", link)
    for other in ("<p>(not seen)</p>", "<strong>(anything)</strong>"):
        assert glossary.with_reasons(other, "g.html") == other


def test_every_word_of_the_judgement_is_explained():
    words = [x for x in glossary.words_of_verdicts().splitlines() if x and not x.startswith(" ")]
    assert words == ["```{glossary}", *MEANING, "```"]


def test_every_part_has_words_and_each_is_explained_once():
    known = glossary.read(pages.whole(ROOT, pages.GLOSSARY))
    assert {"common", "verdicts"} <= set(known)
    assert set(known) <= {"common", "verdicts", *(part.name for part in papers(ROOT))}
    words = [t.word for terms in known.values() for t in terms] + list(MEANING)
    assert len(set(words)) == len(words)
    for part in (part for part in papers(ROOT) if part.name in known):
        text = " ".join(c.notebook.read_text(encoding="utf-8") for c in part.chapters)
        used = [t.word for t in known[part.name] if t.word in " ".join(text.split())]
        assert len(used) >= 2, part.name
