"""The checks of what a real language model keeps and answers; each run is a text."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook.language_models import SMOLLM2
from featurebook.papers.gemfilter import tasks
from featurebook.papers.gemfilter.checks.networks import more
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import inequality, trend

Array = NDArray[np.float64]
Tasks = dict[str, dict[str, Array]]


def source_of(needle_runs: dict[str, Any]) -> str:
    """The model that was run."""
    return str(needle_runs["source"])


JUDGED: dict[str, Any] = {"of": SMOLLM2, "on": source_of}


def lead(task_runs: Tasks, task: str, over: str) -> Verdict:
    """Whether the full cache gives more exact answers than a method."""
    difference = task_runs[task]["all KV"] - task_runs[task][over]
    return more(difference, f"{task}, all KV minus {over}")


def by_text(runs: dict[str, Any], method: str, length: int | None = None) -> Array:
    """Mean score of a method in each text, over depths, at one length or over all."""
    scores = runs["score"][method]
    return np.asarray((scores if length is None else scores[:, length]).reshape(len(scores), -1)
                      .mean(1))  # fmt: skip


def gain(runs: dict[str, Any], method: str, over: str, length: int | None = None) -> Verdict:
    """Whether a method scores more than another."""
    difference = by_text(runs, method, length) - by_text(runs, over, length)
    return more(difference, f"score of {method} minus {over}")


def at(recall: Array, r: int) -> Array:
    """Recall of a layer in each text, over lengths and depths: (texts,)."""
    of = np.moveaxis(recall, -2, 0)[r - 1]  # (texts, ..., depths)
    return np.asarray(of.reshape(len(of), -1).mean(1))


@claims.check("real-layer", **JUDGED)
def the_chosen_layer(needle_runs: dict[str, Any], filter_layer: int) -> Iterator[Verdict]:
    """Recall of the chosen layer, on needles not used to choose it, against all layers' mean."""
    recall = needle_runs["recall"]
    mean = recall.mean(axis=(1, 2, 3))
    yield more(at(recall, filter_layer) - mean, "recall of the chosen layer minus all layers' mean")


