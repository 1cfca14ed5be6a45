"""Prompts of the protocol: template, exact flips, balance, data sets."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from featurebook.papers.icl_scale import prompts

WORDS = prompts.WORDS["SST-2"]


@pytest.fixture
def draw() -> prompts.Draw:
    return prompts.from_templates(8, np.random.default_rng(0))


def test_template_is_that_of_the_authors() -> None:
    draw = prompts.Draw((("show us a good time", 1),), (), (0,))
    expected = "sentence: show us a good time\nThe answer is positive.\n\n\n"
    assert "".join(prompts.context(draw, 0, WORDS)) == expected
    assert "".join(prompts.context(draw, 1, WORDS)) == expected.replace("positive", "negative")


@pytest.mark.parametrize(("share", "count"), [(0, 0), (0.25, 4), (0.5, 8), (1, 16)])
def test_exactly_that_share_is_flipped(draw: prompts.Draw, share: float, count: int) -> None:
    changed = np.not_equal(draw.labels(share), [y for _, y in draw.shown])
    assert changed.sum() == count


def test_flips_are_nested(draw: prompts.Draw) -> None:
    few, many = (np.not_equal(draw.labels(p), draw.labels(0)) for p in (0.25, 0.5))
    assert (many | ~few).all()


def test_templates_are_balanced_and_no_word_occurs_twice(draw: prompts.Draw) -> None:
    assert sum(y for _, y in draw.shown) == 8
    assert sum(draw.truth()) == 4
    words = [w for words in prompts.SENTIMENTS for w in words]
    used = [w for s, _ in (*draw.shown, *draw.asked) for w in words if w in s.split()]
    assert len(used) == len(set(used)) == 24
    for sentence, y in (*draw.shown, *draw.asked):
        assert set(sentence.split()) & set(prompts.SENTIMENTS[y])


def test_too_few_words_are_an_error() -> None:
    with pytest.raises(ValueError, match="at most 48"):
        prompts.from_templates(40, np.random.default_rng(0))


def test_queries_of_a_data_set_are_not_in_the_context() -> None:
    data = pd.DataFrame({"sentence": [f"number {k}" for k in range(12)], "label": [0, 1] * 6})
    draw = prompts.from_data(data, 4, np.random.default_rng(1), M=5)
    assert sorted(y for _, y in draw.shown) == [0, 0, 1, 1, 1]
    assert not set(draw.shown) & set(draw.asked)
    for sentence, y in (*draw.shown, *draw.asked):
        assert int(sentence.split()[1]) % 2 == y


def test_pairs_have_the_sentiment_of_their_label() -> None:
    for k in range(10):
        relevant, irrelevant, y = prompts.pair(np.random.default_rng(k))
        assert len(set(relevant.split()) & set(prompts.SENTIMENTS[y])) == 2
        assert not set(irrelevant.split()) & set(sum(prompts.SENTIMENTS, ()))


def test_data_sets_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("sentence,label\na,2\n")
    with pytest.raises(ValueError, match="0 or 1"):
        prompts.read_dataset(file)
    file.write_text("text,label\na,1\n")
    with pytest.raises(ValueError, match="sentence"):
        prompts.read_dataset(file)
    file.write_text("sentence,label\na,1\n")
    assert list(prompts.read_dataset(file).label) == [1]
