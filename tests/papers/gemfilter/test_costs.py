"""Counts against torch's own counter, and cells of Theorem 9.3 by hand."""

import pytest
import torch

from featurebook.papers.gemfilter import costs, inference, printed
from featurebook.papers.gemfilter.inference import Selection
from papers.gemfilter.test_network import SIZE, P

S = costs.Setting(n=100, k=10, t=4, m=6, r=2, h=3, d=5, w=1000)


@pytest.mark.parametrize("n", [5, 12])
def test_operations_are_those_counted(n: int) -> None:
    ids = torch.zeros(1, n, dtype=torch.long)
    assert costs.traced(lambda: inference.prefill(P, SIZE, ids)) == costs.prompt_ops(SIZE, n)
    for r in (1, 2, 3):
        ran = costs.traced(lambda r=r: inference.select(P, SIZE, ids, Selection(r, 3)))
        assert ran == costs.filter_ops(SIZE, n, r)
    cache = inference.prefill(P, SIZE, ids)[1]
    ran = costs.traced(lambda: inference.step(P, SIZE, ids[:, 0], cache))
    assert ran == costs.step_ops(SIZE, n + 1)


def test_cells_by_hand() -> None:
    assert [costs.time(S, "prompt", x) for x in costs.METHODS] == [900_000, 900_000, 300_000]
    assert [costs.time(S, "generation", x) for x in costs.METHODS] == [37_440, 5_040, 10_440]
    assert costs.with_weights(S, 4, "snapkv") == 5_400 + 5_040
    assert [costs.memory(S, "prompt", x) for x in costs.METHODS] == [24_000, 10_500, 5_000]
    assert [costs.memory(S, "generation", x) for x in costs.METHODS] == [24_720, 8_520, 8_520]
    assert costs.memory(S, "prompt", "standard", printed=True) == 6_180
    assert costs.memory(S, "prompt", "snapkv", printed=True) == 10_800
    assert [costs.peak(S, x) for x in costs.METHODS] == [24_720, 10_500, 8_520]


def test_models_of_the_thesis() -> None:
    llama = costs.REAL["LLaMA 3.1 8B"]
    total = 32 * llama.P + 2 * 4096 * 128256
    assert abs(total / 8.03e9 - 1) < 1e-3
    nemo = costs.REAL["Mistral Nemo 12B"]
    assert abs((40 * nemo.P + 2 * 5120 * 131072) / 12.25e9 - 1) < 2e-3
    phi = costs.REAL["Phi 3.5 Mini 3.8B"]
    assert abs((32 * phi.P + 2 * 3072 * 32064) / 3.82e9 - 1) < 2e-3
    assert llama.setting(7, 5, 3) == costs.Setting(7, 5, 3, 32, 13, 8, 128, llama.P)


def test_mask_after_the_softmax_leaks() -> None:
    Q, V = torch.ones(3, 1), torch.tensor([[1.0], [0], [0]])
    K = torch.zeros(3, 1)
    assert torch.allclose(costs.mask_after(Q, K, V), torch.full((3, 1), 1 / 3))
    K[2] = torch.log(torch.tensor(2.0))
    assert torch.allclose(costs.mask_after(Q, K, V)[0], torch.tensor([0.25]))
    Q, V = 2 * torch.ones(2, 4), torch.eye(2)  # scores 2 and 4: the root of d = 4
    K = torch.tensor([[1.0, 1, 0, 0], [1, 1, 1, 1]])
    wanted = torch.tensor([1.0, 1]) * torch.tensor([2.0, 4]).softmax(0)
    assert torch.allclose(costs.mask_after(Q, K, V)[1], wanted)


def test_argsort() -> None:
    assert costs.argsorted(torch.tensor([7, 2, 5])).tolist() == [1, 2, 0]


def test_score_of_an_answer_by_hand() -> None:
    assert printed.score("EAT a sandwich") == 3 / 12
    assert printed.score(printed.EXPECTED) == 11 / 12  # "a" twice
    assert printed.score("day") == 0  # the full stop belongs to it
    assert [len(x) for x in printed.ANSWERS.values()] == [2, 2, 2]


def test_printed_tables() -> None:
    shapes = {"9_1": (28, 17), "9_2": (8, 16), "g_1": (4, 8)}
    for name, shape in shapes.items():
        frame = printed.table(name)
        assert frame.shape == shape
        assert not frame.isna().any().any()
        assert abs(printed.average_gap(frame)).max() < 0.00501
    frame = printed.table("9_1")
    gap = printed.against(frame, "GemFilter-2048", "SnapKV-2048")
    assert gap.loc["Phi 3.5 Mini 3.8B Instruct", "HotpotQA"] == pytest.approx(-0.42)
    ranks = printed.ranks(frame, ["All KV", "LLMLingua-1024"])
    assert ranks.index.tolist() == ["All KV", "LLMLingua-1024"]
    assert ranks.sum() == pytest.approx(3)
    assert len(printed.needle_scores()) == 8
