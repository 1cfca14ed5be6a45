"""A data set and networks that most tests of this part use."""

from collections.abc import Callable

import pytest
import torch

from featurebook import core
from featurebook.papers.ntk_autoencoders import data, network


@pytest.fixture
def X() -> torch.Tensor:
    return data.sphere(5, 4, seed=0)


@pytest.fixture
def net() -> core.Params:
    return network.initial(core.generator(0, "test"), 4, 7)


@pytest.fixture
def stacked() -> Callable[..., core.Params]:
    """Draws an ensemble of ``count`` networks of width m in d dimensions."""

    def draw(m: int, d: int = 4, count: int = 3) -> core.Params:
        return core.replicate(lambda g: network.initial(g, d, m), range(count), "test")

    return draw
