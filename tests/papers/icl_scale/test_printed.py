"""Numbers behind the figures of the thesis."""

import pytest

from featurebook.papers.icl_scale import checks, printed


def test_numbers_behind_the_figures() -> None:
    table = printed.figures()
    assert table.shape == (35, 5)
    assert list(table.columns) == [100 * share for share in printed.PROTOCOL.rates]
    assert table.notna().all(axis=None)
    averages = table.groupby(["figure", "billions"]).mean()[[0, 100]].round(1)
    assert averages.loc["5.2"].to_numpy().tolist() == [
        [67.0, 50.9], [70.1, 47.4], [77.8, 49.0], [87.9, 33.0]
    ]  # fmt: skip
    assert averages.loc["5.1"].to_numpy().tolist() == [[65.4, 50.7], [73.1, 52.4], [77.0, 47.0]]
    assert printed.falls("5.2").average.round(1).tolist() == [16.1, 22.7, 28.8, 54.9]


def test_means_over_five_runs_and_over_three() -> None:
    assert printed.may_be_means("5.1", "WNLI", 5).all()
    five, three = (printed.may_be_means("5.2", "WNLI", runs) for runs in (5, 3))
    assert three.all()
    assert five.sum() == 6
    assert five[0].tolist() == [True, True, False, False, False]  # 165/355 is 46.48 %, 177 49.86 %
    assert set(printed.EVALUATED) == set(printed.figures().index.unique("dataset"))


def test_other_numbers_break_the_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    study = checks.claims.at()
    assert study.check("figure-5-2").outcome == "holds"
    turned = printed.figures().iloc[:, ::-1].set_axis(printed.figures().columns, axis=1)
    monkeypatch.setattr(printed, "figures", lambda: turned)
    assert study.check("figure-5-2").outcome == "refuted"
    monkeypatch.setattr(printed, "figures", lambda: turned + 0.1)
    assert study.check("figures-thousand-corrected").outcome == "refuted"
