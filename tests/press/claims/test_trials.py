"""What the page on trials says, from made-up claims and from the book's own files."""

from dataclasses import replace
from pathlib import Path

from featurebook.press.book.places import papers
from featurebook.press.claims import trials
from featurebook.press.run.tallies import Tally
from made_up import entry

ROOT = Path(__file__).resolve().parents[3]
NAMES = {"toy": "Toys"}


def test_a_changed_verdict_is_listed_with_its_old_ones_and_the_reason() -> None:
    same, other = entry("1", "holds"), entry("2", "holds", was=("trend", "refuted"),
                                             first_look="A sign of $x_*$ was lost.")  # fmt: skip
    said = trials.changed([same, other], NAMES)
    assert "The verdicts of 1 claims" not in said
    assert "The verdict of one claim has changed" in said
    assert "1 from *refuted* to *holds*" in said
    assert ":::{dropdown} Toys: 1 verdict\n" in said
    assert "- {prf:ref}`toy-2`: *trend* to *refuted* to *holds*. A sign of $x_*$" in said
    assert "toy-1" not in said


def test_seeds_are_named_where_the_reason_does_not() -> None:
    changed = entry("1", "mixed", was=("holds",), first_look="Three runs at first.")
    by_seeds = replace(changed, reason="seeds differ")
    assert "another seed gives a different verdict" in trials.changed([by_seeds], NAMES)
    assert "another seed" not in trials.changed([changed], NAMES)


def test_what_was_tried_is_a_table_with_a_total() -> None:
    proved = replace(entry("1", "holds"), certificate="proved on the page",
                     tally=Tally(("holds",) * 8, False))  # fmt: skip
    lines = trials.tried([proved, entry("2", "trend")], NAMES).splitlines()
    assert lines[2] == "| Toys | 2 | 0 | 1 | 0 | 1 | 1 |"
    assert lines[3].startswith("| in total | 2 |")


def test_every_part_has_its_seeds() -> None:
    lines = trials.recorded(ROOT, {}).splitlines()[2:-1]
    assert [p.name for p in papers(ROOT)] == [x.split(" | ")[0].strip("| ") for x in lines]
