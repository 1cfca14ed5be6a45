"""Experiments with a real language model that look closer: one prompt, tasks, seconds and bytes."""

from itertools import product
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.gemfilter import reading, tasks
from featurebook.papers.gemfilter.checks.real_runs import (
    asked,
    batches,
    loaded,
    methods,
    text_seed,
)
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.clocks import clocked
from featurebook.papers.gemfilter.real import SnapKV, released

Array = NDArray[np.float64]
COMPARED = ("all KV", "SnapKV", "GemFilter", "our variant")
"""Methods that solve the tasks."""
TASK_TOKENS = 16
"""Tokens of an answer."""


@claims.experiment
def real_example(
    language_model: str, precision: str, filter_layer: int, thesis_layer: int, prompt_n: list[int],
    kept_tokens: int, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """The shortest prompt of the first text, with the printed needle.

    Returns:
        "tokens", as text; "needle", its places; "kept", J of the filter layer; "attention" by layer
        (thesis, chosen, last), the last row's probabilities, mean of the heads; "one" (layers, k),
        what each layer would keep as filter; "many" (layers, heads, k), SnapKV's sets.
    """
    llm, k = loaded(language_model, precision), kept_tokens
    hay = asked(llm, text_seed(seed, 0), min(prompt_n))
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
def task_runs(
    language_model: str, precision: str, filter_layer: int, thesis_layer: int, prompt_n: list[int],
    kept_tokens: int, texts: int, seed: int,
) -> dict[str, dict[str, Array]]:  # fmt: skip
    """Share of a text's five questions answered exactly, by task and method, (texts,)."""
    llm = loaded(language_model, precision)
    ways = methods(filter_layer, thesis_layer, kept_tokens)
    rules = [how for x in COMPARED if isinstance(how := ways[x], SnapKV)]
    found = {task: {name: np.empty(texts) for name in COMPARED} for task in tasks.TASKS}
    for some in batches(texts, len(tasks.TASKS) * min(prompt_n)):
        read, needles = {}, {}
        for i, task in product(some, tasks.TASKS):
            needles[i, task] = tasks.drawn(task, text_seed(seed, i))
            hay = asked(llm, text_seed(seed, i), min(prompt_n), needles[i, task])
            read[i, task] = reading.read(llm.model, hay, rules)
        wanted = {(*key, name): (read[key], ways[name]) for key in read for name in COMPARED}
        for (i, task, name), rows in reading.together(llm.model, wanted, TASK_TOKENS).items():
            said = [llm.decode(row) for row in rows]
            found[task][name][i] = np.mean(list(map(tasks.is_right, said, needles[i, task])))
    return found


@claims.experiment
def real_costs(
    language_model: str, precision: str, filter_layer: int, clock_n: list[int], kept_tokens: int,
    answer_tokens: int, seed: int,
) -> dict[str, dict[str, list[float]]]:  # fmt: skip
    """Processor time and memory of prompts of random tokens and of answers, by length.

    Returns:
        "prompt" and "generation", seconds by method; "passes", seconds of the two passes in which
        GemFilter reads a prompt; "peak", most bytes of all that is computed while a prompt is read,
        weights not counted; "counted", keys and values of Theorem 9.3 in bytes, likewise.
    """
    llm = loaded(language_model, precision)
    found: dict[str, dict[str, list[float]]] = {}
    for n in clock_n:
        g = core.generator(seed, "clock", n)
        ids = torch.randint(3, llm.model.config.vocab_size - 2, (1, n), generator=g)
        k = min(kept_tokens, n)
        for what, row in clocked(llm.model, ids, filter_layer, k, answer_tokens).items():
            for name, x in row.items():
                found.setdefault(what, {}).setdefault(name, []).append(float(x))
    return found
