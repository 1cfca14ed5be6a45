"""Bytes at the peak by hand, and that every method can be timed."""

import torch

from featurebook.papers.gemfilter import inference, measured, network
from featurebook.papers.gemfilter.inference import Selection
from papers.gemfilter.test_network import SIZE, TOKENS, P

TOKEN = 2 * 4 * 4 * 8
"""Bytes of a token in a layer: keys and values, four heads of dimension 4, doubles."""


def test_peaks_by_hand() -> None:
    one = TOKENS[:1]
    assert measured.peak_bytes(P, SIZE, one) == 3 * 9 * TOKEN
    for rule in (inference.snap_places(4), inference.h2o_places(4)):
        assert measured.peak_bytes(P, SIZE, one, rule) == (9 + 2 * 4) * TOKEN
    assert measured.peak_bytes(P, SIZE, TOKENS) == 2 * 3 * 9 * TOKEN
    assert measured.gemfilter_peak_bytes(P, SIZE, one, Selection(2, 2)) == 9 * TOKEN
    assert measured.gemfilter_peak_bytes(P, SIZE, one, Selection(2, 4)) == 3 * 4 * TOKEN


def test_the_largest_position_is_that_of_the_last_token() -> None:
    assert measured.largest_position(lambda: inference.generate(P, SIZE, TOKENS, 1)) == 8
    assert measured.largest_position(lambda: inference.generate(P, SIZE, TOKENS, 4)) == 11
    turn = network.rotated
    how = Selection(2, 4)
    assert measured.largest_position(lambda: inference.in_place(P, SIZE, TOKENS, how, 2)) == 9
    assert network.rotated is turn


def test_first_tokens_and_seconds() -> None:
    calls = measured.first_token(P, SIZE, TOKENS, Selection(2, 9))
    full = inference.generate(P, SIZE, TOKENS, 1)
    assert list(calls) == ["all KV", "SnapKV", "H2O", "GemFilter"]
    assert all(torch.equal(call(), full) for call in calls.values())
    count: list[int] = []
    assert measured.seconds(lambda: count.append(1), 3) >= 0
    assert len(count) == 3
