"""A claim is stated once, and everything that can be wrong with it is said in a line."""

import pytest

from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.claims import statements
from stating import directive, state


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy").part


def entry(name="toy-a", **changes):
    usual = {"number": "1", "kind": "lemma", "expected": "holds", "text": "A $t$."}
    return {"id": name} | usual | changes


def test_a_claim_is_its_directive_and_its_note(toy):
    state(
        toy.root,
        entry(rests_on=["toy-b"], place="S. 3: (1)", note="n", title="Sums"),
        entry("toy-b", expected=None, place="the book's own, on S. 3"),
        paper="p",
    )
    found = statements.read(toy.claims)
    assert found.paper == "p"
    assert [c.id for c in found.claims] == ["toy-a", "toy-b"]
    first, second = found.claims
    assert (first.title, first.number, first.text) == ("Sums", "1", "A $t$.")
    assert (first.place, first.note, first.rests_on) == ("S. 3: (1)", "n", ("toy-b",))
    assert (first.ours, second.ours, second.expected) == (False, True, None)


def test_a_claim_without_a_printed_number_is_called_by_its_title(toy):
    claim = entry(title="Waves add up")
    del claim["number"]
    state(toy.root, claim)
    assert statements.read(toy.claims)["toy-a"].number == "Waves add up"


def test_kind_number_and_place_follow_from_the_rest(toy):
    state(
        toy.root,
        {
            "id": "toy-a",
            "number": "Lemmas 1, 2",
            "place": "S. 3",
            "expected": "refuted",
            "text": "A",
        },
        {"id": "toy-b", "corrects": "toy-a", "expected": "holds", "text": "B"},
        {"id": "toy-c", "title": "Waves", "expected": "holds", "text": "C"},
        {"id": "toy-d", "number": "(3.1)", "expected": "holds", "text": "D"},
    )
    found = [(c.kind, c.number, c.place, c.ours) for c in statements.read(toy.claims).claims]
    assert found == [
        ("lemma", "Lemmas 1, 2", "S. 3", False),
        ("corrected", "Lemmas 1, 2, corrected", "S. 3", False),
        ("observation", "Waves", "the book's own", True),
        ("observation", "(3.1)", "", False),
    ]


def test_the_text_is_one_paragraph_and_its_displays_are_inline(toy):
    state(toy.root, entry(text="Lines\nof text:\n\n$$\na = b\n$$\n\nand more."))
    assert statements.read(toy.claims)["toy-a"].text == "Lines of text: $a = b$ and more."


def test_options_may_be_quoted(toy):
    state(toy.root, entry(place="'Section 3: it''s (1)'"))
    assert statements.read(toy.claims)["toy-a"].place == "Section 3: it's (1)"


def test_what_a_verdict_was_is_kept_with_why_it_changed(toy):
    state(toy.root, entry(was=["refuted", "trend"], first_look="A proof was found."))
    assert statements.read(toy.claims)["toy-a"].was == ("refuted", "trend")


def test_a_change_of_a_chapter_is_seen(toy):
    state(toy.root, entry())
    assert statements.read(toy.claims)["toy-a"].expected == "holds"
    state(toy.root, entry(expected="refuted"))
    assert statements.read(toy.claims)["toy-a"].expected == "refuted"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (entry(kind="conjecture"), "toy-a: kind 'conjecture' is not one of"),
        (entry(expected="true"), "toy-a: expected 'true': not one of"),
        (entry(expects="holds"), "toy-a: unknown options expects; known are label"),
        ({"id": "toy-a", "kind": "lemma", "text": "t"}, "toy-a: lacks expected"),
        (entry(text=""), "toy-a: has no text"),
        (entry(title=""), "toy-a: has no title"),
        (entry("other-a"), "other-a: the id of a claim begins with toy-"),
        (entry(note=3), "toy-a: note must be text, not 3"),
        (entry(was="trend"), "toy-a: was must be a list, not 'trend'"),
        (entry(was=["true"], first_look="Why."), "toy-a: was 'true': not one of"),
        (entry(was=["holds"], first_look="Why."), "toy-a: was holds and is expected so again"),
        (entry(was=["trend"]), "toy-a: its verdict changed, and no first_look says why"),
    ],
)
def test_a_bad_claim_is_named(toy, bad, message):
    state(toy.root, entry("toy-good"), bad)
    with pytest.raises(BookError) as error:
        statements.read(toy.claims)
    assert str(error.value).startswith("notebooks/toy/story.py: ")
    assert message in str(error.value)
    assert "toy-good" not in str(error.value)


def test_every_bad_claim_has_a_line(toy):
    state(toy.root, entry("toy-x", kind="?"), entry("toy-y", expected="?"))
    with pytest.raises(BookError) as error:
        statements.read(toy.claims)
    first, second = str(error.value).splitlines()
    assert "toy-x" in first
    assert "toy-y" in second


def test_a_claim_without_a_label_is_named_by_its_title(toy):
    state(toy.root, entry())
    story = toy.chapters[0].notebook
    story.write_text(story.read_text().replace(":label: toy-a\n", ""))
    with pytest.raises(BookError, match="the claim 'A title' has no label"):
        statements.read(toy.claims)


@pytest.mark.parametrize("notes", ["notes: {toy-gone: {note: n}}", "notes: {toy-a: n}"])
def test_a_note_belongs_to_a_claim(toy, notes):
    state(toy.root, entry())
    toy.claims.write_text(f"paper: p\n{notes}\n")
    with pytest.raises(BookError, match=r"toy-gone, which no chapter states|must be a mapping"):
        statements.read(toy.claims)


@pytest.mark.parametrize(
    "content",
    ["notes: {}", "- a", "paper: p\nmore: 1", "paper: [", "", "paper: p\nnotes: 3",
     "[" * 5000, b"\xff\x00\x01"],
)  # fmt: skip
def test_a_bad_file_is_named(toy, content):
    toy.claims.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BookError, match=r"toy\.yaml"):
        statements.read(toy.claims)


def test_a_missing_file_is_named(toy):
    toy.claims.unlink()
    with pytest.raises(BookError, match=r"toy\.yaml: cannot be read: No such file"):
        statements.read(toy.claims)


def test_claims_are_found_in_the_chapters_that_state_them(toy):
    state(toy.root, entry(), entry("toy-b"))
    assert list(statements.homes(toy)) == ["toy-a", "toy-b"]
    assert "```{claim} A title\n:label: toy-a" in directive(entry())


def test_a_claim_is_not_named_twice(toy):
    unnumbered = {"id": "toy-a", "title": "At $d+1$", "expected": None, "text": "A."}
    state(toy.root, unnumbered, entry("toy-b", title="Sums"))
    first, second = statements.read(toy.claims).claims
    assert (first.number, first.subtitle) == ("At d + 1", "")
    assert (second.number, second.subtitle) == ("1", "Sums")
