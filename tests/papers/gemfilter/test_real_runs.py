"""Experiments with a real model, on a random small Llama; and what they say without a model."""

from typing import Any

import numpy as np
import pytest
import torch

from featurebook import core, fetching, language_models
from featurebook.papers.gemfilter import tasks
from featurebook.papers.gemfilter.checks import claims, real_claims, real_looks, real_runs
from featurebook.papers.gemfilter.decoder import Cache
from featurebook.papers.gemfilter.haystack import NEEDLES, Haystack
from featurebook.papers.gemfilter.reading import Reading
from featurebook.papers.gemfilter.real import released

SIZES: dict[str, Any] = {
    "language_model": "random", "precision": "float32", "prompt_n": [1100], "kept_tokens": 40,
    "further_kept": [50, 1100], "texts": 2, "answer_tokens": 2, "clock_n": [64], "seed": 0,
}  # fmt: skip
PLACES = (range(2, 4), range(10, 12), range(20, 22), range(30, 32), range(38, 40))


@pytest.fixture
def hay() -> Haystack:
    """Five prompts of 50 tokens."""
    body, tails = torch.zeros(1, 44, dtype=torch.long), torch.zeros(5, 6, dtype=torch.long)
    return Haystack(body, tails, PLACES, NEEDLES, (0.25, 0.5, 0.75, 1.0, 0.0))


def test_recall_counts_tokens_of_the_needle_by_depth(hay: Haystack) -> None:
    scores = torch.zeros(5, 50)
    scores[0, [2, 3]] = 9.0  # the whole needle of the first prompt, half of that of the second
    scores[1, [10, 20]] = 9.0
    empty = torch.empty(0)
    cache = Cache((empty,) * 2, (empty,) * 2, empty)
    read = Reading(hay.ids, empty, cache, {("last", "raw"): [-scores, scores]})
    how = released(1, 2)
    plain = type(how)(**{**vars(how), "pool": "none"})
    found = real_runs.recall(read, hay, plain)
    assert found.shape == (2, 5)
    assert found[1, [1, 2]].tolist() == [1.0, 0.5]
    assert found[0, 1] == 0


def test_tokens_chosen_by_hand(hay: Haystack) -> None:
    with_it = real_runs.by_hand(hay, 12, core.generator(0, "x"), needle=True)
    without = real_runs.by_hand(hay, 12, core.generator(0, "x"), needle=False)
    for row, place in zip(with_it.tolist(), hay.places, strict=True):
        assert set(place) <= set(row)
        assert set(range(44, 50)) <= set(row)
    assert without.shape == (5, 12)
    assert not torch.equal(with_it, without)


def test_each_needle_visits_each_depth() -> None:
    llm = language_models.random_llama() if _installed() else pytest.skip("no extra")
    depths = [real_runs.asked(llm, seed, 1100).depths for seed in range(5)]
    assert all(sorted(column) == list(real_runs.DEPTHS) for column in zip(*depths, strict=True))


def test_experiments_run_on_a_random_model() -> None:
    if not _installed():
        pytest.skip("the extra featurebook[models]")
    study = claims.at(**SIZES)
    runs = study["needle_runs"]
    assert runs["recall"].shape == (2, 1, 4, 5)
    assert runs["control"].shape == (2, 4, 5)
    more = {f"{x}, k = {k}" for x in real_runs.MAIN[1:] for k in (50, 1100)}
    assert set(runs["score"]) == {*real_runs.MAIN, *real_runs.VARIANTS} | more
    whole = runs["score"]["all KV"]
    assert np.array_equal(runs["score"]["H2O, k = 1100"], whole)  # all tokens are kept
    assert all(x.shape == (2, 1, 5) for x in runs["score"].values())
    verdict = study.check("real-layer")
    assert (verdict.outcome, verdict.reason) == ("open", "not judged")
    assert "on a random Llama" in verdict.measured
    assert set(study["task_runs"]) == set(tasks.TASKS)
    assert all(set(x) == set(real_looks.COMPARED) for x in study["task_runs"].values())


def test_without_a_model_every_claim_is_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(fetching, "cache", lambda: tmp_path)
    monkeypatch.delenv(language_models.VARIABLE, raising=False)
    real_runs.loaded.cache_clear()
    study = claims.at(**{**SIZES, "language_model": "smollm2"})
    for name in (n for n in claims.judgements if n.startswith("gemfilter-real-")):
        verdict = study.check(name)
        assert (verdict.outcome, verdict.reason) == ("open", "not judged")
        assert language_models.COMMAND in verdict.measured or "pip install" in verdict.measured


def test_a_damaged_model_leaves_claims_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF" + bytes(60))
    monkeypatch.setattr(fetching, "cache", lambda: tmp_path)
    monkeypatch.setenv(language_models.VARIABLE, str(tmp_path / "m.gguf"))
    real_runs.loaded.cache_clear()
    verdict = claims.at(**{**SIZES, "language_model": "smollm2"}).check("real-layer")
    assert (verdict.outcome, verdict.reason) == ("open", "not judged")
    assert "damaged" in verdict.measured or "pip install" in verdict.measured


@pytest.mark.parametrize(
    ("ours", "rival", "outcome"), [(0.9, 0.1, "trend"), (0.1, 0.9, "open"), (0.5, 0.5, "open")]
)
def test_a_gain_is_told_from_a_loss(ours: float, rival: float, outcome: str) -> None:
    noise = np.array([0.0, 0.01, -0.01])[:, None, None]
    score = {"a": ours + noise + np.zeros((3, 1, 5)), "b": rival - noise + np.zeros((3, 1, 5))}
    assert real_claims.gain({"score": score}, "a", "b").outcome == outcome


def test_recall_of_a_layer_is_a_mean_over_lengths_and_depths() -> None:
    recall = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5).astype(float)
    assert real_claims.at(recall, 2).tolist() == [x[:, 1].mean() for x in recall]
    assert real_claims.at(recall[:, 0], 2).tolist() == [x[0, 1].mean() for x in recall]


def _installed() -> bool:
    try:
        language_models.random_llama()
    except language_models.MissingModelError:
        return False
    return True
