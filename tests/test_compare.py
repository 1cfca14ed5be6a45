"""Bounds beside the truth, printed numbers beside ours."""

import math

import numpy as np
import pandas as pd
import pytest
import torch

from featurebook import compare, verdicts


def test_bounds_say_where_they_are_true_and_where_they_bite():
    d = np.array([1.0, 2, 4, 8])
    found = compare.bounds(d, 1 / d, {"printed": 1 / d**2, "corrected": 2 / d})
    assert list(found) == ["x", "exact", "printed", "printed true", "printed bites", "corrected",
                           "corrected true", "corrected bites"]  # fmt: skip
    assert found["printed true"].tolist() == [True, False, False, False]
    assert found["corrected true"].all()
    assert found["corrected bites"].tolist() == [False, False, True, True]
    against = compare.bounds(d, 1 / d, {"b": 2 / d}, trivial=1 / d)
    assert not against["b bites"].any()


def test_what_is_no_number_is_not_true():
    assert not compare.bounds([1.0], [math.nan], {"b": 1.0})["b true"].any()
    assert not compare.bounds([1.0], [0.5], {"b": math.nan})["b true"].any()


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ([0, 0, 1, 1], "for d ≥ 1,000"),
        ([1, 1, 0, 0], "for d ≤ 100"),
        ([1, 1, 1, 1], "everywhere from d = 10 to 10,000"),
        ([0, 0, 0, 0], "nowhere up to d = 10,000"),
        ([0, 1, 1, 0], "at 2 of 4 values of d, 100 to 1,000"),
    ],
)
def test_where_a_bound_bites_in_words(says, words):
    assert compare.bites([10, 100, 1000, 10000], says, "d") == words
    assert compare.bites([10000, 1000, 100, 10], says[::-1], "d") == words


def test_a_bound_evaluated_nowhere_bites_nowhere():
    assert compare.bites([], [], "d") == "nowhere"


def test_printed_numbers_beside_ours():
    cells = compare.beside(
        {"a": 1.0, "b": 9.0}, {"a": [0.9, 1.0, 1.1], "b": torch.tensor([1.0, 2])}
    )
    assert list(cells) == ["label", "paper", "ours", "low", "high", "agrees"]
    mean, low, high = verdicts.mean_interval([0.9, 1.0, 1.1], next_value=True)
    assert cells.iloc[0].tolist() == ["a", 1.0, mean, low, high, True]
    assert (
        verdicts.relabelled(verdicts.reproduction(cells), "x").numbers["agreeing"]
        == cells.agrees.sum()
        == 2
    )
    narrow = compare.beside({"b": 9.0}, {"b": [1.0, 1.1, 1.2]}, within=(0, 1.15), next_value=False)
    assert narrow.high[0] == 1.15
    assert not narrow.agrees[0]
    with pytest.raises(KeyError, match="'c'"):
        compare.beside({"c": 1.0}, {"a": [1.0]})


def test_means_of_groups():
    frame = pd.DataFrame({"m": [1, 1, 1, 2, 2, 2], "k": list("ababab"), "y": [1.0, 2, 3, 4, 5, 9]})
    found = compare.means(frame, "m", "y")
    assert found.index.name == "m"
    assert tuple(found.loc[1]) == (*verdicts.mean_interval([1.0, 2, 3]), 3)
    pairs = compare.means(frame, ["m", "k"], "y", within=(0, 10))
    assert pairs.index.names == ["m", "k"]
    assert pairs.loc[(1, "b"), "runs"] == 1
    assert (pairs.loc[(1, "b"), "low"], pairs.loc[(1, "b"), "high"]) == (0, 10)


def test_a_readable_table():
    cells = compare.beside({"a": 1.0, "b": 9.0}, {"a": [0.9, 1.0, 1.1], "b": [1.0, 1.1, 1.2]})
    found = compare.readable(cells, 2)
    assert found.loc["a"].tolist() == ["1", "1", "[0.5, 1.5]", "✓"]
    assert found.loc["b", "agrees"] == "✗"
