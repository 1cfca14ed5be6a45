"""What the thesis prints as numbers: Tables 9.1, 9.2, G.1, scores of figures, reported gains."""

from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent

FIGURE_9_1 = (108_172, 100)
"""Tokens of the prompt, and k."""

EXPECTED = "eat a sandwich and sit in Dolores Park on a sunny day."
"""The words that the released code expects in the answer to the needle question."""

ANSWERS = {
    "G.5": (
        "The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a "
        "sunny day.",
        "The best thing to do in San Francisco is eat a sandwich.",
    ),
    "G.6": (
        "Eat a sandwich and sit in Dolores Park on a sunny day.",
        "Eat a sandwich at a deli in the Mission District.",
    ),
    "G.7": ("Sit in Dolores Park on a sunny day and eat a sandwich.", "Eat a sandwich."),
}
"""Captions of Figures G.5 to G.7: the answers of GemFilter and of SnapKV."""


def score(answer: str, expected: str = EXPECTED) -> float:
    """Share of the expected words that occur in an answer, as the released code counts them.

    Words are compared as sets, after lower case, so that a word that occurs twice counts once: no
    answer to the printed question gets more than 11/12.
    """
    wanted = expected.lower().split()
    return len(set(answer.lower().split()) & set(wanted)) / len(wanted)


def table(name: str) -> pd.DataFrame:
    """``9_1``, ``9_2`` or ``g_1``, as printed."""
    return pd.read_csv(FOLDER / f"table_{name}.csv")


def needle_scores() -> pd.DataFrame:
    """Average scores that the needle figures state."""
    return pd.read_csv(FOLDER / "needle_scores.csv")


def tasks(frame: pd.DataFrame) -> list[str]:
    """The columns that are tasks."""
    return [str(c) for c in frame if c not in ("model", "method", "filter_layer", "average")]


def average_gap(frame: pd.DataFrame) -> np.ndarray:
    """Printed average minus that of the printed tasks, a row each."""
    return (frame.average - frame[tasks(frame)].mean(axis=1)).to_numpy()


def against(frame: pd.DataFrame, method: str, other: str) -> pd.DataFrame:
    """Per task, method minus other, a row per model."""
    rows = frame.set_index(["method", "model"])[[*tasks(frame), "average"]]
    return pd.DataFrame(rows.loc[method]).sub(pd.DataFrame(rows.loc[other]))


def ranks(frame: pd.DataFrame, methods: list[str]) -> pd.Series:
    """Mean rank of each method over tasks and models, 1 the best."""
    chosen = frame[frame.method.isin(methods)]
    ranked = chosen.groupby("model")[tasks(frame)].rank(ascending=False)
    return ranked.mean(axis=1).groupby(chosen.method).mean().sort_values()
