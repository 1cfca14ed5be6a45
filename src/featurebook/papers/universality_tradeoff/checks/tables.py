"""The checks of the printed tables on the trade-off, in which percentages are whole hundredths."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from featurebook.papers.universality_tradeoff import printed
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.verdicts import Reason, Verdict
from featurebook.verdicts.comparisons import exactly, inequality

PANELS = set("abcdefghi")
"""Of Figure F.2."""
NOT_EVERY_STEP = ("two readings", "false of every step, perhaps true of first and last")
"""How sentences on curves are read of which a text reports exceptions."""
OTHER_RUN: tuple[Reason, str] = ("not judged", "the text may be on another run")


def hundredths(x: ArrayLike) -> NDArray[np.int64]:
    """Printed percentages as whole numbers, so that comparisons are exact."""
    return np.rint(100 * np.asarray(x, dtype=float)).astype(int)


@claims.experiment
def probes_of_cifar() -> pd.DataFrame:
    """Table F.5, LP: accuracies on CIFAR-10 by mixture and share of labels."""
    return printed.wide("F.5", "LP")


@claims.experiment
def lost_by_labels(probes_of_cifar: pd.DataFrame) -> pd.DataFrame:
    """What they lose from the first mixture to the last, by share of labels, in three units."""
    return printed.lost(probes_of_cifar.iloc[0], probes_of_cifar.iloc[-1])


@claims.experiment
def specific_and_universal() -> NDArray[np.int64]:
    """Tables F.2 and F.3, in hundredths: (Bird or Vehicle, labels and ImageNet, networks)."""
    return np.stack([hundredths(printed.wide(name, "LP")) for name in ("F.2", "F.3")])


@claims.experiment
def classes_average() -> dict[str, Any]:
    """Averages over the rows of Tables F.1 (few labels) and F.4 (all), before and after GCC-15M.

    "by class" has them weighted by classes, in per cent, "plain" the sums of both rows, in
    hundredths; both (labels, pre-training).
    """
    both = printed.wide("F.4", "LP").to_numpy().reshape(2, 2, 2)  # labels, rows, pre-training
    classes = np.array(list(printed.ROW_CLASSES.values()))
    by_class = [[printed.weighted_average(x, classes) for x in some.T] for some in both]
    return {"by class": np.array(by_class), "plain": hundredths(both).sum(1)}


@claims.check("text-7-1", undecided=OTHER_RUN)
def text_and_table() -> Iterator[Verdict]:
    """The accuracies on CIFAR-10 in the text, and in Table 7.1 to one decimal."""
    first, last = printed.wide("7.1", "LP").iloc[0, [0, -1]]
    yield exactly(
        hundredths(printed.TEXT_CIFAR),
        "==",
        hundredths([first, last]).round(-1),
        what="text, and Table 7.1 to one decimal, in hundredths",
    )


@claims.check("target-falls")
def target_falls(probes_of_cifar: pd.DataFrame) -> Iterator[Verdict]:
    """What is lost with every set added, at each share of labels."""
    accuracies = probes_of_cifar.to_numpy()
    yield exactly(hundredths(accuracies[:-1] - accuracies[1:]), ">", 0, what="losses")


@claims.check(
    "fewer-labels", undecided=("two readings", "no order in points, more in per cent at 1 %")
)
def fewer_labels(lost_by_labels: pd.DataFrame) -> Iterator[Verdict]:
    """Whether the loss in points is larger at the fewer labels of two neighbours."""
    loss = hundredths(lost_by_labels["points"])
    yield exactly(loss[:-1], ">=", loss[1:], what="points, fewer labels")


@claims.check("fewer-labels-corrected")
def what_few_labels_cost(
    lost_by_labels: pd.DataFrame, specific_and_universal: NDArray[np.int64]
) -> Iterator[Verdict]:
    """Losses and ratios of errors in Table F.5, and the order of losses in Tables F.2 and F.3."""
    loss, errors = (hundredths(lost_by_labels[x]) for x in ("points", "errors times"))
    yield exactly(abs(loss - 1285), "<=", 55, what="distance from 12.85")
    yield exactly(errors, "==", [164, 186, 189, 198, 210], what="errors, ratio")
    for grid in specific_and_universal:
        lost = grid[:5, 0] - grid[:5, 1]
        yield exactly(lost[:-1], ">", lost[1:], what="F.2, F.3")


@claims.check("average-inverted", proof="proved on the page")
def what_averages_say() -> Iterator[Verdict]:
    """The accuracies of ImageNet32 that lie behind the two averages."""
    least, largest = zip(*map(printed.behind_average, printed.TEXT_AVERAGE), strict=True)
    low, high = printed.gain_of_others()
    yield inequality([13.0, 15.0], least, what="least accuracy, %")
    yield inequality(largest, [19.6, 21.5], what="largest accuracy, %")
    yield inequality([28, -33], [low, -high], what="gain of the others, in points")


@claims.check("average-recomputed")
def averages_recomputed(classes_average: dict[str, Any]) -> Iterator[Verdict]:
    """Weighted and plain averages of Table F.1, and their rise with all labels."""
    by_class, plain = classes_average["by class"], classes_average["plain"]
    yield exactly(hundredths(by_class[0]), "==", [1209, 1283], what="weighted, F.1")
    yield exactly(plain[0, 0], ">", plain[0, 1], what="twice the plain average, F.1")
    rise = [plain[1, 1] - plain[1, 0], *hundredths([by_class[1, 1] - by_class[1, 0]])]
    yield exactly(rise, ">", 0, what="rise of both with all labels")


@claims.check("average-rises", undecided=NOT_EVERY_STEP)
def average_rises() -> Iterator[Verdict]:
    """The panels in which no fall at the end is reported, of nine."""
    rising = PANELS - set(printed.FALLING_PANELS)
    yield exactly(len(rising), "==", 9, what="panels without a final fall")


@claims.check("average-rises-corrected")
def average_rises_in_three() -> Iterator[Verdict]:
    """The same number."""
    rising = PANELS - set(printed.FALLING_PANELS)
    yield exactly(len(rising), "==", 3, what="panels without a final fall")


@claims.check("target-decreases", undecided=NOT_EVERY_STEP)
def target_decreases() -> Iterator[Verdict]:
    """The panels in which no rise at first is reported, of nine."""
    steady = PANELS - set(printed.FIRST_RISING_PANELS)
    yield exactly(len(steady), "==", 9, what="panels without a rise")


def change(name: str) -> Verdict:
    """What GCC-15M changes in the two rows of Table F.1 or F.4, in the direction that is said."""
    rows = hundredths(printed.wide("F.4", "LP"))
    more = rows[:, 1] - rows[:, 0]
    return exactly(more[:2] * [-1, 1] if name == "F.1" else more[2:], ">", 0, what="change")


@claims.check("table-f-1")
def one_falls_one_rises() -> Iterator[Verdict]:
    """What more data change with few labels: a fall, and a rise."""
    yield change("F.1")


@claims.check("table-f-4")
def both_rise() -> Iterator[Verdict]:
    """What they change with all labels."""
    yield change("F.4")


@claims.check("table-f-2")
def specific_or_universal(specific_and_universal: NDArray[np.int64]) -> Iterator[Verdict]:
    """The lead of the specific representation at few labels, at many, and on ImageNet."""
    gaps = specific_and_universal[:, :, 0] - specific_and_universal[:, :, 1]
    yield exactly(gaps[:, 0], ">", [1700, 390], what="gap at 500 labels")
    yield exactly(abs(gaps[:, 4]), "<", 150, what="gap at 8,000 labels")
    yield exactly(-gaps[:, 5], ">", 3000, what="ImageNet")


@claims.check("little-pretraining")
def little_data(specific_and_universal: NDArray[np.int64]) -> Iterator[Verdict]:
    """What all of ImageNet gains over a tenth of it, everywhere in both tables."""
    yield exactly(
        specific_and_universal[:, :, 1] - specific_and_universal[:, :, 2],
        ">",
        0,
        what="all of ImageNet minus 10 % of it, in hundredths of a point",
    )
