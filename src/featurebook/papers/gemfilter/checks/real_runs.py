"""Experiments with a real language model: what it is asked, keeps and answers.

Each text is an independent run: five needles at five depths are asked for in it, one per prompt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, language_models
from featurebook.language_models import LanguageModel, UnusableModelError
from featurebook.papers.gemfilter import decoder, printed, reading, real
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.haystack import CHOOSING, CONTROL, NEEDLES, Haystack, haystack
from featurebook.papers.gemfilter.inference import Selection, top
from featurebook.papers.gemfilter.reading import Reading
from featurebook.papers.gemfilter.real import H2O, Method, OneRun, SnapKV, released

DEPTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
THESIS = 13 / 32
"""Filter layer of LLaMA 3.1 over its layers, both counted as released."""
QUESTION = 32
"""Last tokens that our variant keeps: the question and SnapKV's window."""
MAIN = ("all KV", "SnapKV", "H2O", "GemFilter", "GemFilter, 13/32", "One-Run")
"""Methods of the needle maps; GemFilter is the released code, that is the printed code."""
VARIANTS = ("Algorithm 2", "G.4.2", "our variant", "middle row", "random", "needle")
"""Further methods, at the shortest length."""
SEEDS = {"judged": 500, "choosing": 10_000_500}
"""First seeds of the texts; the form of the prompt was chosen on texts 0 to 2, never judged."""
TOGETHER = 24_000
"""Tokens of prompts whose answers are generated in one batch, at most, if of several texts."""
Array = NDArray[np.float64]


@lru_cache(maxsize=2)
def loaded(model: str, precision: str) -> LanguageModel:
    """The language model that a parameter names.

    Raises:
        MissingModelError: if it is not on this machine.
        UnusableModelError: if it is damaged, or not built like Llama.
    """
    if model == "random":
        return language_models.random_llama(0)
    llm = language_models.load(getattr(torch, precision))
    try:
        decoder.require_llama_like(llm.model)
    except ValueError as error:
        raise UnusableModelError(str(error)) from error
    return llm


def text_seed(seed: int, i: int, use: str = "judged") -> int:
    """The seed of text i."""
    return SEEDS[use] + 1000 * seed + i


