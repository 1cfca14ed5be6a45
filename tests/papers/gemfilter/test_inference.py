"""GemFilter and its rivals against loops, and where all must agree."""

from dataclasses import replace

import pytest
import torch

from featurebook import core
from featurebook.papers.gemfilter import inference, network
from featurebook.papers.gemfilter.inference import Selection, top
from papers.gemfilter.test_network import SIZE, TOKENS, P


@pytest.mark.parametrize("r", [1, 2, 3])
def test_full_budget_is_the_full_model(r: int) -> None:
    full = inference.generate(P, SIZE, TOKENS, 4)
    how = Selection(r, 9, keep_last=0)
    assert torch.equal(inference.gemfilter(P, SIZE, TOKENS, how, 4), full)
    assert torch.equal(inference.one_run(P, SIZE, TOKENS, how, 4), full)
    assert torch.equal(inference.snapkv(P, SIZE, TOKENS, 9, 4), full)
    assert torch.equal(inference.h2o(P, SIZE, TOKENS, 9, 4), full)


def test_generation_is_greedy() -> None:
    ids = TOKENS
    for _ in range(3):
        ids = torch.cat([ids, network.forward(P, SIZE, ids)[:, -1:].argmax(-1)], 1)
    assert torch.equal(inference.generate(P, SIZE, TOKENS, 3), ids[:, 9:])


def test_planted_places() -> None:
    Q = torch.tensor([[[[2.0]], [[1.0]]]])  # two heads that disagree, negative sums
    K = torch.tensor([[[[-1.0], [-3], [-9], [-2]], [[-8.0], [-1], [9], [-3]]]])
    found = inference.scores(Q, K)
    assert found.tolist() == [[-10, -7, -9, -7]]
    assert top(found, 2).tolist() == [[1, 3]]
    assert top(found, 2, 2).tolist() == [[2, 3]]
    assert top(torch.tensor([[5.0, 1, 2, 0]]), 2, 1).tolist() == [[0, 3]]
    prob = inference.scores(Q, K, "probability")
    wanted = (2 * K[0, 0]).softmax(0) + K[0, 1].softmax(0)
    assert torch.allclose(prob, wanted.T)


@pytest.mark.parametrize(("k", "last"), [(0, 0), (5, 0), (1, 2)])
def test_what_cannot_be_kept(k: int, last: int) -> None:
    with pytest.raises(ValueError, match="need max"):
        top(torch.zeros(1, 4), k, last)


def test_pooling() -> None:
    x = torch.tensor([[0.0, 6, 0, 0, -3]])
    assert inference.pooled(x, "max", 3).tolist() == [[6, 6, 6, 0, 0]]
    assert torch.allclose(inference.pooled(x, "avg", 3), torch.tensor([[3.0, 2, 2, -1, -1.5]]))
    assert torch.equal(inference.pooled(x, "none", 3), x)
    assert inference.pooled(x, "max", 5).tolist() == [[6, 6, 6, 6, 0]]
    assert inference.pooled(x, "zeros", 3).tolist() == [[2, 2, 2, -1, -1]]
    assert inference.pooled(torch.full((1, 4), -5.0), "zeros", 5).tolist() == [[-3, -4, -4, -3]]


def test_places_by_hand_of_snapkv_and_h2o() -> None:
    """The last two tokens look at token 3, all earlier ones at token 0."""
    Q, K = torch.zeros(2, 1, 1, 9, 2)
    Q[..., :7, 0], Q[..., 7:, 1] = 1.0, 1.0
    K[..., 0, 0], K[..., 3, 1] = 50.0, 50.0
    # The window is 7 and 8; the maximum over three neighbours lifts 2 and 4 with 3.
    assert inference.snap_places(5)(Q, K)[0, 0].tolist() == [2, 3, 4, 7, 8]
    # The sum over all rows is 7 at 0 and 2 at 3.
    assert inference.h2o_places(3)(Q, K)[0, 0].tolist() == [0, 7, 8]
    assert inference.h2o_places(4)(Q, K)[0, 0].tolist() == [0, 3, 7, 8]
    Q[..., 7, :] = torch.tensor([1.0, 0.0])  # now one row of the window alone looks at 3
    assert 3 in inference.snap_places(5)(Q, K)[0, 0].tolist()
    assert 0 in inference.snap_places(5)(Q, K)[0, 0].tolist()


def test_the_order_of_selected_places() -> None:
    found = torch.tensor([[1.0, 5, 3, 4]])
    assert top(found, 3, in_order=False).tolist() == [[1, 3, 2]]
    assert top(found, 3).tolist() == [[1, 2, 3]]
    how = Selection(2, 4, keep_last=0)
    J = inference.select(P, SIZE, TOKENS, how, in_order=False)
    assert torch.equal(J.sort(-1).values, inference.select(P, SIZE, TOKENS, how))


