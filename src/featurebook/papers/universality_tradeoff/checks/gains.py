"""The checks of the printed tables on contrastive regularisation."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from featurebook.papers.universality_tradeoff import printed
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.papers.universality_tradeoff.checks.tables import hundredths
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, inequality

SAME_AUGMENTATION = ("F.5", "F.6", "F.7", "F.8")
"""Tables that compare both methods at the same number of augmentations."""
LOSSES = {
    "F.5, four sets, 5 %": {"Ours": "78.94", "FT": "78.99"},
    "F.6, ImageNet, 10 augmentations, 20 %": {"Ours": "81.28", "FT": "81.56"},
    "F.7, CIFAR-10, 10 augmentations, 1 %": {"Ours": "90.73", "FT": "90.82"},
    "F.7, CIFAR-10, 100 augmentations, 100 %": {"Ours": "96.86", "FT": "97.01"},
}
"""The cells in which fine-tuning alone is better."""


@claims.experiment
def printed_gains(confidence: float) -> dict[str, pd.DataFrame]:
    """By table: accuracy of the thesis's method minus that of FT, with Welch intervals."""
    return {name: printed.gains(name, confidence) for name in ("7.1", "7.2", *SAME_AUGMENTATION)}


@claims.experiment
def gains_in_hundredths(printed_gains: dict[str, pd.DataFrame]) -> NDArray[np.int64]:
    """All gains at the same augmentation."""
    return np.concatenate([hundredths(printed_gains[t].gain) for t in SAME_AUGMENTATION])


@claims.experiment
def methods_of_cifar() -> dict[str, NDArray[np.int64]]:
    """Table F.5 in hundredths, (mixtures, shares of labels), by method: LP, FT and Ours."""
    return {name: hundredths(printed.wide("F.5", name)) for name in ("LP", "FT", "Ours")}


@claims.experiment
def gains_before_a_probe() -> NDArray[np.int64]:
    """Table F.9: hundredths gained by contrastive regularisation, by mixture."""
    after, before = (hundredths(printed.wide("F.9", x)).ravel() for x in ("CR then LP", "LP"))
    return after - before


@claims.check("table-7-1")
def against_three_baselines(printed_gains: dict[str, pd.DataFrame]) -> Iterator[Verdict]:
    """All gains over LP and FT, and the size of those over FT."""
    ours = printed.wide("7.1", "Ours").to_numpy()
    rest = [ours - printed.wide("7.1", name) for name in ("LP", "FT")]
    yield exactly(np.concatenate(hundredths(rest)).ravel(), ">", 0, what="gains")
    gain = hundredths(printed_gains["7.1"].gain)
    yield exactly(abs(gain - 85), "<=", 20, what="within 0.65 to 1.05")


@claims.check("table-7-2")
def larger_models(printed_gains: dict[str, pd.DataFrame]) -> Iterator[Verdict]:
    """The range of the gains over FT, and the two that the text names."""
    gain = hundredths(printed_gains["7.2"].gain)
    yield exactly((gain >= 35) & (gain < 485), "==", True, what="from 0.35 to 4.85 points")
    yield exactly(gain[[0, 5]], "==", [129, 483], what="the two named")


@claims.check("gain-intervals")
def gains_exceed_their_spread(printed_gains: dict[str, pd.DataFrame]) -> Iterator[Verdict]:
    """The lower ends of the Welch intervals."""
    low = np.concatenate([printed_gains[name].low for name in ("7.1", "7.2")])
    yield inequality(0, low, what="lower ends")


@claims.check("bold")
def largest_of_each_column() -> Iterator[Verdict]:
    """Which cells are bold, and which are the largest of their column and block."""
    cells = printed.tables()[lambda x: x.table.isin(["7.1", "F.5", "F.6"])]
    top = cells.groupby(["table", "row", "column"]).value.transform("max")
    yield exactly(
        cells.bold.astype(int).to_numpy(),
        "==",
        cells.value.eq(top).astype(int).to_numpy(),
        what="bold, and largest",
    )


@claims.check(
    "consistent",
    undecided=(
        "two readings", "false in four of 90 comparisons, true in the mean of each table"
    ),
)  # fmt: skip
def consistently_better(
    gains_in_hundredths: NDArray[np.int64], printed_gains: dict[str, pd.DataFrame]
) -> Iterator[Verdict]:
    """Every gain at the same augmentation, and the mean of each table."""
    what = "gains in hundredths of a point"
    yield exactly(gains_in_hundredths, ">", 0, what=what, instance=LOSSES)
    mean = [printed_gains[name].gain.mean() for name in SAME_AUGMENTATION]
    yield inequality(0, mean, what="mean gain of each table")


