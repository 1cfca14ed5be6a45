"""The decoder: rotary positions, grouped queries, causal attention, the cache."""

import math

import torch

from featurebook import core
from featurebook.papers.gemfilter import inference, network

SIZE = network.Size(20, layers=3, width=16, heads=4, kv_heads=2, mlp=2, base=100.0)
P = {x: v.double() for x, v in network.initial(core.generator(0, "p"), SIZE).items()}
TOKENS = torch.randint(20, (2, 9), generator=core.generator(0, "t"))


def test_rotary_positions_by_complex_numbers() -> None:
    x = torch.randn(3, 5, 8, generator=core.generator(1, "x"), dtype=torch.float64)
    turned = network.rotated(x, torch.arange(5), 50.0)
    z = torch.complex(x[..., :4], x[..., 4:])
    angle = torch.outer(torch.arange(5.0), torch.tensor([50.0 ** (-2 * i / 8) for i in range(4)]))
    z = z * torch.polar(torch.ones(5, 4).double(), angle.double())
    assert torch.allclose(turned, torch.cat([z.real, z.imag], -1), atol=1e-6)


def test_scores_depend_on_differences_of_positions() -> None:
    q, k = torch.randn(2, 1, 1, 8, generator=core.generator(2, "qk"), dtype=torch.float64)
    found = []
    for a, b in ((7, 3), (104, 100)):
        pair = (network.rotated(x, torch.tensor([i]), 100.0) for x, i in ((q, a), (k, b)))
        found.append((next(pair) * next(pair)).sum().item())
    assert math.isclose(found[0], found[1], rel_tol=1e-9)


def test_layer_by_loops() -> None:
    h = P["embed"][TOKENS[0]]
    out = network.layer(P, SIZE, 1, h, torch.arange(9))[0]

    def norm(x):  # type: ignore[no-untyped-def]
        return x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt()

    x, mixed = norm(h), torch.zeros(9, 16).double()
    for j in range(4):
        q = network.rotated((x @ P["q1"])[:, 4 * j : 4 * j + 4], torch.arange(9), 100.0)
        kv = slice(4 * (j // 2), 4 * (j // 2) + 4)
        k = network.rotated((x @ P["k1"])[:, kv], torch.arange(9), 100.0)
        for i in range(9):
            e = torch.exp(k[: i + 1] @ q[i] / 2)  # the root of d = 4
            mixed[i, 4 * j : 4 * j + 4] = (e / e.sum()) @ (x @ P["v1"])[: i + 1, kv]
    y = h + mixed @ P["o1"]
    z = norm(y) @ P["up1"]
    wanted = y + (z * (1 + torch.erf(z / 2**0.5)) / 2) @ P["down1"]
    assert torch.allclose(out, wanted, atol=1e-10)


def test_some_positions_are_those_of_the_whole_pass() -> None:
    at = torch.tensor([0, 3, 4, 8])
    some, whole = (network.logits_at(P, SIZE, TOKENS, at), network.forward(P, SIZE, TOKENS))
    assert torch.allclose(some, whole[:, at], atol=1e-12)


def test_the_future_is_not_seen() -> None:
    other = TOKENS.clone()
    other[:, 6:] = (other[:, 6:] + 1) % 20
    same = network.forward(P, SIZE, TOKENS) - network.forward(P, SIZE, other)
    assert same[:, :6].abs().max() < 1e-12 < same[:, 6:].abs().max()


def test_cache_gives_what_the_whole_pass_gives() -> None:
    after, cache = inference.prefill(P, SIZE, TOKENS[:, :5])
    for i in range(5, 9):
        after, cache = inference.step(P, SIZE, TOKENS[:, i], cache)
    assert torch.allclose(after, network.forward(P, SIZE, TOKENS)[:, -1], atol=1e-10)
    assert cache.numbers == 2 * 3 * 2 * 4 * 9
    assert cache.next_position == 9


def test_weights_of_a_layer() -> None:
    assert SIZE.layer_weights == sum(P[f"{x}1"].numel() for x in ("q", "k", "v", "o", "up", "down"))


def test_start_is_of_order_one() -> None:
    wide = network.initial(core.generator(3, "wide"), network.Size(50, 4, 256, 4, 2))
    ratios = [wide["embed"].std() / 0.5, wide["read"].std() * 16, wide["q1"].std() * 16]
    ratios += [wide["o2"].std() * (2 * 256 * 4) ** 0.5, wide["down3"].std() * (8 * 256 * 4) ** 0.5]
    assert all(abs(x - 1) < 0.02 for x in ratios)
