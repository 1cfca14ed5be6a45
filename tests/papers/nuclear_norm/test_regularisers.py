"""Each penalty by hand, what each is blind to, and that all are compared at one price."""

import pytest
import torch

from featurebook.images import bundled_digits
from featurebook.papers.nuclear_norm import benchmarks, data, regularisers

Z = torch.tensor([[[3.0, 0.0], [0.0, -4.0], [0.0, 0.0]]])
WEIGHTS = [torch.full((1, 2, 2), 2.0), torch.full((1, 1, 2), 1.0)]
BY_HAND = {
    "nuclear norm": 7.0,
    "Frobenius norm": 5.0,
    "spectral norm": 4.0,
    "largest entry": 4.0,
    "weight decay": 9.0,
    "rank alone": 1.4,
}


@pytest.mark.parametrize("name", regularisers.PENALTIES)
def test_penalties_by_hand(name: str) -> None:
    found = regularisers.PENALTIES[name](WEIGHTS, Z)
    assert found.shape == (1,)
    assert float(found) == pytest.approx(BY_HAND[name], rel=1e-6)


def test_the_rank_alone_is_blind_to_size_and_the_others_are_not() -> None:
    for name, penalty in regularisers.PENALTIES.items():
        small, large = (float(penalty([s * w for w in WEIGHTS], s * Z)) for s in (1.0, 10.0))
        assert (large == pytest.approx(small)) == (name == "rank alone"), name


def test_the_rank_alone_rises_with_the_rank() -> None:
    ranks = [torch.diag_embed(torch.tensor([[1.0] * r + [0.0] * (4 - r)])) for r in range(1, 5)]
    found = [float(regularisers.rank_alone([], z)) for z in ranks]
    assert found == pytest.approx([r**0.5 for r in range(1, 5)])


def test_penalties_have_gradients_also_at_zero() -> None:
    for name, penalty in regularisers.PENALTIES.items():
        z = torch.zeros(2, 3, 2, requires_grad=True)
        weights = [torch.zeros(2, 3, 2, requires_grad=True)]
        slopes = torch.autograd.grad(penalty(weights, z).sum(), [z, *weights], allow_unused=True)
        assert all(s.isfinite().all() for s in slopes if s is not None), name


def test_all_are_compared_at_one_price_and_from_one_start() -> None:
    domains = data.rotated(bundled_digits(), [0, 15, 30], 8, 0)
    recipe = benchmarks.Recipe(steps=20, per_domain=4)
    found = regularisers.compare(domains, [0, 2], [1e-3], [0, 1], recipe)
    assert len(found) == 6 * 2 * 2 * 2  # penalties, domains, seeds, ways to choose weights
    assert found.groupby(["weights", "test", "seed"]).without.nunique().eq(1).all()
    price = {
        name: regularisers.at_start(penalty, domains, [0, 1], recipe)
        for name, penalty in regularisers.PENALTIES.items()
    }
    for name, scale in found.groupby("name").scale.first().items():
        assert scale * price[str(name)] == pytest.approx(price["nuclear norm"])
    assert (found.lam / found.scale).round(6).eq(1e-3).all()
