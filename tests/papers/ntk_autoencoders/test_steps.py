"""A step of descent against the sum of its parts."""

import pytest
import torch
from torch.testing import assert_close

from featurebook import core
from featurebook.papers.ntk_autoencoders import steps


@pytest.mark.parametrize("regime", ["weak", "joint"])
def test_a_step_is_the_sum_of_its_parts(regime: str, X: torch.Tensor, net: core.Params) -> None:
    terms = steps.change_terms(regime, net, X, eta=2.0)
    parts = sum(terms[k] for k in ("kernel", "flipped", "v2", "v3", "squared"))
    assert_close(parts, terms["total"])
    assert float(terms["parts"]) < 1e-24
    assert float(terms["flip_share"]) > 0  # else the flipped parts are not tested
