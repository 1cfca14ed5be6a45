"""The printed tables, and ours beside them."""

import numpy as np
import pandas as pd
import pytest
import torch

from featurebook.chapters.feature_emergence import printed, resnet
from featurebook.core import generator


def test_table_7_norms_recover_known_vectors() -> None:
    v = torch.randn(3, 50, generator=generator(0, "v"), dtype=torch.float64)
    v[1] *= 3
    norms, residual = printed.norms_of_table_7(resnet.early_cosines(v).tolist())
    assert np.allclose(norms, (v.norm(dim=1) / v[0].norm()).numpy())
    assert np.abs(residual).max() < 1e-9


def test_printed_tables() -> None:
    assert printed.printed(1, "parity").loc["test", "NTK"] == 86.4
    with pytest.raises(KeyError, match="no setting"):
        printed.printed(1, "nothing")


def test_agreement_by_table_and_method() -> None:
    cells = pd.DataFrame(
        [("d=100: NTK, train", 80.0, 84.0, 79.0, 90.0),
         ("d=100: NTK, test", 80.0, 90.0, 85.0, 95.0),
         ("d=100: RF, cos", 0.1, 0.1, 0.0, 0.2)],
        columns=["label", "paper", "ours", "low", "high"],
    )  # fmt: skip
    found = printed.agreement({3: cells}).set_index("method")
    assert found.loc["NTK", ["numbers", "agree"]].tolist() == [2, 1]
    assert found.loc["NTK", "worst"] == "d=100: NTK, test"
    assert found.loc["RF", "agree"] == 1


def test_every_setting_is_listed_once() -> None:
    settings = printed.settings()
    assert len(settings) == len(set(settings)) == 8
    assert sum(printed.printed(*s).notna().sum().sum() for s in settings) == 8 * 17


def test_tables_as_shown() -> None:
    labels = [f"{method}, train" for method in printed.METHODS]
    cells = pd.DataFrame(
        [(label, 80.0, 81.0, low, 90.0) for label, low in zip(labels, [79, 85] * 3, strict=True)],
        columns=["label", "paper", "ours", "low", "high"],
    )
    assert printed.shown(cells).agrees.tolist() == ["yes", "no"] * 3
    table = printed.agreement_table(printed.agreement({2: cells, 4: cells}))
    assert table.columns.tolist() == [2, 4, "all"]
    assert table["all"].tolist() == ["2 of 2", "0 of 2"] * 3
