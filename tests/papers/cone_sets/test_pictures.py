"""Real images as patches: who is where, and of which norm. Frames of sliders."""

import pytest
import torch
from matplotlib import pyplot as plt

from featurebook.images import Images
from featurebook.papers.cone_sets import cones, pictures


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def test_an_image_of_digits_has_one_of_each_class():
    # a digit of class k is one bright pixel, number k
    pixels = torch.eye(16)[:10].reshape(10, 1, 4, 4).repeat(3, 1, 1, 1) * 0.7
    source = Images(pixels, torch.arange(10).repeat(3), "made up", {})
    z = pictures.digit_patches(source, 5, seeded())
    assert z.shape == (5, 10, 16)
    torch.testing.assert_close(z.norm(dim=2), torch.ones(5, 10))
    assert (z.argmax(2).sort(1).values == torch.arange(10)).all()
    assert not (z.argmax(2) == torch.arange(10)).all()  # in random order


def test_blocks_of_a_picture_are_centred_and_of_norm_one():
    source = Images(torch.rand(6, 3, 32, 32, generator=seeded()), torch.zeros(6).long(), "", {})
    z = pictures.colour_patches(source, 4, seeded(1))
    assert z.shape == (4, 16, 192)
    torch.testing.assert_close(z.norm(dim=2), torch.ones(4, 16))
    assert z.mean(2).abs().max() < 1e-6


def test_a_mosaic_keeps_every_kernel_in_its_place():
    w = torch.zeros(24, 4)
    w[:, 0] = 1
    w[7, :2] = torch.tensor([0.0, 1.0])
    picture = pictures.mosaic(w, (1, 2, 2))
    assert picture.shape == (16, 24, 1)
    seventh = picture[4:8, 4:8, 0]  # row 2, column 2: a margin of ones around
    assert seventh[1:3, 1:3].tolist() == [[0, 1], [0, 0]]
    assert picture[1:3, 1:3, 0].tolist() == [[1, 0], [0, 0]]


@pytest.mark.parametrize(
    ("rho", "says"), [(0.5, "says nothing"), (0.66, "is not enough"), (0.68, "suffices"),
                      (0.72, "is not enough"), (0.95, "says nothing")],
)  # fmt: skip
def test_theorem_3_suffices_in_a_window_of_cosines_only(rho, says):
    figure = pictures.filtering(24, rho)
    (ax,) = figure.axes
    assert says in ax.get_title()
    exact, feature = ax.lines[:2]
    assert feature.get_xdata() == [rho, rho]
    assert exact.get_ydata()[0] == pytest.approx(0.5)
    plt.close(figure)


def test_when_planted_kernels_fall_below_their_cone_is_said_above_the_picture():
    cone = cones.Cone(3, f_h=2.0, sigma0=1.0)  # its height is t
    t = torch.arange(1.0, 11)[:, None]
    own = torch.cat([1.5 * t, 2.5 * t**0, 4.5 * t**0], 1)[:, None]  # stays; below at 3; below at 5
    figure = pictures.leaving(cone, own, 0.1, normal=1)
    (ax,) = figure.axes
    assert ax.get_title() == "a = 0.1: first below, normal not all, auxiliary at 3 to 5"
    assert ax.lines[0].get_ydata() == pytest.approx([1.5] * 10)
    plt.close(figure)
