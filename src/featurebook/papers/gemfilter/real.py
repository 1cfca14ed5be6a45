"""GemFilter on a real model of the package transformers, from a local folder.

transformers is an optional dependency (``pip install featurebook[models]``); no weights come with
the book and nothing is downloaded. Works for decoders whose layers have ``input_layernorm`` and
``self_attn`` with ``q_proj`` and ``k_proj`` (Llama, Mistral, Qwen2), with rotary positions; the
first layers run as they are, and a hook before layer r takes what it is given.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from featurebook.papers.gemfilter.inference import Selection, pooled, scores, top
from featurebook.papers.gemfilter.network import in_heads, repeat_kv

VARIABLE = "FEATUREBOOK_MODEL"
"""Environment variable with the folder of a model."""

NEEDLE = (
    "The best thing to do in San Francisco is eat a sandwich "
    "and sit in Dolores Park on a sunny day."
)
QUESTION = "What is the best thing to do in San Francisco?"


class _Enough(Exception):  # noqa: N818
    """Raised by the hook: the layers above are not needed."""


@dataclass(frozen=True)
class LocalModel:
    """A causal language model and its tokenizer."""

    model: Any
    tokenizer: Any


def folder_given() -> Path | None:
    """The folder that ``FEATUREBOOK_MODEL`` names, if it names one."""
    named = os.environ.get(VARIABLE, "")
    return Path(named) if named else None


def load(folder: Path | str) -> LocalModel:
    """The causal language model in a local folder, from safetensors alone.

    Raises:
        FileNotFoundError: if there is no such folder.
        ImportError: if transformers is not installed.
    """
    if not Path(folder).is_dir():
        raise FileNotFoundError(f"{folder}: no such folder; models are not downloaded")
    try:
        import transformers
    except ImportError as error:
        raise ImportError(
            "reading a language model needs the package transformers, which is optional: "
            "pip install featurebook[models]"
        ) from error
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **local)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, use_safetensors=True, **local)
    return LocalModel(model.eval(), tokenizer)


@torch.no_grad()
def query_and_keys(model: Any, ids: Tensor, r: int) -> tuple[Tensor, Tensor]:
    """The last query (B, h, 1, d) and all keys (B, h, n, d) of layer r, after rotary positions.

    Layers 1 to r - 1 run; those from r on do not.
    """
    stack = model.model
    layer, seen = stack.layers[r - 1], {}

    def stop(_: Any, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        seen["hidden"] = args[0] if args else named["hidden_states"]
        seen["rotary"] = named["position_embeddings"]
        raise _Enough

    handle = layer.register_forward_pre_hook(stop, with_kwargs=True)
    try:
        stack(input_ids=ids, use_cache=False)
    except _Enough:
        pass
    finally:
        handle.remove()
    attention, normal = layer.self_attn, layer.input_layernorm(seen["hidden"])
    d = attention.head_dim
    K = in_heads(attention.k_proj(normal), attention.k_proj.out_features // d)
    Q = in_heads(attention.q_proj(normal[:, -1:]), attention.q_proj.out_features // d)
    cos, sin = (x[:, None] for x in seen["rotary"])  # (B, 1, n, d)
    Q = Q * cos[..., -1:, :] + _half_turned(Q) * sin[..., -1:, :]
    K = K * cos + _half_turned(K) * sin
    return Q, repeat_kv(K, Q.shape[1])


def _half_turned(x: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


def select(model: Any, ids: Tensor, how: Selection) -> Tensor:
    """J for token numbers (B, n): (B, k), in order. Only the last row is supported here."""
    Q, K = query_and_keys(model, ids, how.r)
    found = pooled(scores(Q.float(), K.float(), how.score), how.pool, how.width)
    return top(found, how.k, how.keep_last)


@torch.no_grad()
def gemfilter(model: Any, ids: Tensor, how: Selection, t: int = 50) -> Tensor:
    """Greedy generation from the selected tokens alone: the new tokens, (B, at most t)."""
    kept = ids.gather(1, select(model, ids, how))
    said = model.generate(
        input_ids=kept, attention_mask=torch.ones_like(kept), do_sample=False, num_beams=1,
        max_new_tokens=t,
    )  # fmt: skip
    return said[:, kept.shape[1] :]


def needle_prompt(
    encode: Callable[[str], list[int]], text: str, n: int, depth: float
) -> tuple[Tensor, range]:
    """About n tokens of a text with the needle at a depth in [0, 1], then the question.

    Returns:
        token numbers (1, n), and the places of the needle among them.
    """
    needle, question = encode(f" {NEEDLE} "), encode(f"\n{QUESTION}\n")
    body = encode(text)[: max(0, n - len(needle) - len(question))]
    at = round(depth * len(body))
    ids = [*body[:at], *needle, *body[at:], *question]
    return torch.tensor([ids]), range(at, at + len(needle))


def recall_by_layer(
    model: Any, ids: Tensor, needle: Sequence[int], layers: Sequence[int], how: Selection
) -> dict[int, float]:
    """Share of the needle's tokens that each layer would keep: to choose r by."""
    found = {}
    for r in layers:
        J = select(model, ids, Selection(**{**vars(how), "r": r}))
        found[r] = torch.isin(torch.tensor(list(needle)), J[0]).float().mean().item()
    return found
