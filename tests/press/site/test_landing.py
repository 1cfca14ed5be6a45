"""The landing page's counts are the ledger's, and its words those of the verdicts."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.press.book.places import BookError, parts
from featurebook.press.site import landing
from featurebook.press.site.publish import Home
from featurebook.verdicts import MEANING, OUTCOMES, in_print
from made_up import entry, few

CELL = {"label": "a", "paper": 2.0, "ours": 1.0, "low": 0.5}
CELLS = [CELL | {"high": 1.5, "agrees": False}, CELL | {"high": 2.5, "agrees": True}]


def more() -> list:
    return [
        entry("5", "vacuous"),
        entry("6", "holds", number="Ours 1", text="A finding", ours=True, first_look="the range"),
        entry("7", "open", cells=CELLS),
        entry("8", "not run"),
    ]


def test_the_first_screen_counts_what_was_found() -> None:
    misprint = entry("9", "refuted", kind="misprint")
    entries = [*few(), *more(), misprint]
    said = landing.in_short(entries, [])
    assert "Of 10 statements, we tested 8" in said
    assert "**1 do not hold as printed**; for 1 of them we found a corrected statement" in said
    assert "1 more are misprints" in said
    unclear = landing.in_short([*entries, entry("10", "our text")], [])
    assert unclear == said.replace("Of 10", "Of 11")


def test_verdicts_mean_what_the_code_says() -> None:
    said = landing.verdicts()
    for outcome in OUTCOMES:
        assert f"**{in_print(outcome)}** | {MEANING[outcome]} |" in said


def test_everything_is_counted() -> None:
    said = landing.findings([*few(), *more()], {"toy": "Toy"})
    flat = said.replace("\n", " ")
    assert "The book makes 9 statements: 3 hold, 1 is refuted, 1 is vacuous" in flat
    assert "1 shows the claimed trend, 1 remains open." in flat
    assert "We changed 1 claim after a first look at the numbers, in wording or check" in flat
    assert "1 claim is our own, not a paper's." in flat
    assert "Of 2 recomputed numbers, 1 agree within our interval" in flat
    assert "[All 1 refuted statements](errata/index.md)" in flat


def test_findings_give_the_reason_and_the_correction() -> None:
    said = landing.findings(few(), {"toy": "Toy"})
    assert "**Toy, {prf:ref}`toy-1`**; 2 others depend on it\n: text \\<1>.\n" in said
    assert "\n  *Why not:* a sign.\n" in said
    assert "\n  *Instead*, {prf:ref}`toy-1-corrected`: text \\<1-corrected>.\n" in said


def test_those_on_which_most_rests_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landing, "MOST", 1)
    entries = [entry("9", "refuted", numbers={"true": 0}), *few()]
    said = landing.findings(entries, {"toy": "Toy"})
    assert said.count("*Why not:*") == 1
    assert "`toy-1`" in said
    assert "`toy-9`" not in said


def prepared(book: Path, works: str) -> None:
    (book / "book" / "references.bib").write_text(
        "@inproceedings{key, author = {Doe, Ann and Roe, Bob and Poe, Cy}, title = {T},"
        " booktitle = {Toys}, year = {2031}}\n"
        "@misc{undated, author = {Noe, Dee}, title = {U}}"
    )
    file = book / "book" / "claims" / "toy.yaml"
    before = file.read_text(encoding="utf-8").partition("works:")[0]
    file.write_text(f"{before}works: [{works}]\nplace: Chapter 2\nfinding: It holds.\n")


def test_a_card_names_paper_finding_counts_and_time(book: Path) -> None:
    prepared(book, "key")
    (toy,) = parts(book)
    words = "The answer. " + "word " * 720
    toy.chapters[0].notebook.write_text(
        f"# %% [markdown]\n# # A toy: small\n#\n# {words}\n", encoding="utf-8"
    )
    picture = new_output("display_data", {"image/svg+xml": "<svg/>"})
    style = {"tags": ["card"], "mystnb": {"image": {"alt": "A\n square."}}}
    cell = new_code_cell("x", metadata=style, outputs=[picture])
    nbformat.write(new_notebook(cells=[cell]), toy.chapters[0].executed)
    svg, text = landing.card(toy, few(), [])
    assert svg == "<svg/>"
    assert "{grid-item-card} 1. A toy: small\n" in text
    assert "*Doe, Roe and Poe, Toys, 2031; Chapter 2*\n\nIt holds.\n" in text
    assert "{bdg-light}`4 min` ✓ 2 holds · ✗ 1 refuted · ↗ 1 trend\n" in text
    assert ":img-alt: A square.\n" in text


def test_what_is_not_known_of_a_work_is_left_out(book: Path) -> None:
    prepared(book, "undated, key")
    (toy,) = parts(book)
    assert landing.paper(toy) == "Noe; Doe, Roe and Poe, Toys, 2031; Chapter 2"
    prepared(book, "gone")
    with pytest.raises(BookError, match="works names gone"):
        landing.paper(toy)


def test_authors_reply_where_the_book_is_published() -> None:
    assert "](https://github.com/doe/toys/issues)" in landing.reply(Home("doe/toys"))
    assert "http" not in landing.reply(None)
