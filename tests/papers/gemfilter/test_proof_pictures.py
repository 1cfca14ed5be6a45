"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from featurebook.papers.gemfilter import proof_pictures
from featurebook.papers.gemfilter.proof_pictures import LLAMA


def test_attention_overtakes_the_weights_where_the_formula_says() -> None:
    n = LLAMA.P / (LLAMA.heads * LLAMA.d)
    weights, attention = proof_pictures.work(n)
    assert weights == pytest.approx(attention)
    assert n == 53_248


def test_the_speed_up_tends_to_its_limit_from_below() -> None:
    for r in (5, 13, 19):
        found = proof_pictures.speed_up(np.array([1e4, 1e6, 1e9]), r, 1024)
        limit = LLAMA.m / (r - 1)
        assert (np.diff(found) > 0).all()
        assert (found < limit).all()
        assert found[-1] == pytest.approx(limit, rel=1e-3)


def test_the_pictures_are_drawn() -> None:
    assert len(proof_pictures.proof(13, 1024).axes) == 2
    plt.close()
