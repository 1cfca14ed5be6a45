"""Multidimensional scaling of points in the plane."""

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import scaling


def test_multidimensional_scaling_recovers_points_in_the_plane() -> None:
    points = torch.randn(20, 2, generator=generator(0, "plane"), dtype=torch.float64)
    d = torch.cdist(points, points)
    place = scaling.multidimensional_scaling(d)
    assert torch.allclose(torch.cdist(place, place), d, atol=1e-6)
    with pytest.raises(ValueError, match="symmetric"):
        scaling.multidimensional_scaling(torch.randn(4, 3))
