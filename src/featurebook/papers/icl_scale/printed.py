"""What is published as numbers: an example, the protocol of experiments, Figures 5.1 and 5.2."""

from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import pandas as pd
from numpy.typing import NDArray

EXAMPLE = {
    1: (1, (-1, +1, -1, +1, -1, +1, -1, +1)),
    2: (1, (-1, -1, +1, +1, -1, -1, +1, +1)),
    3: (1, (-1, -1, -1, -1, +1, +1, +1, +1)),
    4: (3, (-1, -1, -1, -1, -1, -1, -1, -1)),
}
"""Heads 1 to 4 for ν_2 = 3: the factor of 1/(4γ) and the diagonal (Section 5.5.1)."""

EXAMPLE_WEIGHTS = (-1, -1, -1, +1)
EXAMPLE_SMALL = (1, 4, 5, 8)
"""The heads of g_2* that g_1* has for ν_1 = 1, counted from 1."""


@dataclass(frozen=True)
class Protocol:
    """Section 5.6: what is said of the experiments with Llama models.

    Attributes:
        exemplars: M, examples in a prompt.
        prompts: evaluation prompts of a data set.
        runs: random seeds.
        sizes: parameters of the models, in billions.
        attention_prompts: prompts of Figure 5.3, whose models have 13 and 70 billion.
        datasets: how many; SST-2 and Subj are named, the rest is "tasks from GLUE".
        rates: shares of flipped labels, from the authors' code.
    """

    exemplars: int = 16
    prompts: int = 1000
    runs: int = 5
    sizes: tuple[int, ...] = (3, 7, 13, 70)
    attention_prompts: int = 100
    datasets: int = 5
    rates: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)


PROTOCOL = Protocol()

EVALUATED = {"RTE": 277, "SST-2": 872, "QQP": 1000, "WNLI": 71, "Subj": 1000}
"""Evaluation prompts of each data set: all that GLUE has for validation, at most 1000.

From create_data.py of github.com/OliverXUZY/rethink_icl at 9a993232.
"""


def figures() -> pd.DataFrame:
    """Accuracies behind Figures 5.1 and 5.2, one row per model and data set, columns 0 to 100."""
    file = files("featurebook.papers.icl_scale") / "figures_5_1_5_2.csv"
    with file.open() as lines:
        table = pd.read_csv(lines, comment="#", dtype={"figure": str})
    index = ["figure", "billions", "dataset"]
    return table.pivot_table(index=index, columns="flipped", values="accuracy")


def falls(figure: str) -> pd.DataFrame:
    """Accuracy lost from 0 to 100 % flips, in points: data sets and their average by size."""
    lost = figures().loc[figure].pipe(lambda x: x[0] - x[100]).rename("lost").reset_index()
    table = lost.pivot_table(index="billions", columns="dataset", values="lost")
    return table.assign(average=table.mean(axis=1))


def may_be_means(figure: str, dataset: str, runs: int) -> NDArray[np.bool_]:
    """Whether each accuracy can be a mean over so many runs on a data set, up to its rounding.

    It can if a multiple of 1/(prompts * runs) is within half of the last printed digit.

    Returns:
        sizes by flip rates.
    """
    cells = figures().loc[figure].xs(dataset, level="dataset").to_numpy()
    whole = EVALUATED[dataset] * runs
    nearest = 100 * np.round(cells / 100 * whole) / whole
    return np.abs(nearest - cells) <= 0.05 + 1e-9  # one digit is printed
