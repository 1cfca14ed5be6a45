"""Experiments with a real language model that look closer: one prompt, codes, seconds and bytes."""

import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.gemfilter import reading
from featurebook.papers.gemfilter.checks.real_runs import asked, loaded, methods, text_seed
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.decoder import Cache, extend
from featurebook.papers.gemfilter.haystack import CODES
from featurebook.papers.gemfilter.real import SnapKV, released, select

Array = NDArray[np.float64]
COMPARED = ("all KV", "SnapKV", "GemFilter", "our variant")
"""Methods that look up codes."""


@claims.experiment
def real_example(
    language_model: str, precision: str, filter_layer: int, thesis_layer: int, prompt_n: list[int],
    kept_tokens: int, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """The longest prompt of the first text, with the printed needle.

    Returns:
        "tokens", as text; "needle", its places; "kept", J of the filter layer; "attention" by layer
        (thesis, chosen, last), the last row's probabilities, mean of the heads; "one" (layers, k),
        what each layer would keep as filter; "many" (layers, heads, k), SnapKV's sets.
    """
    llm, k = loaded(language_model, precision), kept_tokens
    hay = asked(llm, text_seed(seed, 0), max(prompt_n))
    rule = methods(filter_layer, thesis_layer, k)["SnapKV"]
    assert isinstance(rule, SnapKV)
    read = reading.read(llm.model, hay, [rule])
    layers, heads = len(read.cache.keys), llm.model.config.num_attention_heads
    likely = read.scores["last", "probability"]
    return {
        "tokens": [llm.decode(token[None]) for token in read.ids[0]],
        "needle": hay.places[0],
        "kept": read.chosen(released(filter_layer, k))[0].numpy(),
        "attention": {r: likely[r - 1][0].float().numpy() / heads
                      for r in (thesis_layer, filter_layer, layers)},
        "one": np.array([read.chosen(released(r, k))[0].numpy() for r in range(1, layers + 1)]),
        "many": np.array([x[0].numpy() for x in read.sets[rule]]),
    }  # fmt: skip


@claims.experiment
def code_runs(
    language_model: str, precision: str, filter_layer: int, thesis_layer: int, prompt_n: list[int],
    kept_tokens: int, texts: int, seed: int,
) -> dict[str, Array]:  # fmt: skip
    """Share of codes of doors that are answered exactly, by method, (texts,)."""
    llm = loaded(language_model, precision)
    ways = methods(filter_layer, thesis_layer, kept_tokens)
    rules = [x for x in ways.values() if isinstance(x, SnapKV)]
    found: dict[str, list[float]] = {name: [] for name in COMPARED}
    for i in range(texts):
        hay = asked(llm, text_seed(seed, i), min(prompt_n), CODES)
        read = reading.read(llm.model, hay, rules)
        said = reading.answers(llm.model, read, {x: ways[x] for x in COMPARED}, 16)
        for name, rows in said.items():
            right = [x.answer in llm.decode(row) for row, x in zip(rows, CODES, strict=True)]
            found[name].append(float(np.mean(right)))
    return {name: np.array(x) for name, x in found.items()}


@claims.experiment
def real_costs(
    language_model: str, precision: str, filter_layer: int, clock_n: list[int], kept_tokens: int,
    seed: int,
) -> dict[str, list[float]]:  # fmt: skip
    """Seconds of processor time of a prompt, and bytes of keys and values after it, by length.

    "full" and "filter" are the whole model on the prompt and GemFilter's first pass, "second" its
    second pass; "bytes" and "second bytes" are what stays in the cache.
    """
    llm = loaded(language_model, precision)
    names = ("full", "filter", "second", "bytes", "second bytes")
    found: dict[str, list[float]] = {name: [] for name in names}
    for n in clock_n:
        g = core.generator(seed, "clock", n)
        ids = torch.randint(3, llm.model.config.vocab_size - 2, (1, n), generator=g)
        how = released(filter_layer, min(kept_tokens, n))
        begun = time.process_time()
        whole = extend(llm.model, ids)[1]
        first = time.process_time()
        J = select(llm.model, ids, how)
        second = time.process_time()
        short: Cache = extend(llm.model, ids.gather(1, J))[1]
        ended = time.process_time()
        row = (first - begun, second - first, ended - second, whole.bytes, short.bytes)
        for name, x in zip(names, row, strict=True):
            found[name].append(float(x))
    return found
