"""The checks of the chapter on a real language model: flips, attention, ranks."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from featurebook import language_models
from featurebook.language_models import LanguageModel
from featurebook.papers.icl_scale import prompts, scoring
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import trend

FIRST, RELEVANT, IRRELEVANT, MASS = range(4)
"""What `scoring.last_rows` returns."""


@claims.experiment
def language_model() -> LanguageModel:
    """The reader's model, or the one that ``featurebook data`` has fetched."""
    return language_models.load()


@claims.experiment
def model_facts(language_model: LanguageModel) -> dict[str, str | int]:
    """The model's name, and the largest rank that a head's product can have."""
    head = language_model.model.get_decoder().layers[0].self_attn.head_dim
    return {"name": language_model.source, "rank": int(head)}


@claims.experiment
def label_words(dataset: str) -> tuple[str, str]:
    """The words for the labels 0 and 1: those of the data set, or of SST-2 for our templates."""
    return prompts.WORDS[Path(dataset).stem if dataset else "SST-2"]


@claims.experiment
def prompt_draws(dataset: str, demonstrations: int, queries: int, seed: int) -> list[prompts.Draw]:
    """Independent draws of M demonstrations with queries."""
    every = [np.random.default_rng([seed, k, 51]) for k in range(demonstrations)]
    if not dataset:
        return [prompts.from_templates(queries, rng) for rng in every]
    data = prompts.read_dataset(dataset)
    return [prompts.from_data(data, queries, rng) for rng in every]


def accuracies(
    llm: LanguageModel,
    contexts: Sequence[prompts.Draw],
    rates: Sequence[float],
    words: tuple[str, str],
) -> Array:
    """Share of right answers, (contexts, rates)."""
    return np.array([[scoring.right(llm, c, p, words).mean() for p in rates] for c in contexts])


@claims.experiment
def real_accuracy(
    language_model: LanguageModel,
    prompt_draws: list[prompts.Draw],
    label_words: tuple[str, str],
    flip_rates: list[float],
) -> Array:
    """Accuracy of the real model, (contexts, flip rates)."""
    return accuracies(language_model, prompt_draws, flip_rates, label_words)


@claims.experiment
def untrained_accuracy(
    language_model: LanguageModel,
    prompt_draws: list[prompts.Draw],
    label_words: tuple[str, str],
    controls: int,
    seed: int,
) -> Array:
    """Accuracy without flips of a network of the same shape with random weights, (contexts,)."""
    random = language_models.untrained(language_model, seed)
    return accuracies(random, prompt_draws[:controls], [0.0], label_words)[:, 0]


@claims.experiment
def cut_accuracy(
    language_model: LanguageModel,
    prompt_draws: list[prompts.Draw],
    label_words: tuple[str, str],
    flip_rates: list[float],
    cuts: list[int],
    controls: int,
) -> dict[int, Array]:
    """Accuracy at the least and largest flip rate with heads cut to a rank, (contexts, 2)."""
    found, ends = {}, [min(flip_rates), max(flip_rates)]
    for rank in cuts:
        with scoring.truncated(language_model, rank):
            found[rank] = accuracies(language_model, prompt_draws[:controls], ends, label_words)
    return found


@claims.experiment
def real_attention(language_model: LanguageModel, attention_prompts: int, seed: int) -> Array:
    """Last rows by order of the sentences, prompt, and label, (2, prompts, 2, 4).

    The relevant sentence comes first, then second; the label is right, then wrong; the last axis
    is that of `scoring.last_rows`, with the relevant sentence before the irrelevant one.
    """
    found = np.empty((2, attention_prompts, 2, 4))
    for k in range(attention_prompts):
        relevant, irrelevant, y = prompts.pair(np.random.default_rng([seed, k, 53]))
        for wrong in (0, 1):
            word = prompts.WORDS["SST-2"][1 - y if wrong else y]
            found[0, k, wrong] = scoring.last_rows(language_model, relevant, irrelevant, word)
            turned = scoring.last_rows(language_model, irrelevant, relevant, word)
            found[1, k, wrong] = turned[[FIRST, IRRELEVANT, RELEVANT, MASS]]
    return found


@claims.experiment
def head_directions(language_model: LanguageModel) -> Array:
    """Directions that hold 90 % of the energy of each head's product, (layers, heads)."""
    return scoring.directions(language_model)


