"""Prompts of Section 5.6 of the thesis as the authors' code makes them, and sentences for them.

The protocol is that of github.com/OliverXUZY/rethink_icl at 9a993232, where the text leaves it
open. The sentences are made from templates, since the data sets of the thesis do not come with the
book: remarks on a film whose sentiment lies in one word, which no other sentence of a prompt has.
`read_dataset` reads a data set that a reader has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from featurebook.papers.icl_scale.printed import PROTOCOL

WORDS: dict[str, tuple[str, str]] = {
    "SST-2": ("negative", "positive"),
    "Subj": ("objective", "subjective"),
    "RTE": ("not_entailment", "entailment"),
    "QQP": ("not_duplicate", "duplicate"),
    "WNLI": ("not_entailment", "entailment"),
}
"""Label words of the five data sets, for the labels 0 and 1."""
SEPARATOR = "\n\n\n"
"""Between examples."""

SUBJECTS = (
    "the plot", "the acting", "the music", "the ending", "the dialogue", "the film",
    "the story", "the cast", "the script", "the direction", "the humor", "the pacing",
)  # fmt: skip
FRAMES = (
    "{subject} is {word}",
    "i found {subject} {word}",
    "{subject} felt {word} to me",
    "{subject} turned out {word}",
    "everyone thought {subject} was {word}",
)
SENTIMENTS = (
    ("terrible", "dreadful", "boring", "clumsy", "awful", "tedious", "lifeless", "stupid", "ugly",
     "annoying", "forgettable", "horrible", "dull", "pointless", "sloppy", "painful", "stale",
     "pathetic", "shallow", "lame", "disappointing", "bland", "tiresome", "miserable"),
    ("wonderful", "delightful", "brilliant", "charming", "superb", "touching", "thrilling",
     "clever", "gorgeous", "hilarious", "captivating", "excellent", "beautiful", "inspiring",
     "masterful", "enjoyable", "fresh", "graceful", "moving", "witty", "stunning", "tender",
     "lively", "magnificent"),
)  # fmt: skip
"""Words of negative and of positive sentiment."""

NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Grace", "Henry", "Ida", "James")
ROLES = ("father", "mother", "sister", "brother", "uncle", "aunt", "neighbor", "teacher")
"""For irrelevant sentences in the manner of GSM-IC (Shi et al., 2023)."""


@dataclass(frozen=True)
class Draw:
    """The examples of a context, and queries that are asked after it.

    Attributes:
        shown: M sentences with their labels.
        asked: queries with their true labels.
        order: the order in which labels of the context are flipped.
    """

    shown: tuple[tuple[str, int], ...]
    asked: tuple[tuple[str, int], ...]
    order: tuple[int, ...]

    def labels(self, share: float) -> list[int]:
        """The labels of the context, exactly round(share M) of them flipped."""
        places = self.order[: round(share * len(self.shown))]
        return [1 - y if i in places else y for i, (_, y) in enumerate(self.shown)]

    def truth(self) -> list[int]:
        """The labels of the queries, which are never flipped."""
        return [y for _, y in self.asked]


def from_templates(queries: int, rng: np.random.Generator, M: int = PROTOCOL.exemplars) -> Draw:
    """A balanced context and balanced queries; no word of sentiment occurs twice.

    Raises:
        ValueError: if there are too few words.
    """
    most = 2 * min(len(words) for words in SENTIMENTS)
    if M + queries > most:
        raise ValueError(f"{M} examples and {queries} queries: at most {most} in all")
    shown, asked = [], []
    for y, words in enumerate(SENTIMENTS):
        made = [(_remark(word, rng), y) for word in rng.permutation(words)]
        first = M // 2 if y == 0 else M - M // 2
        then = queries // 2 if y == 0 else queries - queries // 2
        shown += made[:first]
        asked += made[first : first + then]
    return _mixed(shown, asked, rng)


def _remark(word: str, rng: np.random.Generator) -> str:
    frame, subject = FRAMES[rng.integers(len(FRAMES))], SUBJECTS[rng.integers(len(SUBJECTS))]
    return frame.format(subject=subject, word=word)


def _mixed(
    shown: list[tuple[str, int]], asked: list[tuple[str, int]], rng: np.random.Generator
) -> Draw:
    mixed = tuple(shown[i] for i in rng.permutation(len(shown)))
    return Draw(mixed, tuple(asked), tuple(map(int, rng.permutation(len(shown)))))


def from_data(
    data: pd.DataFrame, queries: int, rng: np.random.Generator, M: int = PROTOCOL.exemplars
) -> Draw:
    """A context balanced up to one, and queries drawn from the other sentences of a data set."""
    counts = {0: M // 2, 1: M - M // 2}
    shown = np.concatenate([
        rng.choice(data.index[data.label == y].to_numpy(), count, replace=False)
        for y, count in counts.items()
    ])  # fmt: skip
    asked = rng.choice(data.index.difference(pd.Index(shown)).to_numpy(), queries, replace=False)
    first, then = (
        [(str(s), int(y)) for s, y in zip(rows.sentence, rows.label, strict=True)]
        for rows in (data.loc[shown], data.loc[asked])
    )
    return _mixed(first, then, rng)


def read_dataset(path: Path | str) -> pd.DataFrame:
    """A CSV file with the columns sentence and label, labels 0 and 1.

    Raises:
        ValueError: if a column is missing or a label is neither 0 nor 1.
    """
    data = pd.read_csv(path)
    if missing := {"sentence", "label"} - set(data.columns):
        raise ValueError(f"{path}: lacks the columns {sorted(missing)}")
    if not data.label.isin([0, 1]).all():
        raise ValueError(f"{path}: labels must be 0 or 1")
    return data[["sentence", "label"]]


def question(sentence: str) -> str:
    """What precedes an answer."""
    return f"sentence: {sentence}\n"


def answer(word: str) -> str:
    """The sentence whose tokens are scored."""
    return f"The answer is {word}."


def context(draw: Draw, share: float, words: tuple[str, str]) -> list[str]:
    """The pieces of a context, each of which is cut into tokens by itself, as in the code."""
    return [
        piece
        for (sentence, _), y in zip(draw.shown, draw.labels(share), strict=True)
        for piece in (question(sentence), answer(words[y]), SEPARATOR)
    ]


def pair(rng: np.random.Generator) -> tuple[str, str, int]:
    """A relevant sentence of two remarks, an irrelevant one of about its length, and the label."""
    y = int(rng.integers(2))
    words = rng.choice(SENTIMENTS[y], 2, replace=False)
    name, role = NAMES[rng.integers(len(NAMES))], ROLES[rng.integers(len(ROLES))]
    irrelevant = f"The shoe size of {name}'s {role} is {rng.integers(5, 15)}."
    return " and ".join(_remark(word, rng) for word in words), irrelevant, y


def two_sentences(first: str, second: str, word: str) -> Sequence[str]:
    """The pieces of a prompt of Figure 5.3; the last one ends with the label."""
    ask = "Question: Is this sentence positive or negative?\n"
    return (f"{first}\n", f"{second}\n", ask, f"Answer: {word}")
