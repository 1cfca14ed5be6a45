"""The printed tables, and ours beside them."""

import numpy as np
import pandas as pd
import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import judging, printed, resnet


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


def test_words_keep_the_printed_digits() -> None:
    words = printed.words(3, "d=2000", "d=2000")
    assert words["d=2000: One Step, test"] == "50.01"
    assert "d=2000: NTK, cos" not in words
    assert len(words) == 17
    with pytest.raises(KeyError, match="no setting"):
        printed.words(1, "nothing")


def test_one_seed_gives_no_tolerance_for_a_cosine() -> None:
    cells = judging.cells({"RF, cos": "0.114"}, {"RF, cos": np.array([0.12])})
    assert printed.shown(cells)[["from", "to", "agrees"]].to_numpy().tolist() == [["–", "–", "no"]]


def test_tolerance_of_an_accuracy_is_twice_the_printed_spread() -> None:
    cells = judging.cells({"RF, test": "76.0"}, {"RF, test": np.array([76.5, 77.3])})
    assert cells.low[0] == pytest.approx(75.9)
    assert cells.high[0] == pytest.approx(77.9)


def as_printed(**changed: float) -> dict[str, np.ndarray]:
    """Table 1 as if we had measured it, but for some numbers."""
    numbers = {label: float(x) for label, x in printed.words(1, "parity").items()}
    return {label: np.array([x, x]) for label, x in (numbers | changed).items()}


def test_print_has_its_own_messages() -> None:
    told = judging.messages(printed.words(1, "parity"), as_printed())
    assert len(told) == 7
    assert all(told.values())
    assert judging.judged(printed.words(1, "parity"), as_printed(), 1).outcome == "holds"


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"Two Step, test": 98.0}, "network and Two Step at 99 %"),
     ({"Two Step, cos": 0.98}, "cosine above 0.99 after step 2"),
     ({"NTK, test": 94.0}, "NTK below the network"),
     ({"Network w/o structure, train": 60.0}, "Network w/o structure over-fits")],
)  # fmt: skip
def test_a_message_that_fails(changed: dict[str, float], message: str) -> None:
    told = judging.messages(printed.words(1, "parity"), as_printed(**changed))
    assert [text for text, true in told.items() if not true] == [message]


def test_a_method_near_the_network_is_to_stay_there() -> None:
    words = printed.words(2, "interval")
    ours = {label: np.array([float(x)]) for label, x in words.items()}
    assert judging.messages(words, ours)["NTK near the network"]
    assert not judging.messages(words, ours | {"NTK, test": np.array([94.0])})[
        "NTK near the network"
    ]


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