def lost(accuracy: Array, rates: Sequence[float]) -> Array:
    """Accuracy lost from the smallest to the largest flip rate, (contexts,)."""
    return accuracy[:, rates.index(min(rates))] - accuracy[:, rates.index(max(rates))]


@claims.check("real-flips")
def a_small_model_follows_flips(
    real_accuracy: Array, untrained_accuracy: Array, flip_rates: list[float]
) -> Iterator[Verdict]:
    """Accuracy lost, and accuracy without flips, of the trained and the untrained network."""
    fall = lost(real_accuracy, flip_rates)
    yield trend(fall, expected=(0, 1), rival=0.0, within=(-1, 1), what="accuracy lost")
    clean = real_accuracy[:, flip_rates.index(min(flip_rates))]
    yield trend(clean, expected=(0.5, 1), rival=0.5, within=(0, 1), what="accuracy, no flips")
    yield trend(
        untrained_accuracy, expected=(0.35, 0.65), within=(0, 1), what="accuracy, untrained"
    )


@claims.check("real-guessing")
def a_small_model_is_not_worse_than_guessing(
    real_accuracy: Array, flip_rates: list[float]
) -> Iterator[Verdict]:
    """Accuracy with all labels flipped."""
    flipped = real_accuracy[:, flip_rates.index(max(flip_rates))]
    yield trend(flipped, expected=(0.5, 1), rival=0.5, within=(0, 1), what="accuracy, all flipped")


def counted(rows: Array) -> Array:
    """Norm of the relevant part with the first token, as in the authors' code, (...,)."""
    return np.hypot(rows[..., FIRST], rows[..., RELEVANT])


@claims.check("real-first-token")
def attention_lies_on_the_first_token(real_attention: Array) -> Iterator[Verdict]:
    """Norm over the first token minus those over both sentences, for each order."""
    for rows, order in zip(real_attention.mean(2), ("first", "second"), strict=True):
        more = rows[:, FIRST] - rows[:, RELEVANT] - rows[:, IRRELEVANT]
        yield trend(more, expected=(0, 1), rival=0.0, what=f"relevant sentence {order}")


@claims.check("real-relevant")
def relevance_is_the_first_token(real_attention: Array) -> Iterator[Verdict]:
    """Norm over the relevant minus the irrelevant part: with the first token, and without it."""
    rows = real_attention[0].mean(1)
    with_first = counted(rows) - rows[:, IRRELEVANT]
    yield trend(with_first, expected=(0, 1), rival=0.0, what="with the first token")
    without = rows[:, RELEVANT] - rows[:, IRRELEVANT]
    yield trend(without, expected=(-1, 0), rival=0.0, what="without it")


@claims.check("real-place")
def place_matters(real_attention: Array) -> Iterator[Verdict]:
    """How much larger the relevant sentence's share of the two norms is in second place."""
    rows = real_attention.mean(2)  # (2, prompts, 4)
    share = rows[..., RELEVANT] / (rows[..., RELEVANT] + rows[..., IRRELEVANT])
    more = share[1] - share[0]
    yield trend(more, expected=(0, 1), rival=0.0, within=(-1, 1), what="share, second minus first")


@claims.check("real-rank")
def heads_need_their_rank(
    real_accuracy: Array, cut_accuracy: dict[int, Array], flip_rates: list[float]
) -> Iterator[Verdict]:
    """Clean accuracy that the model loses when every head is cut to the smallest rank."""
    clean = real_accuracy[:, flip_rates.index(min(flip_rates))]
    rank, found = min(cut_accuracy.items())
    worse = clean[: len(found)] - found[:, 0]
    yield trend(worse, expected=(0, 1), rival=0.0, within=(-1, 1), what=f"rank {rank}")


@claims.check("real-smaller-rank")
def a_smaller_rank_forgives_flips(
    real_accuracy: Array, cut_accuracy: dict[int, Array], flip_rates: list[float]
) -> Iterator[Verdict]:
    """At the largest rank of the cuts: clean accuracy, and how much less flips take from it."""
    rank, found = max(cut_accuracy.items())
    yield trend(
        found[:, 0], expected=(0.5, 1), rival=0.5, within=(0, 1), what=f"accuracy, rank {rank}"
    )
    less = lost(real_accuracy, flip_rates)[: len(found)] - (found[:, 0] - found[:, 1])
    yield trend(less, expected=(0, 1), rival=0.0, within=(-1, 1), what=f"lost less, rank {rank}")