@claims.check("real-early", **JUDGED)
def early_layers(needle_runs: dict[str, Any], filter_layer: int) -> Iterator[Verdict]:
    """The best layer of the first half of a text against the chosen one."""
    recall = needle_runs["recall"].mean(axis=(1, 3))  # (texts, layers)
    early = recall[:, : recall.shape[1] // 2].max(1)
    yield more(at(needle_runs["recall"], filter_layer) - early, "recall minus best early layer's")


@claims.check("real-thesis-layer", **JUDGED)
def as_deep_as_in_print(
    needle_runs: dict[str, Any], filter_layer: int, thesis_layer: int
) -> Iterator[Verdict]:
    """Recall at 13/32 of the depth against the chosen layer."""
    recall = needle_runs["recall"]
    yield more(at(recall, filter_layer) - at(recall, thesis_layer), "recall lost at 13/32")


@claims.check("real-question", **JUDGED)
def the_question_decides(needle_runs: dict[str, Any], filter_layer: int) -> Iterator[Verdict]:
    """Recall when the needle is asked for, minus when something else is."""
    asked = at(needle_runs["recall"][:, :1], filter_layer)
    yield more(asked - at(needle_runs["control"], filter_layer), "recall minus control question's")


@claims.check("real-untrained", **JUDGED)
def untrained(
    needle_runs: dict[str, Any], untrained_recall: Array, filter_layer: int
) -> Iterator[Verdict]:
    """Recall of the chosen layer minus the best layer of an untrained network."""
    asked = at(needle_runs["recall"][:, :1], filter_layer)
    yield more(asked - untrained_recall.max(1), "recall minus best untrained layer's")


@claims.check("real-released", **JUDGED)
def released_and_snapkv(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """The released code against SnapKV."""
    yield gain(needle_runs, "GemFilter", "SnapKV")


@claims.check("real-released-full", **JUDGED)
def released_and_the_full_cache(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """The full cache against the released code."""
    yield gain(needle_runs, "all KV", "GemFilter")


@claims.check("real-pooling", **JUDGED)
def pooling_helps(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """Means of five against no pooling, at the shortest length."""
    yield gain(needle_runs, "GemFilter", "Algorithm 2", 0)


@claims.check("real-algorithm-2", **JUDGED)
def algorithm_2_loses(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """The full cache and SnapKV against Algorithm 2 as printed, at the shortest length."""
    for rival in ("all KV", "SnapKV"):
        yield gain(needle_runs, rival, "Algorithm 2", 0)


@claims.check("real-g-4-2", **JUDGED)
def appendix_loses(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """The full cache and SnapKV against Appendix G.4.2's maxima, at the shortest length."""
    for rival in ("all KV", "SnapKV"):
        yield gain(needle_runs, rival, "G.4.2", 0)


@claims.check("real-keep-question", **JUDGED)
def keeping_the_question(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """Our variant against the released code, at the shortest length."""
    yield gain(needle_runs, "our variant", "GemFilter", 0)


@claims.check("real-ours", **JUDGED)
def ours_and_random_tokens(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """Our variant against the question with random tokens."""
    yield gain(needle_runs, "our variant", "random", 0)


@claims.check("real-ours-full", **JUDGED)
def ours_and_the_full_cache(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """The full cache against our variant."""
    yield gain(needle_runs, "all KV", "our variant", 0)


@claims.check("real-one-run", **JUDGED)
def one_run(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """One-Run against GemFilter with the same places."""
    yield gain(needle_runs, "One-Run", "GemFilter", 0)


@claims.check("real-h2o", **JUDGED)
def over_h2o(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """SnapKV against H2O at the same budget."""
    yield gain(needle_runs, "SnapKV", "H2O")


@claims.check("real-sets", **JUDGED)
def one_set_and_many(needle_runs: dict[str, Any]) -> Iterator[Verdict]:
    """Places in all of SnapKV's sets, over the one set of GemFilter."""
    yield trend(
        needle_runs["sets"].mean(1), expected=(2, np.inf), rival=2.0, within=(0, np.inf),
        what="places in SnapKV's sets over k",
    )  # fmt: skip


@claims.check("real-codes", **JUDGED)
def codes(task_runs: Tasks) -> Iterator[Verdict]:
    """Codes that the full cache and the released code look up."""
    yield lead(task_runs, "keys", "GemFilter")


@claims.check("real-copying", **JUDGED)
def copied_words(task_runs: Tasks) -> Iterator[Verdict]:
    """Four words that the full cache and the released code copy."""
    yield lead(task_runs, "copying", "GemFilter")


@claims.check("real-counting", **JUDGED)
def counted_coins(task_runs: Tasks) -> Iterator[Verdict]:
    """The full cache's share of right counts against a guess among five numbers."""
    yield more(task_runs["counting"]["all KV"] - tasks.CHANCE, "counts, all KV minus chance")


@claims.check("real-memory", **JUDGED)
def memory_of_a_prompt(
    needle_runs: dict[str, Any], real_costs: dict[str, dict[str, list[float]]]
) -> Iterator[Verdict]:
    """Measured peaks at every length, GemFilter below SnapKV below the full cache."""
    peak = real_costs["peak"]
    for less, than in (("GemFilter", "SnapKV"), ("SnapKV", "all KV")):
        yield inequality(peak[less], peak[than], what=f"peak bytes, {less} and {than}")


@claims.check("real-prompt", **JUDGED)
def the_released_words(needle_runs: dict[str, Any], released_words: Array) -> Iterator[Verdict]:
    """The full cache in a chat minus with the released words, on the same texts."""
    difference = by_text(needle_runs, "all KV", 0) - released_words.mean(1)
    yield more(difference, "score in a chat minus with the released words")
