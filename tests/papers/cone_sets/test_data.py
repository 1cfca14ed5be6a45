"""Images against the counts, norms and frequencies that they are said to have."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from featurebook import core
from featurebook.papers.cone_sets import data as cs
from featurebook.verdicts import clopper_pearson


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


@st.composite
def sizes(draw):
    d = draw(st.integers(2, 12))
    P = draw(st.integers(1, d))
    return d, P, draw(st.integers(1, P))


@given(sizes(), st.integers(0, 1000))
def test_the_features_of_an_image_differ_and_the_normal_ones_are_there(size, seed):
    d, P, n = size
    found = cs.PatchData(d, P, 0.01, n).draw_features(20, seeded(seed))
    assert found.shape == (20, P)
    for image in found.tolist():
        assert len(set(image)) == P
        assert set(range(n)) <= set(image) <= set(range(d))


@given(sizes())
def test_the_probabilities_sum_to_the_patches(size):
    d, P, n = size
    beta = cs.PatchData(d, P, 0.01, n).beta
    assert beta.sum().item() == pytest.approx(P, rel=1e-6)  # single precision
    assert ((beta >= 0) & (beta <= 1 + 1e-6)).all()


def test_every_feature_is_as_frequent_as_its_probability():
    data, draws = cs.PatchData(9, 5, n_normal=2), 20_000
    features = data.draw_features(draws, core.generator(0, "frequencies"))
    counts = features.flatten().bincount(minlength=9)
    assert counts[:2].tolist() == [draws, draws]
    for count in counts[2:].tolist():
        low, high = clopper_pearson(count, draws, 1 - 1e-4)
        assert low <= 3 / 7 <= high
    places = (features == 0).float().mean(0)  # a feature may stand in any patch
    assert (places - 1 / 5).abs().max() < 5 * (0.16 / draws) ** 0.5


def test_noise_has_the_norm_it_is_said_to_have():
    data = cs.PatchData(50, 10, eps=0.3)
    features = torch.zeros(4000, 1, dtype=torch.int64)
    noise = data.noisy(features, seeded()) - torch.nn.functional.one_hot(features, 50)
    # ‖ρ‖² = ε²/d χ²_d; the mean of 4000 of them has relative deviation sqrt(2/50/4000) = 0.3 %
    assert noise.square().sum(-1).mean().item() == pytest.approx(0.09, rel=0.016)
    assert torch.equal(
        cs.PatchData(50, 10, eps=0.0).noisy(features, seeded()),
        torch.nn.functional.one_hot(features, 50).float(),
    )


@pytest.mark.parametrize("replaced", [1, 3, 6])
def test_anomalies_replace_as_many_patches_as_they_say(replaced):
    data = cs.PatchData(8, 6, eps=0.0, n_normal=2)
    for kind in (data.semantic, data.non_semantic):
        images = kind(300, replaced, seeded(1))
        assert images.shape == (300, 6, 8)
        torch.testing.assert_close(images.norm(dim=-1), torch.ones(300, 6))
    whole = (data.non_semantic(300, replaced, seeded(1)) == 1).any(-1).sum(-1)
    assert (whole == 6 - replaced).all()
    features = data.semantic(300, replaced, seeded(1)).argmax(-1)
    # a replacement has an auxiliary feature, so only original patches have normal ones
    assert ((features < 2).sum(-1) <= 2).all()
    if replaced == 6:
        assert (features >= 2).all()
        assert features.unique().tolist() == [2, 3, 4, 5, 6, 7]


def test_drawing_with_replacement_repeats_features():
    data = cs.PatchData(20, 10, eps=0.0)
    features = cs.draw_with_replacement(data, 200, seeded()).argmax(-1)
    different = np.array([len(set(image)) for image in features.tolist()])
    # 10 draws from 10 miss (1 - 1/10)^10 of them: 6.51 different ones, deviation 0.95 each
    assert abs(different.mean() - 10 * (1 - 0.9**10)) < 5 * 0.95 / 200**0.5


@pytest.mark.parametrize(
    ("d", "P", "eps", "n"), [(4, 5, 0.0, 1), (4, 3, 0.0, 4), (4, 3, 0.0, 0), (4, 3, -0.1, 1)]
)
def test_images_that_cannot_be_are_refused(d, P, eps, n):
    with pytest.raises(ValueError, match=r"n_normal = |eps = "):
        cs.PatchData(d, P, eps, n)


def test_replaced_patches_round_down():
    assert [cs.replaced_patches(P, 0.1) for P in (20, 29, 30)] == [4, 4, 5]
