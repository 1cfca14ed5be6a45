"""Everything that can be wrong with a part's claims is said in a line that names it."""

import pytest
import yaml

from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.claims import statements


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy").part


def entry(name="toy-a", **changes):
    return {"id": name, "number": "1", "kind": "lemma", "text": "t", "expected": "holds"} | changes


def write(path, *entries):
    path.write_text(yaml.safe_dump({"paper": "p", "claims": list(entries)}))


def test_a_file_is_read(toy):
    write(
        toy.claims, entry(rests_on=["toy-b"], note="n", place="S. 3"), entry("toy-b", expected=None)
    )
    found = statements.read(toy.claims)
    assert found.paper == "p"
    assert [c.id for c in found.claims] == ["toy-a", "toy-b"]
    assert found["toy-a"].rests_on == ("toy-b",)
    assert (found["toy-a"].note, found["toy-b"].expected) == ("n", None)


def test_what_a_verdict_was_is_kept_with_why_it_changed(toy):
    write(toy.claims, entry(was=["refuted", "trend"], first_look="A proof was found."))
    assert statements.read(toy.claims)["toy-a"].was == ("refuted", "trend")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (entry(kind="conjecture"), "toy-a: kind 'conjecture' is not one of"),
        (entry(expected="true"), "toy-a: expected 'true': not one of"),
        (entry(expects="holds"), "toy-a: unknown keys ['expects']"),
        ({"id": "toy-a", "kind": "lemma", "expected": None}, "toy-a: lacks ['number', 'text']"),
        (entry(rests_on="toy-b"), "toy-a: rests_on must be a list, not 'toy-b'"),
        (entry(text=None), "toy-a: text must be text, not None"),
        (entry(ours="yes"), "toy-a: ours must be true or false"),
        (entry(was=["true"], first_look="Why."), "toy-a: was 'true': not one of"),
        (entry(was=["holds"], first_look="Why."), "toy-a: was holds, and is expected so again"),
        (entry(was=["trend"]), "toy-a: its verdict changed, and no first_look says why"),
        ({"number": "1"}, "an entry without id"),
        ("toy-a", "an entry without id"),
    ],
)
def test_a_bad_entry_is_named(toy, bad, message):
    write(toy.claims, entry("toy-good"), bad)
    with pytest.raises(BookError) as error:
        statements.read(toy.claims)
    assert str(error.value).startswith("toy.yaml: ")
    assert message in str(error.value)
    assert "toy-good" not in str(error.value)


def test_every_bad_entry_has_a_line(toy):
    write(toy.claims, entry("toy-x", kind="?"), entry("toy-y", expected="?"))
    with pytest.raises(BookError) as error:
        statements.read(toy.claims)
    first, second = str(error.value).splitlines()
    assert "toy-x" in first
    assert "toy-y" in second


@pytest.mark.parametrize(
    "content",
    [
        "paper: p",
        "- a",
        "claims: []\npaper: p\nmore: 1",
        "paper: [",
        "",
        "paper: p\nclaims:",
        "paper: p\nclaims: 3",
        "[" * 5000,
        b"\xff\x00\x01",
    ],
)
def test_a_bad_file_is_named(toy, content):
    toy.claims.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BookError, match=r"toy\.yaml"):
        statements.read(toy.claims)


def test_a_missing_file_is_named(toy):
    toy.claims.unlink()
    with pytest.raises(BookError, match=r"toy\.yaml is missing"):
        statements.read(toy.claims)
