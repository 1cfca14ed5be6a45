"""What does not agree in the book is one line that names it."""

import pytest

from featurebook.press.book.places import find_chapter
from featurebook.press.claims import checks
from featurebook.press.claims.statements import Claim
from featurebook.verdicts import everywhere, only_on, relabelled


@pytest.fixture
def story(book):
    return find_chapter(book, "toy")


@pytest.fixture
def toy(story):
    return story.part


def claim(name, expected="holds", **more):
    return Claim(name, "1", "lemma", "t", expected, **more)


def test_a_sound_structure_has_no_problems():
    assert checks.structure_problems([
        claim("a", "refuted", rests_on=("b",)), claim("b", None), claim("c", corrects="a"),
    ]) == []  # fmt: skip


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ([claim("a"), claim("a")], "a: this id is used twice"),
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
    (line,) = checks.structure_problems(found)
    assert line.startswith(problem)
    if "circle" in line:
        assert all(c.id in line for c in found)


def test_a_claim_is_stated_once(toy, story):
    assert checks.label_problems(toy) == []
    text = story.notebook.read_text()
    story.notebook.write_text(
        text + '\n# %% [markdown]\nr"""\n```{claim} L\n:label: toy-theorem-1\n\nL.\n```\n"""\n'
    )
    assert checks.label_problems(toy) == [
        "notebooks/toy/story.py: directive toy-theorem-1 is used twice in toy"
    ]


def verdict(name, outcome="holds"):
    return {"claim": name, "outcome": outcome}


@pytest.mark.parametrize(
    ("expected", "verdicts", "problem"),
    [
        ("holds", [verdict("toy-a")], None),
        (None, [], None),
        ("holds", [], "toy-a: toy-a has no verdict, expected holds"),
        ("holds", [verdict("toy-a", "refuted")], "toy-a: toy-a came out refuted, expected holds"),
        ("holds", [verdict("toy-a")] * 2, "toy-a: toy-a has 2 verdicts"),
        (None, [verdict("toy-a")], "toy-a: toy-a has a verdict, but expects none"),
        (
            "holds",
            [verdict("toy-a"), verdict("toy-z")],
            "toy/story: a verdict on toy-z, which no claim has",
        ),
    ],
)
def test_verdicts_must_be_the_expected_ones(toy, story, expected, verdicts, problem):
    found = checks.verdict_problems(toy, [claim("toy-a", expected)], {story: verdicts})
    assert found == ([problem] if problem else [])


def test_a_claim_about_absent_data_need_not_come_out_as_expected(toy, story):
    seen = relabelled(everywhere([True], what="seen"), "toy-a")
    other, same = (only_on(seen, source, "MNIST").as_dict() for source in ("digits", "MNIST"))
    assert checks.verdict_problems(toy, [claim("toy-a", "holds")], {story: [other]}) == []
    assert checks.verdict_problems(toy, [claim("toy-a", "refuted")], {story: [same]})


def test_a_verdict_is_in_the_chapter_of_its_claim(toy, story, monkeypatch):
    (toy.root / "_toc.yml").write_text(
        "root: book/index\nchapters: [{file: notebooks/toy/story}, {file: notebooks/toy/more}]\n"
    )
    story.notebook.with_name("more.py").write_text(
        '# %% [markdown]\nr"""\n```{claim} More\n:label: toy-more\n\nM.\n```\n"""'
    )
    known = [claim("toy-theorem-1"), claim("toy-more")]
    more = find_chapter(toy.root, "toy/more")
    assert checks.label_problems(toy) == []
    right = {story: [verdict("toy-theorem-1")], more: [verdict("toy-more")]}
    assert checks.verdict_problems(toy, known, right) == []
    wrong = {story: [verdict("toy-theorem-1"), verdict("toy-more")], more: []}
    assert checks.verdict_problems(toy, known, wrong) == [
        "toy/story: a verdict on toy-more, which toy/more states"
    ]
