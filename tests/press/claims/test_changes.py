"""The changelog knows every erratum, its feed can be read, and no claim loses its name."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from featurebook.press.book.places import BookError
from featurebook.press.claims import changes
from featurebook.press.claims.changes import Change
from stating import state

ROOT = Path(__file__).resolve().parents[3]
ATOM = {"a": changes.ATOM}


def claims(book: Path, **more: str) -> None:
    """One refuted claim with its correction."""
    refuted = {"id": "toy-theorem-1", "number": "Theorem 1", "kind": "theorem", "text": "A $x$.",
               "expected": "refuted", "note": "Why."} | more  # fmt: skip
    mended = {"id": "toy-mended", "number": "Theorem 1, corrected", "kind": "corrected",
              "text": "B.", "expected": "holds", "corrects": "toy-theorem-1"}  # fmt: skip
    state(book, refuted, mended)


def part_of(claim: str) -> str:
    """A part of which no id is known has not been published."""
    return claim.partition("-")[0]


def test_every_erratum_is_in_the_changelog() -> None:
    published = set(map(part_of, changes.known_ids(ROOT)))
    lacking = [c for c in changes.pending(ROOT, "2031-01-01") if part_of(c.claim) in published]
    assert not lacking, f"run `featurebook record --changes`: {[c.claim for c in lacking]}"


def test_no_claim_loses_its_name_and_new_ones_are_listed() -> None:
    known, present = changes.known_ids(ROOT), changes.present_ids(ROOT)
    assert known - present == set(), "ids of claims never vanish; links lead to them"
    published = set(map(part_of, known))
    lacking = {name for name in present - known if part_of(name) in published}
    assert not lacking, "run `featurebook record --changes`"
    assert len(known) >= 1031


def test_an_erratum_is_new_then_changed_then_withdrawn(book: Path) -> None:
    claims(book)
    (new,) = changes.renew(book)
    assert (new.claim, new.what) == ("toy-theorem-1", "new")
    assert changes.pending(book, "2031-01-01") == []
    claims(book, note="Another reason.")
    (changed,) = changes.renew(book)
    assert changed.what == "changed"
    assert changed.digest != new.digest
    claims(book, expected="holds")
    (gone,) = changes.renew(book)
    assert (gone.what, gone.digest) == ("withdrawn", "")
    claims(book)
    assert [c.what for c in changes.renew(book)] == ["new"]
    assert [c.what for c in changes.read(book)] == ["new", "changed", "withdrawn", "new"]
    assert changes.known_ids(book) == {"toy-theorem-1", "toy-mended"}


@pytest.mark.parametrize(
    "text", ["- 3\n", "- {date: 2031-01-01}\n", "- {date: x, claim: y, what: z}\n"]
)
def test_a_damaged_list_of_changes_is_refused(book: Path, text: str) -> None:
    (book / changes.FILE).write_text(text)
    with pytest.raises(BookError, match=r"changes\.yaml"):
        changes.read(book)


def test_the_page_has_the_newest_day_first_and_folds_what_is_many(book: Path, monkeypatch) -> None:
    claims(book)
    old = Change("2031-01-01", "toy-theorem-1", "new", "a")
    changes.write(book, [old, Change("2031-02-01", "toy-theorem-1", "changed", "b")])
    said = changes.page(book, {"toy": "Toy"})
    assert said.index("## 2031-02-01") < said.index("## 2031-01-01")
    assert "**Toy: 1 erratum changed**\n\n- {prf:ref}`toy-theorem-1`: A $x$.\n" in said
    again = [Change("2031-02-01", "toy-theorem-1", "changed", c) for c in "cd"]
    changes.write(book, [*again, Change("2031-01-01", "toy-theorem-1", "changed", "e")])
    assert changes.page(book, {"toy": "Toy"}) == said  # once a day, and not beside "new"
    monkeypatch.setattr(changes, "SHOWN", 0)
    assert ":::{dropdown} Toy: 1 erratum new" in changes.page(book, {"toy": "Toy"})


def test_the_feed_is_atom_with_plain_words_and_the_newest_first(book: Path) -> None:
    claims(book)
    changes.write(
        book,
        [
            Change("2031-01-01", "toy-theorem-1", "new", "a"),
            Change("2031-02-01", "toy-theorem-1", "withdrawn"),
        ],
    )
    feed = ElementTree.fromstring(changes.feed(book, "Toys", "we & us", "https://x.org/toys/"))
    assert feed.tag == f"{{{changes.ATOM}}}feed"
    for name in ("id", "title", "updated"):
        assert feed.findtext(f"a:{name}", namespaces=ATOM)
    assert feed.findtext("a:author/a:name", namespaces=ATOM) == "we & us"
    first, second = feed.findall("a:entry", ATOM)
    assert first.findtext("a:title", namespaces=ATOM) == "toy, Theorem 1: withdrawn"
    assert second.findtext("a:updated", namespaces=ATOM) == "2031-01-01T00:00:00Z"
    assert second.findtext("a:summary", namespaces=ATOM).endswith("A x. Why.")
    assert len({e.findtext("a:id", namespaces=ATOM) for e in (first, second)}) == 2


def test_an_entry_leads_to_the_claims_page(book: Path) -> None:
    claims(book)
    changes.write(book, [Change("2031-01-01", "toy-theorem-1", "new", "a")])
    feed = ElementTree.fromstring(changes.feed(book, "Toys", "we", "https://x.org/toys/"))
    link = feed.find("a:entry/a:link", ATOM)
    assert link is not None
    assert link.get("href") == "https://x.org/toys/claims/toy-theorem-1.html"
