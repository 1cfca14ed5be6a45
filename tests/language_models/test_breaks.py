"""Every constant of the conversion from GGUF, broken one at a time: some test must notice."""

import tempfile
from pathlib import Path

import pytest
import torch

from featurebook import language_models
from mutants import Covered, assert_noticed

pytest.importorskip("transformers", reason="the extra featurebook[models]")
pytest.importorskip("gguf", reason="the extra featurebook[models]")

import numpy as np

from featurebook.language_models import convert
from language_models.test_language_models import write_gguf


def pairs_of_two_heads() -> None:
    """Two heads of four coordinates, of two columns."""
    neighbours = np.array(["a0", "b0", "a1", "b1", "c0", "d0", "c1", "d1"])
    apart = ["a0", "a1", "b0", "b1", "c0", "c1", "d0", "d1"]
    assert convert.halves(neighbours, 2).tolist() == apart
    wide = np.stack([neighbours, np.char.upper(neighbours)], 1)
    assert convert.halves(wide, 2)[:, 1].tolist() == [x.upper() for x in apart]


def same_logits() -> None:
    """A converted model computes what the one did that was written, with the same sizes."""
    model = language_models.random_llama(0, hidden_size=32, intermediate_size=48).model
    with tempfile.TemporaryDirectory() as place:
        write_gguf(Path(place) / "m.gguf", model)
        convert.convert(Path(place) / "m.gguf", Path(place) / "m")
        read = language_models.read(Path(place) / "m", "m").model
    ids = torch.arange(3, 20)[None]
    with torch.no_grad():
        assert torch.allclose(read(ids).logits, model(ids).logits, atol=1e-5)
    for name in ("hidden_size", "num_key_value_heads", "max_position_embeddings", "eos_token_id"):
        assert getattr(read.config, name) == getattr(model.config, name)


COVERED = [
    Covered(convert.halves, pairs_of_two_heads),
    Covered(convert._weights, same_logits),
    Covered(convert._config, same_logits),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_the_conversion_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)
