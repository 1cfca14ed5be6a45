"""Scores of a small random Llama against prompts that are scored one by one."""

from pathlib import Path

import numpy as np
import pytest
import torch

from featurebook import language_models
from featurebook.language_models import LanguageModel
from featurebook.papers.icl_scale import checks, prompts, scoring

pytest.importorskip("transformers")
pytest.importorskip("gguf")
WORDS = prompts.WORDS["SST-2"]


@pytest.fixture(scope="module")
def llm() -> LanguageModel:
    return language_models.random_llama(0)


@pytest.fixture
def draw() -> prompts.Draw:
    return prompts.from_templates(6, np.random.default_rng(0), M=4)


def test_a_tree_shares_beginnings_alone() -> None:
    nodes, sees, paths = scoring.tree([[5, 6, 7], [5, 6, 8], [5, 7]])
    assert nodes == [5, 6, 7, 8, 7]
    assert paths == [[0, 1, 2], [0, 1, 3], [0, 4]]
    assert sees.int().tolist() == [
        [1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 0, 1, 0], [1, 0, 0, 0, 1]
    ]  # fmt: skip


@torch.no_grad()
def test_losses_are_those_of_prompts_scored_one_by_one(
    llm: LanguageModel, draw: prompts.Draw
) -> None:
    found = scoring.answers(llm, draw, 0.5, WORDS)
    context = "".join(prompts.context(draw, 0.5, WORDS))
    for (sentence, _), losses in zip(draw.asked, found, strict=True):
        for word, loss in zip(WORDS, losses, strict=True):
            before = [256, *(context + f"sentence: {sentence}\n").encode()]
            said = list(f"The answer is {word}.".encode())
            logits = llm.model(torch.tensor([before + said])).logits[0, len(before) - 1 : -1]
            one = torch.nn.functional.cross_entropy(logits, torch.tensor(said))
            assert loss == pytest.approx(float(one), rel=1e-5)


def test_many_queries_are_scored_in_several_passes(
    llm: LanguageModel, draw: prompts.Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = scoring.answers(llm, draw, 0, WORDS)
    monkeypatch.setattr(scoring, "MOST", 4)
    np.testing.assert_allclose(scoring.answers(llm, draw, 0, WORDS), whole, rtol=1e-5)


def test_the_smaller_loss_answers(draw: prompts.Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    truth = np.array(draw.truth())
    losses = np.stack([truth, 1 - truth], 1).astype(float)  # always right
    losses[0], losses[1] = losses[0, ::-1], 0.5  # wrong, a tie
    monkeypatch.setattr(scoring, "answers", lambda *_: losses)
    assert scoring.right(None, draw, 0, WORDS).tolist() == [0, 0.5, 1, 1, 1, 1]  # type: ignore[arg-type]


@torch.no_grad()
def test_norms_of_the_last_row_by_part(llm: LanguageModel) -> None:
    before = llm.model.config._attn_implementation
    found = scoring.last_rows(llm, "good", "two and two", "positive")
    text = "good\ntwo and two\nQuestion: Is this sentence positive or negative?\nAnswer: positive"
    with scoring.eager(llm):
        maps = llm.model(torch.tensor([[256, *text.encode()]]), output_attentions=True).attentions
    row = maps[-1][0].mean(0)[-1]
    expected = [row[:1].norm(), row[1:6].norm(), row[6:18].norm(), row[0]]
    np.testing.assert_allclose(found, [float(x) for x in expected], rtol=1e-5)
    assert llm.model.config._attn_implementation == before


def test_directions_are_those_of_the_products(llm: LanguageModel) -> None:
    found = scoring.directions(llm)
    attention = llm.model.model.layers[2].self_attn
    query, key = attention.q_proj.weight.detach(), attention.k_proj.weight.detach()
    product = query[16 * 3 : 16 * 4].T @ key[16:32]  # head 3 reads the second of two groups
    energy = np.linalg.svd(product.double().numpy(), compute_uv=False) ** 2
    assert found.shape == (4, 4)
    assert found[2, 3] == np.argmax(np.cumsum(energy) / energy.sum() >= 0.9) + 1


def test_heads_are_cut_and_restored(llm: LanguageModel) -> None:
    before = [x.detach().clone() for pair in scoring.heads(llm) for x in pair]
    with scoring.truncated(llm, 3):
        assert all(
            torch.linalg.matrix_rank(x, rtol=1e-4).unique().tolist() == [3]
            for pair in scoring.heads(llm) for x in pair
        )  # fmt: skip
    after = [x for pair in scoring.heads(llm) for x in pair]
    assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))


def test_every_claim_on_a_real_model_is_judged(llm: LanguageModel) -> None:
    study = checks.claims.at(
        dataset="", demonstrations=3, queries=2, flip_rates=[0.0, 1.0], attention_prompts=2,
        cuts=[2], controls=2, seed=0,
    )  # fmt: skip
    study.results["language_model"] = llm
    names = [n for n in checks.claims.judgements if n.startswith("icl_scale-real-")]
    assert len(names) == 7
    for name in names:
        assert study.check(name).claim == name


def test_without_a_model_claims_are_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(language_models.VARIABLE, str(tmp_path / "none"))
    study = checks.claims.at(attention_prompts=2, seed=0)
    found = study.check("real-place")
    assert (found.outcome, found.reason) == ("open", "not judged")


def test_results_that_break_a_claim_are_not_a_trend() -> None:
    study = checks.claims.at(flip_rates=[0.0, 1.0])
    flat = np.full((8, 2), 0.9) + np.linspace(-0.05, 0.05, 8)[:, None]
    study.results.update(real_accuracy=flat, untrained_accuracy=np.full(2, 0.5))
    assert study.check("real-flips").outcome == "open"
    assert study.check("real-guessing").outcome == "trend"
    rows = np.zeros((2, 8, 2, 4)) + np.linspace(0, 0.01, 8)[:, None, None]
    rows[0, ..., checks.real_model.RELEVANT] += 0.5  # the relevant part, not the first token
    rows[1, ..., checks.real_model.IRRELEVANT] += 0.5
    study.results["real_attention"] = rows
    for name in ("real-first-token", "real-relevant", "real-place"):
        assert study.check(name).outcome == "open", name