def batches(texts: int, n: int) -> list[range]:
    """Numbers of the texts whose questions, of n tokens each, are answered together."""
    size = max(1, TOGETHER // (len(DEPTHS) * n))
    return [range(texts)[a : a + size] for a in range(0, texts, size)]


def asked(
    llm: LanguageModel, seed: int, n: int, needles: Any = NEEDLES, question: str = "",
    form: str = "chat",
) -> Haystack:  # fmt: skip
    """The text of a seed: each needle at another depth, which depends on the seed."""
    depths = [DEPTHS[(i + seed) % len(DEPTHS)] for i in range(len(needles))]
    return haystack(lambda s: llm.encode(s)[0].tolist(), seed, n, depths, needles, question, form)


def recall(read: Reading, hay: Haystack, how: Selection) -> Array:
    """Share of each needle's tokens that every layer would keep, (layers, depths)."""
    found = np.empty((len(read.cache.keys), len(DEPTHS)))
    for r in range(1, len(found) + 1):
        J = read.chosen(Selection(**{**vars(how), "r": r}))
        for row, place, depth in zip(J, hay.places, hay.depths, strict=True):
            kept = torch.isin(torch.tensor(list(place)), row)
            found[r - 1, DEPTHS.index(depth)] = kept.double().mean()
    return found


@claims.experiment
def choosing_recall(
    language_model: str, precision: str, prompt_n: list[int], kept_tokens: int, texts: int,
    seed: int,
) -> Array:  # fmt: skip
    """Recall by layer of the released selection on needles that are not judged, (texts, layers)."""
    llm, how = loaded(language_model, precision), released(1, kept_tokens)
    found = []
    for i in range(texts):
        hay = asked(llm, text_seed(seed, i, "choosing"), min(prompt_n), CHOOSING)
        found.append(recall(reading.read(llm.model, hay), hay, how).mean(1))
    return np.array(found)


@claims.experiment
def filter_layer(choosing_recall: Array) -> int:
    """The layer of largest recall, counted from 1, chosen on needles that are not judged."""
    return int(choosing_recall.mean(0).argmax()) + 1


@claims.experiment
def thesis_layer(choosing_recall: Array) -> int:
    """The layer as deep as layer 13 (from 0) of LLaMA's 32, counted from 1."""
    return round(THESIS * choosing_recall.shape[1]) + 1


def methods(r: int, thesis: int, k: int) -> dict[str, Method]:
    """What is compared, by name; places chosen without a model are not among them."""
    return {
        "all KV": None,
        "SnapKV": SnapKV(k, window=min(32, k // 2)),
        "H2O": H2O(k, recent=min(32, k // 2)),
        "GemFilter": released(r, k),
        "GemFilter, 13/32": released(thesis, k),
        "Algorithm 2": Selection(r, k, keep_last=0, pool="none"),
        "G.4.2": Selection(r, k, keep_last=0, pool="max", width=5),
        "our variant": Selection(r, k, keep_last=min(QUESTION, k // 2)),
        "One-Run": OneRun(released(r, k)),
        "middle row": Selection(r, k, keep_last=0, pool="zeros", width=5, row="middle"),
    }


def further(r: int, thesis: int, budgets: Sequence[int]) -> dict[str, Method]:
    """The main methods that keep k tokens, once more with other budgets k."""
    return {
        f"{name}, k = {k}": how
        for k in budgets
        for name, how in methods(r, thesis, k).items()
        if name in MAIN and how is not None
    }


def by_hand(hay: Haystack, k: int, g: torch.Generator, needle: bool) -> Tensor:
    """Places (B, k) without a model: the question, random tokens, and perhaps the needle."""
    n = hay.ids.shape[1]
    wish = torch.rand(len(hay.tails), n, generator=g)
    for row, place in zip(wish, hay.places, strict=True):
        row[list(place)] += 2.0 * needle
    return top(wish, k, min(QUESTION, k // 2))


def scored(llm: LanguageModel, hay: Haystack, said: Mapping[str, Tensor]) -> dict[str, Array]:
    """The released score of each answer by method, (depths,)."""
    found = {}
    for name, tokens in said.items():
        row = np.empty(len(DEPTHS))
        for answer, needle, depth in zip(tokens, hay.needles, hay.depths, strict=True):
            row[DEPTHS.index(depth)] = printed.score(llm.decode(answer), needle.answer)
        found[name] = row
    return found


@claims.experiment
def needle_runs(
    language_model: str, precision: str, filter_layer: int, thesis_layer: int, prompt_n: list[int],
    kept_tokens: int, further_kept: list[int], texts: int, answer_tokens: int, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Every text at every length, read once.

    Returns:
        "recall" of the needle by the released selection, (texts, lengths, layers, depths);
        "control" when something else is asked for, (texts, layers, depths); "score" by method,
        (texts, lengths, depths) or, for `VARIANTS`, (texts, 1, depths); "sets", how many places
        SnapKV's sets have together, over k, (texts, lengths); "said", answers of the first text by
        method; "source", the model's name.
    """
    llm = loaded(language_model, precision)
    ways = methods(filter_layer, thesis_layer, kept_tokens)
    ways |= further(filter_layer, thesis_layer, further_kept)
    found: dict[str, Any] = {
        "recall": np.empty((texts, len(prompt_n), llm.model.config.num_hidden_layers, len(DEPTHS))),
        "sets": np.empty((texts, len(prompt_n))),
        "source": llm.source,
    }
    score: dict[str, list[list[Array]]] = {}
    for j, n in enumerate(prompt_n):
        every = n == min(prompt_n)
        for some in batches(texts, n):
            hays = [asked(llm, text_seed(seed, i), n) for i in some]
            answered = _answered(llm, hays, ways, every, answer_tokens, seed)
            for i, hay, (read, said) in zip(some, hays, answered, strict=True):
                found["recall"][i, j] = recall(read, hay, released(1, kept_tokens))
                found["sets"][i, j] = _union(read, ways["SnapKV"]) / kept_tokens
                for name, row in scored(llm, hay, said).items():
                    score.setdefault(name, [[] for _ in range(texts)])[i].append(row)
                if i == 0 and every:
                    found["said"] = {m: list(map(llm.decode, rows)) for m, rows in said.items()}
    control = [_control(llm, text_seed(seed, i), min(prompt_n), kept_tokens) for i in range(texts)]
    found["score"] = {m: np.array(x) for m, x in score.items()}
    return found | {"control": np.array(control)}


def _answered(
    llm: LanguageModel, hays: Sequence[Haystack], ways: Mapping[str, Method], every: bool, t: int,
    seed: int,
) -> list[tuple[Reading, dict[str, Tensor]]]:  # fmt: skip
    """Read haystacks of one length, and answer their questions by the main methods or every one.

    A method that keeps all tokens gives the full cache's answer to the bit, and is not run.
    """
    rules = [x for x in ways.values() if isinstance(x, SnapKV | H2O)]
    named = {x: how for x, how in ways.items() if every or x not in VARIANTS}
    n = hays[0].ids.shape[1]
    whole = [x for x, how in named.items() if how and real.budget(how) >= n]
    reads = []
    wanted: dict[tuple[int, str], tuple[Reading, Method | Tensor]] = {}
    for i, hay in enumerate(hays):
        read = reading.read(llm.model, hay, rules, ("last", "middle") if every else ("last",))
        reads.append(read)
        wanted |= {(i, x): (read, how) for x, how in named.items() if x not in whole}
        if every:
            g, k = core.generator(seed, "by hand"), next(x.k for x in rules)
            for x in ("random", "needle"):
                wanted[i, x] = read, by_hand(hay, k, g, x == "needle")
    answers = reading.together(llm.model, wanted, t)
    said: list[dict[str, Tensor]] = [{} for _ in hays]
    for (i, x), tokens in answers.items():
        said[i][x] = tokens
    return [(r, s | dict.fromkeys(whole, s["all KV"])) for r, s in zip(reads, said, strict=True)]


def _control(llm: LanguageModel, seed: int, n: int, k: int) -> Array:
    """Recall of a text's needles when the question is about something else, (layers, depths)."""
    hay = asked(llm, seed, n, question=CONTROL)
    read = reading.read(llm.model, replace(hay, tails=hay.tails[:1]))
    same = replace(read, scores={x: [y.expand(len(hay.tails), -1) for y in of]
                                 for x, of in read.scores.items()})  # fmt: skip
    return recall(same, hay, released(1, k))


def _union(read: Reading, rule: Method) -> float:
    """Places in the union of a method's sets over layers and heads, mean of the prompts."""
    together = torch.cat(list(read.sets[rule]), 1).flatten(1)
    return float(np.mean([len(set(row)) for row in together.tolist()]))


@claims.experiment
def untrained_recall(
    language_model: str, precision: str, prompt_n: list[int], kept_tokens: int, texts: int,
    seed: int,
) -> Array:  # fmt: skip
    """Recall by layer before training on the texts judged, other weights each: (texts, layers)."""
    llm = loaded(language_model, precision)
    found = []
    for i in range(texts):
        fresh = language_models.untrained(llm, seed + i)
        hay = asked(llm, text_seed(seed, i), min(prompt_n))
        read = reading.read(fresh.model, hay)
        found.append(recall(read, hay, released(1, kept_tokens)).mean(1))
    return np.array(found)


@claims.experiment
def released_words(
    language_model: str, precision: str, prompt_n: list[int], texts: int, answer_tokens: int,
    seed: int,
) -> Array:  # fmt: skip
    """Scores of the full cache with the words of the released code, (texts, depths)."""
    llm = loaded(language_model, precision)
    rows = []
    for some in batches(texts, min(prompt_n)):
        hays = [asked(llm, text_seed(seed, i), min(prompt_n), form="released") for i in some]
        wanted = {i: (reading.read(llm.model, hay), None) for i, hay in enumerate(hays)}
        said = reading.together(llm.model, wanted, answer_tokens)
        rows += [scored(llm, hay, {"": said[i]})[""] for i, hay in enumerate(hays)]
    return np.array(rows)
