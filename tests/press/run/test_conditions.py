"""Conditions between parameters: read from the notebook, checked before a kernel starts."""

import pytest

from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import conditions, parameters
from featurebook.press.run.conditions import require

CELL = """
# %% tags=["conditions"]
from featurebook.press.show import require

require(d < 50 or eps == 0, "noise only below d = 50")
require(all(s <= 2 * d for s in sizes if s > 1), "sizes at most 2 d")
"""


@pytest.fixture
def toy(book):
    chapter = find_chapter(book, "toy")
    chapter.notebook.write_text(chapter.notebook.read_text(encoding="utf-8") + CELL)
    return chapter


def test_values_that_fit_together_pass(toy):
    assert parameters.final_values(toy)["d"] == 24
    assert conditions.read(toy.notebook)[0].names == ["d", "eps"]


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        (["d=60"], ["d = 60, eps = 0.01: must have noise only below d = 50"]),
        (["d=60", "eps=0"], []),
        (["d=5"], ["sizes = [20, 40], d = 5: must have sizes at most 2 d"]),
        (["d=5", "sizes=[1, 10]"], []),
    ],
)
def test_values_that_do_not_are_refused_with_what_they_are(toy, settings, lines):
    if not lines:
        parameters.final_values(toy, settings=settings)
        return
    with pytest.raises(BookError) as error:
        parameters.final_values(toy, settings=settings)
    assert [set(x.partition(":")[0].split(", ")) for x in str(error.value).splitlines()] == [
        set(x.partition(":")[0].split(", ")) for x in lines
    ]
    assert str(error.value).partition(": ")[2] == lines[0].partition(": ")[2]


def test_the_same_line_stops_a_notebook():
    require(True, "always")
    with pytest.raises(BookError, match="P at most d"):
        require(False, "P at most d")


@pytest.mark.parametrize(
    "line", ["print(d)", "require(d)", "require(d > 1, words)", "x = 1", "require(d > 1, 'a', 2)"]
)
def test_another_line_in_the_cell_is_named(toy, line):
    toy.notebook.write_text(f'# %% tags=["conditions"]\n{line}\n')
    with pytest.raises(BookError, match=r"story\.py: .*a conditions cell holds"):
        conditions.read(toy.notebook)


@pytest.mark.parametrize("expression", ["open('x')", "d.real > 1", "(lambda: 1)()", "unknown > 1"])
def test_an_invalid_condition_is_not_evaluated(toy, expression):
    toy.notebook.write_text(f'# %% tags=["conditions"]\nrequire({expression}, "words")\n')
    with pytest.raises(BookError, match="a condition may hold parameters"):
        conditions.check(toy.notebook, {"d": 3})


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 < d <= 3", True), ("d in [1, 2]", False), ("-d ** 2 + 10 == 1", True),
        ("(d if d > 1 else 0) // 2 == 1", True), ("not d % 2", False), ("sizes[0] + 1 == 6", True),
        ("sum(sizes) == max(sizes)", True), ("abs(d - 7) / 2 != 2", False),
    ],
)  # fmt: skip
def test_expressions_have_pythons_meaning(toy, expression, value):
    toy.notebook.write_text(f'# %% tags=["conditions"]\nrequire({expression}, "words")\n')
    if value:
        conditions.check(toy.notebook, {"d": 3, "sizes": [5]})
    else:
        with pytest.raises(BookError, match="words"):
            conditions.check(toy.notebook, {"d": 3, "sizes": [5]})
