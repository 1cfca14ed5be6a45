"""Everything that can be wrong with a chapter's claims is said in a line that names it."""

import pytest
import yaml

from featurebook.press import claims
from featurebook.press.claims import Claim
from featurebook.press.layout import BookError, find_chapter
from featurebook.verdicts import everywhere, only_on


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


def entry(name="toy-a", **changes):
    return {"id": name, "number": "1", "kind": "lemma", "text": "t", "expected": "holds"} | changes


def claim(name, expected="holds", **more):
    return Claim(name, "1", "lemma", "t", expected, **more)


def write(path, *entries):
    path.write_text(yaml.safe_dump({"paper": "p", "claims": list(entries)}))


def test_a_file_is_read(toy):
    write(
        toy.claims, entry(rests_on=["toy-b"], note="n", place="S. 3"), entry("toy-b", expected=None)
    )
    found = claims.read(toy.claims)
    assert found.paper == "p"
    assert [c.id for c in found.claims] == ["toy-a", "toy-b"]
    assert found["toy-a"].rests_on == ("toy-b",)
    assert (found["toy-a"].note, found["toy-b"].expected) == ("n", None)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (entry(kind="conjecture"), "toy-a: kind 'conjecture' is not one of"),
        (entry(expected="true"), "toy-a: expected 'true': not one of"),
        (entry(expects="holds"), "toy-a: unknown keys ['expects']"),
        ({"id": "toy-a", "kind": "lemma", "expected": None}, "toy-a: lacks ['number', 'text']"),
        ({"number": "1"}, "an entry without id"),
        ("toy-a", "an entry without id"),
    ],
)
def test_a_bad_entry_is_named(toy, bad, message):
    write(toy.claims, entry("toy-good"), bad)
    with pytest.raises(BookError) as error:
        claims.read(toy.claims)
    assert str(error.value).startswith("toy.yaml: ")
    assert message in str(error.value)
    assert "toy-good" not in str(error.value)


def test_every_bad_entry_has_a_line(toy):
    write(toy.claims, entry("toy-x", kind="?"), entry("toy-y", expected="?"))
    with pytest.raises(BookError) as error:
        claims.read(toy.claims)
    first, second = str(error.value).splitlines()
    assert "toy-x" in first
    assert "toy-y" in second


@pytest.mark.parametrize(
    "content", ["paper: p", "- a", "claims: []\npaper: p\nmore: 1", "paper: [", ""]
)
def test_a_bad_file_is_named(toy, content):
    toy.claims.write_text(content)
    with pytest.raises(BookError, match=r"toy\.yaml"):
        claims.read(toy.claims)


def test_a_missing_file_is_named(toy):
    toy.claims.unlink()
    with pytest.raises(BookError, match=r"toy\.yaml is missing"):
        claims.read(toy.claims)


def test_a_sound_structure_has_no_problems():
    assert claims.structure_problems([
        claim("a", "refuted", rests_on=("b",)), claim("b", None), claim("c", corrects="a"),
    ]) == []  # fmt: skip


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ([claim("a"), claim("a")], "a: this id stands twice"),
        ([claim("a", rests_on=("z",))], "a: names z, which no claim has"),
        ([claim("a", corrects="z")], "a: names z, which no claim has"),
        ([claim("a", "refuted"), claim("b")], "a: expected refuted, but no claim corrects it"),
        (
            [claim("a", rests_on=("b",)), claim("b", rests_on=("c",)), claim("c", rests_on=("a",))],
            "claims rest on each other in a circle: ",
        ),
        ([claim("a", rests_on=("a",))], "claims rest on each other in a circle: a"),
    ],
)
def test_a_problem_of_structure_is_one_line(found, problem):
    (line,) = claims.structure_problems(found)
    assert line.startswith(problem)
    if "circle" in line:
        assert all(c.id in line for c in found)


def test_directives_and_claims_must_be_the_same(toy):
    assert claims.label_problems(toy, [claim("toy-theorem-1")]) == []
    assert claims.label_problems(toy, [claim("toy-theorem-1"), claim("toy-lost")]) == [
        "notebooks/toy.py: claim toy-lost has no directive"
    ]
    assert claims.label_problems(toy, []) == [
        "notebooks/toy.py: directive toy-theorem-1 has no claim"
    ]
    text = toy.notebook.read_text()
    toy.notebook.write_text(text + '\n# %% [markdown]\nr"""\n:label: toy-theorem-1\n"""\n')
    assert claims.label_problems(toy, [claim("toy-theorem-1")]) == [
        "notebooks/toy.py: directive toy-theorem-1 stands twice"
    ]


def test_the_label_of_another_chapter_is_its_own_affair(toy):
    text = toy.notebook.read_text()
    toy.notebook.write_text(text + '\n# %% [markdown]\nr"""\n:label: other-theorem-1\n"""\n')
    assert claims.label_problems(toy, [claim("toy-theorem-1")]) == []


def verdict(name, outcome="holds"):
    return {"claim": name, "outcome": outcome}


@pytest.mark.parametrize(
    ("expected", "verdicts", "problem"),
    [
        ("holds", [verdict("toy-a")], None),
        (None, [], None),
        ("holds", [], "toy: toy-a has no verdict, expected holds"),
        ("holds", [verdict("toy-a", "refuted")], "toy: toy-a came out refuted, expected holds"),
        ("holds", [verdict("toy-a")] * 2, "toy: toy-a has 2 verdicts"),
        (None, [verdict("toy-a")], "toy: toy-a has a verdict, but expects none"),
        (
            "holds",
            [verdict("toy-a"), verdict("toy-z")],
            "toy: a verdict on toy-z, which no claim has",
        ),
    ],
)
def test_verdicts_must_be_the_expected_ones(toy, expected, verdicts, problem):
    found = claims.verdict_problems(toy, [claim("toy-a", expected)], verdicts)
    assert found == ([problem] if problem else [])


def test_a_claim_about_absent_data_need_not_come_out_as_expected(toy):
    seen = everywhere("toy-a", [True], what="seen")
    other, same = (only_on(seen, source, "MNIST").as_dict() for source in ("digits", "MNIST"))
    assert claims.verdict_problems(toy, [claim("toy-a", "holds")], [other]) == []
    assert claims.verdict_problems(toy, [claim("toy-a", "refuted")], [same])
