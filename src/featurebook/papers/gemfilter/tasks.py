"""Tasks with short, exact answers for real models, drawn from seeds, instead of LongBench.

Each task hides five sentences in a text, as `haystack` does, and asks one question about each. A
guess among the five answers of a text is right with probability `CHANCE`.
"""

import re
from collections.abc import Sequence

import torch

from featurebook import core
from featurebook.papers.gemfilter.haystack import Needle

PER_TEXT = 5
CHANCE = 1 / PER_TEXT
COLOURS = ("amber", "violet", "scarlet", "turquoise", "ivory", "green", "silver", "brown")
SHIPS = ("Aurora", "Falcon", "Neptune", "Victoria", "Pelican", "Meridian", "Albatross", "Orion")
WORDS = ("apple", "river", "stone", "candle", "window", "silver", "garden", "thunder", "paper",
         "copper", "feather", "winter", "bottle", "mountain", "ladder", "pepper")  # fmt: skip
OTHERS = ("a shell", "a key", "a ring", "a stamp")
NUMBERS = ("one", "two", "three", "four", "five")


def keys(g: torch.Generator) -> tuple[Needle, ...]:
    """Look up the value of a key: the four digits that open a door."""
    codes = [str(int(x)) for x in 1000 + torch.randperm(9000, generator=g)[:PER_TEXT]]
    return tuple(
        Needle(f"The code of the {colour} door is {code}.",
               f"What is the code of the {colour} door?", code)
        for colour, code in zip(_some(COLOURS, g), codes, strict=True)
    )  # fmt: skip


def copying(g: torch.Generator) -> tuple[Needle, ...]:
    """Copy four words in their order."""
    found = []
    for ship in _some(SHIPS, g):
        words = " ".join(_some(WORDS, g)[:4])
        found.append(Needle(f"The message of the ship {ship} reads: {words}.",
                            f"What does the message of the ship {ship} read?", words))  # fmt: skip
    return tuple(found)


def counting(g: torch.Generator) -> tuple[Needle, ...]:
    """Count the coins in a list that has other things too: one to five of them."""
    found = []
    for colour, count in zip(_some(COLOURS, g), torch.randperm(PER_TEXT, generator=g), strict=True):
        things = ["a coin"] * (int(count) + 1) + list(OTHERS[:2])
        order = torch.randperm(len(things), generator=g)
        listed = ", ".join(things[i] for i in order)
        found.append(Needle(f"In the {colour} box are these things: {listed}.",
                            f"How many coins are in the {colour} box?",
                            NUMBERS[int(count)]))  # fmt: skip
    return tuple(found)


TASKS = {"keys": keys, "copying": copying, "counting": counting}


def drawn(task: str, seed: int) -> tuple[Needle, ...]:
    """The five sentences of a task in the text of a seed, with questions and answers."""
    return TASKS[task](core.generator(seed, "task", task))


def is_right(answer: str, needle: Needle) -> bool:
    """Whether an answer has the exact words; of several numbers the first one counts."""
    if needle.answer not in NUMBERS:
        return needle.answer in answer
    said = re.findall(rf"\b(\d+|{'|'.join(NUMBERS)})\b", answer.lower())
    return bool(said) and said[0] in (needle.answer, str(NUMBERS.index(needle.answer) + 1))


def _some(of: Sequence[str], g: torch.Generator) -> list[str]:
    return [of[i] for i in torch.randperm(len(of), generator=g)[:PER_TEXT].tolist()]
