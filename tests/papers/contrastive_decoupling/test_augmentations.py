"""Views keep shape and range; colours say nothing of the digit."""

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import augmentations


@pytest.mark.parametrize(
    "augment",
    [
        augmentations.random_crop,
        augmentations.colour_distortion,
        augmentations.jitter,
        augmentations.flip_crop_and_jitter,
        augmentations.same,
    ],
)
def test_augmentations_keep_shape_and_range(augment):
    x = torch.rand(5, 3, 16, 16, generator=generator(11, "t"))
    y = augment(generator(12, "t"), x)
    assert y.shape == x.shape
    assert y.min() >= 0
    assert y.max() <= 1


def test_jitter_leaves_grey_grey():
    x = torch.rand(20, 1, 6, 6, generator=generator(22, "t")).expand(20, 3, 6, 6)
    y = augmentations.jitter(generator(23, "t"), x)
    assert augmentations.saturation(y).max() < 1e-5
    assert (y - x).abs().max() > 0.01


def test_coloured_digits_do_not_tell_by_colour():
    ink = torch.zeros(400, 1, 8, 8)
    ink[:, :, 2:6, 2:6] = 1
    x = augmentations.coloured(ink, seed=0, size=16)
    assert x.shape == (400, 3, 16, 16)
    brighter = x[:, :, 6:10, 6:10].mean((1, 2, 3)) > x[:, :, :2].mean((1, 2, 3))
    assert 0.4 < brighter.float().mean() < 0.6
