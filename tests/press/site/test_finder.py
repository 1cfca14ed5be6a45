"""What the finder and the ledger load."""

import json
from pathlib import Path

import pytest

from featurebook.press.book.places import BookError
from featurebook.press.claims.ledger import ClaimTable
from featurebook.press.site import finder
from made_up import entry


@pytest.mark.parametrize(
    ("number", "left_out"),
    [
        ("Tables 1-4", ["2", "3", "4"]),
        ("Tables 6.1 to 6.3", ["6.2", "6.3"]),
        ("Figures 4.2 (a), C.2 (a)", []),
        ("Lemma 3.1", []),
        ("Figures 7 to 9", ["8", "9"]),
    ],
)
def test_a_range_has_the_numbers_within(number: str, left_out: list[str]) -> None:
    assert list(finder.within(number)) == left_out


def test_a_claims_words_are_those_outside_of_formulas() -> None:
    row = finder._claim(entry("1", "refuted", text="The rank of $W_{out}$ falls"), 3)
    assert row[:2] == ["toy-1", "Lemma 1"]
    assert row[3] == 3
    assert row[6].split() == ["falls", "rank", "the"]


def test_the_rows_of_the_ledger_are_in_a_script(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    table = ClaimTable([entry("1", "refuted", text="Let $x$.")], {"toy": "A & B"})
    finder.write_rows(tmp_path, table)
    said = (tmp_path / finder.ROWS).read_text().removeprefix("ledgerOf(").removesuffix(");\n")
    ((part),) = json.loads(said)
    assert (part["part"], part["head"][:20]) == ("A & B", "<tr class='chapter'>")
    ((*about, cells),) = part["rows"]
    assert about == ["toy-1", "refuted", "lemma"]
    assert f"{finder.SHORT}\\(x\\)</span>" in cells
    assert cells.count("<td>") == 2
    assert table._repr_html_().count("<td>") == 2
    assert "<td>" not in table.table()


def pages(root: Path, text: str) -> list[list[object]]:
    file = root / finder.PAGES
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return list(finder._pages(root, {"toy": 0}))


def test_pages_have_an_address_and_the_number_of_their_part(tmp_path: Path) -> None:
    found = pages(tmp_path, '[["book/rerun", "Rerun", "a"], ["notebooks/toy/story", "Toy", "b"]]')
    assert found == [
        ["book/rerun.html", "Rerun", -1, "a"],
        ["notebooks/toy/story.html", "Toy", 0, "b"],
    ]


@pytest.mark.parametrize("text", ["[", "{}", '[["book/rerun", "Rerun"]]', '[["a", "b", 3]]'])
def test_a_damaged_list_of_pages_is_named_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(
        BookError, match=r"^[^\n]*pages\.json: [^\n]*; delete _build/\.doctrees[^\n]*$"
    ):
        pages(tmp_path, text)
