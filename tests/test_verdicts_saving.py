"""Results of experiments are kept in files and come back as they were."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from featurebook.verdicts import saving
from featurebook.verdicts.verdict import Verdict

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    | st.fractions() | st.complex_numbers(allow_nan=False),
    lambda inside: st.lists(inside) | st.tuples(inside, inside)
    | st.dictionaries(st.integers() | st.text() | st.tuples(st.integers()), inside),
    max_leaves=12,
)  # fmt: skip


@given(plain)
def test_what_is_loaded_equals_what_was_saved(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("kept") / "a.npz"
    saving.save(path, value)
    back = saving.load(path)
    assert back == value
    assert repr(back) == repr(value)


def test_arrays_and_tensors_come_back_to_the_bit(tmp_path):
    path = tmp_path / "a.npz"
    kept = {
        "w": torch.randn(3, 4, dtype=torch.float64),
        "bf": np.arange(6, dtype=np.float16).reshape(2, 3),
        "one": np.float32(0.1),
        "flag": torch.tensor(True),
        "sets": ({1, 2}, frozenset("a"), range(2, 9, 3), Counter("aab"), Fraction(1, 3)),
    }
    saving.save(path, kept)
    back = saving.load(path)
    assert torch.equal(back["w"], kept["w"])
    assert back["bf"].dtype == np.float16
    assert np.array_equal(back["bf"], kept["bf"])
    assert type(back["one"]) is np.float32
    assert bool(back["flag"])
    assert back["sets"] == kept["sets"]


def test_tables_keep_their_columns_index_and_names(tmp_path):
    table = pd.DataFrame({"k": [2, 3], ("a", 1): ["x", None]}, index=pd.Index([5, 7], name="p"))
    saving.save(tmp_path / "a.npz", [table, table["k"]])
    whole, column = saving.load(tmp_path / "a.npz")
    pd.testing.assert_frame_equal(whole, table)
    pd.testing.assert_series_equal(column, table["k"])
    levels = pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["data", "size"])
    saving.save(tmp_path / "b.npz", table.set_index(levels))
    pd.testing.assert_frame_equal(saving.load(tmp_path / "b.npz"), table.set_index(levels))


def test_a_dataclass_of_the_package_comes_back_as_one(tmp_path):
    verdict = Verdict("a", "holds", "measured", {"x": 0.5}, 3)
    saving.save(tmp_path / "a.npz", verdict)
    assert saving.load(tmp_path / "a.npz") == verdict


@dataclass
class Foreign:
    x: int


@pytest.mark.parametrize("value", [Foreign(1), print, np.array([object()]), [{1: Foreign(2)}]])
def test_what_no_file_can_keep_is_named(tmp_path, value):
    with pytest.raises(saving.UnsavableError, match=r"Foreign|builtin|objects"):
        saving.save(tmp_path / "a.npz", value)
    assert not (tmp_path / "a.npz").exists()


def test_a_damaged_or_foreign_file_is_refused(tmp_path):
    bad = tmp_path / "a.npz"
    bad.write_bytes(b"PK no archive")
    with pytest.raises(ValueError, match=r"a\.npz"):
        saving.load(bad)
    saving.save(bad, Verdict("a", "holds", "m", {}, 1))
    with np.load(bad) as members:
        tree = members[saving.TREE].tobytes().replace(b"featurebook.verdicts", b"subprocess.xxxxxx")
    np.savez(bad, **{saving.TREE: np.frombuffer(tree, np.uint8)})
    with pytest.raises(ValueError, match="no class of featurebook"):
        saving.load(bad)


def test_columns_of_a_table_keep_their_kinds_of_numbers(tmp_path):
    table = pd.DataFrame({"a": np.float32([0.1, 2]), "b": np.int32([1, 2]), "c": ["x", "y"]})
    saving.save(tmp_path / "a.npz", table)
    found = saving.load(tmp_path / "a.npz")
    assert list(found.dtypes) == list(table.dtypes)
    assert found.equals(table)


@pytest.mark.parametrize("value", [
    pd.DataFrame({"a": pd.Categorical(["x", "y"])}),
    pd.DataFrame([[1, 2]], columns=["a", "a"]),
    np.ma.masked_array([1, 2], [True, False]),
    torch.zeros(2, dtype=torch.bfloat16),
])  # fmt: skip
def test_what_would_come_back_as_something_else_is_refused(tmp_path, value):
    with pytest.raises(saving.UnsavableError):
        saving.save(tmp_path / "a.npz", value)


def test_a_limit_counts_tables_too(tmp_path):
    with pytest.raises(saving.UnsavableError, match="at most 500 are kept"):
        saving.save(tmp_path / "a.npz", [str(k) for k in range(9999)], 500)
