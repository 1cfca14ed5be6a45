"""Printed tables against ours: message first, then the numbers, by a tolerance fixed beforehand."""

import math

import pytest

from featurebook.verdicts.comparisons import inequality
from featurebook.verdicts.printing import against_print

PAPER = {"network": "100.0", "NTK": "85.3", "RF": "75.1"}
OURS = {"network": [99.9, 100.0, 100.1], "NTK": [85.2, 85.3, 85.4], "RF": [75.1, 75.3, 75.5]}


def test_what_is_printed_and_what_is_true_holds():
    found = against_print(PAPER, OURS, messages={"the network is best": True}, what="Table 2")
    assert found.outcome == "holds"
    assert found.measured == (
        "the message holds; median difference 0, largest 0.2 (RF); 3 of 3 within tolerance: Table 2"
    )
    assert [part.title for part in found.parts] == ["the network is best", "numbers of Table 2"]
    assert found.numbers["messages"] == found.numbers["true_messages"] == 1
    assert found.cells[2]["paper"] == 75.1


def test_the_tolerance_is_twice_our_spread_and_half_a_unit():
    (cell,) = against_print({"a": "1.0"}, {"a": [1.0, 1.2]}).cells
    spread = math.sqrt(0.02)
    assert cell["tolerance"] == pytest.approx(2 * spread + 0.05)
    assert (cell["low"], cell["high"]) == pytest.approx(
        (1.1 - 2 * spread - 0.05, 1.1 + 2 * spread + 0.05)
    )


def test_a_printed_spread_decides_alone():
    tight = against_print({"a": "1.0"}, {"a": [0.0, 2.5]}, spread=0.1)
    assert (tight.outcome, tight.cells[0]["tolerance"]) == ("open", 0.2)
    assert against_print({"a": "1.0"}, {"a": 1.2}, spread={"a": 0.1}).outcome == "holds"
    assert against_print({"a": "1.0"}, {"a": 1.21}, spread={"a": 0.1}).reason == "unlike print"


@pytest.mark.parametrize(
    ("printed", "unit"), [({"a": "85.30"}, 0.01), ({"a": 85.3, "b": 2}, 0.1), ({"a": "85"}, 1)]
)
def test_the_unit_is_that_of_the_last_printed_digit(printed, unit):
    cell = against_print(printed, {"a": [1, 1], "b": [1, 1]}).cells[0]
    assert cell["tolerance"] == pytest.approx(unit / 2)
    assert against_print(printed, {"a": [1, 1], "b": [1, 1]}, unit=4).cells[0]["tolerance"] == 2


def test_a_message_that_is_not_true_is_not_seen():
    found = against_print(
        PAPER, OURS, messages={"worst is RF": True, "NTK by 10": inequality(10.5, 10.2)}
    )
    assert (found.outcome, found.reason) == ("open", "not seen")
    assert found.measured.startswith("1 of 2 messages hold; not seen: NTK by 10; median ")
    alone = against_print(PAPER, OURS, messages={"order": False})
    assert alone.measured.startswith("the message fails; not seen: order; median ")


def test_cells_that_deviate_are_named_with_their_cause():
    found = against_print(
        PAPER, OURS | {"NTK": [80.0, 80.2], "RF": [79, 79]}, messages={"order": True},
        causes={"NTK": "with the printed step size 85.2"},
    )  # fmt: skip
    assert (found.outcome, found.reason, found.detail) == ("open", "unlike print", "NTK, RF")
    assert found.measured.endswith("largest 5.2 (NTK); 1 of 3 within tolerance, 1 explained")
    assert [cell["cause"] for cell in found.cells] == ["", "with the printed step size 85.2", ""]


def test_one_seed_without_a_printed_spread_decides_nothing():
    found = against_print(PAPER, {k: v[0] for k, v in OURS.items()})
    assert (found.outcome, found.reason) == ("open", "too few")
    assert found.measured.endswith("; one seed gives no tolerance")


def test_labels_that_do_not_fit_are_named():
    with pytest.raises(KeyError, match="RF"):
        against_print(PAPER, {"network": 1, "NTK": 1})
    with pytest.raises(KeyError, match="SVM"):
        against_print(PAPER, OURS, causes={"SVM": "none"})
    assert against_print({}, {}).reason == "nothing tried"
