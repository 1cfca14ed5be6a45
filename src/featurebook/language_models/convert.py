"""Convert a Llama's GGUF file into a folder that transformers reads, dequantised once.

Layouts as in llama.cpp's ``convert_hf_to_gguf.py``, which moves pairs of rotary coordinates from
halves to neighbours; here they are moved back.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
import transformers
from safetensors.torch import save_file
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor

from featurebook.fetching import DataError, Say

NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
"""Names of a Llama's weights in GGUF and in transformers."""
LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CONTROL, USER = 3, 4
"""GGUF's types of tokens that are never split."""


def convert(path: Path, folder: Path, say: Say | None = None) -> None:
    """Write a GGUF file's configuration, weights and tokenizer into a folder, atomically.

    Raises:
        DataError: if it is damaged, or not a Llama with a tokenizer of bytes.
    """
    if say:
        say(f"dequantising {path.name} into {folder}")
    try:
        reader = gguf.GGUFReader(path)
        about = {name: field.contents() for name, field in reader.fields.items()}
        if (kind := about.get("general.architecture")) != "llama":
            raise DataError(f"{path} is no Llama but a model of the kind {kind}")
        _require_room(reader, path)
        weights, tokenizer = _weights(reader, about), _tokenizer(about, path)
    except (ValueError, IndexError, KeyError, OSError) as error:
        raise DataError(f"{path} is damaged or truncated ({error}): replace it") from error
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _config(about, weights).save_pretrained(part)
        tokenizer.save_pretrained(part)
        save_file(weights, part / "model.safetensors", metadata={"format": "pt"})
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _require_room(reader: Any, path: Path) -> None:
    from featurebook.language_models import require_memory

    require_memory(2 * sum(4 * int(t.n_elements) for t in reader.tensors), path)


def _weights(reader: Any, about: dict[str, Any]) -> dict[str, Tensor]:
    heads = about["llama.attention.head_count"]
    turned = {"attn_q": heads, "attn_k": about.get("llama.attention.head_count_kv", heads)}
    found = {}
    for tensor in reader.tensors:
        *layer, name, suffix = tensor.name.split(".")
        if name == "rope_freqs":  # of scaled rotary positions, which _config refuses
            continue
        x = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        if name in turned:
            x = halves(x, turned[name])
        place = f"model.layers.{layer[1]}." if layer else ""
        found[f"{place}{NAMES[name]}.{suffix}"] = torch.from_numpy(x.copy())
    return found


def halves(x: np.ndarray, heads: int) -> np.ndarray:
    """Rows (heads * d, ...) whose pairs are neighbours as rows whose pairs are d / 2 apart."""
    pairs = x.reshape(heads, -1, 2, *x.shape[1:])
    return pairs.swapaxes(1, 2).reshape(x.shape)


def _config(about: dict[str, Any], weights: dict[str, Tensor]) -> Any:
    def of(name: str, default: Any = None) -> Any:
        return about.get(f"llama.{name}", default)

    if of("rope.scaling.type", "none") != "none":
        raise DataError("models with scaled rotary positions are read from safetensors only")
    heads, width = of("attention.head_count"), of("embedding_length")
    return transformers.LlamaConfig(
        architectures=["LlamaForCausalLM"],
        vocab_size=len(weights["model.embed_tokens.weight"]),
        hidden_size=width,
        intermediate_size=of("feed_forward_length"),
        num_hidden_layers=of("block_count"),
        num_attention_heads=heads,
        num_key_value_heads=of("attention.head_count_kv", heads),
        head_dim=of("rope.dimension_count", width // heads),
        max_position_embeddings=of("context_length"),
        rms_norm_eps=float(np.float32(of("attention.layer_norm_rms_epsilon")).item()),
        **_rotary(of("rope.freq_base", 10_000.0)),
        tie_word_embeddings="lm_head.weight" not in weights,
        bos_token_id=about.get("tokenizer.ggml.bos_token_id"),
        eos_token_id=about.get("tokenizer.ggml.eos_token_id"),
    )


def _rotary(base: float) -> dict[str, Any]:
    """The base of rotary positions, under the names of transformers 4 and 5."""
    return {"rope_theta": base, "rope_parameters": {"rope_type": "default", "rope_theta": base}}


def _cutting(name: str) -> list[Any]:
    """How a text is split before bytes are merged, by GGUF's name for it."""
    bytewise = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    if name == "smollm":
        return [pre_tokenizers.Digits(individual_digits=True), bytewise]
    if name in ("gpt-2", "default"):
        return [bytewise]
    if name == "llama-bpe":
        whole = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        return [pre_tokenizers.Split(Regex(LLAMA_3), "isolated"), whole]
    raise DataError(f"the tokenizer {name} is read from a folder with tokenizer.json only")


def _tokenizer(about: dict[str, Any], path: Path) -> Any:
    if (kind := about["tokenizer.ggml.model"]) != "gpt2":
        raise DataError(f"{path}: a tokenizer of the kind {kind} is read from a folder only")
    tokens, types = about["tokenizer.ggml.tokens"], about["tokenizer.ggml.token_type"]
    merges = [tuple(pair.split(" ", 1)) for pair in about["tokenizer.ggml.merges"]]
    core = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    cuts = _cutting(about.get("tokenizer.ggml.pre", "default"))
    core.pre_tokenizer = pre_tokenizers.Sequence(cuts)
    core.decoder = decoders.ByteLevel()
    whole = [t for t, of in zip(tokens, types, strict=True) if of in (CONTROL, USER)]
    core.add_special_tokens(whole)
    named = {
        f"{what}_token": tokens[about[f"tokenizer.ggml.{what}_token_id"]]
        for what in ("bos", "eos")
        if f"tokenizer.ggml.{what}_token_id" in about
    }
    template = about.get("tokenizer.chat_template")
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=core, chat_template=template, clean_up_tokenization_spaces=False, **named
    )
