"""The printed tables, and ours beside them."""

import numpy as np
import pandas as pd
import pytest
import torch

from featurebook import verdicts
from featurebook.core import generator
from featurebook.papers.feature_emergence import printed, resnet


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


@pytest.mark.parametrize("name", ["train", "test", "cos"])
def test_intervals_stay_where_numbers_can_be(name: str) -> None:
    low, high = printed.POSSIBLE[name]
    near_top = low + (high - low) * np.array([0.95, 0.97, 0.99])
    mean, start, end = printed.interval_of_mean(near_top, (low, high), 0.0)
    assert (mean, end) == (pytest.approx(near_top.mean()), high)
    assert low < start < mean


def test_interval_of_another_mean() -> None:
    values = np.array([70.0, 72.0, 73.0])
    half = 4.302652729911275 * values.std(ddof=1) * (1 / 3 + 1 / 5) ** 0.5
    found = printed.interval_of_mean(values, (0, 100), 0.05)
    assert found == pytest.approx((values.mean(), values.mean() - half - 0.05,
                                   values.mean() + half + 0.05))  # fmt: skip


@pytest.mark.parametrize("values", [[80.0, 22.0, 21.0], [50.0]])
def test_runs_that_disagree_agree_with_nothing(values: list[float]) -> None:
    mean, low, high = printed.interval_of_mean(np.array(values), (0, 100), 0.05)
    assert (low, high) == (-np.inf, np.inf)
    cells = pd.DataFrame([("Network, train", mean, mean, low, high)],
                         columns=["label", "paper", "ours", "low", "high"])  # fmt: skip
    assert printed.agreement({4: cells})["agree"].tolist() == [0]
    assert printed.shown(cells)[["from", "to", "agrees"]].to_numpy().tolist() == [["–", "–", "no"]]
    assert verdicts.reproduction(cells).numbers["agreeing"] == 0


def test_sizes_on_a_logarithmic_scale() -> None:
    mean, low, high = printed.interval_of_size(np.array([9, 9, 9, 20]), [3, 9, 20, 50])
    assert mean == pytest.approx((9**3 * 20) ** 0.25)
    assert 3 < low < 9 < mean < high < 50
    assert low * high == pytest.approx(mean**2)  # as far below as above
    assert printed.interval_of_size(np.array([50, 50, 50]), [3, 50])[1:] == pytest.approx((50, 50))
    wide = printed.interval_of_size(np.array([3, 20, 3]), [3, 9, 20, 50])
    assert wide[1:] == (-np.inf, np.inf)


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
