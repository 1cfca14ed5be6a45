"""Needle prompts: their length, where the needles are, what the score counts."""

import pytest
import torch

from featurebook.papers.gemfilter import printed
from featurebook.papers.gemfilter.haystack import NEEDLES, haystack


def encode(text: str) -> list[int]:
    """Words as numbers of one token each."""
    return [sum(map(ord, word)) for word in text.split(" ")[1:]]


DEPTHS = (0.25, 0.0, 0.5, 1.0, 0.75)


@pytest.mark.parametrize("n", [260, 1000])
def test_needles_are_at_their_depths(n: int) -> None:
    made = haystack(encode, 3, n, DEPTHS)
    assert made.ids.shape == (len(NEEDLES), n)
    room = made.body.shape[1] - sum(len(p) for p in made.places)
    for needle, place, depth in zip(made.needles, made.places, made.depths, strict=True):
        for row in made.ids:
            found = row[place.start : place.stop].tolist()
            assert found == encode(f" {needle.sentence}")
        before = place.start - sum(len(p) for p in made.places if p.start < place.start)
        assert abs(before - depth * room) < 30  # one sentence and the opening


def test_prompts_end_in_their_questions() -> None:
    made = haystack(encode, 3, 400, DEPTHS, form="released")
    for needle, row in zip(made.needles, made.ids, strict=True):
        words = encode(f" {needle.question} Answer:")
        assert row[-len(words) :].tolist() == words


def test_another_question_and_other_seeds() -> None:
    made = haystack(encode, 3, 400, DEPTHS)
    other = haystack(encode, 3, 400, DEPTHS, question="Who?")
    assert torch.equal(other.body, made.body)
    assert not torch.equal(other.tails, made.tails)
    assert not torch.equal(haystack(encode, 4, 400, DEPTHS).body, made.body)


def test_too_short() -> None:
    with pytest.raises(ValueError, match="no room"):
        haystack(encode, 3, 100, DEPTHS)


def test_score() -> None:
    needle = NEEDLES[0]
    assert (
        printed.score(needle.sentence) == printed.score(needle.sentence, needle.answer) == 11 / 12
    )
    assert printed.score("A yellow oak, b.", "a b. c d") == 0.5
    assert printed.score("", "a b") == 0
