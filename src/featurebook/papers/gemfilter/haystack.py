"""Needle prompts for real models, in the words of the released code, with prose from templates.

The released haystack is a collection of essays under copyright. Ours is drawn from a grammar of
sentences about a town. The first needle, its question and the score are the released ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from featurebook import core

FORMS = {
    "released": (
        "<|im_start|> This is a very long story book: <book>",
        " </book>. Based on the content of the book, Question: {} Answer:",
    ),
    "chat": (
        "<|im_start|>user\nThis is a very long story book: <book>",
        " </book>. Based on the content of the book, Question: {}<|im_end|>\n"
        "<|im_start|>assistant\nAnswer:",
    ),
}
"""What stands before and after the text: as released, and the same words as turns of a chat."""
SPARE = 32
"""Tokens of the text that are read with the longest question."""


@dataclass(frozen=True)
class Needle:
    """A sentence, what is asked about it, and the words of the answer that count."""

    sentence: str
    question: str
    answer: str


NEEDLES = (
    Needle(
        "The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a "
        "sunny day.",
        "What is the best thing to do in San Francisco?",
        "eat a sandwich and sit in Dolores Park on a sunny day.",
    ),
    Needle(
        "The password of the old library is a purple elephant with seven silver bells.",
        "What is the password of the old library?",
        "a purple elephant with seven silver bells.",
    ),
    Needle(
        "Captain Morgan hid the treasure under the third oak behind the yellow windmill.",
        "Where did Captain Morgan hide the treasure?",
        "under the third oak behind the yellow windmill.",
    ),
    Needle(
        "The favourite dish of Professor Lindqvist is cold cucumber soup with roasted almonds.",
        "What is the favourite dish of Professor Lindqvist?",
        "cold cucumber soup with roasted almonds.",
    ),
    Needle(
        "The last train to Brighton leaves from platform nine at a quarter past eleven.",
        "When and where does the last train to Brighton leave?",
        "from platform nine at a quarter past eleven.",
    ),
)
CHOOSING = (
    Needle(
        "The number of the red taxi is written on the back of a green postcard.",
        "Where is the number of the red taxi written?",
        "on the back of a green postcard.",
    ),
    Needle(
        "Aunt Rosa keeps her diamond ring inside an empty tin of mint tea.",
        "Where does Aunt Rosa keep her diamond ring?",
        "inside an empty tin of mint tea.",
    ),
    Needle(
        "The winner of the chess tournament was a nine year old girl from Iceland.",
        "Who was the winner of the chess tournament?",
        "a nine year old girl from Iceland.",
    ),
    Needle(
        "The secret of the bridge is that its middle stone was carved by a blind monk.",
        "What is the secret of the bridge?",
        "its middle stone was carved by a blind monk.",
    ),
    Needle(
        "Doctor Okafor cures hiccups with a spoon of vinegar and a loud trumpet.",
        "How does Doctor Okafor cure hiccups?",
        "with a spoon of vinegar and a loud trumpet.",
    ),
)
"""Needles on which a filter layer is chosen, and which are not judged."""
CONTROL = "What is the name of the mayor of the town?"
"""A question about nothing in the book."""

PEOPLE = ("the baker", "a young teacher", "the postman", "an old sailor", "the gardener",
          "the doctor", "a travelling merchant", "the clockmaker", "two sisters", "the shepherd",
          "a retired judge", "the miller")  # fmt: skip
PLACES = ("the market square", "the harbour", "a narrow lane", "the town hall", "the stone bridge",
          "the orchard", "the school", "the river bank", "a quiet courtyard", "the station road",
          "the northern gate", "the fish market")  # fmt: skip
THINGS = ("a basket of apples", "an umbrella", "a letter from abroad", "a broken lantern",
          "a heavy trunk", "an old map", "a bundle of newspapers", "a wooden flute",
          "a jar of honey", "a pair of boots", "a torn coat", "a small mirror")  # fmt: skip
TIMES = ("In the morning", "Late in the evening", "On a rainy Tuesday", "Before winter came",
         "After the harvest", "Years ago", "That same week", "At noon", "During the storm",
         "On the following day", "Towards the end of summer", "Once again")  # fmt: skip
MOODS = ("without a word", "with a smile", "in a great hurry", "as if nothing had happened",
         "rather slowly", "to everyone's surprise", "for no clear reason", "as usual",
         "with some regret", "in high spirits", "against all advice", "in silence")  # fmt: skip
TEMPLATES = (
    "{time} {who} walked past {where} carrying {what}.",
    "{time} {who} left {what} near {where} {mood}.",
    "Nobody in {where} remembered why {who} had bought {what}.",
    "{time} people said that {who} had been seen at {where} {mood}.",
    "It was {who} who first found {what} behind {where}.",
    "{time} the wind blew over {where}, and {who} went home {mood}.",
    "There was {what} in the window, and {who} looked at it {mood}.",
    "{time} {who} sold {what} to {other} at {where}.",
    "Between {where} and the hills, {who} met {other} {mood}.",
    "{time} {who} and {other} talked for hours about {what}.",
)


@dataclass(frozen=True)
class Haystack:
    """One text and several questions about it: prompts (B, n) that differ at the end.

    Attributes:
        body: tokens that all prompts begin with, (1, n - T).
        tails: the T others, (B, T).
        places: of the tokens of each question's needle.
        needles: asked for, one per prompt.
        depths: of the needles in the body, from 0 to 1.
    """

    body: Tensor
    tails: Tensor
    places: tuple[range, ...]
    needles: tuple[Needle, ...]
    depths: tuple[float, ...]

    @property
    def ids(self) -> Tensor:
        """The prompts, (B, n)."""
        return torch.cat([self.body.expand(len(self.tails), -1), self.tails], 1)


def prose(g: torch.Generator) -> str:
    """One sentence."""

    def one(of: Sequence[str]) -> str:
        return of[int(torch.randint(len(of), (), generator=g))]

    words = {"time": one(TIMES), "who": one(PEOPLE), "other": one(PEOPLE), "where": one(PLACES),
             "what": one(THINGS), "mood": one(MOODS)}  # fmt: skip
    said = one(TEMPLATES).format(**words)
    return f" {said[0].upper()}{said[1:]}"


def haystack(
    encode: Callable[[str], list[int]], seed: int, n: int, depths: Sequence[float],
    needles: Sequence[Needle] = NEEDLES, question: str = "", form: str = "chat",
) -> Haystack:  # fmt: skip
    """A text of n tokens with each needle at its depth, after a full stop, and their questions.

    Args:
        encode: from a text to token numbers.
        question: asked instead of those of the needles, if given.
        form: of the prompt, a key of `FORMS`.

    Raises:
        ValueError: if n is too small for the needles.
    """
    g = core.generator(seed, "haystack", n)
    before, after = FORMS[form]
    start, hidden = encode(before), [encode(f" {x.sentence}") for x in needles]
    closes = [encode(after.format(question or x.question)) for x in needles]
    T = max(len(encode(after.format(x.question))) for x in needles) + SPARE
    room = n - T - len(start) - sum(map(len, hidden))
    if room < 0:
        raise ValueError(f"{n} tokens have no room for {len(needles)} needles and a question")
    fillers: list[list[int]] = []
    while sum(map(len, fillers)) < room + 2 * T:
        fillers.append(encode(prose(g)))
    tokens, spans, passed = list(start), {}, 0
    waiting = sorted(range(len(needles)), key=lambda i: depths[i])
    for filler in fillers:
        while waiting and depths[waiting[0]] * room < passed + len(filler):
            i = waiting.pop(0)
            spans[i] = range(len(tokens), len(tokens) + len(hidden[i]))
            tokens += hidden[i]
        tokens += filler
        passed += len(filler)
    rest = tokens[n - T :]
    tails = [rest[: T - len(close)] + close for close in closes]
    return Haystack(
        torch.tensor([tokens[: n - T]]), torch.tensor(tails),
        tuple(spans[i] for i in range(len(needles))), tuple(needles), tuple(depths),
    )  # fmt: skip
