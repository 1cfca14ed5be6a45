"""The landing page's counts are the ledger's, and ours are told from the papers'."""

import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.press.book.places import parts
from featurebook.press.site import landing
from made_up import entry, few

CELL = {"label": "a", "paper": 2.0, "ours": 1.0, "low": 0.5}
CELLS = [CELL | {"high": 1.5, "agrees": False}, CELL | {"high": 2.5, "agrees": True}]


def test_what_is_new_is_counted():
    more = [
        entry("5", "vacuous"),
        entry("6", "holds", number="Ours 1", text="A finding", ours=True, first_look="the range"),
        entry("7", "inconclusive", cells=CELLS),
        entry("8", "not run"),
    ]
    said = landing.whats_new([*few(), *more], {"toy": "Toy"})
    flat = said.replace("\n", " ")
    assert "The book makes 9 statements and judges 7 of them" in flat
    assert "3 hold, 1 is refuted, 1 is vacuous, 1 shows the trend, 1 stays inconclusive." in flat
    assert "1 claim or its check changed after a first look" in flat
    assert "**1 of them does not hold as printed.**" in flat
    assert "- Toy, {prf:ref}`toy-1`: text \\<1>. *Refuted*; 2 others rest on it. a sign\n" in said
    assert "1 finding of our own" in flat
    assert "1 bound that" in flat
    assert "Of 2 printed numbers computed again, 1 lie in our interval" in flat


def test_those_on_which_most_rests_come_first(monkeypatch):
    monkeypatch.setattr(landing, "MOST", 1)
    entries = [*few(), entry("9", "refuted", numbers={"true": 0})]
    said = landing.whats_new(entries, {"toy": "Toy"})
    assert said.count("*Refuted*") == 1
    assert "`toy-1`" in said


def test_a_card_names_paper_finding_counts_and_time(book):
    (book / "book" / "references.bib").write_text(
        "@inproceedings{key, author = {Doe, Ann and Roe, Bob and Poe, Cy}, title = {T},"
        " booktitle = {Toys}, year = {2031}}"
    )
    (toy,) = parts(book)
    words = "The answer is {cite:t}`a`. " + "word " * 720
    toy.chapters[0].notebook.write_text(
        f"# %% [markdown]\n# # A toy: small\n#\n# {words}\n", encoding="utf-8"
    )
    picture = new_output("display_data", {"image/svg+xml": "<svg/>"})
    style = {"tags": ["card"], "mystnb": {"image": {"alt": "A\n square."}}}
    cell = new_code_cell("x", metadata=style, outputs=[picture])
    nbformat.write(new_notebook(cells=[cell]), toy.chapters[0].executed)
    svg, text = landing.card(toy, few())
    assert svg == "<svg/>"
    assert "*Doe, Roe and Poe, Toys, 2031*\n" in text
    assert "\nThe answer is a.\n" in text
    assert "{bdg-light}`4 min` ✓ 2 holds · ✗ 1 refuted · ↗ 1 trend\n" in text
    assert ":img-alt: A square.\n" in text


def test_the_answer_stands_before_what_to_take_away(book):
    (toy,) = parts(book)
    toy.chapters[0].notebook.write_text(
        "# %% [markdown]\n# # A toy\n#\n# From {cite:t}`a`.\n#\n# Is it? Yes, it\n# is. More.\n#\n"
        "# **What to take away**\n#\n# - This.\n",
        encoding="utf-8",
    )
    assert landing.opening(toy.chapters[0]) == ("A toy", "Is it? Yes, it is.")
