"""Random streams, and functions of one network lifted to many."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from featurebook.core import generator, per_network, replicate
from featurebook.core.ensemble import map_tensors

seeds = st.integers(0, 2**40)
names = st.text(min_size=1, max_size=8)


def numbers(*key: int | str) -> list[int]:
    return torch.randint(1 << 30, (4,), generator=generator(*key)).tolist()  # type: ignore[arg-type]


# A change of these numbers changes every figure of the book: it must be meant.
@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ((0,), [267, 228, 647, 822]),
        ((0, "init"), [15, 525, 62, 180]),
        ((0, "init", 1), [38, 431, 149, 500]),
        ((12345, "data"), [191, 6, 527, 868]),
    ],
)
def test_streams_are_pinned(key, expected):
    assert torch.randint(1000, (4,), generator=generator(*key)).tolist() == expected


@given(seeds, seeds, names, names)
def test_streams_differ_by_seed_and_by_name(a, b, first, second):
    assert numbers(a, first) == numbers(a, first)
    if a != b:
        assert numbers(a, first) != numbers(b, first)
    if first != second:
        assert numbers(a, first) != numbers(a, second)


def test_streams_of_one_seed_are_uncorrelated():
    n = 20_000
    x = torch.stack([torch.randn(n, generator=generator(3, "s", k)) for k in range(1, 9)])
    correlation = torch.corrcoef(x) - torch.eye(8)
    # 28 correlations of standard deviation 1/sqrt(n): 5 of them is a chance of 2e-5.
    assert correlation.abs().max() < 5 / n**0.5


def test_drawing_more_from_one_stream_leaves_the_others():
    before = numbers(5, "init")
    g = generator(5, "data")
    torch.randn(1000, generator=g)
    assert numbers(5, "init") == before


def test_a_negative_seed_is_refused():
    with pytest.raises(ValueError, match="seed = -1"):
        generator(-1, "init")


def test_replicate_draws_for_each_seed_what_it_draws_alone():
    def draw(g):
        return {"w": torch.randn(3, 2, generator=g), "pair": (torch.rand(5, generator=g),)}

    together = replicate(draw, [4, 9, 1], "init")
    assert together["w"].shape == (3, 3, 2)
    assert together["pair"][0].shape == (3, 5)
    for k, seed in enumerate([4, 9, 1]):
        alone = replicate(draw, [seed], "init")
        assert torch.equal(together["w"][k], alone["w"][0])
        assert torch.equal(together["pair"][0][k], alone["pair"][0][0])
    assert not torch.equal(together["w"][0], together["w"][1])


def test_replicate_needs_a_seed():
    with pytest.raises(ValueError, match="seeds is empty"):
        replicate(lambda g: torch.rand(1, generator=g), [], "init")


def test_map_tensors_walks_nested_trees_side_by_side():
    tree = {"a": torch.ones(2), "b": (torch.zeros(1), {"c": torch.full((3,), 2.0)})}
    doubled = map_tensors(lambda x, y: x + y, tree, tree)
    assert doubled["a"].tolist() == [2, 2]
    assert doubled["b"][0].tolist() == [0]
    assert doubled["b"][1]["c"].tolist() == [4, 4, 4]


@pytest.mark.parametrize("chunk", [None, 1, 2])
def test_per_network_equals_a_loop(chunk):
    g = torch.Generator().manual_seed(0)
    w = torch.randn(5, 3, 4, generator=g, dtype=torch.float64)
    x = torch.randn(7, 3, generator=g, dtype=torch.float64)
    lifted = per_network(lambda p, z: (z @ p).tanh().sum(), 0, None, chunk_size=chunk)(w, x)
    loop = torch.stack([(x @ p).tanh().sum() for p in w])
    assert torch.allclose(lifted, loop, rtol=1e-12)  # sums of 28 doubles
