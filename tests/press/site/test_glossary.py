"""Words of the glossary: read from its page, linked at their first use."""

from pathlib import Path

from docutils import nodes

from featurebook.press.book.places import papers
from featurebook.press.site import glossary, source
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


def test_sections_give_their_words_with_the_anchors_of_sphinx():
    known = glossary.read(PAGE)
    assert known["common"] == []
    assert [(t.word, t.anchor) for t in known["toy"]] == [
        ("NE", "term-NE"), ("orphan", "term-orphan"), ("orphans", "term-orphans"),
        ("One Step", "term-One-Step"),
    ]  # fmt: skip


def test_the_first_use_of_a_word_or_its_plural_is_a_link_and_no_part_of_a_word():
    waiting = {t.word: t.anchor for t in glossary.read(PAGE)["toy"]}
    found = glossary.linked("NEW or GENE: two orphans, an orphan. NE, and NE.", waiting, "g.html")
    links = [(x.astext(), x["refuri"]) for x in found if isinstance(x, nodes.reference)]
    assert links == [("orphans", "g.html#term-orphans"), ("NE", "g.html#term-NE")]
    assert "".join(x.astext() for x in found) == "NEW or GENE: two orphans, an orphan. NE, and NE."
    assert set(waiting) == {"One Step"}, "the words that are left for the other texts of a page"


def test_every_word_of_the_judgement_is_explained():
    words = [x for x in glossary.words_of_verdicts().splitlines() if x and not x.startswith(" ")]
    assert words == ["```{glossary}", *MEANING, "```"]


def test_every_part_has_words_and_each_is_explained_once():
    known = glossary.read(source.whole(ROOT, glossary.PAGE))
    assert {"common", "verdicts"} <= set(known)
    assert set(known) <= {"common", "verdicts", *(part.name for part in papers(ROOT))}
    words = [t.word for terms in known.values() for t in terms] + list(MEANING)
    assert len(set(words)) == len(words)
    for part in (part for part in papers(ROOT) if part.name in known):
        text = " ".join(c.notebook.read_text(encoding="utf-8") for c in part.chapters)
        used = [t.word for t in known[part.name] if t.word in " ".join(text.split())]
        assert len(used) >= 2, part.name
