"""The printed tables, and figures."""

import inspect

import numpy as np
from matplotlib import pyplot as plt

from featurebook.papers.universality_tradeoff import pictures, printed, simclr, tables


def test_tables_are_whole() -> None:
    sizes = printed.tables().groupby("table").size().to_dict()
    assert sizes == {
        "7.1": 12, "7.2": 24, "F.2": 18, "F.3": 18, "F.4": 8, "F.5": 60, "F.6": 90, "F.7": 90,
        "F.8": 30, "F.9": 8, "F.10": 3, "F.11": 3,
    }  # fmt: skip
    assert printed.tables().bold.sum() == 39
    assert printed.wide("F.6", "FT", 10).loc["SVHN", "20%"] == 70.89
    assert list(printed.wide("F.5", "LP").columns) == printed.SHARES
    assert list(printed.wide("F.5", "LP").index) == printed.MIXTURES


def test_tables_that_repeat_each_other_agree() -> None:
    assert (printed.wide("7.1", "LP") == printed.wide("F.9", "LP")).all(axis=None)
    full = printed.wide("F.5", "Ours")["100%"].to_numpy()
    assert (printed.wide("7.1", "Ours").to_numpy() == full).all()


def test_losses_in_three_units() -> None:
    found = printed.lost(np.array([80.0, 50.0]), np.array([60.0, 45.0]))
    assert found["points"].tolist() == [20, 5]
    assert found["per cent"].tolist() == [25, 10]
    assert np.allclose(found["errors times"], [2, 1.1])


def test_gains_and_their_intervals() -> None:
    gains = printed.gains("7.1")
    assert gains.gain.tolist() == [0.93, 0.91, 0.90, 0.74]
    # equal deviations: Welch is Student with 10 degrees, t = 2.228139
    cell = gains[gains.column.eq("+GTSRB")].iloc[0]
    assert np.isclose(cell.high - cell.gain, 2.228139 * 0.13 * np.sqrt(2 / 6), rtol=1e-6)
    wider = printed.gains("7.1", 0.99).iloc[2]
    assert np.isclose(wider.high - wider.gain, 3.169273 * 0.13 * np.sqrt(2 / 6), rtol=1e-6)
    assert len(printed.gains("F.6")) == len(printed.gains("F.7")) == 30
    assert len(printed.gains("F.8")) == 10


def test_weighted_average() -> None:
    classes = np.array(list(printed.CLASSES.values()), dtype=float)
    assert np.isclose(printed.weighted_average(100 / classes, classes), 400 / 1063)


def test_what_an_average_says_of_one_set() -> None:
    least, largest = printed.behind_average(20.1)
    classes = np.array(list(printed.CLASSES.values()), dtype=float)
    for at, others, average in ((least, 100, 20.05), (largest, 0, 20.15)):
        found = printed.weighted_average(np.array([others] * 3 + [at]), classes)
        assert np.isclose(found, average)
    low, high = printed.gain_of_others()
    for gain, rise in ((low, 1.7), (high, 1.9)):
        assert np.isclose(printed.weighted_average(np.array([gain] * 3 + [0]), classes), rise)
    assert np.allclose(printed.behind_average(10, 0), [4.33, 10.63])


def test_classes_of_the_other_averages() -> None:
    assert sum(printed.CLASSES.values()) == 1063
    assert printed.ROW_CLASSES == {"ImageNet": 1000, "ImageNet22k": 21841}
    assert {*printed.FALLING_PANELS, *printed.FIRST_RISING_PANELS} == set("abdefgh")


def test_pictures_are_drawn() -> None:
    grids = [np.eye(2), np.eye(2)]
    made = [
        pictures.xor(tables.xor_points(), [-1, -1, 1, 1], 1.0),
        pictures.square_frame(grids, ["a", "b"], [["x", "y"], ["u", "v"]]),
        pictures.model(3, 2, 2),
        pictures.weights(np.zeros((2, 3, 9)), [1, 3], 2, 2),
        pictures.who_pays(0.5, [1, 2, 4], 2, 2, 3, 0.0, 10, 0),
        pictures.risk_frame(3, [1, 2, 4], 2, 2, 10, 0),
        pictures.printed_accuracies(),
        pictures.thresholds(np.array([1.0, 1.2]), {0.5: np.array([0.0, 1e-4])}, 1.1),
        pictures.simulated_risks(np.ones((2, 3, 2, 2)), [1, 2, 4], 2, 2),
    ]
    assert pictures.saved_by_third(0.5, [1.0], 2, 10, 0).shape == (1,)
    assert all(fig.axes for fig in made)
    plt.close("all")


def test_sums_of_the_printed_tables() -> None:
    """In hundredths, bold or not: no cell may change unnoticed."""
    sums = printed.tables().groupby("table").value.sum().mul(100).round().astype(int)
    assert sums.to_dict() == {
        "7.1": 108132, "7.2": 199841, "F.10": 22406, "F.11": 21017, "F.2": 115299, "F.3": 105613,
        "F.4": 40416, "F.5": 494365, "F.6": 703417, "F.7": 664509, "F.8": 265359, "F.9": 67497,
    }  # fmt: skip


def test_temperature_of_the_counterpart() -> None:
    for function in (simclr.pretrain, simclr.fine_tune):
        assert inspect.signature(function).parameters["temperature"].default == 0.2


def test_tables_as_printed() -> None:
    table = printed.as_printed("7.1")
    assert table.loc[("CIFAR-10", "FT"), "+SVHN"] == "93.35 ± 0.10"
    assert list(table.columns) == ["CINIC-10", "+SVHN", "+GTSRB", "+ImageNet32"]
    assert (printed.as_printed("7.2") == "").any(axis=None)
