"""Patches, whitening, colour."""

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import photographs


def test_whitened_patches_are_white():
    g = generator(9, "t")
    x = torch.randn(5000, 6, generator=g) @ torch.randn(6, 6, generator=g)
    white = photographs.whitened(x, floor=0.0, ridge=1e-9).double()
    torch.testing.assert_close(
        white.T @ white / 5000, torch.eye(6, dtype=torch.float64), atol=1e-3, rtol=0
    )


def test_patches_refuse_small_images():
    with pytest.raises(ValueError, match="do not fit"):
        photographs.random_patches(torch.zeros(1, 1, 4, 9), 5, 10, 0)


def test_patches_are_cut_from_the_images_in_turn():
    images = torch.arange(2 * 3 * 6 * 7, dtype=torch.float32).view(2, 3, 6, 7)
    patches = photographs.random_patches(images, 3, 8, seed=0)
    assert patches.shape == (8, 3, 3, 3)
    for k, patch in enumerate(patches):
        found = images[k % 2].unfold(1, 3, 1).unfold(2, 3, 1).permute(1, 2, 0, 3, 4)
        assert (found == patch).flatten(2).all(2).sum() == 1


def test_chroma_share_is_nothing_for_grey_and_all_for_colour_differences():
    grey = torch.rand(1, 1, 4).expand(1, 3, 4).reshape(1, 12)
    difference = torch.cat([torch.ones(1, 4), -torch.ones(1, 4), torch.zeros(1, 4)], 1)
    shares = photographs.chroma_share(torch.cat([grey, difference]))
    torch.testing.assert_close(shares, torch.tensor([0.0, 1.0]))
