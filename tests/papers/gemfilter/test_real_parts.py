"""What real models are asked and keep, part by part, against sums by hand; no model is needed."""

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.gemfilter import clocks, decoder, real, tasks
from featurebook.papers.gemfilter.allocated import Peak
from featurebook.papers.gemfilter.haystack import Needle
from featurebook.papers.gemfilter.inference import Selection

D = 8


def queries_and_keys(T: int, n: int) -> tuple[Tensor, Tensor]:
    """For two heads that share their keys, (1, 2, T, D) and (1, 1, n, D)."""
    g = core.generator(3, "parts")
    return torch.randn(1, 2, T, D, generator=g), torch.randn(1, 1, n, D, generator=g)


def rows_by_hand(Q: Tensor, K: Tensor) -> Tensor:
    """Attention of the last T of n rows, entry by entry."""
    T, n = Q.shape[2], K.shape[2]
    found = torch.zeros(1, Q.shape[1], T, n)
    for h in range(Q.shape[1]):
        for i in range(T):
            seen = n - T + i + 1
            logits = [float(Q[0, h, i] @ K[0, 0, j]) / D**0.5 for j in range(seen)]
            found[0, h, i, :seen] = torch.tensor(np.exp(logits) / np.exp(logits).sum())
    return found


@pytest.mark.parametrize(("T", "n"), [(3, 3), (2, 5), (1, 4)])
def test_attention_rows(T: int, n: int) -> None:
    Q, K = queries_and_keys(T, n)
    assert torch.allclose(real.attention_rows(Q, K), rows_by_hand(Q, K), atol=1e-6)


def test_sums_of_attention_in_blocks_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real, "ROWS", 2)
    Q, K = queries_and_keys(5, 7)
    assert torch.allclose(real.column_sums(Q, K), rows_by_hand(Q, K).sum(2), atol=1e-6)


def sums_in_blocks() -> None:
    """The same without a fixture."""
    with pytest.MonkeyPatch.context() as patch:
        test_sums_of_attention_in_blocks_of_rows(patch)


def test_places_of_snapkv_and_h2o() -> None:
    Q, K = queries_and_keys(7, 7)
    rows = rows_by_hand(Q, K)[0]
    how = real.SnapKV(5, window=2, pool="none")
    for h, found in enumerate(real.snap_places(Q, K, how)[0].tolist()):
        votes = rows[h, 5:, :5].sum(0)
        assert found == sorted([*votes.argsort(descending=True)[:3].tolist(), 5, 6])
    sums = rows.sum(1)
    for h, found in enumerate(real.h2o_places(sums[None], real.H2O(4, recent=2))[0].tolist()):
        assert found == sorted([*sums[h, :5].argsort(descending=True)[:2].tolist(), 5, 6])


def test_scores_are_summed_over_heads() -> None:
    Q, K = queries_and_keys(3, 3)
    by_hand = [sum(float(Q[0, h, -1] @ K[0, 0, j]) for h in range(2)) for j in range(3)]
    assert np.allclose(real.row_scores(Q, K, Selection(1, 2))[0], by_hand, atol=1e-5)


def test_fewer_tokens_than_the_budget_are_all_kept() -> None:
    scores = torch.tensor([[3.0, 1.0, 2.0]])
    assert real.chosen(scores, Selection(1, 9, keep_last=5)).tolist() == [[0, 1, 2]]
    assert real.chosen(scores, Selection(1, 2, keep_last=0, pool="none")).tolist() == [[0, 2]]
    assert real.budget(real.OneRun(Selection(1, 7))) == 7


@pytest.mark.parametrize("T", [1, 2, 4])
def test_shared_keys_are_attended_to_as_if_repeated(T: int) -> None:
    Q, K = queries_and_keys(T, 4)
    V = torch.randn(1, 2, 4, D, generator=core.generator(4, "values"))
    pairs = ((Q, K), (-Q, K.flip(2)))
    found = decoder.attended(*(torch.cat(x, 1) for x in zip(*pairs, strict=True)), V)
    heads = found.unflatten(2, (4, D)).transpose(1, 2).split(2, 1)
    for (q, k), v, mine in zip(pairs, V.split(1, 1), heads, strict=True):
        assert torch.allclose(mine, rows_by_hand(q, k) @ v, atol=1e-5)


def test_most_memory_at_a_time() -> None:
    weight = torch.zeros(500)
    with torch.no_grad(), Peak() as peak:
        turned = weight.view(20, 25)
        assert peak.held == 0
        x = torch.zeros(1000)
        y = x + turned.sum()
        seen = y.view(10, 100)
        assert peak.held == 8000
        del y, seen
        assert peak.held == 4000
        (x * 2).mul_(3)
        assert (peak.held, peak.most) == (4000, 8004)  # at most two vectors and a sum


def test_bytes_that_the_theorem_counts() -> None:
    config = SimpleNamespace(num_hidden_layers=5, num_key_value_heads=3)
    layer = SimpleNamespace(self_attn=SimpleNamespace(head_dim=8))
    weight = torch.zeros(1, dtype=torch.bfloat16)
    model: Any = SimpleNamespace(config=config, model=SimpleNamespace(layers=[layer]),
                                 lm_head=SimpleNamespace(weight=weight))  # fmt: skip
    found = clocks.counted(model, n=100, r=4, k=10, t=2)
    a_layer = 2 * 2 * 3 * 8  # bytes, keys and values, heads, dimension: for each token
    assert found == {"all KV": 5 * 100 * a_layer, "SnapKV": (100 + 4 * 10) * a_layer,
                     "GemFilter": 100 * a_layer}  # fmt: skip


@pytest.mark.parametrize("task", tasks.TASKS)
def test_tasks_contain_their_answers(task: str) -> None:
    drawn = tasks.drawn(task, 5)
    assert len({x.question for x in drawn}) == len({x.answer for x in drawn}) == 5
    assert drawn == tasks.drawn(task, 5) != tasks.drawn(task, 6)
    for x in drawn:
        named = set(re.findall(r"\w+", x.question)) & {*tasks.COLOURS, *tasks.SHIPS}
        assert named <= set(re.findall(r"\w+", x.sentence))
        assert tasks.is_right(f" {x.answer}.", x)
        if task == "counting":
            assert x.sentence.count("a coin") == tasks.NUMBERS.index(x.answer) + 1
            assert x.sentence.count(", ") == x.sentence.count("a coin") + 1  # and two other things
        else:
            assert x.answer in x.sentence
        assert task != "keys" or re.fullmatch(r"[1-9]\d{3}", x.answer)


def test_words_that_are_copied() -> None:
    for x in tasks.drawn("copying", 5):
        assert len(set(x.answer.split())) == 4


def drawn_tasks() -> None:
    """All tasks."""
    for task in tasks.TASKS:
        test_tasks_contain_their_answers(task)


def test_right_answers() -> None:
    three = Needle("", "", "three")
    said = {"There are 3 coins.": True, "Three.": True, "There are two or three.": False,
            "13": False, "many": False}  # fmt: skip
    assert {x: tasks.is_right(x, three) for x in said} == said
    assert tasks.is_right("It is 4817.", Needle("", "", "4817"))
    assert not tasks.is_right("It is 481.", Needle("", "", "4817"))
