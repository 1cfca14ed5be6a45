"""What was found, in a sentence with the verdict's own numbers."""

import re
from collections import Counter
from pathlib import Path

import pytest

from featurebook import verdicts
from featurebook.press.book.places import papers
from featurebook.press.claims import found, statements
from featurebook.press.claims.statements import Claim
from featurebook.press.run import seeds

ROOT = Path(__file__).resolve().parents[3]
LONGEST = 260
"""Characters of a sentence, as written."""
TOO_LARGE = verdicts.relabelled(verdicts.inequality([3.0], [1.0]), "toy-1").as_dict()


def claim(sentence, expected="refuted"):
    return Claim("toy-1", "Lemma 1", "lemma", "A thing.", expected, found=sentence)


def test_numbers_are_the_verdicts():
    said = found.in_words(claim("False at $x_1$: {smaller_at_worst .2f} is too large."), TOO_LARGE)
    assert said == "False at $x_1$: 3.00 is too large."


def test_a_sentence_is_for_the_outcome_that_it_was_written_for():
    assert found.in_words(claim("It is so.", expected="holds"), TOO_LARGE) == ""


@pytest.mark.parametrize("sentence", ["{gone .2f}", "{smaller_at_worst x!}"])
def test_an_unknown_number_or_format_is_named(sentence):
    with pytest.raises(found.UnknownError, match=r"no number 'gone'|'x!' is no format"):
        found.in_words(claim(sentence), TOO_LARGE)


def test_braces_of_a_formula_are_no_number():
    assert found.in_words(claim(r"It needs $2^{n}$, not $\frac{1}{2}$."), TOO_LARGE).count("{") == 3


def test_every_verdict_of_the_book_is_put_in_words():
    judged = [c for p in papers(ROOT) for c in statements.read(p.claims).claims if c.expected]
    assert not [c.id for c in judged if not c.found], "the option `found` is lacking"
    said = Counter(c.found for c in judged)
    assert not [sentence for sentence, times in said.items() if times > 1]
    assert not [c.id for c in judged if len(c.found) > LONGEST]


NUMERALS = {"one": 1, "two": 2, "half": 4, "five": 5, "sixteen": 16}
RATE = re.compile(r"(?P<part>\w+) of (?P<whole>\d+|sixteen) (?:other|runs were)")


@pytest.mark.parametrize("part", papers(ROOT), ids=lambda p: p.name)
def test_rates_over_seeds_are_those_of_the_record(part):
    tallies = {claim: t for c in part.chapters for claim, t in seeds.record(c).every().items()}
    for c in statements.read(part.claims).claims:
        for said in RATE.finditer(c.found):
            count, whole = (int(NUMERALS.get(x, x)) for x in said.groups())
            outcomes = Counter(tallies[c.id].outcomes)
            assert (whole, count in outcomes.values()) == (outcomes.total(), True), c.id
