"""The landing page's counts are the ledger's, and ours are told from the papers'."""

from made_up import entry, few

from featurebook.press import landing

CELL = {"label": "a", "paper": 2.0, "ours": 1.0, "low": 0.5}
CELLS = [CELL | {"high": 1.5, "agrees": False}, CELL | {"high": 2.5, "agrees": True}]


def test_what_is_new_is_counted():
    more = [
        entry("5", "vacuous"),
        entry("6", "holds", number="Ours 1", text="A finding"),
        entry("7", "inconclusive", cells=CELLS),
        entry("8", "not run"),
    ]
    said = landing.whats_new([*few(), *more], {"toy": "Toy"})
    assert "The book makes 9 statements and judges 7 of them" in said
    assert "3 hold, 1 are refuted, 1 are vacuous, 1 show the trend, 1 stay inconclusive" in (
        said.replace("\n", " ")
    )
    assert "**1 statements do not hold as printed.**" in said
    assert "- Toy, {prf:ref}`toy-1`: text \\<1>. *Refuted*; 2 others rest on it. a sign\n" in said
    assert "- Toy: {prf:ref}`toy-5`\n" in said
    assert "- Toy, {prf:ref}`toy-6`: A finding.\n" in said
    assert "**2 printed numbers were computed again**; 1 lie in our interval." in said


def test_those_on_which_most_rests_come_first(monkeypatch):
    monkeypatch.setattr(landing, "MOST", 1)
    entries = [*few(), entry("9", "refuted", numbers={"true": 0})]
    said = landing.whats_new(entries, {"toy": "Toy"})
    assert said.count("*Refuted*") == 1
    assert "`toy-1`" in said


def test_ours_are_marked_by_number_or_place_and_corrections_are_none():
    assert landing.ours(entry("1", "holds", number="Observation A (ours)"))
    assert landing.ours(entry("1", "holds", place="the book's own"))
    assert not landing.ours(entry("1", "holds", number="Lemma 1", place="Section 4, hours"))
    assert not landing.ours(entry("1", "holds", kind="corrected", place="ours"))