@claims.check("consistent-corrected")
def better_in_86_of_90(gains_in_hundredths: NDArray[np.int64]) -> Iterator[Verdict]:
    """How many comparisons there are, how many losses, and how large these are."""
    gains = gains_in_hundredths
    yield exactly(
        [len(gains), int((gains <= 0).sum()), int(gains.min())],
        "==",
        [90, 4, -28],
        what="number of comparisons, of losses, and the largest loss in hundredths of a point",
    )


def best_other(methods: dict[str, NDArray[np.int64]]) -> NDArray[np.int64]:
    """The better of LP and FT in each cell of Table F.5."""
    return np.maximum(methods["LP"], methods["FT"])


@claims.check("baselines")
def best_in_most_cells(methods_of_cifar: dict[str, NDArray[np.int64]]) -> Iterator[Verdict]:
    """In how many cells of Table F.5 the thesis's method is best."""
    best = int((methods_of_cifar["Ours"] > best_other(methods_of_cifar)).sum())
    yield exactly(best, ">", 10, what="cells in which it is best, and half of 20")


@claims.check("baselines-corrected")
def best_but_in_two(methods_of_cifar: dict[str, NDArray[np.int64]]) -> Iterator[Verdict]:
    """The cells in which it is not."""
    yield exactly(
        np.argwhere(methods_of_cifar["Ours"] <= best_other(methods_of_cifar)).tolist(),
        "==",
        [[0, 1], [3, 1]],
        what="cells in which it is not best, mixture and share of labels",
    )


@claims.check("ft-drops", undecided=("two readings", "false of every step, true of first and last"))
def fine_tuning_falls(methods_of_cifar: dict[str, NDArray[np.int64]]) -> Iterator[Verdict]:
    """What FT loses from each mixture to the next."""
    FT = methods_of_cifar["FT"]
    yield exactly((FT[:-1] - FT[1:]).ravel(), ">", 0, what="drops")


@claims.check("ft-drops-corrected")
def fine_tuning_falls_in_all(methods_of_cifar: dict[str, NDArray[np.int64]]) -> Iterator[Verdict]:
    """What it loses from the first to the last, and how often it rises in between."""
    FT = methods_of_cifar["FT"]
    whole, rises = FT[0] - FT[-1], int((FT[:-1] < FT[1:]).sum())
    found = [int(whole.min()), int(whole.max()), rises]
    yield exactly(found, "==", [66, 334, 3], what="least and largest fall, rises")


@claims.check(
    "table-f-9", undecided=("two readings", "after each mixture: false; on the whole: true")
)
def before_a_linear_probe(gains_before_a_probe: NDArray[np.int64]) -> Iterator[Verdict]:
    """The gain of each mixture."""
    yield exactly(
        gains_before_a_probe,
        ">",
        0,
        what="gains in hundredths of a point",
        instance={"F.9, CINIC-10": {"CR, then LP": "88.38", "LP": "88.41"}},
    )


@claims.check("table-f-9-corrected")
def on_three_mixtures(gains_before_a_probe: NDArray[np.int64]) -> Iterator[Verdict]:
    """Which mixtures gain, and what the first loses."""
    yield exactly(
        [*(gains_before_a_probe > 0), int(gains_before_a_probe[0])],
        "==",
        [False, True, True, True, -3],
        what="whether there is a gain, by mixture, and the first in hundredths of a point",
    )


@claims.check("table-f-9-diverse")
def diverse_data_gain_more(gains_before_a_probe: NDArray[np.int64]) -> Iterator[Verdict]:
    """Each mixture's gain against that of the one before."""
    yield exactly(gains_before_a_probe[1:], ">", gains_before_a_probe[:-1], what="gain by mixture")


@claims.check("table-f-10")
def the_gap_closes() -> Iterator[Verdict]:
    """The gap between specific and general pre-training, before and after the repair."""
    specific, general, repaired = np.stack(
        [hundredths(printed.wide(name, "LP")).ravel() for name in ("F.10", "F.11")], 1
    )
    yield exactly(abs(specific - repaired), "<", specific - general, what="gap after, before")


@claims.check("half-cinic", undecided=("not judged", "76.45 stands in no table"))
def half_of_cinic(methods_of_cifar: dict[str, NDArray[np.int64]]) -> Iterator[Verdict]:
    """The first of two accuracies, in Table F.5."""
    yield exactly(methods_of_cifar["LP"][0, 0], "==", 8063, what="F.5")
