"""A small world for the tests of the part."""

import pytest
import torch

from featurebook.papers.contrastive_decoupling import model

torch.set_num_threads(1)


@pytest.fixture
def setting():
    return model.sparse_coding(8, 64)
