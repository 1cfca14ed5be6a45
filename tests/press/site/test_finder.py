"""What the finder and the ledger load."""

import json
from pathlib import Path

import pytest

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


def test_rows_go_from_the_page_into_a_script(tmp_path: Path) -> None:
    page = tmp_path / finder.LEDGER
    page.parent.mkdir(parents=True)
    (tmp_path / "claims").mkdir()
    page.write_text(
        "<html><head></head><table class='ledger'><thead><tr><th>claim</th></tr></thead>"
        "<tbody data-part='A &amp; B'><tr class='chapter'><th>A</th></tr>"
        "<tr id='claim-toy-1' data-verdict='refuted'><td>x</td></tr></tbody></table></html>"
    )
    finder.take_rows(tmp_path, [entry("1", "refuted")])
    text = page.read_text()
    assert "claim-toy-1" not in text
    assert '<script defer src="../../claims/ledger.js"></script>' in text
    assert "claims/index.html" in text
    said = (tmp_path / finder.ROWS).read_text().removeprefix("ledgerOf(").removesuffix(");\n")
    assert json.loads(said) == [
        {
            "part": "A & B",
            "head": "<tr class='chapter'><th>A</th></tr>",
            "rows": [["toy-1", "refuted", "lemma", "<td>x</td>"]],
        }
    ]
