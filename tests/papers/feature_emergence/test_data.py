"""The law of the hidden patterns against enumeration and samples."""

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import data

DISTRIBUTIONS = [
    data.parity_mixture(12, 5),
    data.parity_mixture(11, 3, 0.2),
    data.independent_mixture(12, 5, 0.1, 0.7),
    data.independent(12, 4, {2, 3}, 0.7, 0.3),
    data.with_negative_share(data.parity_mixture(12, 5), 0.8),
]


@pytest.mark.parametrize("dist", DISTRIBUTIONS)
def test_moments_against_enumeration(dist: data.Distribution) -> None:
    x, y, prob = data.enumerate_all(dist)
    bits = (x > 0).double()
    assert float(prob.sum()) == pytest.approx(1)
    assert float(prob @ y) == pytest.approx(dist.mean_label)
    assert torch.allclose(prob @ bits, dist.mean)
    assert float(prob @ x.square().sum(1)) == pytest.approx(1)
    gamma = (prob * y) @ bits - (prob @ y) * (prob @ bits)
    assert torch.allclose(gamma[: dist.k], torch.full((dist.k,), dist.gamma, dtype=torch.float64))


@pytest.mark.parametrize("dist", DISTRIBUTIONS)
def test_samples_have_the_law_they_claim(dist: data.Distribution) -> None:
    x, y = data.draw(generator(0, "law"), dist, 40_000)
    bits = (x.double() > 0).double()
    s = bits[:, : dist.k].sum(1).long()
    assert torch.equal(dist.labels[s].float(), y)
    counts = torch.bincount(s, minlength=dist.k + 1).double() / len(s)
    assert torch.allclose(counts, dist.counts, atol=0.015)
    assert torch.allclose(bits.mean(0), dist.mean, atol=0.015)


def test_negative_share() -> None:
    for share in (0.1, 0.8, 0.9):
        dist = data.with_negative_share(data.parity_mixture(20, 5, 0.3), share)
        assert (1 - dist.mean_label) / 2 == pytest.approx(share)
        low, high = dist.class_weights
        assert (low * share, high * (1 - share)) == pytest.approx((0.5, 0.5))


@pytest.mark.parametrize(
    "make",
    [
        lambda: data.parity_mixture(20, 4),
        lambda: data.parity_mixture(20, 5, 0.7),
        lambda: data.parity_mixture(5, 5),
        lambda: data.independent(20, 3, {0}, 0.5, 0.5),
        lambda: data.with_negative_share(data.parity_mixture(20, 5), 1.0),
        lambda: data.enumerate_all(data.parity_mixture(30, 5)),
    ],
)
def test_impossible_distributions_are_refused(make) -> None:
    with pytest.raises(ValueError, match=r"must|needs|odd"):
        make()
