"""The operations of the live figure, against counts for a whole model."""

import pytest

from featurebook.papers.gemfilter import live


def test_for_long_prompts_the_speed_up_is_that_of_the_layers():
    assert live.passes(1_000_000, 10, 13)["times"] == pytest.approx(32 / 12, rel=0.01)


def test_a_pass_is_the_sum_of_its_tokens():
    """Token t sees t - 1/2 keys on average: one pass is as many single steps of half a key less."""
    tokens = 50
    steps = sum(live.step(t - 0.5) for t in range(1, tokens + 1))
    assert live.one_pass(tokens, live.LLAMA.m) == pytest.approx(steps)
    again = live.both_passes(tokens, 100, 1) - live.one_pass(tokens, 0)
    assert again > live.one_pass(tokens, live.LLAMA.m)  # all tokens are kept: nothing is saved


def test_what_the_story_says():
    assert live.passes(2000, 1024, 13)["times"] < 1.2
    assert round(live.passes(1_000_000, 1024, 13)["generation"]) == 37