def test_rows() -> None:
    Q = torch.zeros(1, 1, 5, 2)
    Q[0, 0, 3] = torch.tensor([9.0, 0])  # a sharp row, so of large norm
    K = torch.zeros(1, 1, 5, 2)
    K[0, 0, 1, 0] = 1.0
    assert torch.equal(inference.row_of(Q, K, "largest")[0, 0, 0], Q[0, 0, 3])
    Q = torch.arange(10.0).reshape(1, 1, 5, 2)
    assert inference.row_of(Q, K, "middle").flatten().tolist() == [4, 5]
    assert inference.row_of(Q, K, "last").flatten().tolist() == [8, 9]


def test_rules_of_snapkv_and_h2o_by_loops() -> None:
    g = core.generator(4, "rules")
    Q, K = torch.randn(2, 1, 2, 8, 4, generator=g, dtype=torch.float64)
    snap, h2o = inference.snap_places(4)(Q, K), inference.h2o_places(4)(Q, K)
    for j in range(2):
        rows = []
        for i in range(8):
            e = torch.exp(K[0, j, : i + 1] @ Q[0, j, i] / 2)
            rows.append(torch.cat([e / e.sum(), torch.zeros(7 - i).double()]))
        votes, sums = rows[6] + rows[7], sum(rows)
        pool = [max(votes[max(0, i - 1) : i + 2]).item() for i in range(8)]
        first, then = snap[0, j].tolist()[:2]  # neighbours tie: any with the largest values will do
        assert sorted([pool[first], pool[then]]) == sorted(pool[:6])[-2:]
        assert first < then < 6
        assert snap[0, j].tolist()[2:] == [6, 7]
        assert h2o[0, j].tolist() == sorted([*sorted(range(6), key=lambda i: -sums[i])[:2], 6, 7])


def test_one_run_keeps_the_first_keys() -> None:
    J = torch.tensor([[0, 3, 8], [1, 2, 8]])
    keep = J[:, None].expand(-1, 4, -1)
    _, cache = inference.prefill(P, SIZE, TOKENS, lambda Q, K: keep)
    _, full = inference.prefill(P, SIZE, TOKENS)
    for r in range(3):
        wanted = network.repeat_kv(full.keys[r], 4)[1][:, [1, 2, 8]]
        assert torch.equal(cache.keys[r][1], wanted)
    assert cache.next_position == full.next_position == 9


def test_layers_above_the_filter_are_not_run() -> None:
    broken = {x: v * (torch.nan if x[-1] == "3" else 1) for x, v in P.items()}
    broken["v2"] = P["v2"] * torch.nan
    how = Selection(2, 4)
    assert torch.equal(
        inference.select(broken, SIZE, TOKENS, how), inference.select(P, SIZE, TOKENS, how)
    )


def test_old_places_of_neighbours_are_new_ones_shifted() -> None:
    """Rotary scores depend on differences only, so the last k tokens may stand where they stood."""
    how = Selection(2, 4, keep_last=4)
    wanted = inference.generate(P, SIZE, TOKENS[:, -4:], 3)
    assert torch.equal(inference.in_place(P, SIZE, TOKENS, how, 3), wanted)
    logits, cache = inference.prefill(P, SIZE, TOKENS[:, -4:], at=torch.arange(5, 9).expand(2, -1))
    short, near = inference.prefill(P, SIZE, TOKENS[:, -4:])
    assert torch.allclose(logits, short, atol=1e-10)
    assert not torch.allclose(cache.keys[0], near.keys[0], atol=1e-3)
    apart = torch.tensor([[0, 3, 7, 8], [1, 2, 4, 8]])
    wide, _ = inference.prefill(P, SIZE, TOKENS.gather(1, apart), at=apart)
    close, _ = inference.prefill(P, SIZE, TOKENS.gather(1, apart))
    assert (wide - close).abs().amax(1).min() > 1e-6
    after, cache = inference.prefill(P, SIZE, TOKENS.gather(1, apart), at=apart)
    cache = replace(cache, next_position=9)
    said = inference.continued(P, SIZE, after, cache, 3)
    tokens = torch.cat([TOKENS.gather(1, apart), said], 1)
    at = torch.cat([apart, torch.tensor([[9, 10, 11]] * 2)], 1)
    for i in range(3):  # the cache gives what a whole pass at these positions gives
        whole, _ = inference.prefill(P, SIZE, tokens[:, : 4 + i], at=at[:, : 4 + i])
        assert torch.equal(whole.argmax(-1), said[:, i])
