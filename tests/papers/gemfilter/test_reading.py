"""One pass for all questions and methods gives what each method gives by itself."""

import pytest
import torch

from featurebook import language_models
from featurebook.papers.gemfilter import H2O, OneRun, Selection, SnapKV, generate, reading, released
from featurebook.papers.gemfilter.haystack import haystack

pytest.importorskip("transformers", reason="the extra featurebook[models]")
pytest.importorskip("gguf", reason="the extra featurebook[models]")

DEPTHS = (0.25, 0.0, 0.5, 1.0, 0.75)
METHODS = {
    "all KV": None, "SnapKV": SnapKV(48), "H2O": H2O(48), "GemFilter": released(2, 48),
    "middle": Selection(3, 30, row="middle"), "One-Run": OneRun(released(2, 48)),
}  # fmt: skip


def test_answers_are_those_of_generate() -> None:
    llm = language_models.random_llama(3)
    model = llm.model.double()
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.q_proj.weight *= 20
            layer.self_attn.k_proj.weight *= 20
    hay = haystack(lambda s: llm.encode(s)[0].tolist(), 0, 700, DEPTHS)
    rules = [x for x in METHODS.values() if isinstance(x, SnapKV | H2O)]
    read = reading.read(model, hay, rules, ("last", "middle"))
    found = reading.together(model, {x: (read, how) for x, how in METHODS.items()}, 5)
    for name, how in METHODS.items():
        assert torch.equal(found[name], generate(model, hay.ids, how, 5)), name
