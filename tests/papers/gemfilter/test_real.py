"""The path to a real model, on a Llama of four layers with random weights."""

from pathlib import Path
from typing import Any

import pytest
import torch

from featurebook.papers.gemfilter import real
from featurebook.papers.gemfilter.inference import Selection


@pytest.fixture(scope="module")
def llama() -> Any:
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=4,
        num_attention_heads=4, num_key_value_heads=2,
    )  # fmt: skip
    torch.manual_seed(0)
    model = transformers.LlamaForCausalLM(config).eval()
    model.set_attn_implementation("eager")
    return model


IDS = torch.randint(3, 64, (2, 24), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("r", [1, 3, 4])
def test_scores_are_those_of_the_model(llama: Any, r: int) -> None:
    Q, K = real.query_and_keys(llama, IDS, r)
    mine = (Q @ K.mT / 8**0.5).softmax(-1)[..., 0, :]
    with torch.no_grad():
        theirs = llama(IDS, output_attentions=True).attentions[r - 1][:, :, -1]
    assert torch.allclose(mine, theirs, atol=1e-6)


def test_full_budget_is_the_full_model(llama: Any) -> None:
    full = llama.generate(input_ids=IDS, attention_mask=torch.ones_like(IDS), do_sample=False,
                          max_new_tokens=5)[:, 24:]  # fmt: skip
    assert torch.equal(real.gemfilter(llama, IDS, Selection(2, 24), 5), full)


def test_layers_above_are_not_run(llama: Any) -> None:
    before = real.select(llama, IDS, Selection(2, 6))
    kept = llama.model.layers[2].mlp.up_proj.weight.clone()
    with torch.no_grad():
        llama.model.layers[2].mlp.up_proj.weight.fill_(torch.nan)
    try:
        assert torch.equal(real.select(llama, IDS, Selection(2, 6)), before)
    finally:
        with torch.no_grad():
            llama.model.layers[2].mlp.up_proj.weight.copy_(kept)


def test_recall_by_layer(llama: Any) -> None:
    found = real.recall_by_layer(llama, IDS[:1], range(21, 24), range(1, 5), Selection(1, 6, 3))
    assert found == {1: 1, 2: 1, 3: 1, 4: 1}


def test_saved_model_is_read(llama: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transformers = pytest.importorskip("transformers")
    llama.save_pretrained(tmp_path)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", lambda *a, **b: "words")
    monkeypatch.setenv(real.VARIABLE, str(tmp_path))
    folder = real.folder_given()
    assert folder == tmp_path
    read = real.load(folder)
    assert torch.allclose(read.model(IDS).logits, llama(IDS).logits, atol=1e-5)


def test_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(real.VARIABLE, raising=False)
    assert real.folder_given() is None
    with pytest.raises(FileNotFoundError, match="not downloaded"):
        real.load("no/such/folder")


def test_needle_prompt() -> None:
    ids, needle = real.needle_prompt(lambda s: [ord(c) for c in s], "x" * 1000, 400, 0.5)
    text = "".join(chr(c) for c in ids[0].tolist())
    assert text[needle.start : needle.stop].strip() == real.NEEDLE
    assert text.endswith(f"{real.QUESTION}\n")
    assert ids.shape == (1, 400)
    assert abs(needle.start - (400 - len(needle) - len(real.QUESTION)) / 2) < 3
